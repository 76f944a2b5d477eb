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

// Limits of the texts that a Side keeps to show: characters of each text, bytes of all.
const (
	failingRunes = 1200
	passingRunes = 400
	failingBytes = 64 << 20
	PassingBytes = 16 << 20
	detailRunes  = 600
	unmetKept    = 20
	claimRunes   = 80 // of a claim shown within a sentence
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

// cutTo returns the texts to show, with the answer truncated. It clones them, so that the full answer can be freed.
func (r Result) cutTo(runes int) Result {
	return Result{RawResponse: model.Untrusted(strings.Clone(prefix(string(r.ShownAnswer()), runes))),
		Asked: model.Untrusted(strings.Clone(string(r.Asked))), Expected: r.Expected, ExpectedBefore: r.ExpectedBefore}
}

// TextBytes returns the length of the texts to show.
func (r Result) TextBytes() int {
	n := len(r.RawResponse) + len(r.Asked)
	for _, all := range [][]expect.Demand{r.Expected, r.ExpectedBefore} {
		for _, d := range all {
			n += len(d.Criterion) + len(d.Expected)
		}
	}
	return n
}

// ShownTexts returns the texts of a case's shown trial. The texts of a passing trial are read back from the log,
// because most of such texts are never shown.
func (s *Side) ShownTexts(c *Case) (Result, error) {
	switch {
	case c.Primary != classify.Pass && c.Shown != nil:
		return *c.Shown, nil
	case c.Primary != classify.Pass || s.log == nil:
		return Result{}, nil
	}
	r, err := s.log.At(c.At)
	return r.cutTo(passingRunes), err
}

// IsCut reports whether the answer was truncated by cutTo.
func (r Result) IsCut() bool { return strings.HasSuffix(string(r.RawResponse), "…") }

// Around returns excerpts of a case's shown answers around their first difference. known is false if a side has no
// log.
func Around(base *Side, b *Case, head *Side, h *Case) (before, now model.Untrusted, known bool, err error) {
	if base.log == nil || head.log == nil {
		return "", "", false, nil
	}
	was, err := base.log.At(b.At)
	if err != nil {
		return "", "", false, err
	}
	is, err := head.log.At(h.At)
	from, to := worddiff.Around(string(was.ShownAnswer()), string(is.ShownAnswer()), b.excerptRunes(), h.excerptRunes())
	return model.Untrusted(strings.Clone(from)), model.Untrusted(strings.Clone(to)), err == nil, err
}

func (c *Case) excerptRunes() int {
	if c.Primary == classify.Pass {
		return passingRunes
	}
	return failingRunes
}

// ShownAnswer returns the answer for people: its text and its tool calls.
func (r Result) ShownAnswer() model.Untrusted { return model.WithCalls(r.RawResponse, r.ToolCalls) }

// shownTrial returns the texts and details to show, within the byte limits; nil if there are none.
func (b *Builder) shownTrial(r Result) *Result {
	left, limit, shown := &b.passing, PassingBytes, Result{}
	if r.Classification.Primary != classify.Pass {
		left, limit, shown = &b.failing, failingBytes, r.cutTo(failingRunes)
	}
	details := cutDetails(r.Classification.Details)
	if size := shown.TextBytes() + textBytes(details); *left+size <= limit {
		*left += size
	} else {
		shown = Result{} // without the texts that quote an answer
		details.ErrorDetails, details.Evidence, details.ErrorMessage, details.Unmet = "", "", "", nil
		if left == &b.failing {
			b.warn(WarnEvidenceLeft)
		}
	}
	shown.Classification.Details = details
	shown.OverallScore, shown.LatencyMS, shown.CostUSD = r.OverallScore, r.LatencyMS, r.CostUSD
	if reflect.ValueOf(shown).IsZero() {
		return nil
	}
	return &shown
}

// prefix returns the first characters of s, with an ellipsis if there are more.
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
