package risk

// Word is a risk in [0, 1] in a word, since no two numbers are alike.
func Word(v float64) string {
	switch {
	case v >= 0.75:
		return "severe"
	case v >= 0.5:
		return "elevated"
	case v >= 0.25:
		return "moderate"
	}
	return "low"
}
