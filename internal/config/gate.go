package config

import "github.com/failproof/failproof/internal/document"

// defaultGate is the gate of spec section 7 where the file says nothing, in strict mode.
func defaultGate(phase Phase) Gate {
	off := Rule{Level: Off}
	return Gate{
		MinRunScore:    Rule{Value: phase.Bar(), Level: Err},
		MaxRegressions: Rule{Value: 0, Level: Err},
		MaxDrop:        off,
		MaxUnscored:    Rule{Value: 0, Level: Err},
		MaxUnverified:  off,
		MinCases:       off,
		OnRemoved:      Warn,
		OnRedefined:    Warn,
		OnPolicyChange: Warn,
		Mode:           "auto",
	}
}

// gateOf reads the gate; what it does not name keeps its default.
func gateOf(n *document.Node, phase Phase) Gate {
	g := defaultGate(phase)
	for key, rule := range g.rules() {
		*rule = ruleOf(n.Get(key), *rule)
	}
	for key, level := range g.levels() {
		if text := wordOf(n.Get(key)); text != "" {
			*level = Level(text)
		}
	}
	if mode := textOf(n.Get("mode")); mode != "" {
		g.Mode = mode
	}
	return g
}

// rules are the entries with a figure, by key.
func (g *Gate) rules() map[string]*Rule {
	return map[string]*Rule{
		"min_run_score": &g.MinRunScore, "max_regressions": &g.MaxRegressions, "max_drop": &g.MaxDrop,
		"max_unscored": &g.MaxUnscored, "max_unverified": &g.MaxUnverified, "min_cases": &g.MinCases,
	}
}

// levels are the entries that are a level alone, by key.
func (g *Gate) levels() map[string]*Level {
	return map[string]*Level{"on_removed": &g.OnRemoved, "on_redefined": &g.OnRedefined, "on_policy_change": &g.OnPolicyChange}
}

// ruleOf reads 0.85, off, or {value: 0.85, level: warn}.
func ruleOf(n *document.Node, rule Rule) Rule {
	if n == nil {
		return rule
	}
	if wordOf(n) == string(Off) {
		return Rule{Level: Off, Set: true}
	}
	figure, level := n, Err
	if n.Kind == document.Map {
		figure = n.Get("value")
		if text := wordOf(n.Get("level")); text != "" {
			level = Level(text)
		}
	}
	if v, ok := numberOf(figure); ok {
		return Rule{Value: v, Level: level, Set: true}
	}
	return rule
}

// wordOf returns text in quotes or without: `off` without quotes is a boolean to some readers of YAML.
func wordOf(n *document.Node) string {
	if n != nil && n.Kind == document.Bool {
		return n.Text
	}
	return textOf(n)
}
