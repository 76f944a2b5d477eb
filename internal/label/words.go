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
	absences, being, conditional   = wordsOf("absences"), wordsOf("being"), wordsOf("conditional")
	contrasts, dividers, done      = wordsOf("contrasts"), wordsOf("dividers"), wordsOf("done")
	fillers, heads, ignorance      = wordsOf("fillers"), wordsOf("heads"), wordsOf("ignorance")
	ignorant, instead, joiners     = wordsOf("ignorant"), wordsOf("instead"), wordsOf("joiners")
	labelNegations, leadsOn, links = wordsOf("labelNegations"), wordsOf("leadsOn"), wordsOf("links")
	makes, openings, seconds       = wordsOf("makes"), wordsOf("openings"), wordsOf("seconds")
	shares, short, verbDenials     = wordsOf("shares"), wordsOf("short"), wordsOf("verbDenials")
)

var (
	// lemmas maps inflections of words that are frequent in labels to one form.
	lemmas = lists.Heads("lemmas")
	// opposites maps labels to others that deny them if a case allows only these two.
	opposites = lists.Heads("opposites")
)

// Tables that the code uses.
var (
	bare, before, besides          = tableOf("bare"), tableOf("before"), tableOf("besides")
	byItself, conditions, cues     = tableOf("byItself"), tableOf("conditions"), tableOf("cues")
	earlier, formulas, frames      = tableOf("earlier"), tableOf("formulas"), tableOf("frames")
	governs, hedging, judgments    = tableOf("governs"), tableOf("hedging"), tableOf("judgments")
	keys, letterByItself, marks    = tableOf("keys"), tableOf("letterByItself"), tableOf("marks")
	noes, notions, optionTaken     = tableOf("noes"), tableOf("notions"), tableOf("optionTaken")
	otherSenses, others, pairs     = tableOf("otherSenses"), tableOf("others"), tableOf("pairs")
	predicates, ratings, scaleEnds = tableOf("predicates"), tableOf("ratings"), tableOf("scaleEnds")
	sides, speakers, statements    = tableOf("sides"), tableOf("speakers"), tableOf("statements")
	subjects, tenses, undecided    = tableOf("subjects"), tableOf("tenses"), tableOf("undecided")
	unsure                         = tableOf("unsure")
)
