package comment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// writeWrong tells the answers by which the change is judged: what it broke, what fell with the whole, and what must not be wrong.
func (w *writer) writeWrong() {
	failing, _ := w.openFailing()
	all := slices.Concat(w.Regressed, w.Fell, failing)
	switch {
	case len(all) == 0:
	case len(all) <= fewCases && w.evidence > 0:
		if len(w.Regressed) < len(all) || w.Report.Verdict != report.Failed { // else the title counts them
			w.para("**" + w.wrongHeading(all) + ":**")
		}
		w.writeBlocks(all)
	default:
		w.writeTables(all)
	}
}

// writeTables shows the first cases, folds the next, and then the blocks of the first.
func (w *writer) writeTables(all []report.Change) {
	open, shown := min(len(all), w.openCaseRows), min(len(all), w.caseRows)
	w.para("### " + w.wrongHeading(all))
	w.caseTable(all[:open], open, "")
	if shown > open {
		w.fold(show.Grouped(shown-open)+" more", func() { w.caseTable(all[open:shown], shown, "") })
	}
	w.more(len(all)-shown, "case")
	w.foldBlocks("What was asked and answered", all[:min(len(all), w.evidence)], len(all))
}

// foldBlocks folds the blocks of the first of so many cases.
func (w *writer) foldBlocks(what string, first []report.Change, of int) {
	if len(first) > 0 {
		w.fold(what+show.When(len(first) < of, ", of the first "+show.Grouped(len(first))), func() { w.writeBlocks(first) })
	}
}

func (w *writer) writeBlocks(cases []report.Change) {
	for i, c := range cases {
		w.writeBlock(i+1, c)
	}
}

func (w *writer) wrongHeading(all []report.Change) string {
	switch {
	case len(w.Regressed) == len(all):
		return show.Count(len(all), "broken answer")
	case len(w.Fell) == len(all):
		return show.Count(len(all), "answer") + " got worse"
	case len(w.Regressed) > 0:
		return show.Count(len(all), "wrong answer") + ", of which " + show.Grouped(len(w.Regressed)) + " " + show.Agree(len(w.Regressed), "was", "were") + " right before"
	}
	return show.Count(len(all), "wrong answer")
}

// caseTable says of each case why its answer is wrong, and below that how it stood before: a third column would be cut off on a telephone.
func (w *writer) caseTable(cases []report.Change, most int, noun string) {
	tableOf(w, "ll", []string{"Case", "Why"}, cases, most, noun, func(c report.Change) []string {
		outcomes := show.When(w.Compared, show.Outcome(c.Base, false)+" → ") + show.Outcome(c.Head, true)
		return []string{w.caseName(c, true), stacked(w.Explained(c).Markdown(min(w.phraseRunes, whyRunes)), outcomes)}
	})
}

// stacked sets the second text below the first, small.
func stacked(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "<br><sub>" + second + "</sub>"
}

// writeBlock tells one case: what was asked, what was expected, and the answer before and now.
func (w *writer) writeBlock(n int, c report.Change) {
	w.para(fmt.Sprintf("### %d. ", n) + strings.Join(w.blockHead(c), " · "))
	var lines []string
	edits := view.Edits(c)
	if c.Kind == report.KindHidden {
		lines = append(lines, w.Explained(c).Markdown(w.phraseRunes))
	}
	if c.Asked != "" && (len(edits) == 0 || edits[0].Label != view.AskedBefore) {
		lines = append(lines, "**Asked:** "+"“"+show.Inline(show.Lead(strings.ReplaceAll(string(c.Asked), "\n", " · "), askedRunes))+"”")
	}
	for _, e := range edits {
		lines = append(lines, "**"+e.Label+":** "+e.Text.Markdown(w.phraseRunes))
	}
	if label, p := view.Expectation(c); len(p) > 0 {
		lines = append(lines, "**"+label+":** "+p.Markdown(2*w.phraseRunes))
	}
	lines = append(lines, w.JudgedBy(c).Markdown(w.phraseRunes), w.trials(c), w.AskedAgain(c))
	before, now := w.shownAnswers(c)
	switch {
	case now == "" || before != now:
	case strings.HasSuffix(now, "…"): // what follows was not looked at
		lines = append(lines, "As far as it is shown here, the answer did not change:")
	default:
		lines = append(lines, "The answer did not change:")
	}
	w.para(show.Join("\\\n", lines...))
	if diff := show.Answers(before, now, w.baseRunes, w.answerRunes); len(diff) > 0 {
		w.WriteString(show.Diff(diff) + "\n")
	}
}

// blockHead names the case, what it weighs, and its place.
func (w *writer) blockHead(c report.Change) []string {
	parts := []string{show.NameCode(show.Case(c.SuiteID, c.CaseID))}
	if c.CaseID == "" {
		parts[0] = "unnamed"
	}
	if c.MustPass {
		parts = append(parts, "must pass")
	}
	if c.Severity != "" && c.Severity != "medium" {
		parts = append(parts, show.SeverityWord(c.Severity))
	}
	if c.Kind != report.KindRegressed && w.Compared {
		switch {
		case w.AlsoOnBase(c):
			parts = append(parts, "wrong before as well")
		case c.Change == report.New:
			parts = append(parts, "new")
		}
	}
	if place := w.casePlace(c); place != "" && c.Path != "" {
		parts = append(parts, place)
	}
	if c.Was != "" {
		parts = append(parts, "was "+show.NameCode(c.Was))
	}
	if url := w.Links.Card(view.CaseAnchor(c.SuiteID, c.CaseID)); url != "" {
		parts = append(parts, "[report]("+url+")")
	}
	return parts
}

func (w *writer) shownAnswers(c report.Change) (before, now string) {
	if c.Head != nil {
		now = string(c.Head.Excerpt)
	}
	if w.Compared && c.Base != nil {
		before = string(c.Base.Excerpt)
	}
	return before, now
}

func (w *writer) trials(c report.Change) string {
	switch {
	case c.Head == nil || c.Head.Trials < 2 && (c.Base == nil || c.Base.Trials < 2):
		return ""
	case w.Compared && c.Base != nil:
		return fmt.Sprintf("Right %s before, %s now; answer %d is shown.", rightOf(c.Base), rightOf(c.Head), max(c.Head.Trial, 1))
	}
	return fmt.Sprintf("Right %s; answer %d is shown.", rightOf(c.Head), max(c.Head.Trial, 1))
}

// rightOf counts the right ones of all answers that were planned, and those that did not come.
func rightOf(o *report.Outcome) string {
	return fmt.Sprintf("%d of %d", o.Passed, o.Trials) + show.When(o.Unscored > 0, fmt.Sprintf(" (%s did not come)", show.Grouped(o.Unscored)))
}
