package asking

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// OnlyLiveTarget returns the only live target of c that answers cases. It returns false if c has none or several. A
// target that only the judge uses does not count.
func OnlyLiveTarget(c *config.Config) (config.Target, bool) {
	return OnlyTarget(c, func(t config.Target) bool { return t.Live() && !c.IsOnlyJudge(t.Name) })
}

// OnlyTarget returns the only target of c for which match returns true. It returns false if there is none or more than
// one.
func OnlyTarget(c *config.Config, match func(config.Target) bool) (config.Target, bool) {
	found := slices.Collect(maps.Values(c.Targets))
	found = slices.DeleteFunc(found, func(t config.Target) bool { return !match(t) })
	if len(found) != 1 {
		return config.Target{}, false
	}
	return found[0], true
}

// ExceedsBounds reports whether the recorded case c would break a bound of the base if c were sent to the live target
// t. A bound limits the model or the tokens that the prompt files of a fork's pull request may ask for.
func ExceedsBounds(p *sides.Sides, s *suite.Suite, c *suite.Case, t config.Target) bool {
	if p.Rules.PromptBounds == nil {
		return false
	}
	q := c.Open().Prompt
	wants := config.PromptRequest{Model: q.Model, MaxTokens: cmp.Or(q.Parameters.MaxTokens, t.MaxTokens)}
	return p.Rules.PromptBounds.Limit(s.ID, wants, t) != wants
}

// LiveTargetFor returns the live target that can answer a recorded case. It first tries the target that the
// configuration names for these recordings. Then it tries the targets that gave the recorded answers of either side,
// and then the only live target. If there is none, the returned target has no name. LiveTargetFor returns false if
// there is no target, or if the run lacks the target's key.
func LiveTargetFor(p *sides.Sides, s *suite.Suite, caseID string) (config.Target, bool) {
	names := append([]string{p.Rules.Targets[s.Target].RecordedFrom}, p.Head.AnswersOf(s, caseID).TargetNames()...)
	if pair := p.Pairs.Find(s.ID, caseID); pair.Base != nil {
		names = append(names, p.Base.AnswersOf(pair.BaseSuite, pair.Base.ID).TargetNames()...)
	}
	if only, ok := OnlyLiveTarget(p.Rules); ok {
		names = append(names, only.Name)
	}
	for _, name := range names {
		if t := p.Rules.Targets[name]; t.Live() {
			return t, MissingKey(p, t) == ""
		}
	}
	return config.Target{}, false
}

// MissingKey returns the name of a key that target t needs and the run lacks, or "" if no key is missing.
func MissingKey(p *sides.Sides, t config.Target) string { return live.MissingKey(t, p.Inputs.Getenv) }

// SwitchToLive changes the recorded case c so that the live target t answers it, and returns a copy of c from before
// the change. A model or parameter that the prompt file sets takes precedence over that of t.
func SwitchToLive(c *suite.Case, t config.Target) *suite.Case {
	original, body := c.Open(), *c.Open().Body
	c.Body = &body
	c.Target = t.Name
	q, own := &c.Prompt, c.Prompt.Parameters
	q.Provider, q.Model = t.Provider, cmp.Or(q.Model, t.Model)
	q.Parameters.Temperature = cmp.Or(own.Temperature, t.Temperature)
	q.Parameters.TopP = cmp.Or(own.TopP, t.TopP)
	q.Parameters.MaxTokens = cmp.Or(own.MaxTokens, t.MaxTokens)
	q.Vars, q.Settings = t.Inputs.SentVars(c.Vars), t.Settings()
	if !t.Inputs.Schema {
		q.AnswerSchema = ""
	}
	c.Body.Keys.RequestKey = q.Sum()
	return &original
}

// Redacted returns a copy of r in which redactor has redacted the secrets, so that the copy can be written to a file.
func Redacted(redactor *redact.Redactor, r model.Response) model.Response {
	text := func(t *model.Untrusted) { *t = model.Untrusted(redactor.Text(string(*t))) }
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

// RerunLine returns the answer of a rerun as a line for the head's recordings. The trial of its request is the round of
// reruns, and target gave the answer.
func RerunLine(redactor *redact.Redactor, a evaluate.Answer, pair suite.Pair, target recorded.Target) []byte {
	bound := recorded.LineFields{Key: pair.Head.Keys().RequestKey.String(),
		BaseKey:   pair.Base.Keys().RequestKey.String(),
		RerunSide: recorded.RerunOnHead, Target: target}
	if a.Side == suite.Base {
		bound.RerunSide = recorded.RerunOnBase
	}
	a.Request.SuiteID, a.Request.CaseID = a.HeadName.Suite, a.HeadName.Case
	return recorded.Line(a.Request, bound, Redacted(redactor, a.Response))
}

// NameOf returns the name of the case that a request is of.
func NameOf(q model.Request) suiteid.Name { return suiteid.Name{Suite: q.SuiteID, Case: q.CaseID} }
