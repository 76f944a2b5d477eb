package comment

import (
	"cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// writeWarnings folds what decided nothing.
func (w *writer) writeWarnings() {
	var files []document.Diagnostic
	if w.Report.Verdict != report.Invalid { // which lists them with its faults
		files = w.FileWarnings()
	}
	if n := len(w.Report.Warnings) + len(files); n > 0 && w.otherRows > 0 {
		w.fold(show.Count(n, "note"), func() {
			w.list(view.Listed(files, w.otherRows, "warning", w.diagnostic))
			w.list(view.Listed(w.Report.Warnings, w.otherRows, "note", w.warning))
		})
	}
}

func (w *writer) warning(x report.Warning) string {
	return show.When(x.Count > 1, show.Grouped(x.Count)+" × ") + show.Inline(x.Message) +
		show.When(x.Path != "", " ("+w.Links.Place(w.Links.HeadSHA, x.Path, x.Line, 0)+")")
}

// writeFooter says what was compared, what was left out and how to go on.
func (w *writer) writeFooter() {
	parts := []string{w.comparison()}
	if n := w.Report.Run.LeftOut; n > 0 && w.Report.Verdict != report.Invalid {
		parts = append(parts, view.IsAre(n, "suite")+" not touched by this change and not run.")
	}
	if w.shortened {
		parts = append(parts, "Shortened to fit: the full report has the rest.")
	}
	w.para(show.Join(" ", parts...))
}

func (w *writer) comparison() string {
	run := w.Report.Run
	revision := func(sha string, at report.Revision) string {
		return w.Links.Revision(cmp.Or(sha, at.SHA), at.Name) + show.When(at.Ref != "", " ("+show.Prose(show.Lead(at.Ref, 2*show.NameRunes))+")")
	}
	head := revision(w.Links.HeadSHA, run.Head)
	switch {
	case w.Has(gate.NoMerge.Code, report.LevelError):
		return ""
	case w.Report.Verdict == report.Invalid && head != "":
		return "At " + head + "."
	case w.Compared && run.Base != nil:
		return cmp.Or(revision(w.Links.BaseSHA, *run.Base), "the base") + " → " + cmp.Or(head, "the head") + "."
	case run.BaseState == report.BaseFirst:
		return "**First run**: there is no configuration and no suite before " + cmp.Or(head, "this change") + ", which was judged by its own gate and compared with nothing."
	case run.BaseState == "missing":
		return "**No base to compare with**: there are no results before " + cmp.Or(head, "this change") +
			". The bars were checked, regressions were not."
	case run.BaseState == "incomparable":
		return "**Not compared**: the base’s results cannot be held against these. The bars were checked, regressions were not."
	case head != "":
		return "Judged " + head + " on its own; nothing was compared."
	}
	return ""
}

// Facts returns the line of run facts that the publisher appends: what was asked and what it took. Unlike the comment it
// differs from run to run.
func Facts(v *view.View) string {
	r, l := v.Report, v.Links
	cost, _ := view.CostWords(r.Calls)
	took, _ := view.Duration(r.Run)
	facts := show.Join(" · ",
		show.When(r.Trials > 0, show.Count(r.Cases, "case")+", "+show.Count(r.Trials, "answer")),
		show.When(r.Calls.Provider > 0 || r.Plan != nil && r.Plan.Calls > 0, view.Calls(r)),
		show.When(r.Calls.Cached > 0, show.Grouped(r.Calls.Cached)+" from cache"),
		show.When(r.Calls.TokensIn+r.Calls.TokensOut > 0, show.Count(r.Calls.TokensIn+r.Calls.TokensOut, "token")),
		cost,
		show.When(r.Judge != nil && r.Judge.Calls.Provider > 0, view.JudgeCalls(r)),
		took,
		show.When(r.Tool.Version != "", "failproof "+show.NameCode(r.Tool.Version)),
		show.When(l.Run() != "", "[full report]("+l.Run()+")"))
	return show.When(facts != "", "<sub>"+facts+"</sub>\n")
}

// writeNext says what to do now. Nothing of it is ever cut but the names of cases.
func (w *writer) writeNext() {
	if text := show.Phrases(" ", w.Next()).Markdown(show.NameRunes); text != "" {
		w.para("**What now?** " + text)
	}
}
