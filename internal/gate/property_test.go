package gate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

var categories = []string{"pass", "pass", "pass", "fail", "refusal", "timeout", "wrong_format", "rejected", "crash"}

// world has the results of a comparison, which a test can make worse or shuffle.
type world struct {
	gate        config.Gate
	base, head  []report.Result // in suite, case and trial order
	suites, per int
	trials      int
}

func drawWorld(t *rapid.T) *world {
	w := &world{gate: drawGate(t), suites: rapid.IntRange(1, 3).Draw(t, "suites"),
		per: rapid.IntRange(1, 4).Draw(t, "cases"), trials: rapid.IntRange(1, 5).Draw(t, "trials")}
	for s := range w.suites {
		for c := range w.per {
			suite, id := fmt.Sprintf("s%d", s), fmt.Sprintf("c%d", c)
			side := rapid.SampledFrom([]string{"both", "both", "both", "base", "head"}).Draw(t, "side")
			must := rapid.IntRange(0, 4).Draw(t, "must") == 0
			redefined := rapid.IntRange(0, 4).Draw(t, "redefined") == 0
			for n := range w.trials {
				b := comparetest.Result(suite, id, n+1, rapid.SampledFrom(categories).Draw(t, "base"))
				h := comparetest.Result(suite, id, n+1, rapid.SampledFrom(categories).Draw(t, "head"))
				h.MustPass = must
				if redefined {
					h.ExpectationKey = "changed"
					h.UnderBase = &classify.Classification{Primary: classify.Category(rapid.SampledFrom([]string{"pass", "fail"}).Draw(t, "old"))}
				}
				if side != "head" {
					w.base = append(w.base, b)
				}
				if side != "base" {
					w.head = append(w.head, h)
				}
			}
		}
	}
	return w
}

// drawGate draws a setting for every rule except two. Worse answers can satisfy min_cases, because a failing case is a
// case, and max_unverified, because a refused answer is not unverified.
func drawGate(t *rapid.T) config.Gate {
	levels := []config.Level{config.Off, config.Warn, config.Err, config.Err}
	share := func(name string) config.Setting {
		return config.Setting{Value: rapid.Float64Range(0, 1).Draw(t, name), Level: rapid.SampledFrom(levels).Draw(t, name+" level")}
	}
	var g config.Gate
	for _, k := range config.Keys() {
		g.Settings[k].Level = config.Off
	}
	for _, k := range []config.Key{config.MinRunScore, config.MaxDrop, config.MaxUnscored} {
		g.Settings[k] = share(k.String())
	}
	for _, k := range []config.Key{config.OnRemoved, config.OnRedefined} {
		g.Settings[k].Level = rapid.SampledFrom(levels).Draw(t, k.String())
	}
	g.Settings[config.MaxRegressions] = config.Setting{Value: float64(rapid.IntRange(0, 2).Draw(t, "max_regressions")), Level: rapid.SampledFrom(levels).Draw(t, "level")}
	return g
}

func (w *world) side(t *rapid.T, results []report.Result) *report.Side {
	var b report.Builder
	var plans []report.SuitePlan
	bar := 0.5
	for s := range w.suites {
		plans = append(plans, report.SuitePlan{ID: fmt.Sprintf("s%d", s), Weight: float64(s + 1), MinScore: &bar})
	}
	b.Plan(plans, suiteid.Matches{})
	for _, r := range results {
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Side()
}

func (w *world) decide(t *rapid.T) (report.Verdict, []report.Reason, compare.Comparison) {
	base, head := w.side(t, w.base), w.side(t, w.head)
	c := comparetest.Compare(base, head)
	verdict, reasons := gate.Decide(w.gate, gate.Run{Head: head, Comparison: c})
	return verdict, reasons, c
}

func checkWorse(t *rapid.T, w *world, worsen func(*world)) {
	before, why, _ := w.decide(t)
	worsen(w)
	after, _, _ := w.decide(t)
	if before == report.Failed && after != report.Failed {
		t.Errorf("the gate failed for %q; made worse, it is %s", comparetest.ReasonLines(why), after)
	}
	if before == report.Undecided && after == report.Passed {
		t.Errorf("the gate was undecided for %q; made worse, it is %s", comparetest.ReasonLines(why), after)
	}
}

func lower(t *rapid.T, w *world) {
	var passing []int
	for i, r := range w.head {
		if r.Classification.Primary == classify.Pass {
			passing = append(passing, i)
		}
	}
	if len(passing) == 0 {
		t.Skip("no answer passes")
	}
	r := &w.head[rapid.SampledFrom(passing).Draw(t, "lowered")]
	r.Classification = classify.Classification{Primary: classify.Category(rapid.SampledFrom([]string{"fail", "refusal", "wrong_format"}).Draw(t, "to"))}
	r.Scores.Accuracy = 0
}

func TestAWorseAnswerNeverHelps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkWorse(t, drawWorld(t), func(w *world) { lower(t, w) })
	})
}

func TestANewFailingCaseNeverHelps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		// One more answer makes the share of missing ones smaller, which is what max_unscored is about.
		w.gate.Settings[config.MaxUnscored] = config.Setting{Level: rapid.SampledFrom([]config.Level{config.Off, config.Err}).Draw(t, "max_unscored")}
		checkWorse(t, w, func(w *world) {
			suite := fmt.Sprintf("s%d", rapid.IntRange(0, w.suites-1).Draw(t, "suite"))
			for n := range w.trials {
				w.head = append(w.head, comparetest.Result(suite, "more", n+1, "fail"))
			}
		})
	})
}

func TestTheOrderOfCasesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		verdict, _, c := w.decide(t)
		seed := rapid.Uint64().Draw(t, "seed")
		w.base, w.head = shuffle(w.base, seed), shuffle(w.head, seed+1)
		again, _, d := w.decide(t)
		if verdict != again {
			t.Errorf("verdict %s, and %s in another order", verdict, again)
		}
		if diff := cmp.Diff(c.Counts, d.Counts); diff != "" {
			t.Errorf("counts in another order (-first +second):\n%s", diff)
		}
	})
}

// shuffle changes the order of the cases. Trials of a case keep their order.
func shuffle(results []report.Result, seed uint64) []report.Result {
	var cases [][]report.Result
	for i, r := range results {
		if i == 0 || results[i-1].SuiteID != r.SuiteID || results[i-1].CaseID != r.CaseID {
			cases = append(cases, nil)
		}
		cases[len(cases)-1] = append(cases[len(cases)-1], r)
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	var out []report.Result
	for _, c := range cases {
		out = append(out, c...)
	}
	return out
}

func TestEveryCaseHasOneStatus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		_, _, c := w.decide(t)
		ids, total := map[string]bool{}, 0
		for _, r := range append(append([]report.Result{}, w.base...), w.head...) {
			ids[r.SuiteID+"/"+r.CaseID] = true
		}
		for _, n := range c.Counts {
			total += n
		}
		if total != len(ids) || len(c.Changes) != len(ids) {
			t.Errorf("%d cases, %d changes, %d counted", len(ids), len(c.Changes), total)
		}
	})
}

func TestAThousandRunsAreOne(t *testing.T) {
	lines := []string{"s/a pass fail must", "s/b pass,pass,fail pass,fail,fail", "t/c fail pass", "t/d pass -", "u/e - timeout", "u/f pass pass old:fail"}
	var first []byte
	for i := range 1000 {
		base, head := comparetest.Sides(t, lines...)
		rep := &report.Report{}
		c := comparetest.Compare(base, head)
		c.Fill(rep, base, head)
		rep.Verdict, rep.Reasons = gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: head, Comparison: c})
		text, err := rep.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = text
		}
		if string(text) != string(first) {
			t.Fatalf("run %d differs from the first:\n%s", i, cmp.Diff(string(first), string(text)))
		}
	}
}

func TestIdenticalSidesNeverFailForARegression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.head = w.base
		_, _, c := w.decide(t)
		if c.Counts[report.Regressed]+c.Counts[report.Fixed]+c.Counts[report.New]+c.Counts[report.Removed] != 0 {
			t.Errorf("identical sides: %v", c.Counts)
		}
		if c.Delta != nil && *c.Delta != 0 {
			t.Errorf("identical sides: delta %v", *c.Delta)
		}
	})
}

func TestAddingPassingCasesNeverLiftsAVerdict(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	outcomes := []string{"pass", "pass", "fail", "refusal", "timeout"}
	for range 300 {
		var lines []string
		for i := range 1 + random.IntN(6) {
			lines = append(lines, fmt.Sprintf("s%d/c%d %s %s", random.IntN(2), i, outcomes[random.IntN(5)], outcomes[random.IntN(5)]))
		}
		p := comparetest.GateWithoutReruns()
		p.Settings[config.MinRunScore], p.Settings[config.MaxRegressions] = comparetest.ErrorAt(0.5), comparetest.ErrorAt(1)
		before, _ := decide(t, p, lines...)
		added := append([]string{}, lines...)
		for i := range 1 + random.IntN(30) {
			added = append(added, fmt.Sprintf("s%d/new%d - pass", random.IntN(4), i))
		}
		base, head := comparetest.Sides(t, added...)
		for _, s := range head.Suites {
			if base.Suite(s.ID) == nil {
				s.Weight = float64(random.IntN(1000))
			}
		}
		after, reasons := gate.Decide(p, gate.Run{Head: head, Base: base, Comparison: comparetest.Compare(base, head), BaseState: report.BaseCompared})
		if before != report.Passed && after == report.Passed {
			t.Fatalf("%q is %s, and with what is added %q passes: %q", lines, before, added, comparetest.ReasonLines(reasons))
		}
	}
}
