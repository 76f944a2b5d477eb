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
	fillers, heads, ignorance        = wordsOf("fillers"), wordsOf("heads"), wordsOf("ignorance")
	ignorant, instead, joiners       = wordsOf("ignorant"), wordsOf("instead"), wordsOf("joiners")
	keyless, labelNegations, leadsOn = wordsOf("keyless"), wordsOf("labelNegations"), wordsOf("leadsOn")
	links, makes, openings           = wordsOf("links"), wordsOf("makes"), wordsOf("openings")
	seconds, separators, shares      = wordsOf("seconds"), wordsOf("separators"), wordsOf("shares")
	short, verbDenials               = wordsOf("short"), wordsOf("verbDenials")
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
	byItself, conditions, cues        = tableOf("byItself"), tableOf("conditions"), tableOf("cues")
	earlier, formulas, frames         = tableOf("earlier"), tableOf("formulas"), tableOf("frames")
	governs, hedging, judgments       = tableOf("governs"), tableOf("hedging"), tableOf("judgments")
	letterByItself, marks, noes       = tableOf("letterByItself"), tableOf("marks"), tableOf("noes")
	notions, optionTaken, otherSenses = tableOf("notions"), tableOf("optionTaken"), tableOf("otherSenses")
	others, pairs, predicates         = tableOf("others"), tableOf("pairs"), tableOf("predicates")
	ratings, scaleEnds, sides         = tableOf("ratings"), tableOf("scaleEnds"), tableOf("sides")
	speakers, statements, subjects    = tableOf("speakers"), tableOf("statements"), tableOf("subjects")
	tenses, undecided, unsure         = tableOf("tenses"), tableOf("undecided"), tableOf("unsure")
)
