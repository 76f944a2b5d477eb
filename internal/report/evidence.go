package report

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

// Evidence that a Side keeps, so that a million answers stay bounded: runes of an answer, and bytes in all.
const (
	failingRunes = 1200
	passingRunes = 400
	failingBytes = 64 << 20
	passingBytes = 16 << 20
	detailRunes  = 600
	unmetKept    = 20
)

// telling ranks trials by how much they say about a case.
type telling uint8

const (
	tellsNothing telling = iota // no trial yet
	rightAnswer
	noAnswer
	wrongAnswer
)

func tells(k classify.Classification) telling {
	switch {
	case k.Primary == classify.Pass:
		return rightAnswer
	case k.Unscored():
		return noAnswer
	}
	return wrongAnswer
}

// show keeps the evidence of r if r tells more than the trials before it.
func (b *Builder) show(c *Case, r Result, at Ref) {
	if told := tells(r.Classification); told > c.told {
		c.told, c.Primary, c.Trial, c.At, c.Shown = told, r.Classification.Primary, r.Trial, at, b.evidence(r)
	}
}

// Said is the answer as people are shown it: its text, and the tools that it calls.
func (r Result) Said() model.Untrusted { return model.WithCalls(r.RawResponse, r.ToolCalls) }

func (b *Builder) evidence(r Result) *Shown {
	kept, limit, runes := &b.failing, failingBytes, failingRunes
	right := r.Classification.Primary == classify.Pass
	if right {
		kept, limit, runes = &b.passing, passingBytes, passingRunes
	}
	s := Shown{OverallScore: r.OverallScore, LatencyMS: r.LatencyMS}
	if !right || !b.Alone {
		s.Excerpt, s.Asked, s.Expected = prefix(string(r.Said()), runes), string(r.Asked), r.Expected
	}
	details := &b.details
	*details = cutDetails(r.Classification.Details)
	if size := len(s.Excerpt) + len(s.Asked) + demandBytes(s.Expected) + textBytes(*details); *kept+size <= limit {
		*kept += size
	} else {
		s.Excerpt, s.Asked, s.Expected, *details = "", "", nil, withoutText(*details)
		if !right {
			b.warn(WarnEvidenceLeft)
		}
	}
	s.Excerpt, s.Asked = strings.Clone(s.Excerpt), strings.Clone(s.Asked) // memory of their own, so that the answer can go
	if !reflect.ValueOf(details).Elem().IsZero() {
		own := *details
		s.Details = &own
	}
	if s.Excerpt == "" && s.Asked == "" && s.Expected == nil && s.Details == nil && s.OverallScore == nil && s.LatencyMS == nil {
		return nil // there is nothing to show
	}
	shown := s
	return &shown
}

func demandBytes(all []expect.Demand) (n int) {
	for _, d := range all {
		n += len(d.Criterion) + len(d.Expected)
	}
	return n
}

// prefix returns the first runes of text, with an ellipsis if there was more.
func prefix(text string, runes int) string {
	if len(text) <= runes || utf8.RuneCountInString(text) <= runes {
		return text
	}
	end := 0
	for range runes {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end] + "…"
}

func cut(text string) string { return strings.Clone(prefix(text, detailRunes)) }

func cutUntrusted(t model.Untrusted) model.Untrusted { return model.Untrusted(cut(string(t))) }

func cutDetails(d classify.Details) classify.Details {
	d.ErrorDetails = cutUntrusted(d.ErrorDetails)
	d.Evidence = cutUntrusted(d.Evidence)
	d.ErrorMessage = cutUntrusted(d.ErrorMessage)
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
