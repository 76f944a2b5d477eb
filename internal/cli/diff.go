package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

func newDiff(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "diff BASE HEAD",
		Short: "Compare two stored reports: the same table, comment and exit code as a run",
		Long: `Compares two stored report.json (or their folders, with results.jsonl beside them). The gate is the base report's.
Writes report.json, report.html, comment.md, junit.xml and report.sarif into --out.`,
		Example: "  failproof diff base/report.json head/report.json",
		Args:    args(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, a []string) error {
			return diff(sys, o, a[0], a[1])
		},
	}
	cmd.Flags().StringVar(&o.Out, "out", defaultOut, "the folder that the files are written into")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print report.json to standard output in place of the table")
	cmd.Flags().BoolVar(&o.Quiet, "quiet", false, "print no table")
	return cmd
}

func diff(sys System, o runOptions, basePath, headPath string) error {
	base, err := readFull(sys.path(basePath))
	if err != nil {
		return err
	}
	head, err := readFull(sys.path(headPath))
	if err != nil {
		return err
	}
	rep, err := compareStored(base, head)
	if err != nil {
		return err
	}
	answers := render.Answers{Base: resultsIn(base.folder, resultsFile), Head: resultsIn(head.folder, resultsFile)}
	cases := observer{changes: rep.Changes, renamed: compare.Renamed(base.head, head.head)}
	if rep.Observability, err = cases.observed(answers); err != nil {
		return err
	}
	out, err := openOut(sys.Dir, o.Out)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := writeReport(out, rep, render.Links{}, answers); err != nil {
		return err
	}
	if err := show(sys, o, rep); err != nil {
		return err
	}
	return asError(rep.Verdict)
}

// compareStored judges the head's stored results against the base's, by the base's gate.
func compareStored(base, head *storedReport) (*report.Report, error) {
	rep := *head.report
	policy, changes := base.hold(head)
	in := compare.Input{Head: head.head, Base: base.head, BaseState: report.BaseCompared, PolicyChanges: changes}
	comparison, err := compare.Settle(policy, in, base.head, compare.Renamed(base.head, head.head), nil)
	if err != nil {
		return nil, err
	}
	in.Comparison, policy = comparison, policy.InForce(comparison)
	comparison.Fill(&rep, base.head, head.head)
	rep.PolicyChanges = changes
	rep.Verdict, rep.Reasons = compare.Decide(policy, in)
	rep.Scoring = scoringInfo(policy, head.head)
	rep.Scoring.SelfChecks = head.report.Scoring.SelfChecks
	rep.Scoring.Risk = head.report.Scoring.Risk
	warnOfModels(&rep, head.head, base.head)
	rep.Gate = &policy.Gate
	from := base.report.Run.Head
	rep.Run.Base, rep.Run.BaseState = &from, report.BaseCompared
	return &rep, nil
}

// hold returns the base report's gate and phase and gives the head's suites its weights and bars. changes is what the head
// had of its own.
func (s *storedReport) hold(head *storedReport) (p compare.Policy, changes []config.Change) {
	own := config.Default()
	own.Path = reportFile
	own.Gate, own.Phase = head.rules()
	effective, changes := own.HeldTo(s.rules())
	var heads []*suite.Suite
	for _, p := range head.report.Plans() {
		heads = append(heads, &suite.Suite{ID: p.ID, Path: p.Path, Weight: p.Weight, MinScore: p.MinScore})
	}
	changes = append(changes, suite.ApplyBase(s.suites(heads), heads)...)
	for _, h := range heads {
		if side := head.head.Suite(h.ID); side != nil {
			side.Weight, side.MinScore = h.Weight, h.MinScore
		}
	}
	return compare.Policy{Gate: effective.Gate, Phase: effective.Phase}, changes
}
