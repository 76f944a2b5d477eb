package run

import (
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/layout"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stored"
	"github.com/failproof/failproof/internal/suite"
)

// StoredAnswers returns the answers of both sides from the results that are stored next to a report. It also completes
// the report: with the cases in these results, and with the kinds of its changes. Without results, it returns no
// answers.
func StoredAnswers(s *stored.Run) (a report.ResultFinders, err error) {
	defer gate.SetChangeKinds(s.Report)
	if info, err := os.Stat(filepath.Join(s.Folder, output.ResultsFile)); err != nil || !info.Mode().IsRegular() {
		return a, nil
	}
	if err := s.ReadResults(func(string) bool { return true }); err != nil {
		return a, err
	}
	for i, c := range s.Report.Changes {
		if counted := s.Head.Find(c.Name()); counted != nil {
			s.Report.Changes[i].Head = c.Head.At(&counted.Outcome)
		}
	}
	base, err := s.ReadBase()
	if err != nil || base == nil {
		return answerFinders(nil, s.Head), err
	}
	base = compare.JoinCases(base, s.Head, s.Report.HeadIDs())
	if err := compare.Restore(s.Report, base, s.Head); err != nil {
		return a, fault.Inputf("%w", err)
	}
	return answerFinders(base, s.Head), nil
}

// Diff returns the report of comparing two stored runs by the gate of the base. It calls note if a panic occurs while
// the cases are laid out.
func Diff(base, head *stored.Run, note func(*fault.Bug)) (rep *report.Report, answers report.ResultFinders,
	err error) {
	rep = new(*head.Report)
	rep.Run.Base, rep.Run.BaseState = new(base.Report.Run.Head), report.BaseCompared // needed to sort the changes
	rep.Explanation = nil                                                            // it was made with another base
	policy, phase, changes, headSide := withBaseRules(base, head)
	baseSide := compare.JoinSuites(base.Head, headSide)
	in := gate.Run{Head: headSide, Base: baseSide, BaseState: report.BaseCompared, PolicyChanges: changes}
	if in.Comparison, err = compareStored(policy, in, compare.Sides{Head: headSide, Base: baseSide}); err != nil {
		return nil, answers, err
	}
	decide(rep, policy, phase, in)
	warnOfOtherRules(rep, base)
	meaning.WarnOfChangedModel(rep, headSide, baseSide)
	answers = answerFinders(baseSide, headSide)
	return rep, answers, layout.Add(rep, answers, nil, note)
}

// warnOfOtherRules adds a warning if another version of the rules judged the answers of the stored base. In this case,
// a difference may come from the rules and not from the answers.
func warnOfOtherRules(rep *report.Report, base *stored.Run) {
	if base.Report.Scoring.RulesVersion != rep.Scoring.RulesVersion {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: "base_judged_otherwise", Message: "another version of " +
			"failproof judged the base: a case may have changed although its answer did not; make the base's report again"})
	}
}

// withBaseRules returns the gate and the phase of s, the stored base, and the head's side with the weights and
// thresholds of the base's suites. changes lists the settings of the head that differ.
func withBaseRules(s *stored.Run, head *stored.Run) (g config.Gate, phase config.Phase, changes []config.Change,
	side *report.Side) {
	own := config.Default()
	own.Path = output.ReportFile
	own.Gate, own.Phase = head.Rules()
	effective, changes := own.WithRules(s.Rules())
	var heads []*suite.Suite
	byID := map[string]*suite.Suite{}
	for _, p := range head.Report.Plans() {
		h := &suite.Suite{ID: p.ID, Target: p.Target, Path: p.Path, Weight: p.Weight, MinScore: p.MinScore}
		heads, byID[p.ID] = append(heads, h), h
	}
	changes = append(changes, suite.ApplyBase(suite.Join(s.Suites(heads), heads))...)
	side = head.Head.WithPlans(func(p *report.SuitePlan) {
		p.Weight, p.MinScore = byID[p.ID].Weight, byID[p.ID].MinScore
	})
	return effective.Gate, effective.Phase, changes, side
}
