package score

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// guardCap is the most that an answer scores by similarity whose words turn round what was expected.
const guardCap = 0.5

// Warnings of the guard.
const (
	WarnPolarity = "semantic_polarity"
	WarnNumbers  = "semantic_numbers"
)

// alike is the share of an expected sentence's terms that a sentence of the answer needs to have to be held against it.
const alike = 0.5

// guard compares the sentences of the expected answer with those of the answer that speak of the same: what the one
// affirms the other must not deny, must is not may, and amounts are equal. No measure of similarity sees these; "must"
// and "must not" share every word but one.
func guard(expected, answer *english.Text) (warnings []string) {
	polarity, numbers := false, false
	theirs := statements(answer)
	for _, s := range statements(expected) {
		other, ok := closest(s, theirs)
		if !ok {
			continue
		}
		polarity = polarity || s.turned(other) || s.duty*other.duty < 0
		numbers = numbers || s.contradicts(other)
	}
	if polarity {
		warnings = append(warnings, WarnPolarity)
	}
	if numbers {
		warnings = append(warnings, WarnNumbers)
	}
	return warnings
}

// statement is a sentence reduced to what the guard compares.
type statement struct {
	stems   []string      // with content, each once
	said    map[string]by // by stem
	duty    int           // 1 must, -1 may
	amounts []counted
	ids     []string   // 5.9.3
	denied  [][]string // of each clause that denies, the stems
}

// counted is an amount with the stem of the word behind it, which is what a bare number counts.
type counted struct {
	english.Amount
	what string
}

// by tells whether a word is affirmed, denied, or both.
type by struct{ affirmed, denied bool }

// turned reports that more than half of the words which two statements share are affirmed by the one and denied by the
// other; that half are, and other keeps none of the denials of s; or that a clause denies nothing but what the other affirms.
func (s statement) turned(other statement) bool {
	turns, shared, lost, kept := 0, 0, false, false
	for _, stem := range s.stems {
		a, b := s.said[stem], other.said[stem]
		if b == (by{}) {
			continue
		}
		shared++
		kept = kept || a.denied && b.denied
		if a.affirmed != b.affirmed && a.denied != b.denied {
			turns++
			lost = lost || a.denied
		}
	}
	return turns > 0 && (2*turns > shared || 2*turns == shared && lost && !kept) || s.contraries(other) || other.contraries(s)
}

// contraries reports a clause that denies nothing but what the other statement affirms: "but not tested".
func (s statement) contraries(other statement) bool {
	return slices.ContainsFunc(s.denied, func(stems []string) bool {
		return !slices.ContainsFunc(stems, func(stem string) bool { return other.said[stem] != by{affirmed: true} || s.said[stem].affirmed })
	})
}

// comparedSentences bounds the sentences of a text that are compared, so that long answers stay cheap.
const comparedSentences = 64

func statements(p *english.Text) []statement {
	var out []statement
	last := int32(english.NoWord)
	for _, c := range p.Clauses {
		if c.Sentence != last {
			if len(out) == comparedSentences {
				break
			}
			out = append(out, statement{said: map[string]by{}})
			last = c.Sentence
		}
		out[len(out)-1].add(p, c)
	}
	return out
}

func (s *statement) add(p *english.Text, c english.Clause) {
	before := len(s.stems)
	for i := c.First; i < c.Last; i++ {
		w := p.Words[i]
		switch {
		case w.Quantity != nil:
			s.amounts = append(s.amounts, counted{*w.Quantity, p.StemAt(w.Quantity.Last + 1)})
		case w.Digits && !w.Amount:
			s.ids = append(s.ids, w.Text)
		case w.Is(english.IsDuty) && !w.Negative:
			s.duty = 1
		case (permitting[w.Text] || w.Is(english.IsDuty)) && s.duty == 0 && !c.Negative():
			s.duty = -1
		case p.Content(i) && !w.Amount:
			s.say(w.Stem, p.Denies(i))
		}
	}
	if c.Negative() && len(s.stems) > before {
		s.denied = append(s.denied, s.stems[before:len(s.stems):len(s.stems)])
	}
}

func (s *statement) say(stem string, denied bool) {
	b, known := s.said[stem]
	if !known {
		s.stems = append(s.stems, stem)
	}
	if denied {
		b.denied = true
	} else {
		b.affirmed = true
	}
	s.said[stem] = b
}

var permitting = english.Set("may allowed permitted")

// closest finds the sentence that has most of the terms of s, if it has enough of them.
func closest(s statement, all []statement) (best statement, ok bool) {
	most := 0
	for _, other := range all {
		shared := 0
		for _, stem := range s.stems {
			if _, ok := other.said[stem]; ok {
				shared++
			}
		}
		if shared > most || shared == most && shared > 0 && s.turned(best) && !s.turned(other) {
			best, most = other, shared
		}
	}
	return best, most > 0 && float64(most) >= alike*float64(len(s.stems))
}

// contradicts reports an amount of s that other lacks, where other has one of the same unit that s lacks; or so an id.
func (s statement) contradicts(other statement) bool {
	for _, a := range s.amounts {
		if !contains(other.amounts, a) && other.hasOther(a, s.amounts) {
			return true
		}
	}
	return len(s.ids) > 0 && len(other.ids) > 0 && !overlap(s.ids, other.ids)
}

// hasOther reports an amount that counts what a does and is not known. Numbers in words have to be of the same thing.
func (s statement) hasOther(a counted, known []counted) bool {
	for _, b := range s.amounts {
		alike := kind(a.Unit) == kind(b.Unit) || a.Bare == b.Bare && a.Unit != "" && b.Unit != ""
		if alike && (a.Exact && b.Exact || a.what == b.what) && !contains(known, b) {
			return true
		}
	}
	return false
}

// kind is equal for units that answer the same question: months and seconds both say how long.
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

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}
