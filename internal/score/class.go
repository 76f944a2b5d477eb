package score

// class is what a word is for the reader of prose; a word may be of several.
type class uint32

const (
	isFunction    class = 1 << iota // no content of its own
	isAuxiliary                     // is, has, must
	isForward                       // denies what follows it: no, without
	isDenier                        // may deny its clause
	isOpening                       // if, whether
	isHedge                         // may, depends
	isClausal                       // begins a clause: but, because
	isReporter                      // claims, alleged
	isResuming                      // it, they: begins a statement
	isDuty                          // must, required
	isClauseNoun                    // section, article: a number follows
	isNumeral                       // a number spelt out
	isContraction                   // written without its apostrophe: cannot
	isDenied                        // denies another word: ineligible
	isComparison                    // more, less, later
	isBritish                       // spelt otherwise in America: centre
	isCounting                      // an amount may begin with it: two, half, a
)

func (w word) is(c class) bool { return w.class&c != 0 }

// lexicon holds the class of every word that has one.
var lexicon = func() map[string]class {
	m := map[string]class{}
	for c, words := range map[class]map[string]bool{
		isFunction: functionWords, isAuxiliary: auxiliaries, isForward: forward, isOpening: opening, isHedge: hedging,
		isClausal: clauseWords, isResuming: resuming, isDuty: obliging, isClauseNoun: clauseNouns,
	} {
		join(m, c, words)
	}
	for _, words := range []map[string]bool{denying, questioning, untruths, ceasing, set("no fail fails failed failing instead opposed contrary short opposite other rather myth misconception far anything mistake")} {
		join(m, isDenier, words)
	}
	join(m, isReporter, reporters)
	join(m, isReporter, claims)
	join(m, isReporter, opinions)
	join(m, isComparison, lessers)
	join(m, isComparison, greater)
	join(m, isNumeral, spelt)
	join(m, isCounting, spelt)
	join(m, isCounting, set("a an half"))
	join(m, isContraction, contractions)
	join(m, isDenied, denied)
	join(m, isBritish, british)
	return m
}()

func join[V any](m map[string]class, c class, words map[string]V) {
	for w := range words {
		m[w] |= c
	}
}
