package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/failproof/failproof/internal/stats"
)

func benchmark(b *testing.B, weight func(i int) float64) {
	r := rand.New(rand.NewPCG(1, 1))
	strata := make([]stats.Stratum, 5000)
	for i := range strata {
		s := stats.Stratum{Weight: weight(i)}
		for range 5 {
			s.Base, s.Head = append(s.Base, float64(r.IntN(2))), append(s.Head, float64(r.IntN(2)))
		}
		strata[i] = s
	}
	for b.Loop() {
		stats.StratifiedTest(strata)
	}
}

func BenchmarkExact5000x5(b *testing.B) { benchmark(b, func(int) float64 { return 1 }) }
func BenchmarkLattice5000x5(b *testing.B) {
	benchmark(b, func(i int) float64 { return 1 + float64(i%7)/10 })
}

func BenchmarkLatticeValues200x5(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var strata []stats.Stratum
	for range 200 {
		s := stats.Stratum{Weight: 1}
		for range 5 {
			s.Base, s.Head = append(s.Base, r.Float64()), append(s.Head, r.Float64())
		}
		strata = append(strata, s)
	}
	for b.Loop() {
		stats.StratifiedTest(strata)
	}
}
