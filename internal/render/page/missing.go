package page

import (
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// missingPart says what came in place of answers, so that an outage is not read as a worse prompt. It is empty unless that
// left the run undecided.
type missingPart struct {
	Came   []view.Cause
	Unsaid []report.SuiteSummary // of which nobody was asked for some answers
}

const missingLines = 20

func (v printer) missingPart() (m missingPart) {
	if v.Report.Verdict != report.Undecided || v.Report.Unscored+v.NotAsked() == 0 {
		return m
	}
	m.Came = v.Came(func(o *report.Outcome) string { return missed(o).Plain(show.QuoteRunes) })
	m.Came = m.Came[:min(len(m.Came), missingLines)]
	m.Unsaid = slices.DeleteFunc(slices.Clone(v.Report.Suites), func(s report.SuiteSummary) bool { return s.NotAsked == 0 })
	m.Unsaid = m.Unsaid[:min(len(m.Unsaid), missingLines)]
	return m
}

func missed(o *report.Outcome) show.Phrase {
	return append(show.Phrase{show.Tell(show.WordOf(o)), show.Say(": ")}, show.Happened(o)...)
}
