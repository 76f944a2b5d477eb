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
	absences, asides, conditional     = wordsOf("absences"), wordsOf("asides"), wordsOf("conditional")
	contrasts, dividers, done         = wordsOf("contrasts"), wordsOf("dividers"), wordsOf("done")
	excepting, heads, ignorance       = wordsOf("excepting"), wordsOf("heads"), wordsOf("ignorance")
	ignorant, instead, labelNegations = wordsOf("ignorant"), wordsOf("instead"), wordsOf("labelNegations")
	openings, seconds, shares         = wordsOf("openings"), wordsOf("seconds"), wordsOf("shares")
	short, verbDenials, verbs         = wordsOf("short"), wordsOf("verbDenials"), wordsOf("verbs")
)

var (
	// lemmas maps inflections of words that are frequent in labels to one form.
	lemmas = lists.Heads("lemmas")
	// opposites maps labels to others that deny them if a case allows only these two.
	opposites = lists.Heads("opposites")
)

// Tables that the code uses.
var (
	bare, before, conclusions        = tableOf("bare"), tableOf("before"), tableOf("conclusions")
	cues, earlier, frames, governs   = tableOf("cues"), tableOf("earlier"), tableOf("frames"), tableOf("governs")
	hedging, keys, letters           = tableOf("hedging"), tableOf("keys"), tableOf("letters")
	likewise, lines, marks           = tableOf("likewise"), tableOf("lines"), tableOf("marks")
	optionTaken, otherSenses, others = tableOf("optionTaken"), tableOf("otherSenses"), tableOf("others")
	pairs, predicates, ratings       = tableOf("pairs"), tableOf("predicates"), tableOf("ratings")
	replies, sides, speakers         = tableOf("replies"), tableOf("sides"), tableOf("speakers")
	statements, subjects, tenses     = tableOf("statements"), tableOf("subjects"), tableOf("tenses")
	undecided                        = tableOf("undecided")
)
