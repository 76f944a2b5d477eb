package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// chances are the probabilities that the cases pass, in [0, 1].
type chances []float64

// flake draws the probability that a case passes.
type flake func(*rand.Rand) float64

// namedFlakes has the kinds of noise by name.
var namedFlakes = map[string]flake{
	"low": beta(0.85, 0.1), "med": beta(0.85, 0.5), "high": beta(0.85, 2), "half": constant(0.5),
	"uniform": (*rand.Rand).Float64,
}

func constant(p float64) flake { return func(*rand.Rand) float64 { return p } }

// parseFlake reads a name, beta:MEAN:KAPPA, const:P, or mix:W*FLAKE+W*FLAKE.
func parseFlake(text string) (flake, error) {
	if f, ok := namedFlakes[text]; ok {
		return f, nil
	}
	kind, rest, _ := strings.Cut(text, ":")
	switch kind {
	case "beta":
		first, second, _ := strings.Cut(rest, ":")
		mean, err1 := strconv.ParseFloat(first, 64)
		kappa, err2 := strconv.ParseFloat(second, 64)
		if err1 != nil || err2 != nil || !(mean > 0 && mean < 1 && kappa > 0) {
			return nil, fmt.Errorf("flake %q: want beta:MEAN:KAPPA", text)
		}
		return beta(mean, kappa), nil
	case "const":
		p, err := strconv.ParseFloat(rest, 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("flake %q: want const:P with P in 0 to 1", text)
		}
		return constant(p), nil
	case "mix":
		return parseMix(rest)
	}
	return nil, fmt.Errorf("flake %q: want low, med, high, half, uniform, beta:MEAN:KAPPA, const:P or "+
		"mix:W*FLAKE+W*FLAKE", text)
}

func parseMix(text string) (flake, error) {
	var parts []flake
	var upTo []float64
	sum := 0.0
	for one := range strings.SplitSeq(text, "+") {
		weight, kind, _ := strings.Cut(one, "*")
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil || !(w > 0) {
			return nil, fmt.Errorf("part %q of the mix: want WEIGHT*FLAKE", one)
		}
		f, err := parseFlake(kind)
		if err != nil {
			return nil, err
		}
		sum += w
		parts, upTo = append(parts, f), append(upTo, sum)
	}
	return func(r *rand.Rand) float64 {
		u := r.Float64() * sum
		for i, limit := range upTo {
			if u < limit {
				return parts[i](r)
			}
		}
		return parts[len(parts)-1](r)
	}, nil
}

// beta draws from Beta(mean*kappa, (1-mean)*kappa). It uses logarithms, because the parameters of a low flake are
// tiny.
func beta(mean, kappa float64) flake {
	return func(r *rand.Rand) float64 {
		return 1 / (1 + math.Exp(logGamma(r, (1-mean)*kappa)-logGamma(r, mean*kappa)))
	}
}

// logGamma draws the logarithm of a Gamma(shape) variable (Marsaglia and Tsang 2000).
func logGamma(r *rand.Rand, shape float64) float64 {
	boost := 0.0
	if shape < 1 {
		boost = math.Log(1-r.Float64()) / shape
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := math.Pow(1+c*x, 3)
		if v > 0 && math.Log(1-r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return math.Log(d*v) + boost
		}
	}
}

// drop makes the head's probabilities from the base's.
type drop struct {
	kind   string  // none, concentrated, diffuse, broken or failing
	amount float64 // fall of the mean, in [0, 1]; for broken and failing: number of cases
	fail   float64 // for failing: the share of their answers that fail
}

func (d drop) String() string {
	switch d.kind {
	case "none":
		return d.kind
	case "broken":
		return fmt.Sprintf("%.0f broken", d.amount)
	case "failing":
		return fmt.Sprintf("%.0f failing in %.0f %%", d.amount, 100*d.fail)
	}
	return fmt.Sprintf("%s %.0f pt", d.kind, 100*d.amount)
}

// parseDrop reads none, concentrated:D, diffuse:D, broken:N or failing:NxP.
func parseDrop(text string) (drop, error) {
	kind, figure, _ := strings.Cut(text, ":")
	d := drop{kind: kind, fail: 1}
	var err, errShare error
	if cases, share, ok := strings.Cut(figure, "x"); ok && kind == "failing" {
		figure = cases
		d.fail, errShare = strconv.ParseFloat(share, 64)
	}
	d.amount, err = strconv.ParseFloat(figure, 64)
	whole := kind == "broken" || kind == "failing"
	switch {
	case text == "none":
		return drop{kind: kind}, nil
	case errShare != nil || !(d.fail > 0 && d.fail <= 1):
		return drop{}, fmt.Errorf("drop %q: want failing:NxP with P in 0 to 1", text)
	case err == nil && whole && d.amount >= 1 && d.amount == math.Trunc(d.amount):
		return d, nil
	case err == nil && (kind == "concentrated" || kind == "diffuse") && d.amount > 0 && d.amount <= 1:
		return d, nil
	}
	return drop{}, fmt.Errorf("drop %q: want none, concentrated:D, diffuse:D, broken:N or failing:NxP", text)
}

// apply returns the head's probabilities. It breaks healthy cases one after the other, or makes all a little worse.
func (d drop) apply(base chances, r *rand.Rand) chances {
	head := append(chances{}, base...)
	switch d.kind {
	case "concentrated":
		remaining := d.amount * float64(len(base))
		for _, i := range r.Perm(len(base)) {
			if base[i] >= 0.5 && remaining > 0 {
				lost := min(base[i], remaining)
				head[i], remaining = base[i]-lost, remaining-lost
			}
		}
	case "broken", "failing":
		remaining := d.amount
		for _, i := range r.Perm(len(base)) {
			if base[i] >= 0.5 && remaining > 0 {
				head[i], remaining = 1-cmp.Or(d.fail, 1), remaining-1
			}
		}
	case "diffuse":
		mean := 0.0
		for _, p := range base {
			mean += p / float64(len(base))
		}
		for i := range head {
			head[i] = base[i] * max(0, 1-d.amount/mean)
		}
	}
	return head
}
