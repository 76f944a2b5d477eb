package story

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// inWords returns a table as text, with a part for each row.
func inWords(t *Table) string {
	out := []string{strings.Join(t.Header, " ")}
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, show.Join(" of ", c.Text.Plain(show.NameRunes), c.Below.Plain(show.NameRunes)))
		}
		out = append(out, strings.Join(cells, " "))
	}
	return strings.ReplaceAll(strings.Join(out, "; "), show.NoBreakSpace, " ")
}

func TestTargetsAreSetSideBySide(t *testing.T) {
	const header = "Case fast careful gpt-4.1"
	const whole = header + "; days of “support/refund” pass pass → fail –; possible of “tone” pass pass fail"
	without := func(drop func(report.Change) bool) func(*report.Report) {
		return func(r *report.Report) {
			var kept []report.Change
			for _, c := range r.Changes {
				if !drop(c) {
					kept = append(kept, c)
				}
			}
			r.Changes = kept
		}
	}
	for _, c := range []struct {
		rule string
		edit func(*report.Report)
		want string
	}{
		{"each suite and each case of which one is right and another wrong", func(*report.Report) {}, whole},
		{"a report that leaves out what passes as before says the same", without(func(c report.Change) bool { return c.Change == report.StillPassing }), whole},
		{"a case that no target answers otherwise is in no row", without(func(c report.Change) bool { return c.CaseID == "days" }), header + "; possible of “tone” pass pass fail"},
		{"a suite of which one target ran has nobody to stand beside", func(r *report.Report) {
			r.Suites, r.Changes = r.Suites[1:2], r.Changes[2:4]
		}, "Case careful"},
		{"a suite that names one target is not among them", func(r *report.Report) {
			for i := range r.Suites {
				r.Suites[i].SuiteID = strings.Replace(r.Suites[i].SuiteID, "@", "-", 1)
			}
		}, "Case"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.TargetsRun()
			c.edit(r)
			if got := inWords(targets(newStory(rendertest.SortChanges(r), rendertest.Links())).Table); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
