package gate_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// fell returns a scope that fell by ten points. p is the probability of that if nothing changed.
func fell(suite string, p float64) report.Scope {
	return report.Scope{SuiteID: suite, Cases: 20, Worse: 3, Better: 1, Delta: -0.1, Adjusted: &p}
}

// noisy returns a run of a live model with a finding.
func noisy(t *testing.T, f noise.Finding) gate.Run {
	t.Helper()
	in := runOf(t, "s/a pass pass", "s/b pass pass")
	in.Comparison.NoiseTest = &f
	return in
}

func TestAProvenDropFails(t *testing.T) {
	overall := fell("", 0.001)
	numbers := report.Noise{Overall: &overall, Suites: []report.Scope{fell("s", 0.5), fell("t", 0.5)}}
	g := with(config.MaxDrop, comparetest.ErrorAt(0.02))
	says(t, gate.Drop, g, noisy(t, noise.Finding{Drop: true, Numbers: numbers}),
		"error: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 1,000 if nothing changed")
	numbers.Suites[1] = fell("t", 0.0001)
	says(t, gate.Drop, g, noisy(t, noise.Finding{Drop: true, Numbers: numbers}),
		"error: suite t: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 10,000 if nothing changed")
	numbers.Suites = []report.Scope{fell("s", 0.9)}
	even := fell("", 0.5)
	numbers.Overall = &even
	says(t, gate.Drop, g, noisy(t, noise.Finding{Drop: true, Numbers: numbers}),
		"error: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 2 if nothing changed")
	numbers.Overall, numbers.Suites = &overall, []report.Scope{fell("s", 0.5), fell("t", 0.0001)}
	says(t, gate.Drop, with(config.MaxDrop, off), noisy(t, noise.Finding{Drop: true, Numbers: numbers}))
	says(t, gate.Drop, g, noisy(t, noise.Finding{PossibleDrop: true, Numbers: numbers}))
	says(t, gate.Drop, g, noisy(t, noise.Finding{Recheck: true, Numbers: report.Noise{Recheck: &report.RecheckTest{Overall: &overall}}}),
		"error: asked again, score fell by 10.0 points, 3 cases worse, 1 better: 1 in 1,000 if nothing changed")

	in := runOf(t, "s/a pass pass")
	in.Comparison.SampledTest = &noise.Finding{Drop: true, Numbers: numbers}
	says(t, gate.Drop, g, in, "error: recorded answers: suite t: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 10,000 if nothing changed")
}

func TestALiteralDropIsTheRunsAndThatOfSuites(t *testing.T) {
	g := with(config.MaxDrop, comparetest.ErrorAt(0.2))
	says(t, gate.Drop, g, runOf(t, "s/a pass fail", "s/b pass pass", "t/c pass pass", "t/d pass pass"),
		"error: run score fell by 0.250 over 4 common cases, max_drop is 0.200", "error: suite s: score fell by 0.500, max_drop is 0.200")
	says(t, gate.Drop, with(config.MaxDrop, comparetest.ErrorAt(0.5)), runOf(t, "s/a pass fail", "s/b pass pass"))
	byDefault := with(config.MaxDrop, config.Setting{Value: 0.2, Level: config.Err})
	says(t, gate.Drop, byDefault, runOf(t, "s/a pass fail", "s/b pass pass")) // one answer a side is judged flip by flip
}

func TestTheTitleOfADropSaysWhetherItIsProven(t *testing.T) {
	for want, s := range map[string]*report.Statistics{"the score dropped too far": {}, "the answers got worse as a whole": {Noise: &report.Noise{}}} {
		if got := gate.Drop.Title(gate.TitleInput{Report: &report.Report{Statistics: s}}); got != want {
			t.Errorf("title %q, want %q", got, want)
		}
	}
	draws := gate.TitleInput{Report: &report.Report{Statistics: &report.Statistics{Samples: &report.Noise{}}}}
	if got := gate.Drop.Title(draws); got != "the answers got worse as a whole" {
		t.Errorf("title of draws: %q", got)
	}
	if got := gate.Drop.Title(gate.TitleInput{Report: &report.Report{}}); got != "the score dropped too far" {
		t.Errorf("title without statistics: %q", got)
	}
}

// TestADropIsSaidOnceWhereCasesMoved checks that the drop of a base's suite is reported only if no suite of the head
// fell.
func TestADropIsSaidOnceWhereCasesMoved(t *testing.T) {
	g := with(config.MaxDrop, comparetest.ErrorAt(0.1))
	lines := []string{"s/a pass fail", "s/b pass pass", "t/c pass pass"}
	for _, why := range reasonsOf(gate.Drop, g, runOf(t, lines...)) {
		if strings.Contains(why, "before cases moved") {
			t.Errorf("it is said of where cases were: %s", why)
		}
	}
}

// movedRun returns a run of recorded cases, each with its suite, id and category. A case with another suite on the head
// has moved.
func movedRun(t *testing.T, base, head [][3]string) gate.Run {
	t.Helper()
	var sides [2]report.Builder
	for i, cases := range [][][3]string{base, head} {
		for _, c := range cases {
			r := comparetest.Result(c[0], c[1], 1, c[2])
			r.ExpectationKey, r.Replayed = c[1], true
			if err := sides[i].Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	in := gate.Run{Base: sides[0].Side(), Head: sides[1].Side(), BaseState: report.BaseCompared}
	in.Base = compare.JoinSuites(in.Base, in.Head)
	in.Comparison = comparetest.Compare(in.Base, in.Head)
	return in
}

func TestAFailingCaseCountsNoLessInASuiteThatItMovesTo(t *testing.T) {
	base := [][3]string{{"few", "a", "pass"}, {"many", "b", "pass"}, {"many", "c", "pass"}, {"many", "d", "pass"}}
	moved := func(a string) gate.Run {
		return movedRun(t, base, [][3]string{{"many", "b", "pass"}, {"many", "c", "pass"}, {"many", "d", "pass"}, {"many", "a", a}})
	}
	at := func(most float64) config.Gate { return with(config.MaxDrop, comparetest.ErrorAt(most)) }
	says(t, gate.Drop, at(0.3), moved("pass"))
	says(t, gate.Drop, at(0.3), moved("fail"),
		"error: run score fell by 0.500 over 4 common cases before cases moved, max_drop is 0.300",
		"error: suite few before cases moved: score fell by 1.000, max_drop is 0.300")
	says(t, gate.Drop, at(0.2), moved("fail"), // it fell by more in the head's suite, and is reported once
		"error: run score fell by 0.250 over 4 common cases, max_drop is 0.200",
		"error: suite many: score fell by 0.250, max_drop is 0.200")
	says(t, gate.Drop, at(1), moved("fail"))
	says(t, gate.Drop, with(config.MaxDrop, off), moved("fail"))
}

func TestADropThatChanceExplainsIsToldInWords(t *testing.T) {
	for p, want := range map[float64]string{0.5: "1 in 2", 0.501: "more often than not", 0.9: "more often than not"} {
		even := fell("", p)
		even.Better = 0
		says(t, gate.Drop, with(config.MaxDrop, comparetest.ErrorAt(0.02)), noisy(t, noise.Finding{Drop: true, Numbers: report.Noise{Overall: &even}}),
			"error: score fell by 10.0 points, 3 cases worse, none better: "+want+" if nothing changed")
	}
}

func TestTheSuiteThatFellIsNamedBeforeOneThatRose(t *testing.T) {
	rose := fell("s", 0.0001)
	rose.Delta = 0.1
	flat := fell("u", 0.0001)
	flat.Delta = 0
	for _, suites := range [][]report.Scope{{rose, fell("t", 0.01)}, {fell("t", 0.01), rose}, {flat, fell("t", 0.01)}, {fell("t", 0.01), flat}, {fell("t", 0.01), fell("v", 0.01)}} {
		says(t, gate.Drop, with(config.MaxDrop, comparetest.ErrorAt(0.02)), noisy(t, noise.Finding{Drop: true, Numbers: report.Noise{Overall: &report.Scope{}, Suites: suites}}),
			"error: suite t: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 100 if nothing changed")
	}
}

func TestASmallDropIsToldInPoints(t *testing.T) {
	for delta, want := range map[float64]string{-0.0001: "0.01", -0.005: "0.5", -0.01: "1.0", -1: "100.0", -0.9999: "99.99"} {
		small := fell("", 0.01)
		small.Delta = delta
		says(t, gate.Drop, with(config.MaxDrop, comparetest.ErrorAt(0.02)), noisy(t, noise.Finding{Drop: true, Numbers: report.Noise{Overall: &small}}),
			"error: score fell by "+want+" points, 3 cases worse, 1 better: 1 in 100 if nothing changed")
	}
}
