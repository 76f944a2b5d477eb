package fact

import (
	_ "embed" // the lists

	"github.com/failproof/failproof/internal/english"
)

//go:embed words.txt
var wordsFile string

// lists are the lists of words and phrases of words.txt.
var lists = english.ReadLists(wordsFile, english.Lists{})

var (
	almostWords, articles              = lists.Set("almostWords"), lists.Set("articles")
	articlesAndTitles, beForms         = lists.Set("articlesAndTitles"), lists.Set("beForms")
	boundWords, directionPrepositions  = lists.Set("boundWords"), lists.Set("directionPrepositions")
	everydayAcronyms, exceptionWords   = lists.Set("everydayAcronyms"), lists.Set("exceptionWords")
	headings, leadingWords, lightVerbs = lists.Set("headings"), lists.Set("leadingWords"), lists.Set("lightVerbs")
	modals, necessityWords             = lists.Set("modals"), lists.Set("necessityWords")
	partialWords, particles            = lists.Set("partialWords"), lists.Set("particles")
	permissionWords, prepositions      = lists.Set("permissionWords"), lists.Set("prepositions")
	presentVerbs, pronouns, ruleNouns  = lists.Set("presentVerbs"), lists.Set("pronouns"), lists.Set("ruleNouns")
	symmetricWords, universalWords     = lists.Set("symmetricWords"), lists.Set("universalWords")

	onlyPhrases, pendingPhrases      = phrases(lists.Text("only")), phrases(lists.Text("pending"))
	forbiddenPhrases, withoutPhrases = phrases("forbidden prohibited banned disallowed"),
		phrases("without_a without_an without_any")

	// addressees are the stems of words for people whom an answer may call "you".
	addressees = func() map[string]bool {
		m := map[string]bool{}
		for _, s := range phrases(lists.Text("addressees")) {
			m[s[0]] = true
		}
		return m
	}()
)
