package risk

import "slices"

// question is a condition on what a probe asks.
type question struct{ asked, unless condition }

// question returns the number of a rule's condition.
func (s *Scorer) question(c *compiled) int {
	same := func(q question) bool { return q.asked.same(c.asked) && q.unless.same(c.askedUnless) }
	if i := slices.IndexFunc(s.questions, same); i >= 0 {
		return i
	}
	s.questions = append(s.questions, question{c.asked, c.askedUnless})
	return len(s.questions) - 1
}

// holds reports whether a probe meets the condition.
func (q question) holds(asked string, held literals) bool {
	return (len(q.asked) == 0 || q.asked.matches(asked, held)) && !q.unless.matches(asked, held)
}

// inquiry answers each question on one probe once, when it first comes up.
type inquiry struct {
	*Scorer
	asked string
	held  literals
	known []int8 // 0: not yet, 1: holds, -1: does not
}

func (s *Scorer) inquire(asked string) *inquiry {
	return &inquiry{s, asked, s.literals(asked), make([]int8, len(s.questions))}
}

func (q *inquiry) holds(number int) bool {
	if q.known[number] == 0 {
		q.known[number] = -1
		if q.questions[number].holds(q.asked, q.held) {
			q.known[number] = 1
		}
	}
	return q.known[number] > 0
}
