package observe

import (
	"math"
	"slices"
)

// contingencyTable counts how often two labellings of the same things give each pair of labels. Its methods return
// information and entropy in nats.
type contingencyTable struct {
	n     int
	a, b  []int // how often each label of the first and of the second labelling occurs
	cells []int // how often each pair of labels occurs, ordered by the first label, then by the second
}

// newContingencyTable returns the table of two labellings. a[i] and b[i] are the labels of thing i. Labels are numbers
// from 0.
func newContingencyTable(a, b []int) *contingencyTable {
	t := &contingencyTable{n: len(a)}
	t.a, t.b = tally(a), tally(b)
	t.cells = make([]int, len(t.a)*len(t.b))
	for i := range a {
		t.cells[a[i]*len(t.b)+b[i]]++
	}
	return t
}

func tally(labels []int) (count []int) {
	for _, l := range labels {
		for len(count) <= l {
			count = append(count, 0)
		}
		count[l]++
	}
	return count
}

func (t *contingencyTable) information() (sum float64) {
	n := float64(t.n)
	for i, a := range t.a {
		for j, b := range t.b {
			if c := float64(t.cells[i*len(t.b)+j]); c > 0 {
				sum += c / n * (math.Log(n*c) - math.Log(float64(a)*float64(b)))
			}
		}
	}
	return max(0, sum)
}

// entropy returns the entropy of one of the labellings. count is t.a or t.b.
func (t *contingencyTable) entropy(count []int) (sum float64) {
	for _, c := range count {
		if c > 0 {
			p := float64(c) / float64(t.n)
			sum -= float64(p * math.Log(p))
		}
	}
	return max(0, sum)
}

// expected returns the mean of the mutual information over all ways to assign the labels (Vinh, Epps and Bailey, 2010).
func (t *contingencyTable) expected() (sum float64) {
	n := t.n
	logFactorial := make([]float64, n+1)
	for i := 2; i <= n; i++ {
		logFactorial[i] = logFactorial[i-1] + math.Log(float64(i))
	}
	f := logFactorial
	for _, a := range t.a {
		for _, b := range t.b {
			for c := max(1, a+b-n); c <= min(a, b); c++ {
				chance := math.Exp(f[a] + f[b] + f[n-a] + f[n-b] - f[n] - f[c] - f[a-c] - f[b-c] - f[n-a-b+c])
				shared := float64(c) / float64(n) * (math.Log(float64(n)*float64(c)) - math.Log(float64(a)*float64(b)))
				sum += float64(shared * chance)
			}
		}
	}
	return sum
}

// adjusted returns the mutual information above chance as a share of its possible maximum, the mean of the two
// entropies. byChance is the result of expected. It is 1 if each labelling has only one label.
func (t *contingencyTable) adjusted(byChance float64) float64 {
	maximum := (t.entropy(t.a)+t.entropy(t.b))/2 - byChance
	const least = 0x1p-52 // as in scikit-learn, to avoid a division by zero
	return (t.information() - byChance) / max(maximum, least)
}

// shuffles is the number of shuffles for one p-value.
const shuffles = 1000

// permutationPValue returns the p-value of the agreement between the labellings a and b. observed is their table. The
// p-value is (1 + hits) / (1 + shuffles). hits counts the shuffles of a that agree with b at least as much as a does.
// It is never 0.
func permutationPValue(a, b []int, observed *contingencyTable) float64 {
	// Shuffles do not change how often each label occurs. So the information grows with the sum of c log c over cells.
	weight := make([]float64, len(a)+1)
	for i := 2; i < len(weight); i++ {
		weight[i] = float64(i) * math.Log(float64(i))
	}
	shared := func(cells []int) (sum float64) {
		for _, c := range cells {
			sum += weight[c]
		}
		return sum
	}
	threshold := shared(observed.cells) - 1e-9*float64(len(a))
	random, shuffled := newRNG(purposeShuffles, 0), slices.Clone(a)
	cells, width := make([]int, len(observed.cells)), len(observed.b)
	hits := 0
	for range shuffles {
		clear(cells)
		for i := len(shuffled) - 1; i >= 0; i-- {
			j := random.intN(i + 1)
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
			cells[shuffled[i]*width+b[i]]++
		}
		if shared(cells) >= threshold {
			hits++
		}
	}
	return float64(1+hits) / (1 + shuffles)
}
