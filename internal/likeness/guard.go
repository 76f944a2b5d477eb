package likeness

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// alike is the least share of the stems of an expected sentence that a sentence of the answer must have to be compared
// with it.
const alike = 0.5

// Guard compares each expected sentence with the closest one of the answer. polarity is true if one denies what the
// other affirms, or allows what the other requires. numbers is true if their amounts differ. Measures of similarity
// miss both, because "must" and "must not" share every word but one.
func Guard(expected, answer *english.Text) (polarity, numbers bool) {
	theirs := statements(answer)
	for _, s := range statements(expected) {
		if other, turned := s.closest(theirs); other != nil {
			polarity = polarity || turned || s.duty*other.duty < 0
			numbers = numbers || s.contradicts(other)
		}
	}
	return polarity, numbers
}

// statement is a sentence reduced to what Guard compares.
type statement struct {
	said    map[string]polarity // by stem
	duty    int                 // 1 must, -1 may
	amounts []counted
	ids     []string   // 5.9.3
	denied  [][]string // for each clause with a denial, its stems that no earlier clause has
}

// polarity is how a sentence uses a word: it affirms the word, denies it, or both.
type polarity uint8

const (
	affirmed polarity = 1 << iota
	denied
)

// counted is an amount with the stem of the word after it. That word shows what a number without a unit counts.
type counted struct {
	english.Amount
	what string
}

// compare returns the number of stems that two statements share, and whether one contradicts the other. They contradict
// each other if they differ in affirming or denying more than half of the shared stems. They also do if a clause denies
// only what the other statement affirms ("but not tested").
func (s *statement) compare(other *statement) (shared int, turned bool) {
	turns := 0
	for stem, ours := range s.said {
		if theirs := other.said[stem]; theirs != 0 {
			shared++
			if ours^theirs == affirmed|denied {
				turns++
			}
		}
	}
	return shared, 2*turns > shared || s.deniesOnly(other) || other.deniesOnly(s)
}

// deniesOnly reports whether some clause of s denies only words that the other statement affirms and that s affirms
// nowhere.
func (s *statement) deniesOnly(other *statement) bool {
	return slices.ContainsFunc(s.denied, func(clause []string) bool {
		return !slices.ContainsFunc(clause, func(stem string) bool {
			return s.said[stem]&affirmed != 0 || other.said[stem] != affirmed
		})
	})
}

// comparedSentences bounds the compared sentences of a text, to keep long answers cheap.
const comparedSentences = 64

// statements returns the first comparedSentences sentences of a text.
func statements(p *english.Text) (out []statement) {
	for i := 0; i < len(p.Clauses) && len(out) < comparedSentences; {
		s := statement{said: map[string]polarity{}}
		for sentence := p.Clauses[i].Sentence; i < len(p.Clauses) && p.Clauses[i].Sentence == sentence; i++ {
			s.add(p, &p.Clauses[i])
		}
		out = append(out, s)
	}
	return out
}

var permits = []string{"may", "allowed", "permitted"}

func (s *statement) add(p *english.Text, c *english.Clause) {
	var stems []string
	for i := c.First; i < c.Last; i++ {
		w := &p.Words[i]
		switch {
		case w.Quantity != nil:
			s.amounts = append(s.amounts, countedIn(p, *w.Quantity))
		case w.Digits && !w.Amount:
			s.ids = append(s.ids, w.Text)
		case w.Is(english.IsDuty) && !w.Negative:
			s.duty = 1
		case (slices.Contains(permits, w.Text) || w.Is(english.IsDuty)) && s.duty == 0 && !c.Negative():
			s.duty = -1
		case p.Content(i) && !w.Amount:
			if s.said[w.Stem] == 0 {
				stems = append(stems, w.Stem)
			}
			how := affirmed
			if p.Denies(i) {
				how = denied
			}
			s.said[w.Stem] |= how
		}
	}
	if c.Negative() && len(stems) > 0 {
		s.denied = append(s.denied, stems)
	}
}

// countedIn returns an amount with the stem of the word after it.
func countedIn(p *english.Text, a english.Amount) counted {
	c := counted{Amount: a}
	if next := a.Last + 1; next < len(p.Words) {
		c.what = p.Words[next].Stem
	}
	return c
}

// closest returns the sentence that shares the most stems with s, and whether it contradicts s. It returns nil if that
// sentence shares too few stems.
func (s *statement) closest(all []statement) (best *statement, bestTurned bool) {
	most := 0
	for i := range all {
		shared, turned := s.compare(&all[i])
		if shared > most || shared == most && shared > 0 && bestTurned && !turned {
			best, most, bestTurned = &all[i], shared, turned
		}
	}
	if float64(most) < alike*float64(len(s.said)) {
		return nil, false
	}
	return best, bestTurned
}

// contradicts reports whether each statement has an amount of the same kind that the other lacks. It also reports
// statements that both have ids (5.9.3) but share none.
func (s *statement) contradicts(other *statement) bool {
	for _, a := range s.amounts {
		if !contains(other.amounts, a) && other.hasOther(a, s.amounts) {
			return true
		}
	}
	return len(s.ids) > 0 && len(other.ids) > 0 &&
		!slices.ContainsFunc(s.ids, func(id string) bool { return slices.Contains(other.ids, id) })
}

// hasOther reports whether s has an amount, not among the known ones, with the same kind of unit as a or the same
// number. A number in words has to count the same thing: "in two places" is no other count of copies.
func (s *statement) hasOther(a counted, known []counted) bool {
	return slices.ContainsFunc(s.amounts, func(b counted) bool {
		alike := kind(a.Unit) == kind(b.Unit) || a.Bare == b.Bare && a.Unit != "" && b.Unit != ""
		return alike && (a.Exact && b.Exact || a.what == b.what) && !contains(known, b)
	})
}

// kind returns equal values for units that answer the same question: months and seconds both say how long.
func kind(unit string) string {
	switch unit {
	case "month":
		return "second"
	case "eur", "gbp", "sgd", "jpy":
		return "usd"
	}
	return unit
}

func contains(all []counted, a counted) bool {
	return slices.ContainsFunc(all, func(b counted) bool { return a.Same(b.Amount) })
}
