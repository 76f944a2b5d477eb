package story

import (
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// namesOrCount returns the ids of cases in a sentence or, if there are more than maxStepNames, their number.
func namesOrCount(ids []string) show.Phrase {
	if len(ids) > maxStepNames {
		return show.LiteralPhrase(show.Count(len(ids), "case"))
	}
	return quotedList(ids)
}

// quotedList returns quoted names as in a sentence: “a”, “b” and “c”. It counts those beyond maxCaseNames; see
// text.Named.
func quotedList(names []string) show.Phrase {
	if text.Named(len(names), maxCaseNames) < len(names) {
		return show.JoinFirst(maxCaseNames, ", ", " and ", show.MapPhrases(names, func(name string) show.Phrase { return show.Phrase{show.Quote(name)} }))
	}
	return joinList(names, "and", func(name string) show.Phrase { return show.Phrase{show.Quote(name)} })
}

// joinList returns write(element) for all elements, as in a sentence: with commas, and the conjunction before the last.
func joinList[T any](all []T, conjunction string, write func(T) show.Phrase) (p show.Phrase) {
	for i, one := range all {
		if i > 0 {
			p = append(p, show.Literal(show.If(i == len(all)-1, " "+conjunction+" ", ", ")))
		}
		p = append(p, write(one)...)
	}
	return p
}
