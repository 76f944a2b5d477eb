package run

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// flips are what became of the cases that passed by the base's recordings and not by those that were written.
type flips struct {
	settled   map[string]int // cases with fresh answers, by suite
	unsettled []Unsettled
}

// settleFlips has the cases that flipped asked again on both sides, and writes those answers beside the first.
func (r recording) settleFlips(ctx context.Context, open asking, got recordedLines, to Sinks) (flips, []document.Diagnostic, error) {
	in, err := r.in.Against()
	if err != nil {
		return flips{}, nil, err
	}
	against, err := Read(in)
	if err != nil || document.HasErrors(against.Faults) {
		return flips{}, against.Faults, err
	}
	cases, err := against.flipped(ctx)
	cases = slices.DeleteFunc(cases, func(c report.Change) bool {
		_, fresh := against.fresh(c.SuiteID, c.CaseID)
		return got.lost[c.SuiteID] > 0 || fresh.Len() >= FreshRounds
	})
	if err != nil || len(cases) == 0 {
		return flips{}, nil, err
	}
	to.Say("%s flipped against %s: asked again, %s on both sides, with %s", text.Count(len(cases), "case"), r.in.Named,
		text.Count(FreshRounds, "time"), text.Count(2*FreshRounds*len(cases), "call"))
	base, faults, err := r.baseAsking(against)
	if err != nil || document.HasErrors(faults) {
		return flips{}, faults, err
	}
	out, fresh, err := r.askFlips(ctx, open, against, base, cases)
	if err != nil {
		return out, nil, err
	}
	got.fresh = fresh
	return out, nil, r.write(got)
}

// flipped judges the recordings of both sides by the rules that the gate will judge them by, and returns the cases that regressed. What
// is asked live needs no settling.
func (p Plan) flipped(ctx context.Context) ([]report.Change, error) {
	defer asking{live: p.live}.end()
	p.asked = map[suite.Side][]*suite.Suite{suite.Head: p.head.recordedOf(p.asked[suite.Head]), suite.Base: p.base.recordedOf(p.asked[suite.Base])}
	meaning, _, err := p.Learn(ctx)
	if err != nil || p.base == nil {
		return nil, err
	}
	builders := map[suite.Side]*report.Builder{suite.Head: {}, suite.Base: {}}
	plan := p.questions(meaning, asking{}, p.newHeard(), Sinks{Bugs: &evaluate.Bugs{}})
	if err := evaluate.Run(ctx, plan, func(at suite.Side, one report.Result) error { return builders[at].Add(one, report.Ref{}) }); err != nil {
		return nil, err
	}
	sides := Sides{Head: builders[suite.Head].Side(), Base: builders[suite.Base].Side()}
	found, err := compare.Settle(p.rules.Gate, p.input(sides), sides.Base, compare.Asker{})
	return slices.DeleteFunc(found.Changes.List(), func(c report.Change) bool { return c.Change != report.Regressed || c.Noisy || c.Quarantined }), err
}

// recordedOf are those of its suites that are answered from recordings.
func (s *side) recordedOf(suites []*suite.Suite) (out []*suite.Suite) {
	for _, one := range suites {
		if s.replay[one.Target] != nil {
			out = append(out, one)
		}
	}
	return out
}

// baseAsking is the base with its recorded targets replaced by live ones: that of the same name as the head's, or the head's where
// the base has none.
func (r recording) baseAsking(against Plan) (*side, []document.Diagnostic, error) {
	own := against.base.config
	asking := config.Own(own, config.AskNew)
	for name, t := range own.Targets {
		mine, known := r.rules.Targets[name]
		of, says := own.Targets[t.Records]
		switch theirs := own.Targets[mine.Name]; {
		case t.Provider != model.Recorded:
		case says:
			asking.Targets[name] = of
		case theirs.Live():
			asking.Targets[name] = theirs
		case known && mine.Live():
			asking.Targets[name] = mine
		default:
			return nil, nil, fault.Inputf("the base answers by the recordings of target %s, and no live target stands for it: name the one to ask with --target", name)
		}
	}
	suites, faults := suite.Load(against.Base, asking, against.globs(own.Suites))
	suites = slices.DeleteFunc(suites, func(one *suite.Suite) bool { return against.base.find(one.ID) == nil })
	for _, one := range suites {
		was := against.base.find(one.ID)
		one.As, one.Names = was.As, was.Names
	}
	base, more := open(against.Base, asking, suites, r.live)
	return base, append(faults, more...), nil
}

// askFlips asks both sides live, round by round: the head as it was just recorded, the base by its own configuration. It returns the
// answers of the cases of which all came.
func (r recording) askFlips(ctx context.Context, open asking, against Plan, base *side, cases []report.Change) (flips, map[[2]string][]byte, error) {
	hide, pairs, wanted := r.redactor(), against.joined, map[string]bool{} // suites, by the ids that the head has for them
	for _, c := range cases {
		wanted[c.SuiteID] = true
		if from := pairs.of(c.SuiteID, c.CaseID).BaseSuite; from != nil {
			wanted[from.HeadID()] = true
		}
	}
	keep := func(suites []*suite.Suite) []*suite.Suite {
		return slices.DeleteFunc(slices.Clone(suites), func(s *suite.Suite) bool { return !wanted[s.HeadID()] })
	}
	plan := evaluate.Plan{Now: r.now, RunID: r.RunID, Judges: 1, Journal: open.keeper(), Grader: r.panel(open, config.StaleAsk),
		Head: evaluate.Side{Suites: keep(r.whole), Target: r.head.target},
		Base: &evaluate.Side{Suites: keep(base.suites), Target: base.target}}
	r.Progress.Begin(2*FreshRounds*len(cases), r.live.run.Spent)
	defer r.Progress.Finish()
	lines, came, why := map[[2]string][]byte{}, map[[2]string]int{}, map[string]model.Untrusted{}
	for round := 1; round <= FreshRounds; round++ {
		var wants []report.Want
		for _, c := range cases {
			next := max(c.Base.Trials, c.Head.Trials) + round
			wants = append(wants, report.Want{SuiteID: c.SuiteID, CaseID: c.CaseID, First: next, Last: next})
		}
		err := evaluate.FreshAnswers(context.WithoutCancel(ctx), plan, wants, func(at suite.Side, q model.Request, answer model.Response) error {
			r.Progress.Tell()
			id := [2]string{q.SuiteID, q.CaseID}
			if answer.Failure != nil {
				why[q.SuiteID] = model.Untrusted(hide.Text(string(answer.Failure.Message)))
				return nil
			}
			came[id]++
			both := pairs.of(q.SuiteID, q.CaseID)
			bound := recorded.Bound{Key: both.Head.Keys().RequestKey.String(), BaseKey: both.Base.Keys().RequestKey.String(), Fresh: recorded.FreshHead,
				From: recordedTarget(r.rules.Targets[both.HeadSuite.Target])}
			if at == suite.Base {
				bound.Fresh, bound.From = recorded.FreshBase, recordedTarget(base.config.Targets[both.BaseSuite.Target])
			}
			q.Trial = round
			lines[id] = append(lines[id], recorded.Line(q, bound, hidden(hide, answer))...)
			return nil
		})
		if err != nil {
			return flips{}, nil, err
		}
	}
	out := flips{settled: map[string]int{}}
	for _, c := range cases {
		id := [2]string{c.SuiteID, c.CaseID}
		if came[id] < 2*FreshRounds {
			out.unsettled = append(out.unsettled, Unsettled{c.SuiteID, c.CaseID, why[c.SuiteID]})
			delete(lines, id)
			continue
		}
		out.settled[c.SuiteID]++
	}
	return out, lines, nil
}
