package run

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/results"
)

// written are the runs of cases that pass with these chances, as JSON lines.
func written(r *rand.Rand, chances []float64, runs int) fstest.MapFS {
	var text strings.Builder
	for i, p := range chances {
		for n := range runs {
			fmt.Fprintf(&text, `{"case":"c%d","run":%d,"passed":%t}`+"\n", i, n, r.Float64() < p)
		}
	}
	return fstest.MapFS{"r": {Data: []byte(text.String())}}
}

// verdictOf is the gate's on two sides of results.
func verdictOf(t *testing.T, base, head fstest.MapFS) report.Verdict {
	t.Helper()
	var read [2]*results.Side
	for i, files := range []fstest.MapFS{base, head} {
		var err error
		if read[i], err = results.Read(files, "r", results.Options{Runs: regexp.MustCompile(`-(\d+)\]$`)}); err != nil {
			t.Fatal(err)
		}
	}
	paired := results.Pair(results.Rules{Strict: read[1].Format.Strict}, read[0], read[1])
	policy := resultsGate(config.Default().Gate)
	reduce := func(s *results.Side) *report.Side {
		var b report.Builder
		b.Plan(paired.Plans(s))
		err := paired.Each(s, results.RunInfo{Hide: strings.Clone}, func(r report.Result) error { return b.Add(r, report.Ref{}) })
		if err != nil {
			t.Fatal(err)
		}
		return b.Side()
	}
	in := gate.Run{Base: reduce(read[0]), Head: reduce(read[1]), BaseState: report.BaseCompared,
		Pairing: gate.Pairing{BaseCases: paired.BaseCases, PairedCases: paired.PairedCases}}
	var err error
	if in.Comparison, err = compare.Begin(policy, compare.Sides{Base: in.Base, Head: in.Head}).Comparison(); err != nil {
		t.Fatal(err)
	}
	verdict, _ := gate.Decide(policy, in)
	return verdict
}

// Most cases pass always, some nearly, a few every other time. At most 2 of 100 harmless changes are blocked, and a
// case that breaks for good, of runs enough to prove it, always is.
func TestHowOftenAHarmlessChangeOfAnotherRunnersIsBlocked(t *testing.T) {
	const changes = 300
	r := rand.New(rand.NewPCG(36, 1))
	for _, runs := range []int{1, 2, 4, 8} {
		blocked := 0
		for range changes {
			chances := make([]float64, 12+r.IntN(24))
			for i := range chances {
				chances[i] = []float64{1, 1, 0.97, 0.95, 0.9, 0.8, 0.5, 0}[r.IntN(8)]
			}
			if verdictOf(t, written(r, chances, runs), written(r, chances, runs)) != report.Passed {
				blocked++
			}
		}
		if t.Logf("%d runs a side: %d of %d harmless changes blocked", runs, blocked, changes); blocked > changes*2/100 {
			t.Errorf("%d runs a side: %d of %d harmless changes are blocked, want at most 2 of 100", runs, blocked, changes)
		}
	}
	always := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	broken := append([]float64{0}, always[1:]...)
	for runs, want := range map[int]report.Verdict{1: report.Passed, 3: report.Passed, 8: report.Failed} {
		if got := verdictOf(t, written(r, always, runs), written(r, broken, runs)); got != want {
			t.Errorf("one of ten cases broken for good, %d runs a side: %s, want %s", runs, got, want)
		}
	}
}
