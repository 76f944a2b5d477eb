// Package classify assigns a category to the response to a case, given the missed criteria. The first matching rule of
// docs/reference/answers.md wins. Its functions have no side effects, and its rules know only English.
package classify

import (
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

// Category is the class of an answer.
type Category string

const (
	Pass            Category = "pass"
	Fail            Category = "fail"
	Error           Category = "error"
	Timeout         Category = "timeout"
	Crash           Category = "crash"
	Refusal         Category = "refusal"
	WrongFormat     Category = "wrong_format"
	PolicyViolation Category = "policy_violation"
)

// Categories lists every category in the order reports show them.
var Categories = [...]Category{Pass, Fail, Refusal, WrongFormat, PolicyViolation, Error, Timeout, Crash}

// Classification is the result of classifying one answer.
type Classification struct {
	Primary Category `json:"primary"`
	Details Details  `json:"details"`

	End *model.End `json:"end,omitempty"` // how the run ended the request early; nil if it did not end it
}

// Details has the rule that matched, and its evidence. The texts may come from a model.
type Details struct {
	// the text of an error, a timeout, a crash, or a refusal that came as an error; cut to 2000 runes
	ErrorDetails model.Untrusted `json:"error_details,omitempty"`
	LimitSeconds float64         `json:"limit_seconds,omitempty"` // of a timeout
	// of a crash: empty_response, or empty_truncated if reasoning used up max_tokens; of an error: rejected_request,
	// stale_recording, internal_error, …; of any other answer: truncated if it was cut at its length limit
	Reason string `json:"reason,omitempty"`
	// of an error: the judge gave no verdict for this reason; the target answered
	OfJudge bool         `json:"of_judge,omitempty"`
	Rule    string       `json:"rule,omitempty"` // of a refusal: the rule that matched
	Kind    refusal.Kind `json:"kind,omitempty"` // of a refusal: how it refuses
	// whether an answer that is no refusal disputes the question or begins with a disclaimer
	Stance       refusal.Stance  `json:"stance,omitempty"`
	Evidence     model.Untrusted `json:"evidence,omitempty"`      // the words that matched, cut to 300 runes
	ErrorMessage model.Untrusted `json:"error_message,omitempty"` // of a wrong format
	PolicyName   string          `json:"policy_name,omitempty"`   // of a policy violation
	// the missed criteria if Fail is the category or is in AlsoMatched; empty for a refusal
	Unmet    []expect.Unmet `json:"unmet,omitempty"`
	Expected Category       `json:"expected,omitempty"` // the expected_classification that was met or missed
	// the answer passed because it has no criterion, format or policy, or it needs review
	Unverified bool `json:"unverified,omitempty"`
	// the meaning could not be compared, so a person has to read the answer
	NeedsReview bool `json:"needs_review,omitempty"`
	// the forbidden claims that a passing answer states
	StatedClaims []string   `json:"stated_claims,omitempty"`
	ParseRepairs []string   `json:"parse_repairs,omitempty"` // the JSON heuristics used, in order
	AlsoMatched  []Category `json:"also_matched,omitempty"`  // categories of the rules that matched after the first
	// the answer is in a language that the refusal rules do not read
	UnsupportedLanguage bool `json:"-"`
	// the tested prompt or model caused the error or crash: the trial scores 0, and the case can regress
	CausedByPromptOrModel bool `json:"candidate_own,omitempty"`
}

// Unjudged reports whether an answer passed although it had no criterion or its meaning could not be compared. It
// returns false for a nil d.
func (d *Details) Unjudged() bool { return d != nil && (d.Unverified || d.NeedsReview) }

// DisplayName returns the category, or "empty answer" if reasoning text used up all tokens.
func (c Classification) DisplayName() string {
	if c.Details.Reason == ReasonEmptyTruncated {
		return "empty answer"
	}
	return string(c.Primary)
}

// Loss is the reason why there is no answer to judge.
type Loss uint8

const (
	NoLoss     Loss = iota
	LossOutage      // a timeout, a crashed process or a provider's error: a retry may succeed
	// the response is no answer: it is a tool call, has an unknown finish reason, or is too large
	LossUnreadable
	LossNotAsked // the model was not called, or the call was ended
)

// Loss returns why the trial is unscored, or NoLoss.
func (c Classification) Loss() Loss {
	reason := c.Details.Reason
	switch {
	case !c.Unscored():
		return NoLoss
	case (&model.Failure{Reason: reason}).NotCompleted():
		return LossNotAsked
	case reason == model.ReasonUnreadable, reason == model.ReasonOversize:
		return LossUnreadable
	}
	return LossOutage
}

// Accuracy returns the score of one answer: 1 for pass, else 0.
func (c Classification) Accuracy() int {
	if c.Primary == Pass {
		return 1
	}
	return 0
}

// Unscored reports whether there is no answer to judge and the tested prompt or model did not cause that. Examples are
// a timeout, an outage and a stale recording. Such a trial scores 0.
func (c Classification) Unscored() bool {
	switch c.Primary {
	case Timeout, Crash, Error:
		return !c.Details.CausedByPromptOrModel
	}
	return false
}
