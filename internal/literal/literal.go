package literal

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	maxTexts       = 80 // largest number of texts that an expression is expanded to
	maxChars       = 8  // largest number of characters of a class that is expanded
	minBytes       = 2  // length of the shortest literal
	maxUsefulBytes = 9  // length in bytes from which on a longer literal is not more selective
	maxSets        = 4  // largest number of sets of one expression
)

// ranked returns those sets of an expression that a search can use, the most selective first, and at most maxSets.
// texts and sets are what expand returns for the expression.
func ranked(texts []string, sets [][]string) [][]string {
	if texts != nil {
		sets = [][]string{texts}
	}
	sets = slices.DeleteFunc(sets, func(set []string) bool { return shortest(set) < minBytes })
	slices.SortStableFunc(sets, func(a, b []string) int {
		return cmp.Or(cmp.Compare(shortest(b), shortest(a)), cmp.Compare(len(a), len(b)))
	})
	return sets[:min(len(sets), maxSets)]
}

// expand returns all texts that re can match or, if they are too many, sets of literals: every match contains a literal
// of each set. Both are nil if nothing is known of the matches.
func expand(re *syntax.Regexp) (texts []string, sets [][]string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}, nil
		}
	case syntax.OpCharClass:
		return characters(re.Rune), nil
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, nil
	case syntax.OpCapture:
		return expand(re.Sub[0])
	case syntax.OpQuest:
		if texts, _ = expand(re.Sub[0]); texts != nil {
			return append([]string{""}, texts...), nil
		}
	case syntax.OpPlus:
		return nil, ranked(expand(re.Sub[0]))
	case syntax.OpConcat:
		return expandSequence(re.Sub)
	case syntax.OpAlternate:
		return expandAlternatives(re.Sub)
	}
	return nil, nil
}

// characters returns the characters of a class, or nil if there are too many. bounds has the first and the last
// character of each range.
func characters(bounds []rune) (texts []string) {
	for i := 0; i < len(bounds); i += 2 {
		if len(texts)+int(bounds[i+1]-bounds[i]) >= maxChars {
			return nil
		}
		for c := bounds[i]; c <= bounds[i+1]; c++ {
			texts = append(texts, string(c))
		}
	}
	return texts
}

// expandSequence does the work of expand for expressions that follow each other. It joins the texts of neighbors while
// there are few.
func expandSequence(subs []*syntax.Regexp) (texts []string, sets [][]string) {
	texts = []string{""}
	for _, sub := range subs {
		next, more := expand(sub)
		if next != nil && len(texts)*len(next) <= maxTexts {
			var joined []string
			for _, head := range texts {
				for _, tail := range next {
					joined = append(joined, head+tail)
				}
			}
			texts = joined
			continue
		}
		if sets = append(append(sets, texts), more...); next == nil {
			next = []string{""}
		}
		texts = next
	}
	if sets == nil {
		return texts, nil
	}
	return nil, append(sets, texts)
}

// expandAlternatives does the work of expand for alternatives. It joins their first sets to one set, then their second
// ones, and so on. An alternative with fewer sets repeats its last one. If one has none, nothing is known.
func expandAlternatives(subs []*syntax.Regexp) (texts []string, sets [][]string) {
	var each [][][]string
	finite, most := true, 0
	for _, sub := range subs {
		all, parts := expand(sub)
		finite, texts = finite && all != nil, append(texts, all...)
		own := ranked(all, parts)
		each, most = append(each, own), max(most, len(own))
	}
	if finite && len(texts) <= maxTexts {
		return texts, nil
	}
	for i := range most {
		var joined []string
		for _, own := range each {
			if len(own) == 0 {
				return nil, nil
			}
			joined = append(joined, own[min(i, len(own)-1)]...)
		}
		sets = append(sets, joined)
	}
	return nil, sets
}

// shortest returns the length in bytes of the shortest literal of a set, and at most maxUsefulBytes. A mark alone
// counts as minBytes, because few texts have it.
func shortest(set []string) int {
	least := maxUsefulBytes
	for _, s := range set {
		n := len(s)
		if c, size := utf8.DecodeRuneInString(s); size == n && n == 1 && !unicode.IsLetter(c) && c != ' ' {
			n = minBytes
		}
		least = min(least, n)
	}
	return least
}
