package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(r *report.Report)
		want   string // "" for no line
	}{
		{"new failures that look alike are one line", func(*report.Report) {}, "- 5 new failures are not of the expected format: all begin with `Sure, here is the`, e.g. "},
		{"answers that begin otherwise are told by their words", func(r *report.Report) {
			rendertest.EditChanges(r, func(_ int, c *report.Change) {
				if c.CaseID == "angry-customer" {
					c.Head.Excerpt = "Here is the JSON"
				}
			})
		}, "- 5 new failures are not of the expected format: what marks them is `json`, `sure`, `complaint`, e.g. "},
		{"a group with no word to name it says nothing", func(r *report.Report) { r.Observability.FailureGroups[0].Terms = nil }, ""},
		{"what fewer than five share may be chance", func(r *report.Report) {
			g := &r.Observability.FailureGroups[0]
			g.New = g.New[:4]
		}, ""},
		{"failures of the base too are no news", func(r *report.Report) { r.Observability.FailureGroups = r.Observability.FailureGroups[1:] }, ""},
		{"without a base they are all there is", func(r *report.Report) {
			r.Run.Base, r.Run.BaseState = nil, report.BaseNone
			r.Observability.FailureGroups = r.Observability.FailureGroups[1:]
		}, "- 5 failing cases look alike: "},
		{"nothing is said of what was not observed", func(r *report.Report) { r.Observability = nil }, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.FailureGroupsRun()
			c.change(r)
			got := Markdown(storyOf(r, rendertest.Links()))
			if said := (strings.Contains(got, "look alike") || strings.Contains(got, "not of the expected format:")); said != (c.want != "") || !strings.Contains(got, c.want) {
				t.Errorf("comment is\n%s\nwant %q in it", got, c.want)
			}
		})
	}
}
