package render

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/report"
)

// alikeRun is a failed run in which two of three new failures say the same.
func alikeRun() *report.Report {
	r := failedRun()
	add(r, report.Regressed, "angry-parcel", passOutcome("{}"), failOutcome("a parcel", "Sure, here is the JSON"))
	ref := func(id string) observe.CaseRef { return observe.CaseRef{SuiteID: "support/refund", CaseID: id} }
	r.Observability = &observe.Observability{
		Cases: 45, Of: 45,
		Points: []observe.Point{{CaseID: "angry-customer", New: true}, {CaseID: "angry-parcel", New: true},
			{CaseID: "refund-over-limit", New: true}, {CaseID: "known-issue"}, {CaseID: "late-parcel", Passed: true}},
		FailureGroups: []observe.FailureGroup{{
			Terms: []model.Untrusted{"json", "sure", "complaint", "urgency"}, Mode: "wrong_format", Example: ref("angry-customer"),
			HeadFailures: 2, New: []observe.CaseRef{ref("angry-customer"), ref("angry-parcel")},
		}, {
			Terms: []model.Untrusted{"voucher"}, Example: ref("known-issue"), HeadFailures: 2, BaseFailures: 2,
			Still: []observe.CaseRef{ref("known-issue"), ref("known-other")},
		}},
		Neighbours: []observe.Neighbour{{Failure: ref("angry-customer"), Passing: ref("late-parcel"), Similarity: 0.4, Category: true}},
	}
	return r
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(r *report.Report)
		want   string // "" for no line
	}{
		{"new failures that look alike are one line", func(*report.Report) {}, "2 of 3 new failures look alike: `json`, `sure`, `complaint` (`wrong_format`), e.g. "},
		{"the case that still passes and is most like the example is named", func(*report.Report) {}, "(the passing case most like it: [late-parcel]("},
		{"all of them are said to be all", func(r *report.Report) { r.Observability.Points = r.Observability.Points[:2] }, "All 2 new failures look alike: "},
		{"in a sample the number of all is not known", func(r *report.Report) { r.Observability.Of = 46 }, "\n2 new failures look alike: "},
		{"a group with no word to name it says nothing", func(r *report.Report) { r.Observability.FailureGroups[0].Terms = nil }, ""},
		{"one new failure is like nothing", func(r *report.Report) {
			g := &r.Observability.FailureGroups[0]
			g.New = g.New[:1]
		}, ""},
		{"failures of the base too are no news", func(r *report.Report) { r.Observability.FailureGroups = r.Observability.FailureGroups[1:] }, ""},
		{"without a base they are all there is", func(r *report.Report) {
			r.Run.Base, r.Run.BaseState = nil, report.BaseNone
			r.Observability.FailureGroups = r.Observability.FailureGroups[1:]
		}, "2 of 4 failing cases look alike: `voucher`, e.g. "},
		{"nothing is said of what was not observed", func(r *report.Report) { r.Observability = nil }, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := alikeRun()
			c.change(r)
			got := Comment(r, links())
			if said := strings.Contains(got, "look alike"); said != (c.want != "") || !strings.Contains(got, c.want) {
				t.Errorf("comment is\n%s\nwant %q in it", got, c.want)
			}
		})
	}
}
