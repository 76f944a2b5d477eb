package report

import (
	"reflect"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

// Evidence that a Side keeps, so that a million answers stay bounded: runes of an answer, and bytes in all.
const (
	failingRunes = 1200
	passingRunes = 400
	failingBytes = 64 << 20
	PassingBytes = 16 << 20
	detailRunes  = 600
	unmetKept    = 20
	claimRunes   = 80 // of a claim in a sentence
)

// telling ranks trials by how much they say about a case.
type telling uint8

const (
	tellsNothing telling = iota // no trial yet
	rightAnswer
	noAnswer
	wrongAnswer
)

func evidenceRank(k classify.Classification) telling {
	switch {
	case k.Primary == classify.Pass:
		return rightAnswer
	case k.Unscored():
		return noAnswer
	}
	return wrongAnswer
}

// Evidence is what a report shows of a case: the trial that shows best what happened.
type Evidence struct {
	Details      *classify.Details
	OverallScore *float64
	LatencyMS    *int64
	CostUSD      *float64
	texts        *Texts // nil where it passes, and beyond what is held
}

// Texts are what people are shown of a trial.
type Texts struct {
	Excerpt  string // of the answer; never whole
	Asked    string // what the case itself said to the model
	Expected []expect.Demand
	Before   []expect.Demand // of a redefined case: what the base expects
}

// Bytes is the length of the texts together.
func (t Texts) Bytes() int {
	n := len(t.Excerpt) + len(t.Asked)
	for _, all := range [][]expect.Demand{t.Expected, t.Before} {
		for _, d := range all {
			n += len(d.Criterion) + len(d.Expected)
		}
	}
	return n
}

// texts have memory of their own, so that the answer can go.
func (r Result) texts(runes int) Texts {
	return Texts{strings.Clone(prefix(string(r.ShownAnswer()), runes)), strings.Clone(string(r.Asked)),
		r.Expected, r.ExpectedBefore}
}

// Texts are those of the trial that is shown of a case. What passes is read back: most of it nobody wants to see.
func (s *Side) Texts(c *Case) (Texts, error) {
	switch {
	case c.Shown != nil && c.Shown.texts != nil:
		return *c.Shown.texts, nil
	case c.Primary != classify.Pass || s.log == nil:
		return Texts{}, nil
	}
	r, err := s.log.At(c.At)
	return r.texts(passingRunes), err
}

// Cut reports that there was more of the answer.
func (t Texts) Cut() bool { return strings.HasSuffix(t.Excerpt, "…") }

// Around cuts the answers that are shown of a case on both sides anew: around what differs in the whole of them, which their beginnings may
// not show. Both are as long as beginnings are; known is false where they cannot be read back.
func Around(base *Side, b *Case, head *Side, h *Case) (before, now string, known bool, err error) {
	if base.log == nil || head.log == nil {
		return "", "", false, nil
	}
	was, err := base.log.At(b.At)
	if err != nil {
		return "", "", false, err
	}
	is, err := head.log.At(h.At)
	before, now = worddiff.Around(string(was.ShownAnswer()), string(is.ShownAnswer()),
		b.excerptRunes(), h.excerptRunes())
	return strings.Clone(before), strings.Clone(now), err == nil, err
}

func (c *Case) excerptRunes() int {
	if c.Primary == classify.Pass {
		return passingRunes
	}
	return failingRunes
}

// show keeps the evidence of r, if r tells more than the trials before it.
func (b *Builder) show(c *Case, r Result, at Ref) {
	if told := evidenceRank(r.Classification); told > c.told {
		c.told, c.Primary, c.Trial, c.Shown, c.At = told, r.Classification.Primary, r.Trial, b.evidence(r), at
	}
}

// ShownAnswer returns the answer as people see it: its text and the tools that it calls.
func (r Result) ShownAnswer() model.Untrusted { return model.WithCalls(r.RawResponse, r.ToolCalls) }

func (b *Builder) evidence(r Result) *Evidence {
	s := Evidence{OverallScore: r.OverallScore, LatencyMS: r.LatencyMS, CostUSD: r.CostUSD}
	kept, limit := &b.failing, failingBytes
	right, size := r.Classification.Primary == classify.Pass, 0
	if right {
		kept, limit = &b.passing, PassingBytes
	} else {
		s.texts = new(r.texts(failingRunes))
		size = s.texts.Bytes()
	}
	details := cutDetails(r.Classification.Details)
	if size += textBytes(details); *kept+size <= limit {
		*kept += size
	} else {
		s.texts, details = nil, withoutText(details)
		if !right {
			b.warn(WarnEvidenceLeft)
		}
	}
	if !reflect.ValueOf(details).IsZero() {
		s.Details = &details
	}
	if s == (Evidence{}) {
		return nil // there is nothing to show
	}
	return &s
}

// prefix returns the first runes of text, with an ellipsis if there was more.
func prefix(s string, runes int) string {
	if first := text.First(s, runes); len(first) < len(s) {
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

// withoutText keeps what says which rule matched, and drops what quotes an answer.
func withoutText(d classify.Details) classify.Details {
	d.ErrorDetails, d.Evidence, d.ErrorMessage, d.Unmet = "", "", "", nil
	return d
}
