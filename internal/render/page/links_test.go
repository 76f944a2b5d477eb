package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func TestALinkToACaseIsMadeOfItsSuiteAndName(t *testing.T) {
	r := rendertest.FailedRun()
	before := writePage(t, r, rendertest.Links(), report.ResultFinders{})
	after := r.Changes
	added := rendertest.AddChange(r, report.Fixed, "a-case-before-it", rendertest.FailOutcome("x", "y"), rendertest.PassOutcome("x"))
	r.Changes = append([]report.Change{*added}, after...)
	for _, page := range []string{before, writePage(t, r, rendertest.Links(), report.ResultFinders{})} {
		for _, want := range []string{`<details class="case" id="case/support/refund/angry-customer"`, `<a href="#case/support/refund/angry-customer">Link to this case</a>`,
			`<tr id="all/case/support/refund/angry-customer"`} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %s", want)
			}
		}
	}
}

func TestCasesThatPassOpenToTheirAnswers(t *testing.T) {
	r := rendertest.PassedRun()
	for i := range 3 {
		rendertest.AddChange(r, report.StillPassing, fmt.Sprintf("quiet-%d", i), rendertest.PassOutcome(""), rendertest.PassOutcome(""))
	}
	find := func(c report.Change) (report.Result, bool, error) {
		return report.Result{Input: "May I?", RawResponse: model.Untrusted("You <may>. " + strings.Repeat("Yes. ", 1_000))}, c.CaseID != "quiet-1", nil
	}
	page := writePage(t, r, rendertest.Links(), report.ResultFinders{Head: find})
	if n := strings.Count(page, `<details class="quietly"><summary>answer</summary><div class="text asked" dir="auto">May I?</div><div class="text" dir="auto">You &lt;may&gt;. Yes.`); n != 2 {
		t.Errorf("%d answers of cases that pass stand on the page, want 2", n)
	}
	if len(page) > 200<<10 {
		t.Errorf("the page has %d bytes: answers are not cut", len(page))
	}
	if strings.Contains(writePage(t, r, rendertest.Links(), report.ResultFinders{}), `class="quietly"`) {
		t.Error("there are answers where no results are at hand")
	}
}

func TestAnswersOfCasesThatPassHaveABudget(t *testing.T) {
	r := rendertest.PassedRun()
	for i := range 2_500 {
		rendertest.AddChange(r, report.StillPassing, fmt.Sprintf("quiet-%d", i), rendertest.PassOutcome(""), rendertest.PassOutcome(""))
	}
	long := says(func(report.Change) string { return strings.Repeat("A long answer. ", 100) })
	page := writePage(t, r, rendertest.Links(), report.ResultFinders{Head: long})
	if n := strings.Count(page, `class="quietly"`); n*maxPassingAnswer < maxPassingBytes-maxPassingAnswer || n*maxPassingAnswer > maxPassingBytes+maxPassingAnswer {
		t.Errorf("%d answers of 1 KB are shown, want some %d", n, maxPassingBytes/maxPassingAnswer)
	}
	short := says(func(report.Change) string { return "Yes." })
	if n := strings.Count(writePage(t, r, rendertest.Links(), report.ResultFinders{Head: short}), `class="quietly"`); n != maxPassingReads {
		t.Errorf("%d short answers are shown, want %d", n, maxPassingReads)
	}
}

func TestAnswersThatAPersonHasToLookAtAreListed(t *testing.T) {
	r := rendertest.PassedRun()
	loose := rendertest.PassOutcome("Whatever you say.")
	loose.Details = &classify.Details{Unverified: true}
	rendertest.AddChange(r, report.New, "nobody-judged", nil, loose)
	before, now := rendertest.PassOutcome("A full answer."), rendertest.PassOutcome("A meagre answer.")
	before.OverallScore, now.OverallScore = rendertest.Ptr(0.97), rendertest.Ptr(0.88)
	rendertest.AddChange(r, report.StillPassing, "meagre", before, now)
	text := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{}))
	for _, want := range []string{"## 1 passing answer that got worse", "passes, but its overall score fell from 97% to 88%", "A meagre answer.",
		"## 1 answer that a person has to look at", "nothing to hold the answer to", "Whatever you say."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestARowHasWhatASearchAsksForAndWhatItsAnswerTook(t *testing.T) {
	r := rendertest.PassedRun()
	base, head := rendertest.PassOutcome(""), rendertest.PassOutcome("")
	base.LatencyMS, head.LatencyMS, head.CostUSD = rendertest.Ptr(int64(400)), rendertest.Ptr(int64(1_200)), rendertest.Ptr(0.002)
	c := rendertest.AddChange(r, report.StillPassing, "slow", base, head)
	c.Tags, c.Reworded = []string{"Billing", "vip"}, true
	rendertest.AddChange(r, report.StillPassing, "same", rendertest.PassOutcome(""), rendertest.PassOutcome(""))
	page := writePage(t, r, rendertest.Links(), report.ResultFinders{})
	for _, want := range []string{"data-k=\"passing\" data-g=\"medium\" data-t=\"\tbilling\tvip\" data-d>", `<td data-n="1200">1.2 s, 0.0020 USD <small>400 ms before</small></td>`,
		`id="all/case/support/refund/same" data-k="passing" data-g="medium">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
