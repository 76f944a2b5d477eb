package compare_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func benchmarkSide(b *testing.B, n int, failEvery int) *report.Side {
	b.Helper()
	var builder report.Builder
	for i := range n {
		category := "pass"
		if i%failEvery == 0 {
			category = "fail"
		}
		if err := builder.Add(comparetest.Result(fmt.Sprintf("suite-%d", i/10_000), fmt.Sprintf("case-%d", i), 1, category), report.Ref{}); err != nil {
			b.Fatal(err)
		}
	}
	return builder.Side()
}

func BenchmarkBuildAMillion(b *testing.B) {
	b.ReportAllocs()
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		side := benchmarkSide(b, 1_000_000, 50)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(side.Counts().Cases), "kept-B/case")
	}
}

func BenchmarkCompareAMillion(b *testing.B) {
	base, head := benchmarkSide(b, 1_000_000, 50), benchmarkSide(b, 1_000_000, 49)
	b.ReportAllocs()
	for b.Loop() {
		c := comparetest.Compare(base, head)
		gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: head, Comparison: c})
	}
}

// A live model's 5,000 cases with 5 trials a side, one in five of which wander: the whole suite test, and all that goes
// with it.
func BenchmarkSettleNoisy5000x5(b *testing.B) {
	var base, head report.Builder
	for i := range 5000 {
		for trial := 1; trial <= 5; trial++ {
			for side, to := range []*report.Builder{&base, &head} {
				category := "pass"
				if i%5 == 0 && (i+trial*(side+1))%3 == 0 {
					category = "fail"
				}
				if err := to.Add(comparetest.Result(fmt.Sprintf("suite-%d", i/1000), fmt.Sprintf("case-%d", i), trial, category), report.Ref{}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	g := comparetest.NoisyGate()
	g.Confirm = 0
	for b.Loop() {
		in := gate.Run{Head: head.Side()}
		if _, err := settled(g, in, base.Side(), comparetest.Caller{}); err != nil {
			b.Fatal(err)
		}
	}
}
