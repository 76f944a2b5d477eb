package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// stands reports whether the words from i on are a label and not a part of something else.
func (r *reading) stands(i int, core []string) bool {
	end := i + len(core)
	if r.word(end) && r.tokens[end].glued {
		return r.wordAt(end, "severity", "priority", "level") // not high-risk
	}
	switch w := core[0]; {
	case r.isPart(i, w), english.DigitAt(w, 0) && r.numbers(i), r.inFormula(i, w):
		return false
	case len(core) > 1:
		return true
	case r.set.loud[w] && !r.tokens[i].loud:
		return r.framed(bare, i, end) != nil
	case !short[w] && len(w) > 1:
		return r.find(otherSenses, i, none) == nil
	case english.DigitAt(w, 0):
		return r.framed(scaleEnds, i, end) == nil && (r.rated(i) || r.standsAlone(i, w))
	}
	return r.standsAlone(i, core[0])
}

// isPart reports a word that a hyphen joins to another: the 1 of P-1, self-compliant.
func (r *reading) isPart(i int, w string) bool {
	before := r.text(i - 1)
	return r.tokens[i].glued && before != "" &&
		(english.DigitAt(w, 0) || before != "non" && before != "not" && before != "is" && !transparent[before] && !degree[before])
}

// inFormula reports a letter that is a variable: "F = 3.2 N".
func (r *reading) inFormula(i int, w string) bool {
	return len(w) == 1 && w >= "a" && (formula[r.text(i+1)] && !copulas[r.text(i-1)] && !separators[r.text(i-1)] || formula[r.text(i-1)] && r.text(i-1) != "=")
}

// numbers reports a number that counts a line, but for one that opens the answer: "4. The essay is clear."
func (r *reading) numbers(i int) bool {
	line := r.tokens[i].line
	return (r.text(i+1) == "." || r.text(i+1) == ")") && r.word(i+2) && r.tokens[i+2].line == line && r.wordless(int(line.from), i) && !r.wordless(0, i)
}

func (r *reading) wordless(from, to int) bool {
	return !slices.ContainsFunc(r.tokens[from:to], func(t token) bool { return t.word })
}

func (r *reading) rated(i int) bool {
	c := r.framed(ratings, i, i+1)
	return c != nil && (c.stance == said || r.set.opens(r.text(i+3))) // and not pain 3 out of 10
}

// symbolic reports a word at i that is a sign, or the name of an option, and nothing that could be asked of somebody.
func (r *reading) symbolic(i int) bool {
	w := r.tokens[i].text
	return len(w) == 1 || strings.ContainsFunc(w, func(c rune) bool { return !english.WordRune(c) && c != '\'' })
}

func (r *reading) standsAlone(i int, w string) bool {
	t := &r.tokens[i]
	switch {
	case len(w) > 1:
		return t.quoted || r.framed(byItself, i, i+1) != nil || r.rightness(i+1) > 0 || t.upper && r.word(i-1) && r.follows(i)
	case w >= "a" && !t.upper:
		return r.chosen(i)
	}
	return t.quoted || r.framed(letterByItself, i, i+1) != nil || r.chosen(i) || r.set.lettered && w >= "a" && r.inProse(i)
}

// follows reports a word that goes on with the sentence of what is before it.
func (r *reading) follows(i int) bool { return i > 0 && r.tokens[i-1].sentence == r.tokens[i].sentence }

// inProse reports a letter in a row of words: "C and Java".
func (r *reading) inProse(i int) bool {
	return r.wordAt(i+1, "and", "or") && r.set.opens(r.text(i+2)) || (r.word(i-1) || joiners[r.text(i-1)]) && r.follows(i)
}

// chosen reports that the letter or number at i is the option which is settled on, or turned down, and no part of a list or of
// what is said about it: "option B is correct", "I'd go with B.", "A is wrong".
func (r *reading) chosen(i int) bool {
	if t := &r.tokens[i]; t.text >= "a" && !t.upper && r.framed(optionNamed, i, i+1) == nil {
		return false
	}
	return r.rightness(r.coordinated(i)+1) != 0 || r.framed(optionTaken, i, i+1) != nil
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

// predicateWords bounds in words how far behind a subject its predicate is looked for.
const predicateWords = 10

// rightness reads "is correct" and "is the best answer" from a place on as 1, "is wrong" and "is not the answer" as -1, and all
// else as 0; "cannot be ruled out", too.
func (r *reading) rightness(i int) int {
	if r.text(i) == ")" {
		i++
	}
	right := 1
	for first := i; i < first+predicateWords && r.word(i) && r.tokens[i].sentence == r.tokens[first].sentence; i++ {
		w := r.tokens[i].text
		said, value := saying[w], 0
		if i == first {
			value = r.fitting(i)
		} else {
			value = r.predicate(i)
		}
		switch {
		case w == "not":
			right = -right
		case w == "has" && r.text(i+1) != "to", i > first && excluded[w] && right < 0: // "has the right idea"
			return 0
		case value != 0 || !said:
			return value * right
		}
	}
	return 0
}

// fitting is rightness of a verb that says it alone: "fits" and "makes no sense".
func (r *reading) fitting(i int) int {
	switch {
	case !fits[r.text(i)]:
		return 0
	case lacks[r.text(i+1)]:
		return -1
	}
	return 1
}

// predicate is rightness of a word behind a verb: "is correct", "is the one".
func (r *reading) predicate(i int) int {
	switch w := r.text(i); {
	case rights[w], likelier[w] && r.wordAt(i-1, "more", "most"), (w == "only" || w == "one") && r.text(i-1) == "the":
		return 1
	case wrongs[w], excluded[w]:
		return -1
	}
	return 0
}
