package story_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestWhatARedefinedCaseWasStandsBesideWhatItIs(t *testing.T) {
	long := strings.Repeat("many words before ", 20)
	nine, web, kind := expect.Requirement{Criterion: "assert", Expected: "9 am"}, expect.Requirement{Criterion: "assert", Expected: "website"}, expect.Requirement{Criterion: "expected_format", Expected: "json"}
	for _, c := range []struct {
		rule string
		c    report.Change
		want string
	}{
		{"an expectation without what both sides expect", report.Change{Expected: []expect.Requirement{kind, web}, BaseVersion: &report.BaseVersion{Expected: []expect.Requirement{kind, nine}}},
			"Expected before: assert “9 am”\nExpected now: assert “website”"},
		{"one that was taken away", report.Change{Expected: []expect.Requirement{kind}, BaseVersion: &report.BaseVersion{Expected: []expect.Requirement{kind, nine}}},
			"Expected before: assert “9 am”\nExpected now: the same without this"},
		{"the only one", report.Change{BaseVersion: &report.BaseVersion{Expected: []expect.Requirement{nine}}}, "Expected before: assert “9 am”\nExpected now: nothing"},
		{"long ones where they differ", report.Change{Expected: []expect.Requirement{{Criterion: "assert", Expected: long + "now"}}, BaseVersion: &report.BaseVersion{
			Expected: []expect.Requirement{{Criterion: "assert", Expected: long + "then"}}}},
			"Expected before: assert “… many words before many words before then”\nExpected now: assert “… many words before many words before now”"},
		{"a question", report.Change{Input: "Easy?", BaseVersion: &report.BaseVersion{InputChanged: true, Input: "Hard\n?"}}, "Asked before: “Hard · ?”\nAsked now: “Easy?”"},
		{"long questions where they differ", report.Change{Input: model.Untrusted(long + "now"), BaseVersion: &report.BaseVersion{InputChanged: true, Input: model.Untrusted(long + "then")}},
			"Asked before: “… before many words before many words before many words before many words before then”\n" +
				"Asked now: “… before many words before many words before many words before many words before now”"},
		{"a variable that only a check reads, and no question", report.Change{Input: "Same", Expected: []expect.Requirement{{Criterion: "vars.to_do", Expected: "approve"}}, BaseVersion: &report.BaseVersion{
			InputChanged: true, Input: "Same", Expected: []expect.Requirement{{Criterion: "vars.to_do", Expected: "deny"}}}}, "Expected before: vars.to_do “deny”\nExpected now: vars.to_do “approve”"},
		{"a question that looks the same", report.Change{Input: "Same", Expected: []expect.Requirement{nine}, BaseVersion: &report.BaseVersion{InputChanged: true, Input: "Same", Expected: []expect.Requirement{nine}}},
			"Edited: a part of the input that is not shown"},
		{"another order", report.Change{Expected: []expect.Requirement{nine, web}, BaseVersion: &report.BaseVersion{Expected: []expect.Requirement{web, nine}}}, ""},
		{"nothing of what stayed", report.Change{Input: "Same", Expected: []expect.Requirement{nine}, BaseVersion: &report.BaseVersion{Input: "Same", Expected: []expect.Requirement{nine}}}, ""},
		{"what the base expects is not known", report.Change{Expected: []expect.Requirement{nine}, BaseVersion: &report.BaseVersion{}}, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var lines []string
			for _, e := range story.Edits(c.c) {
				lines = append(lines, e.Label+": "+e.Text.Plain(100))
			}
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("edits:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestARedefinedCaseThatWasRightIsToldLikeANewFailure(t *testing.T) {
	side := func(passed int) *report.Outcome {
		return &report.Outcome{Primary: classify.Fail, Passed: passed, Trials: 1}
	}
	score := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		rule      string
		was, is   int
		delta     float64
		title, by string
	}{
		{"it fails now", 1, 0, 0, "Passed with warnings: 1 redefined case fails; 0 of 1 answer right", " because 1 case was redefined"},
		{"something else moved too", 1, 0, 0.1, "Passed with warnings: 1 redefined case fails; 0 of 1 answer right", " partly because 1 case was redefined"},
		{"it was wrong before", 0, 0, 0, "No answer broke: 0 of 1 answer right", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := &report.Report{Verdict: report.Passed, Cases: 1, Trials: 1, PassedCases: c.is, Delta: &c.delta, DeltaCases: 1, RunScore: score(0.5), BaseRunScore: score(1),
				Counts: map[report.Status]int{report.Redefined: 1}, Run: report.Run{BaseState: report.BaseCompared},
				Changes: []report.Change{{SuiteID: "s", CaseID: "a", Change: report.Redefined, Kind: report.KindFailing, Base: side(c.was), Head: side(c.is)}}}
			v := story.New(r, show.Links{})
			if v.Title != c.title {
				t.Errorf("title %q, want %q", v.Title, c.title)
			}
			want := "score 100% → 50%" + c.by
			if got := show.JoinPhrases(" · ", v.Summary).Plain(100); !strings.Contains(got, want) || c.by == "" && strings.Contains(got, "because") {
				t.Errorf("summary %q, want %q in it", got, want)
			}
		})
	}
}

func TestACaseThatIsRightLessOftenIsNoUnbrokenAnswer(t *testing.T) {
	side := func(passed int) *report.Outcome {
		return &report.Outcome{Primary: classify.Fail, Passed: passed, Trials: 3}
	}
	for was, want := range map[int]string{3: "No answer is proven broken: 0 of 1 case always right; 1 case right less often than before", 2: "No answer broke: 0 of 1 case always right"} {
		r := &report.Report{Verdict: report.Passed, Cases: 1, Trials: 3, DeltaCases: 1, Counts: map[report.Status]int{report.StillPassing: 1}, Run: report.Run{BaseState: report.BaseCompared},
			Changes: []report.Change{{SuiteID: "s", CaseID: "a", Change: report.StillPassing, Kind: report.KindFailing, Base: side(was), Head: side(2)}}}
		if got := story.New(r, show.Links{}).Title; got != want {
			t.Errorf("%d of 3 before: title %q, want %q", was, got, want)
		}
	}
}

func TestACaseWithAnotherInputAloneHasNoEditedExpectation(t *testing.T) {
	r, fails := rendertest.PassedRun(), classify.Fail
	c := rendertest.AddChange(r, report.Regressed, "greet", rendertest.PassOutcome("ok"), rendertest.FailOutcome("ok", "no"))
	c.Head.UnderBase = &fails
	c.Expected = []expect.Requirement{{Criterion: "contains", Expected: "ok"}}
	for _, tt := range []struct {
		before *report.BaseVersion
		want   string
	}{
		{&report.BaseVersion{InputChanged: true, Expected: c.Expected}, "asks something else than before"},
		{&report.BaseVersion{InputChanged: true, Expected: []expect.Requirement{{Criterion: "contains", Expected: "yes"}}}, "redefined, and meets neither the new expectation nor the old one"},
	} {
		c.BaseVersion = tt.before
		if _, missed := story.New(r, show.Links{}).MissedExpectation(*c); !strings.HasSuffix(missed.Plain(100), tt.want) {
			t.Errorf("it misses %q, want %q at the end", missed.Plain(100), tt.want)
		}
	}
}

// TestAnEditThatCasesShareIsOneLine checks that an edit of a suite's default is told once, and another edit beside it.
func TestAnEditThatCasesShareIsOneLine(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	for i, was := range []string{"a", "a", "b", "a", "a", "a", "a"} {
		c := rendertest.AddChange(r, report.Redefined, string(rune('s'+i)), rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
		c.Kind, c.Head.UnderBase = report.KindRedefined, new(classify.Pass)
		c.Expected, c.BaseVersion = []expect.Requirement{{Criterion: "labels", Expected: "a, b"}}, &report.BaseVersion{Expected: []expect.Requirement{{Criterion: "labels", Expected: was}}}
	}
	rendertest.AddChange(r, report.Fixed, "z", rendertest.FailOutcome("yes", "no"), rendertest.PassOutcome("yes")).Kind = report.KindFixed
	p := story.New(r, show.Links{}).Harmless
	const want = "6 cases: redefined: passes the old expectation as well; Expected before: labels “a”; Expected now: labels “a, b”; pass → pass (s, t, v, w, x, y)"
	if len(p.Items) != 1 || p.Items[0].Plain(show.SentenceRunes) != want || len(p.Table.Rows) != 2 || p.Title != "8 other changes" {
		t.Errorf("%s: %v and %d rows, want %s", p.Title, show.JoinPhrases(" | ", p.Items).Plain(show.SentenceRunes), len(p.Table.Rows), want)
	}
}

// An edit that goes on behind what is shown of it is another edit.
func TestAnEditIsAloneIfItDiffersBehindWhatIsShown(t *testing.T) {
	r, long := rendertest.PassedRun(), strings.Repeat("x", 140)
	r.Changes = nil
	for _, end := range []string{"1", "1", "2"} {
		c := rendertest.AddChange(r, report.Redefined, "s"+strconv.Itoa(len(r.Changes)), rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
		c.Kind, c.Head.UnderBase = report.KindRedefined, new(classify.Pass)
		c.Expected = []expect.Requirement{{Criterion: "assert", Expected: "y" + long + end + long}}
		c.BaseVersion = &report.BaseVersion{Expected: []expect.Requirement{{Criterion: "assert", Expected: long + "1" + long}}}
	}
	if p := story.New(r, show.Links{}).Harmless; len(p.Items) != 1 || len(p.Table.Rows) != 1 {
		t.Errorf("%d shared edits and %d alone, want one of each", len(p.Items), len(p.Table.Rows))
	}
}
