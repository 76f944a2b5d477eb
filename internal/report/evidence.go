package report

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// Limits of the texts that are shown.
const (
	FailingRunes  = 1200     // of an answer that does not pass
	evidenceBytes = 64 << 20 // of such answers and of all details together
	detailRunes   = 600
	unmetKept     = 20
	claimRunes    = 80 // of a claim shown within a sentence
)

// evidence ranks the trials of a case; the highest one is shown.
type evidence uint8

const (
	noEvidence evidence = iota // no trial yet
	rightAnswer
	noAnswer
	wrongAnswer
)

func evidenceOf(k classify.Classification) evidence {
	switch {
	case k.Primary == classify.Pass:
		return rightAnswer
	case k.Unscored():
		return noAnswer
	}
	return wrongAnswer
}

// ShownResult reads the result of the shown trial of a case back from the log. It is zero if the side has no log.
func (s *Side) ShownResult(o *Outcome) (Result, error) {
	if s.log == nil {
		return Result{}, nil
	}
	return s.log.Read(o.Ref)
}

// At returns a copy of an outcome in a stored report, with the place of the result that the outcome counted shows. If
// one of the two is nil, it returns o.
func (o *Outcome) At(counted *Outcome) *Outcome {
	if o == nil || counted == nil {
		return o
	}
	located := *o
	located.Ref = counted.Ref
	return &located
}

// Excerpt returns the beginning of the answer for people. It is a copy, so that the whole answer can be freed.
func (r Result) Excerpt(runes int) string {
	return strings.Clone(prefix(string(r.ShownAnswer()), runes))
}

// Response returns the parts of the answer that a result keeps, for judging the answer again.
func (r Result) Response() model.Response {
	return model.Response{Text: r.RawResponse, ToolCalls: r.ToolCalls, Cached: true}
}

// WhyMissing returns, in words, why the result has no answer.
func (r Result) WhyMissing() string {
	c := r.Classification
	if c.End != nil && c.End.Why != "" {
		return document.Line(c.End.Why)
	}
	return document.Line(cmp.Or(string(c.Details.ErrorDetails), c.DisplayName()))
}

// ShownAnswer returns the answer for people: its text and its tool calls.
func (r Result) ShownAnswer() model.Untrusted { return model.FormatAnswer(r.RawResponse, r.ToolCalls) }

// setShown makes a result the shown trial of its case. Its quoted words are kept within the byte limit. Its answer is
// read back when it is needed.
func (b *Builder) setShown(c *Case, r Result, at Ref) {
	details := cutDetails(r.Classification.Details)
	size := textBytes(details)
	if r.Classification.Primary != classify.Pass {
		size += len(r.Excerpt(FailingRunes))
	}
	if c.LeftOut = b.shownBytes+size > evidenceBytes; c.LeftOut {
		details.ErrorDetails, details.Evidence, details.ErrorMessage, details.Unmet = "", "", "", nil
		b.warn(WarnEvidenceLeft)
	} else {
		b.shownBytes += size
	}
	c.Outcome.show(r, at)
	if !reflect.ValueOf(details).IsZero() {
		c.Outcome.Details = new(details)
	}
}

// show makes the trial of r, whose result is at the given place of the log, the shown one of o, without details.
func (o *Outcome) show(r Result, at Ref) {
	o.Primary, o.Trial, o.Details, o.Ref = r.Classification.Primary, r.Trial, nil, at
	o.OverallScore, o.LatencyMS, o.CostUSD = r.OverallScore, r.LatencyMS, r.CostUSD
}

// RightOutcome returns the case's outcome with the first right answer as the shown one, if there is one.
func (c *Case) RightOutcome() *Outcome {
	if c.right == nil {
		return &c.Outcome
	}
	right := *c.right
	right.Passed, right.Trials, right.Unscored = c.Outcome.Passed, c.Outcome.Trials, c.Outcome.Unscored
	return &right
}

// prefix returns the first characters of s, with an ellipsis if there are more.
func prefix(s string, runes int) string {
	if first := text.FirstRunes(s, runes); len(first) < len(s) {
		return first + "…"
	}
	return s
}

func cut(text string) string { return strings.Clone(prefix(text, detailRunes)) }

func cutUntrusted(t model.Untrusted) model.Untrusted { return model.Untrusted(cut(string(t))) }

func cutDetails(d classify.Details) classify.Details {
	d.ErrorDetails = cutUntrusted(d.ErrorDetails)
	d.Evidence = cutUntrusted(d.Evidence)
	d.ErrorMessage = cutUntrusted(d.ErrorMessage)
	var claims []string
	for _, claim := range d.StatedClaims[:min(len(d.StatedClaims), unmetKept)] {
		claims = append(claims, cut(claim))
	}
	d.StatedClaims = claims
	var unmet []expect.Unmet
	for _, u := range d.Unmet[:min(len(d.Unmet), unmetKept)] {
		u.Expected, u.Actual, u.Reason = cut(u.Expected), cut(u.Actual), cut(u.Reason)
		unmet = append(unmet, u)
	}
	d.Unmet = unmet
	return d
}

func textBytes(d classify.Details) int {
	n := len(d.ErrorDetails) + len(d.Evidence) + len(d.ErrorMessage)
	for _, claim := range d.StatedClaims {
		n += len(claim)
	}
	for _, u := range d.Unmet {
		n += len(u.Criterion) + len(u.Expected) + len(u.Actual) + len(u.Reason)
	}
	return n
}

// ResultFinders find the complete answers of both sides. Either function may be nil.
type ResultFinders struct{ Base, Head ResultFinder }

// ResultFinder returns, for one side, the result of the trial of a case that the report shows, if it is available.
type ResultFinder func(Change) (r Result, found bool, err error)
