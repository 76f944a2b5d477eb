package noise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/failproof/failproof/internal/noise"
)

func pooledSettings() noise.Settings {
	s := defaults()
	s.Pooled = true
	return s
}

func TestSuspectsAreTestedTogether(t *testing.T) {
	half, fine := "10 11 10 11 10 11 10 11", "11"
	for _, c := range []struct {
		rule   string
		cases  []string
		of     int // cases in all
		rounds answers
		most   int // rounds asked
		want   string
	}{
		{"two that fail in half of their answers", []string{"a 1/0", "b 1/0"}, 10, answers{"a": half, "b": half}, 16, "2 × 8: 16, 8, proven"},
		{"one of them is proven alone", []string{"a 1/0", "b 1/0"}, 10, answers{"a": "10", "b": half}, 16, ""},
		{"three, of which one is proven alone", []string{"a 1/0", "b 1/0", "c 1/0"}, 10, answers{"a": "10", "b": half, "c": half}, 24, "2 × 8: 16, 8, proven"},
		{"two that look harmless after two rounds", []string{"a 1/0", "b 1/0"}, 10, answers{"a": fine, "b": fine}, 4, ""},
		{"one that was lost at first is not among them", []string{"a 1/0", "b 1/e outage"}, 10, answers{"a": half, "b": "1e"}, 20, ""},
		{"one alone", []string{"a 1/0"}, 10, answers{"a": half}, 8, ""},
		{"four of ten", []string{"a 1/0", "b 1/0", "c 1/0", "d 1/0"}, 10, answers{"a": half, "b": half, "c": half, "d": half}, 16, ""},
		{"four of forty", []string{"a 1/0", "b 1/0", "c 1/0", "d 1/0"}, 40, answers{"a": half, "b": half, "c": half, "d": half}, 32, "4 × 8: 32, 16, proven"},
		{"four of fewer", []string{"a 1/0", "b 1/0", "c 1/0", "d 1/0"}, 39, answers{"a": half, "b": half, "c": half, "d": half}, 16, ""},
		{"answers are missing", []string{"a 1/0", "b 1/0"}, 10, answers{"a": half, "b": "ee"}, 24, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cases := c.cases
			for i := len(cases); i < c.of; i++ {
				cases = append(cases, fmt.Sprintf("z%d 1/1", i))
			}
			p := procedure(t, pooledSettings(), cases...)
			asked := c.rounds.run(t, p)
			got := ""
			f := p.Finding()
			if test := f.Numbers.Confirm.Pooled; test != nil {
				got = fmt.Sprintf("%d × %d: %d, %d", test.Cases, test.Rounds, test.BasePasses, test.HeadPasses)
				if test.Proven {
					got += ", proven"
				}
				if test.Proven != f.Pooled {
					t.Errorf("the finding says %t, the look %t", f.Pooled, test.Proven)
				}
			}
			if got != c.want || asked > c.most {
				t.Errorf("%q after %d rounds, want %q after at most %d", got, asked, c.want, c.most)
			}
		})
	}
}

// TestAPoolTakesTwoRoundsOfCasesThatAreCleared asks cases on that one round clears, as few rounds prove few candidates.
func TestAPoolTakesTwoRoundsOfCasesThatAreCleared(t *testing.T) {
	s := pooledSettings()
	s.Confirm = 6
	var cases []string
	rounds := answers{}
	for i := range 40 {
		id := fmt.Sprintf("c%02d", i)
		cases, rounds[id] = append(cases, id+map[bool]string{true: " 1/0", false: " 1/1"}[i < 3]), "11 10"
	}
	p := procedure(t, s, cases...)
	asked := rounds.run(t, p)
	if test := p.Finding().Numbers.Confirm.Pooled; asked != 18 || test == nil || !test.Proven || test.HeadPasses != 3 {
		t.Errorf("%+v after %d rounds, want the pool of three proven after six rounds each", test, asked)
	}
}

// Nothing changed, and every case passes now and then. The looks at fresh answers are held to two thirds of alpha
// together, which is 1 in 150 runs.
func TestPooledRaisesNoFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	coin := func() string { return [2]string{"0", "1"}[r.IntN(2)] }
	alarms := 0
	for range 1500 {
		var cases []string
		rounds := answers{}
		for i := range 3 + r.IntN(30) {
			id := fmt.Sprintf("c%02d", i)
			flips := i < 1+r.IntN(4)
			cases = append(cases, id+map[bool]string{true: " 1/0", false: " 1/1"}[flips])
			for range 40 {
				rounds[id] += coin() + coin() + " "
			}
		}
		p := procedure(t, pooledSettings(), cases...)
		rounds.run(t, p)
		if f := p.Finding(); f.Confirmed > 0 || f.Pooled {
			alarms++
		}
	}
	if alarms > 1500/150 {
		t.Errorf("%d of 1,500 runs without a change are blocked", alarms)
	}
}
