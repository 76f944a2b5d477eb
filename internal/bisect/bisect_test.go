package bisect

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// world is a server whose answers depend on known hunks.
type world struct {
	hunks  int
	broken []func(in Set) bool // by case
	noise  float64             // how often an answer is not what it should be
	calls  int
	proven bool
}

func has(hunks ...int) func(Set) bool {
	return func(in Set) bool { return in&NewSet(hunks...) == NewSet(hunks...) }
}

func either(a, b func(Set) bool) func(Set) bool { return func(in Set) bool { return a(in) || b(in) } }

func (w world) find(seed uint64) []report.ExplainedCase {
	rng := rand.New(rand.NewPCG(seed, 11))
	p := Problem{Hunks: w.hunks, Alpha: 0.01, MaxAnswers: w.calls}
	for range w.broken {
		p.Cases = append(p.Cases, Case{Base: "0", Proven: w.proven, BaseAnswers: stats.Count{Passed: 8, Trials: 8}, HeadAnswers: stats.Count{Trials: 8}})
	}
	p.Key = func(_ int, in Set) string { return fmt.Sprint(in) }
	p.Ask = func(of int, in []Set, times int) (out []stats.Count, err error) {
		for _, one := range in {
			c := stats.Count{Trials: times}
			for range times {
				if right := !w.broken[of](one); right != (rng.Float64() < w.noise) {
					c.Passed++
				}
			}
			out = append(out, c)
		}
		return out, nil
	}
	out, err := Find(p)
	if err != nil {
		panic(err)
	}
	return out
}

// words is a finding in short: the hunks of each cause, or why there is none.
func words(f report.ExplainedCase) string {
	if f.Outcome != report.ExplainFound && f.Outcome != report.ExplainOnlyHunk {
		return string(f.Outcome) + f.Why
	}
	text := string(f.Outcome)
	for _, c := range f.Causes {
		text += " ["
		for i, p := range c.Parts {
			if i > 0 {
				text += "+"
			}
			text += fmt.Sprint(p.Hunks)
		}
		text += "]"
	}
	return text
}

// goals are what a search must reach at a noise, in percent of runs, and the calls that it may take on average.
type goals struct {
	noise float64
	right float64
	calls float64
}

var worlds = []struct {
	name   string
	hunks  int
	broken func(in Set) bool
	want   string
	other  string // is right too
	goals  [3]goals
}{
	{"one of 12", 12, has(4), "told [[4]]", "", [3]goals{{0, 100, 41}, {0.05, 99, 56}, {0.2, 97, 100}}},
	{"one of 3", 3, has(2), "told [[2]]", "", [3]goals{{0, 100, 29}, {0.05, 99, 40}, {0.2, 97, 70}}},
	{"one of 2", 2, has(0), "told [[0]]", "", [3]goals{{0, 100, 25}, {0.05, 99, 35}, {0.2, 97, 62}}},
	{"two of 12 together", 12, has(3, 8), "told [[3]+[8]]", "", [3]goals{{0, 100, 65}, {0.05, 99, 95}, {0.2, 95, 170}}},
	{"two of 2 together", 2, has(0, 1), "told [[0]+[1]]", "", [3]goals{{0, 100, 33}, {0.05, 99, 48}, {0.2, 96, 92}}},
	{"either of two of 12", 12, either(has(1), has(9)), "told [[1]] [[9]]", "", [3]goals{{0, 100, 69}, {0.05, 99, 100}, {0.2, 95, 180}}},
	{"either of two of 2", 2, either(has(0), has(1)), "told [[0]] [[1]]", "", [3]goals{{0, 100, 33}, {0.05, 99, 48}, {0.2, 96, 92}}},
	{"one, or two others", 6, either(has(1), has(3, 4)), "told [[1]] [[3]+[4]]", "told [[3]+[4]] [[1]]", [3]goals{{0, 100, 93}, {0.05, 99, 138}, {0.2, 85, 260}}},
	{"three of 8 together", 8, has(1, 4, 6), "told [[1]+[4]+[6]]", "", [3]goals{{0, 100, 81}, {0.05, 99, 120}, {0.2, 92, 215}}},
	{"the first of a move says nothing alone", 5, has(0, 4), "told [[0]+[4]]", "", [3]goals{{0, 100, 65}, {0.05, 99, 95}, {0.2, 95, 150}}},
}

func TestTheHunksThatBreakACaseAreFoundAndNoOthers(t *testing.T) {
	runs := uint64(fulltest.Count(300, 5000))
	for _, w := range worlds {
		for _, goal := range w.goals {
			right, wrong, calls := 0, 0, 0
			for seed := range runs {
				f := world{w.hunks, []func(Set) bool{w.broken}, goal.noise, 400, true}.find(seed)[0]
				calls += f.Answers
				switch got := words(f); {
				case got == w.want || got == w.other:
					right++
				case f.Outcome != report.ExplainNotFound:
					wrong++
				}
			}
			share := func(n int) float64 { return 100 * float64(n) / float64(runs) }
			said := fmt.Sprintf("%s, noise %.2f: right %.1f %%, wrong %.2f %%, %.0f calls", w.name, goal.noise, share(right), share(wrong), share(calls)/100)
			t.Log(said)
			if share(right) < goal.right || share(wrong) > 0.5 || share(calls)/100 > goal.calls {
				t.Errorf("%s; want %v", said, goal)
			}
		}
	}
}

func TestNothingIsToldOfAPartThatHasNothingToDoWithIt(t *testing.T) {
	for _, noise := range []float64{0, 0.05, 0.2} {
		wrong, runs := 0, uint64(fulltest.Count(1000, 20000))
		for seed := range runs {
			rng := rand.New(rand.NewPCG(seed, 5))
			var terms []Set // any of which breaks the case
			var matters Set
			for range 1 + rng.IntN(3) {
				term := NewSet(rng.IntN(8))
				for range rng.IntN(3) {
					term |= NewSet(rng.IntN(8))
				}
				terms, matters = append(terms, term), matters|term
			}
			f := world{8, []func(Set) bool{func(in Set) bool {
				for _, term := range terms {
					if in&term == term {
						return true
					}
				}
				return false
			}}, noise, 120, true}.find(seed)[0]
			for _, c := range f.Causes {
				if slices.ContainsFunc(c.Parts, func(p report.ExplainPart) bool { return NewSet(p.Hunks...)&^matters != 0 }) {
					wrong++
					break
				}
			}
		}
		if t.Logf("noise %.2f: %d of %d", noise, wrong, runs); float64(wrong) > 0.005*float64(runs) {
			t.Errorf("noise %.2f: a part was named that does nothing in %d of %d runs", noise, wrong, runs)
		}
	}
}

func TestARegressionThatIsNoneIsNotExplained(t *testing.T) {
	for _, noise := range []float64{0, 0.2, 0.5} {
		told, runs := 0, uint64(fulltest.Count(1000, 20000))
		for seed := range runs {
			if f := (world{6, []func(Set) bool{func(Set) bool { return false }}, noise, 120, true}).find(seed)[0]; f.Outcome == report.ExplainFound {
				told++
			}
		}
		if t.Logf("noise %.2f: %d of %d", noise, told, runs); float64(told) > 0.01*float64(runs) {
			t.Errorf("noise %.2f: something was told in %d of %d runs in which nothing is broken", noise, told, runs)
		}
	}
}

func TestACaseThatTheHunksDoNotBreakIsBrokenElsewhere(t *testing.T) {
	always := world{4, []func(Set) bool{func(Set) bool { return true }}, 0, 120, false}
	if f := always.find(1)[0]; f.Outcome != report.ExplainElsewhere || f.Right != 0 || f.Asked != 4 {
		t.Errorf("found %+v, want that it is broken with all hunks taken back", f)
	}
	never := world{4, []func(Set) bool{func(Set) bool { return false }}, 0, 120, false}
	if f := never.find(1)[0]; f.Outcome != report.ExplainNotBroken || f.Right != 4 || f.Asked != 4 {
		t.Errorf("found %+v, want that it is right with all hunks in force", f)
	}
}

func TestCasesThatOneHunkBreaksAreToldOneAfterTheOtherForLess(t *testing.T) {
	broken := has(6)
	all := world{12, []func(Set) bool{broken, broken, broken, broken, has(2)}, 0, 160, true}.find(1)
	for i, want := range []string{"told [[6]]", "told [[6]]", "told [[6]]", "told [[6]]", "told [[2]]"} {
		if got := words(all[i]); got != want {
			t.Errorf("case %d: %s, want %s", i, got, want)
		}
	}
	if all[1].Answers != 16 {
		t.Errorf("the second case took %d calls, want no search before the proof, 16", all[1].Answers)
	}
}

// A case that takes many answers keeps no other one from its turn.
func TestCasesAreSearchedSideBySide(t *testing.T) {
	slow := has(3, 8, 10) // takes 81 answers
	all := world{12, []func(Set) bool{slow, has(1), has(11)}, 0, 140, true}.find(1)
	for i, want := range []string{"untoldbudget", "told [[1]]", "told [[11]]"} {
		if got := words(all[i]); got != want {
			t.Errorf("case %d: %s, want %s", i, got, want)
		}
	}
	told, runs := 0, fulltest.Count(100, 2000)
	for seed := range uint64(runs) {
		for _, f := range (world{12, []func(Set) bool{has(4), has(1), has(9)}, 0.05, 3 * 120, true}).find(seed) {
			if f.Outcome == report.ExplainFound {
				told++
			}
		}
	}
	if t.Logf("%d of %d", told, 3*runs); told < 3*runs*99/100 {
		t.Errorf("with 120 answers for each of three cases %d of %d are told, want 99 of 100", told, 3*runs)
	}
}

// When the budget ends, the hunks are known to which the search has come.
func TestWhatIsKnownWhenTheBudgetEndsIsSaid(t *testing.T) {
	for calls, want := range map[int]string{0: "[]", 7: "[6 7 8 9 10 11]", 8: "[6 7 8]", 12: "[6]", 30: "[6]"} {
		f := world{12, []func(Set) bool{has(6)}, 0, calls, true}.find(1)[0]
		if got := fmt.Sprint(f.NarrowedTo); f.Why != report.ExplainBudget || got != want {
			t.Errorf("with %d calls: %s %s, want %s", calls, words(f), got, want)
		}
		if len(f.NarrowedTo) > 0 && !slices.Contains(f.NarrowedTo, 6) {
			t.Errorf("with %d calls the hunk that did it is not among %v", calls, f.NarrowedTo)
		}
	}
}

func TestNoMoreIsAskedThanTheBudgetHolds(t *testing.T) {
	for calls := range 60 {
		all := world{12, []func(Set) bool{has(6), has(6)}, 0, calls, true}.find(1)
		if used := all[0].Answers + all[1].Answers; used > calls {
			t.Fatalf("%d calls of %d", used, calls)
		}
		if got := words(all[0]); calls < 36 && got != "untoldbudget" || calls >= 40 && got != "told [[6]]" {
			t.Errorf("%d calls: %s", calls, got)
		}
	}
}

func TestAnErrorEndsTheSearchAndKeepsWhatIsKnown(t *testing.T) {
	asked, gone := 0, errors.New("gone")
	p := Problem{Hunks: 2, Alpha: 0.01, MaxAnswers: 100, Cases: []Case{{Base: "0", Proven: true}, {Base: "0", Proven: true}, {Base: "0", Proven: true}},
		Key: func(_ int, in Set) string { return fmt.Sprint(in) },
		Ask: func(of int, in []Set, times int) ([]stats.Count, error) {
			if asked++; of == 1 {
				return nil, gone
			}
			var out []stats.Count
			for _, one := range in {
				out = append(out, map[bool]stats.Count{true: {Trials: times}, false: {Passed: times, Trials: times}}[one.Has(1)])
			}
			return out, nil
		}}
	out, err := Find(p)
	if got := []string{words(out[0]), words(out[1]), words(out[2])}; !errors.Is(err, gone) || fmt.Sprint(got) != "[told [[1]] untoldended untoldended]" {
		t.Errorf("found %v, %v", got, err)
	}
}

func TestOneHunkIsToldByWhatTheSidesAnswered(t *testing.T) {
	if f := (world{1, []func(Set) bool{has(0)}, 0, 100, true}).find(1)[0]; words(f) != "whole [[0]]" || f.Answers != 0 || f.Causes[0].Parts[0].Right != 8 {
		t.Errorf("found %+v", f)
	}
}

func TestWhatCannotBeReadIsNotSaidToBreakNothing(t *testing.T) {
	found, err := Find(Problem{Hunks: 2, Cases: []Case{{}}, Alpha: 0.01, MaxAnswers: 100, Key: func(int, Set) string { return "" },
		Ask: func(int, []Set, int) ([]stats.Count, error) { panic("asked") }})
	if err != nil || found[0].Outcome != report.ExplainNotFound || found[0].Why != report.ExplainUnreadable {
		t.Errorf("found %+v, %v; want that it cannot be read", found, err)
	}
}

func TestHunksThatCannotBeReadApartAreToldAsOne(t *testing.T) {
	p := Problem{Hunks: 6, Alpha: 0.01, MaxAnswers: 100, Cases: []Case{{Base: "0", Proven: true}},
		Key: func(_ int, in Set) string {
			if in.Has(2) != in.Has(3) {
				return ""
			}
			return fmt.Sprint(in)
		},
		Ask: func(_ int, in []Set, times int) (out []stats.Count, err error) {
			for _, one := range in {
				if one.Has(3) {
					out = append(out, stats.Count{Trials: times})
				} else {
					out = append(out, stats.Count{Passed: times, Trials: times})
				}
			}
			return out, nil
		}}
	out, err := Find(p)
	if got := words(out[0]); err != nil || got != "told [[2 3]]" {
		t.Errorf("found %s, %v", got, err)
	}
}

// What the rest does without the hunk that did it cannot be told here, so nothing is told.
func TestAProofThatCannotBeReadIsNone(t *testing.T) {
	p := Problem{Hunks: 3, Alpha: 0.01, MaxAnswers: 100, Cases: []Case{{Base: "0", Proven: true}},
		Key: func(_ int, in Set) string {
			if in == NewSet(1, 2) {
				return ""
			}
			return fmt.Sprint(in)
		},
		Ask: func(_ int, in []Set, times int) (out []stats.Count, err error) {
			for _, one := range in {
				out = append(out, map[bool]stats.Count{true: {Trials: times}, false: {Passed: times, Trials: times}}[one.Has(0)])
			}
			return out, nil
		}}
	found, err := Find(p)
	if f := found[0]; err != nil || f.Outcome != report.ExplainNotFound || f.Why != report.ExplainUnreadable || f.NarrowedTo != nil || f.Answers == 0 {
		t.Errorf("found %+v, %v; want that it cannot be read", f, err)
	}
}

func TestAHunkThatChangesNoRequestIsNotActive(t *testing.T) {
	key := func(in Set) string { return fmt.Sprint(in.Has(1), in.Has(20) && in.Has(39)) }
	if got := fmt.Sprint(Active(40, key).Hunks()); got != "[1 20 39]" {
		t.Errorf("active are %s, want the three that the key depends on", got)
	}
}
