package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

// lay places the cases of a run in clusters on a ring. text returns each name that it needs.
func lay(r *report.Report, text func() string) {
	o := &observe.Observability{Version: "1", Cases: len(r.Changes), Total: len(r.Changes), TooFew: len(r.Changes) < 20}
	var failing []observe.CaseRef
	for i, c := range r.Changes {
		if c.Head == nil {
			continue
		}
		at, spread := float64(i%4)*math.Pi/2, float64(i%17)/40
		o.Points = append(o.Points, observe.Point{SuiteID: c.SuiteID, CaseID: c.CaseID, X: math.Cos(at) + spread*math.Sin(float64(i)),
			Y: math.Sin(at) + spread*math.Cos(float64(i*i)), Cluster: i % 4, Passed: c.Head.Right(), NewFailure: c.Change == report.Regressed})
		if !c.Head.Right() {
			failing = append(failing, observe.CaseRef{SuiteID: c.SuiteID, CaseID: c.CaseID})
		}
	}
	for k := 0; k+2 < len(failing) && k < 9; k += 3 {
		o.FailureGroups = append(o.FailureGroups, observe.FailureGroup{Terms: []model.Untrusted{model.Untrusted(text()), model.Untrusted(text()), "refund"},
			FailureMode: text(), Example: failing[k], HeadFailures: 3, BaseFailures: 1, New: slices.Repeat(failing[k:k+2], 3), StillFailing: failing[k+2 : k+3]})
		o.Neighbours = append(o.Neighbours, observe.Neighbour{Failure: failing[k], Passing: observe.CaseRef{SuiteID: text(), CaseID: text()}, Similarity: 0.42})
	}
	o.Content = observe.Geometry{Terms: 412, Clusters: 4, Silhouette: 0.31, PlaneShare: 0.44,
		MutualInformation: observe.MutualInformation{Category: &observe.Association{Adjusted: 0.57, PValue: 0.001}}}
	o.Labeled = o.Content
	r.Observability = o
}

func TestCasesByTheirWords(t *testing.T) {
	r := rendertest.FailedRun()
	lay(r, always("promise"))
	text := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{}))
	start := strings.Index(text, "## Cases by their words")
	end := start + 1 + strings.Index(text[start+1:], "\n## ") + 1
	if start < 0 || end < start {
		t.Fatalf("the page lacks its part on words:\n%s", text)
	}
	rendertest.Golden(t, "words.html.txt", text[start:end])
	if strings.Contains(text, "silhouette") {
		t.Error("the page has figures that so few cases do not bear")
	}
	r.Observability.TooFew = false
	if text := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{})); !strings.Contains(text, "silhouette") {
		t.Error("the page lacks the figures of clusters")
	}
}

func TestWordsOfCasesAreInert(t *testing.T) {
	for _, text := range rendertest.HostileTexts {
		r := rendertest.HostileRun(text, "x")
		lay(r, always(text))
		for _, fault := range pageFaults(writePage(t, r, rendertest.Links(), report.ResultFinders{})) {
			t.Errorf("%q: %s", text, fault)
		}
	}
}

func TestPointsKeepTheirProportionsInTheDrawing(t *testing.T) {
	point := func(x, y float64) observe.Point { return observe.Point{X: x, Y: y} }
	cases := []struct {
		rule   string
		points []observe.Point
		want   string
	}{
		{"the wider direction fills the drawing", []observe.Point{point(-1, 0), point(1, 0)}, "5,195 625,195"},
		{"up is up", []observe.Point{point(0, 1), point(0, -1)}, "315,5 315,385"},
		{"one scale for both", []observe.Point{point(0, 0), point(1, 0), point(0, 1)}, "125,385 505,385 125,5"},
		{"a single place is the middle", []observe.Point{point(3, 3), point(3, 3)}, "315,195 315,195"},
		{"what is no number stays inside", []observe.Point{point(math.NaN(), 0), point(1, math.Inf(1))}, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			place := fitPoints(c.points)
			var got []string
			for _, p := range c.points {
				x, y := place(p)
				if x < 0 || y < 0 || x > wordsWide-mapCell || y > wordsHigh-mapCell {
					t.Errorf("a sign lies at %d,%d, outside of %d by %d", x, y, wordsWide, wordsHigh)
				}
				got = append(got, fmt.Sprintf("%d,%d", x, y))
			}
			if want := strings.Fields(c.want); c.want != "" && !slices.Equal(got, want) {
				t.Errorf("signs lie at %v, want %v", got, want)
			}
		})
	}
}
