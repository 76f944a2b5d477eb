package suite

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
)

// ApplyBase gives every head suite that the base has, renamed ones included, the base's weight, min_score, trials,
// severities and judged criteria, and returns the head's differing settings by key. (With fewer trials a change could
// leave out those that fail.) A target that the head adds to a suite is held to the base's settings of the suite. Who
// answers a suite, and the weight of a new one, are the head's choice, and returned as well. It writes to head.
func ApplyBase(base, head []*Suite) []config.Change {
	all, m := suitePairs(base, head), matchingOf(base)
	shareReading(base, head)
	changes := retargeted(all)
	for _, p := range all {
		if p.head == nil {
			continue
		}
		if from := cmp.Or(p.base, p.other); from != nil {
			changes = append(changes, suitePair{base: from, head: p.head}.heldAsSuite()...)
		} else {
			more, moved := p.applyMoved(m)
			if changes = append(changes, more...); !moved && p.head.Weight != 1 {
				changes = append(changes, p.inForce("weight", "", figure(&p.head.Weight)))
			}
		}
		changes = append(changes, p.answeredElsewhere(m)...)
		changes = append(changes, p.trials(m)...)
		if p.base == nil {
			p.base = p.other
		}
		changes = append(changes, p.severities(m)...)
		changes = append(changes, p.needs(m)...)
	}
	slices.SortStableFunc(changes, func(a, b config.Change) int { return cmp.Compare(a.Key, b.Key) })
	return once(changes)
}

// shareReading lets the head's cases share the id, variables and compiled expectation of equal cases of the base, which
// are most of a run's memory. Each id is a part of its file's text, which is freed with the last of them. An evaluator
// of a prompt file has a name, which no key tells.
func shareReading(base, head []*Suite) {
	for p := range Pairs(base, head) {
		b, h := p.Base, p.Head
		if b == nil || h == nil || b.read == nil || h.read == nil || p.BaseSuite.prompts || p.HeadSuite.prompts {
			continue
		}
		if b.read.keys.ExpectationKey == h.read.keys.ExpectationKey {
			h.read.vars, h.read.expect = b.read.vars, b.read.expect
		}
		if b.ID == h.ID {
			h.ID = b.ID
		}
	}
}

// MustPassBy marks the base's cases that must pass by the suites whose rules hold, after ApplyBase, and the head's form
// of each, whatever its name there. It returns them as changes. The head may keep a mark that the base has itself. It
// writes to base and head.
func MustPassBy(rules, base, head []*Suite) (changes []config.Change) {
	marked := map[*Case]bool{}
	for one := range Pairs(rules, base) {
		if r, b := one.Base, one.Head; r != nil && b != nil && r.MustPass && !b.MustPass {
			b.MustPass = true
			marked[b] = true
			changes = append(changes, suitePair{head: one.HeadSuite}.change(b.ID+".must_pass", "true", ""))
		}
	}
	if len(marked) == 0 {
		return nil
	}
	for one := range Pairs(base, head) {
		if b, h := one.Base, one.Head; b != nil && h != nil && !h.MustPass && marked[b] {
			h.MustPass = true
		}
	}
	return once(changes)
}

// answeredElsewhere returns the changes of cases that moved to a suite that another target answers, as retargeted does
// for suites.
func (p suitePair) answeredElsewhere(m *matching) (changes []config.Change) {
	if !m.names.Moves() {
		return nil
	}
	for one := range m.cases(p.base, p.head) {
		if b := one.BaseSuite; b != nil && one.Head != nil && b != p.base && b.Target != p.head.Target {
			changes = append(changes, p.inForce("target", b.Target, p.head.Target))
		}
	}
	return once(changes)
}

// once drops repeated changes: the targets of a suite all give the same.
func once(changes []config.Change) []config.Change {
	said := map[[4]string]bool{}
	return slices.DeleteFunc(changes, func(c config.Change) bool {
		what := [4]string{c.Path, c.Key, c.Base, c.Head}
		again := said[what]
		said[what] = true
		return again
	})
}

// applyMoved holds a new suite to which cases of the base moved to the base's settings of these: it gets the weight of
// the heaviest suite that they come from. If their strictest threshold is not its own, a change says so; that one holds
// in their old suite until the merge. any is false if no case moved there.
func (p suitePair) applyMoved(m *matching) (changes []config.Change, any bool) {
	if !m.names.Moves() {
		return nil, false
	}
	weight, bar := 0.0, (*float64)(nil)
	for one := range m.cases(nil, p.head) {
		b := one.BaseSuite
		if b == nil {
			continue
		}
		any, weight = true, max(weight, b.Weight)
		if b.MinScore != nil && (bar == nil || *b.MinScore > *bar) {
			bar = b.MinScore
		}
	}
	if any {
		changes = p.differs("weight", figure(&weight), figure(&p.head.Weight))
		p.head.Weight = weight
	}
	if bar != nil {
		changes = append(changes, p.differs("min_score", figure(bar), figure(p.head.MinScore))...)
	}
	return changes, any
}

// heldAsSuite holds a suite to what its base says whoever answers.
func (p suitePair) heldAsSuite() []config.Change {
	if p.base.BarFaulty { // the head may hold itself to one
		p.base.MinScore = p.head.MinScore
	}
	changes := append(p.differs("weight", figure(&p.base.Weight), figure(&p.head.Weight)), p.differs("min_score", figure(p.base.MinScore), figure(p.head.MinScore))...)
	p.head.Weight, p.head.MinScore = p.base.Weight, p.base.MinScore
	return changes
}

// retargeted says whom the head has answer other than the base, suite by suite.
func retargeted(all []suitePair) (changes []config.Change) {
	type sides struct {
		first      suitePair // as the head has it
		base, head []string
	}
	known := map[string]*sides{} // by the head's id
	for _, p := range all {
		from := cmp.Or(p.head, p.other)
		if from == nil || p.base == nil && p.other == nil { // on one side alone
			continue
		}
		id := suiteid.AuthorID(from.ID)
		if known[id] == nil {
			known[id] = &sides{first: suitePair{head: from}}
		}
		if p.head != nil {
			known[id].head = append(known[id].head, p.head.Target)
		}
		if p.base != nil {
			known[id].base = append(known[id].base, p.base.Target)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		s := known[id]
		slices.Sort(s.base)
		slices.Sort(s.head)
		if slices.Contains(slices.Concat(s.base, s.head), "") || slices.Equal(s.base, s.head) {
			continue
		}
		key := "target"
		if len(s.base) > 1 || len(s.head) > 1 {
			key = "targets"
		}
		changes = append(changes, s.first.inForce(key, strings.Join(s.base, ", "), strings.Join(s.head, ", ")))
	}
	return changes
}

// trials gives a suite and every case that both sides have the base's number of trials, and cases without their own
// number the suite's.
func (p suitePair) trials(m *matching) (changes []config.Change) {
	wanted, inForce := p.head.Trials, p.head.Trials
	if p.base != nil {
		inForce = p.base.Trials
		changes = p.differs("trials", strconv.Itoa(inForce), strconv.Itoa(wanted))
	}
	for one := range m.cases(p.base, p.head) {
		b, c := one.Base, one.Head
		if c == nil {
			continue
		}
		switch follows := c.Trials == wanted; {
		case b == nil && follows && inForce != wanted:
			c.Trials = inForce
		case b != nil && b.Trials != c.Trials:
			if !follows || b.Trials != inForce { // else the suite's change says it
				changes = append(changes, p.change(c.ID+".trials", strconv.Itoa(b.Trials), strconv.Itoa(c.Trials)))
			}
			c.Trials = b.Trials
		}
	}
	p.head.Trials = inForce
	return changes
}

// severities gives every case that both sides have the base's severity, which weights a probe's risk.
func (p suitePair) severities(m *matching) (changes []config.Change) {
	for one := range m.cases(p.base, p.head) {
		b, c := one.Base, one.Head
		if b == nil || c == nil || b.Severity == c.Severity {
			continue
		}
		changes = append(changes, p.change(c.ID+".severity", b.Severity, c.Severity))
		c.Severity = b.Severity // and a probe's, once it is opened
	}
	return changes
}

// differs returns the change of a key; none if both sides agree.
func (p suitePair) differs(key, base, head string) []config.Change {
	if base == head {
		return nil
	}
	return []config.Change{p.change(key, base, head)}
}

func (p suitePair) change(key, base, head string) config.Change {
	return config.Change{Path: p.head.Path, Key: "suites." + suiteid.AuthorID(p.head.ID) + "." + key, Base: base, Head: head}
}

func (p suitePair) inForce(key, base, head string) config.Change {
	c := p.change(key, base, head)
	c.InForce = true
	return c
}

// Echoed finds the head's suites that an echo would answer in place of the base's target. An echo answers with the
// prompt itself, into which a change could write passing answers.
func Echoed(base, head []*Suite, baseTargets, headTargets map[string]config.Target) (faults []document.Diagnostic) {
	all, m := suitePairs(base, head), matchingOf(base)
	echoed := map[string]bool{} // suites of the base, by the ids that their authors wrote
	for _, b := range base {
		if baseTargets[b.Target].Provider == "echo" {
			echoed[suiteid.AuthorID(b.ID)] = true
		}
	}
	for _, p := range all {
		if p.head == nil || headTargets[p.head.Target].Provider != "echo" {
			continue
		}
		if before := cmp.Or(p.base, p.other); before != nil && !echoed[suiteid.AuthorID(before.ID)] {
			faults = append(faults, document.NewFault(p.head.Path, p.head.Pos, "target", "target %s is an echo, and %s answers this suite on the base; "+
				"a change cannot have its suites echoed: keep the base's target", document.Quote(p.head.Target), document.Quote(before.Target)))
			continue
		}
		for one := range m.cases(p.base, p.head) {
			if b := one.BaseSuite; b != nil && b != p.base && one.Head != nil && !echoed[suiteid.AuthorID(b.ID)] {
				faults = append(faults, document.NewFault(one.Head.Path, one.Head.Pos, "target", "target %s is an echo, and %s answers this case on the base, in suite %s; "+
					"a change cannot have its cases echoed: keep the case where it was", document.Quote(p.head.Target), document.Quote(b.Target), document.Quote(b.ID)))
			}
		}
	}
	return faults
}

// figure writes a number as a file would, and an absent one as "".
func figure(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}
