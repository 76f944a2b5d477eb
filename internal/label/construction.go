package label

import (
	_ "embed" // the tables
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// construction is a row of tables.txt. It is a sequence of words and what this sequence means for a label.
type construction struct {
	table  *table
	row    string
	before []element // elements before the word at which the row is found, nearest first
	behind []element // elements after that word, nearest first
	effect effect
	stance stance
}

func (c *construction) is(s stance) bool { return c != nil && c.stance == s }

func (c *construction) has(e effect) bool { return c != nil && c.effect&e != 0 }

// element is what stands at one place of a construction.
type element struct {
	words       map[string]bool
	sign        sign
	other       bool // it is none of them
	least, most int  // how often it stands there
}

// sign is a set of things that an element may be, apart from its words.
type sign uint8

const (
	word     sign = 1 << iota
	theLabel      // the first word of the label
	number
	opening // the place before the first word of a clause
	pause   // no word
)

// signs maps the signs in tables.txt.
var signs = map[string]sign{"*": word, "_": theLabel, "%d": number, "^": opening, ".": pause}

// table is a table of tables.txt: the rows that are searched for at the label itself. The others are in rowsAt.
type table struct{ atLabel []construction }

//go:embed tables.txt
var tablesFile string

// tables are the tables by their names. rowsAt maps a word to the rows of all tables that are searched for at it.
var tables, rowsAt = readTables(tablesFile)

// tableOf returns the table with the given name.
func tableOf(name string) *table {
	t := tables[name]
	if t == nil {
		panic("tables.txt has no table " + name)
	}
	return t
}

func readTables(file string) (all map[string]*table, rows map[string][]construction) {
	all, rows = map[string]*table{}, map[string][]construction{}
	var t *table
	for line := range strings.Lines(file) {
		what, row, found := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case what == "" || line[0] == '#':
		case line[0] != ' ':
			t = &table{}
			all[what] = t
		case found:
			c, words := newConstruction(what, row)
			if c.table = t; len(words) == 0 {
				t.atLabel = append(t.atLabel, c)
			}
			for w := range words {
				rows[w] = append(rows[w], c)
			}
		default:
			panic("a row of tables.txt has no colon: " + what)
		}
	}
	return all, rows
}

// newConstruction returns the construction of a row, and the words at which it is searched for, or nil for the label
// itself. traits are the names of the row's effects and of its stance.
func newConstruction(traits, row string) (c construction, at map[string]bool) {
	c = construction{stance: said, row: row}
	for name := range strings.FieldsSeq(traits) {
		if stance, ok := stanceNames[name]; ok {
			c.stance = stance
		} else if effect, ok := effects[name]; ok {
			c.effect |= effect
		} else {
			panic("no effect or stance " + name)
		}
	}
	words := strings.Fields(row)
	anchor := max(0, slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, ">") }))
	for k := anchor - 1; k >= 0; k-- {
		c.before = append(c.before, elementOf(words[k]))
	}
	for _, w := range words[anchor+1:] {
		c.behind = append(c.behind, elementOf(w))
	}
	return c, elementOf(strings.TrimPrefix(words[anchor], ">")).words
}

// Limits of how often an element of a row stands there: "~", and one with "*" behind it.
const gap, reach = 2, 16

func elementOf(text string) element {
	e := element{words: map[string]bool{}, least: 1, most: 1}
	if text == "~" {
		return element{sign: word, most: gap}
	}
	if rest, ok := strings.CutSuffix(text, "?"); ok {
		text, e.least = rest, 0
	} else if rest, ok := strings.CutSuffix(text, "*"); ok && rest != "" {
		text, e.least, e.most = rest, 0, reach
	}
	text, e.other = strings.CutPrefix(text, "!")
	for w := range strings.SplitSeq(text, "|") {
		name, isList := strings.CutPrefix(w, "$")
		switch {
		case signs[w] != 0:
			e.sign |= signs[w]
		case w == "¶":
			e.words["\n"] = true
		case w == "∎":
			e.words[""] = true
		case isList:
			maps.Copy(e.words, wordsOf(name))
		default:
			e.words[w] = true
		}
	}
	return e
}

// find returns the first row of a table that matches the text at token i, or nil if none does. label is the index of
// the label, or none.
func (t tokens) find(rows *table, i, label int) *construction {
	c, _ := t.match(rows, i, label)
	return c
}

// match is find, and returns the index behind the text that the row matches.
func (t tokens) match(rows *table, i, label int) (c *construction, end int) {
	for k := range t[i].constructions {
		if c := &t[i].constructions[k]; c.table == rows {
			if end, ok := surrounds(t, c, i, i+1, label); ok {
				return c, end
			}
		}
	}
	return nil, 0
}

// framed returns the first row of a table that matches the text around the label t[start:end], or nil if none does.
func (t tokens) framed(rows *table, start, end int) *construction {
	return t.between(rows, start, end, start)
}

// back returns the first row that matches at one of the tokens t[from:label], or nil if none does. It tries the last
// token first.
func (t tokens) back(rows *table, label, from int) *construction {
	for i := label - 1; i >= from; i-- {
		if c := t.find(rows, i, label); c != nil {
			return c
		}
	}
	return nil
}

// between is framed for the first label t[start:end] and a second one, which begins at next.
func (t tokens) between(rows *table, start, end, next int) *construction {
	for k := range rows.atLabel {
		if _, ok := surrounds(t, &rows.atLabel[k], start, end, next); ok {
			return &rows.atLabel[k]
		}
	}
	return nil
}

// surrounds reports whether a row matches the text before and after t[start:end], and where the match ends. label is
// the index of the label, or none.
func surrounds(t tokens, c *construction, start, end, label int) (to int, ok bool) {
	if _, ok := follows(t, c.before, start-1, -1, label); !ok {
		return 0, false
	}
	return follows(t, c.behind, end, 1, label)
}

// follows reports whether elements match consecutive tokens from t[at] on, and which token is next. It goes forward if
// step is 1, and backward if step is -1.
func follows(t tokens, elements []element, at, step, label int) (next int, ok bool) {
	if len(elements) == 0 {
		return at, true
	}
	e := &elements[0]
	for n := 0; ; n++ {
		if n >= e.least {
			if next, ok := follows(t, elements[1:], at, step, label); ok {
				return next, true
			}
		}
		if n == e.most || !holdsAt(t, e, at, label) {
			return 0, false
		}
		at += step
	}
}

// holdsAt reports whether the element e matches the token at i. The index i may be outside of the text.
func holdsAt(t tokens, e *element, i, label int) bool {
	held := e.sign&word != 0 && t.word(i) || e.sign&pause != 0 && !t.word(i) || e.sign&theLabel != 0 && i == label ||
		e.sign&number != 0 && english.IsDigitAt(t.text(i), 0) ||
		e.sign&opening != 0 && i+1 < len(t) && t.clauseStart(i+1) == i+1 || e.words[t.text(i)]
	return held != e.other
}

// effect is a set of things that a construction does to the label near it.
type effect uint32

const passes effect = 0 // no effect, and the words before it are read as well
const (
	denies  effect = 1 << iota
	hedges         // the answer is not sure
	unsays         // asked, supposed, claimed by others, or due: not said
	oughts         // "should be": counts as said only in a correction
	classes        // cancels unsays: "should be classified as"
	stops          // ends the search: the words before the construction have no effect

	// Effects of cues: phrases such as "therefore", "actually" and "never mind" that announce or correct a verdict.
	announces // the verdict is the first label behind the cue
	concludes // the verdict is in the same sentence as the cue
	corrects  // the correction is in the same sentence as the cue, or in one of the next two
	takesBack // like corrects; if there is no correction, the label before the cue is retracted
	replaces  // the new label follows the word "to"

	// Effects of a row on two adjacent labels.
	second // only the second label is said
	also   // the second label is listed if the first one is
)

// effects maps the names of effects in tables.txt to effects.
var effects = map[string]effect{"found": 0, "passes": passes, "denies": denies, "hedges": hedges, "unsays": unsays,
	"oughts": oughts, "classes": classes,
	"stops": stops, "announces": announces, "concludes": concludes, "corrects": corrects,
	"takesBack": takesBack, "replaces": replaces, "second": second, "also": also,
}
