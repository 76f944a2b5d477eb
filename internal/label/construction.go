package label

import (
	_ "embed" // the tables
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// construction is a row of tables.txt: words in a row, and what they come to for a label.
type construction struct {
	row    string
	before []element // of the place where it is found, from there on back
	behind []element
	effect effect
	stance stance
}

type element struct {
	kind     byte // '|' one of words, '!' none of them, '-' another word, or one of the signs above
	words    map[string]bool
	optional bool
	opening  bool // or the beginning of a clause
	pause    bool // or no word
}

// constructions holds a table by the words at which its rows are found.
type constructions map[string][]construction

//go:embed tables.txt
var tablesFile string

var tables = readTables(tablesFile)

// readTables reads tables by their names.
func readTables(file string) map[string]constructions {
	out := map[string]constructions{}
	var t constructions
	for line := range strings.Lines(file) {
		what, row, found := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case what == "" || line[0] == '#':
		case line[0] != ' ':
			t = constructions{}
			out[what] = t
		case found:
			t.add(what, row)
		}
	}
	return out
}

// add appends a row: what it comes to, and the words in a row.
func (t constructions) add(what, row string) {
	c := construction{stance: said, row: row}
	for name := range strings.FieldsSeq(what) {
		if stance, ok := stances[name]; ok {
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
	at := elementOf(strings.TrimPrefix(words[anchor], ">"))
	if at.kind == '_' {
		at.words = english.Set("_")
	}
	for w := range at.words {
		t[w] = append(t[w], c)
	}
}

// trials are tables that are tried at every word of an answer. One look-up tells which of them have a row for it.
type trials uint8

const (
	inHedging trials = 1 << iota
	inUnsure
	inUndecided
	inCues
	isAnnouncing
)

var tried = func() map[string]trials {
	m := map[string]trials{}
	for bit, name := range map[trials]string{inHedging: "hedging", inUnsure: "unsure", inUndecided: "undecided", inCues: "cues"} {
		for word := range tables[name] {
			m[word] |= bit
		}
	}
	for word := range announcing {
		m[word] |= isAnnouncing
	}
	return m
}()

func elementOf(word string) element {
	word, optional := strings.CutSuffix(word, "?")
	switch word {
	case "*", "_", "~", "#", "...", "%d":
		return element{kind: word[0], optional: optional}
	case "_ed":
		return element{kind: 'd'}
	}
	e := element{kind: '|', words: map[string]bool{}, optional: optional}
	if word[0] == '!' || word[0] == '-' && len(word) > 1 {
		e.kind, word = word[0], word[1:]
	}
	for w := range strings.SplitSeq(word, "|") {
		name, listed := strings.CutPrefix(w, "$")
		switch {
		case w == "^":
			e.opening = true
		case w == ".":
			e.pause = true
		case listed && lists[name] != nil:
			maps.Copy(e.words, lists[name])
		case listed:
			panic("no list " + name)
		default:
			e.words[w] = true
		}
	}
	return e
}

func (c *construction) is(s stance) bool { return c != nil && c.stance == s }

// find returns the first row of a table that stands at a place before a label, nil if none does.
func (r *reading) find(t constructions, i, label int) *construction {
	rows := t[r.tokens[i].text]
	for k := range rows {
		if c := &rows[k]; r.follow(c.before, i-1, -1, label) && r.follow(c.behind, i+1, 1, label) {
			return c
		}
	}
	return nil
}

// framed returns the first row of a table that is found at a label, nil if none does.
func (r *reading) framed(t constructions, start, end int) *construction {
	rows := t["_"]
	for k := range rows {
		if c := &rows[k]; r.follow(c.before, start-1, -1, start) && r.follow(c.behind, end, 1, start) {
			return c
		}
	}
	return nil
}

// back returns the first row of a table that is found on the way back from a label to a place in its clause or sentence, nil if none is.
func (r *reading) back(t constructions, label, from int) *construction {
	for i := label - 1; i >= from; i-- {
		if c := r.find(t, i, label); c != nil {
			return c
		}
	}
	return nil
}

// gap is the most words for which "~" stands.
const gap = 2

// follow reports elements that stand one after the other from a place on, in steps of 1 or -1.
func (r *reading) follow(elements []element, at, step, label int) bool {
	reach := 0
	for k := range elements {
		e := &elements[k]
		switch e.kind {
		case '~':
			reach += gap
			continue
		case '.':
			for next := &elements[k+1]; at < label; at++ {
				if r.holds(next, at, label) {
					return true
				}
			}
			return false
		}
		for ; reach > 0 && r.word(at) && !r.holds(e, at, label); reach-- {
			at += step
		}
		reach = 0
		if r.holds(e, at, label) {
			at += step
		} else if !e.optional {
			return false
		}
	}
	return true
}

// holds reports an element at a place, which may be outside of the text.
func (r *reading) holds(e *element, i, label int) bool {
	inside := i >= 0 && i < len(r.tokens)
	switch e.kind {
	case '|':
		return inside && e.words[r.tokens[i].text] || r.atEdge(e, i)
	case '!':
		return !e.words[r.text(i)]
	case '-':
		return r.word(i) && !e.words[r.text(i)]
	case '*':
		return r.word(i)
	case '_':
		return i == label
	case '%':
		return english.DigitAt(r.text(i), 0)
	case 'd':
		return i == label && strings.HasSuffix(r.text(i), "ed")
	}
	return inside && r.isMark(i) // #
}

// atEdge reports the beginning of a clause, or no word, where an element may be that.
func (r *reading) atEdge(e *element, i int) bool {
	return e.opening && r.opensAt(i+1) || e.pause && !r.word(i)
}

// isMark reports a mark within a sentence.
func (r *reading) isMark(i int) bool {
	return i+1 < len(r.tokens) && !r.tokens[i].word && r.tokens[i].sentence == r.tokens[i+1].sentence
}

// opensAt reports the first word of a clause.
func (r *reading) opensAt(i int) bool { return i < len(r.tokens) && int(r.tokens[i].clause.from) == i }

// effect is what a construction comes to for the label behind it.
type effect uint32

const passes effect = 0 // nothing, and the words before it are looked at
const (
	denies    effect = 1 << iota
	hedges           // nobody can be sure
	unsays           // asked, supposed, claimed by others, or due: not said
	wishes           // only what would be
	owes             // only what has to be done: "you should deny it"
	oughts           // "should be": a correction where one is at hand
	chooses          // but among more than two labels a choice: "this should be a P2"
	signs            // but a conclusion of a label that is a sign: "so it must be C++"
	classes          // what has to be said of it: "should be classified as"
	completes        // "fully"
	mainly           // but among several kinds the one that is: "mostly sadness"
	topical          // something is said of the label that is neither right nor wrong
	ousts            // "rather than": another label stands in its place
	stops            // and nothing before it has a say
)

// effects are those that a row names. Those of cues are effects of their own.
var effects = map[string]effect{"passes": passes, "denies": denies, "hedges": hedges, "unsays": unsays, "wishes": wishes, "owes": owes, "oughts": oughts,
	"chooses": chooses, "signs": signs, "classes": classes, "completes": completes, "mainly": mainly, "topical": topical, "ousts": ousts, "stops": stops,
	"concludes": concludes, "corrects": corrects, "takesBack": takesBack, "breaksOff": breaksOff, "replaces": replaces}
