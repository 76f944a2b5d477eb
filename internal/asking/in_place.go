package asking

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

func TargetOf(s *suite.Suite, c *suite.Case) string { return cmp.Or(c.Target, s.Target) }

// OnlyLiveTarget returns the only live target that answers cases; false if there is none or more than one. Targets that
// only judge do not count.
func OnlyLiveTarget(own *config.Config) (config.Target, bool) {
	return OnlyTarget(own, func(t config.Target) bool { return t.Live() && !own.JudgesAlone(t.Name) })
}

// OnlyTarget returns the only target that matches, and false if there is none or more than one.
func OnlyTarget(own *config.Config, is func(config.Target) bool) (config.Target, bool) {
	var found []config.Target
	for _, name := range slices.Sorted(maps.Keys(own.Targets)) {
		if t := own.Targets[name]; is(t) {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return config.Target{}, false
	}
	return found[0], true
}

// BeyondBounds reports a recorded case of a fork's prompt file that would ask a live target for more than the
// base lets it.
func BeyondBounds(p *sides.Sides, s *suite.Suite, c *suite.Case, t config.Target) bool {
	if p.Rules.PromptBounds == nil {
		return false
	}
	q := c.Open().Prompt
	wants := config.PromptAsk{Model: q.Model, MaxTokens: cmp.Or(q.Parameters.MaxTokens, t.MaxTokens)}
	return suite.Bound(p.Rules.PromptBounds, s.ID, wants, t) != wants
}

// LiveFor returns the live target for a case: the one that its recordings belong to, else the one they were recorded
// from on either side, else the only live target. If there is none, its name is empty. It returns false if the run
// does not have the target's key.
func LiveFor(p *sides.Sides, s *suite.Suite, caseID string) (config.Target, bool) {
	names := append([]string{p.Rules.Targets[s.Target].Records}, p.Head.AnswersOf(s, caseID).TargetNames()...)
	if was := p.Joined.Of(s.ID, caseID); was.Base != nil {
		names = append(names, p.Base.AnswersOf(was.BaseSuite, was.Base.ID).TargetNames()...)
	}
	if one, is := OnlyLiveTarget(p.Rules); is {
		names = append(names, one.Name)
	}
	for _, name := range names {
		if t := p.Rules.Targets[name]; t.Live() {
			return t, MissingKey(p, t) == ""
		}
	}
	return config.Target{}, false
}

// MissingKey says which key of a target the run does not hold; "" if it holds all.
func MissingKey(p *sides.Sides, t config.Target) string { return live.MissingKey(t, p.Inputs.Getenv) }

// InPlace has a recorded case asked of a live target, with the model and parameters that its file sets. It returns the
// case as it was.
func InPlace(c *suite.Case, t config.Target) *suite.Case {
	was, body := c.Open(), *c.Open().Body
	c.Body = &body
	c.Target = t.Name
	q, own := &c.Prompt, c.Prompt.Parameters
	q.Provider, q.Model = t.Provider, cmp.Or(q.Model, t.Model)
	q.Parameters.Temperature = cmp.Or(own.Temperature, t.Temperature)
	q.Parameters.TopP = cmp.Or(own.TopP, t.TopP)
	q.Parameters.MaxTokens = cmp.Or(own.MaxTokens, t.MaxTokens)
	q.Vars, q.Settings = t.Takes.SentVars(c.Vars), t.Settings()
	if !t.Takes.Schema {
		q.AnswerSchema = ""
	}
	c.Body.Keys.RequestKey = q.Sum()
	return &was
}

// Redacted takes the secrets out of an answer that is written.
func Redacted(hide *redact.Redactor, r model.Response) model.Response {
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

// FreshLines are the fresh answers of both sides to cases that flipped, as lines of the head's recordings, by
// suite and case.
type FreshLines struct {
	hide  *redact.Redactor
	lines map[[2]string][]byte
	came  map[[2]string]int
}

// NewFreshLines returns lines that hold no secrets.
func NewFreshLines(hide *redact.Redactor) FreshLines {
	return FreshLines{hide, map[[2]string][]byte{}, map[[2]string]int{}}
}

// Add adds the answer of one side to one round of a case; an answer that did not come counts as missed.
func (f FreshLines) Add(at suite.Side, both suite.Pair, from recorded.Target, q model.Request,
	round int, r model.Response) {
	if r.Failure != nil {
		return
	}
	id := [2]string{q.SuiteID, q.CaseID}
	bound := recorded.Bound{Key: both.Head.Keys().RequestKey.String(), BaseKey: both.Base.Keys().RequestKey.String(),
		Fresh: recorded.FreshHead, From: from}
	if at == suite.Base {
		bound.Fresh = recorded.FreshBase
	}
	q.Trial = round
	f.came[id]++
	f.lines[id] = append(f.lines[id], recorded.Line(q, bound, Redacted(f.hide, r))...)
}

// Of are the lines of a case.
func (f FreshLines) Of(id [2]string) []byte { return f.lines[id] }

// Complete are the lines of the cases of which all answers came.
func (f FreshLines) Complete() map[[2]string][]byte {
	maps.DeleteFunc(f.lines, func(id [2]string, _ []byte) bool { return f.came[id] < 2*compare.FreshRounds })
	return f.lines
}
