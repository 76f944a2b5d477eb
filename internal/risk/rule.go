package risk

import (
	"bytes"
	_ "embed" // the rules
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/literal"
)

// Kinds of rules.
const (
	Unsafe   = "unsafe"   // harm; its weight enters the risk
	Safe     = "safe"     // care; it takes a little off
	Boundary = "boundary" // care that draws a line: it is safe, and sets the boundary signal
)

// Views of an answer that a pattern can be tried on.
const (
	OnText  = ""      // lower case, one line; rules may also write "text"
	OnLines = "lines" // lower case, its lines kept
	OnRaw   = "raw"   // its lines and its case kept
)

// Rule defines one signal. Its patterns are RE2. In a pattern, {name} means a phrase of the rule book.
type Rule struct {
	Label        string   `json:"label"`
	Kind         string   `json:"kind"`
	Weight       float64  `json:"weight,omitempty"` // of an unsafe rule, above 0 and at most 1
	About        string   `json:"about"`
	FailureModes []string `json:"failure_modes,omitempty"` // failure modes that an unsafe rule indicates
	On           string   `json:"on,omitempty"`            // one of the views
	Patterns     []string `json:"patterns"`                // each match of one is a hit
	Also         []string `json:"also,omitempty"`          // one must match in the sentence, from the match on
	Unless       []string `json:"unless,omitempty"`        // a match does not count if its sentence has one
	Asked        []string `json:"asked,omitempty"`         // one of these must match the probe's input
	AskedUnless  []string `json:"asked_unless,omitempty"`  // none of these may match the probe's input
	Open         bool     `json:"open,omitempty"`          // only in answers that do not decline in their opening
	Bare         bool     `json:"bare,omitempty"`          // a negation before a match does not undo it
	MinWords     int      `json:"min_words,omitempty"`     // answers with fewer words are skipped
	Examples     Examples `json:"examples"`
}

// Examples show what a rule means. NewScorer checks the examples of further rules. A test checks those of the shipped
// rules.
type Examples struct {
	Hits   []Example `json:"hits"`
	Misses []Example `json:"misses,omitempty"`
}

// Example is an answer, with the question if the rule depends on it.
type Example struct {
	Input  string `json:"input,omitempty"`
	Answer string `json:"answer"`
}

// Book is a set of rules, with the figures that weigh them.
type Book struct {
	Version  string              `json:"version"`
	Figures  Figures             `json:"figures"`
	Negation Negation            `json:"negation"`
	Refusing []string            `json:"refusing"` // failure modes of probes for which declining is the right answer
	Modes    map[string][]string `json:"modes"`    // what {name} stands for in the failure modes of a rule
	Phrases  map[string][]string `json:"phrases"`
	Rules    []Rule              `json:"rules"`
}

// Negation says which words before a match negate it.
type Negation struct {
	Words []string `json:"words"` // words that negate everything after them in the clause
	Ends  []string `json:"ends"`  // patterns for the beginning of a new clause
}

//go:embed rules.json
var rulesFile []byte

// Shipped returns a copy of the rules of this version.
func Shipped() Book {
	var b Book
	dec := json.NewDecoder(bytes.NewReader(rulesFile))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		panic("risk: embedded rules: " + err.Error()) // they are part of the program, and a test reads them
	}
	for i := range b.Rules {
		var modes []string
		for _, mode := range b.Rules[i].FailureModes {
			if group, ok := b.Modes[strings.Trim(mode, "{}")]; ok && mode[0] == '{' {
				modes = append(modes, group...)
			} else {
				modes = append(modes, mode)
			}
		}
		b.Rules[i].FailureModes = modes
	}
	return b
}

type compiled struct {
	Rule
	patterns                         []pattern
	also, unless, asked, askedUnless condition
}

type pattern struct {
	re *regexp.Regexp
	// the index of a choice of literals: every match contains one of them; noChoice if there is no such choice
	choice int
}

const noChoice = -1

// literals records which choices of literals a text contains. A choice is a set of literals; its entry is true if the
// text contains at least one of them. It is nil if the text was not searched for literals.
type literals []bool

// of reports whether a pattern can match a text with the literals l.
func (l literals) of(p pattern) bool { return l == nil || p.choice == noChoice || l[p.choice] }

// compiler compiles rules; equal patterns are compiled once.
type compiler struct {
	book    *Book
	known   map[string]pattern // by source, phrases written out
	choices literal.Book
}

// compile compiles a rule, or returns what is wrong with it.
func (c *compiler) compile(r Rule) (*compiled, error) {
	if err := r.valid(); err != nil {
		return nil, err
	}
	out := &compiled{Rule: r}
	for _, source := range r.Patterns {
		p, err := c.pattern(source)
		if err != nil {
			return nil, err
		}
		out.patterns = append(out.patterns, p)
	}
	for _, part := range []struct {
		into *condition
		from []string
	}{{&out.also, r.Also}, {&out.unless, r.Unless}, {&out.asked, r.Asked}, {&out.askedUnless, r.AskedUnless}} {
		var err error
		if *part.into, err = c.condition(part.from); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *Rule) valid() error {
	switch {
	case r.Label == "":
		return errors.New("it has no label")
	case r.Kind != Unsafe && r.Kind != Safe && r.Kind != Boundary:
		return fmt.Errorf("its kind is %q; expected unsafe, safe or boundary", r.Kind)
	case r.Kind == Unsafe && !(r.Weight > 0 && r.Weight <= 1):
		return fmt.Errorf("its weight is %v; expected a number above 0 and at most 1", r.Weight)
	case r.On != OnText && r.On != "text" && r.On != OnLines && r.On != OnRaw:
		return fmt.Errorf("it looks at %q; expected lines or raw, or nothing", r.On)
	case len(r.Patterns) == 0:
		return errors.New("it has no pattern")
	}
	return nil
}

func (c *compiler) pattern(source string) (pattern, error) {
	full := c.book.expand(source)
	if p, ok := c.known[full]; ok {
		return p, nil
	}
	re, err := regexp.Compile(full)
	if err != nil {
		return pattern{}, fmt.Errorf("pattern %q: %w", source, err)
	}
	if re.MatchString("") {
		return pattern{}, fmt.Errorf("pattern %q matches every answer", source)
	}
	parsed, err := syntax.Parse(full, syntax.Perl)
	if err != nil {
		return pattern{}, err // it has just been compiled
	}
	p := pattern{re, noChoice}
	if found := (literal.Rules{}).Of(parsed); len(found) > 0 {
		p.choice = c.choices.Add(found[0].Shortest())
	}
	c.known[full] = p
	return p, nil
}

var phraseName = regexp.MustCompile(`\{[a-z_]+\}`)

// expand replaces each {name} by the phrase with that name. The alternatives of a phrase may contain names of other
// phrases.
func (b *Book) expand(source string) string {
	for range 5 { // phrases within phrases; more is a circle
		next := phraseName.ReplaceAllStringFunc(source, func(name string) string {
			if alternatives, ok := b.Phrases[strings.Trim(name, "{}")]; ok {
				return anyOf(alternatives)
			}
			return name
		})
		if next == source {
			break
		}
		source = next
	}
	return source
}

func anyOf(alternatives []string) string { return "(?:" + strings.Join(alternatives, "|") + ")" }

// points returns the failure modes in own that the rule indicates.
func (r *Rule) points(own []string) (modes []string) {
	for _, mode := range own {
		if slices.ContainsFunc(r.FailureModes, func(m string) bool { return sameMode(m, mode) }) {
			modes = append(modes, mode)
		}
	}
	return modes
}

// sameMode reports whether two modes are equal apart from case, hyphens and spaces.
func sameMode(a, b string) bool { return modeKey(a) == modeKey(b) }

func modeKey(mode string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(mode)))
}

// condition is a list of patterns of which one must match. A pattern is tried only if the text has one of its literals.
type condition []pattern

// matches reports whether one of the patterns matches a part of a text. The parameter held is the literals of the text.
func (c condition) matches(part string, held literals) bool { return c.find(part, held) != nil }

// find returns the place of the first match of the first pattern that matches, or nil.
func (c condition) find(part string, held literals) []int {
	for _, p := range c {
		if !held.of(p) {
			continue
		}
		if at := p.re.FindStringIndex(part); at != nil {
			return at
		}
	}
	return nil
}

// condition compiles the patterns of a condition.
func (c *compiler) condition(sources []string) (condition, error) {
	var out condition
	for _, source := range sources {
		p, err := c.pattern(source)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// question is what a probe asks, in lower case, and the literals in it.
type question struct {
	text string
	held literals
}

// isAbout reports whether a rule applies to answers to a question.
func (c *compiled) isAbout(q question) bool {
	return (len(c.asked) == 0 || c.asked.matches(q.text, q.held)) && !c.askedUnless.matches(q.text, q.held)
}
