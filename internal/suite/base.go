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
// severities and judged criteria. Trials are included because a change with fewer trials could leave out the failing
// answers. A target that the head adds gets the settings of the suite's base targets. The head chooses each suite's
// target and the weight of a new suite. ApplyBase returns these choices and the overridden settings, by key. It
// modifies head.
func ApplyBase(base, head []*Suite) []config.Change {
	all, m := suitePairs(base, head), matchingOf(base)
	shareReading(base, head)
	changes := retargeted(all)
	for _, p := range all {
		if p.head == nil {
			continue
		}
		if from := cmp.Or(p.base, p.other); from != nil {
			changes = append(changes, suitePair{base: from, head: p.head}.applySettings()...)
		} else {
			more, moved := p.applyMoved(m)
			if changes = append(changes, more...); !moved && p.head.Weight != 1 {
				changes = append(changes, p.effective("weight", "", figure(&p.head.Weight)))
			}
		}
		changes = append(changes, p.trials(m)...)
		if p.base == nil {
			p.base = p.other
		}
		changes = append(changes, p.severities(m)...)
	}
	slices.SortStableFunc(changes, func(a, b config.Change) int { return cmp.Compare(a.Key, b.Key) })
	return once(changes)
}

// shareReading lets equal cases of both sides share their id, variables and compiled expectation, which take most of
// a run's memory. It skips prompt files, whose evaluators have names that no key covers.
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

// MustPassBy sets must_pass on the base's cases that have it in rules, the suites of the effective rules. It also sets
// must_pass on the same cases of the head, renamed ones included. It returns these marks as changes, and modifies base
// and head. Call it after ApplyBase.
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

// once drops repeated changes, because all targets of a suite give the same changes.
func once(changes []config.Change) []config.Change {
	known := map[[4]string]bool{}
	return slices.DeleteFunc(changes, func(c config.Change) bool {
		key := [4]string{c.Path, c.Key, c.Base, c.Head}
		again := known[key]
		known[key] = true
		return again
	})
}

// applyMoved gives a new suite the greatest weight of the base suites that its cases moved from, and returns that as a
// change. If the suite's threshold differs from the strictest threshold of those base suites, it also returns a change
// of min_score. moved is false if no case moved into the new suite.
func (p suitePair) applyMoved(m *matching) (changes []config.Change, moved bool) {
	if !m.names.Moves() {
		return nil, false
	}
	weight, bar := 0.0, (*float64)(nil)
	for one := range m.pairs(nil, p.head) {
		b := one.BaseSuite
		if b == nil {
			continue
		}
		moved, weight = true, max(weight, b.Weight)
		if b.MinScore != nil && (bar == nil || *b.MinScore > *bar) {
			bar = b.MinScore
		}
	}
	if moved {
		changes = p.differs("weight", figure(&weight), figure(&p.head.Weight))
		p.head.Weight = weight
	}
	if bar != nil {
		changes = append(changes, p.differs("min_score", figure(bar), figure(p.head.MinScore))...)
	}
	return changes, moved
}

// applySettings gives the head suite the base's weight and threshold, and returns what that changes.
func (p suitePair) applySettings() []config.Change {
	if p.base.ThresholdInvalid { // the head may set a threshold
		p.base.MinScore = p.head.MinScore
	}
	changes := append(p.differs("weight", figure(&p.base.Weight), figure(&p.head.Weight)), p.differs("min_score", figure(p.base.MinScore), figure(p.head.MinScore))...)
	p.head.Weight, p.head.MinScore = p.base.Weight, p.base.MinScore
	return changes
}

// retargeted returns a change for each suite whose targets differ between base and head.
func retargeted(all []suitePair) (changes []config.Change) {
	type sides struct {
		first      suitePair // with the head's suite
		base, head []string
	}
	known := map[string]*sides{} // by the head's id
	for _, p := range all {
		from := cmp.Or(p.head, p.other)
		if from == nil || p.base == nil && p.other == nil { // only one side has it
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
		changes = append(changes, s.first.effective(key, strings.Join(s.base, ", "), strings.Join(s.head, ", ")))
	}
	return changes
}

// trials gives every case on both sides, and the suite, the base's number of trials. A case without its own number
// gets the suite's. It also returns a target change for each case that moved from a suite with another target.
func (p suitePair) trials(m *matching) (changes []config.Change) {
	wanted, inForce := p.head.Trials, p.head.Trials
	if p.base != nil {
		inForce = p.base.Trials
		changes = p.differs("trials", strconv.Itoa(inForce), strconv.Itoa(wanted))
	}
	for one := range m.pairs(p.base, p.head) {
		from, b, c := one.BaseSuite, one.Base, one.Head
		if c == nil {
			continue
		}
		if from != nil && from != p.base && from.Target != p.head.Target {
			changes = append(changes, p.effective("target", from.Target, p.head.Target))
		}
		switch follows := c.Trials == wanted; {
		case b == nil && follows && inForce != wanted:
			c.Trials = inForce
		case b != nil && b.Trials != c.Trials:
			if !follows || b.Trials != inForce { // else the suite's change covers it
				changes = append(changes, p.change(c.ID+".trials", strconv.Itoa(b.Trials), strconv.Itoa(c.Trials)))
			}
			c.Trials = b.Trials
		}
	}
	p.head.Trials = inForce
	return changes
}

// severities gives each case of the head the base's severity, which weights a probe's risk. It also restores the needs
// of criteria (see suitePair.needs), so that a change cannot exempt a criterion from judging.
func (p suitePair) severities(m *matching) (changes []config.Change) {
	for one := range m.pairs(p.base, p.head) {
		b, c := one.Base, one.Head
		if b == nil || c == nil {
			continue
		}
		changes = append(changes, p.differs(c.ID+".severity", b.Severity, c.Severity)...)
		c.Severity = b.Severity // Open copies it into a probe
		if b.Graded() && c.Graded() {
			changes = append(changes, p.needs(b.judging().Rubric, c)...)
		}
	}
	return changes
}

// differs returns the change of a key, or nil if both sides agree.
func (p suitePair) differs(key, base, head string) []config.Change {
	if base == head {
		return nil
	}
	return []config.Change{p.change(key, base, head)}
}

func (p suitePair) change(key, base, head string) config.Change {
	return config.Change{Path: p.head.Path, Key: "suites." + suiteid.AuthorID(p.head.ID) + "." + key, Base: base, Head: head}
}

func (p suitePair) effective(key, base, head string) config.Change {
	c := p.change(key, base, head)
	c.InForce = true
	return c
}

// Echoed rejects head suites whose target is an echo if the base's target is not one. An echo answers with the prompt
// itself, so a change could write passing answers into the prompt.
func Echoed(base, head []*Suite, baseTargets, headTargets map[string]config.Target) (faults []document.Diagnostic) {
	all, m := suitePairs(base, head), matchingOf(base)
	echoed := map[string]bool{} // base suites by the ids that their authors wrote
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
		for one := range m.pairs(p.base, p.head) {
			if b := one.BaseSuite; b != nil && b != p.base && one.Head != nil && !echoed[suiteid.AuthorID(b.ID)] {
				faults = append(faults, document.NewFault(one.Head.Path, one.Head.Pos, "target", "target %s is an echo, and %s answers this case on the base, in suite %s; "+
					"a change cannot have its cases echoed: keep the case where it was", document.Quote(p.head.Target), document.Quote(b.Target), document.Quote(b.ID)))
			}
		}
	}
	return faults
}

// figure formats a number as in a file, and nil as "".
func figure(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}
