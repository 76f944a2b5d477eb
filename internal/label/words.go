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
	conjoining, contrasts, dividers   = wordsOf("conjoining"), wordsOf("contrasts"), wordsOf("dividers")
	done, excepting, heads            = wordsOf("done"), wordsOf("excepting"), wordsOf("heads")
	ignorance, ignorant, instead      = wordsOf("ignorance"), wordsOf("ignorant"), wordsOf("instead")
	labelNegations, openings, seconds = wordsOf("labelNegations"), wordsOf("openings"), wordsOf("seconds")
	shares, short, verbDenials        = wordsOf("shares"), wordsOf("short"), wordsOf("verbDenials")
	verbs                             = wordsOf("verbs")
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
