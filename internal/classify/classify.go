// Package classify turns a case, its response and the missed criteria into a classification. It follows the ordered
// rules of document 003, and docs/reference/answers.md where the document is silent: the first match wins. It is a
// pure function and knows only English.
package classify

import (
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

// Category is the primary classification of an answer.
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

// Classification is what became of one answer.
type Classification struct {
	Primary Category `json:"primary"`
	Details Details  `json:"details"`

	End *model.End `json:"end,omitempty"` // the run ended the question; nil if it did not
}

// Details name the rule that matched and its evidence. Their text may come from a model.
type Details struct {
	// error, timeout, crash, and a refusal that came as an error; cut to 2000 runes
	ErrorDetails model.Untrusted `json:"error_details,omitempty"`
	LimitSeconds float64         `json:"limit_seconds,omitempty"` // timeout
	Reason       string          `json:"reason,omitempty"`        // crash: empty_response, or empty_truncated where max_tokens was spent before a word came; error: rejected_request, stale_recording, internal_error, …; else truncated: the answer was cut at its length limit
	Rule         string          `json:"rule,omitempty"`          // refusal: the rule that matched
	Kind         refusal.Kind    `json:"kind,omitempty"`          // refusal: how it refuses
	// an answer that disputes the question, or disclaims before it answers: no refusal
	Stance       refusal.Stance  `json:"stance,omitempty"`
	Evidence     model.Untrusted `json:"evidence,omitempty"`      // the words that matched, cut to 300 runes
	ErrorMessage model.Untrusted `json:"error_message,omitempty"` // wrong_format
	PolicyName   string          `json:"policy_name,omitempty"`   // policy_violation
	Unmet        []expect.Unmet  `json:"unmet,omitempty"`         // fail, and also where an earlier rule matched
	Expected     Category        `json:"expected,omitempty"`      // the expected_classification that was met or missed
	Unverified   bool            `json:"unverified,omitempty"`    // pass without any criterion, format or policy
	// its meaning could not be compared; nothing that was judged fails it
	NeedsReview bool `json:"needs_review,omitempty"`
	// the forbidden claims that an answer states which passes all the same
	StatedClaims []string   `json:"stated_claims,omitempty"`
	ParseRepairs []string   `json:"parse_repairs,omitempty"` // the JSON heuristics used, in order
	AlsoMatched  []Category `json:"also_matched,omitempty"`  // rules that matched after the first
	// the answer is in a language that no rule of refusals reads
	RefusalUnread bool `json:"-"`
	CandidateOwn  bool `json:"candidate_own,omitempty"` // error/crash that the candidate caused: scored 0, can regress
}

// Unjudged reports whether an answer passed without a criterion to judge its words, or without a way to compare
// meanings. A nil d is judged.
func (d *Details) Unjudged() bool { return d != nil && (d.Unverified || d.NeedsReview) }

// Word names the classification in a few words: its category, unless an answer is empty since all tokens went to
// thoughts, which is no crash.
func (c Classification) Word() string {
	if c.Details.Reason == ReasonEmptyTruncated {
		return "empty answer"
	}
	return string(c.Primary)
}

// Loss says why there is no answer to judge.
type Loss int

const (
	NoLoss     Loss = iota
	LossOutage      // a timeout, a process that died, an error of the provider: the next try may bring an answer
	// something came that is no answer: a call of a tool, an ending that is not known, more than is read
	LossUnreadable
	LossNotAsked // nobody was asked, or not to the end
)

// Loss tells the trials that Unscored reports apart.
func (c Classification) Loss() Loss {
	reason := c.Details.Reason
	switch {
	case !c.Unscored():
		return NoLoss
	case (&model.Failure{Reason: reason}).NotAsked():
		return LossNotAsked
	case reason == model.ReasonUnreadable, reason == model.ReasonOversize:
		return LossUnreadable
	}
	return LossOutage
}

// Accuracy is document 000's score of one answer: 1 for pass, else 0.
func (c Classification) Accuracy() int {
	if c.Primary == Pass {
		return 1
	}
	return 0
}

// Unscored reports whether there is no answer to judge and the candidate did not cause that: a timeout, a crash, or an
// error such as an outage or a stale recording. Such a trial counts 0.
func (c Classification) Unscored() bool {
	switch c.Primary {
	case Timeout, Crash, Error:
		return !c.Details.CandidateOwn
	}
	return false
}
