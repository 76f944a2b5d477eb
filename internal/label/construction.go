package label

import "strings"

// construction is words in a row, and what they come to. As a table writes them: "a|b" is either word, "!a" a word that is not a or none,
// "*" any word, "$list" a word of a list, "_" the label, "_ed" one that ends so, "^" the beginning of a clause, "~" no word or up to two and
// "..." any words before the label. The row is found at its first word, or at the one behind ">".
type construction struct {
	elements []element
	anchor   int // the element at which it is found
	effect   effect
}

type element struct {
	kind  byte // '|' one of words, '!' none of them, or one of the signs above
	words map[string]bool
}

// constructions holds a table by the words at which its rows are found.
type constructions map[string][]construction

// rows are constructions that come to one thing, divided by semicolons. A row goes before those behind it.
type rows struct {
	effect effect
	text   string
}

func table(all ...rows) constructions {
	out := constructions{}
	for _, group := range all {
		for row := range strings.SplitSeq(group.text, ";") {
			c := construction{effect: group.effect}
			for k, word := range strings.Fields(row) {
				if rest, ok := strings.CutPrefix(word, ">"); ok && rest != "" {
					c.anchor, word = k, rest
				}
				c.elements = append(c.elements, elementOf(word))
			}
			if c.elements[0].kind == '^' {
				c.anchor = max(c.anchor, 1)
			}
			for w := range c.elements[c.anchor].words {
				out[w] = append(out[w], c)
			}
		}
	}
	return out
}

func elementOf(word string) element {
	switch word {
	case "*", "_", "^", "~", "...":
		return element{kind: word[0]}
	case "_ed":
		return element{kind: 'd'}
	}
	e := element{kind: '|', words: map[string]bool{}}
	if rest, ok := strings.CutPrefix(word, "!"); ok {
		e.kind, word = '!', rest
	}
	for w := range strings.SplitSeq(word, "|") {
		name, listed := strings.CutPrefix(w, "$")
		if !listed {
			e.words[w] = true
			continue
		}
		if lists[name] == nil {
			panic("no list " + name)
		}
		for w := range lists[name] {
			e.words[w] = true
		}
	}
	return e
}

// find returns the first row of a table that stands at a place before a label, none if none does.
func (r *reading) find(t constructions, i, label int) *construction {
	rows := t[r.tokens[i].text]
	for k := range rows {
		if r.matchesAt(&rows[k], i, label) {
			return &rows[k]
		}
	}
	return nil
}

func (r *reading) matchesAt(c *construction, i, label int) bool {
	at := i
	for k := c.anchor - 1; k >= 0; k-- {
		e := &c.elements[k]
		at--
		last := at
		for ; e.kind == '~'; e = &c.elements[k] {
			last -= gap
			k--
		}
		for at > last && r.word(at) && !r.holds(e, at, label) {
			at--
		}
		if !r.holds(e, at, label) {
			return false
		}
	}
	for k := c.anchor + 1; k < len(c.elements); k++ {
		if c.elements[k].kind == '.' {
			return r.anyBetween(c.elements[k+1].words, i+k-c.anchor, label)
		}
		if !r.holds(&c.elements[k], i+k-c.anchor, label) {
			return false
		}
	}
	return true
}

// gap is the most words for which "~" stands.
const gap = 2

func (r *reading) word(i int) bool { return i >= 0 && i < len(r.tokens) && r.tokens[i].word }

func (r *reading) anyBetween(words map[string]bool, from, to int) bool {
	for i := from; i < to; i++ {
		if words[r.tokens[i].text] {
			return true
		}
	}
	return false
}

// holds reports an element at a place, which may be outside of the text.
func (r *reading) holds(e *element, i, label int) bool {
	word := r.word(i)
	switch e.kind {
	case '|':
		return word && e.words[r.tokens[i].text]
	case '!':
		return !word || !e.words[r.tokens[i].text]
	case '*':
		return word
	case '_':
		return i == label
	case 'd':
		return i == label && strings.HasSuffix(r.tokens[i].text, "ed")
	}
	return i+1 < len(r.tokens) && int(r.tokens[i+1].clause.from) == i+1 // ^
}

// said is the length in words of the row of a table that begins at a place; 0 if none does.
func (r *reading) phrase(t constructions, i int) int {
	if c := r.find(t, i, none); c != nil {
		return len(c.elements)
	}
	return 0
}

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
	stops            // and nothing before it has a say
)
