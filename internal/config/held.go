package config

// HeldTo returns c with the gate and phase that a stored report was held to, and what c wants otherwise: a comparison with
// a report is judged by the rules of that report, as one with a revision is by the rules of the revision.
func (c *Config) HeldTo(gate Gate, phase Phase) (*Config, []Change) {
	held := c.clone()
	held.Gate, held.Phase = gate, phase
	var changes []Change
	wanted := c.entries()
	for i, e := range held.entries() {
		if was, wants := e.meaning(), wanted[i].meaning(); was != wants {
			changes = append(changes, Change{Path: c.Path, Key: e.key, Base: was, Head: wants})
		}
	}
	return held, changes
}
