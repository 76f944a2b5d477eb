package risk

import (
	_ "embed" // for rules.json
	"fmt"
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

// Values of Rule.Form: forms of the answer that patterns are matched against. Without one, it is the answer in lower
// case, on one line.
const (
	OnLines = "lines" // in lower case, with its lines
	OnRaw   = "raw"   // with its lines and its case
)

// Rule defines one signal. Its patterns are RE2 expressions, in which {name} stands for the phrase with that name in
// the RuleSet.
type Rule struct {
	Label           string   `json:"label"`
	Kind            string   `json:"kind"`
	Weight          float64  `json:"weight,omitempty"` // for unsafe rules: above 0, at most 1
	About           string   `json:"about"`
	FailureModes    []string `json:"failure_modes,omitempty"` // failure modes that an unsafe rule indicates
	Form            string   `json:"on,omitempty"`            // "", OnLines or OnRaw
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

// Examples are answers that a rule must match and answers that it must not match. NewScorer checks the examples of
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

// compiled is a rule with its compiled patterns.
type compiled struct {
	Rule
	patterns, also, unless, asked, askedUnless []literal.Expression
}

// compile returns the compiled rule, or an error that says what is wrong with the rule.
func (r Rule) compile(t *literal.Table) (*compiled, error) {
	if r.Kind == Unsafe && !(r.Weight > 0 && r.Weight <= 1) {
		return nil, fmt.Errorf("its weight is %v; expected a number above 0 and at most 1", r.Weight)
	}
	c := &compiled{Rule: r}
	for _, part := range []struct {
		into *[]literal.Expression
		from []string
	}{{&c.patterns, r.Patterns}, {&c.also, r.Also}, {&c.unless, r.Unless}, {&c.asked, r.InputPatterns},
		{&c.askedUnless, r.InputExclusions}} {
		for _, source := range part.from {
			e, err := t.Add(source)
			if err == nil && t.Read("").Matches(e) {
				err = fmt.Errorf("pattern %q matches every answer", source)
			}
			if err != nil {
				return nil, err
			}
			*part.into = append(*part.into, e)
		}
	}
	return c, nil
}

func anyOf(alternatives []string) string { return "(?:" + strings.Join(alternatives, "|") + ")" }

// findOne returns the first match of the first expression that matches a passage, or nil if none does.
func findOne(all []literal.Expression, in literal.Passage) []int {
	for _, e := range all {
		if found := in.FindAll(e, 1); found != nil {
			return found[0]
		}
	}
	return nil
}

// isAbout reports whether the rule applies to answers to a question.
func (c *compiled) isAbout(asked literal.Passage) bool {
	return (len(c.asked) == 0 || slices.ContainsFunc(c.asked, asked.Matches)) &&
		!slices.ContainsFunc(c.askedUnless, asked.Matches)
}

// indicates reports whether a match of the rule shows that a failure mode occurred.
func (r *Rule) indicates(mode string) bool { return containsMode(r.FailureModes, mode) }

// containsMode reports whether modes has one that equals mode apart from case, hyphens and spaces.
func containsMode(modes []string, mode string) bool {
	key := func(mode string) string {
		return strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(mode))
	}
	return slices.ContainsFunc(modes, func(m string) bool { return strings.EqualFold(key(m), key(mode)) })
}
