// Package bisect finds the changed parts of a prompt that broke a case, by running the case with some parts and
// without others. A search, which may err, finds likely causes. They are reported only if further answers prove them.
package bisect

import (
	"errors"
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// MaxHunks is the largest number of hunks in a Problem.
const MaxHunks = 12

// Set is a set of hunks, numbered from 0 to 63.
type Set uint64

// NewSet returns the set of the given hunks.
func NewSet(hunks ...int) (s Set) {
	for _, h := range hunks {
		s |= 1 << h
	}
	return s
}

// All returns the set of the hunks 0 to n-1.
func All(n int) Set { return 1<<n - 1 }

// Has reports whether the given hunk is in the set.
func (s Set) Has(hunk int) bool { return s>>hunk&1 == 1 }

// Hunks returns the hunks of the set in ascending order.
func (s Set) Hunks() (out []int) {
	for h := range 64 {
		if s.Has(h) {
			out = append(out, h)
		}
	}
	return out
}

// Active returns those of n hunks that matter to a request. Such a hunk changes the key of the request when it is
// removed from all hunks, or when it is applied alone.
func Active(n int, key func(Set) string) (out Set) {
	for h := range n {
		if key(All(n)&^NewSet(h)) != key(All(n)) || key(NewSet(h)) != key(0) {
			out |= NewSet(h)
		}
	}
	return out
}

// Problem is the input of Find.
type Problem struct {
	Hunks      int    // 0 to MaxHunks
	Cases      []Case // in the order in which to search; the worst comes first
	Alpha      float64
	MaxAnswers int

	// Key returns the key of the request that a case sends with only the given hunks applied. index is the case's place
	// in Cases. Key returns "" if that prompt cannot be read.
	Key func(index int, in Set) string
	// Ask runs a case a number of times with each of the given sets of hunks, and counts the answers per set. index is
	// the case's place in Cases. An error ends the search.
	Ask func(index int, in []Set, times int) ([]stats.Count, error)
}

// Case is a case to explain. If Proven is set, BaseAnswers and HeadAnswers count the answers of both sides.
type Case struct {
	Base        string // Key of the request that the base sends; "": that of another target
	Proven      bool   // reruns prove that the case is right on the base and wrong on the head
	BaseAnswers stats.Count
	HeadAnswers stats.Count
}

// maxProofs is the largest number of proofs that are tried for one case. The first tries the causes of the previous
// case. Each of the other two follows a search.
const maxProofs = 3

// proofSizes are the numbers of answers per set after which a proof is tested. So few answers as the first number prove
// nothing, but show that a proof is hopeless.
var proofSizes = []int{4, 8, 12, 16, 24, 32}

var (
	errBudget     = errors.New("explain.max_calls is reached")
	errUnreadable = errors.New("there is no such prompt")
)

// answersPerTurn is the number of answers to a case before the next case has its turn. It usually suffices to find one
// broken hunk among twelve.
const answersPerTurn = 48

// searches is the state that the searches of all cases share.
type searches struct {
	Problem
	level  float64 // level of significance of each test
	left   int     // answers left
	known  []cause // causes of the last explained case
	askErr error   // error that Ask returned
}

// Find searches for the causes of each case, in turns, and returns a result for each, without the case's name. If Ask
// returns an error, Find returns it, and the results of the unfinished cases are ExplainNotFound.
func Find(p Problem) ([]report.ExplainedCase, error) {
	all := &searches{Problem: p, left: p.MaxAnswers,
		level: p.Alpha / float64(len(p.Cases)*maxProofs*(len(proofSizes)-1))}
	out := make([]report.ExplainedCase, len(p.Cases))
	// each runs its search up to the next call, and returns the answers used so far
	var open []func() (int, bool)
	for i := range p.Cases {
		next, stop := iter.Pull(func(yield func(int) bool) {
			s := &search{searches: all, index: i, asked: map[string]stats.Count{}, margin: 4, pause: yield}
			out[i] = s.result()
		})
		defer stop()
		open = append(open, next)
	}
	for ends := answersPerTurn; len(open) > 0; ends += answersPerTurn {
		open = slices.DeleteFunc(open, func(next func() (int, bool)) bool {
			for {
				if used, more := next(); !more || used >= ends {
					return !more
				}
			}
		})
	}
	return out, all.askErr
}
