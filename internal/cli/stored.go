package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// storedReport is a report.json read back, with the results beside it.
type storedReport struct {
	report *report.Report
	folder string
	head   *report.Side // nil until its results were read
}

// maxReport bounds report.json, in bytes.
const maxReport = 1 << 30

// readReport reads path, a report.json or the folder that holds one. Its results are read from the file beside it.
func readReport(path string) (*storedReport, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, reportFile)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, inputErrorf("read the report: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxReport {
		return nil, inputErrorf("read the report: %s is no file, or larger than %d bytes", path, maxReport)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, inputErrorf("read the report: %w", err)
	}
	rep, err := report.Unmarshal(text)
	if err != nil {
		return nil, inputErrorf("read the report %s: %w", path, err)
	}
	return &storedReport{report: rep, folder: filepath.Dir(path)}, nil
}

// readResults reads the results beside a report, of the suites that keep wants.
func (s *storedReport) readResults(keep func(suiteID string) bool) error {
	f, err := os.Open(filepath.Join(s.folder, resultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return inputErrorf("the report in %s has no %s beside it, and a comparison needs the results of both sides", s.folder, resultsFile)
	}
	if err != nil {
		return inputErrorf("read the results: %w", err)
	}
	defer f.Close()
	plans := slices.DeleteFunc(s.report.Plans(), func(p report.SuitePlan) bool { return !keep(p.ID) })
	results := 0
	if s.head, err = report.ReadSide(plans, f, func(r report.Result) bool {
		if r.Look == "" { // the report counts the first trials
			results++
		}
		return keep(r.SuiteID)
	}); err != nil {
		return inputErrorf("read %s: %w", f.Name(), err)
	}
	if results != s.report.Trials { // a base that lost results would hide every regression of theirs
		return inputErrorf("%s holds %s and its %s counts %d: one of them is cut off or of another run; take both from one run",
			f.Name(), count(results, "result"), reportFile, s.report.Trials)
	}
	if len(s.head.Suites) != len(plans) {
		return inputErrorf("%s has results of suite %q, which its %s does not know; take both from one run",
			f.Name(), s.head.Suites[len(plans)].ID, reportFile)
	}
	return nil
}

// rules are the gate and phase that the report was held to.
func (s *storedReport) rules() (config.Gate, config.Phase) {
	return s.report.GateOr(config.Default().Gate), config.Phase(s.report.Scoring.Phase)
}

// suites are the report's, as far as they set rules for heads. It does not tell their trials.
func (s *storedReport) suites(heads []*suite.Suite) []*suite.Suite {
	plans := map[string]report.SuitePlan{}
	for _, p := range s.report.Plans() {
		plans[p.ID] = p
	}
	var out []*suite.Suite
	for _, h := range heads {
		if p, known := plans[h.ID]; known {
			out = append(out, &suite.Suite{ID: p.ID, Weight: p.Weight, MinScore: p.MinScore, Trials: h.Trials})
		}
	}
	return out
}

// readFull reads a report with all its results.
func readFull(path string) (*storedReport, error) {
	stored, err := readReport(path)
	if err != nil {
		return nil, err
	}
	return stored, stored.readResults(func(string) bool { return true })
}
