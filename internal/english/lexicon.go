package english

import "strings"

var (
	Claims    = Set("claims claim claimed claiming alleges alleged purports frames framed phrases phrased")
	Truths    = Set("case true correct right accurate")
	notOnly   = Set("only just merely simply solely surprisingly unlike")
	Proofs    = Set("evidence indication reason basis proof sign way grounds")
	Untruths  = Set("false wrong incorrect untrue inaccurate unconfirmed unverified unproven unfounded")
	Auxiliary = Set("does do did is are was were has have will can must should")
	// clauseNouns are words before the number of a clause.
	clauseNouns = Set("clause clauses section sections article articles paragraph paragraphs para rule regulation " +
		"annex schedule chapter part subsection sec art")
	// obliging are words that state an obligation.
	obliging     = Set("must shall required mandatory obliged obligated obligatory")
	VerdictNouns = Set(`answer verdict conclusion label classification decision determination assessment judgment judgement
		ruling prediction result status finding outcome category rating response opinion boxed overall final`)
	// FunctionWords carry no content of their own.
	FunctionWords = Set(`non a an the this that these those it its they them their he she his her we us our you your i my me one
	and or but nor so as than then if whether while when where who whom which whose what how why because since until
	of to in on at by for with from into onto over under about between within during through per via against upon across after before
	is are was were be been being am do does did doing has have had having will would shall should can could may might must
	not no never also only just very too quite both each every any some all such same other another more most less least much many few
	there here up down out off again further once own s t re ve d ll v eg ie etc let been ought`)
)

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
	IsNominal   // a noun made of a verb or an adjective: payment
	isOrdinal   // third, which is 3rd
	IsSpan      // month, which may say how often
	isCharging  // a charge, which may be denied to say that something is free
	isSaying    // says, told: leads into what somebody says
	isBacking   // may begin a retraction: actually, that, scratch
)

// Is reports whether the word is of any of the classes.
func (w *Word) Is(c Class) bool { return w.Class&c != 0 }

// IsPastForm reports whether the word has the form of a verb's past.
func (w *Word) IsPastForm() bool { return w.Is(isIrregular) || strings.HasSuffix(w.Text, "ed") }

// lexicon maps each word that has a class to all its classes.
var lexicon = func() map[string]Class {
	m := map[string]Class{}
	for c, sets := range map[Class][]map[string]bool{
		IsFunction: {FunctionWords}, isAuxiliary: {auxiliaries}, isForward: {forward},
		isOpening: {conditionWords}, IsHedge: {hedging},
		isClausal: {clauseWords}, isResuming: {resuming}, IsDuty: {obliging}, IsClauseNoun: {clauseNouns},
		IsDenier: {DenyingWords, Untruths, ceasing,
			Set("no myth misconception against")},
		isReporter: {Claims, doubted}, isSaying: {saying}, IsComparison: {upward, downward},
		isCounting: {Set("a an half noon midday midnight")}, isPast: {Set("was were would")}, isCharging: {charging},
		isJoining: {Set("is are was were be been has have had will would shall should must of to and or that which " +
			"than with from by for the")},
		isFormer:  {Set("until till formerly previously originally used")},
		isJudging: {Untruths, slips, Truths, Proofs, backAdverbs, Set("myth misconception not no never")},
		isBacking: {takeBacks, backward, refuted, Set("i no")},
	} {
		for _, words := range sets {
			join(m, c, words)
		}
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

var contractions = map[string][]string{
	"can't": {"can", "not"}, "won't": {"will", "not"}, "shan't": {"shall", "not"}, "cannot": {"can", "not"},
	"ain't": {"is", "not"}, "isnt": {"is", "not"}, "doesnt": {"does", "not"}, "dont": {"do", "not"},
	"arent": {"are", "not"}, "wasnt": {"was", "not"}, "cant": {"can", "not"}, "let's": {"let", "us"},
	"inapplicable": {"not", "applicable"}, "aren": {"are"},
}

func parts(word string) []string {
	if p, ok := contractions[word]; ok {
		return p
	}
	stem, ending, found := strings.Cut(word, "'")
	switch {
	case !found:
		return []string{word}
	case ending == "t" && strings.HasSuffix(stem, "n"):
		return []string{strings.TrimSuffix(stem, "n"), "not"}
	case ending == "s" && subject[stem]:
		return []string{stem, "is"}
	case ending == "re":
		return []string{stem, "are"}
	}
	return []string{stem}
}

var subject = Set("it that this he she there here what who vendor answer verdict conclusion label system")

// shortened are words whose full stop ends no sentence: Dr., Prof.
var shortened = Set("mr mrs ms dr prof st g")

// clauseWords are words that begin a clause of their own.
var clauseWords = Set("but however although though while whereas because since unless yet")

// Set returns the set of the words in the given string, which white space separates.
func Set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// CommonWords are the commonest words of English, grouped by the approximate share of sentences that contain them.
var CommonWords = []struct {
	Share float64
	Words string
}{
	{0.6, "the"},
	{0.4, "a of to in and"},
	{0.25, "is for on with are"},
	{0.15, "be that it as by this an or from at was not have has will can you"},
	{0.08, `its which their they we he his were been but must may should if when all other more one two than any no there about into
		after also such who do does would could your our she her him them what out up over under only being had did i my me us then so`},
	{0.04, `these those some each how where while because before between through during within without both same new time people year use used
		first man woman make made get take part per day case need work most many said says three four just like very even back well
		way own off down here now again against until upon yes via etc`},
}
