package view

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// Cause is what came in place of answers, and the cases to which it came.
type Cause struct {
	Text    string
	Cases   []report.Change
	Answers int // that it stands for
}

// Causes brings the cases together of which the same is said, in the order of the first of them.
func Causes(cases []report.Change, say func(report.Change) string) (out []Cause) {
	at := map[string]int{}
	for _, c := range cases {
		text := say(c)
		i, known := at[text]
		if !known {
			i = len(out)
			at[text], out = i, append(out, Cause{Text: text})
		}
		out[i].Cases = append(out[i].Cases, c)
		out[i].Answers += c.Head.Unscored
	}
	return out
}

// Came are the causes for which answers of the head are missing, the most frequent first.
func (v *View) Came(say func(*report.Outcome) string) []Cause {
	var missing []report.Change
	for _, c := range v.Report.Changes.All() {
		if c.Head != nil && c.Head.Unscored > 0 {
			missing = append(missing, c)
		}
	}
	out := Causes(missing, func(c report.Change) string { return say(c.Head) })
	slices.SortStableFunc(out, func(a, b Cause) int { return b.Answers - a.Answers })
	return out
}
