package evaluate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"

	"github.com/failproof/failproof/internal/suite"
)

// casePair is one case on both sides; a side that lacks it is zero.
type casePair struct{ base, head member }

// member is a case with its suite and who answers it.
type member struct {
	suite  *suite.Suite
	c      *suite.Case
	target Target
}

func (m member) present() bool { return m.c != nil }

// live reports whether the case is there and a model or command is asked for it.
func (m member) live() bool { return m.present() && m.target.Live }

// request identifies what is sent, and where to.
func (m member) request() string {
	sum := sha256.Sum256([]byte(m.target.Where + "\x00" + m.c.RequestKey))
	return hex.EncodeToString(sum[:])
}

// shared reports whether both sides ask a live target the same: then it is asked once, so that the delta is exactly 0.
func (p casePair) shared() bool {
	return p.base.live() && p.head.live() && p.base.request() == p.head.request()
}

// pairs yields the cases in the order in which they are asked.
func (p *Plan) pairs() iter.Seq[casePair] {
	return func(yield func(casePair) bool) {
		for _, s := range p.suitePairs() {
			for pair := range p.casePairs(s) {
				if !yield(pair) {
					return
				}
			}
		}
	}
}

// suitePair is one suite on both sides; a side that lacks it is nil.
type suitePair struct{ base, head *suite.Suite }

// suitePairs returns the head's suites with the base's form of them, then the suites that only the base has.
func (p *Plan) suitePairs() (out []suitePair) {
	bases := map[string]*suite.Suite{}
	if p.Base != nil {
		for _, s := range p.Base.Suites {
			bases[cmp.Or(p.Renamed[s.ID], s.ID)] = s
		}
	}
	for _, s := range p.Head.Suites {
		out = append(out, suitePair{bases[s.ID], s})
		delete(bases, s.ID)
	}
	if p.Base != nil {
		for _, s := range p.Base.Suites {
			if bases[cmp.Or(p.Renamed[s.ID], s.ID)] == s {
				out = append(out, suitePair{base: s})
			}
		}
	}
	return out
}

// casePairs yields the head's cases with the base's form of them, then the cases that only the base has.
func (p *Plan) casePairs(s suitePair) iter.Seq[casePair] {
	return func(yield func(casePair) bool) {
		var target Target
		before := map[string]*suite.Case{}
		if s.base != nil {
			target = p.Base.Target(s.base.Target)
			for i := range s.base.Cases {
				before[s.base.Cases[i].ID] = &s.base.Cases[i]
			}
		}
		if s.head != nil {
			own := p.Head.Target(s.head.Target)
			for i := range s.head.Cases {
				pair := casePair{head: member{s.head, &s.head.Cases[i], own}}
				if c := before[pair.head.c.ID]; c != nil {
					pair.base = member{s.base, c, target}
					delete(before, c.ID)
				}
				if !yield(pair) {
					return
				}
			}
		}
		if s.base != nil {
			for i := range s.base.Cases {
				if c := &s.base.Cases[i]; before[c.ID] == c && !yield(casePair{base: member{s.base, c, target}}) {
					return
				}
			}
		}
	}
}

// caseName names a case as the head does.
type caseName struct{ suite, id string }

func (p *Plan) name(pair casePair) caseName {
	if pair.head.present() {
		return caseName{pair.head.suite.ID, pair.head.c.ID}
	}
	id := pair.base.suite.ID
	return caseName{cmp.Or(p.Renamed[id], id), pair.base.c.ID}
}

// named returns the cases with these names, as far as there are such.
func (p *Plan) named(names map[caseName]bool) map[caseName]casePair {
	out := make(map[caseName]casePair, len(names))
	for pair := range p.pairs() {
		if name := p.name(pair); names[name] {
			out[name] = pair
		}
	}
	return out
}
