package likeness

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// alike is the share of an expected sentence's terms that a sentence of the answer needs to be compared with it.
const alike = 0.5

// Guard compares the sentences of the expected answer with those of the answer on the same matter. polarity reports
// that one affirms what the other denies, or must what may, and numbers that their amounts differ. Measures of likeness
// miss both: "must" and "must not" share every word but one.
func Guard(expected, answer *english.Text) (polarity, numbers bool) {
	g := guarding{expected: expected, answer: answer, at: make([]int32, len(expected.Words)+len(answer.Words))}
	ours, theirs := g.statements(expected), g.statements(answer)
	for i := range ours {
		s := &ours[i]
		if other, turned := g.closest(s, theirs); other != nil {
			polarity = polarity || turned || s.duty*other.duty < 0
			numbers = numbers || s.contradicts(other)
		}
	}
	return polarity, numbers
}

// guarding holds two texts against each other.
type guarding struct {
	expected, answer *english.Text
	at               []int32 // stem → its place in the statement that is looked at, plus 1
	theirs           []by    // of what that statement says, how another one says it
}

// statement is a sentence reduced to what the guard compares.
type statement struct {
	said    []said // what it says with a content, each once
	duty    int    // 1 must, -1 may
	amounts []counted
	ids     []string // 5.9.3
	denied  [][2]int // of each clause that denies, what it says, as a range of said
}

// said is a stem, by its number in both texts, and whether a statement affirms or denies it.
type said struct {
	stem int32
	by   by
}

// by tells whether a word is affirmed, denied, or both.
type by uint8

const (
	affirmed by = 1 << iota
	denied
)

// counted is an amount with the stem of the word behind it, which tells what a bare number counts.
type counted struct {
	english.Amount
	what string
}

// stem returns the number of a stem: its first place in the answer, or else in the expected answer, counted on from the
// answer's end.
func (g *guarding) stem(stem string) int32 {
	if i := g.answer.FirstOf(stem); i != english.NoWord {
		return i
	}
	return int32(len(g.answer.Words)) + g.expected.FirstOf(stem)
}

// compare counts the stems that two statements share, and reports whether one contradicts the other: more than half of
// these are affirmed by one and denied by the other, or a clause denies nothing but what the other affirms, "but not
// tested". s must be looked at.
func (g *guarding) compare(s, other *statement) (shared int, turned bool) {
	clear(g.theirs)
	for _, x := range other.said {
		if k := g.at[x.stem]; k > 0 {
			g.theirs[k-1] = x.by
		}
	}
	turns := 0
	for k, theirs := range g.theirs {
		if theirs == 0 {
			continue
		}
		shared++
		if s.said[k].by^theirs == affirmed|denied {
			turns++
		}
	}
	turned = 2*turns > shared || s.contraries(func(k int) bool { return g.theirs[k] == affirmed }) ||
		other.contraries(func(k int) bool {
			at := g.at[other.said[k].stem]
			return at > 0 && s.said[at-1].by == affirmed
		})
	return shared, turned
}

// contraries reports whether a clause denies only what another statement affirms and this one does not. affirms tells
// that of a place in said.
func (s *statement) contraries(affirms func(k int) bool) bool {
	for _, clause := range s.denied {
		k := clause[0]
		for k < clause[1] && s.said[k].by&affirmed == 0 && affirms(k) {
			k++
		}
		if k == clause[1] {
			return true
		}
	}
	return false
}

// comparedSentences bounds the compared sentences of a text, to keep long answers cheap.
const comparedSentences = 64

func (g *guarding) statements(p *english.Text) []statement {
	sentences := 0
	if n := len(p.Clauses); n > 0 {
		sentences = int(p.Clauses[n-1].Sentence) + 1
	}
	out, all := make([]statement, 0, min(sentences, comparedSentences)), make([]said, 0, len(p.Words))
	for i := 0; i < len(p.Clauses) && len(out) < comparedSentences; {
		s := statement{said: all[len(all):]}
		for sentence := p.Clauses[i].Sentence; i < len(p.Clauses) && p.Clauses[i].Sentence == sentence; i++ {
			g.add(&s, p, &p.Clauses[i])
		}
		g.lookAway(&s)
		all = all[:len(all)+len(s.said)]
		out = append(out, s)
	}
	return out
}

func (g *guarding) add(s *statement, p *english.Text, c *english.Clause) {
	before := len(s.said)
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
			how := affirmed
			if p.Denies(i) {
				how = denied
			}
			g.say(s, w.Stem, how)
		}
	}
	if c.Negative() && len(s.said) > before {
		s.denied = append(s.denied, [2]int{before, len(s.said)})
	}
}

// countedIn returns an amount with the stem of the word behind it.
func countedIn(p *english.Text, a english.Amount) counted {
	c := counted{Amount: a}
	if next := a.Last + 1; next < len(p.Words) {
		c.what = p.Words[next].Stem
	}
	return c
}

func (g *guarding) say(s *statement, stem string, how by) {
	n := g.stem(stem)
	if g.at[n] == 0 {
		s.said = append(s.said, said{stem: n})
		g.at[n] = int32(len(s.said))
	}
	s.said[g.at[n]-1].by |= how
}

// lookAt makes s the statement that at tells of.
func (g *guarding) lookAt(s *statement) {
	for k, x := range s.said {
		g.at[x.stem] = int32(k + 1)
	}
	g.theirs = slices.Grow(g.theirs[:0], len(s.said))[:len(s.said)]
}

func (g *guarding) lookAway(s *statement) {
	for _, x := range s.said {
		g.at[x.stem] = 0
	}
}

var permits = []string{"may", "allowed", "permitted"}

// closest returns the sentence with most of the stems of s, if it has enough of them, and reports whether it
// contradicts s.
func (g *guarding) closest(s *statement, all []statement) (best *statement, bestTurned bool) {
	g.lookAt(s)
	defer g.lookAway(s)
	most := 0
	for i := range all {
		shared, turned := g.compare(s, &all[i])
		if shared > most || shared == most && shared > 0 && bestTurned && !turned {
			best, most, bestTurned = &all[i], shared, turned
		}
	}
	if float64(most) < alike*float64(len(s.said)) {
		return nil, false
	}
	return best, bestTurned
}

// contradicts reports whether s has an amount that other lacks, while other has one of the same unit that s lacks, or
// the same of an id.
func (s *statement) contradicts(other *statement) bool {
	for _, a := range s.amounts {
		if !contains(other.amounts, a) && other.hasOther(a, s.amounts) {
			return true
		}
	}
	return len(s.ids) > 0 && len(other.ids) > 0 &&
		!slices.ContainsFunc(s.ids, func(id string) bool { return slices.Contains(other.ids, id) })
}

// hasOther reports whether there is an unknown amount of the same unit as a, or of the same number. Numbers in words
// have to be of the same thing: "in two places" is no other count of copies.
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
