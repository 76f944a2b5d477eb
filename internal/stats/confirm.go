package stats

import "math"

// Region is the set of outcomes of `Rounds` fresh trials on each side that prove one case broken: those whose exact chance
// is at most a level. It is closed: one more pass on the base or one less on the head stays inside.
type Region struct {
	Rounds int
	most   []int // by base passes: the most head passes that still prove it, -1 for none
}

// Prove returns the region of a level in (0, 1).
func Prove(rounds int, level float64) Region {
	r := Region{Rounds: rounds, most: make([]int, rounds+1)}
	for base := range r.most {
		r.most[base] = -1
		for head := 0; head <= rounds && Reaches(Fisher(Count{base, rounds}, Count{head, rounds}), level); head++ {
			r.most[base] = head
		}
	}
	return r
}

// Has reports whether so many passes of Rounds trials each prove the case broken.
func (r Region) Has(basePasses, headPasses int) bool { return headPasses <= r.most[basePasses] }

// Empty reports that no outcome proves anything: the level is out of reach of so few rounds.
func (r Region) Empty() bool { return !r.Has(r.Rounds, 0) }

// Certain reports whether the outcome is settled after `done` rounds whatever the rest brings, and then which it is.
// Stopping there changes no decision, only what it costs.
func (r Region) Certain(done, basePasses, headPasses int) (proven, certain bool) {
	left := r.Rounds - done
	switch {
	case r.Has(basePasses, headPasses+left):
		return true, true
	case !r.Has(basePasses+left, headPasses):
		return false, true
	}
	return false, false
}

// Provable is how many suspects so many rounds can prove at once, at a level that they share: one that passes all its rounds on
// the base and none on the head has a chance of 1 in C(2·rounds, rounds), however many rounds there are.
func Provable(rounds int, level float64) int {
	ways := 1.0 // C(2·rounds, rounds)
	for i := 1; i <= rounds; i++ {
		ways = ways * float64(rounds+i) / float64(i)
	}
	return int(min(math.Floor(ways*level+SlackProbability), math.MaxInt32))
}
