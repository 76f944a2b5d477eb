package run

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// Diff compares two stored reports: the head's results are judged against the base's, by the base's gate. A bug in the layout of the
// cases is told to note.
func Diff(base, head *Stored, note func(*evaluate.Bug)) (rep *report.Report, answers page.Answers, err error) {
	if rep, err = compareStored(base, head); err != nil {
		return nil, answers, err
	}
	answers = page.Answers{Base: shown(base.log, base.head), Head: shown(head.log, head.head)}
	cases := observer{changes: rep.Changes}
	err = evaluate.Guarded("laying out the cases", func() (err error) {
		rep.Observability, err = cases.observed(answers)
		return err
	})
	return rep, answers, Unobserved(rep, err, note)
}

// compareStored judges the head's stored results against the base's, by the base's gate.
func compareStored(base, head *Stored) (*report.Report, error) {
	rep := *head.Report
	from := base.Report.Run.Head
	rep.Run.Base, rep.Run.BaseState = &from, report.BaseCompared // before the changes are sorted, by what they are compared with
	rep.Explanation = nil                                        // which is of what that report was compared with
	gate, phase, changes := base.hold(head)
	in := compare.Input{Head: head.head, Base: base.head, BaseState: report.BaseCompared, PolicyChanges: changes}
	compare.Join(base.head, head.head)
	comparison, err := compare.Settle(gate, in, base.head, compare.Asker{})
	if err != nil {
		return nil, err
	}
	in.Comparison = comparison
	comparison.Fill(&rep, base.head, head.head)
	rep.PolicyChanges = changes
	rep.Verdict, rep.Reasons = compare.Decide(gate, in)
	compare.Sort(&rep)
	rep.Scoring = scoringInfo(gate, phase, head.head)
	rep.Scoring.SelfChecks = head.Report.Scoring.SelfChecks
	rep.Scoring.Risk = head.Report.Scoring.Risk
	warnOfModels(&rep, head.head, base.head)
	rep.Gate = &gate
	return &rep, nil
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
