package run

import (
	"slices"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// rulesVersion names the rules that classify and score.
const rulesVersion = "classify " + classify.RulesVersion + ", refusal " + refusal.Version + ", score " + score.RulesVersion +
	", risk " + risk.RulesVersion

// Assemble makes the report of a run that was asked and compared, and decides its verdict.
func Assemble(p Plan, m Meaning, a Answered, sides Settled, ended []report.Warning, started time.Time) *report.Report {
	rep := p.blank(started)
	rep.Warnings = append(rep.Warnings, ended...)
	if sides.Controls.Obeyed {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: "judge_obeys", Message: "the judge called an answer met that ordered it to: an answer may talk it round; take another model as judge"})
	}
	decide(rep, p.rules.Gate, p.rules.Phase, sides.Input)
	if p.measuring() {
		rep.Statistics.Measured = compare.Measured(sides.Base, sides.Head, p.rules.Gate.Alpha)
	}
	rep.Plan, rep.Judge = a.Calls, p.judgeInfo(sides)
	if j := rep.Judge; j != nil && !j.Counts {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: warnJudge, Path: p.rules.Path, Message: document.Line("criteria only warn: the judge " + j.Model + " is " + j.Standing)})
	}
	rep.Beside = sides.Base != nil && p.in.Stored == nil
	if d := sides.Drift; d != nil {
		rep.Drift = &report.Drift{Cases: sides.Watched, Beyond: d.Beyond, Drifted: sides.Drifted, Recovered: drifted(d.Recovered)}
	}
	rep.Explanation, rep.Calls = sides.Explained.explanation, rep.Calls.Plus(sides.Explained.calls)
	rep.Warnings = append(rep.Warnings, sides.Explained.warnings...)
	if figures := p.rules.Scoring.Risk.Figures; rep.Risk != nil {
		rep.Scoring.Risk = &figures
	}
	sayMeaning(rep, p.asked[suite.Head], m, sides.Head, sides.Base)
	rep.Run.LeftOut = p.scope.LeftOut
	p.tellScope(rep)
	rep.Run.FinishedAt = timestamp(p.in.now())
	return rep
}

// decide fills a report with what was compared, decides its verdict by a gate and sorts its changes.
func decide(rep *report.Report, gate config.Gate, phase config.Phase, in compare.Input) {
	in.Comparison.Fill(rep, in.Base, in.Head)
	rep.PolicyChanges = in.PolicyChanges
	rep.Verdict, rep.Reasons = compare.Decide(gate, in)
	rep.Gate, rep.Scoring = &gate, scoringInfo(gate, phase, in.Head)
	compare.Sort(rep)
}

// input is what the verdict is made of, as far as it is known before the sides are compared.
func (p Plan) input(head, base *report.Side) compare.Input {
	return compare.Input{Head: head, Base: base, BaseState: p.baseState, PolicyChanges: slices.Clone(p.changes), Deserted: p.desertedPrompts, Unasked: p.unaskedPrompts,
		Told: p.telling, BaseFaults: p.in.faultsBefore(p.baseFaults), Redrawn: p.redrawn, AllCases: cases(suite.AsWritten(p.head.suites)), Measuring: p.measuring()}
}

// invalid makes the report of a run in which nothing was asked, because a file is wrong. faults are all that is wrong.
func (p *Sides) invalid(started time.Time, m Meaning, faults []document.Diagnostic) *report.Report {
	rep := p.blank(started)
	rep.Warnings, rep.Diagnostics = append(rep.Warnings, m.warnings...), faults
	rep.Verdict = report.Invalid
	if p.rules != nil {
		rep.Gate = &p.rules.Gate
	}
	return rep
}

// Unjudged makes the report of a run in which nothing was asked, because there is nothing that it could be about.
func Unjudged(in Inputs, out *output.Folder, code, why string) (Judged, error) {
	p := unread(&Sides{in: in, baseState: report.BaseNone})
	return Judged{Report: p.undecided(in.now(), code, document.Line(why)), Hide: p.redactor()}, out.Clear()
}

func (p *Sides) undecided(started time.Time, code, why string) *report.Report {
	rep := p.blank(started)
	rep.Verdict = report.Undecided
	rep.Reasons = []report.Reason{{Code: code, Level: report.LevelError, Message: why}}
	return rep
}

// blank holds what every report says, of a run that ends now.
func (p *Sides) blank(started time.Time) *report.Report {
	return &report.Report{
		SchemaVersion: report.SchemaVersion,
		Tool:          report.Tool{Name: "failproof", Version: p.in.Version},
		Run: report.Run{
			ID: p.in.RunID, StartedAt: timestamp(started), FinishedAt: timestamp(p.in.now()), Scope: p.in.Scope, BaseState: p.baseState,
			Head: revision(p.in.Head.Revision), Base: p.in.baseRevision(),
		},
		PolicyChanges: p.changes,
		Warnings:      slices.Clone(p.Warnings),
		Diagnostics:   p.Faults,
	}
}

func (in Inputs) baseRevision() *report.Revision {
	if in.Stored != nil {
		return new(in.Stored.Report.Run.Head)
	}
	if in.Base != nil {
		return new(revision(in.Base.Revision))
	}
	return nil
}

func revision(r source.Revision) report.Revision {
	return report.Revision{Name: r.Name, SHA: r.SHA, Ref: r.Ref}
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func scoringInfo(gate config.Gate, phase config.Phase, head *report.Side) report.ScoringInfo {
	info := report.ScoringInfo{
		Phase: string(phase), RulesVersion: rulesVersion,
		Weights: score.Weights(), Semantic: head.Semantic(), SemanticModel: head.SemanticModel(),
	}
	if bar := gate.MinRunScore; bar.Level != config.Off {
		info.MinRunScore = &bar.Value
	}
	return info
}
