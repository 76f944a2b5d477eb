package config

// HeldTo returns c with the gate and phase that a stored report was held to, and what c wants otherwise: a comparison with
// a report is judged by the rules of that report, as one with a revision is by the rules of the revision.
func (c *Config) HeldTo(gate Gate, phase Phase) (*Config, []Change) {
	held := c.clone()
	held.Gate, held.Phase = gate, phase
	// A report does not tell whether the figure was written; one that is the phase's own follows the phase.
	held.Gate.MinRunScore.Set = gate.MinRunScore.Value != phase.Bar()
	held.Gate.MaxDrop.Set, held.Gate.MaxUnscored.Set = true, true // it does tell the figures that were in force
	own := c.clone()
	follow(&own.Gate.MaxDrop, gate.MaxDrop, Gate.Noisy(Gate{}).MaxDrop)
	follow(&own.Gate.MaxUnscored, gate.MaxUnscored, Gate.Noisy(Gate{}).MaxUnscored)
	var changes []Change
	wanted := own.settings()
	for i, s := range held.settings() {
		if s.value != wanted[i].value {
			changes = append(changes, Change{Path: c.Path, Key: s.key, Base: s.value, Head: wanted[i].value})
		}
	}
	return held, changes
}

// follow takes over a figure that was in force where the configuration names none and it is the one that holds then with a
// live model.
func follow(own *Rule, told, noisy Rule) {
	if !own.Set && told.Value == noisy.Value && told.Level == noisy.Level {
		*own = told
	}
}
