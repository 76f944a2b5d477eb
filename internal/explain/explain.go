// Package explain finds which of the parts that changed in a prompt broke a case, by asking with some of them in force
// and others taken back. A search, which may err, says what to look at; what is then told is proven by answers that
// were asked for the proof alone.
package explain

import (
	"errors"
	"iter"
	"math/bits"
	"slices"

	"github.com/failproof/failproof/internal/stats"
)

// Most is how many hunks a problem may have.
const Most = 12

// Set is a set of hunks, by their numbers from 0 on.
type Set uint16

// Of is the set of these hunks.
func Of(hunks ...int) (s Set) {
	for _, h := range hunks {
		s |= 1 << h
	}
	return s
}

// All is the set of the first n hunks.
func All(n int) Set { return 1<<n - 1 }

// Has reports whether a hunk is in the set.
func (s Set) Has(hunk int) bool { return s>>hunk&1 == 1 }

// Size is how many hunks the set has.
func (s Set) Size() int { return bits.OnesCount16(uint16(s)) }

// Hunks are the numbers of the set, in order.
func (s Set) Hunks() (out []int) {
	for h := range Most {
		if s.Has(h) {
			out = append(out, h)
		}
	}
	return out
}

// Problem is what is to be found out, and how it may be.
type Problem struct {
	Hunks int    // 0 to Most
	Cases []Case // the worst first
	Alpha float64
	Calls int // answers that may be asked for, at most

	// Key tells apart what a case asks with a set of hunks in force and the others taken back; "": it cannot be read
	// so.
	Key func(of int, in Set) string
	// Ask asks a case with each set in force, so often each and in turn, and counts what came. An error ends the
	// search.
	Ask func(of int, in []Set, times int) ([]stats.Count, error)
}

// Case is a case that may be broken. Right and Wrong count the answers of base and head, if they prove that it is.
type Case struct {
	Base   string // the Key of what the base asks
	Proven bool   // it is right on the base and wrong on the head
	Right  stats.Count
	Wrong  stats.Count
}

// Outcome says what is known of a case.
type Outcome string

const (
	Told      Outcome = "told"
	Whole     Outcome = "whole"     // all that changed in the prompt is one hunk: what the sides answered says it
	Elsewhere Outcome = "elsewhere" // what broke it is no change of the prompt
	Well      Outcome = "well"      // it is right with all hunks in force: nothing broke it
	Untold    Outcome = "untold"
)

// Reasons for what could not be told.
const (
	Budget     = "budget"     // explain.max_calls is reached
	Unproven   = "unproven"   // the answers do not carry anything that could be said
	Unreadable = "unreadable" // with some hunks taken back there is no prompt that can be read
	Ended      = "ended"      // nobody answers any more
)

// Finding is what is known of one case.
type Finding struct {
	Outcome Outcome
	Causes  []Cause // of Told and Whole: each breaks the case; of several any one does
	// of Elsewhere, with all hunks taken back, and of Well, with all in force; no trials: nothing needed to be asked
	Seen stats.Count
	Why  string // of Untold
	// of Untold: hunks of which the search took one to have to do with it; none where it had not come so far
	Within Set
	Calls  int // answers that were asked for
}

// Cause is a set of parts that breaks a case only if none of them is missing.
type Cause struct {
	Parts []Part
	Alone stats.Count // with these in force and no others
}

// Part is a hunk of a cause, or some that cannot be read apart.
type Part struct {
	Hunks   Set
	Without stats.Count // with all hunks in force but these, and but all other causes
}

// Set are all hunks of the cause.
func (c Cause) Set() (s Set) {
	for _, p := range c.Parts {
		s |= p.Hunks
	}
	return s
}

// tries is how often a proof about one case is attempted: once with the causes of an earlier case, and twice by a
// search.
const tries = 3

// looks are the numbers of answers after which a proof is tested. The first is too few to prove anything, and ends
// hopeless attempts.
var looks = []int{4, 8, 12, 16, 24, 32}

var (
	errBudget     = errors.New("explain.max_calls is reached")
	errUnreadable = errors.New("there is no such prompt")
)

// turn is how many answers a case may ask for before the next case has its turn: mostly enough to find one hunk out of
// twelve.
const turn = 48

// searches are what the searches of all cases share.
type searches struct {
	Problem
	level  float64 // of each test
	left   int     // answers that may still be asked for
	known  []Cause // what broke the case that was told last
	failed error   // of Ask
}

// Find searches the cases in turns, and returns what is known when it ends. The error is Ask's; cases not searched
// because of it are Untold.
func Find(p Problem) ([]Finding, error) {
	all := &searches{Problem: p, left: p.Calls, level: p.Alpha / float64(len(p.Cases)*tries*(len(looks)-1))}
	out := make([]Finding, len(p.Cases))
	// each goes on to the next question of its case, and says how many answers the case has taken
	var open []func() (int, bool)
	for i := range p.Cases {
		next, stop := iter.Pull(func(yield func(int) bool) {
			s := &search{searches: all, of: i, asked: map[string]stats.Count{}, pause: yield}
			out[i] = s.finding()
		})
		defer stop()
		open = append(open, next)
	}
	for ends := turn; len(open) > 0; ends += turn {
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
