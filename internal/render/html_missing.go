package render

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// missingPart says what came in place of answers, so that an outage is not read as a worse prompt. It is empty unless that
// left the run undecided.
type missingPart struct {
	Came   []missingLine
	Unsaid []missingLine // what nobody was asked for, by suite
	Advice string
}

// missingLine counts answers.
type missingLine struct {
	Count string
	Text  []textSpan
	Place place
}

const missingLines = 20

func (v *view) missingPart() (m missingPart) {
	if v.r.Verdict != report.Undecided || v.r.Unscored+v.notAsked() == 0 {
		return m
	}
	m.Came, m.Advice = v.missingCauses(), v.advice()
	for _, s := range v.r.Suites {
		if s.NotAsked > 0 && len(m.Unsaid) < missingLines {
			suite := place{named(ends(s.SuiteID, nameRunes)), v.l.file(v.l.HeadSHA, s.Path, max(s.Line, 1))}
			m.Unsaid = append(m.Unsaid, missingLine{Count: count(s.NotAsked, "answer") + " not asked for", Place: suite})
		}
	}
	return m
}

// missingCauses counts what came by its cause, the most frequent first.
func (v *view) missingCauses() (out []missingLine) {
	counts, texts := map[string]int{}, map[string][]textSpan{}
	var order []string
	for _, c := range v.r.Changes {
		if c.Head == nil || c.Head.Unscored == 0 {
			continue
		}
		key := wordOf(c.Head) + ": " + happened(c.Head).plain(quoteRunes)
		if counts[key] == 0 {
			order = append(order, key)
			texts[key] = append([]textSpan{{lead(wordOf(c.Head), nameRunes) + ": ", false}}, happened(c.Head).spans(quoteRunes)...)
		}
		counts[key] += c.Head.Unscored
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	for _, key := range order[:min(len(order), missingLines)] {
		out = append(out, missingLine{Count: grouped(counts[key]) + " × ", Text: texts[key]})
	}
	return out
}
