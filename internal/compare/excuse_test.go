package compare_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

func TestABarThatNobodyNamedAndNoiseAloneMayMiss(t *testing.T) {
	byDefault := func(*config.Gate) {}
	live := func(pass, flip, fixed int) []string { // of 20 cases
		return slices.Concat(cases("a", "pass pass", pass), cases("b", "pass fail", flip), cases("c", "fail pass", fixed), cases("d", "fail fail", 20-pass-flip-fixed))
	}
	const excused = "warn min_run_score: run score 0.800 is below min_run_score 0.850; it was met before, and noise alone may be why it is not now: asked again, the score would lie between 0.584 and 0.919"
	beside := slices.Clip(append(marked(cases("a", "pass pass", 79), "recorded"), marked(cases("d", "fail fail", 19), "recorded")...))
	for _, c := range []struct {
		rule    string
		gate    func(*config.Gate)
		scene   []string
		answers []string
		verdict report.Verdict
		reasons []string
	}{
		{"it is a warning", byDefault, live(15, 2, 1), again("b", "pass/pass", 2), report.Passed, []string{excused}},
		{"which the gate may call a failure", func(g *config.Gate) { g.OnInconclusive = config.Err }, live(15, 2, 1), again("b", "pass/pass", 2), report.Failed,
			[]string{"error" + excused[len("warn"):]}},
		{"but nothing less than a warning", func(g *config.Gate) { g.OnInconclusive = config.Off }, live(15, 2, 1), again("b", "pass/pass", 2), report.Passed, []string{excused}},
		{"one that is named fails", func(g *config.Gate) { g.MinRunScore.Set = true }, live(15, 2, 1), again("b", "pass/pass", 2), report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"one that the base misses as well fails", byDefault, live(15, 1, 1), again("b", "pass/pass", 1), report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"so does one that is out of noise's reach", byDefault, append(live(9, 8, 0), "s/e pass pass"), again("b", "pass/pass", 8), report.Failed,
			[]string{"error min_run_score: run score 0.476 is below min_run_score 0.850",
				"error max_drop: score fell by 38.1 points, 8 cases worse, none better: 1 in 256 if nothing changed: the suite as a whole got worse"}},
		{"and one beside a regression that is proven", byDefault, live(15, 2, 1), append(again("b", "pass/pass", 1), "s/b01 pass/fail"), report.Failed,
			[]string{"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0",
				"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"accepted or not", func(g *config.Gate) { g.MaxRegressions = at(1) }, live(15, 2, 1), append(again("b", "pass/pass", 1), "s/b01 pass/fail"), report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"recorded answers have no interval", byDefault, marked(live(16, 2, 0), "recorded"), nil, report.Failed,
			[]string{"error max_regressions: 2 regressions, max_regressions is 0", "error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"nor has their part of a score: two noisy answers of a hundred reach one point", func(g *config.Gate) { g.MinRunScore.Value = 0.81 },
			append(beside, "s/x pass pass", "s/y pass fail"), []string{"s/y pass/pass"}, report.Passed,
			[]string{"warn min_run_score: run score 0.800 is below min_run_score 0.810; it was met before, and noise alone may be why it is not now: asked again, the score would lie between 0.789 and 0.811"}},
		{"and not two", func(g *config.Gate) { g.MinRunScore.Value = 0.81 }, append(beside, "s/x pass fail", "s/y pass fail"), []string{"s/x pass/pass", "s/y pass/pass"}, report.Failed,
			[]string{"error min_run_score: run score 0.790 is below min_run_score 0.810"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := config.Default().Gate
			c.gate(&g)
			_, verdict, reasons, _ := settle(t, g, c.scene, c.answers...)
			if verdict != c.verdict {
				t.Errorf("verdict %s, want %s", verdict, c.verdict)
			}
			if diff := cmp.Diff(c.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}
