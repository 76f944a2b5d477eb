package run

import (
	"io/fs"
	"slices"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// rulesVersion names the versions of the rules for classifying and scoring.
const rulesVersion = "classify " + classify.RulesVersion + ", refusal " + refusal.Version +
	", score " + score.RulesVersion +
	", risk " + risk.RulesVersion

// assemble returns the report of a finished run with its verdict. input is the input of the verdict, and warnings are
// those that end returned.
func (a *scoredSides) assemble(input gate.Run, warnings []report.Warning, started time.Time) *report.Report {
	p := a.p
	rep := p.Sides.NewReport(started)
	rep.Warnings = append(rep.Warnings, warnings...)
	rep.Scoring.RulesVersion = rulesVersion
	decide(rep, p.Sides.Rules.Gate, p.Sides.Rules.Phase, input)
	if p.Sides.MeasuresNoise() {
		rep.Statistics.Measured = compare.MeasureNoise(input.Base, input.Head, p.Sides.Rules.Gate.Alpha)
	}
	if base := p.Sides.Inputs.Stored; base != nil {
		warnOfOtherRules(rep, base)
	}
	rep.Plan = a.calls
	rep.ResultsBeside = input.Base != nil && p.Sides.Inputs.Stored == nil
	for _, c := range p.checks {
		if c.Report != nil {
			c.Report(rep)
		}
	}
	if figures := p.Sides.Rules.Scoring.Risk.Figures; rep.Risk != nil {
		rep.Scoring.Risk = &figures
	}
	meaning.AddToReport(rep, p.Sides.Selected[suite.Head], a.meaning, input.Head, input.Base)
	rep.Run.LeftOut = p.Sides.Scope.OutOfScope
	setScope(p.Sides, rep)
	setSentFiles(p.Sides, rep)
	rep.Run.FinishedAt = sides.Timestamp(p.Sides.Inputs.Time())
	return rep
}

// decide adds the comparison and the verdict to the report, and sorts the changes of the report.
func decide(rep *report.Report, policy config.Gate, phase config.Phase, in gate.Run) {
	in.Comparison.Fill(rep, in.Base, in.Head)
	rep.PolicyChanges = in.PolicyChanges
	rep.Verdict, rep.Reasons = gate.Decide(policy, in)
	rep.Gate = &policy
	rep.Scoring.Phase, rep.Scoring.Weights, rep.Scoring.MinRunScore = string(phase), score.Weights(), nil
	rep.Scoring.Semantic, rep.Scoring.SemanticModel = report.Similarity(in.Head)
	if bar := policy.Setting(config.MinRunScore); bar.Level != config.Off {
		rep.Scoring.MinRunScore = &bar.Value
	}
	gate.SetChangeKinds(rep)
}

// gateInput returns the part of the input of the verdict that is known before the comparison.
func (p Plan) gateInput(head, base *report.Side) gate.Run {
	in := gate.Run{Head: head, Base: base, BaseState: p.Sides.BaseState, PolicyChanges: slices.Clone(p.Sides.Changes),
		BaseFaults: baseErrors(p.Sides.Inputs, p.Sides.BaseFaults),
		CaseCount:  sides.CountCases(suite.FirstTargets(p.Sides.Head.All()))}
	for _, c := range p.checks {
		if c.Static != nil {
			c.Static(&in)
		}
	}
	return in
}

// invalidReport returns the report of a run that ended because of faults, the errors in files.
func invalidReport(p *sides.Sides, started time.Time, m meaning.Model, faults []document.Diagnostic) *report.Report {
	rep := p.NewReport(started)
	rep.Warnings, rep.Diagnostics = append(rep.Warnings, m.Warnings...), faults
	rep.Verdict = report.Invalid
	if p.Rules != nil {
		rep.Gate = &p.Rules.Gate
	}
	return rep
}

// Unjudged returns an undecided report for a run that has nothing to judge, and clears the output folder. code and why
// are the reason in the report.
func Unjudged(in sides.Inputs, out *output.Folder, code, why string) (Result, error) {
	p := Plan{Sides: sides.New(in)}
	p.Sides.BaseState = report.BaseNone
	return Result{Report: undecidedReport(p.Sides, in.Time(), code, document.Line(why)), Redactor: p.Sides.Redactor()},
		out.Clear()
}

func undecidedReport(p *sides.Sides, started time.Time, code, why string) *report.Report {
	rep := p.NewReport(started)
	rep.Verdict = report.Undecided
	rep.Reasons = []report.Reason{{Code: code, Level: report.LevelError, Message: why}}
	return rep
}

// baseErrors returns the errors of the base for the gate, each once. An error counts as fixed if the head has the file:
// with an error in the head, the run would have ended earlier. Three kinds of errors never count as fixed: in the
// default branch, in files whose content the commit lacks, and in the embedding model.
func baseErrors(in sides.Inputs, all []sides.BaseFault) (out []gate.FaultyFile) {
	known := map[document.Diagnostic]bool{}
	for _, f := range all {
		if known[f.Diagnostic] {
			continue
		}
		known[f.Diagnostic] = true
		elsewhere := f.Rule == document.RuleElsewhere || f.Rule == document.RulePointer
		_, err := fs.Stat(in.Head, f.Path)
		fixed := err == nil && f.Tree != in.Fallback && !elsewhere && f.Rule != meaning.RuleModel
		out = append(out, gate.FaultyFile{Path: f.Path, Line: f.Line, Message: f.Message,
			FixedByHead: fixed, Elsewhere: elsewhere})
	}
	return out
}
