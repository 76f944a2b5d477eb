package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Stored is a report.json read back, with the results beside it.
type Stored struct {
	Report *report.Report
	Folder string
	head   *report.Side // nil until its results were read
	log    *report.Log  // of the head's results; likewise
}

// maxReport bounds report.json, in bytes.
const maxReport = 1 << 30

// ReadReport reads path, a report.json or the folder that holds one. Its results are read from the file beside it.
func ReadReport(path string) (*Stored, error) {
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
	gate.SortChanges(rep)
	return &Stored{Report: rep, Folder: filepath.Dir(path)}, nil
}

// readResults reads the results beside a report, of the suites that keep wants.
func (s *Stored) readResults(keep func(suiteID string) bool) error {
	f, err := regular.Open(filepath.Join(s.Folder, output.ResultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fault.Inputf("the report in %s has no %s beside it, and a comparison needs the results of both sides", s.Folder, output.ResultsFile)
	}
	if err != nil {
		return fault.Inputf("read the results: %w", err)
	}
	defer f.Close()
	s.log = output.OpenLog(f.Name())
	plans := slices.DeleteFunc(s.Report.Plans(), func(p report.SuitePlan) bool { return !keep(p.ID) })
	results := 0
	if s.head, err = report.ReadSide(plans, f, s.log, func(r report.Result) bool {
		if r.Look == "" { // the report counts the first trials
			results++
		}
		return keep(r.SuiteID)
	}); err != nil {
		return fault.Inputf("read %s: %w", f.Name(), err)
	}
	if results != s.Report.Trials { // a base that lost results would hide every regression of theirs
		return fault.Inputf("%s holds %s and its %s counts %d: one of them is cut off or of another run; take both from one run",
			f.Name(), text.Count(results, "result"), output.ReportFile, s.Report.Trials)
	}
	if len(s.head.Suites) != len(plans) {
		return fault.Inputf("%s has results of suite %q, which its %s does not know; take both from one run",
			f.Name(), s.head.Suites[len(plans)].ID, output.ReportFile)
	}
	return asOneRun(f.Name(), s.Report.Recount(s.head))
}

// asOneRun says of a report and the results beside it that their figures differ; nil where they do not.
func asOneRun(file string, differs error) error {
	if differs == nil {
		return nil
	}
	return fault.Inputf("%s and its %s are not of one run, or one of them was edited: %w; take both from one run", file, output.ReportFile, differs)
}

// rules are the gate and phase that the report was held to.
func (s *Stored) rules() (config.Gate, config.Phase) {
	return s.Report.GateOr(config.Default().Gate), config.Phase(s.Report.Scoring.Phase)
}

// suites are the report's, as far as they set rules for heads. It does not tell their trials.
func (s *Stored) suites(heads []*suite.Suite) []*suite.Suite {
	trials := map[string]int{}
	for _, h := range heads {
		trials[suiteid.Written(h.ID)] = h.Trials
	}
	var out []*suite.Suite
	for _, p := range s.Report.Plans() {
		if n, known := trials[suiteid.Written(p.ID)]; known {
			out = append(out, &suite.Suite{ID: p.ID, Target: p.Target, Weight: p.Weight, MinScore: p.MinScore, Trials: n})
		}
	}
	return out
}

// ReadFull reads a report with all its results.
func ReadFull(path string) (*Stored, error) {
	stored, err := ReadReport(path)
	if err != nil {
		return nil, err
	}
	return stored, stored.readResults(func(string) bool { return true })
}

// ReadAnswers reads what both sides answered, as far as that stands beside the report, and completes the report by it.
func (s *Stored) ReadAnswers() (a page.Answers, err error) {
	if !isFile(filepath.Join(s.Folder, output.ResultsFile)) {
		return a, nil
	}
	if err := s.readResults(func(string) bool { return true }); err != nil {
		return a, err
	}
	a.Head = shown(s.log, s.head)
	f, err := regular.Open(filepath.Join(s.Folder, output.BaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return a, fault.Inputf("read the base's results: %w", err)
	}
	defer f.Close()
	log := output.OpenLog(f.Name())
	base, err := report.ReadSide(nil, f, log, func(report.Result) bool { return true })
	if err != nil {
		return a, fault.Inputf("read %s: %w", f.Name(), err)
	}
	if err := asOneRun(f.Name(), s.Report.RecountBase(base)); err != nil {
		return a, err
	}
	s.Report.Join(base)
	compare.JoinCases(base, s.head)
	if err := compare.Restore(s.Report, base, s.head); err != nil {
		return a, fault.Inputf("%w", err)
	}
	gate.SortChanges(s.Report)
	a.Base = shown(log, base)
	return a, nil
}

// Diff compares two stored reports: the head's results are judged against the base's, by the base's gate. A bug in the layout of the
// cases is told to note.
func Diff(base, head *Stored, note func(*evaluate.Bug)) (rep *report.Report, answers page.Answers, err error) {
	rep = new(*head.Report)
	rep.Run.Base, rep.Run.BaseState = new(base.Report.Run.Head), report.BaseCompared // before the changes are sorted, by what they are compared with
	rep.Explanation = nil                                                            // which is of what that report was compared with
	policy, phase, changes := base.hold(head)
	in := gate.Run{Head: head.head, Base: base.head, BaseState: report.BaseCompared, PolicyChanges: changes}
	compare.Join(base.head, head.head)
	if in.Comparison, err = compare.Settle(policy, compare.Sides{Head: head.head, Base: base.head}, compare.Asker{Failed: in.Fails(policy)}); err != nil {
		return nil, answers, err
	}
	decide(rep, policy, phase, in)
	rep.Scoring.SelfChecks, rep.Scoring.Risk = head.Report.Scoring.SelfChecks, head.Report.Scoring.Risk
	warnOfModels(rep, head.head, base.head)
	answers = page.Answers{Base: shown(base.log, base.head), Head: shown(head.log, head.head)}
	return rep, answers, layOut(rep, answers, nil, note)
}

// hold returns the base report's gate and phase and gives the head's suites its weights and bars. changes is what the head
// had of its own.
func (s *Stored) hold(head *Stored) (g config.Gate, phase config.Phase, changes []config.Change) {
	own := config.Default()
	own.Path = output.ReportFile
	own.Gate, own.Phase = head.rules()
	effective, changes := own.HeldTo(s.rules())
	var heads []*suite.Suite
	for _, p := range head.Report.Plans() {
		heads = append(heads, &suite.Suite{ID: p.ID, Target: p.Target, Path: p.Path, Weight: p.Weight, MinScore: p.MinScore})
	}
	changes = append(changes, suite.ApplyBase(s.suites(heads), heads)...)
	for _, h := range heads {
		if side := head.head.Suite(h.ID); side != nil {
			side.Weight, side.MinScore = h.Weight, h.MinScore
		}
	}
	return effective.Gate, effective.Phase, changes
}

// shown finds what a side answered, by the head's ids of its suites and cases.
func shown(log *report.Log, side *report.Side) page.Find {
	joined := side.Joined()
	return func(c report.Change) (report.Result, bool, error) {
		_, found := joined(suiteid.Name{Suite: c.SuiteID, Case: c.CaseID})
		if found == nil || found.Trial == 0 {
			return report.Result{}, false, nil
		}
		r, err := log.At(found.At)
		if err != nil {
			return r, false, fault.Inputf("%w", err)
		}
		return r, true, nil
	}
}
