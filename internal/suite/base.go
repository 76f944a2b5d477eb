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
	"github.com/failproof/failproof/internal/text"
)

// ApplyBase applies the base's settings to the head's suites, which it modifies. A head suite that the base also has,
// even if renamed, gets the base's weight, min_score, trials, severities and judged criteria. Trials are included
// because a change with fewer trials could leave out the failing answers.
//
// If the head adds a target to a suite, the suite for that target gets the settings of the suite's base targets. Only a
// suite's target and the weight of a new suite are the head's choice. ApplyBase returns these choices and the
// overridden settings, sorted by key.
func ApplyBase(both Pairing) []config.Change {
	pairs := both.suites()
	shareParsed(both)
	changes := targetChanges(pairs)
	for _, p := range pairs {
		if p.head == nil {
			continue
		}
		if baseSuite := cmp.Or(p.base, p.otherTarget); baseSuite != nil {
			changes = append(changes, suitePair{base: baseSuite, head: p.head}.applySettings()...)
		} else {
			more, moved := p.applyMoved()
			if changes = append(changes, more...); !moved && p.head.Weight != 1 {
				changes = append(changes, p.effectiveChange("weight", "", format(&p.head.Weight)))
			}
		}
		changes = append(changes, p.applyTrials()...)
		changes = append(changes, p.applySeverities()...)
	}
	slices.SortStableFunc(changes, func(a, b config.Change) int { return cmp.Compare(a.Key, b.Key) })
	return uniqueChanges(changes)
}

// shareParsed makes equal cases of both sides share what was read of them, because that takes most of a run's memory.
// If only their requests differ, they share their variables and their compiled expectation. It skips prompt files:
// their evaluators have names, and no key covers these names.
func shareParsed(both Pairing) {
	for p := range both.Pairs() {
		b, h := p.Base, p.Head
		if b == nil || h == nil || b.parsed == nil || h.parsed == nil || p.BaseSuite.PromptFile ||
			p.HeadSuite.PromptFile {
			continue
		}
		switch was, now := b.parsed.parsedContent, h.parsed.parsedContent; {
		case was.keys == now.keys && was.judgingKey == now.judgingKey && was.schema == now.schema:
			h.parsed.parsedContent = was
		case was.keys.ExpectationKey == now.keys.ExpectationKey:
			now.vars, now.expect = was.vars, was.expect
		}
		if b.ID == h.ID {
			h.ID = b.ID
		}
	}
}

// ApplyRules applies the settings of rules, the suites of the effective rules, to the suites of both sides. It returns
// the settings in which the base differs.
func ApplyRules(rules []*Suite, both Pairing) (changes []config.Change) {
	ApplyBase(Join(rules, both.Heads))
	base := Join(rules, both.Bases)
	changes = append(ApplyBase(base), applyMustPass(base, both)...)
	for _, c := range EachCase(slices.Concat(both.Bases, both.Heads)) {
		c.baseKeys = nil // Join with the rules gave cases the rules' keys
	}
	adoptBaseKeys(both.suites())
	return changes
}

// applyMustPass sets must_pass on each base case that has it in the rules. It then sets must_pass on the same cases of
// the head, even if renamed. It returns the new marks of the base as changes. rules joins the rules with the base, and
// both the base with the head.
func applyMustPass(rules, both Pairing) (changes []config.Change) {
	marked := map[*Case]bool{}
	for pair := range rules.Pairs() {
		if r, b := pair.Base, pair.Head; r != nil && b != nil && r.MustPass && !b.MustPass {
			b.MustPass = true
			marked[b] = true
			changes = append(changes, suitePair{head: pair.HeadSuite}.change(b.ID+".must_pass", "true", ""))
		}
	}
	if len(marked) == 0 {
		return nil
	}
	for pair := range both.Pairs() {
		if b, h := pair.Base, pair.Head; b != nil && h != nil && !h.MustPass && marked[b] {
			h.MustPass = true
		}
	}
	return uniqueChanges(changes)
}

// QuarantineChanges returns a change for each case that takes a name in the gate's quarantine. The quarantine does not
// mean the case until the change is merged.
func QuarantineChanges(both Pairing, gate config.Gate) (changes []config.Change) {
	for p := range both.Pairs() {
		if p.Base != nil && p.Head != nil && gate.IsQuarantined(p.HeadSuite.ID, p.Head.ID) &&
			!gate.IsQuarantined(p.BaseSuite.ID, p.Base.ID) {
			changes = append(changes, suitePair{head: p.HeadSuite}.change(p.Head.ID+".quarantine", "", "in quarantine by its new name"))
		}
	}
	return uniqueChanges(changes)
}

// uniqueChanges returns changes without repetitions, because all targets of a suite give the same changes.
func uniqueChanges(changes []config.Change) []config.Change {
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
func (p suitePair) applyMoved() (changes []config.Change, moved bool) {
	weight, threshold := 0.0, (*float64)(nil)
	for _, pair := range p.cases {
		b := pair.BaseSuite
		if b == nil {
			continue
		}
		moved, weight = true, max(weight, b.Weight)
		if b.MinScore != nil && (threshold == nil || *b.MinScore > *threshold) {
			threshold = b.MinScore
		}
	}
	if moved {
		changes = p.diffSetting("weight", format(&weight), format(&p.head.Weight))
		p.head.Weight = weight
	}
	if threshold != nil {
		changes = append(changes, p.diffSetting("min_score", format(threshold), format(p.head.MinScore))...)
	}
	return changes, moved
}

// applySettings gives the head suite the weight and threshold of the base suite, and returns the settings in which the
// two differ.
func (p suitePair) applySettings() []config.Change {
	if p.base.ThresholdInvalid { // the head's threshold applies
		p.base.MinScore = p.head.MinScore
	}
	changes := append(p.diffSetting("weight", format(&p.base.Weight), format(&p.head.Weight)),
		p.diffSetting("min_score", format(p.base.MinScore), format(p.head.MinScore))...)
	p.head.Weight, p.head.MinScore = p.base.Weight, p.base.MinScore
	return changes
}

// targetIsWritten reports whether the file of one of two suites names its target. Otherwise both have a default of the
// configuration, whose own change covers what differs.
func targetIsWritten(a, b *Suite) bool { return !a.targetIsDefault || !b.targetIsDefault }

// targetChanges returns a change for each suite whose file's targets differ between base and head.
func targetChanges(pairs []suitePair) (changes []config.Change) {
	// by the id that the head's author wrote: the first suite of the head, and the targets of both sides
	first, base, head := map[string]*Suite{}, map[string][]string{}, map[string][]string{}
	for _, p := range pairs {
		suite := cmp.Or(p.head, p.otherTarget)
		other := cmp.Or(p.base, p.otherTarget)
		if suite == nil || other == nil || !targetIsWritten(suite, other) { // only one side has it, or neither wrote one
			continue
		}
		id := suiteid.AuthorID(suite.ID)
		first[id] = cmp.Or(first[id], suite)
		if p.head != nil {
			head[id] = append(head[id], p.head.Target)
		}
		if p.base != nil {
			base[id] = append(base[id], p.base.Target)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(first)) {
		was, now := slices.Sorted(slices.Values(base[id])), slices.Sorted(slices.Values(head[id]))
		if slices.Contains(was, "") || slices.Contains(now, "") || slices.Equal(was, now) {
			continue
		}
		key := "target"
		if len(was) > 1 || len(now) > 1 {
			key = "targets"
		}
		change := suitePair{head: first[id]}.effectiveChange(key, strings.Join(was, ", "), strings.Join(now, ", "))
		changes = append(changes, change)
	}
	return changes
}

// applyTrials gives the head suite and its cases the base's numbers of trials, and returns the differences. A case that
// only the head has gets the suite's number, unless the case sets its own. applyTrials also returns a change of target
// for each case that moved from a suite with another target.
func (p suitePair) applyTrials() (changes []config.Change) {
	headTrials, effectiveTrials := p.head.Trials, p.head.Trials
	if p.base != nil {
		effectiveTrials = p.base.Trials
		if targetIsWritten(p.base, p.head) || p.base.writtenTrials != p.head.writtenTrials {
			changes = p.diffSetting("trials", strconv.Itoa(effectiveTrials), strconv.Itoa(headTrials))
		}
	}
	for _, pair := range p.cases {
		baseSuite, b, c := pair.BaseSuite, pair.Base, pair.Head
		if c == nil {
			continue
		}
		if baseSuite != nil && baseSuite != p.base && baseSuite.Target != p.head.Target &&
			targetIsWritten(baseSuite, p.head) {
			changes = append(changes, p.effectiveChange("target", baseSuite.Target, p.head.Target))
		}
		switch isDefault := c.Trials == headTrials; {
		case b == nil && isDefault && effectiveTrials != headTrials:
			c.Trials = effectiveTrials
		case b != nil && b.Trials != c.Trials:
			if !isDefault || b.Trials != effectiveTrials { // else the suite's change covers it
				changes = append(changes, p.change(c.ID+".trials", strconv.Itoa(b.Trials), strconv.Itoa(c.Trials)))
			}
			c.Trials = b.Trials
		}
	}
	p.head.Trials = effectiveTrials
	return changes
}

// applySeverities gives each head case the base's severity, which is a factor of a probe's risk. It also restores the
// Needs of criteria (see suitePair.restoreNeeds), so that a change cannot exempt a criterion from judging. It returns
// the differences.
func (p suitePair) applySeverities() (changes []config.Change) {
	others := casesOf(p.otherTarget).ByID()
	for _, one := range p.cases {
		c := one.Head
		if c == nil {
			continue
		}
		b := cmp.Or(one.Base, others[c.ID])
		if b == nil {
			continue
		}
		changes = append(changes, p.diffSetting(c.ID+".severity", b.Severity, c.Severity)...)
		c.Severity = b.Severity // Open copies it into a probe
		if b.Graded() && c.Graded() {
			changes = append(changes, p.restoreNeeds(b.judging().Rubric, c)...)
		}
	}
	return changes
}

// diffSetting returns a change of the setting key, or nil if base and head are equal.
func (p suitePair) diffSetting(key, base, head string) []config.Change {
	if base == head {
		return nil
	}
	return []config.Change{p.change(key, base, head)}
}

func (p suitePair) change(key, base, head string) config.Change {
	return config.Change{Path: p.head.Path, Key: "suites." + suiteid.AuthorID(p.head.ID) + "." + key, Base: base, Head: head}
}

func (p suitePair) effectiveChange(key, base, head string) config.Change {
	c := p.change(key, base, head)
	c.Effective = true
	return c
}

// EchoErrors returns an error for each head suite, and each moved case, whose target is an echo while the base's target
// is not. An echo answers with the prompt itself, so a change could write passing answers into the prompt.
func EchoErrors(both Pairing, baseTargets, headTargets map[string]config.Target) (faults []document.Diagnostic) {
	echoed := map[string]bool{} // base suites by the ids that their authors wrote
	for _, b := range both.Bases {
		if baseTargets[b.Target].Provider == "echo" {
			echoed[suiteid.AuthorID(b.ID)] = true
		}
	}
	for _, p := range both.suites() {
		if p.head == nil || headTargets[p.head.Target].Provider != "echo" {
			continue
		}
		if baseSuite := cmp.Or(p.base, p.otherTarget); baseSuite != nil && !echoed[suiteid.AuthorID(baseSuite.ID)] {
			faults = append(faults, document.NewError(p.head.Path, p.head.Pos, "target", "target %s is an echo, and %s answers this suite on the base; "+
				"a change cannot have its suites echoed: keep the base's target", document.Quote(p.head.Target), document.Quote(baseSuite.Target)))
			continue
		}
		for _, pair := range p.cases {
			if b := pair.BaseSuite; b != nil && b != p.base && pair.Head != nil && !echoed[suiteid.AuthorID(b.ID)] {
				faults = append(faults, document.NewError(pair.Head.Path, pair.Head.Pos, "target", "target %s is an echo, and %s answers this case on the base, in suite %s; "+
					"a change cannot have its cases echoed: keep the case where it was", document.Quote(p.head.Target), document.Quote(b.Target), document.Quote(b.ID)))
			}
		}
	}
	return faults
}

// format returns the number as a file has it, or "" for nil.
func format[T int | float64](n *T) string {
	if n == nil {
		return ""
	}
	return text.Decimal(float64(*n))
}
