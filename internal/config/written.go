package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// addTexts adds the text of each entry below n to texts, so that a Change can show it. prefix is the key of n with a
// dot, or "" for the root.
func addTexts(texts map[string]string, prefix string, n *document.Node) {
	for key, value := range n.Entries() {
		texts[prefix+key.Text] = oneLine(value)
		addTexts(texts, prefix+key.Text+".", value)
	}
}

// oneLine returns the value n on one line, in YAML's flow style.
func oneLine(n *document.Node) string {
	var parts []string
	switch n.Kind {
	case document.Null:
		return "null"
	case document.String:
		if unquotedText.MatchString(n.Text) {
			return n.Text
		}
		return strconv.Quote(n.Text)
	case document.List:
		for _, item := range n.List() {
			parts = append(parts, oneLine(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case document.Map:
		for key, value := range n.Entries() {
			parts = append(parts, key.Text+": "+oneLine(value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.Text
}

// unquotedText matches text that needs no quotes in YAML.
var unquotedText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ._/*-]*$|^[0-9]+[a-z]+$`)

// entries returns the entries that only the base decides, in the order in which changes are listed. Their pointers are
// to fields of c.
func (c *Config) entries() []entry {
	s, scoring, j := &c.Semantic, &c.Scoring, c.Judge
	if j == nil {
		j = &Judge{}
	}
	return slices.Concat([]entry{{"phase", &c.Phase, nil}}, c.Gate.entries(), []entry{
		{"refusal.extra_patterns", &c.Refusal.ExtraPatterns, nil},
		{"refusal.language", &c.Refusal.Language, nil},
		{"scoring.label.unclear_score", &scoring.LabelUnclearScore, nil},
		{"scoring.grounding.unsupported", &scoring.CountUnsupported, nil},
		{"scoring.grounding.required", &scoring.GroundingRequired, nil},
		{"scoring.synonyms", &scoring.Synonyms, nil},
		{"scoring.strategies", &scoring.Strategies, nil},
		{"scoring.penalties", &scoring.Penalties, nil},
		{"scoring.latency", &scoring.Latency, nil},
		{"scoring.risk", nil, func() string { return fmt.Sprintf("%#v", scoring.Risk) }},
		{"semantic.provider", &s.Provider, nil},
		{"semantic.model", &s.Model, nil},
		{"semantic.sha256", &s.SHA256, nil},
		{"semantic.endpoint", &s.Endpoint, nil},
		{"semantic.api_key_env", &s.APIKeyEnv, nil},
		{"semantic.threshold", &s.Threshold, nil},
		{"semantic.on_unavailable", &s.OnUnavailable, nil},
		{judgeKey + ".target", &j.Target, nil},
		{judgeKey + ".votes", &j.Votes, nil},
		{judgeKey + ".labeled", &j.LabelsPath, nil},
		{judgeKey + ".min_agreement", nil, j.agreementText},
		{"recordings.stale", &c.Recordings.Stale, nil},
		{"recordings.verify", &c.Recordings.Verify, nil},
		{"limits.max_calls", &c.Limits.MaxCalls, nil},
		{"limits.max_tokens", &c.Limits.MaxTokens, nil},
		{"limits.max_cost_usd", &c.Limits.MaxCostUSD, nil},
		{"limits.max_cases", &c.Limits.MaxCases, nil},
		{"limits.max_wall", &c.Limits.MaxWallSeconds, nil},
		{"explain", &c.Explain.MaxCalls, nil},
		{"secrets.redact_patterns", &c.RedactPatterns, nil},
	})
}

// meaning returns a text that is equal for settings with the same effect.
func (s Setting) meaning() string {
	if s.Level == Off {
		return string(Off)
	}
	return fmt.Sprint(s.Value, " ", s.Level)
}

// meaningWithDefault returns what meaning returns, and marks a default. It is for a setting whose default has another
// effect than a file that sets the same figure.
func (s *Setting) meaningWithDefault() string {
	if s.Set || s.Level == Off {
		return s.meaning()
	}
	return s.meaning() + " by default"
}

func (p Policy) name() string { return p.Name }

// meaning returns a text that is equal for policies with the same patterns and the same value of apply.
func (p Policy) meaning() string { return fmt.Sprintf("%q %v", p.Patterns, p.ApplyAll) }

// entry is a key of the file with the field that it sets. The key is read from the file, and its meaning is compared
// between base and head.
type entry struct {
	key string
	// pointer to the field; its type decides how the value is read; nil: other code reads the value
	field       any
	meaningFunc func() string // returns the entry's meaning; nil: the meaning is the field's value
}

// read sets the field from n. If n has no value, or a value of another kind, the field keeps its default.
func (e entry) read(n *document.Node) {
	switch field := e.field.(type) {
	case *string:
		*field = cmp.Or(wordOf(n), *field)
	case *Phase:
		*field = cmp.Or(Phase(wordOf(n)), *field)
	case *Setting:
		*field = settingOf(n, *field)
	case *bool:
		*field = *field || n.IsTrue()
	case *[]string:
		*field = textsOf(n)
	}
	number, ok := n.AsNumber()
	if !ok {
		return
	}
	whole := intOf(n)
	switch field := e.field.(type) {
	case *int:
		*field = whole
	case **int:
		*field = &whole
	case *float64:
		*field = number
	case **float64:
		*field = &number
	}
}

// meaning returns a text that is equal for entries with the same effect. It returns "" if the entry is not set.
func (e entry) meaning() string {
	if e.meaningFunc != nil {
		return e.meaningFunc()
	}
	value := reflect.ValueOf(e.field)
	for value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Pointer, reflect.String, reflect.Bool, reflect.Slice, reflect.Map: // for others, zero is a value
		if value.IsZero() {
			return ""
		}
	}
	switch value.Kind() {
	case reflect.Slice: // of texts or patterns
		return fmt.Sprintf("%q", value)
	case reflect.Map:
		return fmt.Sprintf("%#v", value)
	}
	if setting, ok := value.Interface().(Setting); ok {
		return setting.meaning()
	}
	return fmt.Sprint(value)
}

// wordOf returns the text of n if n is a string or a boolean. YAML reads `off` without quotes as a boolean.
func wordOf(n *document.Node) string {
	if n != nil && n.Kind == document.Bool {
		return n.Text
	}
	return n.AsText()
}
