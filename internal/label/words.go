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
	absences, announcing, being          = wordsOf("absences"), wordsOf("announcing"), wordsOf("being")
	conditional, conjunctions, contrasts = wordsOf("conditional"), wordsOf("conjunctions"), wordsOf("contrasts")
	copulas, dividers, done              = wordsOf("copulas"), wordsOf("dividers"), wordsOf("done")
	excluded, fillers, finality, fits    = wordsOf("excluded"), wordsOf("fillers"), wordsOf("finality"), wordsOf("fits")
	formula, heads, ignorance, ignorant  = wordsOf("formula"), wordsOf("heads"), wordsOf("ignorance"), wordsOf("ignorant")
	instead, joiners, keyNouns, keyless  = wordsOf("instead"), wordsOf("joiners"), wordsOf("keyNouns"), wordsOf("keyless")
	labelNegations, lacks, leads         = wordsOf("labelNegations"), wordsOf("lacks"), wordsOf("leads")
	leadsOn, likelier, links, makes      = wordsOf("leadsOn"), wordsOf("likelier"), wordsOf("links"), wordsOf("makes")
	nouns, ofVerdict, openings           = wordsOf("nouns"), wordsOf("ofVerdict"), wordsOf("openings")
	prepositions, rights, saying         = wordsOf("prepositions"), wordsOf("rights"), wordsOf("saying")
	seconds, separators, shares, short   = wordsOf("seconds"), wordsOf("separators"), wordsOf("shares"), wordsOf("short")
	tentative                            = wordsOf("tentative")
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
	bare, before, besides, byItself   = table("bare"), table("before"), table("besides"), table("byItself")
	conditions, cues, earlier, frames = table("conditions"), table("cues"), table("earlier"), table("frames")
	governs, hedging                  = table("governs"), table("hedging")
	judgments, letterByItself, marks  = table("judgments"), table("letterByItself"), table("marks")
	noes, notions, optionTaken        = table("noes"), table("notions"), table("optionTaken")
	otherSenses, others, pairs        = table("otherSenses"), table("others"), table("pairs")
	ratings, scaleEnds, sides         = table("ratings"), table("scaleEnds"), table("sides")
	speakers, statements, subjects    = table("speakers"), table("statements"), table("subjects")
	tenses, undecided, unsure         = table("tenses"), table("undecided"), table("unsure")
)
