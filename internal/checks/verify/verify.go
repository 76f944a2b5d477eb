// Package verify runs some recorded cases live, to see whether the model still gives the recorded answers.
package verify

import (
	"cmp"
	"context"
	"encoding/binary"
	"time"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// verifyRounds is the number of live answers that must all be wrong before a recorded case is reported.
const verifyRounds = 5

// Limits of waiting, which are short because the check does not affect the verdict.
const (
	verifyPatience = 10 * time.Second // for an unavailable target, unless its own patience is less
	verifyWithin   = time.Minute      // for all answers
)

// New returns the check that runs some recorded cases live, to see whether the model still gives the recorded answers.
func New(s *sides.Sides) (c checks.Check) {
	sample := s.Rules.Recordings.Verify
	if s.MeasuresNoise() || sample == 0 {
		return c
	}
	live := map[string]config.Target{} // targets of all recorded cases, because it is not known yet which cases pass
	for one, c := range suite.EachCase(s.Selected[suite.Head]) {
		if s.Head.Recordings[one.Target] == nil {
			continue
		}
		if t, known := asking.LiveTargetFor(s, one, c.ID); known && !asking.ExceedsBounds(s, one, c, t) {
			live[t.Name] = t
		}
	}
	s.Head, c.Faults = s.Head.WithTargets(live)
	c.Cost = func(more *forecast.ExtraCalls) {
		all, _, _ := verifiable(s, nil)
		more.MaxVerified, more.VerifyRounds = sample, verifyRounds
		for _, one := range all {
			more.VerifyQuestions = append(more.VerifyQuestions,
				evaluate.Question{Target: one.Head.Target, Request: one.Head.Prompt})
		}
	}
	var v verification
	c.After = func(ctx context.Context, run checks.Run, in *gate.Run) (err error) {
		v.results = run.Results
		in.Verified, err = v.verify(ctx, s, run, in.Ended())
		return err
	}
	c.Report = func(rep *report.Report) {
		rep.Calls = rep.Calls.Plus(v.calls)
		if rep.Judge != nil {
			rep.Judge.Calls = rep.Judge.Calls.Plus(v.judgeCalls)
		}
	}
	return c
}

// verify runs some passing recorded cases live, if the run has the key of their target. It reruns a case that fails its
// first live answer, up to verifyRounds answers in all. It adds the answers to the results.
func (v *verification) verify(ctx context.Context, p *sides.Sides, run checks.Run,
	ended []report.EarlyEnd) (gate.Verified, error) {
	all, left, keyless := verifiable(p, run.Head)
	all = hashedSample(all, p.Rules.Recordings.Verify)
	out := gate.Verified{Wanted: min(p.Rules.Recordings.Verify, len(all)+left.cases), Why: left.why}
	if len(ended) > 0 {
		out.Why = ended[0].Why
		return out, nil
	}
	if keyless != "" {
		run.Sinks.Say("recordings are not verified without the key of their target: %s", keyless)
	}
	if len(all) == 0 {
		return out, nil
	}
	targets, err := withoutRetries(p, all)
	if err != nil {
		return out, err
	}
	var chosen []*suite.Suite
	for _, one := range all {
		chosen = asking.WithCase(chosen, one.HeadSuite, *one.Head)
	}
	run.Sinks.Say("asking %s live, to see whether the model still says what is recorded",
		text.Count(sides.CountCases(chosen), "recorded case"))
	defer time.AfterFunc(verifyWithin, func() { p.Live.Run.GiveUp("it took longer than " + verifyWithin.String()) }).Stop()
	plan := run.Plan
	plan.Base, plan.Journal = nil, nil
	plan.Head = evaluate.Side{Suites: chosen, Target: func(name string) evaluate.Target { return targets[name] }}
	every := func(*report.Case) bool { return true }
	failed := func(c *report.Case) bool { asked, right := c.Verifications(); return asked > right }
	if err = evaluate.Rerun(ctx, plan, liveReruns(run.Head, chosen, 1, every), v.add); err == nil {
		err = evaluate.Rerun(ctx, plan, liveReruns(run.Head, chosen, verifyRounds-1, failed), v.add)
	}
	out.Why = cmp.Or(out.Why, v.why, v.handedOn)
	return out, err
}

// liveReruns requests a number of live answers to each of the cases that filter accepts.
func liveReruns(head *report.Side, cases []*suite.Suite, rounds int,
	filter func(*report.Case) bool) (wants []report.RerunRequest) {
	for s, c := range suite.EachCase(cases) {
		if counted := head.Find(suiteid.Name{Suite: s.ID, Case: c.ID}); filter(counted) {
			wants = append(wants, report.RerunRequest{Reason: report.RerunVerify, SuiteID: s.ID, CaseID: c.ID,
				Rounds: rounds, FirstNumber: counted.LastTrial() + 1})
		}
	}
	return wants
}

// verification adds live answers to recorded cases to the results.
type verification struct {
	results *output.Results
	why     string // why an answer is missing
	// why an answer was not requested because its target had failed for another case; used only if there is no other
	// reason, because answers arrive in any order
	handedOn string

	calls, judgeCalls report.Calls // of missing answers, which are not among the results
}

// add adds an answer to the results.
func (v *verification) add(a evaluate.Answer) error {
	r := a.Result
	if r.Classification.Unscored() { // a missing answer says nothing about the recording
		why := &v.why
		if end := r.Classification.End; end != nil && end.State == model.EndNotCalled {
			why = &v.handedOn
		}
		*why = cmp.Or(*why, r.WhyMissing())
		v.calls, v.judgeCalls = v.calls.Plus(report.CallsOf(r)), v.judgeCalls.Plus(r.Judge.Sum())
		return nil
	}
	return v.results.Add(r)
}

// withoutRetries returns the targets of cases. Their clients never retry a call, and give up sooner on an unavailable
// target.
func withoutRetries(p *sides.Sides, all []suite.Pair) (map[string]evaluate.Target, error) {
	out := map[string]evaluate.Target{}
	for _, one := range all {
		name := one.Head.Target
		if _, known := out[name]; known {
			continue
		}
		t := p.Rules.Targets[name]
		t.PatienceSeconds = min(t.PatienceSeconds, verifyPatience.Seconds())
		client, err := p.Live.UnscheduledClient(t)
		if err != nil {
			return nil, err
		}
		asked := p.Head.Target(name)
		asked.Client = p.Live.Run.Target(t).Client(client)
		out[name] = asked
	}
	return out, nil
}

// unverifiable is the number of cases that no live target may answer, and why the first one may not.
type unverifiable struct {
	cases int
	why   string
}

// verifiable returns the head's passing recorded cases that a live target can answer (all), those that none may answer
// (left), and the name of a missing key (keyless). Before there are answers, head is nil, and every case with a current
// recording counts.
func verifiable(p *sides.Sides, head *report.Side) (all []suite.Pair, left unverifiable, keyless string) {
	for s, asked := range suite.EachCase(p.Selected[suite.Head]) {
		client := p.Head.Recordings[s.Target]
		if client == nil || asked.Target != "" || !passesOrIsCurrent(head, client, s.ID, asked) {
			continue
		}
		switch target, known := asking.LiveTargetFor(p, s, asked.ID); {
		case known && !asking.ExceedsBounds(p, s, asked, target):
			c := *asked
			asking.SwitchToLive(&c, target)
			all = append(all, suite.Pair{HeadSuite: s, Head: &c})
		case target.Name != "" && !known:
			keyless = cmp.Or(keyless, asking.MissingKey(p, target))
		case known:
			left = unverifiable{left.cases + 1, cmp.Or(left.why,
				"the fork's prompt files name a model that the base does not, or more tokens")}
		default:
			left = unverifiable{left.cases + 1, cmp.Or(left.why,
				"the configuration has no live target, or several and the recordings name none of them")}
		}
	}
	return all, left, keyless
}

// passesOrIsCurrent reports whether a recorded case passes and its recording is not stale. Before there are answers,
// head is nil, and only the recording is checked.
func passesOrIsCurrent(head *report.Side, client *recorded.Client, suiteID string, c *suite.Case) bool {
	if head == nil {
		return client.IsCurrent(c.Open().Prompt, max(c.Trials, 1))
	}
	result := head.Find(suiteid.Name{Suite: suiteID, Case: c.ID})
	return result != nil && result.Outcome.Right() && !result.Stale
}

// hashedSample returns n evenly spaced cases. The offset is a hash of all requests, so equal changes verify the same
// cases.
func hashedSample(all []suite.Pair, n int) []suite.Pair {
	offset := uint64(0)
	for _, one := range all {
		offset = offset*31 + binary.BigEndian.Uint64([]byte(one.Head.Keys().RequestKey.String()))
	}
	return asking.EvenSample(all, n, offset)
}
