// Package skilleval converts evaluations of agent skills, in the formats of other tools, to suites. Evaluations and
// suites are trees of document.Node. The nodes of a suite have the positions of the evaluations that they come from.
// The package runs no script and no grader.
package skilleval

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
)

// Suite is the result of converting a file with evaluations.
type Suite struct {
	Roots         []*document.Node             // a suite for each skill, valid by schemas/suite.schema.json
	Skills        []string                     // the folders of the skills
	Needs         map[*document.Node]Criterion // the properties of each criterion in Roots
	CriteriaCount int                          // number of criteria, without those of skipped cases
	Cases         int                          // number of cases in Roots
}

// Criterion has the properties of a criterion that a suite file cannot express.
type Criterion struct {
	Needs       Needs
	IsReference bool // whether the criterion is ReferenceCriterion
}

// Needs says what is needed to judge a criterion.
type Needs string

// The needs of a criterion.
const (
	NeedsText   Needs = ""      // the text of the answer shows it
	NeedsAsking Needs = "asked" // a judge must first say whether the text can show it
	NeedsRun    Needs = "run"   // files, commands or calls of a run show it
)

var allNeeds = []Needs{NeedsText, NeedsAsking, NeedsRun}

// CompareNeeds compares a and b in the order NeedsText, NeedsAsking, NeedsRun. It returns a negative number if a comes
// first.
func CompareNeeds(a, b Needs) int { return slices.Index(allNeeds, a) - slices.Index(allNeeds, b) }

func (n Needs) String() string { return cmp.Or(string(n), "text") }

// Source is a file of evaluations in a tree.
type Source struct {
	Path     string
	Root     *document.Node
	Overlay  *document.Node // the failproof.yaml beside the file, or nil
	HasJudge bool           // whether a judge is configured
	FS       fs.FS          // the tree
	// CheckFile returns the length of a file in bytes. lacks is the reason why the file cannot be sent, or "".
	CheckFile func(path string) (bytes int, lacks string)
}

// IsEvaluations reports whether Read can convert the file with the given name and content.
func IsEvaluations(name string, root *document.Node) bool {
	return IsEvalsJSON(name, root) || path.Base(name) == "eval.yaml" && (stimuli(root) != nil || isWaza(root))
}

// HasEvaluationsName reports whether the file has a name that files with evaluations have.
func HasEvaluationsName(name string) bool {
	return slices.Contains([]string{"evals.json", "eval.yaml"}, path.Base(name))
}

// Read converts the evaluations in s to a suite for each skill.
func Read(s Source) (Suite, []document.Diagnostic) {
	if IsEvalsJSON(s.Path, s.Root) {
		return convertEvalsJSON(s)
	}
	return convertVally(s)
}

// LooksLikeEvaluations reports whether text looks like a file with evaluations, even if it is invalid.
func LooksLikeEvaluations(text string) bool {
	text = "\n" + text
	return strings.Contains(text, `"skill_name"`) || strings.Contains(text, "\nstimuli:") || strings.Contains(text, "\nscenarios:") ||
		strings.Contains(text, "\nskill:") && strings.Contains(text, "\ntasks:")
}

// converter converts one file to a Suite.
type converter struct {
	Source
	document.Diagnostics
	out    Suite
	warned map[string]bool // the keys and graders that a warning names already
}

func newConverter(s Source) *converter {
	return &converter{Source: s, Diagnostics: document.Diagnostics{Path: s.Path}, warned: map[string]bool{},
		out: Suite{Needs: map[*document.Node]Criterion{}}}
}

// newSuite returns the tree of a suite for the skill in folder, without cases.
func (c *converter) newSuite(name, description *document.Node, folder string) *document.Node {
	root := newMap(c.Root.Pos)
	putKey(root, "version", &document.Node{Kind: document.Number, Text: "1", Pos: root.Pos})
	putKey(root, "id", stringNode(name.Pos, "skill/"+name.Text))
	if description.AsText() != "" {
		putKey(root, "description", description)
	}
	prompt := newMap(name.Pos)
	putKey(prompt, "skill", stringNode(name.Pos, c.relativePath(folder)))
	c.out.Skills = append(c.out.Skills, folder)
	putKey(root, "prompt", prompt)
	return root
}

// addSuite adds a suite with its cases to the result. It leaves out a suite without cases, about which there is a fault
// or a warning.
func (c *converter) addSuite(root *document.Node, cases []*document.Node) {
	if len(cases) > 0 {
		putKey(root, "cases", document.ListOf(cases[0].Pos, cases...))
		c.out.Roots, c.out.Cases = append(c.out.Roots, root), c.out.Cases+len(cases)
	}
}

// block is a file whose text follows the prompt in a message.
type block struct {
	name  string
	value *document.Node // value of the variable that has the text
}

// setMessage sets the message of the case out: the prompt, followed by the texts of the files, which have the given
// size together.
func setMessage(r *converter, out, prompt *document.Node, files []block, bytes int) {
	if len(files) > maxFiles || bytes > MaxFileBytes {
		r.ErrorAt(prompt.Pos, "limit", "the case has %d files of %d KiB, at most %d of %d KiB are sent", len(files),
			(bytes+1023)>>10, maxFiles, MaxFileBytes>>10)
	}
	vars, content := newMap(prompt.Pos), "{{ "+Task+" }}"
	putKey(vars, Task, prompt)
	for i, f := range files {
		name := fmt.Sprint("file_", i+1)
		putKey(vars, name, f.value)
		content += fmt.Sprintf("\n\n<file path=%q>\n{{ %s }}\n</file>", f.name, name)
	}
	putKey(out, "vars", vars)
	message := newMap(prompt.Pos)
	putKey(message, "role", stringNode(prompt.Pos, "user"))
	putKey(message, "content", stringNode(prompt.Pos, content))
	putKey(out, "messages", document.ListOf(prompt.Pos, message))
}

// addCriterion returns rubric with one more criterion. If rubric has a criterion with the same words, it returns rubric
// unchanged.
func (c *converter) addCriterion(rubric []*document.Node, at document.Position, words string, properties Criterion) []*document.Node {
	if slices.ContainsFunc(rubric, func(n *document.Node) bool { return n.Get("criterion").Text == words }) {
		return rubric
	}
	one := newMap(at)
	putKey(one, "criterion", stringNode(at, words))
	c.out.Needs[one] = properties
	c.out.CriteriaCount++
	return append(rubric, one)
}

// fileValue returns the value for a variable that has the text of a file, and the length of the text in bytes. name is
// the path of the file relative to folder. The value is nil if the file cannot be sent.
func (c *converter) fileValue(at *document.Node, folder, name string) (value *document.Node, bytes int) {
	resolved := path.Join(folder, name)
	switch bytes, lacks := c.CheckFile(resolved); {
	case name == "":
		c.ErrorAt(at.Pos, "type", "a file is no path; expected the path of a text, begun in the folder of the skill")
	case path.IsAbs(name), resolved == "..", strings.HasPrefix(resolved, "../"):
		c.ErrorAt(at.Pos, "path", "file %s leads out of the folder that the configuration is for", document.Quote(name))
	case strings.Contains(name, "{{") || lacks != "":
		c.WarnAt(at.Pos, "missing-file", "file %s %s: without it no answer can be judged, so the case needs a run",
			document.Quote(name), cmp.Or(lacks, "has braces in its name"))
	default:
		value = newMap(at.Pos)
		putKey(value, "file", stringNode(at.Pos, c.relativePath(resolved)))
		return value, bytes
	}
	return nil, 0
}

// criterionKeys are the keys that a criterion may have if it is a map. The first of text, description and check that is
// set has the text of the criterion.
var criterionKeys = []string{"id", "name", "text", "description", "check"}

// criterionText returns the text of the criterion n. If n is invalid, it adds an error and returns "".
func (c *converter) criterionText(n *document.Node) string {
	words := n
	if n.AsMap() != nil {
		c.warnUnknownKeys(n, criterionKeys...)
		words = firstValue(n, criterionKeys[2:]...)
	}
	all := strings.TrimSpace(words.AsText())
	switch length := utf8.RuneCountInString(all); {
	case all == "":
		c.ErrorAt(n.Pos, "criterion", "this is no criterion; expected a text, or a map with `text`, `description` or `check`")
	case length > maxCriterion:
		c.ErrorAt(n.Pos, "limit", "the criterion is %d characters long, at most %d are judged", length, maxCriterion)
		return ""
	}
	return all
}

// warnUnknownKeys warns of each key of the map n that is not in known. It warns only once for each name of a key.
func (c *converter) warnUnknownKeys(n *document.Node, known ...string) {
	for _, key := range n.Keys {
		if !slices.Contains(known, key.Text) && !c.warned[key.Text] {
			c.warned[key.Text] = true
			c.WarnAt(key.Pos, "unknown-key", "%s is not read and changes nothing", document.Quote(key.Text))
		}
	}
}

// relativePath returns name, a path in the tree, as a path relative to the folder of the file with evaluations.
func (c *converter) relativePath(name string) string {
	return strings.Repeat("../", strings.Count(c.Source.Path, "/")) + name
}

// stringNode returns a String node with the given position and text.
func stringNode(at document.Position, s string) *document.Node {
	return &document.Node{Kind: document.String, Text: s, Pos: at}
}

// putKey adds the key with the given value to the map n, unless value is nil.
func putKey(n *document.Node, key string, value *document.Node) {
	if value != nil {
		n.Keys, n.Values = append(n.Keys, stringNode(value.Pos, key)), append(n.Values, value)
	}
}

// putList adds the key with a list of items to the map n, unless items is empty.
func putList(n *document.Node, key string, items []*document.Node) {
	if len(items) > 0 {
		putKey(n, key, document.ListOf(items[0].Pos, items...))
	}
}

// newMap returns an empty map with the given position.
func newMap(at document.Position) *document.Node { return &document.Node{Kind: document.Map, Pos: at} }
