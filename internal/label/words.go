package label

import (
	_ "embed" // the lists

	"github.com/failproof/failproof/internal/english"
)

//go:embed words.txt
var wordsFile string

// lists are the lists of words by their names, with those of the language. The rows of tables and the code use them.
var lists = english.ReadLists(wordsFile, english.WordLists)

var wordsOf = lists.Set

// Lists of words that the code uses.
var (
	absences, asides, being            = wordsOf("absences"), wordsOf("asides"), wordsOf("being")
	conditional, conjoining, contrasts = wordsOf("conditional"), wordsOf("conjoining"), wordsOf("contrasts")
	dividers, done, excepting          = wordsOf("dividers"), wordsOf("done"), wordsOf("excepting")
	heads, ignorance, ignorant         = wordsOf("heads"), wordsOf("ignorance"), wordsOf("ignorant")
	instead, joiners, labelNegations   = wordsOf("instead"), wordsOf("joiners"), wordsOf("labelNegations")
	links, makes, openings             = wordsOf("links"), wordsOf("makes"), wordsOf("openings")
	seconds, shares, short             = wordsOf("seconds"), wordsOf("shares"), wordsOf("short")
	verbDenials                        = wordsOf("verbDenials")
)

var (
	// lemmas maps inflections of words that are frequent in labels to one form.
	lemmas = lists.Heads("lemmas")
	// opposites maps labels to others that deny them if a case allows only these two.
	opposites = lists.Heads("opposites")
)

// Tables that the code uses.
var (
	bare, before, byItself         = tableOf("bare"), tableOf("before"), tableOf("byItself")
	conclusions, cues, earlier     = tableOf("conclusions"), tableOf("cues"), tableOf("earlier")
	formulas, frames, governs      = tableOf("formulas"), tableOf("frames"), tableOf("governs")
	hedging, keys, letterByItself  = tableOf("hedging"), tableOf("keys"), tableOf("letterByItself")
	lines, marks, optionTaken      = tableOf("lines"), tableOf("marks"), tableOf("optionTaken")
	otherSenses, others, pairs     = tableOf("otherSenses"), tableOf("others"), tableOf("pairs")
	predicates, ratings, scaleEnds = tableOf("predicates"), tableOf("ratings"), tableOf("scaleEnds")
	sides, speakers, statements    = tableOf("sides"), tableOf("speakers"), tableOf("statements")
	subjects, tenses, undecided    = tableOf("subjects"), tableOf("tenses"), tableOf("undecided")
)
