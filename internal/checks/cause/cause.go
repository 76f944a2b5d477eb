// Package cause finds the changed lines that broke the cases whose regression is confirmed.
package cause

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/bisect"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// explainWithin limits the time for a result that does not affect the verdict.
const explainWithin = 5 * time.Minute

// MostExplained limits the number of explained cases.
const MostExplained = 5

// Case is a case in the search: one that the change broke, or a passing one on which a remedy is tried.
type Case struct {
	suite.Pair             // the cases have their Body
	known      bisect.Case // Proven if the expectation is unchanged, too
}

// searchResult is the result of a search, with its calls.
type searchResult struct {
	Explanation       *report.Explanation // nil: no search
	Calls, judgeCalls report.Calls
	warnings          []report.Warning
}

// New returns the check that finds the changed lines that broke cases.
func New(s *sides.Sides) checks.Check {
	var result searchResult
	return checks.Check{
		Cost: func(more *forecast.ExtraCalls) {
			if !s.MeasuresNoise() && s.Inputs.Stored == nil {
				more.ExplainAnswers = maxExplainAnswers(s)
			}
		},
		Last: func(ctx context.Context, run checks.Run, in gate.Run) {
			if len(in.Ended()) == 0 {
				result = explainRegressions(ctx, s, run.Plan, in.Comparison, run.Sinks)
			}
		},
		Report: func(rep *report.Report) {
			rep.Explanation, rep.Calls = result.Explanation, rep.Calls.Plus(result.Calls)
			rep.Warnings = append(rep.Warnings, result.warnings...)
			if rep.Judge != nil {
				rep.Judge.Calls = rep.Judge.Calls.Plus(result.judgeCalls)
			}
		},
	}
}

// explainRegressions finds the lines that broke the confirmed regressions. It affects no verdict, so a panic only
// causes a warning.
func explainRegressions(ctx context.Context, p *sides.Sides, plan evaluate.Plan, found compare.Comparison,
	to asking.Sinks) (out searchResult) {
	if p.Rules.Explain.MaxCalls == 0 || plan.Base == nil || p.MeasuresNoise() {
		return out
	}
	err := fault.CallRecovering("asking which line did it", func() error {
		all, beyond := confirmedRegressions(p, found)
		lines := newVariants(p, all)
		if lines.active() == 0 { // something else broke the cases, such as another model
			return nil
		}
		to.Say("asking which of the changed lines broke %s: at most %s (explain.max_calls)",
			text.Count(len(all), "case"), text.Count(p.Rules.Explain.MaxAnswers(len(all)), "answer"))
		defer time.AfterFunc(explainWithin,
			func() { p.Live.Run.GiveUp("it took longer than " + explainWithin.String()) }).Stop()
		out = search(ctx, plan, lines, passing(p, found))
		out.Explanation.NotSearched = beyond
		return nil
	})
	if bug, ok := errors.AsType[*fault.Bug](err); ok {
		to.Bugs.Add(bug)
		out = searchResult{warnings: []report.Warning{{Code: "unexplained",
			Message: "which line did it is not told: failproof broke on it; nothing that was decided hangs on that"}}}
	}
	return out
}

// confirmedRegressions returns at most MostExplained of the regressed cases that reruns confirm, worst first. beyond is
// the number of such cases that it leaves out.
func confirmedRegressions(p *sides.Sides, found compare.Comparison) (out []Case, beyond int) {
	if found.NoiseTest == nil || found.NoiseTest.Numbers.Confirm == nil {
		return nil, 0
	}
	for _, s := range found.NoiseTest.Numbers.Confirm.Candidates {
		both := p.Pairs.Find(s.SuiteID, s.CaseID)
		if s.State != report.CandidateConfirmed || s.Stored || s.Unanswered || both.Base == nil || both.Head == nil {
			continue
		}
		out = append(out, Case{OpenPair(both), bisect.Case{Proven: !suite.Redefined(both.Base, both.Head),
			BaseAnswers: stats.Count{Passed: s.BasePasses, Trials: s.Rounds},
			HeadAnswers: stats.Count{Passed: s.HeadPasses, Trials: s.Rounds}}})
	}
	slices.SortStableFunc(out, func(a, b Case) int {
		drop := func(c bisect.Case) int { return c.BaseAnswers.Passed - c.HeadAnswers.Passed }
		return cmp.Or(b.Weight()-a.Weight(), drop(b.known)-drop(a.known))
	})
	beyond = max(len(out)-MostExplained, 0)
	return out[:len(out)-beyond], beyond
}

// OpenPair returns a pair with copies of both cases. The copies have their Body (see suite.Case.Open).
func OpenPair(p suite.Pair) suite.Pair {
	base, head := p.Base.Open(), p.Head.Open()
	p.Base, p.Head = &base, &head
	return p
}

// Weight returns the case's weight by severity and must_pass.
func (c Case) Weight() int { return risk.SortRank(c.Head.Severity, c.Head.MustPass) }

// passing returns the cases on which a Remedy is checked, because the head passes them.
func passing(p *sides.Sides, found compare.Comparison) []Case {
	changes := map[suiteid.Name]report.Change{}
	for _, c := range found.Changes {
		changes[suiteid.Name{Suite: c.SuiteID, Case: c.CaseID}] = c
	}
	return SelectPassing(p, func(both suite.Pair) (base, head bool) {
		c := changes[suiteid.Name{Suite: both.HeadSuite.ID, Case: both.Head.ID}]
		return c.Base.Right(), c.Head.Right()
	})
}

// ExplainCases finds the changed lines that broke cases, and the effect of reverting them on these and on other
// cases. It also returns the calls that this took.
func ExplainCases(ctx context.Context, p *sides.Sides, plan evaluate.Plan,
	all, others []Case) (*report.Explanation, report.Calls) {
	found := search(ctx, plan, newVariants(p, all), others)
	return found.Explanation, found.Calls
}

func search(ctx context.Context, plan evaluate.Plan, lines *variants, others []Case) searchResult {
	p, all := lines.p, lines.all
	maxCalls := p.Rules.Explain.MaxAnswers(len(all))
	out := &report.Explanation{Hunks: []report.Hunk{}, Cases: []report.ExplainedCase{}, MaxAnswers: maxCalls}
	e := &searcher{sides: p, ctx: ctx, plan: plan, all: all, rounds: map[string]int{}, variants: lines}
	p.Inputs.Progress.Restart("asking which of the changed lines did it", maxCalls)
	found, err := bisect.Find(e.problem())
	for _, hunk := range e.variants.change.Hunks {
		for i := range hunk.Regions {
			r := &hunk.Regions[i]
			r.Words = model.Untrusted(p.Redactor().Text(string(r.Words)))
		}
		out.Hunks = append(out.Hunks, hunk)
	}
	for i, f := range found {
		f.SuiteID, f.CaseID = all[i].HeadSuite.ID, all[i].Head.ID
		out.Answers, out.Cases = out.Answers+f.Answers, append(out.Cases, f)
	}
	if err != nil {
		out.Ended = document.Line(err.Error())
	} else {
		e.answersLeft = maxCalls - out.Answers
		out.Remedy = e.remedy(found, others)
		out.Answers = maxCalls - e.answersLeft
	}
	return searchResult{Explanation: out, Calls: e.calls, judgeCalls: e.judgeCalls}
}

// searcher is a search in progress.
type searcher struct {
	sides       *sides.Sides
	ctx         context.Context
	plan        evaluate.Plan
	all         []Case
	variants    *variants
	rounds      map[string]int // reruns so far of each case and request
	answersLeft int            // answers of the budget that remain after the search

	calls, judgeCalls report.Calls
}

func (e *searcher) problem() bisect.Problem {
	problem := bisect.Problem{Hunks: len(e.variants.change.Hunks), Alpha: e.sides.Rules.Gate.Alpha,
		MaxAnswers: e.sides.Rules.Explain.MaxAnswers(len(e.all)), Key: e.variants.key, Ask: e.ask}
	for _, s := range e.all {
		c := s.known
		base, head := e.sides.Base.Target(s.BaseSuite.TargetOf(s.Base)), e.sides.Head.Target(s.HeadSuite.TargetOf(s.Head))
		if base.Address == head.Address {
			c.Base = s.Base.Keys().RequestKey.String()
		}
		problem.Cases = append(problem.Cases, c)
	}
	return problem
}

// ask runs a case with each set of hunks, several times in alternating order, and counts the right answers.
func (e *searcher) ask(index int, sets []bisect.Set, times int) ([]stats.Count, error) {
	var asked []evaluate.Variation
	var set, order []int // set has the index in sets of each element of asked
	for i := range sets {
		order = append(order, i)
	}
	for range times {
		for _, i := range order {
			key := fmt.Sprint(index, e.variants.key(index, sets[i]))
			e.rounds[key]++
			asked = append(asked, evaluate.Variation{Suite: e.all[index].HeadSuite,
				Case: e.variants.caseWith(index, sets[i]), Round: e.rounds[key]})
			set = append(set, i)
		}
		slices.Reverse(order)
	}
	counts, why := make([]stats.Count, len(sets)), ""
	next := 0
	// The cache name has the keys of both requests, so that another comparison does not get these answers, which may be
	// of another model.
	name := fmt.Sprintf("explain %s %s", e.all[index].Base.Keys().RequestKey, e.all[index].Head.Keys().RequestKey)
	err := evaluate.RunVariations(e.ctx, e.plan, name, asked, func(a evaluate.Answer) error {
		e.sides.Inputs.Progress.Advance()
		at, r := set[next], a.Result
		next++
		e.calls, e.judgeCalls = e.calls.Plus(report.CallsOf(r)), e.judgeCalls.Plus(r.Judge.Sum())
		if r.Classification.Unscored() {
			why = cmp.Or(why, r.WhyMissing())
			return nil
		}
		counts[at].Trials++
		counts[at].Passed += r.Scores.Accuracy
		return nil
	})
	if err != nil {
		return nil, err
	}
	if end, ended := e.sides.Live.Run.Ended(); ended {
		return nil, errors.New(end.Why)
	}
	if slices.ContainsFunc(counts, func(c stats.Count) bool { return c.Trials == 0 }) {
		return nil, errors.New(why)
	}
	return counts, nil
}
