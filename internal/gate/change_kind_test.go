package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

func TestEachChangeHasOneKind(t *testing.T) {
	right, wrong, none := &report.Outcome{Trials: 1, Passed: 1}, &report.Outcome{Trials: 1}, &report.Outcome{Trials: 1, Unscored: 1}
	most, fewer := &report.Outcome{Trials: 3, Passed: 3}, &report.Outcome{Trials: 3, Passed: 2}
	scored := func(overall float64) *report.Outcome {
		return &report.Outcome{Trials: 1, Passed: 1, OverallScore: &overall}
	}
	unjudged := func(text string) *report.Outcome {
		return &report.Outcome{Trials: 1, Passed: 1, Excerpt: model.Untrusted(text), Details: &classify.Details{Unverified: true}}
	}
	under := classify.Fail
	edited := &report.Outcome{Trials: 1, Passed: 1, UnderBase: &under}
	for _, c := range []struct {
		rule string
		c    report.Change
		fell bool
		want report.Kind
	}{
		{"what passed and does not", report.Change{Change: report.Regressed, Base: right, Head: wrong}, false, report.KindRegressed},
		{"what is in quarantine decides nothing", report.Change{Change: report.Regressed, Base: right, Head: wrong, Quarantined: true}, false, report.KindFlaky},
		{"a case that passed and was removed", report.Change{Change: report.Removed, Base: right}, false, report.KindMayHide},
		{"a case that failed and was removed", report.Change{Change: report.Removed, Base: wrong}, false, report.KindRemoved},
		{"an edited expectation that hides a failure", report.Change{Change: report.Redefined, Base: right, Head: edited}, false, report.KindMayHide},
		{"another question in place of one that was answered right", report.Change{Change: report.Redefined, Base: right, Head: right, BaseVersion: &report.BaseVersion{InputChanged: true}}, false, report.KindMayHide},
		{"another question in place of one that was mostly answered right", report.Change{Change: report.Redefined, Base: fewer, Head: most, BaseVersion: &report.BaseVersion{InputChanged: true}}, false, report.KindMayHide},
		{"another question with a wrong answer", report.Change{Change: report.Redefined, Base: most, Head: fewer, BaseVersion: &report.BaseVersion{InputChanged: true}}, false, report.KindFailing},
		{"another question in place of one that was not", report.Change{Change: report.Redefined, Base: wrong, Head: right, BaseVersion: &report.BaseVersion{InputChanged: true}}, false, report.KindRedefined},
		{"an edited expectation that hides none", report.Change{Change: report.Redefined, Base: right, Head: right}, false, report.KindRedefined},
		{"fewer right answers where the whole fell", report.Change{Change: report.Flaky, Base: most, Head: fewer}, true, report.KindFell},
		{"fewer right answers where it did not", report.Change{Change: report.Flaky, Base: most, Head: fewer}, false, report.KindFlaky},
		{"as many right answers where the whole fell", report.Change{Change: report.StillPassing, Base: most, Head: most}, true, report.KindPassing},
		{"a must-pass case does not hide in the fall", report.Change{Change: report.Flaky, Base: most, Head: fewer, MustPass: true}, true, report.KindFailing},
		{"fresh runs take a must-pass failure back", report.Change{CaseID: "cleared", Change: report.Flaky, Base: right, Head: wrong, MustPass: true}, false, report.KindFlaky},
		{"wrong on both sides", report.Change{Change: report.StillFailing, Base: wrong, Head: wrong}, false, report.KindFailing},
		{"new and wrong", report.Change{Change: report.New, Head: wrong}, false, report.KindFailing},
		{"new and right", report.Change{Change: report.New, Head: right}, false, report.KindNew},
		{"an answer that did not come", report.Change{Change: report.Errored, Base: right, Head: none}, false, report.KindMissing},
		{"only the base has none", report.Change{Change: report.Errored, Base: none, Head: right}, false, report.KindPassing},
		{"fixed", report.Change{Change: report.Fixed, Base: wrong, Head: right}, false, report.KindFixed},
		{"a right answer that was kept by hand is read by a person", report.Change{Change: report.StillPassing, Base: right, Head: right, KeptByHand: true}, false, report.KindReview},
		{"so is one that is cut and was whole", report.Change{Change: report.StillPassing, Base: right, Head: right, Truncated: true}, false, report.KindReview},
		{"answers that nothing judged, in other words", report.Change{Change: report.StillPassing, Base: unjudged("a"), Head: unjudged("b")}, false, report.KindReview},
		{"answers that nothing judged, in the same words", report.Change{Change: report.StillPassing, Base: unjudged("a"), Head: unjudged("a")}, false, report.KindPassing},
		{"an answer that nothing judges any more", report.Change{Change: report.StillPassing, Base: right, Head: unjudged("")}, false, report.KindReview},
		{"a new answer that nothing judged", report.Change{Change: report.New, Head: unjudged("a")}, false, report.KindReview},
		{"so is one that nothing judged and that was kept by hand", report.Change{Change: report.StillPassing, Base: unjudged("a"), Head: unjudged("a"), KeptByHand: true}, false, report.KindReview},
		{"a wrong answer that was kept by hand fails", report.Change{Change: report.StillFailing, Base: wrong, Head: wrong, KeptByHand: true}, false, report.KindFailing},
		{"a passing answer whose metrics fell", report.Change{Change: report.StillPassing, Base: scored(0.9), Head: scored(0.85)}, false, report.KindWorse},
		{"a little less is no fall", report.Change{Change: report.StillPassing, Base: scored(0.9), Head: scored(0.86)}, false, report.KindPassing},
		{"nor is a rise", report.Change{Change: report.StillPassing, Base: scored(0.8), Head: scored(0.9)}, false, report.KindPassing},
		{"a fixed answer cannot have fallen", report.Change{Change: report.Fixed, Base: scored(0.9), Head: scored(0.5)}, false, report.KindFixed},
		{"a case that still fails, and more often, where the whole fell", report.Change{Change: report.StillFailing, Base: fewer, Head: wrong}, true, report.KindFell},
		{"a new wrong answer is no part of a fall", report.Change{Change: report.New, Head: wrong}, true, report.KindFailing},
		{"nor is one with another expectation", report.Change{Change: report.Redefined, Base: most, Head: fewer}, true, report.KindFailing},
		{"a flaky answer that did not come", report.Change{Change: report.Flaky, Base: right, Head: none}, false, report.KindFlaky},
		{"a must-pass failure that fresh runs did not take back", report.Change{CaseID: "open", Change: report.Flaky, Base: right, Head: wrong, MustPass: true}, false, report.KindFailing},
		{"as before", report.Change{Change: report.StillPassing, Base: right, Head: right}, false, report.KindPassing},
		{"a status that is none, in a report that somebody wrote by hand", report.Change{Change: "removed\n", Base: right, Head: right}, false, report.KindPassing},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rep := &report.Report{Run: report.Run{BaseState: report.BaseCompared}, Changes: []report.Change{c.c}, Statistics: &report.Statistics{Noise: &report.Noise{
				Confirm: &report.ConfirmTest{Candidates: []report.Candidate{{CaseID: "cleared", State: report.CandidateCleared}, {CaseID: "open", State: report.CandidateIncomplete}}}}}}
			if setKinds(rep, c.fell); rep.Changes[0].Kind != c.want {
				t.Errorf("kind = %s, want %s", rep.Changes[0].Kind, c.want)
			}
		})
	}
}

func TestWithoutABaseNothingRegresses(t *testing.T) {
	rep := &report.Report{Changes: []report.Change{
		{Change: report.Regressed, Head: &report.Outcome{Trials: 1}}, {Change: report.New, Head: &report.Outcome{Trials: 1, Passed: 1}}}}
	setKinds(rep, true)
	if rep.Changes[0].Kind != report.KindFailing || rep.Changes[1].Kind != report.KindPassing {
		t.Errorf("kinds = %s, %s", rep.Changes[0].Kind, rep.Changes[1].Kind)
	}
}

func TestOfCasesThatGotWorseTogetherTheRerunsSayWhich(t *testing.T) {
	right, wrong := &report.Outcome{Trials: 1, Passed: 1}, &report.Outcome{Trials: 1}
	for _, c := range []struct {
		rule       string
		base, head int // right answers of 8 reruns
		mustPass   bool
		proven     bool
		want       report.Kind
	}{
		{"worse reruns", 8, 6, false, true, report.KindFell},
		{"worse reruns of a must-pass case", 8, 6, true, true, report.KindFell},
		{"equal reruns", 8, 8, false, true, report.KindFlaky},
		{"equal reruns where the suite as a whole fell", 8, 8, false, false, report.KindFell},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rep := &report.Report{Run: report.Run{BaseState: report.BaseCompared}, Changes: []report.Change{{CaseID: "c", Change: report.Flaky, Base: right, Head: wrong, MustPass: c.mustPass}},
				Statistics: &report.Statistics{Noise: &report.Noise{Confirm: &report.ConfirmTest{Pooled: &report.PooledTest{Proven: c.proven},
					Candidates: []report.Candidate{{CaseID: "c", State: report.CandidateCleared, Rounds: 8, BasePasses: c.base, HeadPasses: c.head}}}}}}
			if setKinds(rep, true); rep.Changes[0].Kind != c.want {
				t.Errorf("kind = %s, want %s", rep.Changes[0].Kind, c.want)
			}
		})
	}
}

// setKinds sets the kinds of a report in which the score of a suite fell or did not.
func setKinds(rep *report.Report, fell bool) {
	if fell {
		rep.Reasons = []report.Reason{{Code: gate.Drop.Code}}
	}
	gate.SetChangeKinds(rep)
}
