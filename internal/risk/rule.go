package risk

import (
	_ "embed" // for rules.json
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/literal"
	texts "github.com/failproof/failproof/internal/text"
)

// Kinds of rules.
const (
	Unsafe   = "unsafe"   // words that do harm; the rule's weight raises the risk
	Safe     = "safe"     // words that avoid harm; the rule lowers the risk a little
	Boundary = "boundary" // safe words that set a limit; the rule also sets the boundary signal
)

// Values of Rule.On: forms of the answer that patterns are matched against.
const (
	OnText  = ""      // in lower case, on one line; "text" means the same
	OnLines = "lines" // in lower case, with its lines
	OnRaw   = "raw"   // with its lines and its case
)

// Rule defines one signal. Its patterns are RE2 expressions, in which {name} stands for the phrase with that name in
// the Book.
type Rule struct {
	Label           string   `json:"label"`
	Kind            string   `json:"kind"`
	Weight          float64  `json:"weight,omitempty"` // for unsafe rules: above 0, at most 1
	About           string   `json:"about"`
	FailureModes    []string `json:"failure_modes,omitempty"` // failure modes that an unsafe rule indicates
	Form            string   `json:"on,omitempty"`            // OnText, OnLines or OnRaw
	Patterns        []string `json:"patterns"`                // each match of a pattern is a hit
	Also            []string `json:"also,omitempty"`          // one of these must follow in the same sentence
	Unless          []string `json:"unless,omitempty"`        // none of these may match in the same sentence
	InputPatterns   []string `json:"asked,omitempty"`         // one of these must match the probe's input
	InputExclusions []string `json:"asked_unless,omitempty"`  // none of these may match the probe's input
	UnlessDeclined  bool     `json:"open,omitempty"`          // only for answers that do not begin by declining
	IgnoresNegation bool     `json:"bare,omitempty"`          // a negation before a match does not undo it
	MinWords        int      `json:"min_words,omitempty"`     // answers with fewer words do not match
	Examples        Examples `json:"examples"`
}

// Examples are answers that a rule must match and answers that it must not match. With checks the examples of
// further rules, and a test checks those of the shipped rules.
type Examples struct {
	Hits   []Example `json:"hits"`
	Misses []Example `json:"misses,omitempty"`
}

// Example is an answer. Input is the question, if the rule depends on it.
type Example struct {
	Input  string `json:"input,omitempty"`
	Answer string `json:"answer"`
}

// RuleSet is a set of rules with the numbers from which the risk is computed.
type RuleSet struct {
	Version    string              `json:"version"`
	Parameters Parameters          `json:"figures"`
	Negation   Negation            `json:"negation"`
	Refusing   []string            `json:"refusing"` // failure modes of probes for which declining is the right answer
	Modes      map[string][]string `json:"modes"`    // what {name} stands for in the failure modes of a rule
	Phrases    map[string][]string `json:"phrases"`
	Rules      []Rule              `json:"rules"`
}

// Negation says which words before a match negate it.
type Negation struct {
	Words []string `json:"words"` // words that negate everything after them in the clause
	Ends  []string `json:"ends"`  // patterns for the beginning of a new clause
}

//go:embed rules.json
var rulesFile []byte

// ShippedRules returns a copy of the rules that failproof ships.
func ShippedRules() RuleSet {
	b := texts.MustParse[RuleSet](rulesFile)
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
	patterns, also, unless, asked, askedUnless condition
}

type pattern struct {
	re    *regexp.Regexp
	needs literal.Set // what every text with a match of re has
}

// compiler compiles rules. It compiles equal patterns only once.
type compiler struct {
	phrases literal.Phrases
	known   map[string]pattern // compiled patterns by their source, in which {name} is replaced
	choices literal.FinderBuilder
}

// compile returns the compiled rule, or an error that says what is wrong with the rule.
func (c *compiler) compile(r Rule) (*compiled, error) {
	if r.Kind == Unsafe && !(r.Weight > 0 && r.Weight <= 1) {
		return nil, fmt.Errorf("its weight is %v; expected a number above 0 and at most 1", r.Weight)
	}
	out := &compiled{Rule: r}
	for _, part := range []struct {
		into *condition
		from []string
	}{{&out.patterns, r.Patterns}, {&out.also, r.Also}, {&out.unless, r.Unless}, {&out.asked, r.InputPatterns},
		{&out.askedUnless, r.InputExclusions}} {
		for _, source := range part.from {
			p, err := c.pattern(source)
			if err != nil {
				return nil, err
			}
			*part.into = append(*part.into, p)
		}
	}
	return out, nil
}

func (c *compiler) pattern(source string) (pattern, error) {
	full := c.phrases.Expand(source)
	if p, ok := c.known[full]; ok {
		return p, nil
	}
	parsed, err := syntax.Parse(full, syntax.Perl)
	if err != nil {
		return pattern{}, fmt.Errorf("pattern %q: %w", source, err)
	}
	re := regexp.MustCompile(full) // it parses
	if re.MatchString("") {
		return pattern{}, fmt.Errorf("pattern %q matches every answer", source)
	}
	p := pattern{re, c.choices.Add(literal.Extractor{}.Extract(parsed))}
	c.known[full] = p
	return p, nil
}

func anyOf(alternatives []string) string { return "(?:" + strings.Join(alternatives, "|") + ")" }

// indicatedModes returns the failure modes in own that the rule indicates.
func (r *Rule) indicatedModes(own []string) (modes []string) {
	for _, mode := range own {
		if slices.ContainsFunc(r.FailureModes, func(m string) bool { return sameMode(m, mode) }) {
			modes = append(modes, mode)
		}
	}
	return modes
}

// sameMode reports whether two modes are equal apart from case, hyphens and spaces.
func sameMode(a, b string) bool {
	key := func(mode string) string {
		return strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(mode))
	}
	return strings.EqualFold(key(a), key(b))
}

// condition is a list of patterns. It is met if one of them matches. A pattern is tried only if the text has one of its
// literals.
type condition []pattern

// matches reports whether a pattern of c matches part, which is a part of a text. held has the literals of the whole
// text.
func (c condition) matches(part string, held literal.Set) bool { return c.find(part, held) != nil }

// find returns start and end of the first match of the first pattern that matches part, which is a part of a text. It
// returns nil if no pattern does.
func (c condition) find(part string, held literal.Set) []int {
	for _, p := range c {
		if !held.Has(p.needs) {
			continue
		}
		if at := p.re.FindStringIndex(part); at != nil {
			return at
		}
	}
	return nil
}

// question is the input of a probe in lower case, and the literals in it.
type question struct {
	text string
	held literal.Set
}

// isAbout reports whether the rule applies to answers to the question q.
func (c *compiled) isAbout(q question) bool {
	return (len(c.asked) == 0 || c.asked.matches(q.text, q.held)) && !c.askedUnless.matches(q.text, q.held)
}
