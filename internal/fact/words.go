package fact

import (
	_ "embed" // the lists
	"strings"

	"github.com/failproof/failproof/internal/english"
)

//go:embed words.txt
var wordsFile string

// lists are the lists of words and phrases of words.txt.
var lists = english.ReadLists(wordsFile, nil)

var (
	articlesAndTitles, beForms    = lists.Set("articlesAndTitles"), lists.Set("beForms")
	boundWords, butWords          = lists.Set("boundWords"), lists.Set("butWords")
	everydayAcronyms              = lists.Set("everydayAcronyms")
	directionPrepositions         = lists.Set("directionPrepositions")
	exceptionWords, onlyWords     = lists.Set("exceptionWords"), lists.Set("onlyWords")
	partWords, wholeWords         = lists.Set("partWords"), lists.Set("wholeWords")
	formerWords, formerValueWords = lists.Set("formerWords"), lists.Set("formerValueWords")
	headings, lightVerbs, modals  = lists.Set("headings"), lists.Set("lightVerbs"), lists.Set("modals")
	particles, prepositions       = lists.Set("particles"), lists.Set("prepositions")
	presentVerbs, pronouns        = lists.Set("presentVerbs"), lists.Set("pronouns")
	ruleNouns, symmetricWords     = lists.Set("ruleNouns"), lists.Set("symmetricWords")

	onlyPhrases, pendingPhrases = phrases(lists.Text("only")), phrases(lists.Text("pending"))
	exceptionPhrases            = (&Synonyms{groupsByStem: map[string][]int{}}).add(phrases(lists.Text("exceptionPhrases")))

	// deniedForms maps a word to other ways to say that it is denied: forbidden for not allowed.
	deniedForms = func() map[string][][]string {
		m := map[string][][]string{}
		for row := range strings.SplitSeq(lists.Text("deniedForms"), ",") {
			words, forms, _ := strings.Cut(row, "|")
			for w := range strings.FieldsSeq(words) {
				m[w] = phrases(forms)
			}
		}
		return m
	}()

	// addressees are the stems of words for people whom an answer may call "you".
	addressees = func() map[string]bool {
		m := map[string]bool{}
		for _, s := range phrases(lists.Text("addressees")) {
			m[s[0]] = true
		}
		return m
	}()
)
