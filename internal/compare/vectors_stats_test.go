package compare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/stats"
)

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

func stratified(pairs []stats.Pair) stats.Permutation {
	var strata []stats.Stratum
	for _, p := range pairs {
		strata = append(strata, stats.Stratum{Base: p.Base, Head: p.Head, Weight: 1})
	}
	return stats.Stratified(strata)
}

type mcnemarInput struct {
	Worse  int `json:"pass_to_fail"`
	Better int `json:"fail_to_pass"`
}

// mcnemar is the stratified test with one trial a side; the mid-p forms, which no gate uses, are counted here.
func mcnemar(_ *testing.T, in mcnemarInput) map[string]float64 {
	n := in.Worse + in.Better
	test := stratified(singles(in.Worse, in.Better, 3))
	point := math.Exp(logChoose(n, in.Worse) - float64(n)*math.Ln2)
	twoSided := min(1, 2*min(test.Worse, test.Better))
	if n == 0 { // nothing flipped: nothing to take the middle of
		point = 0
	}
	mid := test.Worse - point/2
	return map[string]float64{"p_worse": test.Worse, "p_two_sided": twoSided, "p_worse_mid": mid,
		"p_two_sided_mid": min(1, 2*min(mid, test.Better-point/2))}
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

type binomialInput struct {
	Successes, N int
	Level        float64
}

func binomialIntervals(_ *testing.T, in binomialInput) map[string][2]float64 {
	lo, hi := stats.Wilson(float64(in.Successes)/float64(in.N), float64(in.N), in.Level)
	x, n, tail := float64(in.Successes), float64(in.N), (1-in.Level)/2
	exact := [2]float64{0, 1}
	if in.Successes > 0 {
		exact[0] = betaQuantile(tail, x, n-x+1)
	}
	if in.Successes < in.N {
		exact[1] = betaQuantile(1-tail, x+1, n-x)
	}
	jeffreys := [2]float64{betaQuantile(tail, x+0.5, n-x+0.5), betaQuantile(1-tail, x+0.5, n-x+0.5)}
	return map[string][2]float64{"wilson": {lo, hi}, "clopper_pearson": exact, "jeffreys": jeffreys}
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
	return map[string]float64{"centre": r.Centre, "lo": r.Centre - half, "hi": r.Centre + half}
}

type adjustInput struct{ P []float64 }

func adjustP(_ *testing.T, in adjustInput) map[string][]float64 {
	return map[string][]float64{"holm": stats.Holm(in.P), "bh": benjaminiHochberg(in.P)}
}

func benjaminiHochberg(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, p[a]-p[b])) })
	out, least := make([]float64, len(p)), 1.0
	for rank := len(p); rank > 0; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(p))/float64(rank))
		out[i] = least
	}
	return out
}

type flipInput struct{ D []float64 }

// signFlip goes through every way of giving the differences a sign.
func signFlip(_ *testing.T, in flipInput) map[string]float64 {
	seen := 0.0
	for _, d := range in.D {
		seen += d
	}
	worse, better, far := 0, 0, 0
	for signs := range 1 << len(in.D) {
		sum := 0.0
		for i, d := range in.D {
			if signs>>i&1 == 1 {
				d = -d
			}
			sum += d
		}
		const slack = 1e-9
		if sum <= seen+slack {
			worse++
		}
		if sum >= seen-slack {
			better++
		}
		if math.Abs(sum) >= math.Abs(seen)-slack {
			far++
		}
	}
	all := float64(int(1) << len(in.D))
	return map[string]float64{"p_worse": float64(worse) / all, "p_better": float64(better) / all, "p_abs": float64(far) / all}
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

func permutationWords(p stats.Permutation) map[string]any {
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
	return permutationWords(stats.Stratified(strata))
}

type clusteredInput struct {
	Values   []float64
	Clusters []int
}

// clusteredSE is the standard error of a mean whose values come in clusters (Miller 2024, section 2.2).
func clusteredSE(_ *testing.T, in clusteredInput) map[string]float64 {
	n := float64(len(in.Values))
	mean, squares := 0.0, 0.0
	for _, v := range in.Values {
		mean += v / n
	}
	sums := map[int]float64{}
	for i, v := range in.Values {
		sums[in.Clusters[i]] += v - mean
		squares += (v - mean) * (v - mean)
	}
	variance := 0.0
	for _, s := range sums {
		variance += s * s
	}
	c := float64(len(sums))
	se := math.Sqrt(variance) / n
	return map[string]float64{"mean": mean, "se": se, "se_corrected": se * math.Sqrt(c/(c-1)), "se_unclustered": math.Sqrt(squares/(n-1)) / math.Sqrt(n)}
}

type pairedInput struct{ Base, Head []float64 }

func pairedT(_ *testing.T, in pairedInput) map[string]any {
	n := float64(len(in.Base))
	mean, squares := 0.0, 0.0
	for i := range in.Base {
		mean += (in.Head[i] - in.Base[i]) / n
	}
	for i := range in.Base {
		d := in.Head[i] - in.Base[i] - mean
		squares += d * d
	}
	se := math.Sqrt(squares / (n - 1) / n)
	half := studentQuantile(0.975, n-1) * se
	return map[string]any{"delta": mean, "se": se, "ci95": [2]float64{mean - half, mean + half}, "p_worse": studentBelow(mean/se, n-1)}
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
