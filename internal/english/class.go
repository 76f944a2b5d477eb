package english

import "strings"

// Class is what a word is; it may be of several.
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
	isBritish                       // spelt otherwise in America: centre
	isCounting                      // an amount may begin with it: two, half, a
	isReason                        // begins a clause with a reason: given, due
	isNegation                      // of no word of the lexicon: one that denies its base, whose classes it has: noncompliant
	isJoining                       // neither ends nor begins a line of its own: are, of
	isPast                          // was, were, would
	isFormer                        // says of a past that it ended, with was: until, formerly
	isFrom                          // from
	isJudging                       // may stand in a judgement of what was said before: false, mistake, indeed
	isIrregular                     // the past of a verb: paid
	IsNominal                       // a noun made of a verb or an adjective: payment
	isOrdinal                       // third, which is 3rd
	IsSpan                          // month, which may say how often
	isFreeing                       // free, which may deny what it is free of
	isCharging                      // a charge, which may be denied to say that something is free
	isSaying                        // says, told: leads into what somebody says
	isBacking                       // may begin what takes something back: actually, that, scratch
)

// Is reports a word of any of the classes.
func (w *Word) Is(c Class) bool { return w.Class&c != 0 }

// Past reports a word with the form of a verb's past.
func (w *Word) Past() bool { return w.Is(isIrregular) || strings.HasSuffix(w.Text, "ed") }

// lexicon holds the class of every word that has one.
var lexicon = func() map[string]Class {
	m := map[string]Class{}
	for c, words := range map[Class]map[string]bool{
		IsFunction: FunctionWords, isAuxiliary: auxiliaries, isForward: forward, isOpening: opening, IsHedge: hedging,
		isClausal: clauseWords, isReason: reasonGiving, isResuming: resuming, IsDuty: obliging, IsClauseNoun: clauseNouns,
	} {
		join(m, c, words)
	}
	for _, words := range []map[string]bool{Denying, questioning, Untruths, ceasing, Set("no fail fails failed failing instead opposed contrary short opposite other rather myth misconception far anything mistake against")} {
		join(m, IsDenier, words)
	}
	join(m, isReporter, reporters)
	join(m, isReporter, Claims)
	join(m, isReporter, opinions)
	join(m, isReporter, doubted)
	join(m, isReporter, accusing)
	join(m, isReporter, wishing)
	join(m, isReporter, rumours)
	join(m, isSaying, saying)
	join(m, IsComparison, lessers)
	join(m, IsComparison, greater)
	join(m, isNumeral, spelt)
	join(m, isCounting, spelt)
	join(m, isCounting, Set("a an half noon midday midnight"))
	join(m, isCounting, months)
	join(m, isJoining, Set("is are was were be been has have had will would shall should must of to and or that which than with from by for the"))
	join(m, isPast, Set("was were would"))
	join(m, isFrom, Set("from"))
	join(m, isFormer, Set("until till formerly previously originally used past"))
	for _, words := range []map[string]bool{Untruths, slips, Truths, Proofs, backAdverbs, Set("myth misconception not no never")} {
		join(m, isJudging, words)
	}
	for _, words := range []map[string]bool{takeBacks, backward, refuted, Set("i no")} {
		join(m, isBacking, words)
	}
	for _, phrase := range retractions {
		m[phrase[0]] |= isBacking
	}
	join(m, isContraction, contractions)
	join(m, isDenied, denied)
	join(m, isBritish, british)
	join(m, isIrregular, irregular)
	join(m, IsNominal, nominal)
	join(m, isOrdinal, ordinals)
	join(m, IsSpan, rates)
	join(m, isCharging, charging)
	join(m, isFreeing, Set("free"))
	return m
}()

func join[V any](m map[string]Class, c Class, words map[string]V) {
	for w := range words {
		m[w] |= c
	}
}
