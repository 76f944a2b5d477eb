package label

import (
	_ "embed" // the lists
	"maps"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// lists are the words that the rows of tables name, and those that code asks for.
var lists = readLists(wordsFile)

//go:embed words.txt
var wordsFile string

// readLists reads lists, each of words and of lists above it.
func readLists(file string) map[string]map[string]bool {
	m := map[string]map[string]bool{"claims": english.Claims, "truths": english.Truths, "untruths": english.Untruths, "proofs": english.Proofs,
		"function": english.FunctionWords, "verdicts": english.VerdictNouns}
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

// The lists that code asks for.
var (
	being, maybe, degree, transparent          = lists["being"], lists["maybe"], lists["degree"], lists["transparent"]
	contrasts, makes, leads, interjections     = lists["contrasts"], lists["makes"], lists["leads"], lists["interjections"]
	separators, copulas, finality, ofVerdict   = lists["separators"], lists["copulas"], lists["finality"], lists["ofVerdict"]
	keyNouns, conditional, leadsOn, fillers    = lists["keyNouns"], lists["conditional"], lists["leadsOn"], lists["fillers"]
	arrows, joiners, likewise, lasts           = lists["arrows"], lists["joiners"], lists["likewise"], lists["lasts"]
	amending, dividers, seconds, verbDenials   = lists["amending"], lists["dividers"], lists["seconds"], lists["verbDenials"]
	absences, replies, openings, links         = lists["absences"], lists["replies"], lists["openings"], lists["links"]
	done, urged, short, rights                 = lists["done"], lists["urged"], lists["short"], lists["rights"]
	likelier, wrongs, excluded, lacks          = lists["likelier"], lists["wrongs"], lists["excluded"], lists["lacks"]
	fits, saying, labelNegations, conjunctions = lists["fits"], lists["saying"], lists["labelNegations"], lists["conjunctions"]
	prepositions, voices, heads                = lists["prepositions"], lists["voices"], lists["heads"]
)

var formula = lists["formula"]

var strongNouns, notFinal, keyless, announcing, choosing = lists["nouns"], lists["tentative"], lists["keyless"], lists["announcing"], lists["choices"]

// The tables that code looks things up in.
var (
	grounds, tenses, unsure, undecided          = tables["grounds"], tables["tenses"], tables["unsure"], tables["undecided"]
	ranges, marks, judgments, besides           = tables["ranges"], tables["marks"], tables["judgments"], tables["besides"]
	turnedDown, before, governs, notions        = tables["turnedDown"], tables["before"], tables["governs"], tables["notions"]
	hedging, ignorance, ignorant, noes          = tables["hedging"], tables["ignorance"], tables["ignorant"], tables["noes"]
	subjects, otherSenses, scaleEnds, ratings   = tables["subjects"], tables["otherSenses"], tables["scaleEnds"], tables["ratings"]
	byItself, letterByItself, bare, optionNamed = tables["byItself"], tables["letterByItself"], tables["bare"], tables["optionNamed"]
	optionTaken, frames, earlier, others        = tables["optionTaken"], tables["frames"], tables["earlier"], tables["others"]
	speakers, asides, open, statements          = tables["speakers"], tables["asides"], tables["open"], tables["statements"]
	cues, conditions, sides                     = tables["cues"], tables["conditions"], tables["sides"]
)
