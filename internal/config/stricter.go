package config

import (
	"slices"
	"strings"
)

// Stricter returns the gate with what a head says of the entries in keys, as gate.min_run_score, wherever that is the stricter
// one, and the keys that it took over; nil is all of them. It serves where the base's own entry has a fault: its default holds, and the head may hold itself to more.
func (g Gate) Stricter(head Gate, keys []string) (held Gate, taken []string) {
	theirs := head.entries()
	for i, e := range g.entries() {
		if keys != nil && !slices.Contains(keys, "gate") && !slices.Contains(keys, e.key) {
			continue
		}
		switch at := e.at.(type) {
		case *Rule:
			if other := *theirs[i].at.(*Rule); stricter(other, *at, atLeast(e.key)) {
				*at, taken = other, append(taken, e.key)
			}
		case *Level:
			if other := *theirs[i].at.(*Level); rank(other) > rank(*at) {
				*at, taken = other, append(taken, e.key)
			}
		}
	}
	slices.Sort(taken)
	return g, taken
}

// atLeast reports an entry whose figure is the least that passes; any other is the most.
func atLeast(key string) bool {
	return strings.HasPrefix(key, gateKey+"min_")
}

func stricter(a, b Rule, atLeast bool) bool {
	switch {
	case a.Level != b.Level:
		return rank(a.Level) > rank(b.Level)
	case a.Level == Off:
		return false
	case atLeast:
		return a.Value > b.Value
	}
	return a.Value < b.Value
}

func rank(l Level) int { return slices.Index([]Level{Off, Warn, Err}, l) }
