package comment

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// writeOpening says below the title what changed, how the score stands, and how the answers came about.
func (w *writer) writeOpening() {
	var sentences []string
	if text := w.Changed().Markdown(w.phraseRunes); text != "" {
		sentences = append(sentences, strings.ToUpper(text[:1])+text[1:])
	}
	if !w.TitleHasScore() {
		sentences = append(sentences, w.scoreSentence())
	}
	sentences = append(sentences, w.Drawn(), w.Together())
	w.para(show.Join(" ", sentences...))
}

func (w *writer) scoreSentence() string {
	r := w.Report
	if r.RunScore == nil || w.Withheld(r.Unscored) {
		return ""
	}
	return "Score " + show.When(w.Compared && r.BaseRunScore != nil, show.PercentOr(r.BaseRunScore)+" → ") + "**" + show.Against(r.RunScore, r.Scoring.MinRunScore) + "**" +
		show.When(r.Scoring.MinRunScore != nil, ", at least "+show.Bar(r.Scoring.MinRunScore)+" is needed") + "."
}

// writeReasons lists the conditions that were not met and that nothing else above the fold tells: those that decided, then those that only
// warn.
func (w *writer) writeReasons() {
	var items []string
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		items = append(items, w.reasonItems(level, w.tells)...)
	}
	if p := w.MustMissing(); len(p) > 0 {
		items = append(items, "⏸️ "+p.Markdown(show.NameRunes))
	}
	w.list(items)
}

// tells reports a reason that the page says elsewhere in words: a suite's bar stands in the score table.
func (w *writer) tells(r report.Reason) bool {
	shown := r.Code == gate.SuiteScore.Code && r.Level == report.LevelError && w.Report.Verdict == report.Failed && len(w.Suites) <= w.openSuiteRows
	return shown || w.Told(r)
}

// reasonItems are the reasons of a level but those that are told elsewhere.
func (w *writer) reasonItems(level report.Level, told func(report.Reason) bool) []string {
	mark := map[report.Level]string{report.LevelError: "❌ ", report.LevelWarn: "⚠️ "}[level]
	if w.Report.Verdict == report.Undecided && level == report.LevelError {
		mark = "⏸️ "
	}
	var items []string
	left := 0
	for _, reason := range w.Report.Reasons {
		switch {
		case reason.Level != level, told(reason):
		case len(items) == w.reasonRows:
			left++
		case reason.Code == gate.NoBase.Code: // the last line says it
		default:
			item := mark + show.Inline(reason.Message)
			if reason.CaseID != "" { // a suite is linked in the score table
				if c, ok := w.Find(reason.SuiteID, reason.CaseID); ok {
					item += " (" + w.casePlace(c) + ")"
				}
			}
			items = append(items, item)
		}
	}
	if left > 0 {
		items = append(items, fmt.Sprintf("… and %s like these", show.Grouped(left)))
	}
	return items
}

func (w *writer) casePlace(c report.Change) string {
	return w.Links.Place(w.ShaOf(c), c.Path, c.Line, 0)
}

// foldChance folds all that is known of chance: how it was told from a change, what the run could have found, and the gate's own words
// for what blocked it and stands nowhere else.
func (w *writer) foldChance() {
	phrases := w.How()
	how := show.Phrases(" ", phrases).Markdown(w.phraseRunes)
	if s := w.Report.Statistics; s != nil && s.Measured != nil { // then it is what was asked for
		w.para(how)
		how = ""
	}
	told := func(r report.Reason) bool { return !w.tells(r) }
	blocked := append(w.reasonItems(report.LevelError, told), w.reasonItems(report.LevelWarn, told)...)
	limits := w.limitWords()
	if w.shortened && !w.outcomes {
		blocked = nil
	}
	if how == "" && len(limits)+len(blocked) == 0 {
		return
	}
	w.fold("Why this verdict, in numbers", func() {
		w.list(blocked)
		w.para(how)
		for _, text := range limits {
			w.para(text)
		}
	})
}

func (w *writer) limitWords() []string {
	text := w.Limits()
	if text == "" || w.otherRows == 0 {
		return nil
	}
	all := w.Noise().Overall
	return []string{text, fmt.Sprintf("Like for like over %s: %s. Asked again, the difference would lie between %s and %s in 95 of 100 runs.",
		show.Count(w.NoisyCases(), "common case"), view.Soft(show.Points(all.Delta)), view.Soft(show.Points(all.Interval.Low)), view.Soft(show.Points(all.Interval.High)))}
}

// writeMissing counts what came instead of answers, so that an outage is not read as a worse prompt.
func (w *writer) writeMissing() {
	if w.Report.Verdict != report.Undecided || w.Report.Unscored+w.NotAsked() == 0 {
		return
	}
	causes := w.Came(func(o *report.Outcome) string {
		return view.MissingKind(o).Markdown(max(w.phraseRunes, missingRunes)) // our own sentences among them are never cut
	})
	var items []string
	for _, c := range causes[:min(len(causes), w.reasonRows)] {
		items = append(items, show.Grouped(c.Answers)+" × "+c.Text)
	}
	if left := len(causes) - len(items); left > 0 {
		items = append(items, fmt.Sprintf("… and %s other causes", show.Grouped(left)))
	}
	w.para("**This is no verdict on the prompts.**" + show.When(len(items) > 0, " What came in place of "+show.Count(w.Report.Unscored, "answer")+":"))
	w.list(items)
	w.list(view.Listed(w.Unasked(), w.reasonRows, "suite", func(s report.SuiteSummary) string {
		return show.Linked(show.Suite(s.SuiteID), w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1))) + ": " + show.Count(s.NotAsked, "answer") + " not judged"
	}))
}

// writeDiagnostics lists the faults that stopped the run, and what is only worth saying behind a fold.
func (w *writer) writeDiagnostics() {
	w.writeReasons()
	w.list(view.Listed(w.Faults(), w.faultRows, "fault", w.diagnostic))
	if warnings := w.FileWarnings(); len(warnings) > 0 {
		w.fold(show.Count(len(warnings), "warning"), func() { w.list(view.Listed(warnings, w.faultRows, "warning", w.diagnostic)) })
	}
}

func (w *writer) diagnostic(d document.Diagnostic) string {
	// An icon stands first, because a name that begins a paragraph could make it a link definition.
	return show.If(d.Severity == document.Warning, "⚠️ ", "❌ ") + show.When(d.Path != "", w.Links.Place(w.Links.HeadSHA, d.Path, d.Line, d.Column)+" ") +
		show.Inline(d.Message) + show.When(d.Rule != "", " (rule "+show.NameCode(d.Rule)+")")
}
