package label

import "github.com/failproof/failproof/internal/english"

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

// optionAt reads the name of an option at i as the label that it stands for.
func (r *reading) optionAt(i int) (mention, bool) {
	label, ok := r.options[r.tokens[i].text]
	if !ok || r.tokens[i].struck || r.tokens[i].signed || !r.chosen(i) {
		return mention{}, false
	}
	c := r.around(i, i+1)
	m := c.mention(i + 1)
	if m.label = label; m.negated {
		m.label = r.set.other(label)
	}
	return m, true
}

// pointed reads "the latter" at i as the label that it points back to.
func (r *reading) pointed(i int) (mention, bool) {
	n := len(r.mentions)
	if n < 2 || !r.wordAt(i, "latter") || !r.wordAt(i-1, "the") || r.mentions[n-1].label == r.mentions[n-2].label {
		return mention{}, false
	}
	at := r.mentions[n-1]
	c := r.around(i, i+1)
	m := c.mention(i + 1)
	m.label, m.asserted = at.label, m.asserted && !m.negated
	return m, true
}

// other is the label that is left where one is denied; none if there are several.
func (s *Set) other(label int) int {
	if len(s.labels) != 2 {
		return none
	}
	return 1 - label
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
