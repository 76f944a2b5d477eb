package page

import (
	"strconv"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestOfTooManyCasesTheMapSaysHowManyAreNotDrawn(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	for i := range mapSigns + 3 {
		r.Changes = append(r.Changes, report.Change{SuiteID: r.Suites[0].SuiteID, CaseID: strconv.Itoa(i), Kind: report.KindPassing})
	}
	if m := newPrinter(story.New(r, rendertest.Links()), report.ResultFinders{}).caseMap(); m.More != "3 cases" {
		t.Errorf("%q are not drawn", m.More)
	}
}
