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
	absences       = list("absences")
	announcing     = list("announcing")
	arrows         = list("arrows")
	being          = list("being")
	choices        = list("choices")
	conditional    = list("conditional")
	conjunctions   = list("conjunctions")
	contrasts      = list("contrasts")
	copulas        = list("copulas")
	degree         = list("degree")
	dividers       = list("dividers")
	done           = list("done")
	excluded       = list("excluded")
	fillers        = list("fillers")
	finality       = list("finality")
	fits           = list("fits")
	formula        = list("formula")
	heads          = list("heads")
	ignorant       = list("ignorant")
	instead        = list("instead")
	interjections  = list("interjections")
	joiners        = list("joiners")
	keyNouns       = list("keyNouns")
	keyless        = list("keyless")
	labelNegations = list("labelNegations")
	lacks          = list("lacks")
	leads          = list("leads")
	leadsOn        = list("leadsOn")
	likelier       = list("likelier")
	links          = list("links")
	makes          = list("makes")
	maybe          = list("maybe")
	nouns          = list("nouns")
	ofVerdict      = list("ofVerdict")
	openings       = list("openings")
	prepositions   = list("prepositions")
	replies        = list("replies")
	rights         = list("rights")
	saying         = list("saying")
	seconds        = list("seconds")
	separators     = list("separators")
	short          = list("short")
	shares         = list("shares")
	tentative      = list("tentative")
	transparent    = list("transparent")
	urged          = list("urged")
	verbDenials    = list("verbDenials")
	voices         = list("voices")
	wrongs         = list("wrongs")
)

// The tables that code looks things up in.
var (
	asides         = table("asides")
	bare           = table("bare")
	before         = table("before")
	besides        = table("besides")
	byItself       = table("byItself")
	conditions     = table("conditions")
	cues           = table("cues")
	earlier        = table("earlier")
	frames         = table("frames")
	governs        = table("governs")
	grounds        = table("grounds")
	hedging        = table("hedging")
	ignorance      = table("ignorance")
	judgments      = table("judgments")
	letterByItself = table("letterByItself")
	marks          = table("marks")
	noes           = table("noes")
	notions        = table("notions")
	open           = table("open")
	optionNamed    = table("optionNamed")
	optionTaken    = table("optionTaken")
	otherSenses    = table("otherSenses")
	others         = table("others")
	pairs          = table("pairs")
	ratings        = table("ratings")
	scaleEnds      = table("scaleEnds")
	sides          = table("sides")
	speakers       = table("speakers")
	statements     = table("statements")
	subjects       = table("subjects")
	tenses         = table("tenses")
	undecided      = table("undecided")
	unsure         = table("unsure")
)
