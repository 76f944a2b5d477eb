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
	absences, being, conditional     = wordsOf("absences"), wordsOf("being"), wordsOf("conditional")
	contrasts, dividers, done        = wordsOf("contrasts"), wordsOf("dividers"), wordsOf("done")
	heads, ignorance, ignorant       = wordsOf("heads"), wordsOf("ignorance"), wordsOf("ignorant")
	instead, joiners, labelNegations = wordsOf("instead"), wordsOf("joiners"), wordsOf("labelNegations")
	links, makes, openings           = wordsOf("links"), wordsOf("makes"), wordsOf("openings")
	seconds, shares, short           = wordsOf("seconds"), wordsOf("shares"), wordsOf("short")
	verbDenials                      = wordsOf("verbDenials")
)

var (
	// lemmas maps inflections of words that are frequent in labels to one form.
	lemmas = lists.Heads("lemmas")
	// opposites maps labels to others that deny them if a case allows only these two.
	opposites = lists.Heads("opposites")
)

// Tables that the code uses.
var (
	bare, before, besides             = tableOf("bare"), tableOf("before"), tableOf("besides")
	byItself, conclusions, conditions = tableOf("byItself"), tableOf("conclusions"), tableOf("conditions")
	cues, earlier, formulas           = tableOf("cues"), tableOf("earlier"), tableOf("formulas")
	frames, governs, hedging          = tableOf("frames"), tableOf("governs"), tableOf("hedging")
	judgments, keys, letterByItself   = tableOf("judgments"), tableOf("keys"), tableOf("letterByItself")
	marks, noes, notions              = tableOf("marks"), tableOf("noes"), tableOf("notions")
	optionTaken, otherSenses, others  = tableOf("optionTaken"), tableOf("otherSenses"), tableOf("others")
	pairs, predicates, ratings        = tableOf("pairs"), tableOf("predicates"), tableOf("ratings")
	scaleEnds, sides, speakers        = tableOf("scaleEnds"), tableOf("sides"), tableOf("speakers")
	statements, subjects, tenses      = tableOf("statements"), tableOf("subjects"), tableOf("tenses")
	undecided, unsure                 = tableOf("undecided"), tableOf("unsure")
)
