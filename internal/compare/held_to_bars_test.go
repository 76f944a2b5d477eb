package compare_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

func TestWhatAChangeAddsLiftsNothingOverABar(t *testing.T) {
	run := func(g *config.Gate) { g.MinRunScore = at(0.75) }
	trivial := func(suite string, n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf("%s/new-%d - pass", suite, i))
		}
		return lines
	}
	half := []string{"s/a pass pass", "s/b fail fail"}
	const below = "error min_run_score: run score over the base's 2 cases 0.500 is below min_run_score 0.750"
	check(t, []gateCase{
		{"forty trivial cases", run, append(trivial("s", 40), half...), report.Failed, []string{below}},
		{"a trivial suite", run, append(trivial("t", 40), half...), report.Failed, []string{below}},
		{"both are named where both miss", run, append(trivial("s", 1), half...), report.Failed,
			[]string{"error min_run_score: run score 0.667 is below min_run_score 0.750", below}},
		{"bad cases that are added fail by the score as it stands", run, []string{"s/a pass pass", "s/new-1 - fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750"}},
		{"a redefined case counts by its own expectation", run, []string{"s/a pass pass", "s/b fail pass old:pass", "s/new - pass"}, report.Passed, nil},
		{"a removed case is left out of both", func(g *config.Gate) { run(g); g.OnRemoved = config.Off },
			[]string{"s/a pass pass", "s/b fail -", "s/new - pass"}, report.Passed, nil},
		{"a suite that is new has no held score", run, trivial("t", 3), report.Passed, nil},
		{"nothing is said twice where nothing is added", run, half, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750"}},
		{"an answer that is missing is not diluted either", func(g *config.Gate) { g.MaxUnscored = at(0.1) }, append(trivial("s", 40), "s/a pass timeout", "s/b pass pass"), report.Undecided,
			[]string{"error max_unscored: 1 of 2 trials over the base's 2 cases without an answer: share 0.500 is above max_unscored 0.100"}},
	})
}

func TestASuiteBarIsHeldByTheBasesCases(t *testing.T) {
	base, head := sides(t, "s/a pass pass", "s/b fail fail", "s/n1 - pass", "s/n2 - pass", "s/n3 - pass", "t/a pass pass", "t/n1 - fail", "u/a pass pass")
	bar := 0.75
	for _, s := range head.Suites {
		s.MinScore = &bar
	}
	c := compare.Sides(base, head)
	_, reasons := compare.Decide(strict(), compare.Input{Head: head, Base: base, Comparison: c, BaseState: report.BaseCompared})
	want := []string{
		"error min_score: suite t: score 0.500 is below min_score 0.750",
		"error min_score: suite s: score over the base's 2 cases 0.500 is below min_score 0.750",
	}
	if fmt.Sprint(brief(reasons)) != fmt.Sprint(want) {
		t.Errorf("reasons %q, want %q", brief(reasons), want)
	}
	rep := &report.Report{}
	c.Fill(rep, base, head)
	if rep.HeldCases != 4 || rep.HeldRunScore == nil || fmt.Sprintf("%.3f", *rep.HeldRunScore) != "0.833" {
		t.Errorf("held run score %v over %d cases, want 0.833 over 4", rep.HeldRunScore, rep.HeldCases)
	}
	if s := rep.Suites[0]; s.HeldCases != 2 || *s.HeldScore != 0.5 || *s.Score != 0.8 {
		t.Errorf("suite s: %+v, want 0.5 over 2 cases beside 0.8", s)
	}
}

// Whatever passing cases and suites are added to a change that fails, with whatever weight, it does not pass.
func TestAddingPassingCasesNeverLiftsAVerdict(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	outcomes := []string{"pass", "pass", "fail", "refusal", "timeout"}
	for range 300 {
		var lines []string
		for i := range 1 + random.IntN(6) {
			lines = append(lines, fmt.Sprintf("s%d/c%d %s %s", random.IntN(2), i, outcomes[random.IntN(5)], outcomes[random.IntN(5)]))
		}
		p := strict()
		p.MinRunScore, p.MaxRegressions = at(0.5), at(1)
		before, _ := decide(t, p, lines...)
		added := append([]string{}, lines...)
		for i := range 1 + random.IntN(30) {
			added = append(added, fmt.Sprintf("s%d/new%d - pass", random.IntN(4), i))
		}
		base, head := sides(t, added...)
		for _, s := range head.Suites {
			if base.Suite(s.ID) == nil {
				s.Weight = float64(random.IntN(1000))
			}
		}
		after, reasons := compare.Decide(p, compare.Input{Head: head, Base: base, Comparison: compare.Sides(base, head), BaseState: report.BaseCompared})
		if before != report.Passed && after == report.Passed {
			t.Fatalf("%q is %s, and with what is added %q passes: %q", lines, before, added, brief(reasons))
		}
	}
}
