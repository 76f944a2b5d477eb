package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// stands reports whether the words from i on are a label and not a part of something else.
func (r *reading) stands(i int, core []string) bool {
	end := i + len(core)
	if end < len(r.tokens) && r.tokens[end].word && r.tokens[end].glued {
		return r.wordAt(end, "severity", "priority", "level") // not high-risk
	}
	if r.tokens[i].glued && i > 0 {
		if english.DigitAt(core[0], 0) {
			return false // P1
		}
		before := r.tokens[i-1].text
		if before != "non" && before != "not" && before != "is" && !transparent[before] && !degree[before] {
			return false // self-compliant
		}
	}
	if len(core) > 1 {
		return true
	}
	switch w := core[0]; {
	case w == "apply":
		return !r.wordAt(end, "for") || r.tokens[i].text != "apply"
	case r.set.loud[w] && !r.tokens[i].loud:
		return r.bare(i)
	case len(w) == 1 && english.DigitAt(w, 0) && r.rated(i) && !r.scale(i):
		return true
	case short[w] || len(w) == 1:
		return r.standsAlone(i, w) && !r.scale(i)
	}
	return !r.otherwise(i, core[0])
}

// symbolic reports a word at i that is a sign, or the name of an option, and nothing that could be asked of somebody.
func (r *reading) symbolic(i int) bool {
	w := r.tokens[i].text
	return len(w) == 1 || strings.ContainsFunc(w, func(c rune) bool { return !english.WordRune(c) && c != '\'' })
}

// bare reports a word between two marks.
func (r *reading) bare(i int) bool {
	return (i == 0 || !r.tokens[i-1].word) && (i+1 == len(r.tokens) || !r.tokens[i+1].word)
}

// rated reports a number that stands before its scale, 3 out of 5, or before what it counts, or behind what it rates.
func (r *reading) rated(i int) bool {
	if r.wordAt(i+1, "out") && r.wordAt(i+2, "of") {
		return i+3 == len(r.tokens) || !english.DigitAt(r.tokens[i+3].text, 0) || r.set.opens(r.tokens[i+3].text) // pain 3 out of 10
	}
	if r.wordAt(i+1, "stars", "star", "points", "point") {
		return true
	}
	last := i+1 == len(r.tokens) || !r.tokens[i+1].word || r.tokens[i+1].sentence != r.tokens[i].sentence
	return last && !r.scale(i) && (r.wordAt(i-1, "it", "this", "a", "as") || !r.wordAt(i-1, "of", "to") && r.rates(i))
}

// rates reports a verb of rating in the clause before a number.
func (r *reading) rates(i int) bool {
	for j := i - 1; j >= max(0, i-nearWords) && r.sameClause(j, i); j-- {
		if r.wordAt(j, "rate", "rated", "score", "scored", "give") {
			return r.wordAt(j-1, "i", "would", "we")
		}
	}
	return false
}

// scale reports the number behind the bar of a rating, 4/5, which is not a list of choices, 1/2/3.
func (r *reading) scale(i int) bool {
	if r.wordAt(i-1, "of") && (r.wordAt(i-2, "out") && i > 2 && english.DigitAt(r.tokens[i-3].text, 0) || i > 1 && english.DigitAt(r.tokens[i-2].text, 0)) {
		return true
	}
	bar := func(at int) bool { return at > 0 && at+1 < len(r.tokens) && r.tokens[at].text == "/" }
	return bar(i-1) && english.DigitAt(r.tokens[i].text, 0) && english.DigitAt(r.tokens[i-2].text, 0) && !bar(i+1) && !bar(i-3)
}

// Words behind which a label is part of another phrase: good question, false positive.
var otherSense = map[string]map[string]bool{
	"question": english.Set("good great excellent interesting nice fair tough tricky important your the no without beyond"),
	"fact":     english.Set("in"),
	"positive": english.Set("false true"),
	"negative": english.Set("false true"),
}

// Words before which a label is part of another phrase: false alarm.
var otherSenseAhead = map[string]map[string]bool{
	"false": english.Set("alarm alarms positive positives negative negatives"),
	"true":  english.Set("positive positives negative negatives"),
}

func (r *reading) otherwise(i int, w string) bool {
	if i+1 < len(r.tokens) && r.tokens[i+1].word && otherSenseAhead[w][r.tokens[i+1].text] {
		return true
	}
	return i > 0 && r.tokens[i-1].word && otherSense[w][r.tokens[i-1].text] && r.tokens[i-1].sentence == r.tokens[i].sentence
}

// Labels that are also everyday words; they count only where they stand by themselves.
var short = english.Set("yes no none not other")

func (r *reading) standsAlone(i int, w string) bool {
	t := r.tokens[i]
	if len(w) == 1 && w >= "a" && !t.upper {
		return r.chosen(i)
	}
	if len(w) > 1 && r.wordAt(i+1, "and", "or") && i+2 < len(r.tokens) && short[r.tokens[i+2].text] {
		return true // yes and no
	}
	opens := i == 0 || !r.tokens[i-1].word || r.tokens[i-1].sentence != t.sentence || opener[r.tokens[i-1].text]
	last := i+1 >= len(r.tokens) || !r.tokens[i+1].word || r.tokens[i+1].sentence != t.sentence
	if len(w) == 1 {
		return opens && last || t.quoted || r.chosen(i) || r.set.lettered && w >= "a" && i > 0 && r.tokens[i-1].word && r.tokens[i-1].sentence == t.sentence
	}
	if last && i > 0 && assigns[w][r.tokens[i-1].text] && r.tokens[i-1].sentence == t.sentence {
		return true // "this falls under Other"
	}
	opens = opens || i > 1 && last && (indefinite[r.tokens[i-2].text] || indefinite[r.tokens[i-1].text]) // "a clear yes"
	return opens && (last || pronoun[r.tokens[i+1].text]) || t.quoted
}

var (
	assigns = map[string]map[string]bool{"other": english.Set("as under to into in"), "none": english.Set("as under into")}
	opener  = english.Set("is be says say answer therefore thus hence so actually wait option choice choose chose pick select definitely clearly probably likely maybe perhaps possibly simply with and but")
	pronoun = english.Set("it they he she this that there the because since as i we")
)

func (r *reading) wordAt(i int, any ...string) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].word && slices.Contains(any, r.tokens[i].text)
}

// Words before the name of an option, and before what is chosen.
var (
	optionNouns = english.Set("level tier grade stage option choice answer alternative letter response candidate assistant model version output")
	choosers    = english.Set(`makes choose chose chosen choosing pick picked select selected prefer prefers preferred with for be is leaves leaving say says so
		therefore thus hence answer to actually definitely clearly probably likely maybe perhaps possibly simply but`)
)

// chosen reports that the letter or number at i is the option which is settled on, or turned down, and no part of a list or of
// what is said about it: "option B is correct", "I'd go with B.", "A is wrong".
func (r *reading) chosen(i int) bool {
	t := r.tokens[i]
	j := i - 1
	for j >= 0 && (r.tokens[j].text == "(" || r.tokens[j].text == "[") {
		j--
	}
	for r.sameSentence(j, i) && optionNouns[r.tokens[j].text] {
		j--
	}
	named := j >= 0 && j < i-1 && r.tokens[j+1].word
	if !named && t.text >= "a" && !t.upper {
		return false
	}
	if r.rightness(r.coordinated(i)+1) != 0 {
		return true
	}
	last := i+1 >= len(r.tokens) || !r.tokens[i+1].word || r.tokens[i+1].clause != t.clause || r.wordAt(i+1, "as", "for", "here", "instead")
	for k := j; k >= j-1 && r.sameSentence(k, i); k-- {
		if choosers[r.tokens[k].text] {
			return named || last
		}
	}
	return named && last && !r.sameSentence(j, i)
}

// coordinated returns the last of the letters that are joined to the one at i: "both A and B are correct".
func (r *reading) coordinated(i int) int {
	for n := 0; n < optionNames && r.wordAt(i+1, "and", "or") && i+2 < len(r.tokens) && len(r.tokens[i+2].text) == 1 && r.tokens[i+2].upper; n++ {
		i += 2
	}
	return i
}

// optionNames bounds how many names of options are read in a row.
const optionNames = 8

func (r *reading) sameSentence(j, i int) bool {
	return j >= 0 && r.tokens[j].word && r.tokens[j].sentence == r.tokens[i].sentence
}

var (
	rights   = english.Set("correct right best true accurate better superior preferable stronger strongest preferred answer winner warranted justified appropriate enough sufficient")
	wrongs   = english.Set("wrong incorrect false untrue inaccurate worse worst inferior weaker weakest")
	excluded = english.Set("out off excluded eliminated")
	fits     = english.Set("fits wins matches makes")
	// Words between a subject and what is said of it.
	saying = english.Set(`can could be safely is are was were been being seems looks appears would must has have to ruled the a an also clearly definitely most more obviously therefore
		thus indeed still only probably likely certainly simply just far slightly much overall`)
)

// predicateWords bounds in words how far behind a subject its predicate is looked for.
const predicateWords = 10

// rightness reads "is correct" and "is the best answer" from a place on as 1, "is wrong" and "is not the answer" as -1, and all
// else as 0.
func (r *reading) rightness(i int) int {
	right, _ := r.predicate(i)
	return right
}

// predicate is rightness, and open where something is only not excluded: "cannot be ruled out".
func (r *reading) predicate(i int) (right int, open bool) {
	right = 1
	if i < len(r.tokens) && r.tokens[i].text == ")" {
		i++
	}
	for first := i; i < min(len(r.tokens), first+predicateWords) && r.tokens[i].word && r.tokens[i].sentence == r.tokens[first].sentence; i++ {
		switch w := r.tokens[i].text; {
		case w == "not":
			right = -right
		case i == first && fits[w]:
			return right, false
		case i > first && (rights[w] || (w == "only" || w == "one") && r.tokens[i-1].text == "the"):
			return right, false
		case i > first && excluded[w] && right < 0:
			return 0, true
		case i > first && (wrongs[w] || excluded[w]):
			return -right, false
		case !saying[w]:
			return 0, false
		}
	}
	return 0, false
}
