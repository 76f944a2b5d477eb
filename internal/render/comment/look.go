package comment

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// writeLook names the passing answers that got worse, and those that a person has to look at since nothing judged them; the answers are
// folded below each.
func (w *writer) writeLook() {
	if n := len(w.Worse); n > 0 {
		w.para("⚠️ " + show.Count(n, "passing answer") + " got worse: " + w.lookNames(w.Worse, true) + ".")
		w.foldLook(w.Worse)
	}
	kept, cut, loose := w.ReviewParts()
	for _, part := range []struct {
		cases []report.Change
		what  string
	}{{kept, " kept by hand though the prompt changed"}, {cut, " cut at the length limit that " + show.Agree(len(cut), "was", "were") + " whole before"}, {loose, " that nothing judged"}} {
		if n := len(part.cases); n > 0 {
			w.para("⚠️ A person has to look at " + show.Count(n, "answer") + part.what + strings.TrimSuffix(": "+w.lookNames(part.cases, false), ": ") + ".")
			w.foldLook(part.cases)
		}
	}
	w.writeLookBroken()
}

func (w *writer) writeLookBroken() {
	if open := w.OpenFlips(); len(open) > 0 {
		w.para("⚠️ " + show.Count(len(open), "case") + " flipped from right to wrong and " + show.Agree(len(open), "was", "were") + " not asked again to the end: " + w.lookNames(open, false) + ".")
		w.foldLook(open)
	}
	items := view.Listed(w.LookBroken(), lookNamed, "case", func(s report.Suspect) string {
		c, _ := w.Find(s.SuiteID, s.CaseID)
		return fmt.Sprintf("%s (asked again: right %d of %d before, %d of %d now)",
			show.Linked(s.CaseID, w.Links.File(w.ShaOf(c), c.Path, c.Line)), s.BasePasses, s.Rounds, s.HeadPasses, s.Rounds)
	})
	if len(items) > 0 {
		w.para("⚠️ " + show.Count(len(w.LookBroken()), "answer") + " may be broken, and among so many flips that is not proven: " + strings.Join(items, ", ") + ".")
	}
}

func (w *writer) lookNames(cases []report.Change, scores bool) string {
	return show.Some(cases, lookNamed, ", ", " and ", func(c report.Change) string {
		name := w.caseLink(c) + show.When(c.Change == report.Redefined, " (redefined)")
		if scores {
			name += fmt.Sprintf(" (overall score %s → %s)", show.Percent(*c.Base.Overall()), show.Percent(*c.Head.Overall()))
		}
		return name
	})
}

func (w *writer) foldLook(cases []report.Change) {
	w.foldBlocks(show.Agree(len(cases), "The answer", "The answers"), cases[:min(len(cases), lookShown, w.evidence)], len(cases))
}

func (w *writer) writeLines() {
	all := w.WhichLines()
	if len(all) == 0 {
		return
	}
	items := make([]string, 0, linesShown)
	for _, one := range all[:min(len(all), linesShown)] {
		items = append(items, one.Phrase.Markdown(w.phraseRunes))
	}
	w.para("**Which line did it?**")
	w.list(items)
}

// writeAlike says which failures look alike: new ones where there is a base, else all.
func (w *writer) writeAlike() {
	var lines []string
	for _, g := range w.Alike() {
		line := w.AlikeSentence(g).Markdown(show.NameRunes) + ", e.g. " + w.refName(g.Example)
		if near, ok := w.PassingLike(g.Example); ok {
			line += " (the passing case most like it: " + w.refName(near) + ")"
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		w.para(lines[0])
		return
	}
	w.list(lines)
}

func (w *writer) refName(ref observe.CaseRef) string {
	c, _ := w.Find(ref.SuiteID, ref.CaseID)
	c.SuiteID, c.CaseID = ref.SuiteID, ref.CaseID // where it is not known too
	return w.caseLink(c)
}

// foldReworded tells that passing answers changed in their words, which is nothing to a criterion and may be all to a program that reads them.
// Beside what fails it is nothing to look at.
func (w *writer) foldReworded() {
	r := w.Report.Reworded
	if r == nil || !w.Compared || w.otherRows == 0 || w.Report.Verdict == report.Failed {
		return
	}
	w.fold(fmt.Sprintf("%s of %s changed in %s words", show.Grouped(r.Changed), show.Count(r.Passing, "passing answer"), show.Agree(r.Changed, "its", "their")), func() {
		w.para("These cases passed before and pass now. Where a program reads the answers, let a case hold their form: `expected_format`, or `assert` with `regex`.")
		if diff := show.Answers(r.Before, r.Now, w.baseRunes, w.answerRunes); len(diff) > 0 {
			w.para("Such as " + w.refName(observe.CaseRef{SuiteID: r.SuiteID, CaseID: r.CaseID}) + ":")
			w.WriteString(show.Diff(diff) + "\n")
		}
	})
}
