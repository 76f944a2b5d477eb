// Package skilleval makes suites of the evaluations that others keep beside agent skills: a tree of their file comes in,
// a tree of a suite file goes out, whose places are still those of their file. It runs no script and no grader.
package skilleval

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Suite is what is made of a file.
type Suite struct {
	Root  *document.Node               // as schemas/suite.schema.json has it
	Needs map[*document.Node]Criterion // by the criteria of Root
	Total int                          // criteria, those of skipped cases aside
}

// Criterion is what a suite file cannot say of a criterion.
type Criterion struct {
	Needs       Needs
	IsReference bool // it asks whether the answer is what the reference describes
}

// Needs says what it takes to judge a criterion.
type Needs string

// What a criterion may need.
const (
	Text  Needs = ""      // the text of the answer shows it
	Asked Needs = "asked" // a judge is asked whether the text can show it
	Run   Needs = "run"   // files, commands or calls of a run
)

var allNeeds = []Needs{Text, Asked, Run}

// Compare orders needs, the least first.
func Compare(a, b Needs) int { return slices.Index(allNeeds, a) - slices.Index(allNeeds, b) }

func (n Needs) String() string { return cmp.Or(string(n), "text") }

// Source is a file of evaluations and where it lies.
type Source struct {
	Path    string
	Root    *document.Node
	Overlay *document.Node // failproof.yaml beside it; nil for none
	// File is how long the text of a file of the tree is, and why there is none to send, or "".
	File func(path string) (bytes int, lacks string)
}

// reader makes one Suite.
type reader struct {
	Source
	out    Suite
	faults []document.Diagnostic
	warned map[string]bool // keys that are not read
}

func (r *reader) errorAt(at document.Position, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewFault(r.Path, at, rule, format, args...))
}

func (r *reader) warnAt(at document.Position, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewWarning(r.Path, at, rule, format, args...))
}

// unread warns of keys that are not among the known ones, each once.
func (r *reader) unread(n *document.Node, known ...string) {
	for _, key := range n.Keys {
		if !slices.Contains(known, key.Text) && !r.warned[key.Text] {
			r.warned[key.Text] = true
			r.warnAt(key.Pos, "unknown-key", "%s is not read and changes nothing", document.Quote(key.Text))
		}
	}
}

// fromTree is a path from the root of the tree as one that the file may name.
func (r *reader) fromTree(name string) string {
	dir := path.Dir(r.Path)
	if dir == "." {
		return name
	}
	return strings.Repeat("../", 1+strings.Count(dir, "/")) + name
}

// text is a string of a tree.
func text(at document.Position, s string) *document.Node {
	return &document.Node{Kind: document.String, Text: s, Pos: at}
}

// put sets a key of a map; a nil value sets none.
func put(n *document.Node, key string, value *document.Node) {
	if value != nil {
		n.Keys, n.Values = append(n.Keys, text(value.Pos, key)), append(n.Values, value)
	}
}

// newMap is an empty map.
func newMap(at document.Position) *document.Node { return &document.Node{Kind: document.Map, Pos: at} }
