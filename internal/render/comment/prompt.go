package comment

import (
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

func (w *writer) foldPrompts() {
	if len(w.Report.Prompts) == 0 || !w.outcomes {
		return
	}
	variable := slices.ContainsFunc(w.Report.Prompts, func(p report.Prompt) bool { return p.Variable })
	what := show.If(variable, "what is asked", show.Agree(len(w.Report.Prompts), "the prompt", "the prompts"))
	w.fold("What changed in "+what, func() {
		room := promptLines
		for _, p := range w.Report.Prompts {
			lines := cutLines(worddiff.Lines(string(p.Base), string(p.Head)))
			shown, left := changedLines(lines, room)
			to := ""
			if len(p.Cases) > 0 {
				to = ", to " + show.Some(p.Cases, promptCases, ", ", " and ", show.Code) + " alone"
			}
			of := show.When(p.From != "", ", in place of "+show.Code(p.From))
			w.para("In " + w.Links.Place(w.Links.HeadSHA, p.Path, 0, 0) + of + to + ":")
			if room -= len(shown); len(shown) > 0 {
				w.WriteString(show.Diff(shown) + "\n")
			}
			if p.Base == p.Head {
				w.para("What differs stands behind the part of it that a report holds.")
			}
			if left > 0 {
				w.para("… and " + show.Count(left, "more line") + ".")
			}
		}
	})
}

// changedLines are the lines that differ with what stands around them, at most so many, and how many changed lines are left out.
func changedLines(lines []worddiff.Line, most int) (out []show.DiffLine, left int) {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Base != l.Head {
			for k := max(0, i-promptContext); k < min(len(lines), i+promptContext+1); k++ {
				near[k] = true
			}
		}
	}
	for i, l := range lines {
		sign := byte(' ')
		switch {
		case !near[i]:
			continue
		case !l.Head:
			sign = '-'
		case !l.Base:
			sign = '+'
		}
		if len(out) >= most {
			if sign != ' ' {
				left++
			}
			continue
		}
		if i > 0 && !near[i-1] && len(out) > 0 {
			out = append(out, show.DiffLine{Sign: ' ', Text: "…"})
		}
		out = append(out, show.DiffLine{Sign: sign, Text: l.Text})
	}
	return out, left
}

// cutLines cuts long lines; one that changed, around what differs from the line that stood there.
func cutLines(lines []worddiff.Line) []worddiff.Line {
	var base, head []int
	cut := func() {
		pairs := min(len(base), len(head))
		for i := range pairs {
			a, b := &lines[base[i]], &lines[head[i]]
			a.Text, b.Text = worddiff.Around(a.Text, b.Text, promptLineRunes, promptLineRunes)
		}
		for _, i := range slices.Concat(base[pairs:], head[pairs:]) {
			lines[i].Text = show.CutEnd(lines[i].Text, promptLineRunes)
		}
		base, head = nil, nil
	}
	for i, l := range lines {
		switch {
		case l.Base && l.Head:
			cut()
			lines[i].Text = show.CutEnd(l.Text, promptLineRunes)
		case l.Base:
			base = append(base, i)
		default:
			head = append(head, i)
		}
	}
	cut()
	return lines
}
