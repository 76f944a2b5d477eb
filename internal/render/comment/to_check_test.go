package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

// TestLookCountsLooseAnswers checks the plural for several answers that nothing judged.
func TestLookCountsLooseAnswers(t *testing.T) {
	r := rendertest.ReviewRun()
	loose := *r.Changes[len(r.Changes)-1].Head
	rendertest.AddChange(r, report.New, "weather", nil, &loose)
	if page := Markdown(storyOf(r, rendertest.Links())); !strings.Contains(page, "⚠️ **2 answers that nothing judged**") {
		t.Errorf("no plural in:\n%s", page)
	}
}

func TestOnlyWhatWasJudgedIsCalledRight(t *testing.T) {
	r := rendertest.PassedRun()
	row := &r.Suites[0]
	all := func(unverified, byHand int) string {
		r.Unverified, r.KeptByHand, row.Unverified, row.KeptByHand = unverified, byHand, unverified, byHand
		return Markdown(storyOf(r, rendertest.Links()))
	}
	if page := all(0, 0); !strings.Contains(page, "<sub>42 of 45 right</sub>") || strings.Contains(page, "not judged") {
		t.Errorf("all are judged:\n%s", page)
	}
	if page := all(4, 0); !strings.Contains(page, "38 of 45 right, 4 not judged") || strings.Contains(page, "42 of 45 right") {
		t.Errorf("four are not:\n%s", page)
	}
	if page := all(4, 4); !strings.Contains(page, "42 of 45 right, 4 kept by hand") || strings.Contains(page, "not judged") {
		t.Errorf("four were kept by hand, and judged:\n%s", page)
	}
}

// TestNothingIsClaimedOfAnswersInOtherWords checks that reworded answers are not called right, because one may lose a
// key fact or make a forbidden claim and still pass.
func TestNothingIsClaimedOfAnswersInOtherWords(t *testing.T) {
	r := rendertest.PassedRun()
	r.Reworded = &report.Reworded{Passing: 40, Changed: 3, SuiteID: "support/refund", CaseID: "a", Before: "old", Now: "new"}
	page := Markdown(storyOf(r, rendertest.Links()))
	if !strings.Contains(page, "3 reworded answers") || strings.Contains(page, "missed") {
		t.Errorf("in:\n%s", page)
	}
}
