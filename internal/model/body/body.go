// Package body makes the JSON body for an application from a template and a request. A value becomes a JSON value or
// is escaped within a JSON string, so that no prompt or variable can change the body's structure. Templates have no
// functions, and no access to the environment or to files.
package body

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// Names of the placeholders in a template, such as {{ prompt }}. A placeholder can also be vars.NAME, where NAME is a
// variable of the case.
const (
	Prompt   = "prompt"   // the text of the last message
	System   = "system"   // the texts of the system messages, with empty lines between them
	Messages = "messages" // all messages, each with role and content
	Model    = "model"    // the model's name
	// the parameters that are set, of temperature, top_p, max_tokens, response_format and json_schema
	Parameters = "parameters"
	Vars       = "vars" // all variables of the case
)

// varPrefix is the beginning of the placeholder of one variable, such as vars.question.
const varPrefix = Vars + "."

var placeholders = []string{Prompt, System, Messages, Model, Parameters, Vars}

// isText reports whether the value of the placeholder name is text. Only such a placeholder may be inside a longer
// text.
func isText(name string) bool {
	return name == Prompt || name == System || name == Model || strings.HasPrefix(name, varPrefix)
}

// Template is a JSON body with placeholders such as {{ prompt }}. It is immutable.
type Template struct {
	root   any             // decoded JSON, with parts in place of texts with placeholders
	source string          // the template as JSON, keys sorted
	uses   map[string]bool // names of the placeholders
}

// parts is a string of a template, split at its placeholders.
type parts []part

type part struct{ literal, name string }

// Fault is an error in a template.
type Fault struct {
	At      document.Position
	Message string
}

// Parse returns the template that the configuration has at node n, and the errors in it.
func Parse(n *document.Node) (*Template, []Fault) {
	p := &parser{uses: map[string]bool{}}
	t := &Template{root: p.value(n), uses: p.uses}
	t.source = string(text.MustJSON(n.Value()))
	return t, p.faults
}

type parser struct {
	uses   map[string]bool
	faults []Fault
}

func (p *parser) fault(at document.Position, format string, args ...any) {
	p.faults = append(p.faults, Fault{at, fmt.Sprintf(format, args...)})
}

func (p *parser) value(n *document.Node) any {
	switch n.Kind {
	case document.String:
		return p.text(n)
	case document.List:
		items := make([]any, len(n.List()))
		for i, item := range n.List() {
			items[i] = p.value(item)
		}
		return items
	case document.Map:
		object := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			if strings.Contains(key.Text, "{{") {
				p.fault(key.Pos, "a key cannot contain {{ … }}; only values can")
			}
			object[key.Text] = p.value(n.Values[i])
		}
		return object
	}
	return n.Value()
}

// text returns the string at n split at its placeholders, as parts. It returns a string without placeholders as it is.
func (p *parser) text(n *document.Node) any {
	var out parts
	rest := n.Text
	for {
		literal, afterOpen, open := strings.Cut(rest, "{{")
		if literal != "" {
			out = append(out, part{literal: literal})
		}
		if !open {
			break
		}
		name, after, closed := strings.Cut(afterOpen, "}}")
		if !closed {
			p.fault(n.Pos, "`{{` is never closed by `}}`")
			return n.Text
		}
		name, rest = strings.TrimSpace(name), after
		p.addPlaceholder(n, name)
		out = append(out, part{name: name})
	}
	for _, one := range out {
		if one.name != "" && !isText(one.name) && len(out) > 1 {
			p.fault(n.Pos, "{{ %s }} is not text, so it must be the whole value: \"{{ %s }}\"", one.name, one.name)
		}
	}
	if !slices.ContainsFunc(out, func(one part) bool { return one.name != "" }) {
		return n.Text
	}
	return out
}

// addPlaceholder records the name of a placeholder, or adds an error if the name is unknown.
func (p *parser) addPlaceholder(n *document.Node, name string) {
	if variable, ok := strings.CutPrefix(name, varPrefix); ok && isName(variable) ||
		slices.Contains(placeholders, name) {
		p.uses[name] = true
		return
	}
	hint := text.Hint(" (did you mean {{ %s }}?)", name, placeholders)
	p.fault(n.Pos, "{{ %s }} is not known%s; expected %s or vars.NAME; nothing is computed or read from the "+
		"environment",
		document.Line(name), hint, strings.Join(placeholders, ", "))
}

// isName reports whether s can be the name of a variable of a case.
func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// String returns the template as JSON on one line, with sorted keys.
func (t *Template) String() string {
	if t == nil {
		return ""
	}
	return t.source
}

// Equal reports whether two templates make the same body.
func (t *Template) Equal(other *Template) bool { return t.String() == other.String() }

// Uses reports whether the template has the placeholder name.
func (t *Template) Uses(name string) bool { return t != nil && t.uses[name] }

// Variables returns the sorted names of the variables that have a placeholder of their own. hasAll reports whether the
// template has {{ vars }}, which stands for all variables.
func (t *Template) Variables() (variables []string, hasAll bool) {
	if t == nil {
		return nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(t.uses)) {
		if variable, ok := strings.CutPrefix(name, varPrefix); ok {
			variables = append(variables, variable)
		}
	}
	return variables, t.uses[Vars]
}

// UnsentRole returns the role of messages of r that the template leaves out, although it sends others. It returns "" if
// the template leaves out none, or sends no messages at all. A prompt that is sent only in part must not be tested.
func (t *Template) UnsentRole(r model.Request) string {
	if t.uses[Messages] || !t.uses[Prompt] && !t.uses[System] {
		return ""
	}
	unsent := map[string]int{}
	for i, m := range r.Messages {
		last := i == len(r.Messages)-1
		if !(last && t.uses[Prompt]) && !(m.Role == model.RoleSystem && t.uses[System]) {
			unsent[m.Role]++
		}
	}
	for _, role := range []string{model.RoleSystem, model.RoleUser, model.RoleAssistant} {
		if unsent[role] > 0 {
			return role
		}
	}
	return ""
}

// Fill returns the JSON body for a request.
func (t *Template) Fill(r model.Request) []byte { return text.MustJSON(fill(t.root, r)) }

func fill(v any, r model.Request) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[key] = fill(value, r)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = fill(item, r)
		}
		return out
	case parts:
		if len(v) == 1 {
			return placeholderValue(v[0].name, r)
		}
		var b strings.Builder
		for _, one := range v {
			b.WriteString(one.literal)
			if one.name != "" {
				b.WriteString(placeholderValue(one.name, r).(string)) // only texts are parts of a text
			}
		}
		return b.String()
	}
	return v
}

// placeholderValue returns the value of a placeholder. A missing variable is ""; package suite reports it.
func placeholderValue(name string, r model.Request) any {
	switch name {
	case Prompt:
		if len(r.Messages) == 0 {
			return ""
		}
		return r.Messages[len(r.Messages)-1].Content
	case System:
		var all []string
		for _, m := range r.Messages {
			if m.Role == model.RoleSystem {
				all = append(all, m.Content)
			}
		}
		return strings.Join(all, "\n\n")
	case Messages:
		return r.Messages
	case Model:
		return r.Model
	case Parameters:
		return r.Parameters
	case Vars:
		if r.Vars == nil {
			return map[string]string{}
		}
		return r.Vars
	}
	return r.Vars[strings.TrimPrefix(name, varPrefix)]
}
