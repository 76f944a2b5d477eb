package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// staleCase is a recorded case that is asked live, because its recording is stale or missing. Its two forms are those of the
// recordings; base is nil where the base has no such case.
type staleCase struct {
	suite.Pair
	target recorded.Target // of the head
}

// askRecorded has those recorded cases asked live, on both sides, whose recording is no answer to what is asked, where the rules in
// force say so and the run holds the key of the target. It returns them, and the sides with clients of whom that and verifying others takes.
func (p inScope) askRecorded() (stale map[[2]string]*staleCase, sides revisions, warnings []report.Warning, faults []document.Diagnostic) {
	r := p.rules.Recordings
	if p.measuring() || r.Stale != config.StaleAsk && r.Verify == 0 {
		return nil, p.revisions, nil, nil
	}
	stale = map[[2]string]*staleCase{}
	heads, bases := map[string]config.Target{}, map[string]config.Target{} // live targets that are asked, by name
	keyless, bounded := map[string]int{}, map[string]int{}                 // cases that are not asked live for lack of a key, by target, and for what they ask of it
	for _, s := range p.asked[suite.Head] {
		client := p.head.replay[s.Target]
		if client == nil {
			continue
		}
		for c := range s.Cases.All() {
			target, known := p.liveFor(s, c.ID)
			isStale := r.Stale == config.StaleAsk && p.Stored == nil && !client.Holds(c.Open().Prompt, max(c.Trials, 1))
			switch {
			case !isStale && r.Verify == 0:
			case known && !p.beyondBounds(s, c, target):
				if heads[target.Name] = target; isStale {
					stale[[2]string{s.ID, c.ID}] = p.askInPlace(s, c, target, bases)
				}
			case isStale && known:
				bounded[target.Name]++
			case isStale && target.Name != "":
				keyless[target.Name]++
			}
		}
	}
	sides.head, faults = p.head.alsoAsking(heads)
	sides.base, _ = p.base.alsoAsking(bases)
	return stale, sides, p.notAsked(keyless, bounded), faults
}

// askInPlace has a case asked live in place of its recording, and so the base's form of it, whose target it adds to bases.
func (p inScope) askInPlace(s *suite.Suite, c *suite.Case, target config.Target, bases map[string]config.Target) *staleCase {
	one := &staleCase{suite.Pair{HeadSuite: s, Head: askLive(c, target)}, recordedTarget(target)}
	both := p.joined.of(s.ID, c.ID)
	if was, in := both.Base, both.BaseSuite; was != nil && p.base.replay[in.Target] != nil {
		theirs := target
		if p.base.isLive(target.Name) {
			theirs = p.base.config.Targets[target.Name]
		}
		bases[target.Name] = theirs
		one.Base, one.BaseSuite = askLive(was, theirs), in
	}
	return one
}

// notAsked says of how many recorded cases nobody was asked in place of the recording, by target: those whose key the run does not hold, and those
// that ask for more than a fork may.
func (p inScope) notAsked(keyless, bounded map[string]int) (warnings []report.Warning) {
	warn := func(n int, why string) {
		warnings = append(warnings, report.Warning{Code: "stale_not_asked",
			Message: text.Count(n, "case") + " could not be asked live in place of the recordings, as recordings.stale says: " + why})
	}
	for _, name := range slices.Sorted(maps.Keys(keyless)) {
		warn(keyless[name], fmt.Sprintf("%s, which holds a key of target %s; on a pull request from a fork there are no secrets",
			missingKey(p.rules.Targets[name], p.Getenv), document.Quote(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(bounded)) {
		warn(bounded[name], fmt.Sprintf("the fork's prompt files name a model that the base does not, or more tokens, and target %s has the base's key", document.Quote(name)))
	}
	return warnings
}

// beyondBounds reports a recorded case of a fork's prompt file that would ask a live target for more than the base lets it.
func (p inScope) beyondBounds(s *suite.Suite, c *suite.Case, t config.Target) bool {
	if p.rules.PromptBounds == nil {
		return false
	}
	q := c.Open().Prompt
	wants := config.PromptAsk{Model: q.Model, MaxTokens: cmp.Or(q.Parameters.MaxTokens, t.MaxTokens)}
	return suite.Bound(p.rules.PromptBounds, s.ID, wants, t) != wants
}

// alsoAsking is the side with clients of live targets that none of its suites may name.
func (s *side) alsoAsking(targets map[string]config.Target) (*side, []document.Diagnostic) {
	if len(targets) == 0 {
		return s, nil
	}
	more := *s
	more.clients = maps.Clone(s.clients)
	var faults []document.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if !s.isLive(name) {
			more.config = more.config.WithTarget(targets[name])
		}
		if more.clients[name] == nil {
			client, found := s.live.open(more.config, name)
			more.clients[name], faults = client, append(faults, found...)
		}
	}
	return &more, faults
}

// liveFor is the live target that answers to a case are asked of: the one that the recordings say they are of, the one that they were
// recorded from, on either side, or the only one there is; a nameless one where there is none. It is false as well where the run does not hold its key.
func (p inScope) liveFor(s *suite.Suite, caseID string) (config.Target, bool) {
	names := append([]string{p.rules.Targets[s.Target].Records}, p.head.answersOf(s, caseID).TargetNames()...)
	if was := p.joined.of(s.ID, caseID); was.Base != nil {
		names = append(names, p.base.answersOf(was.BaseSuite, was.Base.ID).TargetNames()...)
	}
	if one, is := onlyLive(p.rules); is {
		names = append(names, one.Name)
	}
	for _, name := range names {
		if t := p.rules.Targets[name]; t.Live() {
			return t, missingKey(t, p.Getenv) == ""
		}
	}
	return config.Target{}, false
}

// askLive makes a recorded case one that is asked of a live target, with the model and the parameters that its file sets. It returns
// the case as it was.
func askLive(c *suite.Case, t config.Target) *suite.Case {
	was, body := c.Open(), *c.Open().Body
	c.Body = &body
	c.AskOf(t.Name)
	q, own := &c.Prompt, c.Prompt.Parameters
	q.Provider, q.Model = t.Provider, cmp.Or(q.Model, t.Model)
	q.Parameters.Temperature = cmp.Or(own.Temperature, t.Temperature)
	q.Parameters.TopP = cmp.Or(own.TopP, t.TopP)
	q.Parameters.MaxTokens = cmp.Or(own.MaxTokens, t.MaxTokens)
	q.Vars, q.Settings = t.Takes.Sent(c.Vars), t.Settings()
	if !t.Takes.Schema {
		q.AnswerSchema = ""
	}
	c.Body.Keys.RequestKey = q.Sum()
	return &was
}

// heard are the new recordings of the cases that are asked live, as they come.
type heard struct {
	plan  Plan
	hide  *redact.Redactor
	lines map[[2]string][]byte // of the head's first answers, by suite and case
	lost  map[[2]string]bool   // not all of them came
}

// hear keeps an answer of a case that is asked in place of its recording.
func (h heard) hear(a evaluate.Answer) {
	id := [2]string{a.Request.SuiteID, a.Case.ID}
	one := h.plan.stale[id]
	switch {
	case a.At != suite.Head || one == nil || a.Request.Fresh > 0:
	case a.Response.Failure != nil:
		h.lost[id] = true
	default:
		bound := recorded.Bound{Key: one.Head.Keys().RequestKey.String(), From: one.target}
		h.lines[id] = append(h.lines[id], recorded.Line(a.Request, bound, hidden(h.hide, a.Response))...)
	}
}

// hidden takes the secrets out of an answer that is written.
func hidden(hide *redact.Redactor, r model.Response) model.Response {
	text := func(t *model.Untrusted) { *t = model.Untrusted(hide.Text(string(*t))) }
	text(&r.Text)
	text(&r.Refusal)
	r.ToolCalls = slices.Clone(r.ToolCalls)
	for i := range r.ToolCalls {
		text(&r.ToolCalls[i].Name)
		text(&r.ToolCalls[i].Arguments)
	}
	if r.Failure != nil {
		f := *r.Failure
		text(&f.Message)
		r.Failure = &f
	}
	r.Verdicts = slices.Clone(r.Verdicts)
	for i := range r.Verdicts {
		text(&r.Verdicts[i].Why)
	}
	return r
}

// patch makes of the new recordings a patch, to be committed with the change; nil for none. A case that would flip against the
// base's recordings gets fresh answers too, as `failproof record --base` would write them. n counts the cases that it holds.
func (h heard) patch(ctx context.Context, plan evaluate.Plan, head *report.Side) (patch []byte, n int, err error) {
	fresh, err := h.settle(ctx, plan, head)
	if err != nil {
		return nil, 0, err
	}
	files := map[string][]recorded.Edit{}
	for _, id := range slices.SortedFunc(maps.Keys(h.lines), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		if !h.lost[id] {
			n++
			name := recorded.Path(h.plan.rules.Targets[h.plan.stale[id].HeadSuite.Target].Path, id[0])
			files[name] = append(files[name], recorded.Edit{SuiteID: id[0], CaseID: id[1], Lines: slices.Concat(h.lines[id], fresh[id])})
		}
	}
	tree := h.plan.Head
	if h.plan.Branch != nil { // it is committed to the branch that was merged
		if own, err := h.plan.Branch(); err == nil && own != nil { // else the patch may not fit, and git says so
			tree = own
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := fs.ReadFile(tree, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, fault.Inputf("read the recordings %s: %w", name, err)
		}
		patch = append(patch, recorded.Patch(name, old, files[name])...)
	}
	return patch, n, nil
}

// FreshRounds is how often a case that flipped is asked again on each side.
const FreshRounds = 8

// staleFlips is how many cases get fresh answers for their new recordings, at most.
const staleFlips = 20

// settle asks the cases again that pass by the base's recording and not by their first new answers, and returns those answers as
// lines, where all came. What the run has asked already to tell noise from a regression is taken from the journal, where there is one.
func (h heard) settle(ctx context.Context, plan evaluate.Plan, head *report.Side) (map[[2]string][]byte, error) {
	wants, err := h.flipped(ctx, plan.Judge, head)
	if err != nil || len(wants) == 0 {
		return nil, err
	}
	fresh := freshLines{h.hide, map[[2]string][]byte{}, map[[2]string]int{}}
	err = evaluate.FreshAnswers(ctx, plan, wants, func(a evaluate.Answer) error {
		one := h.plan.stale[[2]string{a.Request.SuiteID, a.Request.CaseID}]
		from := one.target
		if a.At == suite.Base {
			from = recordedTarget(h.plan.base.config.Targets[one.target.Name])
		}
		fresh.add(a.At, one.Pair, from, a.Request, a.Request.Fresh, a.Response)
		return nil
	})
	return fresh.complete(), err
}

// freshLines are the fresh answers of both sides to cases that flipped, as lines of the head's recordings, by suite and case.
type freshLines struct {
	hide  *redact.Redactor
	lines map[[2]string][]byte
	came  map[[2]string]int
}

// add adds the answer of a side's target to one round of a case; one that did not come is missed.
func (f freshLines) add(at suite.Side, both suite.Pair, from recorded.Target, q model.Request, round int, r model.Response) {
	if r.Failure != nil {
		return
	}
	id := [2]string{q.SuiteID, q.CaseID}
	bound := recorded.Bound{Key: both.Head.Keys().RequestKey.String(), BaseKey: both.Base.Keys().RequestKey.String(), Fresh: recorded.FreshHead, From: from}
	if at == suite.Base {
		bound.Fresh = recorded.FreshBase
	}
	q.Trial = round
	f.came[id]++
	f.lines[id] = append(f.lines[id], recorded.Line(q, bound, hidden(f.hide, r))...)
}

// complete are the lines of the cases of which all answers came.
func (f freshLines) complete() map[[2]string][]byte {
	maps.DeleteFunc(f.lines, func(id [2]string, _ []byte) bool { return f.came[id] < 2*FreshRounds })
	return f.lines
}

// flipped are the cases that pass by the base's recording and not by their first new answers, as they are asked again.
func (h heard) flipped(ctx context.Context, judge *evaluate.Judge, head *report.Side) (wants []report.Want, err error) {
	for _, s := range h.plan.asked[suite.Head] {
		for c := range s.Cases.All() {
			id := [2]string{s.ID, c.ID}
			one, result := h.plan.stale[id], find(head, suiteid.Name{Suite: s.ID, Case: c.ID})
			if one == nil || one.Base == nil || h.lost[id] || result == nil || 2*result.Tally().Passed > result.Tally().Trials || len(wants) == staleFlips {
				continue
			}
			passed, err := h.plan.passedByRecording(ctx, judge, one)
			if err != nil {
				return nil, err
			}
			if passed {
				next := max(one.Head.Trials, one.Base.Trials, 1) + 1
				wants = append(wants, report.Want{SuiteID: id[0], CaseID: id[1], First: next, Last: next + FreshRounds - 1})
			}
		}
	}
	return wants, nil
}

// passedByRecording reports whether most of the base's recorded answers to a case pass.
func (p Plan) passedByRecording(ctx context.Context, judge *evaluate.Judge, one *staleCase) (bool, error) {
	passed, trials := 0, max(one.Base.Trials, 1)
	for trial := 1; trial <= trials; trial++ {
		q := one.Base.Prompt
		q.Trial = trial
		r, err := p.base.replay[one.BaseSuite.Target].Answer(ctx, q)
		if err != nil {
			return false, err
		}
		judged, err := judge.Graded(ctx, one.BaseSuite, one.Base, r)
		if err != nil {
			return false, err
		}
		passed += judged.Classification.Accuracy()
	}
	return 2*passed > trials, nil
}
