package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// writeWarnings folds what decided nothing.
func (w *writer) writeWarnings() {
	var files []document.Diagnostic
	for _, d := range w.r.Diagnostics {
		if d.Severity == document.Warning && w.r.Verdict != report.Invalid { // an invalid run lists them with its faults
			files = append(files, d)
		}
	}
	if n := len(w.r.Warnings) + len(files); n > 0 && w.otherRows > 0 {
		w.fold(false, count(n, "note"), func() {
			w.list(listed(files, w.otherRows, "warning", w.diagnostic))
			w.list(listed(w.r.Warnings, w.otherRows, "note", w.warning))
		})
	}
}

func (w *writer) warning(x report.Warning) string {
	text := Inline(x.Message)
	if x.Count > 1 {
		text = grouped(x.Count) + " × " + text
	}
	if x.Path != "" {
		text += " (" + w.l.place(w.l.HeadSHA, x.Path, x.Line, 0) + ")"
	}
	return text
}

// writeFooter says what was compared, what was left out and how to go on.
func (w *writer) writeFooter() {
	var parts []string
	if text := w.comparison(); text != "" {
		parts = append(parts, text)
	}
	if n := w.r.Run.LeftOut; n > 0 && w.r.Verdict != report.Invalid {
		parts = append(parts, count(n, "suite")+" left out: not touched by this change.")
	}
	if w.shortened {
		parts = append(parts, "Shortened to fit: the full report has the rest.")
	}
	w.para(strings.Join(parts, " "))
	w.para(w.howTo())
}

func (w *writer) comparison() string {
	run := w.r.Run
	head := w.l.revision(or(w.l.HeadSHA, run.Head.SHA), run.Head.Name)
	if run.Head.Ref != "" {
		head += " (" + prose(lead(run.Head.Ref, 2*nameRunes)) + ")"
	}
	switch {
	case w.has(report.CodeNoMerge, report.LevelError):
		return ""
	case w.r.Verdict == report.Invalid && head != "":
		return "At " + head + "."
	case w.compared && run.Base != nil:
		base := w.l.revision(or(w.l.BaseSHA, run.Base.SHA), run.Base.Name)
		if run.Base.Ref != "" {
			base += " (" + prose(lead(run.Base.Ref, 2*nameRunes)) + ")"
		}
		return "Compared " + or(head, "the head") + " with " + or(base, "the base") + "."
	case run.BaseState == report.BaseFirst:
		return "**First run**: there is no configuration and no suite before " + or(head, "this change") + ", which was judged by its own gate and compared with nothing."
	case run.BaseState == "missing":
		return "**No base to compare with**: there are no results before " + or(head, "this change") +
			". The bars were checked, regressions were not."
	case run.BaseState == "incomparable":
		return "**Not compared**: the base’s results cannot be held against these. The bars were checked, regressions were not."
	case head != "":
		return "Judged " + head + " on its own; nothing was compared."
	}
	return ""
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// howTo says how to accept a change that is meant.
func (w *writer) howTo() string {
	if w.r.Verdict != report.Failed {
		return ""
	}
	if w.r.Acceptable {
		return "<sub>Is this change meant? A review with **Approve** by somebody with write access, who is not the author, accepts it as it is; then re-run the job.</sub>"
	}
	if w.compared {
		return "<sub>" + w.meant() + "The gate’s settings are read from the base branch and change when they are merged.</sub>"
	}
	return "<sub>A case is met by a better prompt or a truer expectation; the bars stand in the configuration.</sub>"
}

// meant says how a change becomes what is expected, where that is what failed.
func (w *writer) meant() string {
	held, free := 0, 0
	for _, c := range w.regressed {
		if c.MustPass {
			held++
		} else {
			free++
		}
	}
	switch {
	case free > 0 && held > 0:
		return "Is this change meant? Edit the expectation of the case: it is then shown as redefined, for a reviewer to see; of a must-pass case that takes an approving review. "
	case free > 0:
		return "Is this change meant? Edit the expectation of the case: it is then shown as redefined, for a reviewer to see. "
	case held > 0:
		return "Is this change meant? Edit the expectation of the case, and have somebody with write access approve it: the case must pass. "
	}
	return ""
}

// Facts returns the line of run facts that the publisher appends: what was asked and what it took. Unlike the comment it
// differs from run to run.
func Facts(r *report.Report, l Links) string {
	var parts []string
	add := func(ok bool, text string) {
		if ok {
			parts = append(parts, text)
		}
	}
	add(r.Trials > 0, count(r.Cases, "case")+", "+count(r.Trials, "answer"))
	add(r.Calls.Provider > 0 || r.Plan != nil && r.Plan.Calls > 0, calls(r))
	add(r.Calls.Cached > 0, grouped(r.Calls.Cached)+" from cache")
	add(r.Calls.TokensIn+r.Calls.TokensOut > 0, count(r.Calls.TokensIn+r.Calls.TokensOut, "token"))
	cost, known := costWords(r.Calls)
	add(known, cost)
	took, ok := duration(r.Run)
	add(ok, took)
	add(r.Tool.Version != "", "failproof "+nameCode(r.Tool.Version))
	add(l.run() != "", "[full report]("+l.run()+")")
	if len(parts) == 0 {
		return ""
	}
	return "<sub>" + strings.Join(parts, " · ") + "</sub>\n"
}

// calls says how many calls were made, and of how many if that differs.
func calls(r *report.Report) string {
	if r.Plan == nil || r.Plan.Calls == r.Calls.Provider {
		return count(r.Calls.Provider, "call")
	}
	planned := grouped(r.Plan.Calls) + " planned"
	if r.Plan.CostUSD != nil {
		planned += " at about " + dollars(*r.Plan.CostUSD) + " USD"
	}
	return count(r.Calls.Provider, "call") + " (" + planned + ")"
}

// costWords says what the calls cost, as far as it is known; false for nothing.
func costWords(c report.Calls) (string, bool) {
	if c.CostUSD == nil || *c.CostUSD == 0 {
		return "", false
	}
	words := "about " + dollars(*c.CostUSD) + " USD"
	var but []string
	if c.Estimated > 0 {
		but = append(but, count(c.Estimated, "answer")+" estimated")
	}
	if c.Unpriced > 0 {
		but = append(but, count(c.Unpriced, "call")+" without a price")
	}
	if len(but) > 0 {
		words += " (" + strings.Join(but, ", ") + ")"
	}
	return words, true
}

func dollars(v float64) string {
	if v < 0.01 {
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func duration(r report.Run) (string, bool) {
	start, err1 := time.Parse(time.RFC3339, r.StartedAt)
	end, err2 := time.Parse(time.RFC3339, r.FinishedAt)
	d := end.Sub(start).Round(time.Second)
	if err1 != nil || err2 != nil || d <= 0 {
		return "", false
	}
	if d < time.Minute {
		return fmt.Sprintf("%d s", d/time.Second), true
	}
	return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second), true
}
