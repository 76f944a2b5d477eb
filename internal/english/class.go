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
	for c, sets := range map[Class][]map[string]bool{
		IsFunction: {FunctionWords}, isAuxiliary: {auxiliaries}, isForward: {forward}, isOpening: {opening}, IsHedge: {hedging},
		isClausal: {clauseWords}, isReason: {reasonGiving}, isResuming: {resuming}, IsDuty: {obliging}, IsClauseNoun: {clauseNouns},
		IsDenier: {Denying, questioning, Untruths, ceasing,
			Set("no fail fails failed failing instead opposed contrary short opposite other rather myth misconception far anything mistake against")},
		isReporter: {reporters, Claims, opinions, doubted, accusing, wishing, rumours}, isSaying: {saying}, IsComparison: {lessers, greater},
		isCounting: {Set("a an half noon midday midnight")}, isPast: {Set("was were would")}, isFrom: {Set("from")}, isFreeing: {Set("free")}, isCharging: {charging},
		isJoining: {Set("is are was were be been has have had will would shall should must of to and or that which than with from by for the")},
		isFormer:  {Set("until till formerly previously originally used past")},
		isJudging: {Untruths, slips, Truths, Proofs, backAdverbs, Set("myth misconception not no never")}, isBacking: {takeBacks, backward, refuted, Set("i no")},
	} {
		for _, words := range sets {
			join(m, c, words)
		}
	}
	for _, phrase := range retractions {
		m[phrase[0]] |= isBacking
	}
	join(m, isNumeral|isCounting, spelt)
	join(m, isCounting, months)
	join(m, isContraction, contractions)
	join(m, isDenied, denied)
	join(m, isBritish, british)
	join(m, isIrregular, irregular)
	join(m, IsNominal, nominal)
	join(m, isOrdinal, ordinals)
	join(m, IsSpan, rates)
	return m
}()

func join[V any](m map[string]Class, c Class, words map[string]V) {
	for w := range words {
		m[w] |= c
	}
}
