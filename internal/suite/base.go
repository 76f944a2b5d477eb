package suite

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// ApplyBase gives every head suite that the base has too, renamed ones included, the base's weight, min_score, trials and
// severities (with fewer trials a change could leave out those that fail), and returns what the head wanted
// instead, by key. Who answers a suite, and the weight of a new one, are the head's to say and returned as well. It writes to
// head.
func ApplyBase(base, head []*Suite) []config.Change {
	var changes []config.Change
	for _, p := range pairs(base, head) {
		if p.base == nil && p.head.Weight != 1 {
			changes = append(changes, p.inForce("weight", "", figure(&p.head.Weight)))
		}
		if p.base == nil || p.head == nil {
			continue
		}
		if p.base.Weight != p.head.Weight {
			changes = append(changes, p.change("weight", figure(&p.base.Weight), figure(&p.head.Weight)))
		}
		if p.base.BarFaulty { // the head may hold itself to one
			p.base.MinScore = p.head.MinScore
		}
		if old, wanted := figure(p.base.MinScore), figure(p.head.MinScore); old != wanted {
			changes = append(changes, p.change("min_score", old, wanted))
		}
		if p.base.Trials != p.head.Trials {
			changes = append(changes, p.change("trials", strconv.Itoa(p.base.Trials), strconv.Itoa(p.head.Trials)))
		}
		if p.base.Target != "" && p.base.Target != p.head.Target {
			changes = append(changes, p.inForce("target", p.base.Target, p.head.Target))
		}
		changes = slices.Concat(changes, p.trials(), p.severities())
		p.head.Weight, p.head.MinScore, p.head.Trials = p.base.Weight, p.base.MinScore, p.base.Trials
	}
	slices.SortFunc(changes, func(a, b config.Change) int { return cmp.Compare(a.Key, b.Key) })
	return changes
}

// trials gives every case that both sides have the base's number of trials, and those that follow their suite the base's
// number for the suite.
func (p pair) trials() (changes []config.Change) {
	before := make(map[string]int, len(p.base.Cases))
	for i := range p.base.Cases {
		before[p.base.Cases[i].ID] = p.base.Cases[i].Trials
	}
	for i := range p.head.Cases {
		c := &p.head.Cases[i]
		follows := c.Trials == p.head.Trials
		old, both := before[c.ID]
		switch {
		case !both && follows:
			c.Trials = p.base.Trials
		case both && old != c.Trials:
			if !follows || old != p.base.Trials { // else the suite's change says it
				changes = append(changes, p.change(c.ID+".trials", strconv.Itoa(old), strconv.Itoa(c.Trials)))
			}
			c.Trials = old
		}
	}
	return changes
}

// severities gives every case that both sides have the base's severity, which weighs a probe's risk.
func (p pair) severities() (changes []config.Change) {
	before := make(map[string]string, len(p.base.Cases))
	for i := range p.base.Cases {
		before[p.base.Cases[i].ID] = p.base.Cases[i].Severity
	}
	for i := range p.head.Cases {
		c := &p.head.Cases[i]
		old, both := before[c.ID]
		if !both || old == c.Severity {
			continue
		}
		changes = append(changes, p.change(c.ID+".severity", old, c.Severity))
		c.Severity = old // and a probe's, once it is opened
	}
	return changes
}

func (p pair) change(key, base, head string) config.Change {
	return config.Change{Path: p.head.Path, Key: "suites." + p.head.ID + "." + key, Base: base, Head: head}
}

func (p pair) inForce(key, base, head string) config.Change {
	c := p.change(key, base, head)
	c.InForce = true
	return c
}

// Echoed finds the head's suites that an echo is to answer in place of the base's target. An echo answers with the prompt
// itself: a change could write the answers that pass into it.
func Echoed(base, head []*Suite, baseTargets, headTargets map[string]config.Target) (faults []document.Diagnostic) {
	echoes := func(targets map[string]config.Target, s *Suite) bool { return targets[s.Target].Provider == "echo" }
	for _, p := range pairs(base, head) {
		if p.base == nil || p.head == nil || echoes(baseTargets, p.base) || !echoes(headTargets, p.head) {
			continue
		}
		faults = append(faults, document.Diagnostic{Severity: document.Error, Path: p.head.Path, Line: p.head.Pos.Line, Column: p.head.Pos.Column,
			Rule: "target", Message: document.Line("target " + document.Quote(p.head.Target) + " is an echo, and " + document.Quote(p.base.Target) +
				" answers this suite on the base; a change cannot have its suites echoed: keep the base's target")})
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
