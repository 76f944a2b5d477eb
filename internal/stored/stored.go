// Package stored reads the results of an earlier run, as a base to compare with.
package stored

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Run is the report.json of an earlier run, with the results beside it.
type Run struct {
	Report *report.Report
	Folder string
	Head   *report.Side // nil before ReadResults
}

// maxReport is the largest size of a report.json in bytes.
const maxReport = 1 << 30

// Read reads the report.json at path, or in the folder at path. It does not read the results beside it; see
// ReadResults.
func Read(path string) (*Run, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, output.ReportFile)
	}
	data, err := regular.Read(path, maxReport)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Inputf("read the report: there is no %s; expected a report.json, or the folder that `failproof run` wrote, such as %s", path, output.DefaultFolder)
	}
	if err != nil {
		return nil, fault.Inputf("read the report: %w", err)
	}
	rep, err := report.Unmarshal(data)
	if err != nil {
		return nil, fault.Inputf("read the report %s: %w", path, err)
	}
	return &Run{Report: rep, Folder: filepath.Dir(path)}, nil
}

// ReadResults sets Head from the results beside the report. It skips the suites for which keep returns false.
func (s *Run) ReadResults(keep func(suiteID string) bool) error {
	f, err := regular.Open(filepath.Join(s.Folder, output.ResultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fault.Inputf("the report in %s has no %s beside it, and a comparison needs the results of both sides", s.Folder, output.ResultsFile)
	}
	if err != nil {
		return fault.Inputf("read the results: %w", err)
	}
	defer f.Close()
	plans := slices.DeleteFunc(s.Report.Plans(), func(p report.SuitePlan) bool { return !keep(p.ID) })
	results := 0
	if s.Head, err = report.ReadSide(plans, f, output.OpenLog(f.Name()), func(r report.Result) bool {
		if r.RerunReason == "" { // the report counts the first trials
			results++
		}
		return keep(r.SuiteID)
	}); err != nil {
		return fault.Inputf("read %s: %w", f.Name(), err)
	}
	if results != s.Report.Trials { // a base without some results would hide regressions
		return fault.Inputf("%s holds %s and its %s counts %d: one of them is cut off or of another run; take both from one run",
			f.Name(), text.Count(results, "result"), output.ReportFile, s.Report.Trials)
	}
	if len(s.Head.Suites) != len(plans) {
		return fault.Inputf("%s has results of suite %q, which its %s does not know; take both from one run",
			f.Name(), s.Head.Suites[len(plans)].ID, output.ReportFile)
	}
	return mismatchError(f.Name(), s.Report.CheckAgainst(s.Head))
}

// mismatchError returns an error that says that the report and its results are from different runs. difference says
// what is different. If difference is nil, mismatchError returns nil.
func mismatchError(file string, difference error) error {
	if difference == nil {
		return nil
	}
	return fault.Inputf("%s and its %s are not of one run, or one of them was edited: %w; take both from one run", file, output.ReportFile, difference)
}

// Rules returns the gate and the phase of the report.
func (s *Run) Rules() (config.Gate, config.Phase) {
	return s.Report.GateOr(config.Default().Gate), config.Phase(s.Report.Scoring.Phase)
}

// Suites returns those suites of the report that are also in heads, with the settings of the report. Only Trials comes
// from heads, because a report does not store it.
func (s *Run) Suites(heads []*suite.Suite) []*suite.Suite {
	trials := map[string]int{}
	for _, h := range heads {
		trials[suiteid.AuthorID(h.ID)] = h.Trials
	}
	var out []*suite.Suite
	for _, p := range s.Report.Plans() {
		if n, known := trials[suiteid.AuthorID(p.ID)]; known {
			out = append(out, &suite.Suite{ID: p.ID, Target: p.Target, Weight: p.Weight, MinScore: p.MinScore, Trials: n})
		}
	}
	return out
}

// ReadBase returns the results of the base beside the report. It returns a nil side if there are none.
func (s *Run) ReadBase() (*report.Side, error) {
	f, err := regular.Open(filepath.Join(s.Folder, output.BaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Inputf("read the base's results: %w", err)
	}
	defer f.Close()
	base, err := report.ReadSide(nil, f, output.OpenLog(f.Name()), func(report.Result) bool { return true })
	if err != nil {
		return nil, fault.Inputf("read %s: %w", f.Name(), err)
	}
	return base, mismatchError(f.Name(), s.Report.CheckBaseAgainst(base))
}

// ReadAll reads the report at path, and all results of its head.
func ReadAll(path string) (*Run, error) {
	stored, err := Read(path)
	if err != nil {
		return nil, err
	}
	return stored, stored.ReadResults(func(string) bool { return true })
}
