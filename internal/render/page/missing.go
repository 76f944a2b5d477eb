package page

import (
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
	what := func(o *report.Outcome) show.Phrase {
		return append(show.Phrase{show.Tell(show.WordOf(o)), show.Say(": ")}, show.Happened(o)...)
	}
	causes := v.Came(func(o *report.Outcome) string { return what(o).Plain(show.QuoteRunes) })
	for _, c := range causes[:min(len(causes), missingLines)] {
		out = append(out, missingLine{Count: show.Grouped(c.Answers) + " × ", Text: what(c.Cases[0].Head).Spans(show.QuoteRunes)})
	}
	return out
}
