package english

import (
	_ "embed" // the lists
	"maps"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// Lists are lists of words, or of rows of words, as they are written, by their names. The file words.txt says how they
// are written.
type Lists map[string]string

// ReadLists returns the lists in a file, and those of others. A list may include others.
func ReadLists(file string, others Lists) Lists {
	l, name := Lists{}, ""
	maps.Copy(l, others)
	for line := range strings.Lines(file) {
		if line[0] == '#' || line == "\n" {
			continue
		}
		if line[0] != ' ' {
			name, line, _ = strings.Cut(line, ":")
			l[name] = ""
		}
		l[name] += line
	}
	return l
}

// Set returns the set of the words in a list. It panics if there is no such list.
func (l Lists) Set(name string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(l.Text(name)) {
		switch {
		case w[0] == '$' && IsWordRuneAt(w, 1):
			maps.Copy(s, l.Set(w[1:]))
		case w[0] == '-' && IsWordRuneAt(w, 1):
			delete(s, w[1:])
		default:
			s[w] = true
		}
	}
	return s
}

// Text returns a list as it is written. It panics if there is no such list.
func (l Lists) Text(name string) string {
	text, ok := l[name]
	if !ok {
		panic("no list of words " + name)
	}
	return text
}

// Rows returns the words of each row of a list. It panics if there is no such list.
func (l Lists) Rows(name string) (out [][]string) {
	for row := range strings.SplitSeq(l.Text(name), ",") {
		out = append(out, strings.Fields(row))
	}
	return out
}

//go:embed words.txt
var wordsFile string

// WordLists are the lists of words of English. Other packages may include them in their own.
var WordLists = ReadLists(wordsFile, nil)

var setOf, rowsOf, heads = WordLists.Set, WordLists.Rows, WordLists.Heads

// Lists that other packages use.
var (
	// FunctionWords carry no content of their own.
	FunctionWords = setOf("function")
	// VerdictNouns are words for what an answer settles on.
	VerdictNouns = setOf("verdicts")
	// Untruths are words for what is not true.
	Untruths = setOf("untruths")
	// Auxiliary are forms of verbs that stand before "not".
	Auxiliary = setOf("auxiliary")
)

// Lists that this package uses.
var (
	absent, adjunct, adversative          = setOf("absent"), setOf("adjunct"), setOf("adversative")
	advising, affirming, anaphora, asking = setOf("advising"), setOf("affirming"), setOf("anaphora"), setOf("asking")
	atLeast, atMost, changes, charging    = setOf("atLeast"), setOf("atMost"), setOf("changes"), setOf("charging")
	beforeSpan, ceasing, demonstratives   = setOf("beforeSpan"), setOf("ceasing"), setOf("demonstratives")
	claimNouns, comparing, complements    = setOf("claimNouns"), setOf("comparing"), setOf("complements")
	countable, denials, denying           = setOf("countable"), setOf("denials"), setOf("denying")
	differing, downward, excepting        = setOf("differing"), setOf("downward"), setOf("excepting")
	extras, imagining                     = setOf("extras"), setOf("imagining")
	foreignAnds, foreignVerbs             = setOf("foreignAnds"), setOf("foreignVerbs")
	iseEndings, joining, keyAdjectives    = setOf("iseEndings"), setOf("joining"), setOf("keyAdjectives")
	limits, markup, misdone, mistaken     = setOf("limits"), setOf("markup"), setOf("misdone"), setOf("mistaken")
	money, naming, nonWords               = setOf("money"), setOf("naming"), setOf("nonWords")
	notOnly, onceOnly, ourRoots, pointing = setOf("notOnly"), setOf("onceOnly"), setOf("ourRoots"), setOf("pointing")
	proofs, regrets, relatives, speakers  = setOf("proofs"), setOf("regrets"), setOf("relatives"), setOf("speakers")
	shortened, slips, spans, speaks       = setOf("shortened"), setOf("slips"), setOf("spans"), setOf("speaks")
	stressed, stressing, subject          = setOf("stressed"), setOf("stressing"), setOf("subject")
	subordinate, supposing, takeBacks     = setOf("subordinate"), setOf("supposing"), setOf("takeBacks")
	truths, untrueKeys, upward, voices    = setOf("truths"), setOf("untrueKeys"), setOf("upward"), setOf("voices")

	contractions, british, denied = tails("contractions"), heads("british"), heads("denied")
	denyingWith, irregular        = heads("denyingWith"), derived("irregular", "re", "")
	spelt, powers, shares         = numbers("spelt"), numbers("powers"), numbers("shares")
	retractions                   = rowsOf("retractions")
)

// Set returns the set of words, which white space separates.
func Set(words string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		s[w] = true
	}
	return s
}

// Heads maps each word of a list of rows to the first word of its row.
func (l Lists) Heads(name string) map[string]string {
	m := map[string]string{}
	for _, row := range l.Rows(name) {
		for _, w := range row[1:] {
			m[w] = row[0]
		}
	}
	return m
}

// tails maps the first word of each row of a list to the other words of its row.
func tails(name string) map[string][]string {
	m := map[string][]string{}
	for _, row := range rowsOf(name) {
		m[row[0]] = row[1:]
	}
	return m
}

// derived is Heads, also for each word with a prefix, which its head then has too, and a suffix: repaid and repay.
func derived(name, prefix, suffix string) map[string]string {
	m := heads(name)
	for w, head := range maps.Clone(m) {
		m[prefix+w+suffix] = prefix + head
	}
	return m
}

// numbers maps each word of a list of rows to the number that begins its row.
func numbers(name string) map[string]float64 {
	m := map[string]float64{}
	for w, number := range heads(name) {
		m[w] = float(number)
	}
	return m
}

// float returns the number in a row of a list.
func float(number string) float64 { return text.Must(strconv.ParseFloat(number, 64)) }

// Tier are words of which about the same share of sentences have one.
type Tier struct {
	Share float64
	Words []string
}

// CommonWords are the commonest words of English.
func CommonWords() (out []Tier) {
	for _, row := range rowsOf("common") {
		out = append(out, Tier{float(row[0]), row[1:]})
	}
	return out
}
