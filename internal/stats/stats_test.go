package stats_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/failproof/failproof/internal/stats"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// shuffled deals the pooled values of every stratum out in all ways and counts those whose head is at most and at least
// as good as the one seen.
func shuffled(strata []stats.Stratum) (worse, better float64) {
	sums := []float64{0}
	seen := 0.0
	for _, s := range strata {
		pooled := append(append([]float64{}, s.Base...), s.Head...)
		scale := s.Weight * (1/float64(len(s.Head)) + 1/float64(len(s.Base)))
		for _, v := range s.Head {
			seen += scale * v
		}
		var next []float64
		for mask := range 1 << len(pooled) {
			if bits.OnesCount(uint(mask)) != len(s.Head) {
				continue
			}
			sum := 0.0
			for i, v := range pooled {
				if mask>>i&1 == 1 {
					sum += scale * v
				}
			}
			for _, before := range sums {
				next = append(next, before+sum)
			}
		}
		sums = next
	}
	for _, s := range sums {
		if s <= seen+1e-9 {
			worse++
		}
		if s >= seen-1e-9 {
			better++
		}
	}
	return worse / float64(len(sums)), better / float64(len(sums))
}

func randomStrata(r *rand.Rand, value func() float64) (strata []stats.Stratum) {
	for range 1 + r.IntN(3) {
		s := stats.Stratum{Weight: 1}
		for range 1 + r.IntN(3) {
			s.Base = append(s.Base, value())
		}
		for range 1 + r.IntN(3) {
			s.Head = append(s.Head, value())
		}
		strata = append(strata, s)
	}
	return strata
}

func TestStratifiedCountsEveryShuffle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range []struct {
		rule  string
		value func() float64
	}{
		{"passes and failures", func() float64 { return float64(r.IntN(2)) }},
		{"values that no two sums share", r.Float64},
	} {
		t.Run(kind.rule, func(t *testing.T) {
			for range 300 {
				strata := randomStrata(r, kind.value)
				worse, better := shuffled(strata)
				got := stats.StratifiedTest(strata)
				tol := 1e-12
				if got.Mode == stats.TestLattice { // rounding may put two sums side by side in another order, or make them equal
					tol = 0.06
				}
				near(t, "Worse", got.Worse, worse, tol)
				near(t, "Better", got.Better, better, tol)
			}
		})
	}
}

func TestStratifiedIsTheSameInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		strata := randomStrata(r, r.Float64)
		want := stats.StratifiedTest(strata)
		r.Shuffle(len(strata), func(i, j int) { strata[i], strata[j] = strata[j], strata[i] })
		for _, s := range strata {
			r.Shuffle(len(s.Base), func(i, j int) { s.Base[i], s.Base[j] = s.Base[j], s.Base[i] })
		}
		got := stats.StratifiedTest(strata)
		near(t, "Worse in another order", got.Worse, want.Worse, 1e-12)
	}
}

func TestStratifiedRules(t *testing.T) {
	one, zero := []float64{1}, []float64{0}
	for _, c := range []struct {
		rule   string
		strata []stats.Stratum
		want   stats.StratifiedResult
	}{
		{"no case: nothing to shuffle", nil, stats.StratifiedResult{Worse: 1, Better: 1, Mode: stats.TestNone}},
		{"equal results tell nothing", []stats.Stratum{{Base: one, Head: one, Weight: 1}}, stats.StratifiedResult{Worse: 1, Better: 1, Mode: stats.TestNone}},
		{"a side without a result tells nothing", []stats.Stratum{{Head: zero, Weight: 1}}, stats.StratifiedResult{Worse: 1, Better: 1, Mode: stats.TestNone}},
		{"one flip happens every other time", []stats.Stratum{{Base: one, Head: zero, Weight: 1}},
			stats.StratifiedResult{Worse: 0.5, Better: 1, Informative: 1, Mode: stats.TestExact}},
		{"a silent case does not change how the others are counted", []stats.Stratum{{Base: one, Head: zero, Weight: 1}, {Base: one, Head: one, Weight: 7}},
			stats.StratifiedResult{Worse: 0.5, Better: 1, Informative: 1, Mode: stats.TestExact}},
		{"cases of unequal weight are put on the lattice", []stats.Stratum{{Base: one, Head: zero, Weight: 1}, {Base: zero, Head: one, Weight: 2}},
			stats.StratifiedResult{Worse: 0.75, Better: 0.5, Informative: 2, Mode: stats.TestLattice}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := stats.StratifiedTest(c.strata); got != c.want {
				t.Errorf("StratifiedTest(%v) = %+v, want %+v", c.strata, got, c.want)
			}
		})
	}
}

func TestFisherRules(t *testing.T) {
	for _, c := range []struct {
		rule       string
		base, head stats.Count
		want       float64
	}{
		{"eight against none: one deal in 12,870", stats.Count{Passed: 8, Trials: 8}, stats.Count{Trials: 8}, 1.0 / 12870},
		{"as good as can be: certain", stats.Count{Passed: 3, Trials: 5}, stats.Count{Passed: 5, Trials: 5}, 1},
		{"no trial: nothing to doubt", stats.Count{}, stats.Count{Trials: 8}, 1},
		{"many trials do not overflow", stats.Count{Passed: 5000, Trials: 10000}, stats.Count{Passed: 5000, Trials: 10000}, 0.505641684},
	} {
		t.Run(c.rule, func(t *testing.T) { near(t, "Fisher", stats.Fisher(c.base, c.head), c.want, 1e-6*c.want) })
	}
}

func TestRegionRules(t *testing.T) {
	for _, c := range []struct {
		rule    string
		rounds  int
		level   float64
		outcome [2]int // base and head passes
		want    bool
	}{
		{"alone, two lucky passes do not save a broken case", 8, 0.005, [2]int{8, 2}, true},
		{"alone, three do", 8, 0.005, [2]int{8, 3}, false},
		{"alone, a base that fails twice needs a head that never passes", 8, 0.005, [2]int{6, 0}, true},
		{"seven suspects: one lucky pass", 8, 0.005 / 7, [2]int{8, 1}, true},
		{"eight suspects: none", 8, 0.005 / 8, [2]int{8, 1}, false},
		{"twenty suspects can still be proven", 8, 0.005 / 20, [2]int{8, 0}, true},
		{"six rounds cannot prove five suspects", 6, 0.005 / 5, [2]int{6, 0}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := stats.NewRegion(c.rounds, c.level).Has(c.outcome[0], c.outcome[1]); got != c.want {
				t.Errorf("NewRegion(%d, %v).Has(%v) = %v, want %v", c.rounds, c.level, c.outcome, got, c.want)
			}
		})
	}
}

// Stopping as soon as the outcome is certain decides as all rounds would.
func TestCertainAgreesWithAllRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		region := stats.NewRegion(1+r.IntN(9), []float64{0.05, 0.005, 0.001}[r.IntN(3)])
		base, head, stopped := 0, 0, 0
		proven, certain := region.Certain(0, 0, 0)
		for done := 1; done <= region.Rounds; done++ {
			base, head = base+r.IntN(2), head+r.IntN(2)
			if !certain {
				proven, certain = region.Certain(done, base, head)
				stopped = done
			}
		}
		if !certain || proven != region.Has(base, head) {
			t.Fatalf("stopped after %d of %d rounds with %v (certain %v); all rounds say %v", stopped, region.Rounds, proven, certain, region.Has(base, head))
		}
	}
}

func TestNormalQuantileOfTheTails(t *testing.T) {
	for _, c := range []struct{ p, z float64 }{{1e-10, -6.361340902404056}, {1e-300, -37.0471}, {0.5, 0}, {0.99, 2.3263478740408408}} {
		near(t, "NormalQuantile", stats.NormalQuantile(c.p), c.z, 1e-4*math.Max(1e-5, math.Abs(c.z)))
	}
	for _, p := range []float64{0, 1, -1, math.NaN()} {
		if z := stats.NormalQuantile(p); !math.IsNaN(z) {
			t.Errorf("NormalQuantile(%v) = %v, want NaN", p, z)
		}
	}
}

func TestReachesRefusesNaN(t *testing.T) {
	if stats.AtMost(math.NaN(), 0.05) {
		t.Error("a probability that is no number reaches no level")
	}
}

func TestSoManySuspectsCanBeProvenAtOnce(t *testing.T) {
	for _, c := range []struct {
		rounds int
		level  float64
		want   int
	}{{5, 0.01 / 3, 0}, {6, 0.01 / 3, 3}, {7, 0.01 / 3, 11}, {8, 0.01 / 3, 42}, {8, 0.005, 64}, {4, 0.05 / 3, 1}, {0, 0.5, 0}, {100, 0.01, math.MaxInt32}} {
		got := stats.MaxProvable(c.rounds, c.level)
		if got != c.want {
			t.Errorf("MaxProvable(%d, %v) = %d, want %d", c.rounds, c.level, got, c.want)
		}
		if c.rounds == 0 || got > 1000 {
			continue
		}
		if got > 0 && stats.NewRegion(c.rounds, c.level/float64(got)).Empty() || !stats.NewRegion(c.rounds, c.level/float64(got+1)).Empty() {
			t.Errorf("%d rounds at %v: the region of %d suspects is empty, or that of one more is not", c.rounds, c.level, got)
		}
	}
}
