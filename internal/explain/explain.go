// Package explain finds the changed parts of a prompt that broke a case, by running the case with some parts and
// without others. A search, which may err, finds likely causes. They are reported only if further answers prove them.
package explain

import (
	"errors"
	"iter"
	"math/bits"
	"slices"

	"github.com/failproof/failproof/internal/stats"
)

// Most is the largest number of hunks of a problem.
const Most = 12

// Set is a set of hunks, numbered from 0.
type Set uint16

// Of returns the set of these hunks.
func Of(hunks ...int) (s Set) {
	for _, h := range hunks {
		s |= 1 << h
	}
	return s
}

// All returns the set of the first n hunks.
func All(n int) Set { return 1<<n - 1 }

// Has reports whether a hunk is in the set.
func (s Set) Has(hunk int) bool { return s>>hunk&1 == 1 }

// Size returns the number of hunks in the set.
func (s Set) Size() int { return bits.OnesCount16(uint16(s)) }

// Hunks returns the hunks of the set in ascending order.
func (s Set) Hunks() (out []int) {
	for h := range Most {
		if s.Has(h) {
			out = append(out, h)
		}
	}
	return out
}

// Problem is the input of Find.
type Problem struct {
	Hunks int    // 0 to Most
	Cases []Case // worst first
	Alpha float64
	Calls int // limit of answers

	// Key returns the request key of a case with only the given hunks; "" if the case cannot be read with them.
	Key func(index int, in Set) string
	// Ask runs a case a number of times with each set of hunks, and counts the answers. An error ends the search.
	Ask func(index int, in []Set, times int) ([]stats.Count, error)
}

// Case is a case to explain. If Proven is set, Right counts the base's answers, and Wrong counts the head's.
type Case struct {
	Base   string // Key of the base's request
	Proven bool   // reruns prove that it is right on the base and wrong on the head
	Right  stats.Count
	Wrong  stats.Count
}

// Outcome is the kind of a finding.
type Outcome string

const (
	Told      Outcome = "told"
	Whole     Outcome = "whole"     // one hunk is the whole change of the request, so the sides' answers prove it
	Elsewhere Outcome = "elsewhere" // no prompt change broke it
	Well      Outcome = "well"      // it is right with all hunks
	Untold    Outcome = "untold"
)

// Reasons for Untold.
const (
	Budget     = "budget"     // explain.max_calls is reached
	Unproven   = "unproven"   // the answers prove no cause
	Unreadable = "unreadable" // some sets of hunks give no valid prompt
	Ended      = "ended"      // calls failed or were no longer allowed
)

// Finding is the result for one case.
type Finding struct {
	Outcome Outcome
	Causes  []Cause // for Told and Whole: sets of hunks, each of which breaks the case by itself
	// answers without any hunk (Elsewhere) or with all hunks (Well); zero if no answers were needed
	Seen stats.Count
	Why  string // for Untold: the reason
	// for Untold: the hunks that may still be the cause; 0 if the search excluded no hunk
	Within Set
	Calls  int // answers used
}

// Cause is a set of hunks that breaks a case only if all of them are there.
type Cause struct {
	Parts []Part
	Alone stats.Count // answers with only these hunks
}

// Part is one hunk of a cause, or several hunks that cannot be tried one by one: a prompt with only some of them cannot
// be read.
type Part struct {
	Hunks   Set
	Without stats.Count // answers with all hunks except this part and the other causes
}

// Set returns all hunks of the cause.
func (c Cause) Set() (s Set) {
	for _, p := range c.Parts {
		s |= p.Hunks
	}
	return s
}

// tries is the largest number of proofs for one case: one with the causes of the previous case, and two after a
// search.
const tries = 3

// proofSizes are the numbers of answers after which a proof is tested. The first one proves nothing, but ends hopeless
// proofs.
var proofSizes = []int{4, 8, 12, 16, 24, 32}

var (
	errBudget     = errors.New("explain.max_calls is reached")
	errUnreadable = errors.New("there is no such prompt")
)

// answersPerTurn is the number of answers for a case before the next case has its turn. It usually suffices to find one
// hunk among twelve.
const answersPerTurn = 48

// searches is the state that the searches of all cases share.
type searches struct {
	Problem
	level  float64 // of each test
	left   int     // answers left
	known  []Cause // causes of the last explained case
	failed error   // error of Ask
}

// Find searches the cases in turns and returns a finding for each. It returns Ask's error; the cases that are not
// finished then are Untold.
func Find(p Problem) ([]Finding, error) {
	all := &searches{Problem: p, left: p.Calls, level: p.Alpha / float64(len(p.Cases)*tries*(len(proofSizes)-1))}
	out := make([]Finding, len(p.Cases))
	// each runs its search up to the next call, and returns the answers used so far
	var open []func() (int, bool)
	for i := range p.Cases {
		next, stop := iter.Pull(func(yield func(int) bool) {
			s := &search{searches: all, index: i, asked: map[string]stats.Count{}, pause: yield}
			out[i] = s.finding()
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
	return out, all.failed
}
