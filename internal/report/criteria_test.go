package report

import "testing"

// A case counts neither way only if it passes and nothing but criteria that need a run looks at its answers.
func TestCasesThatNeedARunCountInNoScore(t *testing.T) {
	needs := &Criteria{Tallies: []CriterionTally{{Text: "a file is saved", NeedsRun: 1}}}
	judged := &Criteria{Tallies: []CriterionTally{{Text: "a file is saved", NeedsRun: 1}, {Text: "polite", Met: 1}}}
	for _, c := range []struct {
		name  string
		set   func(*Case)
		score float64 // of this case and one that fails
		count int
	}{
		{"only a run shows it", func(c *Case) { c.Criteria, c.Unverified = needs, true }, 0, 1},
		{"one criterion is judged", func(c *Case) { c.Criteria = judged }, 0.5, 0},
		{"an assertion looks at it too", func(c *Case) { c.Criteria = needs }, 0.5, 0},
		{"nothing is asked for", func(c *Case) { c.Unverified = true }, 0.5, 0},
		{"the answer is blank", func(c *Case) { c.Criteria, c.Unverified, c.Outcome.Passed = needs, true, 0 }, 0, 0},
	} {
		s := &SuiteSide{Cases: []*Case{{ID: "wrong"}, {ID: c.name}}}
		s.Cases[0].Outcome.Trials, s.Cases[1].Outcome.Trials, s.Cases[1].Outcome.Passed = 1, 1, 1
		c.set(s.Cases[1])
		if got, _ := s.Score(); got != c.score {
			t.Errorf("%s: score %v, want %v", c.name, got, c.score)
		}
		if got := s.Criteria().UncountedCases; got != c.count {
			t.Errorf("%s: %d cases count neither way, want %d", c.name, got, c.count)
		}
	}
}
