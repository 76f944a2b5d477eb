package likeness

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// minSharedStems is the least share of the stems of an expected sentence that a sentence of the answer must have to be
// compared with it.
const minSharedStems = 0.5

// Contradictions compares each expected sentence with the closest one of the answer. polarity is true if one denies
// what the other affirms, or allows what the other requires. numbers is true if their amounts differ. Measures of
// similarity miss both, because "must" and "must not" share every word but one.
func Contradictions(expected, answer *english.Text) (polarity, numbers bool) {
	answerStatements := statements(answer)
	for _, s := range statements(expected) {
		if other, opposed := s.closest(answerStatements); other != nil {
			polarity = polarity || opposed || s.duty*other.duty < 0
			numbers = numbers || s.amountsDiffer(other)
		}
	}
	return polarity, numbers
}

// statement is a sentence reduced to what Contradictions compares.
type statement struct {
	polarities  map[string]polarity // by stem
	duty        int                 // 1 must, -1 may
	amounts     []countedAmount
	ids         []string   // 5.9.3
	deniedStems [][]string // for each clause with a denial, its stems that no earlier clause has
}

// polarity is how a sentence uses a word: it affirms the word, denies it, or both.
type polarity uint8

const (
	affirmed polarity = 1 << iota
	denied
)

// countedAmount is an amount with the stem of the word after it. That word shows what a number without a unit counts.
type countedAmount struct {
	english.Amount
	countedStem string
}

// compare returns the number of stems that two statements share, and whether one contradicts the other. They contradict
// each other if they differ in affirming or denying more than half of the shared stems. They also do if a clause denies
// only what the other statement affirms ("but not tested").
func (s *statement) compare(other *statement) (shared int, opposed bool) {
	opposedStems := 0
	for stem, ours := range s.polarities {
		if theirs := other.polarities[stem]; theirs != 0 {
			shared++
			if ours^theirs == affirmed|denied {
				opposedStems++
			}
		}
	}
	return shared, 2*opposedStems > shared || s.deniesOnly(other) || other.deniesOnly(s)
}

// deniesOnly reports whether some clause of s denies only words that the other statement affirms and that s affirms
// nowhere.
func (s *statement) deniesOnly(other *statement) bool {
	return slices.ContainsFunc(s.deniedStems, func(clause []string) bool {
		return !slices.ContainsFunc(clause, func(stem string) bool {
			return s.polarities[stem]&affirmed != 0 || other.polarities[stem] != affirmed
		})
	})
}

// maxSentences bounds the compared sentences of a text, to keep long answers cheap.
const maxSentences = 64

// statements returns the first maxSentences sentences of a text.
func statements(p *english.Text) (out []statement) {
	for i := 0; i < len(p.Clauses) && len(out) < maxSentences; {
		s := statement{polarities: map[string]polarity{}}
		for sentence := p.Clauses[i].Sentence; i < len(p.Clauses) && p.Clauses[i].Sentence == sentence; i++ {
			s.addClause(p, &p.Clauses[i])
		}
		out = append(out, s)
	}
	return out
}

var permissionWords = []string{"may", "allowed", "permitted"}

func (s *statement) addClause(p *english.Text, c *english.Clause) {
	var stems []string
	for i := c.First; i < c.Last; i++ {
		w := &p.Words[i]
		switch {
		case w.Quantity != nil:
			a := countedAmount{Amount: *w.Quantity}
			if next := a.LastWord + 1; next < len(p.Words) {
				a.countedStem = p.Words[next].Stem
			}
			s.amounts = append(s.amounts, a)
		case w.IsNumber && !w.InAmount:
			s.ids = append(s.ids, w.Text)
		case w.Is(english.IsDuty) && !w.Negative:
			s.duty = 1
		case (slices.Contains(permissionWords, w.Text) || w.Is(english.IsDuty)) && s.duty == 0 && !c.Negative():
			s.duty = -1
		case p.IsContent(i) && !w.InAmount:
			if s.polarities[w.Stem] == 0 {
				stems = append(stems, w.Stem)
			}
			how := affirmed
			if p.Denies(i) {
				how = denied
			}
			s.polarities[w.Stem] |= how
		}
	}
	if c.Negative() && len(stems) > 0 {
		s.deniedStems = append(s.deniedStems, stems)
	}
}

// closest returns the sentence that shares the most stems with s, and whether it contradicts s. It returns nil if that
// sentence shares too few stems.
func (s *statement) closest(all []statement) (best *statement, bestOpposed bool) {
	most := 0
	for i := range all {
		shared, opposed := s.compare(&all[i])
		if shared > most || shared == most && shared > 0 && bestOpposed && !opposed {
			best, most, bestOpposed = &all[i], shared, opposed
		}
	}
	if float64(most) < minSharedStems*float64(len(s.polarities)) {
		return nil, false
	}
	return best, bestOpposed
}

// amountsDiffer reports whether each statement has an amount of the same kind that the other lacks. It also reports
// statements that both have ids (5.9.3) but share none.
func (s *statement) amountsDiffer(other *statement) bool {
	for _, a := range s.amounts {
		if !containsAmount(other.amounts, a) && other.hasDifferentAmount(a, s.amounts) {
			return true
		}
	}
	return len(s.ids) > 0 && len(other.ids) > 0 &&
		!slices.ContainsFunc(s.ids, func(id string) bool { return slices.Contains(other.ids, id) })
}

// hasDifferentAmount reports whether s has an amount, not among the known ones, with the same kind of unit as a or the
// same number. A number in words has to count the same thing: "in two places" is no other count of copies.
func (s *statement) hasDifferentAmount(a countedAmount, known []countedAmount) bool {
	return slices.ContainsFunc(s.amounts, func(b countedAmount) bool {
		sameUnit := unitKind(a.Unit) == unitKind(b.Unit) || a.Number == b.Number && a.Unit != "" && b.Unit != ""
		return sameUnit && (a.Exact && b.Exact || a.countedStem == b.countedStem) && !containsAmount(known, b)
	})
}

// unitKind returns equal values for units that answer the same question: months and seconds both say how long.
func unitKind(unit string) string {
	switch unit {
	case "month":
		return "second"
	case "eur", "gbp", "sgd", "jpy":
		return "usd"
	}
	return unit
}

func containsAmount(all []countedAmount, a countedAmount) bool {
	return slices.ContainsFunc(all, func(b countedAmount) bool { return a.Matches(b.Amount) })
}
