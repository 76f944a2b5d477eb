package record

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// flips are what became of the cases that passed by the base's recordings and not by those that were written.
type flips struct {
	settled   map[string]int // cases with fresh answers, by suite
	unsettled []UnresolvedFlip
}

// settleFlips has the cases that flipped asked again on both sides, and writes those answers beside the first.
func (r recording) settleFlips(ctx context.Context, open asking.Session, got recordedLines, to asking.Sinks) (flips, []document.Diagnostic, error) {
	in, err := r.in.Against()
	if err != nil {
		return flips{}, nil, err
	}
	against, err := sides.Read(in)
	if err != nil || document.HasErrors(against.Faults) {
		return flips{}, against.Faults, err
	}
	cases, err := regressedByRecordings(ctx, against)
	cases = slices.DeleteFunc(cases, func(c report.Change) bool {
		_, fresh := against.Fresh(c.SuiteID, c.CaseID)
		return got.lost[c.SuiteID] > 0 || fresh.Len() >= asking.FreshRounds
	})
	if err != nil || len(cases) == 0 {
		return flips{}, nil, err
	}
	to.Say("%s flipped against %s: asked again, %s on both sides, with %s", text.Count(len(cases), "case"), r.in.Named,
		text.Count(asking.FreshRounds, "time"), text.Count(2*asking.FreshRounds*len(cases), "call"))
	wanted := map[string]bool{} // suites, by the ids that the head has for them
	for _, c := range cases {
		wanted[c.SuiteID] = true
		if from := against.Joined.Of(c.SuiteID, c.CaseID).BaseSuite; from != nil {
			wanted[from.HeadID()] = true
		}
	}
	base, faults, err := r.baseAsking(against, wanted)
	if err != nil || document.HasErrors(faults) {
		return flips{}, faults, err
	}
	head := slices.DeleteFunc(slices.Clone(r.whole), func(s *suite.Suite) bool { return !wanted[s.ID] })
	out, fresh, err := r.askFlips(ctx, open, against, head, base, cases)
	if err != nil {
		return out, nil, err
	}
	got.fresh = fresh
	return out, nil, r.write(got)
}

// regressedByRecordings judges the recordings of both sides by the rules that the gate will judge them by, and
// returns the cases that regressed. What is asked live needs no settling.
func regressedByRecordings(ctx context.Context, p *sides.Sides) ([]report.Change, error) {
	defer asking.Session{Live: p.Live}.End()
	p.Asked = map[suite.Side][]*suite.Suite{suite.Head: recordedOf(p.Head, p.Asked[suite.Head]), suite.Base: recordedOf(p.Base, p.Asked[suite.Base])}
	meaning, _, err := meaning.Learn(p, ctx)
	if err != nil || p.Base == nil {
		return nil, err
	}
	builders := map[suite.Side]*report.Builder{suite.Head: {}, suite.Base: {}}
	if err := evaluate.Run(ctx, asking.Questions(p, meaning.Model, asking.Session{}), func(at suite.Side, one report.Result) error { return builders[at].Add(one, report.Ref{}) }); err != nil {
		return nil, err
	}
	head, base := builders[suite.Head].Side(), builders[suite.Base].Side()
	found, err := compare.Settle(p.Rules.Gate, compare.Sides{Head: head, Base: base, Redrawn: p.Redrawn}, compare.Asker{})
	unsettled := map[[2]string]bool{}
	for c := range found.All() {
		unsettled[[2]string{c.SuiteID(), c.ID()}] = c.Unsettled()
	}
	return slices.DeleteFunc(found.Changes, func(c report.Change) bool {
		flipped := c.Change == report.Regressed || unsettled[[2]string{c.SuiteID, c.CaseID}]
		return !flipped || c.Noisy || c.Quarantined
	}), err
}

// baseAsking is the base as far as its suites are wanted, with its recorded targets replaced by live ones: that
// of the same name as the head's, or the head's where the base has none.
func (r recording) baseAsking(against *sides.Sides, wanted map[string]bool) (*sides.Side, []document.Diagnostic, error) {
	own := against.Base.Config
	asking := config.Own(own, config.AskNew)
	for name, t := range own.Targets {
		mine := r.sides.Head.Config.Targets[name]
		of, says := own.Targets[t.Records]
		switch theirs := own.Targets[mine.Name]; {
		case t.Provider != model.Recorded:
		case says:
			asking.Targets[name] = of
		case theirs.Live():
			asking.Targets[name] = theirs
		case mine.Live():
			asking.Targets[name] = mine
		}
	}
	suites, faults := suite.Load(against.Inputs.Base, asking, against.Inputs.SuiteGlobs(own.Suites))
	suites = slices.DeleteFunc(suites, func(one *suite.Suite) bool {
		was := against.Base.Find(one.ID)
		return was == nil || !wanted[was.HeadID()]
	})
	for _, one := range suites {
		was := against.Base.Find(one.ID)
		one.As, one.Names = was.As, was.Names
		if asking.Targets[one.Target].Provider == model.Recorded {
			return nil, nil, fault.Inputf("the base answers by the recordings of target %s, and no live target stands for it: name the one to ask with --target", one.Target)
		}
	}
	base, more := sides.OpenSide(against.Inputs.Base, asking, suites, r.sides.Live)
	return base, append(faults, more...), nil
}

// askFlips asks both sides live, round by round: the head as it was just recorded, the base by its own
// configuration. It returns the answers of the cases of which all came.
func (r recording) askFlips(ctx context.Context, open asking.Session, against *sides.Sides, head []*suite.Suite, base *sides.Side, cases []report.Change) (flips, map[[2]string][]byte, error) {
	hide := r.sides.Redactor()
	plan := evaluate.Plan{Now: r.in.Inputs.Time, RunID: r.in.Inputs.RunID, Judges: 1, Journal: open.Keeper(), Grader: asking.NewPanel(r.sides, open, config.StaleAsk),
		Head: evaluate.Side{Suites: head, Target: r.sides.Head.Target},
		Base: &evaluate.Side{Suites: base.Suites, Target: base.Target}}
	r.in.Inputs.Progress.Begin(2*asking.FreshRounds*len(cases), r.sides.Live.Run.Spent)
	defer r.in.Inputs.Progress.Finish()
	fresh, why := asking.NewFreshLines(hide), map[string]model.Untrusted{}
	for round := 1; round <= asking.FreshRounds; round++ {
		var wants []report.Want
		for _, c := range cases {
			next := max(c.Base.Trials, c.Head.Trials) + round
			wants = append(wants, report.Want{SuiteID: c.SuiteID, CaseID: c.CaseID, First: next, Last: next})
		}
		err := evaluate.FreshAnswers(context.WithoutCancel(ctx), plan, wants, func(a evaluate.Answer) error {
			r.in.Inputs.Progress.Tell()
			q := a.Request
			if a.Response.Failure != nil {
				why[q.SuiteID] = model.Untrusted(hide.Text(string(a.Response.Failure.Message)))
			}
			both := against.Joined.Of(q.SuiteID, q.CaseID)
			from := r.sides.Head.Config.Targets[both.HeadSuite.Target]
			if a.At == suite.Base {
				from = base.Config.Targets[both.BaseSuite.Target]
			}
			fresh.Add(a.At, both, sides.RecordedTarget(from), q, round, a.Response)
			return nil
		})
		if err != nil {
			return flips{}, nil, err
		}
	}
	out, lines := flips{settled: map[string]int{}}, fresh.Complete()
	for _, c := range cases {
		if lines[[2]string{c.SuiteID, c.CaseID}] == nil {
			out.unsettled = append(out.unsettled, UnresolvedFlip{c.SuiteID, c.CaseID, why[c.SuiteID]})
		} else {
			out.settled[c.SuiteID]++
		}
	}
	return out, lines, nil
}

// recordedOf are those of its suites that are answered from recordings.
func recordedOf(s *sides.Side, suites []*suite.Suite) (out []*suite.Suite) {
	for _, one := range suites {
		if s.Replay[one.Target] != nil {
			out = append(out, one)
		}
	}
	return out
}
