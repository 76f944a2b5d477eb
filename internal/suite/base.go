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

// ApplyBase applies the base's settings to the head's suites, which it modifies. A head suite that the base also has,
// even if renamed, gets the base's weight, min_score, trials, severities and judged criteria. Trials are included
// because a change with fewer trials could leave out the failing answers.
//
// If the head adds a target to a suite, the suite for that target gets the settings of the suite's base targets. Only a
// suite's target and the weight of a new suite are the head's choice. ApplyBase returns these choices and the
// overridden settings, sorted by key.
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

// shareReading makes equal cases of both sides share their id, variables and compiled expectation, because these take
// most of a run's memory. It skips prompt files: their evaluators have names, and no key covers these names.
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

// MustPassBy sets must_pass on each base case that has it in rules, the suites of the effective rules. It then sets
// must_pass on the same cases of the head, even if renamed. It returns the new marks of the base as changes. Call
// MustPassBy after ApplyBase.
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

// once returns changes without repetitions, because all targets of a suite give the same changes.
func once(changes []config.Change) []config.Change {
	known := map[[4]string]bool{}
	return slices.DeleteFunc(changes, func(c config.Change) bool {
		key := [4]string{c.Path, c.Key, c.Base, c.Head}
		again := known[key]
		known[key] = true
		return again
	})
}

// applyMoved handles a new suite into which cases moved from base suites. The suite gets the largest weight of these
// base suites. applyMoved returns a change if that replaces the head's weight, and one if min_score differs from the
// strictest threshold of these base suites. moved is false if no case moved into the suite.
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

// applySettings gives the head suite the weight and threshold of the base suite, and returns the settings in which the
// two differ.
func (p suitePair) applySettings() []config.Change {
	if p.base.ThresholdInvalid { // the head's threshold applies
		p.base.MinScore = p.head.MinScore
	}
	changes := append(p.differs("weight", figure(&p.base.Weight), figure(&p.head.Weight)), p.differs("min_score", figure(p.base.MinScore), figure(p.head.MinScore))...)
	p.head.Weight, p.head.MinScore = p.base.Weight, p.base.MinScore
	return changes
}

// retargeted returns a change for each suite whose targets differ between base and head.
func retargeted(all []suitePair) (changes []config.Change) {
	type sides struct {
		first      suitePair // has only the first head suite
		base, head []string
	}
	known := map[string]*sides{} // by the id that the head's author wrote
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

// trials gives the head suite and its cases the base's numbers of trials, and returns the differences. A case that only
// the head has gets the suite's number, unless the case sets its own. trials also returns a change of target for each
// case that moved from a suite with another target.
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

// severities gives each head case the base's severity, which is a factor of a probe's risk. It also restores the Needs
// of criteria (see suitePair.needs), so that a change cannot exempt a criterion from judging. It returns the
// differences.
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

// differs returns a change of the setting key, or nil if base and head are equal.
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

// Echoed returns an error for each head suite, and each moved case, whose target is an echo while the base's target is
// not. An echo answers with the prompt itself, so a change could write passing answers into the prompt.
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

// figure returns the number as a file has it, or "" for nil.
func figure(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}
