// Package explain is the command `failproof explain`. It finds the changed lines that broke cases.
package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks/cause"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Selection says which cases to explain.
type Selection struct {
	Cases  []string // ids, or suite/id; empty: all cases that are right on the base and wrong on the head
	Target string   // explain only the cases of this live target, recorded or not; "": of all
}

// FindLines finds the changed lines that broke the selected cases. It returns a report with the explanation and without
// a verdict. If files have errors, the report has these errors and the verdict invalid.
func FindLines(ctx context.Context, in sides.Inputs, want Selection, to asking.Sinks) (rep *report.Report, err error) {
	err = fault.CallRecovering("finding the line", func() error {
		plan, err := run.ReadPlan(in)
		if err != nil {
			return err
		}
		p := plan.Sides
		rep = p.NewReport(in.Time())
		meaning, faults, err := meaning.Open(p, ctx)
		if rep.Diagnostics = faults; err != nil || document.HasErrors(faults) {
			rep.Verdict = report.Invalid
			return err
		}
		return setExplanation(ctx, p, meaning, want, rep, to)
	})
	return rep, err
}

// setExplanation finds the lines that broke the selected cases, and sets the explanation of rep.
func setExplanation(ctx context.Context, p *sides.Sides, m meaning.Model, want Selection, rep *report.Report,
	to asking.Sinks) error {
	if p.Base == nil {
		return fault.Inputf("the base has no suites to compare with: name another one with --base")
	}
	if p.Rules.Explain.MaxCalls == 0 {
		p.Rules.Explain = config.Default().Explain // "off" is for unattended runs
	}
	if err := useLiveTarget(p, want.Target); err != nil {
		return err
	}
	if err := p.ConfirmTargets(); err != nil { // also for that target
		return err
	}
	all, err := wantedCases(p, want)
	if err != nil || len(all) == 0 {
		rep.Explanation = &report.Explanation{Hunks: []report.Hunk{}, Cases: []report.ExplainedCase{},
			MaxAnswers: p.Rules.Explain.MaxAnswers(0)}
		return err
	}
	open, warnings := asking.OpenSession(p)
	defer func() {
		for _, w := range slices.Concat(m.Warnings, warnings, open.Close()) {
			to.Say("%s", w.Message)
		}
	}()
	plan := asking.NewPlan(p, m.Similarity, open)
	plan.OnBug = to.Bugs.Add
	cases := len(all)
	if len(want.Cases) == 0 {
		cases = min(cases, cause.MostExplained)
	}
	maxCalls := p.Rules.Explain.MaxAnswers(cases)
	if err := to.Consent(costNotice(p, plan, all, want, maxCalls)); err != nil {
		return err
	}
	defer p.Live.StopOnCancel(ctx)()
	ctx = context.WithoutCancel(ctx)
	p.Inputs.Progress.Begin(maxCalls, p.Live.Run.Usage)
	defer p.Inputs.Progress.Finish()
	skipped := 0
	var others []cause.Case
	if len(want.Cases) == 0 {
		if all, others, err = runOnce(ctx, p, plan, all); err != nil {
			return err
		}
		skipped = max(len(all)-cause.MostExplained, 0)
	}
	rep.Explanation, rep.Calls = cause.ExplainCases(ctx, p, plan, all[:len(all)-skipped], others)
	rep.Explanation.NotSearched = skipped
	return nil
}

// costNotice returns a line that tells the user how many answers the explanation may need at most, and their highest
// cost. needsConsent reports whether that cost needs the user's consent.
func costNotice(p *sides.Sides, plan evaluate.Plan, all []cause.Case, want Selection,
	maxCalls int) (line string, needsConsent bool) {
	calls, cases := maxCalls, text.Count(len(all), "case")
	if len(want.Cases) == 0 {
		calls, cases = calls+2*len(all), "up to "+cases
	}
	line = fmt.Sprintf("at most %s, to find which line broke %s", text.Count(calls, "answer"), cases)
	usd := forecast.MaxCostUSD(plan, calls, p.Rules)
	if usd == nil {
		return line, false
	}
	return line + ", for at most $" + text.Dollars(*usd), *usd > forecast.ConsentAboveUSD
}

// useLiveTarget makes the recorded cases of a live target call it on both sides. A recorded case is of the target that
// gave its answers, or of any if that is unknown. name is the target's name. If it is "", useLiveTarget uses the only
// live target, and changes nothing if there is none, or more than one. It returns an error if name is no live target.
func useLiveTarget(p *sides.Sides, name string) error {
	if name == "" && len(p.Head.Recordings) > 0 {
		one, _ := asking.OnlyLiveTarget(p.Rules)
		name = one.Name
	}
	if name == "" {
		return nil
	}
	t := p.Rules.Targets[name]
	if !t.Live() {
		return fault.Inputf("--target is %q; expected a live target of the configuration", name)
	}
	for _, s := range p.Selected[suite.Head] {
		for _, head := range s.Cases {
			both := p.Pairs.Find(s.ID, head.ID)
			from, _ := asking.LiveTargetFor(p, s, head.ID)
			if both.Base == nil || from.Name != "" && from.Name != name {
				continue
			}
			if p.Head.Recordings[s.TargetOf(head)] != nil {
				asking.SwitchToLive(head, t)
			}
			if p.Base.Recordings[both.BaseSuite.TargetOf(both.Base)] != nil {
				asking.SwitchToLive(both.Base, t)
			}
		}
	}
	var faults, more []document.Diagnostic
	p.Head, faults = p.Head.WithTargets(map[string]config.Target{name: t})
	p.Base, more = p.Base.WithTargets(map[string]config.Target{name: t})
	if all := append(faults, more...); document.HasErrors(all) {
		return fault.Inputf("%s", all[0].Message)
	}
	return nil
}

// wantedCases returns the selected live cases whose request differs between base and head. If the user named a target,
// it returns only the cases of that target. It returns an error if a case that the user named is not among them. It
// also does so if all selected cases are recorded or of other targets.
func wantedCases(p *sides.Sides, want Selection) (out []cause.Case, err error) {
	named, others := map[string]bool{}, "" // what the answers of cases that are left out are; "" if none is
	for _, s := range p.Selected[suite.Head] {
		for _, head := range s.Cases {
			both := p.Pairs.Find(s.ID, head.ID)
			isNamed := func(name string) bool { return name == head.ID || name == s.ID+"/"+head.ID }
			at := slices.IndexFunc(want.Cases, isNamed)
			isUnwanted := len(want.Cases) > 0 && at < 0
			if both.Base == nil || both.Base.Keys().RequestKey == head.Keys().RequestKey || isUnwanted {
				continue
			}
			switch target := s.TargetOf(head); {
			case want.Target != "" && target != want.Target:
				others = "of other targets than --target " + want.Target
				continue
			case !p.Head.IsLive(target):
				others = "recorded: finding the line needs a model: name a live target of the configuration with --target"
				continue
			case at >= 0:
				named[want.Cases[at]] = true
			}
			out = append(out, cause.Case{Pair: cause.OpenPair(both)})
		}
	}
	if len(out) == 0 && others != "" && len(want.Cases) == 0 {
		return nil, fault.Inputf("the answers of all cases with a changed request are %s", others)
	}
	return out, checkNamed(p, want.Cases, named, others)
}

// checkNamed returns an error for the first of cases that is not in found. others says what the answers of cases that
// were left out are.
func checkNamed(p *sides.Sides, cases []string, found map[string]bool, others string) error {
	for _, name := range cases {
		if !slices.ContainsFunc(p.Head.Suites, func(s *suite.Suite) bool { return hasCase(s, name) }) {
			return fault.Inputf("there is no case %s", document.Quote(name))
		}
		if !found[name] {
			why := map[bool]string{true: "; its answers are " + others}[others != ""]
			return fault.Inputf("no case %s has another request on the head than on the base%s", document.Quote(name), why)
		}
	}
	return nil
}

// hasCase reports whether a case of the suite has the name, as CASE or as SUITE/CASE.
func hasCase(s *suite.Suite, name string) bool {
	for _, c := range s.Cases {
		if name == c.ID || name == s.ID+"/"+c.ID {
			return true
		}
	}
	return false
}

// runOnce runs each case once on both sides. It returns in broken the cases that are right on the base and wrong on
// the head. In passing it returns some cases that are right on the head.
func runOnce(ctx context.Context, p *sides.Sides, plan evaluate.Plan,
	all []cause.Case) (broken, passing []cause.Case, err error) {
	plan = onlyCases(plan, all)
	p.Inputs.Progress.Restart("finding the broken cases", 2*len(all))
	right := map[suite.Side]map[suiteid.Name]bool{suite.Base: {}, suite.Head: {}}
	err = evaluate.Run(ctx, plan, func(a evaluate.Answer) error {
		p.Inputs.Progress.Advance()
		if r := a.Result; r.Trial == 1 && !r.Classification.Unscored() {
			right[a.Side][suiteid.Name{Suite: r.SuiteID, Case: r.CaseID}] = r.Scores.Accuracy == 1
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if end, ended := p.Live.Run.Ended(); ended || len(right[suite.Base])+len(right[suite.Head]) == 0 {
		return nil, nil, fault.Unreachable{Err: errors.New(cmp.Or(end.Why, "no answer came"))}
	}
	isRight := func(both suite.Pair) (base, head bool) { // false for both without an answer of the head
		head, known := right[suite.Head][suiteid.Name{Suite: both.HeadSuite.ID, Case: both.Head.ID}]
		return known && right[suite.Base][suiteid.Name{Suite: both.BaseSuite.ID, Case: both.Base.ID}], head
	}
	for _, s := range all {
		if base, head := isRight(s.Pair); base && !head {
			broken = append(broken, s)
		}
	}
	slices.SortStableFunc(broken, func(a, b cause.Case) int { return b.Weight() - a.Weight() })
	return broken, cause.SelectPassing(p, isRight), nil
}

// onlyCases returns the plan with some of its cases, one trial each.
func onlyCases(plan evaluate.Plan, all []cause.Case) evaluate.Plan {
	base := *plan.Base
	plan.Head.Suites, base.Suites = nil, nil
	for _, s := range all {
		plan.Head.Suites = asking.WithCase(plan.Head.Suites, s.HeadSuite, *s.Head)
		base.Suites = asking.WithCase(base.Suites, s.BaseSuite, *s.Base)
	}
	plan.Base = &base
	return plan
}
