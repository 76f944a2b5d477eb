package compare_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/failproof/failproof/internal/compare"
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
		if err := builder.Add(result(fmt.Sprintf("suite-%d", i/10_000), fmt.Sprintf("case-%d", i), 1, category)); err != nil {
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
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(side.Cases()), "kept-B/case")
	}
}

func BenchmarkCompareAMillion(b *testing.B) {
	base, head := benchmarkSide(b, 1_000_000, 50), benchmarkSide(b, 1_000_000, 49)
	b.ReportAllocs()
	for b.Loop() {
		c := compare.Sides(base, head, nil)
		compare.Decide(compare.Policy{Gate: strict()}, compare.Input{Head: head, Comparison: c})
	}
}
