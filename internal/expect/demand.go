package expect

// Demand is one thing that is expected of an answer. Its words are those of the Unmet that an answer gets which misses it.
type Demand struct {
	Criterion string `json:"criterion"` // expected_format, expected_response, assert, policy, …
	Expected  string `json:"expected"`  // what is asked for, cut to 300 runes
}

// Demands are all that is demanded, in the order in which it is checked.
func (e *Expectation) Demands() (all []Demand) {
	if e == nil {
		return nil
	}
	if f := e.Format; f != nil {
		words := f.kind
		switch {
		case f.source != "":
			words += " " + cut(f.source, shownRunes)
		case f.schema != nil:
			words += " by its schema"
		}
		all = append(all, Demand{"expected_format", words})
	}
	for _, m := range e.Criteria {
		all = append(all, Demand{m.Criterion, cut(m.expected, shownRunes)})
	}
	for _, a := range e.Assertions {
		all = append(all, Demand{"assert", cut(a.source, shownRunes)})
	}
	return all
}
