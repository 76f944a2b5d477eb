package label

import (
	_ "embed" // the lists
	"maps"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

//go:embed words.txt
var wordsFile string

// lists are the words that the rows of tables name, and those that code asks for.
var lists = readLists(wordsFile)

// readLists reads lists, each of words and of lists above it.
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

// wordsOf are the words of a list; a name that is misspelled ends the program when it starts.
func wordsOf(name string) map[string]bool {
	words := lists[name]
	if words == nil {
		panic("words.txt has no list " + name)
	}
	return words
}

// class is a set of lists that code asks for, a bit each.
type class uint64

// known is what a word is looked up for once: the lists that it is in, and the tables that have a row for it.
var known = map[string]struct {
	class  class
	tables uint64
}{}

// bits counts the lists that have a bit.
var bits int

// list gives a list its bit.
func list(name string) class {
	bit := class(1) << bits
	if bits++; bit == 0 {
		panic("more lists than bits")
	}
	for word := range wordsOf(name) {
		k := known[word]
		k.class |= bit
		known[word] = k
	}
	return bit
}

// in reports a word of a list.
func in(word string, c class) bool { return known[word].class&c != 0 }

func init() {
	for _, t := range tables {
		for word := range t.at {
			k := known[word]
			k.tables |= t.bit
			known[word] = k
		}
	}
}

// The lists that code asks for.
var (
	absences, announcing, being          = list("absences"), list("announcing"), list("being")
	conditional, conjunctions, contrasts = list("conditional"), list("conjunctions"), list("contrasts")
	copulas, degree, dividers, done      = list("copulas"), list("degree"), list("dividers"), list("done")
	excluded, fillers, finality, fits    = list("excluded"), list("fillers"), list("finality"), list("fits")
	formula, heads, ignorance, ignorant  = list("formula"), list("heads"), list("ignorance"), list("ignorant")
	instead, joiners, keyNouns, keyless  = list("instead"), list("joiners"), list("keyNouns"), list("keyless")
	labelNegations, lacks, leads         = list("labelNegations"), list("lacks"), list("leads")
	leadsOn, likelier, links, makes      = list("leadsOn"), list("likelier"), list("links"), list("makes")
	maybe, nouns, ofVerdict, openings    = list("maybe"), list("nouns"), list("ofVerdict"), list("openings")
	prepositions, rights, saying         = list("prepositions"), list("rights"), list("saying")
	seconds, separators, shares, short   = list("seconds"), list("separators"), list("shares"), list("short")
	tentative, transparent, urged        = list("tentative"), list("transparent"), list("urged")
	verbDenials, voices, wrongs          = list("verbDenials"), list("voices"), list("wrongs")
)

// The tables that code looks things up in.
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
