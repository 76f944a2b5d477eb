package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// extent tells of how much a fact speaks.
type extent struct {
	wholes    uint64 // the terms after a word such as "every"
	isLimited bool   // the fact has a word such as "only" or "except"
}

func newExtent(f *frame) (e extent) {
	words, next := f.text.Words, english.NoWord // next is the term behind the word at i and articles
	for i := len(words) - 1; i >= 0; i-- {
		word, almost := words[i].Text, i > 0 && partWords[words[i-1].Text]
		if wholeWords[word] && !almost && next != english.NoWord {
			e.wholes |= 1 << next
		}
		if !articlesAndTitles[word] {
			next = f.termOf[i]
		}
		e.isLimited = e.isLimited || onlyWords[word] || exceptionWords[word]
	}
	return e
}

// isPartial reports whether a statement with these matches holds only of a part of what the fact is about: "only new
// employees", "most plans", "every day except Sunday", "if the reform is passed". If the fact has a limit of its own,
// only the words before its wholes are looked at.
func isPartial(f *frame, p *english.Text, matches []termMatch) bool {
	begin, end := matches[0].from, matches[len(matches)-1].to
	first, last := p.SentenceWords(p.SentenceOf(begin))
	first, last = max(first, begin-nearbyReach), min(last, end+nearbyReach)
	for i := first; i < last && !f.isLimited; i++ {
		clause := p.Clauses[p.Words[i].Clause]
		inClause := func(at termMatch) bool { return at.from >= clause.First && at.from < clause.Last }
		holds := func() bool { return slices.ContainsFunc(matches, inClause) }
		switch word := p.Words[i].Text; {
		case onlyWords[word] && isForOthers(f, p, i, clause) && holds(),
			exceptionWords[word] && begin < i && (f.wholes != 0 || holds()),
			word == "the" && i == clause.First+1 && clause.Supposed && !holds():
			return true
		}
	}
	inPart := func(at termMatch) bool {
		return at.term != english.NoWord && f.wholes&(1<<at.term) != 0 && isPart(f, p, at.from)
	}
	return slices.ContainsFunc(matches, func(at termMatch) bool {
		inWhole := func(other termMatch) bool { return other.term == at.term && !inPart(other) }
		return inPart(at) && !slices.ContainsFunc(matches, inWhole)
	})
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

// isPart reports whether the words up to the word at i limit it to a part: "most plans", "premium plans", but not "all
// premium plans".
func isPart(f *frame, p *english.Text, i int) (part bool) {
	for k := i; k >= max(p.Clauses[p.Words[i].Clause].First, i-adjacentReach); k-- {
		word := p.Words[k].Text
		if wholeWords[word] {
			return k > 0 && partWords[p.Words[k-1].Text]
		}
		part = part || partWords[word] || k == i-1 && isOther(f, p, k)
	}
	return part
}

// isOther reports whether the word at i is a content word that is neither an amount nor one of the fact's terms.
func isOther(f *frame, p *english.Text, i int) bool {
	return !p.Words[i].InAmount && hasOtherWord(f, p, i, i+1)
}
