package story

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func inWords(t *Targets) string {
	if t == nil {
		return "none"
	}
	var out []string
	for _, s := range t.Suites {
		var cells []string
		for _, c := range s.Cells {
			text := "–"
			if c != nil {
				text = fmt.Sprint(*c.Score)
			}
			cells = append(cells, text)
		}
		out = append(out, s.Name+" "+strings.Join(cells, " "))
	}
	for _, c := range t.Cases {
		var cells []string
		for _, one := range c.Cells {
			switch {
			case one == nil:
				cells = append(cells, "–")
			case one.Head.Right():
				cells = append(cells, "right")
			default:
				cells = append(cells, "wrong")
			}
		}
		out = append(out, c.Suite+"/"+c.ID+" "+strings.Join(cells, " "))
	}
	return strings.Join(t.Names, " ") + ": " + strings.Join(out, "; ")
}

func TestTargetsAreSetSideBySide(t *testing.T) {
	const whole = "fast careful gpt-4.1: support/refund 1 0.5 –; tone 1 1 0.5; support/refund/days right wrong –; tone/possible right right wrong"
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
		{"a case that no target answers otherwise is in no row", without(func(c report.Change) bool { return c.CaseID == "days" }),
			"fast careful gpt-4.1: support/refund 1 0.5 –; tone 1 1 0.5; tone/possible right right wrong"},
		{"a suite of which one target ran has nobody to stand beside", func(r *report.Report) {
			r.Suites, r.Changes = r.Suites[1:2], r.Changes[2:4]
		}, "none"},
		{"a suite that names one target is not among them", func(r *report.Report) {
			for i := range r.Suites {
				r.Suites[i].SuiteID = strings.Replace(r.Suites[i].SuiteID, "@", "-", 1)
			}
		}, "none"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.TargetsRun()
			c.edit(r)
			if got := inWords(sideBySide(rendertest.View(r, rendertest.Links()))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
