package page

import (
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// missingPart says what came in place of answers, so that an outage is not read as a worse prompt. It is empty unless that
// left the run undecided.
type missingPart struct {
	Came   []missingLine
	Unsaid []missingLine // what nobody was asked for, by suite
}

// missingLine counts answers.
type missingLine struct {
	Count string
	Text  []show.Span
	Place place
}

const missingLines = 20

func (v printer) missingPart() (m missingPart) {
	if v.Report.Verdict != report.Undecided || v.Report.Unscored+v.NotAsked() == 0 {
		return m
	}
	m.Came = v.missingCauses()
	for _, s := range v.Report.Suites {
		if s.NotAsked > 0 && len(m.Unsaid) < missingLines {
			suite := place{show.Named(show.Ends(show.Suite(s.SuiteID), show.NameRunes)), v.Links.File(v.Links.HeadSHA, s.Path, max(s.Line, 1))}
			m.Unsaid = append(m.Unsaid, missingLine{Count: show.Count(s.NotAsked, "answer") + " not asked for", Place: suite})
		}
	}
	return m
}

// missingCauses counts what came by its cause, the most frequent first.
func (v printer) missingCauses() (out []missingLine) {
	counts, texts := map[string]int{}, map[string][]show.Span{}
	var order []string
	for _, c := range v.Report.Changes {
		if c.Head == nil || c.Head.Unscored == 0 {
			continue
		}
		key := show.WordOf(c.Head) + ": " + show.Happened(c.Head).Plain(show.QuoteRunes)
		if counts[key] == 0 {
			order = append(order, key)
			texts[key] = append(show.Phrase{show.Tell(show.WordOf(c.Head)), show.Say(": ")}, show.Happened(c.Head)...).Spans(show.QuoteRunes)
		}
		counts[key] += c.Head.Unscored
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	for _, key := range order[:min(len(order), missingLines)] {
		out = append(out, missingLine{Count: show.Grouped(counts[key]) + " × ", Text: texts[key]})
	}
	return out
}
