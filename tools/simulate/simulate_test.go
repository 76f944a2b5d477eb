package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestOneCellIsTheSameEveryTime(t *testing.T) {
	var first string
	for range 2 {
		var out bytes.Buffer
		if err := run(t.Context(), strings.Fields("-n 10 -k 1 -flake high -drop concentrated:0.2 -runs 40 -seed 7"), &out); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first {
			t.Errorf("a second run prints\n%swant\n%s", out.String(), first)
		}
	}
	if !strings.HasPrefix(first, "n=10  k=1 suites=1 flake=high, concentrated 20 pt, 40 runs\nblocked ") {
		t.Errorf("printed %q", first)
	}
}

func TestRecordingsOfANoisyModelNeedFreshAnswers(t *testing.T) {
	blocked := map[bool]int{}
	for _, settled := range []bool{false, true} {
		c := cell{n: 30, k: 1, suites: 1, flake: "med", mode: "auto", target: "recorded", settled: settled, drop: drop{kind: "none"}, seed: 1}
		sum, err := c.run(t.Context(), 40)
		if err != nil {
			t.Fatal(err)
		}
		blocked[settled] = sum.blocked
	}
	if blocked[false] < 20 || blocked[true] > 1 {
		t.Errorf("of 40 harmless changes %d are blocked as they were recorded, %d with fresh answers", blocked[false], blocked[true])
	}
	if err := run(t.Context(), strings.Fields("-n 5 -recorded twice"), &bytes.Buffer{}); err == nil {
		t.Error("-recorded twice is taken")
	}
}

func TestAModelThatIsSureOfItselfIsNeverBlocked(t *testing.T) {
	c := cell{n: 20, k: 1, suites: 2, flake: "const:1", seed: 1}.live()
	sum, err := c.run(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	if sum.blocked+sum.undecided+sum.suspected > 0 || sum.calls != sum.callsWithoutReruns || sum.runs != 20 {
		t.Errorf("%+v; want 20 passed runs without a further call", sum)
	}
}

func TestABrokenCaseIsAlwaysFoundWhereTheModelIsSure(t *testing.T) {
	c := cell{n: 20, k: 1, suites: 1, flake: "const:1", drop: drop{kind: "concentrated", amount: 0.05}, seed: 1}.live()
	sum, err := c.run(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	if sum.blocked != sum.runs || sum.calls != sum.callsWithoutReruns+20*14 {
		t.Errorf("%+v; want every run blocked after seven rounds on both sides", sum)
	}
}

// BenchmarkGoals makes a small part of the goals' runs, of which none may be missed for sure.
func BenchmarkGoals(b *testing.B) {
	for range b.N {
		var out bytes.Buffer
		if err := run(b.Context(), strings.Fields("-factor 0.02 -seed 3"), &out); err != nil {
			b.Errorf("%v\n%s", err, out.String())
		}
	}
}

func TestDrops(t *testing.T) {
	base := chances{1, 0.9, 0.8, 0, 1, 1, 1, 1, 1, 0.3}
	mean := func(p chances) (sum float64) {
		for _, v := range p {
			sum += v / float64(len(p))
		}
		return sum
	}
	for _, d := range []drop{{kind: "concentrated", amount: 0.1}, {kind: "concentrated", amount: 0.15}, {kind: "diffuse", amount: 0.1}} {
		t.Run(d.String()+" falls by exactly so much", func(t *testing.T) {
			head := d.apply(base, rand.New(rand.NewPCG(1, 1)))
			if got := mean(base) - mean(head); math.Abs(got-d.amount) > 1e-12 {
				t.Errorf("the mean falls by %v, want %v", got, d.amount)
			}
		})
	}
}

func TestFlakesHaveTheirMeanAndTheirDisagreement(t *testing.T) {
	for _, c := range []struct {
		name           string
		mean, disagree float64
	}{
		{"low", 0.85, 0.023}, {"med", 0.85, 0.085}, {"high", 0.85, 0.17}, {"half", 0.5, 0.5}, {"uniform", 0.5, 1.0 / 3},
		{"beta:0.5:1", 0.5, 0.25}, {"const:0.9", 0.9, 0.18}, {"mix:0.5*const:1+0.5*const:0.5", 0.75, 0.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := parseFlake(c.name)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			mean, disagree := 0.0, 0.0
			const n = 40000
			for range n {
				p := f(r)
				mean += p / n
				disagree += 2 * p * (1 - p) / n
			}
			if math.Abs(mean-c.mean) > 0.01 || math.Abs(disagree-c.disagree) > 0.005 {
				t.Errorf("mean %.3f, two runs disagree in %.3f; want %.3f and %.3f", mean, disagree, c.mean, c.disagree)
			}
		})
	}
}

func TestWordsThatAreNone(t *testing.T) {
	for _, args := range []string{"-n 5 -flake loud", "-n 5 -flake beta:2:1", "-n 5 -flake const:x", "-n 5 -flake mix:0*low", "-n 5 -drop 0.1", "-n 5 -drop diffuse:2"} {
		if err := run(t.Context(), strings.Fields(args), &bytes.Buffer{}); err == nil {
			t.Errorf("%s is taken", args)
		}
	}
}

func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		seen, n int
		lo, hi  float64
	}{{0, 10, 0, 0.3084971078187608}, {17, 20, 0.621073173454686, 0.9679290628145363}, {10, 10, 0.6915028921812392, 1}} {
		lo, hi := clopperPearson(c.seen, c.n, 0.95)
		if math.Abs(lo-c.lo) > 1e-9 || math.Abs(hi-c.hi) > 1e-9 {
			t.Errorf("clopperPearson(%d, %d) = %v, %v; want %v, %v", c.seen, c.n, lo, hi, c.lo, c.hi)
		}
	}
}
