package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// Lines is what somebody wants to know which lines broke.
type Lines struct {
	Cases  []string // ids, or suite/id; none: those that are right on the base and wrong on the head
	Target string   // the live target that recorded cases are asked of; "" for none
}

// TellLines asks which of the changed lines broke some cases, for somebody at a terminal: nothing is judged. The report holds that, or
// what is wrong with the files, and no verdict.
func TellLines(ctx context.Context, in Inputs, want Lines, to Sinks) (rep *report.Report, err error) {
	err = evaluate.Guarded("telling which line did it", func() error {
		p, err := Read(in)
		if err != nil {
			return err
		}
		rep = p.blank(in.now())
		meaning, faults, err := p.Learn(ctx)
		if rep.Diagnostics = faults; err != nil || document.HasErrors(faults) {
			rep.Verdict = report.Invalid
			return err
		}
		return p.tellLines(ctx, meaning, want, rep, to)
	})
	return rep, err
}

func (p Plan) tellLines(ctx context.Context, m Meaning, want Lines, rep *report.Report, to Sinks) error {
	if p.base == nil || p.measuring() {
		return fault.Inputf("there are no two revisions to compare: name another one with --base")
	}
	if p.rules.Explain.MaxCalls == 0 {
		p.rules.Explain = config.Default().Explain // off is for runs that nobody looks on at
	}
	p, err := p.askedOf(want.Target)
	if err == nil {
		err = p.vouch() // for that target too
	}
	if err != nil {
		return err
	}
	all, err := p.wantedCases(want)
	if err != nil || len(all) == 0 {
		rep.Explanation = &report.Explanation{Hunks: []report.Hunk{}, Cases: []report.ExplainedCase{}, Most: p.rules.Explain.MaxCalls}
		return err
	}
	open, warnings := p.openAsking()
	defer func() {
		for _, w := range slices.Concat(m.warnings, warnings, open.end()) {
			to.Say("%s", w.Message)
		}
	}()
	plan := p.questions(m, open)
	plan.Broke = to.Bugs.Note
	switch line, ask := p.mostLines(plan, all, want); {
	case !ask || to.GoOn == nil:
		to.Say("%s", line)
	case !to.GoOn(line):
		return fault.Inputf("nothing was asked, as you wished; --yes asks without a question")
	}
	defer p.live.heed(ctx)()
	ctx = context.WithoutCancel(ctx)
	p.Progress.Begin(p.rules.Explain.MaxCalls, p.live.run.Spent)
	defer p.Progress.Finish()
	beyond := 0
	if len(want.Cases) == 0 {
		if all, err = p.brokenNow(ctx, plan, all); err != nil {
			return err
		}
		beyond = max(len(all)-mostExplained, 0)
	}
	found := p.explain(ctx, plan, all[:len(all)-beyond])
	rep.Explanation, rep.Calls = found.explanation, found.calls
	rep.Explanation.Beyond = beyond
	return nil
}

// mostLines says how much is asked at most, and whether somebody should agree to it.
func (p Plan) mostLines(plan evaluate.Plan, all []suspect, want Lines) (line string, ask bool) {
	calls, of := p.rules.Explain.MaxCalls, text.Count(len(all), "case")
	if len(want.Cases) == 0 {
		calls, of = calls+2*len(all), "what "+of+" show to be broken"
	}
	line = fmt.Sprintf("asking at most %s, to tell which line broke %s", text.Count(calls, "answer"), of)
	usd := forecast.MostOf(plan, calls, p.rules)
	if usd == nil {
		return line, false
	}
	return line + ", for at most $" + text.Dollars(*usd), *usd > forecast.AskAbove
}

// askedOf has the recorded cases of both sides asked of a live target: the one that is named, else the only one.
func (p Plan) askedOf(name string) (Plan, error) {
	if name == "" && len(p.head.replay) > 0 {
		one, _ := onlyLive(p.rules)
		name = one.Name
	}
	if name == "" {
		return p, nil
	}
	t := p.rules.Targets[name]
	if !t.Live() {
		return p, fault.Inputf("--target is %q; expected a live target of the configuration in force", name)
	}
	for at, side := range map[suite.Side]*side{suite.Head: p.head, suite.Base: p.base} {
		for _, s := range p.asked[at] {
			for c := range s.Cases.All() {
				if side.replay[targetOf(s, c)] != nil {
					askLive(c, t)
				}
			}
		}
	}
	var faults, more []document.Diagnostic
	p.head, faults = p.head.alsoAsking(map[string]config.Target{name: t})
	p.base, more = p.base.alsoAsking(map[string]config.Target{name: t})
	if all := append(faults, more...); document.HasErrors(all) {
		return p, fault.Inputf("%s", all[0].Message)
	}
	return p, nil
}

// wantedCases are the cases that are asked otherwise than on the base, of those that are wanted. One that is wanted by name and not among
// them is an error.
func (p Plan) wantedCases(want Lines) (out []suspect, err error) {
	named, recorded := map[string]bool{}, false
	for _, s := range p.asked[suite.Head] {
		for head := range s.Cases.All() {
			both := p.joined.of(s.ID, head.ID)
			at := slices.IndexFunc(want.Cases, func(name string) bool { return name == head.ID || name == s.ID+"/"+head.ID })
			if both.Base == nil || both.Base.Keys().RequestKey == head.Keys().RequestKey || len(want.Cases) > 0 && at < 0 {
				continue
			}
			if !p.head.isLive(targetOf(s, head)) {
				recorded = true
				continue
			}
			if at >= 0 {
				named[want.Cases[at]] = true
			}
			out = append(out, suspect{Pair: opened(both)})
		}
	}
	live := ""
	if recorded {
		live = "; its answers are recorded: " + p.whomToAsk()
	}
	for _, name := range want.Cases {
		if !named[name] {
			return nil, fault.Inputf("no case %s is asked otherwise on the head than on the base%s", document.Quote(name), live)
		}
	}
	if len(out) == 0 && recorded {
		return nil, fault.Inputf("the answers of all cases that are asked otherwise are recorded: %s", p.whomToAsk())
	}
	return out, nil
}

// whomToAsk says how recorded cases are asked all the same.
func (p Plan) whomToAsk() string {
	if len(recordedTargets(p.rules)) == 0 {
		return "which line it was is told by asking a model, and the configuration has no live target; add one and name it with --target"
	}
	return "name the live target to ask with --target"
}

// brokenNow are the cases that are right on the base and wrong on the head, by one answer each.
func (p Plan) brokenNow(ctx context.Context, plan evaluate.Plan, all []suspect) (out []suspect, err error) {
	plan = p.only(plan, all)
	p.Progress.Again("asking which cases are broken", 2*len(all))
	type answered struct {
		at            suite.Side
		suite, caseID string
	}
	right := map[answered]bool{}
	err = evaluate.Run(ctx, plan, func(at suite.Side, r report.Result) error {
		p.Progress.Tell()
		if r.Trial == 1 && !r.Classification.Unscored() {
			right[answered{at, r.SuiteID, r.CaseID}] = r.Scores.Accuracy == 1
		}
		return nil
	})
	if end, ended := p.live.run.Ended(); err == nil && ended {
		return nil, fault.Unreachable{Err: errors.New(end.Why)}
	}
	if err == nil && len(right) == 0 {
		return nil, fault.Unreachable{Err: errors.New("no answer came")}
	}
	for _, s := range all {
		head, known := right[answered{suite.Head, s.HeadSuite.ID, s.Head.ID}]
		if right[answered{suite.Base, s.BaseSuite.ID, s.Base.ID}] && known && !head {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b suspect) int { return b.weight() - a.weight() })
	return out, err
}

// only is a plan of some of its cases, one answer each.
func (p Plan) only(plan evaluate.Plan, all []suspect) evaluate.Plan {
	base := *plan.Base
	plan.Head.Suites, base.Suites = nil, nil
	for _, s := range all {
		plan.Head.Suites = withCase(plan.Head.Suites, s.HeadSuite, *s.Head)
		base.Suites = withCase(base.Suites, s.BaseSuite, *s.Base)
	}
	plan.Base = &base
	return plan
}

// withCase adds a case, with one answer, to the copy of its suite that holds no others.
func withCase(suites []*suite.Suite, of *suite.Suite, c suite.Case) []*suite.Suite {
	at := slices.IndexFunc(suites, func(s *suite.Suite) bool { return s.ID == of.ID })
	if at < 0 {
		copied := *of
		copied.Cases = suite.Cases{}
		suites, at = append(suites, &copied), len(suites)
	}
	c.Trials = 1
	suites[at].Cases.Add(c)
	return suites
}
