package bisect

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// cause is a list of parts that together break a case. The case is right if any part is missing. A part is one hunk, or
// several hunks that cannot be tried one by one. A prompt with only some of those hunks cannot be read.
type cause []Set

// set returns all hunks of the cause.
func (c cause) set() (s Set) {
	for _, part := range c {
		s |= part
	}
	return s
}

// search is the search for the causes of one case.
type search struct {
	*searches
	index      int
	active     Set                    // hunks that change the case's request
	asked      map[string]stats.Count // answers by Key; they guide the search and prove nothing
	margin     int                    // how far right or wrong answers must lead to decide about a set
	noisy      bool                   // one request got both right and wrong answers
	used       int                    // answers used
	narrowedTo Set                    // hunks that the search has narrowed the cause down to
	pause      func(used int) bool    // lets the other cases have their turn; false if no further answers may be used
	err        error                  // what ended the search; no answer means anything then
}

// result runs the search and returns its result.
func (s *search) result() report.ExplainedCase {
	s.active = Active(s.Hunks, s.key)
	for _, in := range []Set{0, s.active, All(s.Hunks)} {
		s.isReadable(in)
	}
	out := s.find()
	if s.err != nil {
		out = report.ExplainedCase{Outcome: report.ExplainNotFound, Why: report.ExplainEnded}
		if s.narrowedTo != s.active {
			out.NarrowedTo = s.narrowedTo.Hunks()
		}
	}
	switch s.err {
	case errUnreadable:
		out.Why, out.NarrowedTo = report.ExplainUnreadable, nil
	case errBudget:
		out.Why = report.ExplainBudget
	}
	out.Answers = s.used
	return out
}

func (s *search) find() report.ExplainedCase {
	c := s.Cases[s.index]
	if s.active == 0 {
		return report.ExplainedCase{Outcome: report.ExplainElsewhere}
	}
	proven := c.Proven && s.key(0) == c.Base // both ends are known
	if proven {
		s.learn(s.key(0), c.BaseAnswers)
		s.learn(s.key(s.active), c.HeadAnswers)
	} else if s.isWrong(0) {
		return s.noCause(report.ExplainElsewhere, 0)
	}
	if !c.Proven && !s.isWrong(s.active) {
		return s.noCause(report.ExplainNotBroken, s.active)
	}
	return s.blame(proven)
}

// noCause returns a result without a cause, with the answers to the given hunks that show it.
func (s *search) noCause(outcome string, hunks Set) report.ExplainedCase {
	seen := s.asked[s.key(hunks)]
	return report.ExplainedCase{Outcome: outcome, Right: seen.Passed, Asked: seen.Trials}
}

// blame finds the hunks that break the case. The case must be right without hunks and wrong with all of them. proven
// reports whether both are proven.
func (s *search) blame(proven bool) report.ExplainedCase {
	if proven && len(s.active.Hunks()) == 1 {
		return s.whole()
	}
	guess := s.known
	if len(guess) > 0 && !slices.ContainsFunc(guess, func(c cause) bool { return c.set()&^s.active != 0 }) {
		if out, ok := s.prove(guess); ok {
			return out
		}
	}
	for range maxProofs - 1 {
		if s.err == nil {
			s.narrowedTo = s.active
		}
		causes := s.causes()
		if proven && causes[0][0] == s.active { // no smaller set can be read
			return s.whole()
		}
		if out, ok := s.prove(causes); ok {
			return out
		}
		s.margin += 2 // the search erred, so the next one takes more answers
	}
	return report.ExplainedCase{Outcome: report.ExplainNotFound, Why: report.ExplainUnproven}
}

// whole returns the result that all active hunks as one broke the case, which the answers of both sides prove.
func (s *search) whole() report.ExplainedCase {
	base, head := s.Cases[s.index].BaseAnswers, s.Cases[s.index].HeadAnswers
	part := report.ExplainPart{Hunks: s.active.Hunks(), Right: base.Passed, Asked: base.Trials}
	return report.ExplainedCase{Outcome: report.ExplainOnlyHunk, Causes: []report.ExplainCause{
		{Parts: []report.ExplainPart{part}, Right: head.Passed, Asked: head.Trials}}}
}

func (s *search) key(hunks Set) string { return s.Key(s.index, hunks) }

// isReadable reports whether the prompt with the given hunks can be read. If not, it ends the search.
func (s *search) isReadable(hunks Set) bool {
	if s.err == nil && s.key(hunks) == "" {
		s.err = errUnreadable
	}
	return s.err == nil
}

// causes searches for up to three disjoint sets of hunks that each break the case.
func (s *search) causes() (found []cause) {
	for rest := s.active; rest != 0 && len(found) < 3 && (len(found) == 0 || s.isWrong(rest)); {
		c := s.smallest(rest.Hunks())
		found, rest = append(found, c), rest&^c.set()
	}
	return found
}

// smallest returns a small set of hunks that breaks the case. All the given hunks together must break it. smallest
// finds the hunks of the set one by one, with binary searches.
func (s *search) smallest(hunks []int) (out cause) {
	for len(hunks) > 0 && (len(out) == 0 || !s.isWrong(out.set())) {
		low, high := s.breakingHunk(out.set(), hunks)
		out, hunks = append(out, NewSet(hunks[low:high]...)), hunks[:low]
	}
	slices.SortFunc(out, func(a, b Set) int { return cmp.Compare(a&-a, b&-b) }) // by the first hunk
	return out
}

// breakingHunk finds the hunk that makes the case wrong when hunks are added in order to the set base. The case is
// right with the first low hunks and wrong with the first high hunks. Usually high is low+1. It is larger if no prompt
// in between can be read.
func (s *search) breakingHunk(base Set, hunks []int) (low, high int) {
	with := func(count int) Set { return base | NewSet(hunks[:count]...) }
	counts := []int{0} // of hunks with which the prompt can be read
	for n := 1; n < len(hunks); n++ {
		if s.key(with(n)) != "" {
			counts = append(counts, n)
		}
	}
	for counts = append(counts, len(hunks)); len(counts) > 2; {
		mid := (len(counts) - 1) / 2
		if s.isWrong(with(counts[mid])) {
			counts = counts[:mid+1]
		} else {
			counts = counts[mid:]
		}
		in := base | NewSet(hunks[counts[0]:counts[len(counts)-1]]...)
		if s.err == nil && in&^s.narrowedTo == 0 {
			s.narrowedTo = in
		}
	}
	return counts[0], counts[1]
}

// isWrong reports whether most answers with a set of hunks are wrong. It runs the case until right or wrong answers
// lead by s.margin, or there are 3·s.margin answers.
func (s *search) isWrong(hunks Set) bool {
	if !s.isReadable(hunks) {
		return false
	}
	key := s.key(hunks)
	for {
		c := s.asked[key]
		ahead := max(2*c.Passed-c.Trials, c.Trials-2*c.Passed)
		if ahead >= s.margin || c.Trials >= 3*s.margin {
			return 2*c.Passed < c.Trials
		}
		got := s.ask([]Set{hunks}, s.margin-ahead)
		if s.err != nil {
			return false
		}
		s.learn(key, got[0])
	}
}

// learn adds the counts in more to the answers to the request key. Once a request has both right and wrong answers, the
// model counts as noisy. learn then raises the margin by one, so that later decisions rest on more answers.
func (s *search) learn(key string, more stats.Count) {
	c := plus(s.asked[key], more)
	s.asked[key] = c
	if c.Passed > 0 && c.Passed < c.Trials && !s.noisy {
		s.noisy = true
		s.margin++
	}
}

func plus(a, b stats.Count) stats.Count {
	return stats.Count{Passed: a.Passed + b.Passed, Trials: a.Trials + b.Trials}
}

func (s *search) ask(sets []Set, times int) (got []stats.Count) {
	n := len(sets) * times
	if !s.pause(s.used) || n > s.left {
		s.err = errBudget
		return nil
	}
	if s.askErr == nil {
		s.used, s.left = s.used+n, s.left-n
		got, s.askErr = s.Ask(s.index, sets, times)
	}
	s.err = s.askErr
	return got
}

// test is a test of one part of a cause. The case must be wrong with only the hunks of the cause. It must be right with
// all active hunks except the part and the other causes. So a superfluous or a missing part fails the test.
type test struct{ part, alone, without Set }

// tests returns the tests of all parts of the causes, in order, and the sets of hunks that they run.
func (s *search) tests(causes []cause) (out []test, sets []Set) {
	var all Set
	for _, c := range causes {
		all |= c.set()
	}
	for _, c := range causes {
		for _, part := range c {
			t := test{part, c.set(), s.active&^all | c.set()&^part}
			out, sets = append(out, t), append(sets, t.alone, t.without)
		}
	}
	slices.Sort(sets)
	return out, slices.Compact(sets)
}

// prove tests the causes with new answers. It returns the causes with their answers. ok is false if they are not
// proven.
func (s *search) prove(causes []cause) (out report.ExplainedCase, ok bool) {
	tests, sets := s.tests(causes)
	for _, in := range sets {
		s.isReadable(in)
	}
	counts := map[Set]stats.Count{}
	asked := 0 // answers of each set
	for _, total := range proofSizes {
		if s.err != nil {
			return out, false
		}
		for i, count := range s.ask(sets, total-asked) {
			counts[sets[i]] = plus(counts[sets[i]], count)
		}
		asked = total
		proven, hopeless := evaluate(tests, counts, s.level)
		if proven {
			s.known = causes
			return proof(tests, counts), true
		}
		if hopeless {
			break
		}
	}
	for _, in := range sets { // the answers help the next search
		s.learn(s.key(in), counts[in])
	}
	return out, false
}

// evaluate reports whether the counts prove all tests. hopeless reports whether, in some test, leaving out the part
// gives no larger share of right answers than the cause alone.
func evaluate(tests []test, counts map[Set]stats.Count, level float64) (proven, hopeless bool) {
	proven = true
	for _, t := range tests {
		right, wrong := counts[t.without], counts[t.alone]
		proven = proven && stats.AtMost(stats.Fisher(right, wrong), level)
		hopeless = hopeless || right.Passed*wrong.Trials <= wrong.Passed*right.Trials
	}
	return proven, hopeless
}

// proof returns the result that the tests prove.
func proof(tests []test, counts map[Set]stats.Count) report.ExplainedCase {
	out := report.ExplainedCase{Outcome: report.ExplainFound}
	for i, t := range tests {
		if i == 0 || t.alone != tests[i-1].alone {
			out.Causes = append(out.Causes, report.ExplainCause{Right: counts[t.alone].Passed, Asked: counts[t.alone].Trials})
		}
		c := &out.Causes[len(out.Causes)-1]
		c.Parts = append(c.Parts, report.ExplainPart{Hunks: t.part.Hunks(), Right: counts[t.without].Passed,
			Asked: counts[t.without].Trials})
	}
	return out
}
