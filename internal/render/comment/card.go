package comment

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// askedRunes is the largest number of runes of a question that are shown.
const askedRunes = 300

// cases writes a card for each of the first w.cards cases.
func (w *writer) cases(cases []report.Change) {
	shown := min(len(cases), w.cards)
	for i, c := range cases[:shown] {
		w.card(i+1, c)
	}
	if shown > 0 && shown < len(cases) {
		w.paragraph("… and " + show.Count(len(cases)-shown, "more case") + " in the full report.")
	}
}

// card writes case c with number n: the question, what the answer misses, and the answer before and now.
func (w *writer) card(n int, c report.Change) {
	name := fmt.Sprintf("**%d. %s**", n, show.MarkdownLink(show.Case(c.SuiteID, c.CaseID), ""))
	w.paragraph(strings.Join(append([]string{name}, cardNotes(w.story, c)...), " · "))
	edits := story.Edits(c)
	if c.Input != "" && (len(edits) == 0 || edits[0].Label != story.AskedBefore) {
		w.paragraph(show.Quotation("", show.CutEnd(string(c.Input), askedRunes)))
	}
	var lines []string
	if c.Kind == report.KindMayHide || c.Kind == report.KindWorse {
		lines = append(lines, show.Capital(w.story.ResultReason(c).Markdown(w.phrase)))
	}
	for _, e := range edits {
		lines = append(lines, "**"+e.Label+":** "+e.Text.Markdown(w.phrase))
	}
	if label, p := w.story.MissedExpectation(c); len(p) > 0 {
		lines = append(lines, "**"+label+":** "+p.Markdown(max(w.phrase, missedRunes)))
	}
	if w.story.Report.Judge != nil && story.FailedByJudge(c) {
		lines = append(lines, story.JudgeSummary(w.story.Report).Markdown(w.phrase)+".")
	}
	again := w.story.RerunNote(c)
	lines = append(lines, trialsSentence(c, w.story.Compared), show.Capital(again)+show.When(again != "", "."))
	w.paragraph(show.Join("\\\n", lines...))
	w.answers(c)
}

// missedRunes is the largest number of runes of a criterion that are shown if an answer misses the criterion.
const missedRunes = 220

// cardNotes returns the parts of a card's first line after the name of case c, such as its severity and its place.
func cardNotes(s *story.Story, c report.Change) (parts []string) {
	if c.MustPass {
		parts = append(parts, "must never break")
	}
	if c.Severity != "" && c.Severity != "medium" {
		parts = append(parts, show.Phrase{show.Severity(c.Severity)}.Markdown(show.NameRunes))
	}
	if c.Kind != report.KindRegressed && s.Compared {
		switch {
		case s.WrongOnBoth(c):
			parts = append(parts, "wrong before as well")
		case c.Change == report.New:
			parts = append(parts, "new")
		}
	}
	if c.Path != "" {
		parts = append(parts, show.Phrase{s.Links.Place(s.ShaOf(c), c.Path, c.Line, 0)}.Markdown(show.NameRunes))
	}
	if c.BaseName != "" {
		parts = append(parts, "was "+show.MarkdownLink(c.BaseName, ""))
	}
	if url := s.Links.CaseURL(story.CaseAnchor(c.SuiteID, c.CaseID)); url != "" {
		parts = append(parts, "[report]("+url+")")
	}
	return parts
}

// trialsSentence returns a sentence with the number of right answers to case c. It returns "" if the head lacks the
// case, or if no side has several answers.
func trialsSentence(c report.Change, compared bool) string {
	if c.Head == nil || c.Head.Trials < 2 && (c.Base == nil || c.Base.Trials < 2) {
		return ""
	}
	return "Right " + show.When(compared && c.Base != nil, rightCount(c.Base)+" before, ") + rightCount(c.Head) + " now."
}

// rightCount returns the number of right answers out of all planned ones as text, with the number of missing ones.
func rightCount(o *report.Outcome) string {
	if o == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d", o.Passed, o.Trials) +
		show.When(o.Unscored > 0, fmt.Sprintf(" (%s did not come)", show.WithCommas(o.Unscored)))
}

// answers writes the answers of both sides, or of the only side that has one. It writes JSON field by field, and prose
// as quotations with changed words in bold. It writes anything else as a diff of lines.
func (w *writer) answers(c report.Change) {
	var before, now string
	if c.Head != nil {
		now = string(c.Head.Excerpt)
	}
	if w.story.Compared && c.Base != nil {
		before = string(c.Base.Excerpt)
	}
	if before+now == "" || w.answer == 0 {
		return
	}
	if before == now {
		w.paragraph(show.If(strings.HasSuffix(now, "…"), "As far as it is shown here, the answer did not change:",
			"The answer did not change:"))
	}
	w.out.WriteString(show.BeforeAndNow(before, now, w.answer) + "\n")
}
