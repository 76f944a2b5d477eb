package story

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// TestWhatChangedIsSaidOfEachReason checks that each reason that brings a suite into scope has its own words.
func TestWhatChangedIsSaidOfEachReason(t *testing.T) {
	for _, why := range []suite.ReasonKind{suite.ModelChanged, suite.OtherTarget, suite.RequestChanged, suite.InputChanged, suite.ExpectationChanged, suite.AnswerChanged, suite.RecordingChanged,
		suite.TargetChanged, suite.CaseAdded, suite.CaseRemoved, suite.CaseMovedIn, suite.NewSuite, suite.RemovedSuite, suite.TargetAdded,
		suite.TargetRemoved, "anything else"} {
		r := rendertest.PassedRun()
		r.Suites[0].Why = []report.ScopeReason{{Why: string(why), Cases: 2}, {Why: string(suite.CaseMovedOut), Cases: 1}}
		want := map[suite.ReasonKind]string{
			suite.ModelChanged:       "the model or a parameter of 2 cases changed in “support/refund”",
			suite.OtherTarget:        "the target of 2 cases changed in “support/refund”",
			suite.RequestChanged:     "the request of 2 cases changed in “support/refund”",
			suite.InputChanged:       "2 changed inputs",
			suite.ExpectationChanged: "2 changed expectations",
			suite.AnswerChanged:      "recorded answers of 2 cases changed in “support/refund”",
			suite.RecordingChanged:   "the recordings of 2 cases changed in “support/refund”",
			suite.TargetChanged:      "the target of 2 recorded cases changed in “support/refund”",
			suite.CaseAdded:          "2 new cases",
			suite.CaseRemoved:        "2 removed cases",
			suite.CaseMovedIn:        "2 moved cases",
			suite.NewSuite:           "new: “support/refund”",
			suite.RemovedSuite:       "removed: “support/refund”",
			suite.TargetAdded:        "new target: “support/refund”",
			suite.TargetRemoved:      "asked no more: “support/refund”",
			"anything else":          "anything else in 1 suite",
		}[why]
		if got := changeSummary(newStory(rendertest.SortChanges(r), show.Links{})).Plain(show.NameRunes); got != want {
			t.Errorf("%s: %q, want %q", why, got, want)
		}
	}
}

// TestChangedAnswersAreSaidUnlessWhatIsAskedChanged checks that recorded answers are named unless so many cases ask
// something else. Another expectation needs no other answer.
func TestChangedAnswersAreSaidUnlessWhatIsAskedChanged(t *testing.T) {
	for _, c := range []struct {
		before        suite.ReasonKind
		asks, answers int
		want          string
	}{
		{suite.ExpectationChanged, 4, 2, "recorded answers of 2 cases changed in “support/refund”; 4 changed expectations"},
		{suite.InputChanged, 1, 2, "recorded answers of 2 cases changed in “support/refund”; 1 changed input"},
		{suite.InputChanged, 2, 2, "2 changed inputs"},
		{suite.OtherTarget, 2, 1, "the target of 2 cases changed in “support/refund”"},
	} {
		r := rendertest.PassedRun()
		r.Suites[0].Why = []report.ScopeReason{{Why: string(c.before), Cases: c.asks}, {Why: string(suite.AnswerChanged), Cases: c.answers}}
		if got := changeSummary(newStory(rendertest.SortChanges(r), show.Links{})).Plain(show.NameRunes); got != c.want {
			t.Errorf("%s: %q, want %q", c.before, got, c.want)
		}
	}
}

func TestALongSettingShowsWhatDiffers(t *testing.T) {
	long := strings.Repeat("a word ", 100)
	if got := settingChange(config.Change{Key: "k", Base: long + "small" + long, Head: long + "large" + long}, show.QuoteRunes).Plain(show.QuoteRunes); !strings.Contains(got, "small") || !strings.Contains(got, "large") {
		t.Errorf("a changed setting is told by %s", got)
	}
}

func TestWhatCameOfAskingAgain(t *testing.T) {
	is := func(state string, broken bool) report.Candidate {
		return report.Candidate{State: state, Likely: broken}
	}
	wrong, cleared, likely := is(report.CandidateConfirmed, false), is(report.CandidateCleared, false), is(report.CandidateCleared, true)
	for _, c := range []struct {
		suspects []report.Candidate
		want     string
	}{
		{[]report.Candidate{wrong}, "1 flipped answer was wrong again when asked again"},
		{[]report.Candidate{wrong, wrong}, "2 flipped answers were wrong again when asked again"},
		{[]report.Candidate{cleared}, "1 answer flipped, which asking again did not confirm"},
		{[]report.Candidate{cleared, cleared}, "2 answers flipped, which asking again did not confirm"},
		{[]report.Candidate{likely}, "1 flipped answer looks broken, which is not proven"},
		{[]report.Candidate{wrong, cleared, likely}, "1 of 3 flipped answers was wrong again when asked again, 1 of 3 flipped answers looks broken, which is not proven"},
		{[]report.Candidate{wrong, is(report.CandidateIncomplete, false)}, "1 of 2 flipped answers was wrong again when asked again, 1 of 2 flipped answers could not be asked again to the end"},
	} {
		if got := rerunSummary(c.suspects); got != c.want {
			t.Errorf("of %v: %q, want %q", c.suspects, got, c.want)
		}
	}
}

// TestStrictModeIsSaidOfAnswersThatAModelDrew checks that mode strict is named for live answers, and for recorded ones
// of a model that broke.
func TestStrictModeIsSaidOfAnswersThatAModelDrew(t *testing.T) {
	recorded := func(sampled bool) *report.Report {
		r := rendertest.FailedRun()
		r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 45}
		r.Gate = &config.Gate{Mode: config.ModeStrict}
		rendertest.EditChanges(r, func(_ int, c *report.Change) { c.Sampled = sampled })
		return r
	}
	const drawn = "`mode: strict` takes each answer as it was drawn, so a flip may be chance"
	for _, c := range []struct {
		rule string
		r    *report.Report
		want bool
	}{
		{"live answers", strictLiveRun(), true},
		{"recorded answers of a model", recorded(true), true},
		{"answers that a person wrote", recorded(false), false},
	} {
		if got := certainty(newStory(rendertest.SortChanges(c.r), show.Links{})); (got == drawn) != c.want {
			t.Errorf("%s: %q", c.rule, got)
		}
	}
}
