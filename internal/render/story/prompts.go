package story

import (
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/worddiff"
)

// How much of the changed prompts is shown.
const (
	promptLines     = 40  // lines of all prompts together
	promptContext   = 2   // unchanged lines around a change
	promptLineRunes = 600 // runes of a line; some prompts are a single line
)

// PromptDiff shows what changed in one prompt.
type PromptDiff struct {
	Lead    show.Phrase
	Lines   []worddiff.Line
	Omitted int // changed lines that are not shown
}

// prompts returns a section that shows what changed in each prompt.
func prompts(v *Story) (p Section) {
	all := v.Report.Prompts
	p.Title = "Prompt diff"
	room := promptLines
	for _, x := range all {
		sha := show.If(x.Head == "", v.Links.BaseSHA, v.Links.HeadSHA) // the head may lack the file
		lead := show.Phrasef("In %v", v.Links.Place(sha, x.Path, 0, 0))
		if x.BasePath != "" {
			lead = show.Phrasef("%v, in place of %v", lead, show.Quote(x.BasePath))
		}
		if len(x.Cases) > 0 {
			lead = show.Phrasef("%v, sent to %v alone", lead, quotedList(x.Cases))
		}
		d := PromptDiff{Lead: append(lead, show.Literal(show.If(x.Base == x.Head,
			": what differs is behind the part of it that a report holds.", ":")))}
		d.Lines, d.Omitted = changedLines(cutLines(worddiff.Lines(string(x.Base), string(x.Head))), room)
		room -= len(d.Lines)
		p.Diffs = append(p.Diffs, d)
	}
	return p
}

// changedLines returns the changed lines with unchanged lines around them, at most about limit lines. left is the
// number of changed lines that do not fit.
func changedLines(lines []worddiff.Line, limit int) (out []worddiff.Line, left int) {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Base != l.Head {
			for k := max(0, i-promptContext); k < min(len(lines), i+promptContext+1); k++ {
				near[k] = true
			}
		}
	}
	for i, l := range lines {
		if !near[i] {
			continue
		}
		if len(out) >= limit {
			if l.Base != l.Head {
				left++
			}
			continue
		}
		if i > 0 && !near[i-1] && len(out) > 0 {
			out = append(out, worddiff.Line{Text: "…", Base: true, Head: true})
		}
		out = append(out, l)
	}
	return out, left
}

// cutLines truncates long lines. A changed line and the line that replaces it keep the part in which they differ.
func cutLines(lines []worddiff.Line) []worddiff.Line {
	var base, head []int
	cut := func() {
		pairs := min(len(base), len(head))
		for i := range pairs {
			a, b := &lines[base[i]], &lines[head[i]]
			a.Text, b.Text = worddiff.ShortenAround(a.Text, b.Text, promptLineRunes, promptLineRunes)
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
