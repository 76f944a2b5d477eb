package english

import "strings"

// NoWord is the index that means no word.
const NoWord = -1

// Class is a bit set of the kinds of a word.
type Class uint32

const (
	IsFunction    Class = 1 << iota // no content of its own
	isAuxiliary                     // is, has, must
	isForward                       // denies what follows it: no, without
	IsDenier                        // may deny its clause
	isOpening                       // if, whether
	IsHedge                         // may, depends
	isClausal                       // begins a clause: but, because
	isReporter                      // claims, alleged
	isResuming                      // it, they: begins a statement
	IsDuty                          // must, required
	IsClauseNoun                    // section, article: a number follows
	isNumeral                       // a number spelt out
	isContraction                   // written without its apostrophe: cannot
	isDenied                        // denies another word: ineligible
	IsComparison                    // more, less, later
	isCounting                      // an amount may begin with it: two, half, a
	// set by the lexer on a word that denies its base, such as noncompliant; the word has the classes of the base too
	isNegation
	isJoining   // neither ends nor begins a line of its own: are, of
	isPast      // was, were, would
	isFormer    // says that a past has ended: until, formerly
	isJudging   // may stand in a judgement of what was said before: false, mistake, indeed
	isIrregular // the past of a verb: paid
	// shares the stem of another word: the past of a verb (paid), a noun made of another word (payment), an ordinal
	// (third, which is 3rd), a span that may say how often (month, which is monthly)
	sharesStem
	isWaived  // a charge that is denied, to say that something is free
	isSaying  // says, told: leads into what somebody says
	isBacking // may begin a retraction: actually, that, scratch
	isReason  // begins a clause with the reason for the clause before it: given
)

// Is reports whether the word is of any of the classes.
func (w *Word) Is(c Class) bool { return w.Class&c != 0 }

// IsPastForm reports whether the word has the form of a verb's past.
func (w *Word) IsPastForm() bool { return w.Is(isIrregular) || strings.HasSuffix(w.Text, "ed") }

// lexicon maps each word that has a class to all its classes.
var lexicon = func() map[string]Class {
	m := map[string]Class{}
	for c, list := range map[Class]string{IsFunction: "function", isAuxiliary: "auxiliaries", isForward: "forward",
		isOpening: "conditionWords", IsHedge: "hedging", isClausal: "clauseWords", isResuming: "resuming",
		IsDuty: "obliging", IsClauseNoun: "clauseNouns", IsDenier: "deniers", isReporter: "reporters",
		isSaying: "saying", IsComparison: "comparisons", isCounting: "counting", isPast: "pastAuxiliaries",
		isJoining: "lineJoiners", isFormer: "formerWords", isJudging: "judging",
		isBacking: "backing", isReason: "reasonGiving"} {
		join(m, c, setOf(list))
	}
	for _, phrase := range retractions {
		m[phrase[0]] |= isBacking
	}
	join(m, IsDenier, denyingWith)
	join(m, isNumeral|isCounting, spelt)
	join(m, isCounting, numbersOf["m"])
	join(m, isContraction, contractions)
	join(m, isDenied, denied)
	join(m, isIrregular, irregular)
	join(m, sharesStem, sharedStems)
	return m
}()

func join[V any](m map[string]Class, c Class, words map[string]V) {
	for w := range words {
		m[w] |= c
	}
}

func parts(word string) []string {
	if p, ok := contractions[word]; ok {
		return p
	}
	stem, ending, _ := strings.Cut(word, "'")
	switch {
	case ending == "t" && strings.HasSuffix(stem, "n"):
		return []string{strings.TrimSuffix(stem, "n"), "not"}
	case ending == "s" && subject[stem]:
		return []string{stem, "is"}
	case ending == "re":
		return []string{stem, "are"}
	}
	return []string{stem}
}
