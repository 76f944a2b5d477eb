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
	absences, being                      = wordsOf("absences"), wordsOf("being")
	conditional, conjunctions, contrasts = wordsOf("conditional"), wordsOf("conjunctions"), wordsOf("contrasts")
	copulas, dividers, done              = wordsOf("copulas"), wordsOf("dividers"), wordsOf("done")
	excluded, fillers, finality, fits    = wordsOf("excluded"), wordsOf("fillers"), wordsOf("finality"), wordsOf("fits")
	heads, ignorance, ignorant           = wordsOf("heads"), wordsOf("ignorance"), wordsOf("ignorant")
	instead, joiners, keyNouns, keyless  = wordsOf("instead"), wordsOf("joiners"), wordsOf("keyNouns"), wordsOf("keyless")
	labelNegations, lacks, leads         = wordsOf("labelNegations"), wordsOf("lacks"), wordsOf("leads")
	leadsOn, likelier, links, makes      = wordsOf("leadsOn"), wordsOf("likelier"), wordsOf("links"), wordsOf("makes")
	nouns, ofVerdict, openings           = wordsOf("nouns"), wordsOf("ofVerdict"), wordsOf("openings")
	prepositions, rights, saying         = wordsOf("prepositions"), wordsOf("rights"), wordsOf("saying")
	seconds, separators, shares, short   = wordsOf("seconds"), wordsOf("separators"), wordsOf("shares"), wordsOf("short")
	verbDenials, voices, wrongs          = wordsOf("verbDenials"), wordsOf("voices"), wordsOf("wrongs")
)

var (
	// lemmas maps inflections of words that are frequent in labels to one form.
	lemmas = lists.Heads("lemmas")
	// opposites maps labels to others that deny them if a case allows only these two.
	opposites = lists.Heads("opposites")
)

// Tables that the code uses.
var (
	announcements, bare               = tableOf("announcements"), tableOf("bare")
	before, besides, byItself         = tableOf("before"), tableOf("besides"), tableOf("byItself")
	conditions, cues, earlier, frames = tableOf("conditions"), tableOf("cues"), tableOf("earlier"), tableOf("frames")
	formulas, governs, hedging        = tableOf("formulas"), tableOf("governs"), tableOf("hedging")
	judgments, letterByItself, marks  = tableOf("judgments"), tableOf("letterByItself"), tableOf("marks")
	noes, notions, optionTaken        = tableOf("noes"), tableOf("notions"), tableOf("optionTaken")
	otherSenses, others, pairs        = tableOf("otherSenses"), tableOf("others"), tableOf("pairs")
	ratings, scaleEnds, sides         = tableOf("ratings"), tableOf("scaleEnds"), tableOf("sides")
	speakers, statements, subjects    = tableOf("speakers"), tableOf("statements"), tableOf("subjects")
	tenses, undecided, unsure         = tableOf("tenses"), tableOf("undecided"), tableOf("unsure")
)
