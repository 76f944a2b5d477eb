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
	instead, labelNegations, links     = wordsOf("instead"), wordsOf("labelNegations"), wordsOf("links")
	makes, openings, seconds           = wordsOf("makes"), wordsOf("openings"), wordsOf("seconds")
	shares, short, verbDenials         = wordsOf("shares"), wordsOf("short"), wordsOf("verbDenials")
)

var (
	// lemmas maps inflections of words that are frequent in labels to one form.
	lemmas = lists.Heads("lemmas")
	// opposites maps labels to others that deny them if a case allows only these two.
	opposites = lists.Heads("opposites")
)

// Tables that the code uses.
var (
	bare, before, conclusions       = tableOf("bare"), tableOf("before"), tableOf("conclusions")
	cues, earlier, frames, governs  = tableOf("cues"), tableOf("earlier"), tableOf("frames"), tableOf("governs")
	hedging, keys, letters, lines   = tableOf("hedging"), tableOf("keys"), tableOf("letters"), tableOf("lines")
	marks, optionTaken, otherSenses = tableOf("marks"), tableOf("optionTaken"), tableOf("otherSenses")
	others, pairs, predicates       = tableOf("others"), tableOf("pairs"), tableOf("predicates")
	ratings, replies, sides         = tableOf("ratings"), tableOf("replies"), tableOf("sides")
	speakers, statements, subjects  = tableOf("speakers"), tableOf("statements"), tableOf("subjects")
	tenses, undecided               = tableOf("tenses"), tableOf("undecided")
)
