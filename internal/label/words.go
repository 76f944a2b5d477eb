package label

import (
	_ "embed" // the lists
	"maps"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

//go:embed words.txt
var wordsFile string

// lists are the lists of words by their names. The rows of tables and the code use them.
var lists = readLists(wordsFile)

// readLists returns the lists of words in file by their names. A list may include the lists above it in the file.
func readLists(file string) map[string]map[string]bool {
	m := map[string]map[string]bool{"claims": english.Claims, "truths": english.Truths, "untruths": english.Untruths,
		"proofs": english.Proofs, "function": english.FunctionWords, "verdicts": english.VerdictNouns}
	var set map[string]bool
	for line := range strings.Lines(file) {
		name, words, begins := strings.Cut(line, ": ")
		switch {
		case line[0] == '#' || line == "\n":
			continue
		case line[0] == ' ': // the list above goes on
			words = line
		case begins:
			set = map[string]bool{}
			m[name] = set
		}
		for w := range strings.FieldsSeq(words) {
			if list, named := strings.CutPrefix(w, "$"); named {
				if m[list] == nil {
					panic("words.txt has no list " + list + " above " + name)
				}
				maps.Copy(set, m[list])
			} else if but, excepted := strings.CutPrefix(w, "-"); excepted {
				delete(set, but)
			} else {
				set[w] = true
			}
		}
	}
	return m
}

// wordsOf returns the list of words with the given name. It panics if there is no such list.
func wordsOf(name string) map[string]bool {
	words := lists[name]
	if words == nil {
		panic("words.txt has no list " + name)
	}
	return words
}

// Lists of words that the code uses.
var (
	absences, announcing, being          = wordsOf("absences"), wordsOf("announcing"), wordsOf("being")
	conditional, conjunctions, contrasts = wordsOf("conditional"), wordsOf("conjunctions"), wordsOf("contrasts")
	copulas, degree, dividers, done      = wordsOf("copulas"), wordsOf("degree"), wordsOf("dividers"), wordsOf("done")
	excluded, fillers, finality, fits    = wordsOf("excluded"), wordsOf("fillers"), wordsOf("finality"), wordsOf("fits")
	formula, heads, ignorance, ignorant  = wordsOf("formula"), wordsOf("heads"), wordsOf("ignorance"), wordsOf("ignorant")
	instead, joiners, keyNouns, keyless  = wordsOf("instead"), wordsOf("joiners"), wordsOf("keyNouns"), wordsOf("keyless")
	labelNegations, lacks, leads         = wordsOf("labelNegations"), wordsOf("lacks"), wordsOf("leads")
	leadsOn, likelier, links, makes      = wordsOf("leadsOn"), wordsOf("likelier"), wordsOf("links"), wordsOf("makes")
	maybe, nouns, ofVerdict, openings    = wordsOf("maybe"), wordsOf("nouns"), wordsOf("ofVerdict"), wordsOf("openings")
	prepositions, rights, saying         = wordsOf("prepositions"), wordsOf("rights"), wordsOf("saying")
	seconds, separators, shares, short   = wordsOf("seconds"), wordsOf("separators"), wordsOf("shares"), wordsOf("short")
	tentative, urged                     = wordsOf("tentative"), wordsOf("urged")
	verbDenials, voices, wrongs          = wordsOf("verbDenials"), wordsOf("voices"), wordsOf("wrongs")
)

// Tables that the code uses.
var (
	bare, before, besides, byItself   = table("bare"), table("before"), table("besides"), table("byItself")
	conditions, cues, earlier, frames = table("conditions"), table("cues"), table("earlier"), table("frames")
	governs, hedging                  = table("governs"), table("hedging")
	judgments, letterByItself, marks  = table("judgments"), table("letterByItself"), table("marks")
	noes, notions, open, optionTaken  = table("noes"), table("notions"), table("open"), table("optionTaken")
	otherSenses, others, pairs        = table("otherSenses"), table("others"), table("pairs")
	ratings, scaleEnds, sides         = table("ratings"), table("scaleEnds"), table("sides")
	speakers, statements, subjects    = table("speakers"), table("statements"), table("subjects")
	tenses, undecided, unsure         = table("tenses"), table("undecided"), table("unsure")
)
