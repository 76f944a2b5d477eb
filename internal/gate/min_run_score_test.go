package gate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideBars(t *testing.T) {
	bar := func(v float64) func(*config.Gate) {
		return func(g *config.Gate) { g.Settings[config.MinRunScore] = comparetest.ErrorAt(v) }
	}
	check(t, []gateCase{
		{"a score on the bar meets it", bar(0.5), []string{"s/a pass pass", "s/b fail fail"}, report.Passed, nil},
		{"a score below it fails", bar(0.75), []string{"s/a pass pass", "s/b fail fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750"}},
		{"a bar is told as it was set", bar(0.5002), []string{"s/a pass pass", "s/b fail fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.5002"}},
		{"and a score stays on its side of it", bar(0.66669), []string{"s/a pass pass", "s/b pass pass", "s/c fail fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.66667 is below min_run_score 0.66669"}},
		{"a bar that is no number is not met", bar(math.NaN()), []string{"s/a pass pass"}, report.Failed,
			[]string{"error min_run_score: run score 1.000 is below min_run_score NaN"}},
		{"a bar may warn", func(g *config.Gate) { g.Settings[config.MinRunScore] = comparetest.WarnAt(0.75) }, []string{"s/a fail fail"}, report.Passed,
			[]string{"warn min_run_score: run score 0.000 is below min_run_score 0.750"}},
		{"a drop beyond the limit fails, overall and by suite", func(g *config.Gate) {
			g.Settings[config.MaxRegressions].Level, g.Settings[config.MaxDrop] = config.Off, comparetest.ErrorAt(0.1)
		},
			[]string{"s/a pass fail", "s/b pass pass", "t/c pass pass"}, report.Failed,
			[]string{"error max_drop: run score fell by 0.250 over 3 common cases, max_drop is 0.100",
				"error max_drop: suite s: score fell by 0.500, max_drop is 0.100"}},
		{"a drop of the limit itself does not", func(g *config.Gate) {
			g.Settings[config.MaxRegressions].Level, g.Settings[config.MaxDrop] = config.Off, comparetest.ErrorAt(0.5)
		},
			[]string{"s/a pass fail", "s/b pass pass"}, report.Passed, nil},
		{"a drop that is not limited is silent", func(g *config.Gate) { g.Settings[config.MaxRegressions].Level = config.Off }, []string{"s/a pass fail"}, report.Passed, nil},
		{"too few cases fail", func(g *config.Gate) { g.Settings[config.MinCases] = comparetest.ErrorAt(2) }, []string{"s/a pass pass"}, report.Failed,
			[]string{"error min_cases: 1 case, at least 2 needed"}},
		{"too many unverified cases fail", func(g *config.Gate) { g.Settings[config.MaxUnverified] = comparetest.ErrorAt(0) }, []string{"s/a pass pass unverified"}, report.Failed,
			[]string{"error max_unverified: 1 case passed with nothing to verify, at most 0 allowed"}},
		{"an answer that is kept by hand warns", func(*config.Gate) {}, []string{"s/a pass pass recorded kept"}, report.Passed,
			[]string{"warn kept_by_hand: 1 answer is hand-written and unchanged although what is asked changed: s/a"}},
		{"it is unverified", func(g *config.Gate) { g.Settings[config.MaxUnverified] = comparetest.ErrorAt(1) }, []string{"s/a pass pass recorded kept", "s/b pass pass recorded unverified"}, report.Failed,
			[]string{"error max_unverified: 2 cases are unverified, 1 of them kept by hand, at most 1 allowed",
				"warn kept_by_hand: 1 answer is hand-written and unchanged although what is asked changed: s/a"}},
	})
}

func TestABarThatNobodyNamedAndNoiseAloneMayMiss(t *testing.T) {
	byDefault := func(*config.Gate) {}
	live := func(pass, flip, fixed int) []string { // of 20 cases
		return slices.Concat(comparetest.CaseLines("a", "pass pass", pass), comparetest.CaseLines("b", "pass fail", flip), comparetest.CaseLines("c", "fail pass", fixed), comparetest.CaseLines("d", "fail fail", 20-pass-flip-fixed))
	}
	const excused = "warn min_run_score: run score 0.800 is below min_run_score 0.850; the base met it, and the miss may be noise: a rerun would score between 0.584 and 0.919"
	beside := slices.Clip(append(comparetest.WithMark(comparetest.CaseLines("a", "pass pass", 79), "recorded"), comparetest.WithMark(comparetest.CaseLines("d", "fail fail", 19), "recorded")...))
	sampled := slices.Clip(append(comparetest.WithMark(comparetest.CaseLines("a", "pass pass", 79), "drawn"), comparetest.WithMark(comparetest.CaseLines("d", "fail fail", 19), "drawn")...))
	for _, c := range []struct {
		rule    string
		gate    func(*config.Gate)
		scene   []string
		answers []string
		verdict report.Verdict
		reasons []string
	}{
		{"it is a warning", byDefault, live(15, 2, 1), comparetest.RerunLines("b", "pass/pass", 2), report.Passed, []string{excused}},
		{"which the gate may call a failure", func(g *config.Gate) { g.Settings[config.OnInconclusive].Level = config.Err }, live(15, 2, 1), comparetest.RerunLines("b", "pass/pass", 2), report.Failed,
			[]string{"error" + excused[len("warn"):]}},
		{"but nothing less than a warning", func(g *config.Gate) { g.Settings[config.OnInconclusive].Level = config.Off }, live(15, 2, 1), comparetest.RerunLines("b", "pass/pass", 2), report.Passed, []string{excused}},
		{"one that is named fails", func(g *config.Gate) { g.Settings[config.MinRunScore].Set = true }, live(15, 2, 1), comparetest.RerunLines("b", "pass/pass", 2), report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"one that the base misses as well fails", byDefault, live(15, 1, 1), comparetest.RerunLines("b", "pass/pass", 1), report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"so does one that is out of noise's reach", byDefault, append(live(9, 8, 0), "s/e pass pass"), comparetest.RerunLines("b", "pass/pass", 8), report.Failed,
			[]string{"error min_run_score: run score 0.476 is below min_run_score 0.850",
				"error max_drop: score fell by 38.1 points, 8 cases worse, none better: 1 in 256 if nothing changed"}},
		{"and one beside a regression that is proven", byDefault, live(15, 2, 1), append(comparetest.RerunLines("b", "pass/pass", 1), "s/b01 pass/fail"), report.Failed,
			[]string{"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0",
				"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"accepted or not", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(1) }, live(15, 2, 1), append(comparetest.RerunLines("b", "pass/pass", 1), "s/b01 pass/fail"), report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"recorded answers have no interval", byDefault, comparetest.WithMark(live(16, 2, 0), "recorded"), nil, report.Failed,
			[]string{"error max_regressions: 2 regressions, max_regressions is 0", "error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"nor has their part of a score: two noisy answers of a hundred reach one point", func(g *config.Gate) { g.Settings[config.MinRunScore].Value = 0.81 },
			append(beside, "s/x pass pass", "s/y pass fail"), []string{"s/y pass/pass"}, report.Passed,
			[]string{"warn min_run_score: run score 0.800 is below min_run_score 0.810; the base met it, and the miss may be noise: a rerun would score between 0.789 and 0.811"}},
		{"nor sampled answers of which none flipped", func(g *config.Gate) { g.Settings[config.MinRunScore].Value = 0.81 },
			append(sampled, "s/x pass fail", "s/y pass fail"), []string{"s/x pass/pass", "s/y pass/pass"}, report.Failed,
			[]string{"error min_run_score: run score 0.790 is below min_run_score 0.810"}},
		{"a suite of one case has its weight of the noise", byDefault, append(live(12, 5, 1), "t/one pass pass"), append(comparetest.RerunLines("b", "pass/pass", 5), "t/one pass/pass"), report.Passed,
			[]string{"warn min_run_score: run score 0.825 is below min_run_score 0.850; the base met it, and the miss may be noise: a rerun would score between 0.347 and 0.977"}},
		{"and not two", func(g *config.Gate) { g.Settings[config.MinRunScore].Value = 0.81 }, append(beside, "s/x pass fail", "s/y pass fail"), []string{"s/x pass/pass", "s/y pass/pass"}, report.Failed,
			[]string{"error min_run_score: run score 0.790 is below min_run_score 0.810"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := config.Default().Gate
			g.Pooled = config.PooledOff
			c.gate(&g)
			verdict, reasons := settle(t, g, c.scene, c.answers...)
			if verdict != c.verdict {
				t.Errorf("verdict %s, want %s", verdict, c.verdict)
			}
			if diff := cmp.Diff(c.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAMissIsNoNoiseIfTheAnswersAreProvenWorse(t *testing.T) {
	g := config.Default().Gate
	g.Pooled = config.PooledOff
	lines := slices.Concat(comparetest.CaseLines("a", "pass pass", 15), comparetest.CaseLines("b", "pass fail", 2), comparetest.CaseLines("c", "fail pass", 1), comparetest.CaseLines("d", "fail fail", 2))
	in := settledRun(t, g, lines, comparetest.RerunLines("b", "pass/pass", 2)...)
	overall := fell("", 0.001)
	numbers := report.Noise{Overall: &overall, Recheck: &report.RecheckTest{Overall: &overall}, Confirm: &report.ConfirmTest{Pooled: &report.PooledTest{}}}
	const missed = "run score 0.800 is below min_run_score 0.850"
	for _, c := range []struct {
		proven       string
		noise, draws noise.Finding
		want         string
	}{
		{"nothing", noise.Finding{}, noise.Finding{}, "warn: " + missed + "; the base met it, and the miss may be noise: a rerun would score between 0.584 and 0.919"},
		{"the score fell", noise.Finding{Drop: true}, noise.Finding{}, "error: " + missed},
		{"cases got worse together", noise.Finding{Pooled: true}, noise.Finding{}, "error: " + missed},
		{"the score of the full rerun fell", noise.Finding{Recheck: true}, noise.Finding{}, "error: " + missed},
		{"the score of sampled answers fell", noise.Finding{}, noise.Finding{Drop: true}, "error: " + missed},
	} {
		t.Run(c.proven, func(t *testing.T) {
			c.noise.Numbers, c.draws.Numbers = numbers, numbers
			in.Comparison.NoiseTest, in.Comparison.SampledTest = &c.noise, &c.draws
			says(t, gate.RunScore, g, in, c.want)
		})
	}
}

func TestWhatAChangeAddsLiftsNothingOverABar(t *testing.T) {
	run := func(g *config.Gate) { g.Settings[config.MinRunScore] = comparetest.ErrorAt(0.75) }
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
		{"a removed case is left out of both", func(g *config.Gate) { run(g); g.Settings[config.OnRemoved].Level = config.Off },
			[]string{"s/a pass pass", "s/b fail -", "s/new - pass"}, report.Passed, nil},
		{"a suite that is new has no held score", run, trivial("t", 3), report.Passed, nil},
		{"nothing is said twice where nothing is added", run, half, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750"}},
		{"an answer that is missing is not diluted either", func(g *config.Gate) { g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.1) }, append(trivial("s", 40), "s/a pass timeout", "s/b pass pass"), report.Undecided,
			[]string{"error max_unscored: 1 of 2 trials over the base's 2 cases without a score: share 0.500 is above max_unscored 0.100"}},
	})
}
