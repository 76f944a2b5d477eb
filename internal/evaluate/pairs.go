package evaluate

import (
	"cmp"
	"iter"
	"slices"

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

func (m member) at() CaseAt { return CaseAt{m.suite, m.c.Place()} }

func targetName(s *suite.Suite, c *suite.Case) string { return cmp.Or(c.Target, s.Target) }

// member is a case of a side; zero where there is none.
func (s *Side) member(of *suite.Suite, c *suite.Case) member {
	if c == nil {
		return member{}
	}
	return member{of, c, s.Target(targetName(of, c))}
}

// live reports whether the case is there and a model or command is asked for it.
func (m member) live() bool { return m.present() && m.target.Live }

// request identifies what is sent, and where to.
func (m member) request() string {
	return hashed(m.target.Where+"\x00", m.c.Keys().RequestKey.String())
}

// shared reports whether both sides ask a live target the same: then it is asked once, so that the delta is exactly 0.
func (p casePair) shared() bool {
	return p.base.live() && p.head.live() && p.base.request() == p.head.request()
}

// compared reports whether both sides are asked, each for itself.
func (p casePair) compared() bool { return p.base.live() && p.head.live() && !p.shared() }

// asks reports whether a case belongs to the part of the plan that is asked.
func (p *Plan) asks(pair casePair) bool {
	return p.Part == Whole || p.oneSided(pair) == (p.Part == Last)
}

// shares reports whether a case that asks live targets at a place among these is of the plan's share.
func (p *Plan) shares(pair casePair, place int) bool {
	return p.Share == nil || (pair.base.live() || pair.head.live()) && p.Share(place)
}

// oneSided reports a case that costs something on one of two sides alone.
func (p *Plan) oneSided(pair casePair) bool {
	return p.Base != nil && (pair.base.live() && !pair.head.present() || pair.head.live() && !pair.base.present())
}

// asksLive reports whether a case may ask a live target.
func (p *Plan) asksLive() bool {
	for _, side := range p.sides() {
		for _, s := range side.Suites {
			if slices.ContainsFunc(s.Targets(), func(name string) bool { return side.Target(name).Live }) {
				return true
			}
		}
	}
	return false
}

// sides are the one or two that the plan has.
func (p *Plan) sides() []*Side {
	if p.Base == nil {
		return []*Side{&p.Head}
	}
	return []*Side{&p.Head, p.Base}
}

// Places tells where the results of each side's cases stand among all, by suite/case as the side names them, where some of them
// are asked last; nil where none is: then results come as they stand.
func (p Plan) Places() map[suite.Side]map[string]int {
	last, n := false, 0
	if !p.asksLive() {
		return nil
	}
	for pair := range p.pairs() {
		last = last || p.oneSided(pair)
	}
	if !last {
		return nil
	}
	out := map[suite.Side]map[string]int{suite.Base: {}, suite.Head: {}}
	for pair := range p.pairs() {
		for at, m := range map[suite.Side]member{suite.Base: pair.base, suite.Head: pair.head} {
			if m.present() {
				out[at][m.suite.ID+"/"+m.c.ID] = n
			}
		}
		n++
	}
	return out
}

// pairs yields the cases in the order in which they are asked: of a suite the head's with the base's form of them, then those that only the
// base has.
func (p *Plan) pairs() iter.Seq[casePair] {
	return func(yield func(casePair) bool) {
		var bases []*suite.Suite
		if p.Base != nil {
			bases = p.Base.Suites
		}
		for one := range suite.Pairs(bases, p.Head.Suites) {
			if !yield(casePair{p.Base.member(one.BaseSuite, one.Base), p.Head.member(one.HeadSuite, one.Head)}) {
				return
			}
		}
	}
}

type caseName struct{ suite, id string }

func (p *Plan) name(pair casePair) caseName {
	if pair.head.present() {
		return caseName{pair.head.suite.ID, pair.head.c.ID}
	}
	name := pair.base.suite.Head(pair.base.c.ID)
	return caseName{name.Suite, name.Case}
}

func (p *Plan) named(names map[caseName]bool) map[caseName]casePair {
	out := make(map[caseName]casePair, len(names))
	for pair := range p.pairs() {
		if name := p.name(pair); names[name] {
			out[name] = pair
		}
	}
	return out
}
