package explain

import (
	"errors"
	"slices"

	"github.com/failproof/failproof/internal/stats"
)

type search struct {
	*searches
	of     int
	active Set                    // the hunks that change what the case asks
	asked  map[string]stats.Count // answers by Key: what the search goes by, and no proof
	margin int                    // how many more answers of one kind settle what a set does
	noisy  bool                   // answers to one request differ
	used   int                    // answers that were asked for
	within Set                    // the hunks of which one has to do with it, as far as the search has come
	pause  func(used int) bool    // lets other cases have their turn; false: nothing more may be asked
}

// finding says what is known of the case when its search ends.
func (s *search) finding() Finding {
	f, err := s.find()
	switch {
	case errors.Is(err, errUnreadable):
		f = Finding{Outcome: Untold, Why: Unreadable}
	case err != nil:
		f = Finding{Outcome: Untold, Why: Ended}
		if errors.Is(err, errBudget) {
			f.Why = Budget
		}
		if s.within != s.active {
			f.Within = s.within
		}
	case f.Outcome == Told:
		s.known = f.Causes
	}
	f.Calls = s.used
	return f
}

func (s *search) find() (Finding, error) {
	c := s.Cases[s.of]
	s.active = s.matters()
	if s.active == 0 && s.key(All(s.Hunks)) == "" {
		// hunks that make no difference because none of it can be read break nothing and clear nothing
		return Finding{}, errUnreadable
	}
	if s.active == 0 {
		return Finding{Outcome: Elsewhere}, nil
	}
	s.margin = 4
	if s.key(0) == "" || s.key(s.active) == "" {
		return Finding{}, errUnreadable
	}
	proven := c.Proven && s.key(0) == c.Base // what both ends do is known
	if proven {
		s.learn(s.key(0), c.Right)
		s.learn(s.key(s.active), c.Wrong)
	} else if wrong, err := s.wrong(0); wrong || err != nil {
		return Finding{Outcome: Elsewhere, Seen: s.asked[s.key(0)]}, err
	}
	if !c.Proven {
		if wrong, err := s.wrong(s.active); !wrong || err != nil {
			return Finding{Outcome: Well, Seen: s.asked[s.key(s.active)]}, err
		}
	}
	return s.blame(proven)
}

// blame returns the hunks that break a case, which is right without any and wrong with all of them. If proven, that
// needs no further proof.
func (s *search) blame(proven bool) (Finding, error) {
	c := s.Cases[s.of]
	whole := Finding{Outcome: Whole, Causes: []Cause{{Parts: []Part{{Hunks: s.active, Without: c.Right}},
		Alone: c.Wrong}}}
	if proven && s.active.Size() == 1 {
		return whole, nil
	}
	guess := s.known
	if len(guess) > 0 && !slices.ContainsFunc(guess, func(c Cause) bool { return c.Set()&^s.active != 0 }) {
		if told, err := s.prove(guess); told != nil || err != nil {
			return Finding{Outcome: Told, Causes: told}, err
		}
	}
	for range tries - 1 {
		s.within = s.active
		causes, err := s.causes()
		if err != nil {
			return Finding{}, err
		}
		if proven && causes[0].Parts[0].Hunks == s.active { // there is nothing less that can be read
			return whole, nil
		}
		if told, err := s.prove(causes); told != nil || err != nil {
			return Finding{Outcome: Told, Causes: told}, err
		}
		s.margin += 2 // the search erred somewhere: it looks more closely
	}
	return Finding{Outcome: Untold, Why: Unproven}, nil
}

// matters are the hunks without which, or with which alone, the case asks something else.
func (s *search) matters() (out Set) {
	all := All(s.Hunks)
	for h := range s.Hunks {
		if s.key(all&^Of(h)) != s.key(all) || s.key(Of(h)) != s.key(0) {
			out |= Of(h)
		}
	}
	return out
}

func (s *search) key(in Set) string { return s.Key(s.of, in) }

// causes searches for sets that break the case, each of them on its own.
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
		if more, err := s.wrong(rest); !more || err != nil {
			return found, err
		}
	}
	return found, nil
}

// smallest returns a set of hunks that breaks the case, as all given ones together do. It finds them one by one, each
// by halving: the hunk that turns the case wrong behind the ones before it.
func (s *search) smallest(hunks []int) (out []Part, err error) {
	var held Set
	for len(hunks) > 0 {
		low, high, err := s.turn(held, hunks)
		if err != nil {
			return nil, err
		}
		one := Of(hunks[low:high]...)
		out, held, hunks = append(out, Part{Hunks: one}), held|one, hunks[:low]
		if low == 0 {
			break
		}
		if done, err := s.wrong(held); done || err != nil {
			return sorted(out), err
		}
	}
	return sorted(out), nil
}

func sorted(parts []Part) []Part {
	slices.SortFunc(parts, func(a, b Part) int { return int(a.Hunks&-a.Hunks) - int(b.Hunks&-b.Hunks) })
	return parts
}

// turn finds where the case turns wrong as hunks are added in order: it is right with the first low of them, and wrong
// with the first high. Between these is one hunk, or some that cannot be read apart.
func (s *search) turn(held Set, hunks []int) (low, high int, err error) {
	low, high = 0, len(hunks)
	for low+1 < high {
		mid := s.readable(held, hunks, low, high)
		if mid == low {
			break
		}
		wrong, err := s.wrong(held | Of(hunks[:mid]...))
		switch {
		case err != nil:
			return 0, 0, err
		case wrong:
			high = mid
		default:
			low = mid
		}
		if in := held | Of(hunks[low:high]...); in&^s.within == 0 {
			s.within = in
		}
	}
	return low, high, nil
}

// readable returns the number of hunks nearest to the middle of low and high that can be read together; low if there is
// none.
func (s *search) readable(held Set, hunks []int, low, high int) int {
	mid := (low + high) / 2
	for off := 0; mid-off > low || mid+off < high; off++ {
		for _, at := range []int{mid - off, mid + off} {
			if at > low && at < high && s.key(held|Of(hunks[:at]...)) != "" {
				return at
			}
		}
	}
	return low
}

// wrong reports whether the case is mostly wrong with a set in force. It asks until answers of one kind lead by margin,
// or three times as many have come.
func (s *search) wrong(in Set) (bool, error) {
	key := s.key(in)
	if key == "" {
		return false, errUnreadable
	}
	for {
		c := s.asked[key]
		ahead := max(2*c.Passed-c.Trials, c.Trials-2*c.Passed)
		if ahead >= s.margin || c.Trials >= 3*s.margin {
			return 2*c.Passed < c.Trials, nil
		}
		got, err := s.ask([]Set{in}, s.margin-ahead)
		if err != nil {
			return false, err
		}
		s.learn(key, got[0])
	}
}

// learn adds answers to the evidence of the search. Once answers to one question differ, more are asked for each.
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

func (s *search) ask(in []Set, times int) ([]stats.Count, error) {
	n := len(in) * times
	if !s.pause(s.used) || n > s.left {
		return nil, errBudget
	}
	if s.failed != nil {
		return nil, s.failed
	}
	s.used, s.left = s.used+n, s.left-n
	var got []stats.Count
	got, s.failed = s.Ask(s.of, in, times)
	return got, s.failed
}

type proof struct {
	sets   []Set
	counts []stats.Count
}

func (p *proof) add(in Set) {
	if !slices.Contains(p.sets, in) {
		p.sets, p.counts = append(p.sets, in), append(p.counts, stats.Count{})
	}
}

func (p *proof) of(in Set) stats.Count { return p.counts[slices.Index(p.sets, in)] }

// prove asks anew whether each cause breaks the case: the case must be wrong with the cause alone and right without any
// one of its parts, with the other causes taken back. It returns the causes with the answers, or nil if they prove
// nothing. A superfluous part fails, since without it the case stays wrong, and so does a cause that lacks a part.
func (s *search) prove(causes []Cause) ([]Cause, error) {
	p := &proof{}
	for _, c := range causes {
		p.add(c.Set())
		for _, part := range c.Parts {
			p.add(s.without(causes, c, part))
		}
	}
	if slices.ContainsFunc(p.sets, func(in Set) bool { return s.key(in) == "" }) {
		return nil, errUnreadable
	}
	asked := 0 // how often each set
	for _, look := range looks {
		got, err := s.ask(p.sets, look-asked)
		if err != nil {
			return nil, err
		}
		for i := range got {
			p.counts[i] = plus(p.counts[i], got[i])
		}
		asked = look
		proven, hopeless := s.carried(p, causes)
		if proven {
			return s.causesOf(p, causes), nil
		}
		if hopeless {
			break
		}
	}
	for i, in := range p.sets { // what was asked is not lost for another search
		s.learn(s.key(in), p.counts[i])
	}
	return nil, nil
}

// carried reports whether the answers prove all causes, and whether one of them is hopeless.
func (s *search) carried(p *proof, causes []Cause) (proven, hopeless bool) {
	proven = true
	for _, c := range causes {
		alone := p.of(c.Set())
		for _, part := range c.Parts {
			right := p.of(s.without(causes, c, part))
			proven = proven && stats.Reaches(stats.Fisher(right, alone), s.level)
			hopeless = hopeless || right.Passed*alone.Trials <= alone.Passed*right.Trials
		}
	}
	return proven, hopeless
}

// without is all but one part of a cause, and but all other causes.
func (s *search) without(causes []Cause, c Cause, part Part) Set {
	in := s.active &^ part.Hunks
	for _, other := range causes {
		if other.Set() != c.Set() {
			in &^= other.Set()
		}
	}
	return in
}

func (s *search) causesOf(p *proof, causes []Cause) (out []Cause) {
	for _, c := range causes {
		told := Cause{Alone: p.of(c.Set())}
		for _, part := range c.Parts {
			told.Parts = append(told.Parts, Part{part.Hunks, p.of(s.without(causes, c, part))})
		}
		out = append(out, told)
	}
	return out
}
