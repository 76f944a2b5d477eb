package config

import "slices"

// Stricter returns the gate with what a head says of the entries in keys, as gate.min_run_score, wherever that is the stricter
// one, and the keys that it took over; nil is all of them. It serves where the base's own entry has a fault: its default holds, and the head may hold itself to more.
func (g Gate) Stricter(head Gate, keys []string) (held Gate, taken []string) {
	named := func(key string) bool {
		return keys == nil || slices.Contains(keys, "gate") || slices.Contains(keys, "gate."+key)
	}
	theirs, levels := head.rules(), head.levels()
	for key, rule := range g.rules() {
		if named(key) && stricter(*theirs[key], *rule, atLeast(key)) {
			*rule = *theirs[key]
			taken = append(taken, "gate."+key)
		}
	}
	for key, level := range g.levels() {
		if named(key) && rank(*levels[key]) > rank(*level) {
			*level = *levels[key]
			taken = append(taken, "gate."+key)
		}
	}
	slices.Sort(taken)
	return g, taken
}

// atLeast reports an entry whose figure is the least that passes; any other is the most.
func atLeast(key string) bool {
	return key == "min_run_score" || key == "min_cases" || key == "min_severity_weighted_pass_rate"
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
