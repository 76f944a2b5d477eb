package render

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// writeReasons lists the conditions that were not met: those that decided, then those that only warn.
func (w *writer) writeReasons() {
	var items []string
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		items = append(items, w.reasonItems(level)...)
	}
	w.list(items)
}

func (w *writer) reasonItems(level report.Level) []string {
	mark := map[report.Level]string{report.LevelError: "❌ ", report.LevelWarn: "⚠️ "}[level]
	if w.r.Verdict == report.Undecided && level == report.LevelError {
		mark = "⏸️ "
	}
	var items []string
	left := 0
	for _, reason := range w.r.Reasons {
		switch {
		case reason.Level != level:
		case len(items) == w.reasonRows:
			left++
		case reason.Code == "no_base": // the last line says it
		default:
			items = append(items, mark+Inline(reason.Message)+w.reasonPlace(reason))
		}
	}
	if left > 0 {
		items = append(items, fmt.Sprintf("… and %s like these", grouped(left)))
	}
	return items
}

// reasonPlace points at the case that a reason is about; a suite is linked in the score table.
func (w *writer) reasonPlace(r report.Reason) string {
	if r.CaseID != "" {
		if c, ok := w.find(r.SuiteID, r.CaseID); ok {
			return " (" + w.casePlace(c) + ")"
		}
	}
	return ""
}

func (w *writer) casePlace(c report.Change) string {
	return w.l.place(w.shaOf(c), c.Path, c.Line, 0)
}

// shaOf is the commit that holds a case: the base's for a removed one.
func (v *view) shaOf(c report.Change) string {
	if c.Head == nil {
		return v.l.BaseSHA
	}
	return v.l.HeadSHA
}

// writeMissing counts what came instead of answers, so that an outage is not read as a worse prompt.
func (w *writer) writeMissing() {
	if w.r.Verdict != report.Undecided || w.r.Unscored+w.notAsked() == 0 {
		return
	}
	kinds, order := map[string]int{}, []string{}
	for _, c := range w.r.Changes {
		if c.Head == nil || c.Head.Unscored == 0 {
			continue
		}
		what := missingKind(c.Head).markdown(w.phraseRunes)
		if kinds[what] == 0 {
			order = append(order, what)
		}
		kinds[what] += c.Head.Unscored
	}
	slices.SortStableFunc(order, func(a, b string) int { return kinds[b] - kinds[a] })
	var items []string
	for _, what := range order[:min(len(order), w.reasonRows)] {
		items = append(items, fmt.Sprintf("%s × %s", grouped(kinds[what]), what))
	}
	if left := len(order) - len(items); left > 0 {
		items = append(items, fmt.Sprintf("… and %s other causes", grouped(left)))
	}
	heading := "**This is no verdict on the prompts.**"
	if len(items) > 0 {
		heading += " What came in place of " + count(w.r.Unscored, "answer") + ":"
	}
	w.para(heading)
	w.list(items)
	w.writeNotAsked()
	w.para(w.advice())
}

// writeNotAsked says suite by suite what the end of the run left unasked.
func (w *writer) writeNotAsked() {
	var items []string
	for _, s := range w.r.Suites {
		if s.NotAsked > 0 {
			items = append(items, linked(s.SuiteID, w.l.file(w.l.HeadSHA, s.Path, max(s.Line, 1)))+": "+count(s.NotAsked, "answer")+" not asked for")
		}
	}
	w.list(listed(items, w.reasonRows, "suite", func(text string) string { return text }))
}

// missingKind is the phrase for the trials without an answer; the shown trial may be another one.
func missingKind(o *report.Outcome) phrase {
	switch o.Primary {
	case classify.Error, classify.Timeout, classify.Crash:
		return append(phrase{say("**" + wordOf(o) + "**: ")}, happened(o)...)
	}
	return phrase{say("no answer")}
}

func (v *view) advice() string {
	switch {
	case v.notAsked() > 0 && v.has(model.ReasonCancelled, report.LevelError):
		return "Run the job again: it goes on where this one stopped, if its cache was kept."
	case v.notAsked() > 0:
		return "Raise the limit in the base branch’s configuration, or run fewer suites at once. Answers that did come are kept with the cache."
	}
	switch {
	case v.lost() > 0:
		return "The base gets its answers and this change does not: see whether its answers have become longer than the target’s `timeout` or what the command bears, then run the job again."
	case v.missingFor(model.ReasonStale) > 0:
		return "What is asked changed, and recorded answers did not follow: make them anew as each line says, and commit them with the change. " +
			"`failproof record` asks the live target; `failproof record --stamp` writes down that a person wrote the answers for what is asked now."
	case v.missingFor(model.ReasonUnrecorded) > 0:
		return "Answers are not recorded: `failproof record` asks a live target for them. Or write them yourself, then run `failproof record --stamp`."
	}
	return "Run the job again when the target answers; a score with answers missing would blame the prompt for an outage."
}

// missingFor counts the cases that have no answer for a reason of that name.
func (v *view) missingFor(reason string) (n int) {
	for _, c := range v.missing {
		if c.Head.Details != nil && c.Head.Details.Reason == reason {
			n++
		}
	}
	return n
}

// writeDiagnostics lists the faults that stopped the run, and what is only worth saying behind a fold.
func (w *writer) writeDiagnostics() {
	w.writeReasons()
	var faults, warnings []document.Diagnostic
	for _, d := range w.r.Diagnostics {
		if d.Severity == document.Warning {
			warnings = append(warnings, d)
			continue
		}
		faults = append(faults, d)
	}
	w.list(listed(faults, w.faultRows, "fault", w.diagnostic))
	if len(warnings) > 0 {
		w.fold(false, count(len(warnings), "warning"), func() { w.list(listed(warnings, w.faultRows, "warning", w.diagnostic)) })
	}
	w.para("No prompt was run and nothing was scored. `failproof validate` shows the same list without a pull request.")
}

func (w *writer) diagnostic(d document.Diagnostic) string {
	text := Inline(d.Message)
	if d.Path != "" {
		text = w.l.place(w.l.HeadSHA, d.Path, d.Line, d.Column) + " " + text
	}
	// An icon stands first, because a name that begins a paragraph could make it a link definition.
	icon := "❌ "
	if d.Severity == document.Warning {
		icon = "⚠️ "
	}
	text = icon + text
	if d.Rule != "" {
		text += " (rule " + nameCode(d.Rule) + ")"
	}
	return text
}

// listed shows the first of all and counts the rest.
func listed[T any](all []T, limit int, noun string, show func(T) string) []string {
	var items []string
	for _, x := range all[:min(len(all), limit)] {
		items = append(items, show(x))
	}
	if left := len(all) - len(items); left > 0 {
		items = append(items, "… and "+count(left, "more "+noun))
	}
	return items
}
