package cli

import (
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/source"
)

// rulesVersion names the rules that classify and score.
const rulesVersion = "classify " + classify.RulesVersion + ", refusal " + refusal.Version + ", score " + score.RulesVersion +
	", risk " + risk.RulesVersion

// assemble makes the report of a run that was evaluated, and decides its verdict.
func (g *gate) assemble(a answers, started time.Time) *report.Report {
	rep := g.blank(started)
	a.comparison.Fill(rep, a.base, a.head)
	if g.measuring() {
		rep.Statistics.Measured = compare.Measured(a.base, a.head, g.effective.Gate.Alpha)
	}
	rep.Plan = g.callPlan
	policy, in := g.policy().InForce(a.comparison), g.input(a)
	in.Comparison = a.comparison
	rep.Verdict, rep.Reasons = compare.Decide(policy, in)
	rep.Scoring = scoringInfo(policy, a.head)
	if figures := g.effective.Scoring.Risk.Figures; rep.Risk != nil {
		rep.Scoring.Risk = &figures
	}
	g.finishMeaning(rep, a.head, a.base)
	rep.Gate = &policy.Gate
	rep.Run.LeftOut = g.scope.LeftOut
	rep.Run.FinishedAt = timestamp(g.now())
	return rep
}

func (g *gate) policy() compare.Policy {
	return compare.Policy{Gate: g.effective.Gate, Phase: g.effective.Phase, Fork: g.Fork}
}

// input is what the verdict is made of, without the comparison.
func (g *gate) input(a answers) compare.Input {
	return compare.Input{Head: a.head, Base: a.base, BaseState: g.baseState, PolicyChanges: g.changes, AllCases: cases(g.head.suites),
		Measuring: g.measuring()}
}

// renamed maps the base's suites to the head's where their names differ.
func (g *gate) renamed(a answers) map[string]string {
	if g.Stored != nil {
		return compare.Renamed(a.base, a.head)
	}
	return g.scope.Renamed
}

// invalid makes the report of a run in which nothing was asked, because a file is wrong.
func (g *gate) invalid(started time.Time) *report.Report {
	rep := g.blank(started)
	rep.Verdict = report.Invalid
	rep.Run.FinishedAt = timestamp(g.now())
	return rep
}

// blank holds what every report says.
func (g *gate) blank(started time.Time) *report.Report {
	return &report.Report{
		SchemaVersion: report.SchemaVersion,
		Tool:          report.Tool{Name: "failproof", Version: Version},
		Run: report.Run{
			ID: g.RunID, StartedAt: timestamp(started), Scope: g.Scope, BaseState: g.baseState,
			Head: revision(g.Head.Revision), Base: g.baseRevision(),
		},
		PolicyChanges: g.changes,
		Warnings:      g.warnings,
		Diagnostics:   g.faults,
	}
}

func (g *gate) baseRevision() *report.Revision {
	switch {
	case g.Stored != nil:
		r := g.Stored.report.Run.Head
		return &r
	case g.Base != nil:
		r := revision(g.Base.Revision)
		return &r
	}
	return nil
}

func revision(r source.Revision) report.Revision {
	out := report.Revision{Name: r.Name, SHA: r.SHA}
	if r.MergeBase {
		out.Ref = "merge base"
	}
	return out
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func scoringInfo(p compare.Policy, head *report.Side) report.ScoringInfo {
	info := report.ScoringInfo{
		Phase: string(p.Phase), RulesVersion: rulesVersion,
		Weights: score.Weights(), Semantic: head.Semantic(), SemanticModel: head.SemanticModel(),
	}
	if bar, ok := p.RunBar(); ok {
		info.MinRunScore = &bar
	}
	return info
}
