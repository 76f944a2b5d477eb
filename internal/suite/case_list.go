package suite

import "slices"

// Cases are the cases of a suite, in the order of its file.
type Cases []*Case

// ByID returns a map from ids to cases.
func (all Cases) ByID() map[string]*Case {
	out := make(map[string]*Case, len(all))
	for _, c := range all {
		out[c.ID] = c
	}
	return out
}

// Any reports whether match returns true for some case.
func (all Cases) Any(match func(*Case) bool) bool { return slices.ContainsFunc(all, match) }

// Add appends a copy of c.
func (all *Cases) Add(c Case) {
	c.index = len(*all)
	*all = append(*all, &c)
}

// Trials returns the sum of the cases' trials.
func (all Cases) Trials() (n int) {
	for _, c := range all {
		n += c.Trials
	}
	return n
}

// Where returns copies of the cases for which match returns true.
func (all Cases) Where(match func(*Case) bool) (out Cases) {
	for _, c := range all {
		if match(c) {
			out.Add(*c)
		}
	}
	return out
}
