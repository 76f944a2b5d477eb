package explain

import (
	"errors"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

type search struct {
	*searches
	index      int
	active     Set                    // hunks that change the case's request
	asked      map[string]stats.Count // answers by Key; they guide the search and prove nothing
	margin     int                    // how far right or wrong answers must lead to decide about a set
	noisy      bool                   // one request got both right and wrong answers
	used       int                    // answers used
	narrowedTo Set                    // hunks that the search has narrowed the cause down to
	pause      func(used int) bool    // lets the other cases have their turn; false if no further answers may be used
}

// finding runs the search and returns its result as a Finding.
func (s *search) finding() Finding {
	f, err := s.find()
	switch {
	case errors.Is(err, errUnreadable):
		f = Finding{Outcome: report.ExplainNotFound, Why: report.ExplainUnreadable}
	case err != nil:
		f = Finding{Outcome: report.ExplainNotFound, Why: report.ExplainEnded}
		if errors.Is(err, errBudget) {
			f.Why = report.ExplainBudget
		}
		if s.narrowedTo != s.active {
			f.NarrowedTo = s.narrowedTo
		}
	case f.Outcome == report.ExplainFound:
		s.known = f.Causes
	}
	f.Answers = s.used
	return f
}

func (s *search) find() (Finding, error) {
	c := s.Cases[s.index]
	s.active = s.activeHunks()
	if s.active == 0 && s.key(All(s.Hunks)) == "" {
		// no hunk set can be read, so nothing is known
		return Finding{}, errUnreadable
	}
	if s.active == 0 {
		return Finding{Outcome: report.ExplainElsewhere}, nil
	}
	s.margin = 4
	if s.key(0) == "" || s.key(s.active) == "" {
		return Finding{}, errUnreadable
	}
	proven := c.Proven && s.key(0) == c.Base // both ends are known
	if proven {
		s.learn(s.key(0), c.BaseAnswers)
		s.learn(s.key(s.active), c.HeadAnswers)
	} else if wrong, err := s.isWrong(0); wrong || err != nil {
		return Finding{Outcome: report.ExplainElsewhere, Seen: s.asked[s.key(0)]}, err
	}
	if !c.Proven {
		if wrong, err := s.isWrong(s.active); !wrong || err != nil {
			return Finding{Outcome: report.ExplainNotBroken, Seen: s.asked[s.key(s.active)]}, err
		}
	}
	return s.blame(proven)
}

// blame finds the hunks that break the case. The case must be right without hunks and wrong with all of them. proven
// reports whether both are proven.
func (s *search) blame(proven bool) (Finding, error) {
	c := s.Cases[s.index]
	whole := Finding{Outcome: report.ExplainOnlyHunk,
		Causes: []Cause{{Parts: []Part{{Hunks: s.active, CountWithout: c.BaseAnswers}},
			CountAlone: c.HeadAnswers}}}
	if proven && s.active.Size() == 1 {
		return whole, nil
	}
	guess := s.known
	if len(guess) > 0 && !slices.ContainsFunc(guess, func(c Cause) bool { return c.Set()&^s.active != 0 }) {
		if found, err := s.prove(guess); found != nil || err != nil {
			return Finding{Outcome: report.ExplainFound, Causes: found}, err
		}
	}
	for range maxProofs - 1 {
		s.narrowedTo = s.active
		causes, err := s.causes()
		if err != nil {
			return Finding{}, err
		}
		if proven && causes[0].Parts[0].Hunks == s.active { // no smaller set can be read
			return whole, nil
		}
		if found, err := s.prove(causes); found != nil || err != nil {
			return Finding{Outcome: report.ExplainFound, Causes: found}, err
		}
		s.margin += 2 // the search erred, so the next one takes more answers
	}
	return Finding{Outcome: report.ExplainNotFound, Why: report.ExplainUnproven}, nil
}

// activeHunks returns the hunks that matter to the request. Such a hunk changes the request when it is removed from all
// hunks, or when it is applied alone.
func (s *search) activeHunks() (out Set) {
	all := All(s.Hunks)
	for h := range s.Hunks {
		if s.key(all&^NewSet(h)) != s.key(all) || s.key(NewSet(h)) != s.key(0) {
			out |= NewSet(h)
		}
	}
	return out
}

func (s *search) key(hunks Set) string { return s.Key(s.index, hunks) }

// causes searches for up to three disjoint sets of hunks that each break the case.
func (s *search) causes() (found []Cause, err error) {
	rest := s.active
	for range 3 {
		parts, err := s.smallest(rest.Hunks())
		if err != nil {
			return nil, err
		}
		c := Cause{Parts: parts}
		found, rest = append(found, c), rest&^c.Set()
		if rest == 0 {
			break
		}
		if more, err := s.isWrong(rest); !more || err != nil {
			return found, err
		}
	}
	return found, nil
}

// smallest returns a small set of hunks that breaks the case. All the given hunks together must break it. smallest
// finds the hunks of the set one by one, with binary searches.
func (s *search) smallest(hunks []int) (out []Part, err error) {
	var base Set
	for len(hunks) > 0 {
		low, high, err := s.breakingHunk(base, hunks)
		if err != nil {
			return nil, err
		}
		one := NewSet(hunks[low:high]...)
		out, base, hunks = append(out, Part{Hunks: one}), base|one, hunks[:low]
		if low == 0 {
			break
		}
		if done, err := s.isWrong(base); done || err != nil {
			return sortParts(out), err
		}
	}
	return sortParts(out), nil
}

func sortParts(parts []Part) []Part {
	slices.SortFunc(parts, func(a, b Part) int { return int(a.Hunks&-a.Hunks) - int(b.Hunks&-b.Hunks) })
	return parts
}

// breakingHunk finds the hunk that makes the case wrong when hunks are added in order to the set base. The case is
// right with the first low hunks and wrong with the first high hunks. Usually high is low+1. It is larger if no prompt
// in between can be read.
func (s *search) breakingHunk(base Set, hunks []int) (low, high int, err error) {
	low, high = 0, len(hunks)
	for low+1 < high {
		mid := s.readableCount(base, hunks, low, high)
		if mid == low {
			break
		}
		wrong, err := s.isWrong(base | NewSet(hunks[:mid]...))
		switch {
		case err != nil:
			return 0, 0, err
		case wrong:
			high = mid
		default:
			low = mid
		}
		if in := base | NewSet(hunks[low:high]...); in&^s.narrowedTo == 0 {
			s.narrowedTo = in
		}
	}
	return low, high, nil
}

// readableCount returns a number of hunks with which the prompt can be read. The number is between low and high, as
// near to their middle as possible. readableCount returns low if there is no such number.
func (s *search) readableCount(base Set, hunks []int, low, high int) int {
	mid := (low + high) / 2
	for off := 0; mid-off > low || mid+off < high; off++ {
		for _, at := range []int{mid - off, mid + off} {
			if at > low && at < high && s.key(base|NewSet(hunks[:at]...)) != "" {
				return at
			}
		}
	}
	return low
}

// isWrong reports whether most answers with a set of hunks are wrong. It runs the case until right or wrong answers
// lead by s.margin, or there are 3·s.margin answers.
func (s *search) isWrong(hunks Set) (bool, error) {
	key := s.key(hunks)
	if key == "" {
		return false, errUnreadable
	}
	for {
		c := s.asked[key]
		ahead := max(2*c.Passed-c.Trials, c.Trials-2*c.Passed)
		if ahead >= s.margin || c.Trials >= 3*s.margin {
			return 2*c.Passed < c.Trials, nil
		}
		got, err := s.ask([]Set{hunks}, s.margin-ahead)
		if err != nil {
			return false, err
		}
		s.learn(key, got[0])
	}
}

// learn adds the counts in more to the answers to the request key. Once a request has both right and wrong answers, the
// model counts as noisy. learn then raises the margin by one, so that later decisions rest on more answers.
func (s *search) learn(key string, more stats.Count) {
	c := plus(s.asked[key], more)
	s.asked[key] = c
	if c.Passed > 0 && c.Passed < c.Trials && !s.noisy {
		s.noisy = true
		s.margin++
	}
}

func plus(a, b stats.Count) stats.Count {
	return stats.Count{Passed: a.Passed + b.Passed, Trials: a.Trials + b.Trials}
}

func (s *search) ask(sets []Set, times int) ([]stats.Count, error) {
	n := len(sets) * times
	if !s.pause(s.used) || n > s.left {
		return nil, errBudget
	}
	if s.askErr != nil {
		return nil, s.askErr
	}
	s.used, s.left = s.used+n, s.left-n
	var got []stats.Count
	got, s.askErr = s.Ask(s.index, sets, times)
	return got, s.askErr
}

// proof is a test of causes by new answers.
type proof struct {
	active Set
	causes []Cause
	sets   []Set
	counts []stats.Count // answers with each set
}

// newProof returns the test of causes among the active hunks. It tests each cause alone. For each part of a cause, it
// also tests all active hunks except that part and the other causes.
func newProof(active Set, causes []Cause) *proof {
	p := &proof{active: active, causes: causes}
	add := func(in Set) {
		if !slices.Contains(p.sets, in) {
			p.sets, p.counts = append(p.sets, in), append(p.counts, stats.Count{})
		}
	}
	for _, c := range causes {
		add(c.Set())
		for _, part := range c.Parts {
			add(p.without(c, part))
		}
	}
	return p
}

func (p *proof) countOf(in Set) stats.Count { return p.counts[slices.Index(p.sets, in)] }

// without returns the active hunks except those of part, which belongs to cause c, and those of all other causes.
func (p *proof) without(c Cause, part Part) Set {
	in := p.active &^ part.Hunks
	for _, other := range p.causes {
		if other.Set() != c.Set() {
			in &^= other.Set()
		}
	}
	return in
}

// found returns the causes with the counts of their answers so far.
func (p *proof) found() (out []Cause) {
	for _, c := range p.causes {
		one := Cause{CountAlone: p.countOf(c.Set())}
		for _, part := range c.Parts {
			one.Parts = append(one.Parts, Part{part.Hunks, p.countOf(p.without(c, part))})
		}
		out = append(out, one)
	}
	return out
}

// prove tests the causes with new answers. The case must be wrong with each cause alone. It must be right with all
// active hunks except one part of a cause and the other causes. So a superfluous or a missing part fails the test.
// prove returns the causes with their answers, or nil if they are not proven.
func (s *search) prove(causes []Cause) ([]Cause, error) {
	p := newProof(s.active, causes)
	if slices.ContainsFunc(p.sets, func(in Set) bool { return s.key(in) == "" }) {
		return nil, errUnreadable
	}
	asked := 0 // answers of each set
	for _, total := range proofSizes {
		got, err := s.ask(p.sets, total-asked)
		if err != nil {
			return nil, err
		}
		for i := range got {
			p.counts[i] = plus(p.counts[i], got[i])
		}
		asked = total
		found := p.found()
		proven, hopeless := evaluateProof(found, s.level)
		if proven {
			return found, nil
		}
		if hopeless {
			break
		}
	}
	for i, in := range p.sets { // the answers help the next search
		s.learn(s.key(in), p.counts[i])
	}
	return nil, nil
}

// evaluateProof reports whether the answers prove all causes. hopeless reports whether, for some cause, leaving out a
// part gives no larger share of right answers than the cause alone.
func evaluateProof(causes []Cause, level float64) (proven, hopeless bool) {
	proven = true
	for _, c := range causes {
		for _, part := range c.Parts {
			right := part.CountWithout
			proven = proven && stats.AtMost(stats.Fisher(right, c.CountAlone), level)
			hopeless = hopeless || right.Passed*c.CountAlone.Trials <= c.CountAlone.Passed*right.Trials
		}
	}
	return proven, hopeless
}
