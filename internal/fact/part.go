package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// extent tells of how much a fact speaks.
type extent struct {
	wholes    uint64 // the terms after a word such as "every", and words such as "everyone"
	isLimited bool   // the fact has a word such as "only" or "except"
}

func newExtent(f *frame) (e extent) {
	words, next := f.text.Words, english.NoWord // next is the term behind the word at i and articles
	for i := len(words) - 1; i >= 0; i-- {
		word, almost := words[i].Text, i > 0 && partWords[words[i-1].Text]
		if wholeWords[word] && !almost {
			e.wholes |= 1<<uint(next) | 1<<uint(f.termOf[i]) // 0 for english.NoWord
		}
		if !articlesAndTitles[word] {
			next = f.termOf[i]
		}
		e.isLimited = e.isLimited || onlyWords[word] || exceptionLength(f.text, i) > 0
	}
	return e
}

// isPartial reports whether a statement with these matches holds only of a part of what the fact is about: "only new
// employees", "most plans", "every day except Sunday". If the fact has a limit of its own, only other exceptions and
// the words before its wholes are looked at. An exception in another clause limits only a fact about all.
func isPartial(f *frame, p *english.Text, matches []termMatch) bool {
	begin, end := matches[0].from, matches[len(matches)-1].to
	first, last := p.SentenceWords(p.SentenceOf(begin))
	for i := max(first, begin-nearbyReach); i < min(last, end+nearbyReach); i++ {
		if isLimit(f, p, matches, i) {
			return true
		}
	}
	inPart := func(at termMatch) bool {
		ofWhole := f.wholes&(1<<uint(at.term)) != 0
		return ofWhole && isPart(f, p, at.from) || at.to+1 < end && isOtherBound(f, p, at.to)
	}
	return slices.ContainsFunc(matches, func(at termMatch) bool {
		inWhole := func(other termMatch) bool { return other.term == at.term && !inPart(other) }
		return inPart(at) && !slices.ContainsFunc(matches, inWhole)
	})
}

// isLimit reports whether the word at i, such as "except", begins a limit of a statement with these matches that the
// fact does not have.
func isLimit(f *frame, p *english.Text, matches []termMatch, i int) bool {
	in, word, own := p.Words[i].Clause, p.Words[i].Text, i+exceptionLength(p, i)
	clause := p.Clauses[in]
	holds := func(clause int32) bool {
		return slices.ContainsFunc(matches, func(at termMatch) bool { return p.Words[at.from].Clause == clause })
	}
	beside := func() bool { return holds(in-1) || holds(in+1) } // its clause adds to the one before it or behind it
	switch {
	case own > i:
		return (holds(in) || f.wholes != 0 && beside()) && (!f.isLimited || hasOtherWord(f, p, own, clause.Last))
	case f.isLimited:
		return false
	case onlyWords[word]:
		after := i+1 == clause.Last || prepositions[p.Words[i+1].Text]
		return (holds(in) || after && beside()) && isForOthers(f, p, i, clause)
	}
	return word == "the" && clause.Supposed && !holds(in)
}

// isOtherBound reports whether a bound that the fact does not have begins at the word at i: "over 50 euros".
func isOtherBound(f *frame, p *english.Text, i int) bool {
	return boundWords[p.Words[i].Text] && p.Words[i+1].InAmount && hasOtherWord(f, p, i+1, i+2)
}

// exceptionLength returns the number of words from i on that begin an exception, such as "apart from", or 0. "Apart
// from that" begins none.
func exceptionLength(p *english.Text, i int) (n int) {
	isWhole := func(w english.Word) bool { return wholeWords[w.Text] }
	if word := p.Words[i].Text; exceptionWords[word] || butWords[word] && !p.HasMarkBefore(i) &&
		slices.ContainsFunc(p.Words[max(0, i-adjacentReach):i], isWhole) {
		n = 1
	}
	for _, phrase := range exceptionPhrases {
		if hasStemsAt(p.Words, i, phrase) {
			n = len(phrase)
		}
	}
	if i+n < len(p.Words) && p.Words[i+n].Text == "that" {
		return 0
	}
	return n
}

// isTakenOut reports whether words that begin an exception stand before the word at i in its clause.
func isTakenOut(p *english.Text, i int) bool {
	first := max(p.Clauses[p.Words[i].Clause].First, i-nearbyReach)
	for i > first && exceptionLength(p, i) == 0 {
		i--
	}
	return exceptionLength(p, i) > 0
}

// isForOthers reports whether the "only" at i limits its clause to something that the fact does not mention: a
// condition behind the clause, or the next content word, or the word before the "only" if there is none.
func isForOthers(f *frame, p *english.Text, i int, clause english.Clause) bool {
	if k := clause.Last; k < len(p.Words) && !isBoundary(p, k) && p.Clauses[p.Words[k].Clause].Supposed {
		return true
	}
	for k := i + 1; k < min(clause.Last, i+nearbyReach); k++ {
		if p.Words[k].InAmount || isContentWord(p, k) {
			return isOther(f, p, k)
		}
	}
	return i > 0 && isOther(f, p, i-1)
}

// isPart reports whether the words up to the word at i limit it to a part: "most plans", "premium plans", "half of all
// plans". A kind behind a whole does not, because it may be all there is: "all our current plans".
func isPart(f *frame, p *english.Text, i int) bool {
	first := p.Clauses[p.Words[i].Clause].First
	part := i > first && isOther(f, p, i-1) && !articlesAndTitles[p.Words[i-1].Text]
	for k := i; k >= max(first, i-adjacentReach-1); k-- { // every one of our plans
		if wholeWords[p.Words[k].Text] {
			ofPart := k-1 > first && p.Words[k-1].Text == "of" && isPartWord(p, k-2)
			return ofPart || k > first && isPartWord(p, k-1)
		}
		part = part || isPartWord(p, k)
	}
	return part
}

// isPartWord reports whether the word at i limits what follows to a part, such as "most" or "99 %".
func isPartWord(p *english.Text, i int) bool {
	q := p.Words[i].Quantity
	return partWords[p.Words[i].Text] || q != nil && q.Unit == "percent" && q.Number != 100
}

// isOther reports whether the word at i is a content word that is neither an amount nor one of the fact's terms.
func isOther(f *frame, p *english.Text, i int) bool {
	return !p.Words[i].InAmount && hasOtherWord(f, p, i, i+1)
}
