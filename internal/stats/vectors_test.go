package stats_test

import (
	"testing"

	"github.com/failproof/failproof/internal/sharedtest"
	"github.com/failproof/failproof/internal/stats"
)

func TestVectors(t *testing.T) {
	sharedtest.RunVectors(t, map[string]func(*testing.T, sharedtest.Vector) any{
		"mcnemar_exact": sharedtest.VectorFunc(mcnemar), "binomial_interval": sharedtest.VectorFunc(binomialIntervals),
		"agresti_min": sharedtest.VectorFunc(agrestiMin), "adjust_p": sharedtest.VectorFunc(adjustP), "case_p": sharedtest.VectorFunc(caseP),
		"strat_exact": sharedtest.VectorFunc(stratExact), "strat_lattice": sharedtest.VectorFunc(stratLattice),
		"rerun_interval": sharedtest.VectorFunc(rerunInterval), "planning": sharedtest.VectorFunc(planning), "norm_ppf": sharedtest.VectorFunc(normPPF),
	})
}

// singles are cases of one pass/fail trial a side.
func singles(worse, better, same int) (pairs []stats.Pair) {
	for range worse {
		pairs = append(pairs, stats.Pair{Base: []float64{1}, Head: []float64{0}})
	}
	for range better {
		pairs = append(pairs, stats.Pair{Base: []float64{0}, Head: []float64{1}})
	}
	for range same {
		pairs = append(pairs, stats.Pair{Base: []float64{1}, Head: []float64{1}})
	}
	return pairs
}

func stratified(pairs []stats.Pair) stats.StratifiedResult {
	var strata []stats.Stratum
	for _, p := range pairs {
		strata = append(strata, stats.Stratum{Base: p.Base, Head: p.Head, Weight: 1})
	}
	return stats.StratifiedTest(strata)
}

type mcnemarInput struct {
	Worse  int `json:"pass_to_fail"`
	Better int `json:"fail_to_pass"`
}

// mcnemar is the stratified test with one trial a side.
func mcnemar(_ *testing.T, in mcnemarInput) map[string]float64 {
	test := stratified(singles(in.Worse, in.Better, 3))
	return map[string]float64{"p_worse": test.Worse, "p_two_sided": min(1, 2*min(test.Worse, test.Better))}
}

type binomialInput struct {
	Successes, N int
	Level        float64
}

func binomialIntervals(_ *testing.T, in binomialInput) map[string][2]float64 {
	lo, hi := stats.Wilson(float64(in.Successes)/float64(in.N), float64(in.N), in.Level)
	return map[string][2]float64{"wilson": {lo, hi}}
}

type agrestiInput struct {
	Worse  int `json:"pass_to_fail"`
	Better int `json:"fail_to_pass"`
	N      int
	Level  float64
}

func agrestiMin(_ *testing.T, in agrestiInput) map[string]float64 {
	r := stats.AgrestiMin(singles(in.Worse, in.Better, in.N-in.Worse-in.Better))
	half := stats.NormalQuantile((1+in.Level)/2) * r.SE
	return map[string]float64{"centre": r.Center, "lo": r.Center - half, "hi": r.Center + half}
}

type adjustInput struct{ P []float64 }

func adjustP(_ *testing.T, in adjustInput) map[string][]float64 {
	return map[string][]float64{"holm": stats.Holm(in.P)}
}

type casePInput struct {
	BasePasses int `json:"base_passes"`
	BaseTrials int `json:"base_trials"`
	HeadPasses int `json:"head_passes"`
	HeadTrials int `json:"head_trials"`
}

func caseP(_ *testing.T, in casePInput) map[string]float64 {
	return map[string]float64{"p_worse": stats.Fisher(stats.Count{Passed: in.BasePasses, Trials: in.BaseTrials},
		stats.Count{Passed: in.HeadPasses, Trials: in.HeadTrials})}
}

type stratExactInput struct {
	K    int
	Base []int `json:"base_passes"`
	Head []int `json:"head_passes"`
}

func stratExact(_ *testing.T, in stratExactInput) map[string]any {
	var pairs []stats.Pair
	for i := range in.Base {
		pairs = append(pairs, stats.Pair{Base: passed(in.Base[i], in.K), Head: passed(in.Head[i], in.K)})
	}
	return permutationWords(stratified(pairs))
}

func passed(passes, trials int) []float64 {
	out := make([]float64, trials)
	for i := range passes {
		out[i] = 1
	}
	return out
}

func permutationWords(p stats.StratifiedResult) map[string]any {
	return map[string]any{"p_worse": p.Worse, "p_better": p.Better, "n_informative": p.Informative, "mode": p.Mode}
}

type stratLatticeInput struct {
	Cases []struct {
		Base, Head []float64
		W          float64
	}
	Lattice int
}

func stratLattice(t *testing.T, in stratLatticeInput) map[string]any {
	if in.Lattice != 16384 {
		t.Fatalf("a lattice of %d", in.Lattice)
	}
	var strata []stats.Stratum
	for _, c := range in.Cases {
		strata = append(strata, stats.Stratum{Base: c.Base, Head: c.Head, Weight: c.W})
	}
	return permutationWords(stats.StratifiedTest(strata))
}

type rerunInput struct{ Pairs [][2][]float64 }

func rerunInterval(_ *testing.T, in rerunInput) map[string]any {
	var pairs []stats.Pair
	sum := 0.0
	for _, p := range in.Pairs {
		pairs = append(pairs, stats.Pair{Base: p[0], Head: p[1]})
		sum += pairs[len(pairs)-1].Delta()
	}
	r := stats.RerunInterval(pairs)
	lo, hi := r.Interval()
	return map[string]any{"delta": sum / float64(len(pairs)), "ci95": [2]float64{lo, hi}, "method": r.Method, "sigma2": r.Sigma2}
}

type planningInput struct {
	Sigma2, Alpha, Power, Drop float64
	N, K                       int
}

func planning(_ *testing.T, in planningInput) map[string]any {
	p := stats.Planning{Sigma2: in.Sigma2, Alpha: in.Alpha, Power: in.Power}
	return map[string]any{"mde": p.Detectable(in.N * in.K), "case_trials_needed": p.Trials(in.Drop)}
}

type normInput struct{ P float64 }

func normPPF(_ *testing.T, in normInput) map[string]float64 {
	return map[string]float64{"z": stats.NormalQuantile(in.P)}
}
