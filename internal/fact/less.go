package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// lesser are phrases by which a statement says less than a fact without them: that it holds of a part, or is still to
// come.
var lesser = phrases(`only solely exclusively except excluding unless almost nearly virtually supposed_to expected_to
	expected_that plan_to planning_to is_planned are_planned scheduled_to set_to due_to_be about_to ready_to hope_to aim_to
	intend_to want_to prepared_for preparing_for working_towards working_toward way_to track_to in_progress in_the_process
	is_pending are_pending is_underway is_awaiting are_awaiting is_seeking are_seeking is_pursuing are_pursuing`)

// saysLess reports a phrase in a clause of the statement, or at the beginning of a clause of its sentence, by which it
// says less than the fact. What the reader plans is no such thing.
func saysLess(f *frame, p *english.Text, s statement) bool {
	for _, phrase := range f.lesser {
		for i := range occurrences(p, phrase) {
			c := p.Clauses[p.Words[i].Clause]
			reader := i > 1 && p.Words[i-2].Text == "you" || i > 0 && sparing[p.Words[i-1].Text]
			begins := c.First == i && c.Sentence == p.Sentence(s.spots[0].from)
			if (begins || inClause(s, c)) && (p.Words[i].Denial || !p.Denies(i)) && !reader {
				return true
			}
		}
	}
	return false
}

// sparing are words before which one of a phrase says nothing less: "the only", "not only", "you plan to".
var sparing = english.Set("the not you")

// depends reports whether a statement depends on a condition about something else: "If the reform is passed, …". A
// condition on what "you" or anybody does is none.
func depends(_ *frame, p *english.Text, s statement) bool {
	first, last := p.SentenceWords(p.Sentence(s.spots[0].from))
	return slices.ContainsFunc(p.Clauses[p.Words[first].Clause:p.Words[last-1].Clause+1], func(c english.Clause) bool {
		return c.Supposed && c.First+1 < c.Last && p.Words[c.First+1].Text == "the" && !inClause(s, c)
	})
}

// inClause reports a statement with a spot in a clause.
func inClause(s statement, c english.Clause) bool {
	return slices.ContainsFunc(s.spots, func(at spot) bool { return at.from >= c.First && at.from < c.Last })
}

// holds reports a text with a phrase.
func holds(p *english.Text, phrase []string) bool {
	for range occurrences(p, phrase) {
		return true
	}
	return false
}
