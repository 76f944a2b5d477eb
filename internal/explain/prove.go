package explain

import (
	"slices"

	"github.com/failproof/failproof/internal/stats"
)

// proof is what is asked for a proof: sets in force, and what was answered.
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

// prove asks anew whether each of causes breaks the case: without any one of its parts the case must be right where it is wrong with
// the cause alone, other causes taken back both times. It returns the causes with what was answered, or nil where that carries nothing.
// A part that has nothing to do with it fails, for without it the case stays wrong; and so does a cause that lacks one.
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
		if err := s.more(p, look-asked); err != nil {
			return nil, err
		}
		asked = look
		proven, hopeless := s.carried(p, causes)
		if proven {
			return s.told(p, causes), nil
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

func (s *search) more(p *proof, times int) error {
	got, err := s.ask(p.sets, times)
	for i := range got {
		p.counts[i] = plus(p.counts[i], got[i])
	}
	return err
}

// carried reports whether what was answered proves all causes, and whether one of them is not worth asking on for.
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

func (s *search) told(p *proof, causes []Cause) (out []Cause) {
	for _, c := range causes {
		told := Cause{Alone: p.of(c.Set())}
		for _, part := range c.Parts {
			told.Parts = append(told.Parts, Part{part.Hunks, p.of(s.without(causes, c, part))})
		}
		out = append(out, told)
	}
	return out
}
