package risk

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// A needle is a literal of a pattern; every match contains one of the pattern's needles. Looking for them first costs a
// hundredth of trying the pattern, and changes no judgement.
const (
	needleMin  = 2   // bytes; shorter ones stand in every text
	needleMost = 400 // of a pattern
)

// needlesOf returns the needles of a pattern, none if its matches have nothing in common.
func needlesOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needlesOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needlesOf(re.Sub[0])
		}
	case syntax.OpConcat:
		return bestNeedles(re.Sub)
	case syntax.OpAlternate:
		return allNeedles(re.Sub)
	}
	return nil
}

// bestNeedles picks the part of a sequence whose shortest needle is the longest.
func bestNeedles(parts []*syntax.Regexp) (best []string) {
	for _, part := range parts {
		if found := needlesOf(part); shortest(found) > shortest(best) {
			best = found
		}
	}
	return best
}

// allNeedles joins those of alternatives; one without any leaves none.
func allNeedles(parts []*syntax.Regexp) (all []string) {
	for _, part := range parts {
		found := needlesOf(part)
		if shortest(found) < needleMin {
			return nil
		}
		all = append(all, found...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > needleMost {
		return nil
	}
	return all
}

func shortest(needles []string) int {
	if len(needles) == 0 {
		return 0
	}
	return len(slices.MinFunc(needles, func(a, b string) int { return len(a) - len(b) }))
}

// holdsAny reports whether one of the needles is in the text; with none to look for, it may be.
func holdsAny(s string, needles []string) bool {
	return len(needles) == 0 || slices.ContainsFunc(needles, func(n string) bool { return strings.Contains(s, n) })
}
