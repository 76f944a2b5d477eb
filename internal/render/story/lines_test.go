package story

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

func TestWhichLines(t *testing.T) {
	part := func(right int, hunks ...int) report.ExplainPart {
		return report.ExplainPart{Hunks: hunks, Right: right, Asked: 8}
	}
	told := func(causes ...report.ExplainCause) report.ExplainedCase {
		return report.ExplainedCase{CaseID: "c", Outcome: report.ExplainFound, Causes: causes}
	}
	cause := func(right int, parts ...report.ExplainPart) report.ExplainCause {
		return report.ExplainCause{Parts: parts, Right: right, Asked: 8}
	}
	untold := func(why string) report.ExplainedCase {
		return report.ExplainedCase{CaseID: "c", Outcome: report.ExplainNotFound, Why: why, Answers: 56}
	}
	within := func(hunks ...int) report.ExplainedCase {
		c := untold(report.ExplainBudget)
		c.NarrowedTo = hunks
		return c
	}
	toldOf := func(suite string) report.ExplainedCase {
		c := rendertest.ExplainedCase("a", 1)
		c.SuiteID = suite
		return c
	}
	whole := told(cause(0, part(8, 0)))
	whole.Outcome = report.ExplainOnlyHunk
	for _, c := range []struct {
		rule  string
		cases []report.ExplainedCase
		want  string
	}{
		{"one line", []report.ExplainedCase{told(cause(0, part(8, 0)))}, "Line 2 of `p.md` broke `c`: without this change 8 of 8 right, with it alone 0 of 8."},
		{"several lines, and cases", []report.ExplainedCase{rendertest.ExplainedCase("a", 1), rendertest.ExplainedCase("b", 1)}, "Lines 4–6 of `p.md` broke `a` and `b`: without this change 8 of 8 right, with it alone 0 of 8."},
		{"a case of two targets", []report.ExplainedCase{toldOf("rag@fast"), toldOf("rag@careful")}, "Lines 4–6 of `p.md` broke `a · fast` and `a · careful`: without this change 8 of 8 right, with it alone 0 of 8."},
		{"lines that are gone", []report.ExplainedCase{told(cause(1, part(7, 2)))}, "The removal of 3 lines before line 9 of `p.md` broke `c`: without this change 7 of 8 right, with it alone 1 of 8."},
		{"a line that is gone", []report.ExplainedCase{told(cause(1, part(7, 3)))}, "The removal of 1 line before line 9 of `p.md` broke `c`: without this change 7 of 8 right, with it alone 1 of 8."},
		{"two together", []report.ExplainedCase{told(cause(0, part(8, 0), part(7, 1)))}, "Line 2 of `p.md` and lines 4–6 of `p.md` broke `c` together: with them alone 0 of 8 right."},
		{"either of two", []report.ExplainedCase{told(cause(0, part(8, 0)), cause(1, part(8, 1)))}, "Each of these alone broke `c`: line 2 of `p.md` or lines 4–6 of `p.md`."},
		{"all that changed", []report.ExplainedCase{whole}, "Line 2 of `p.md` broke `c`: without this change 8 of 8 right, with it alone 0 of 8."},
		{"the budget", []report.ExplainedCase{untold(report.ExplainBudget)}, "Which line broke `c` could not be told with 120 answers."},
		{"the budget, and how far it came", []report.ExplainedCase{within(0, 1)}, "Which line broke `c` could not be told with 120 answers. The search had come to line 2 of `p.md` and lines 4–6 of `p.md`."},
		{"the budget, and many places", []report.ExplainedCase{within(0, 1, 2, 3)}, "Which line broke `c` could not be told with 120 answers. The search had come to 4 places."},
		{"the budget, and one line left", []report.ExplainedCase{within(0)}, "Which line broke `c` could not be told with 120 answers. The search had come to line 2 of `p.md`."},
		{"no proof", []report.ExplainedCase{untold(report.ExplainUnproven)}, "Which line broke `c` could not be told with 56 answers: they do not prove it of any."},
		{"no prompt", []report.ExplainedCase{untold(report.ExplainUnreadable)}, "Which line broke `c` could not be told: with some of the lines taken back there is no prompt that can be read."},
		{"the end", []report.ExplainedCase{untold(report.ExplainEnded)}, "Which line broke `c` could not be told: `limits.max_calls` (30) is used up."},
		{"another reason, unasked", []report.ExplainedCase{{CaseID: "c", Outcome: report.ExplainElsewhere}}, "No changed line of a prompt is in what `c` is asked."},
		{"another reason, asked", []report.ExplainedCase{{CaseID: "c", Outcome: report.ExplainElsewhere, Right: 1, Asked: 6}},
			"`c` is wrong with every changed line of the prompts taken back as well: 1 of 6 right. Something else broke it."},
		{"nothing broke", []report.ExplainedCase{{CaseID: "c", Outcome: report.ExplainNotBroken, Right: 4, Asked: 4}}, "`c` is not broken: 4 of 4 right."},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.ConfirmedRun()
			region := func(first, last, baseFirst, baseLast int) report.Hunk {
				return report.Hunk{Regions: []report.Region{{Path: "p.md", First: first, Last: last, BaseFirst: baseFirst, BaseLast: baseLast}}}
			}
			r.Explanation = &report.Explanation{MaxAnswers: 120, Ended: "limits.max_calls (30) is used up", Cases: c.cases,
				Hunks: []report.Hunk{region(2, 2, 2, 2), region(4, 6, 4, 4), region(9, 8, 8, 10), region(9, 8, 8, 8)}}
			all := storyOf(r, show.Links{}).Lines
			if len(all) != 1 || all[0].Phrase.Markdown(show.NameRunes) != c.want {
				t.Fatalf("said %q, want %q", all[0].Phrase.Markdown(show.NameRunes), c.want)
			}
		})
	}
}

func TestWhatComesOfTakingLinesBackIsSaid(t *testing.T) {
	e := &report.Explanation{Hunks: []report.Hunk{{Regions: []report.Region{{Path: "p.md", First: 2, Last: 2, Words: "Be kind. ", Column: 8}}},
		{Regions: []report.Region{{Path: "p.md", First: 9, Last: 8, BaseFirst: 8, BaseLast: 8, Words: "Be brief.", Removed: true}}}}}
	for want, r := range map[string]report.Remedy{
		"Taking back the words `Be kind.` in line 2 of `p.md` alone mends 3 of 3 broken cases; nothing else got worse (12 asked).":            {Hunks: []int{0}, Fixed: 3, Broken: 3, Asked: 12},
		"Taking back the removal of `Be brief.` before line 9 of `p.md` alone mends 1 of 1 broken case.":                                      {Hunks: []int{1}, Fixed: 1, Broken: 1},
		"Taking back the words `Be kind.` in line 2 of `p.md` alone mends 2 of 3 broken cases; of 12 others asked, 2 got worse: `a` and `b`.": {Hunks: []int{0}, Fixed: 2, Broken: 3, Asked: 12, Worse: []suiteid.Name{{Suite: "s", Case: "a"}, {Suite: "s", Case: "b"}}},
	} {
		if got := remedyOf(e, &r).Markdown(show.NameRunes); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	}
}

// TestAnotherModelIsSaidWhereNoLineBrokeIt checks the other causes of a change: another target in force, or another
// model in a prompt file.
func TestAnotherModelIsSaidWhereNoLineBrokeIt(t *testing.T) {
	const none = "No changed line of a prompt is in what `c` is asked."
	target := func(key string, inForce bool) config.Change {
		return config.Change{Key: key, Base: "m-good", Head: "m-other", Effective: inForce}
	}
	file := []report.SuiteSummary{{SuiteID: "s", Why: []report.ScopeReason{{Why: "model changed", Cases: 1, First: "c"}}}}
	for _, c := range []struct {
		rule    string
		changes []config.Change
		suites  []report.SuiteSummary
		want    string
	}{
		{"of a target", []config.Change{target("targets.fast.model", true)}, nil, none + " What changed is who is asked, or how."},
		{"of a target, until it is merged", []config.Change{target("targets.fast.model", false)}, nil, none},
		{"another setting", []config.Change{target("gate.alpha", true)}, nil, none},
		{"of a prompt file", nil, file, none + " What changed is who is asked, or how."},
		{"of another suite's file", nil, []report.SuiteSummary{{SuiteID: "t", Why: file[0].Why}}, none},
	} {
		r := rendertest.ConfirmedRun()
		r.PolicyChanges, r.Suites = c.changes, append(r.Suites, c.suites...)
		r.Explanation = &report.Explanation{MaxAnswers: 120, Cases: []report.ExplainedCase{{SuiteID: "s", CaseID: "c", Outcome: report.ExplainElsewhere}}}
		if got := storyOf(r, show.Links{}).Lines[0].Phrase.Markdown(show.NameRunes); got != c.want {
			t.Errorf("%s: said %q, want %q", c.rule, got, c.want)
		}
	}
}
