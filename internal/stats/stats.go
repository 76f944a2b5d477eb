// Package stats is the arithmetic behind a verdict that noise cannot flip: exact tests, adjusted probabilities, intervals
// and sample sizes. Numbers in, numbers out; it knows no suites, no gate and no words for a reader. Nothing in it draws a
// random number: every probability is counted, so that equal results give equal figures.
//
// A trial's value is in [0, 1]. A probability is one-sided, and small means that the head is worse.
package stats

// Slack is the room that rounding gets where a probability, a value or a drop is held to a limit.
const (
	SlackProbability = 1e-12
	SlackValue       = 1e-9
)

// Reaches reports whether a probability is as small as level.
func Reaches(p, level float64) bool { return p <= level+SlackProbability }

// Count is how many trials of one side of a case passed. 0 <= Passed <= Trials.
type Count struct{ Passed, Trials int }
