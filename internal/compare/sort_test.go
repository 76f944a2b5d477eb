package compare

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

func TestEachChangeHasOneKind(t *testing.T) {
	right, wrong, none := &report.Outcome{Trials: 1, Passed: 1}, &report.Outcome{Trials: 1}, &report.Outcome{Trials: 1, Unscored: 1}
	most, fewer := &report.Outcome{Trials: 3, Passed: 3}, &report.Outcome{Trials: 3, Passed: 2}
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
		{"a case that passed and was removed", report.Change{Change: report.Removed, Base: right}, false, report.KindHidden},
		{"a case that failed and was removed", report.Change{Change: report.Removed, Base: wrong}, false, report.KindRemoved},
		{"an edited expectation that hides a failure", report.Change{Change: report.Redefined, Base: right, Head: edited}, false, report.KindHidden},
		{"another question in place of one that was answered right", report.Change{Change: report.Redefined, Base: right, Head: right, Before: &report.Before{OtherInput: true}}, false, report.KindHidden},
		{"another question in place of one that was not", report.Change{Change: report.Redefined, Base: wrong, Head: right, Before: &report.Before{OtherInput: true}}, false, report.KindRedefined},
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
		{"so is one that is cut and was whole", report.Change{Change: report.StillPassing, Base: right, Head: right, Cut: true}, false, report.KindReview},
		{"as before", report.Change{Change: report.StillPassing, Base: right, Head: right}, false, report.KindPassing},
		{"a status that is none, in a report that somebody wrote by hand", report.Change{Change: "removed\n", Base: right, Head: right}, false, report.KindPassing},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rep := &report.Report{Run: report.Run{BaseState: report.BaseCompared}, Changes: []report.Change{c.c}, Statistics: &report.Statistics{Noise: &report.Noise{
				Confirm: &report.ConfirmLook{Suspects: []report.Suspect{{CaseID: "cleared", State: report.SuspectCleared}}}}}}
			if Sort(rep, c.fell); rep.Changes[0].Kind != c.want {
				t.Errorf("kind = %s, want %s", rep.Changes[0].Kind, c.want)
			}
		})
	}
}

func TestWithoutABaseNothingRegresses(t *testing.T) {
	rep := &report.Report{Changes: []report.Change{
		{Change: report.Regressed, Head: &report.Outcome{Trials: 1}}, {Change: report.New, Head: &report.Outcome{Trials: 1, Passed: 1}}}}
	Sort(rep, true)
	if rep.Changes[0].Kind != report.KindFailing || rep.Changes[1].Kind != report.KindPassing {
		t.Errorf("kinds = %s, %s", rep.Changes[0].Kind, rep.Changes[1].Kind)
	}
}
