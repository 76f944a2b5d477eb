package record

import (
	"cmp"
	"context"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// flips has the cases that flipped between the recordings of both sides and that recorded reruns do not decide. It
// also has the test for new reruns.
type flips struct {
	cases []*flip
	proof stats.Region
	judge *evaluate.Evaluator
}

// flip is a case that flipped, with its reruns.
type flip struct {
	*compare.Case
	rounds int
	passed map[suite.Side]int
	lines  []byte
	lost   *model.Untrusted // why an answer is missing; nil: none is
}

// maxReruns returns the most reruns that may be needed. It assumes that every case with recorded answers on the base
// flips.
func (r *recording) maxReruns() (more forecast.ExtraCalls) {
	against := r.against
	if against == nil || document.HasErrors(against.Faults) { // rerunFlips reports the errors
		return more
	}
	for s, c := range suite.EachCase(r.sides.Selected[suite.Head]) {
		was := against.Pairs.Find(s.ID, c.ID)
		if was.Base != nil && against.Base.AnswersOf(was.BaseSuite, was.Base.ID).Len() > 0 {
			one := evaluate.Question{Target: s.TargetOf(c), Request: c.Open().Prompt}
			more.SettleQuestions = append(more.SettleQuestions, []evaluate.Question{one, one})
		}
	}
	more.MaxSettled, more.SettleRounds = len(more.SettleQuestions), compare.MaxRecordedRounds
	return more
}

// rerunFlips reruns, on both sides, the cases that flipped, and writes the new answers beside the first ones.
func (r *recording) rerunFlips(ctx context.Context) error {
	if err := document.AsError(r.against.Faults); err != nil {
		return err
	}
	now, err := sides.OpenHead(r.in.Inputs.Dir, "")
	if err != nil {
		return err
	}
	against, err := r.against.WithRecordings(now)
	if err = cmp.Or(err, document.AsError(against.Faults)); err != nil {
		return err
	}
	found, err := findFlips(ctx, against)
	found.cases = slices.DeleteFunc(found.cases, func(c *flip) bool {
		return !contains(r.suites, c.SuiteID()) || r.results[c.SuiteID()].Lost > 0
	})
	if err != nil || len(found.cases) == 0 {
		return err
	}
	cases, base := text.Count(len(found.cases), "case"), cmp.Or(r.in.BaseName, r.in.Against.Base.Revision.Name)
	if found.proof.Empty() {
		r.sinks.Say("%s flipped against %s: too many to confirm any, so none is rerun", cases, base)
		return nil
	}
	r.sinks.Say("%s flipped against %s: rerun on both sides, with at most %s", cases, base,
		text.Count(2*compare.MaxRecordedRounds*len(found.cases), "call"))
	wanted := map[string]bool{} // suites, by their ids on the head
	for _, c := range found.cases {
		wanted[c.SuiteID()] = true
		if from := against.Pairs.Find(c.SuiteID(), c.ID()).BaseSuite; from != nil {
			wanted[against.Pairs.HeadID(from.ID)] = true
		}
	}
	live, err := r.liveBase(against, wanted)
	if err != nil {
		return err
	}
	ofBase := sides.Sides{Inputs: r.sides.Inputs, Rules: live.Config}
	for _, secret := range ofBase.Secrets() { // an answer may hold the key that asked for it, also in the cache
		r.sides.Live.LearnedKeys.Add(secret)
	}
	head := slices.DeleteFunc(slices.Clone(r.suites), func(s *suite.Suite) bool { return !wanted[s.ID] })
	plan := evaluate.Plan{Matches: against.Pairs.Matches, Now: r.in.Inputs.Time, RunID: r.in.Inputs.RunID,
		EvaluationConcurrency: 1,
		Journal:               r.session.Journal(),
		Panel:                 asking.NewPanel(r.sides, r.session, config.StaleAsk),
		Head:                  evaluate.Side{Suites: head, Target: r.sides.Head.Target},
		Base:                  &evaluate.Side{Suites: live.Suites, Target: live.Target}}
	targets := map[suite.Side]*config.Config{suite.Head: r.sides.Head.Config, suite.Base: live.Config}
	if err := r.askFlips(ctx, plan, found, func(a evaluate.Answer) []byte {
		from := targets[a.Side].Targets[a.Suite.Target]
		both := against.Pairs.Find(a.HeadName.Suite, a.HeadName.Case)
		return asking.RerunLine(r.sides.Redactor(), a, both, sides.RecordedTarget(from))
	}); err != nil {
		return err
	}
	return r.write()
}

// findFlips judges the recordings of both sides by the gate's rules, and returns the cases that flipped. Live
// cases are left out.
func findFlips(ctx context.Context, p *sides.Sides) (out flips, err error) {
	p.Selected = map[suite.Side][]*suite.Suite{suite.Head: recordedOf(p.Head, p.Selected[suite.Head]), suite.Base: recordedOf(p.Base, p.Selected[suite.Base])}
	learned, _, err := meaning.Open(p, ctx)
	if err != nil || p.Base == nil {
		return out, err
	}
	builders, matches := map[suite.Side]*report.Builder{}, map[suite.Side]suiteid.Matches{suite.Base: p.Pairs.Matches}
	for _, side := range []suite.Side{suite.Head, suite.Base} {
		builders[side] = &report.Builder{}
		builders[side].Plan(asking.SuitePlans(p.Selected[side], nil), matches[side])
	}
	plan := asking.NewPlan(p, learned.Similarity, asking.Session{})
	add := func(a evaluate.Answer) error { return builders[a.Side].Add(a.Result, report.Ref{}) }
	if err := evaluate.Run(ctx, plan, add); err != nil {
		return out, err
	}
	head, base := builders[suite.Head].Side(), builders[suite.Base].Side()
	comparer := compare.Begin(p.Rules.Gate, compare.Sides{Head: head, Base: base, RecordedReruns: p.RecordedRounds,
		EarlierReruns: p.EarlierReruns})
	for wants, err := range comparer.Reruns() { // of recordings alone
		if err == nil {
			err = evaluate.Rerun(ctx, plan, wants, add)
		}
		if err != nil {
			return out, err
		}
	}
	found := comparer.Settle()
	for c := range found.All() {
		if c.SampledFlip || c.Status == report.Regressed && !c.Noisy() && !c.ByRecordedReruns && !c.Quarantined {
			out.cases = append(out.cases, &flip{Case: c, passed: map[suite.Side]int{}})
		}
	}
	out.proof, out.judge = stats.NewRegion(compare.MaxRecordedRounds, found.FlipLevel), plan.Evaluator
	return out, nil
}

// liveBase returns the base's wanted suites with live targets in place of recorded ones. Such a target is the one
// that the recorded target names, or else the head's live target. If the base has a live target of the same name,
// liveBase uses the base's.
func (r *recording) liveBase(against *sides.Sides, wanted map[string]bool) (*sides.Side, error) {
	own := against.Base.Config
	live := config.ResolveAlone(own, config.CallNew)
	for name, t := range own.Targets {
		mine := r.sides.Head.Config.Targets[name]
		recorded, says := own.Targets[t.RecordedFrom]
		switch theirs := own.Targets[mine.Name]; {
		case t.Provider != model.Recorded:
		case says:
			live.Targets[name] = recorded
		case theirs.Live():
			live.Targets[name] = theirs
		case mine.Live():
			live.Targets[name] = mine
		}
	}
	suites, faults := suite.Load(against.Inputs.Base, live, against.Inputs.SuiteGlobs(own.Suites))
	suites = slices.DeleteFunc(suites, func(one *suite.Suite) bool {
		return against.Base.Find(one.ID) == nil || !wanted[against.Pairs.HeadID(one.ID)]
	})
	for _, one := range suites {
		if live.Targets[one.Target].Provider == model.Recorded {
			return nil, fault.Inputf("the base answers by the recordings of target %s, and no live target stands for it: name the one to ask with --target", one.Target)
		}
	}
	base, more := sides.OpenSide(against.Inputs.Base, live, suites, r.sides.Live, nil)
	return base, document.AsError(append(faults, more...))
}

// askFlips reruns the cases on both sides, round by round, until the answers decide each case. The head's answers come
// from the target that was just recorded, the base's by the base's own configuration. It keeps the lines of the decided
// cases.
func (r *recording) askFlips(ctx context.Context, plan evaluate.Plan, found flips, line func(evaluate.Answer) []byte) error {
	r.in.Inputs.Progress.Begin(2*compare.MaxRecordedRounds*len(found.cases), r.sides.Live.Run.Usage)
	defer r.in.Inputs.Progress.Finish()
	byName := map[suiteid.Name]*flip{}
	for _, c := range found.cases {
		byName[c.name()] = c
	}
	for round := 1; round <= compare.MaxRecordedRounds; round++ {
		var wants []report.RerunRequest
		for _, c := range found.cases {
			if c.lost == nil && !found.isDecided(c) {
				c.rounds = round
				next := max(c.Base.Outcome.Trials, c.Head.Outcome.Trials) + round
				wants = append(wants,
					report.RerunRequest{SuiteID: c.SuiteID(), CaseID: c.ID(), Rounds: 1, FirstNumber: next})
			}
		}
		if len(wants) == 0 {
			break
		}
		err := evaluate.Rerun(ctx, plan, wants, func(a evaluate.Answer) error {
			r.in.Inputs.Progress.Advance()
			c := byName[a.HeadName]
			if a.Response.Failure != nil {
				c.lost = new(model.Untrusted(r.sides.Redactor().Text(string(a.Response.Failure.Message))))
				return nil
			}
			judged, err := found.judge.GradeAndEvaluate(ctx, a.HeadName.Suite, a.Suite, a.Case, a.Response)
			c.passed[a.Side] += judged.Classification.Accuracy()
			a.Request.Trial = round
			c.lines = append(c.lines, line(a)...)
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, c := range found.cases {
		if c.lost != nil || !found.isDecided(c) {
			why := cmp.Or(c.lost, new(model.Untrusted))
			r.out.Unresolved = append(r.out.Unresolved, UnresolvedFlip{c.SuiteID(), c.ID(), *why})
			continue
		}
		r.results[c.SuiteID()].Settled++
		lines := r.lines[c.name()]
		lines.reruns = c.lines
		r.lines[c.name()] = lines
	}
	return nil
}

func (f *flip) name() suiteid.Name { return suiteid.Name{Suite: f.SuiteID(), Case: f.ID()} }

// isDecided reports whether no further round could change what the answers to a case prove.
func (f flips) isDecided(c *flip) bool {
	_, certain := f.proof.Certain(c.rounds, c.passed[suite.Base], c.passed[suite.Head])
	return certain
}

// recordedOf returns the suites that a side answers from recordings.
func recordedOf(s *sides.Side, suites []*suite.Suite) (out []*suite.Suite) {
	for _, one := range suites {
		if s.Recordings[one.Target] != nil {
			out = append(out, one)
		}
	}
	return out
}
