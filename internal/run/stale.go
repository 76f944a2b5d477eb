package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// asked is a recorded case that is asked live, because its recording is stale or missing. Its two forms are those of the
// recordings; base is nil where the base has no such case.
type asked struct {
	suite.Pair
	target recorded.Target // of the head
}

// askRecorded has those recorded cases asked live, on both sides, whose recording is no answer to what is asked, where the rules in
// force say so and the run holds the key of the target. It returns them, and the sides with clients of whom that and verifying others takes.
func (p Plan) askRecorded() (stale map[[2]string]*asked, sides revisions, warnings []report.Warning, faults []document.Diagnostic) {
	r := p.rules.Recordings
	if p.measuring() || r.Stale != config.StaleAsk && r.Verify == 0 {
		return nil, p.revisions, nil, nil
	}
	stale = map[[2]string]*asked{}
	heads, bases := map[string]config.Target{}, map[string]config.Target{} // live targets that are asked, by name
	keyless, bounded := map[string]int{}, map[string]int{}                 // cases that are not asked live for lack of a key, by target, and for what they ask of it
	for _, s := range p.asked[suite.Head] {
		client := p.head.replay[s.Target]
		if client == nil {
			continue
		}
		for c := range s.Cases.All() {
			target, known := p.liveFor(s.ID, c.ID)
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
func (p Plan) askInPlace(s *suite.Suite, c *suite.Case, target config.Target, bases map[string]config.Target) *asked {
	one := &asked{suite.Pair{HeadSuite: s, Head: askLive(c, target)}, recordedTarget(target)}
	s.Cases.Set(c)
	both := p.joined.of(s.ID, c.ID)
	if was, in := both.Base, both.BaseSuite; was != nil && p.base.replay[in.Target] != nil {
		theirs := target
		if p.base.isLive(target.Name) {
			theirs = p.base.config.Targets[target.Name]
		}
		bases[target.Name] = theirs
		one.Base, one.BaseSuite = askLive(was, theirs), in
		in.Cases.Set(was)
	}
	return one
}

// notAsked says of how many recorded cases nobody was asked in place of the recording, by target: those whose key the run does not hold, and those
// that ask for more than a fork may.
func (p Plan) notAsked(keyless, bounded map[string]int) (warnings []report.Warning) {
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
func (p Plan) beyondBounds(s *suite.Suite, c *suite.Case, t config.Target) bool {
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
func (p Plan) liveFor(suiteID, caseID string) (config.Target, bool) {
	var names []string
	if s := p.head.find(suiteID); s != nil {
		names = append(names, p.rules.Targets[s.Target].Records)
	}
	names = append(names, p.head.answersOf(suiteID, caseID).TargetNames()...)
	if was := p.joined.of(suiteID, caseID); was.Base != nil {
		names = append(names, p.base.answersOf(was.BaseSuite.ID, was.Base.ID).TargetNames()...)
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
