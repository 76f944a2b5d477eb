package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// extent tells of how much a fact speaks.
type extent struct {
	wholes    termSet // the terms after a word such as "every", and words such as "everyone"
	isLimited bool    // the fact has a word such as "only" or "except"
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
func isPartial(r *reading, matches []termMatch) bool {
	begin, end := matches[0].from, matches[len(matches)-1].to
	first, last := r.p.SentenceWords(r.p.SentenceOf(begin))
	for i := max(first, begin-nearbyReach); i < min(last, end+nearbyReach); i++ {
		if isLimit(r, matches, i) {
			return true
		}
	}
	var part, whole termSet // the wholes of which a match speaks in part, and those of which one speaks as wholes
	for _, at := range matches {
		if at.to+1 < end && isOtherBound(r, at.to) {
			return true
		}
		if isPart(r, at.from) {
			part |= 1 << uint(at.term) // 0 for english.NoWord
		} else {
			whole |= 1 << uint(at.term)
		}
	}
	return r.wholes&part&^whole != 0
}

// isLimit reports whether the word at i, such as "except", begins a limit of a statement with these matches that the
// fact does not have.
func isLimit(r *reading, matches []termMatch, i int) bool {
	p := r.p
	in, word, own := p.Words[i].Clause, p.Words[i].Text, i+exceptionLength(p, i)
	clause := p.Clauses[in]
	holds := func(clause int32) bool {
		return slices.ContainsFunc(matches, func(at termMatch) bool { return p.Words[at.from].Clause == clause })
	}
	beside := func() bool { return holds(in-1) || holds(in+1) } // its clause adds to the one before it or behind it
	switch {
	case own > i:
		return (holds(in) || r.wholes != 0 && beside()) && (!r.isLimited || r.hasOtherWord(own, clause.Last))
	case r.isLimited:
		return false
	case onlyWords[word]:
		after := i+1 == clause.Last || prepositions[p.Words[i+1].Text]
		return (holds(in) || after && beside()) && isForOthers(r, i, clause)
	}
	return word == "the" && clause.Supposed && !holds(in)
}

// isOtherBound reports whether a bound that the fact does not have begins at the word at i: "over 50 euros".
func isOtherBound(r *reading, i int) bool {
	return boundWords[r.p.Words[i].Text] && r.p.Words[i+1].InAmount && r.hasOtherWord(i+1, i+2)
}

// exceptionLength returns the number of words from i on that begin an exception, such as "apart from", or 0. "Apart
// from that" begins none.
func exceptionLength(p *english.Text, i int) (n int) {
	isWhole := func(w english.Word) bool { return wholeWords[w.Text] }
	if word := p.Words[i].Text; exceptionWords[word] || butWords[word] && !p.HasMarkBefore(i) &&
		slices.ContainsFunc(p.Words[max(0, i-adjacentReach):i], isWhole) {
		n = 1
	}
	if _, length := exceptionPhrases.findGroups(p.Words, i); length > 0 {
		n = length
	}
	if i+n < len(p.Words) && p.Words[i+n].Text == "that" {
		return 0
	}
	return n
}

// isForOthers reports whether the "only" at i limits its clause to something that the fact does not mention: a
// condition behind the clause, or the next content word, or the word before the "only" if there is none.
func isForOthers(r *reading, i int, clause english.Clause) bool {
	if k := clause.Last; k < len(r.p.Words) && r.p.Clauses[r.p.Words[k].Clause].Supposed {
		return true
	}
	for k := i + 1; k < min(clause.Last, i+nearbyReach); k++ {
		if r.p.Words[k].InAmount || isContentWord(r.p, k) {
			return isOther(r, k)
		}
	}
	return i > 0 && isOther(r, i-1)
}

// isPart reports whether the words up to the word at i limit it to a part: "most plans", "premium plans", "half of all
// plans". A kind behind a whole does not, because it may be all there is: "all our current plans".
func isPart(r *reading, i int) bool {
	first := r.p.Clauses[r.p.Words[i].Clause].First
	part := i > first && isOther(r, i-1) && !articlesAndTitles[r.p.Words[i-1].Text]
	for k := i; k >= max(first, i-adjacentReach-1); k-- { // every one of our plans
		if wholeWords[r.p.Words[k].Text] {
			ofPart := k-1 > first && r.p.Words[k-1].Text == "of" && isPartWord(r.p, k-2)
			return ofPart || k > first && isPartWord(r.p, k-1)
		}
		part = part || isPartWord(r.p, k)
	}
	return part
}

// isPartWord reports whether the word at i limits what follows to a part, such as "most" or "99 %".
func isPartWord(p *english.Text, i int) bool {
	q := p.Words[i].Quantity
	return partWords[p.Words[i].Text] || q != nil && q.Unit == "percent" && q.Number != 100
}

// isOther reports whether the word at i is a content word that is neither an amount nor one of the fact's terms.
func isOther(r *reading, i int) bool { return !r.p.Words[i].InAmount && r.hasOtherWord(i, i+1) }
