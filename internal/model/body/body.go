// Package body makes the JSON body for an application from a template and a request. A value becomes a JSON value or
// is escaped within a JSON string, so that no prompt or variable can change the body's structure. Templates have no
// functions, and no access to the environment or to files.
package body

import (
	"fmt"
	"maps"
	"regexp"
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

// placeholder matches a placeholder in a text of a template, with its name.
var placeholder = regexp.MustCompile(`(?s)\{\{\s*(.*?)\s*\}\}`)

// variableName matches the name of a variable of a case.
var variableName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// Template is a JSON body with placeholders such as {{ prompt }}. It is immutable.
type Template struct {
	root   any             // decoded JSON
	source string          // the template as JSON, keys sorted
	uses   map[string]bool // names of the placeholders
}

// Fault is an error in a template.
type Fault struct {
	At      document.Position
	Message string
}

// Parse returns the template that the configuration has at node n, and the errors in it.
func Parse(n *document.Node) (*Template, []Fault) {
	p := &parser{uses: map[string]bool{}}
	p.check(n)
	return &Template{root: n.Value(), source: string(text.MustJSON(n.Value())), uses: p.uses}, p.faults
}

type parser struct {
	uses   map[string]bool
	faults []Fault
}

func (p *parser) fault(at document.Position, format string, args ...any) {
	p.faults = append(p.faults, Fault{at, fmt.Sprintf(format, args...)})
}

// check records the placeholders and the errors in a value.
func (p *parser) check(n *document.Node) {
	for _, item := range n.List() {
		p.check(item)
	}
	for key, value := range n.Entries() {
		if strings.Contains(key.Text, "{{") {
			p.fault(key.Pos, "a key cannot contain {{ … }}; only values can")
		}
		p.check(value)
	}
	if n.Kind != document.String {
		return
	}
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(n.Text, -1) {
		name := n.Text[at[2]:at[3]]
		p.addPlaceholder(n, name)
		if !isText(name) && at[1]-at[0] < len(n.Text) {
			p.fault(n.Pos, "{{ %s }} is not text, so it must be the whole value: \"{{ %s }}\"", name, name)
		}
		end = at[1]
	}
	if strings.Contains(n.Text[end:], "{{") {
		p.fault(n.Pos, "`{{` is never closed by `}}`")
	}
}

// addPlaceholder records the name of a placeholder, or adds an error if the name is unknown.
func (p *parser) addPlaceholder(n *document.Node, name string) {
	if variable, ok := strings.CutPrefix(name, varPrefix); ok && variableName.MatchString(variable) ||
		slices.Contains(placeholders, name) {
		p.uses[name] = true
		return
	}
	hint := text.Hint(" (did you mean {{ %s }}?)", name, placeholders)
	p.fault(n.Pos, "{{ %s }} is not known%s; expected %s or vars.NAME; nothing is computed or read from the "+
		"environment",
		document.Line(name), hint, strings.Join(placeholders, ", "))
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
	case string:
		if m := placeholder.FindStringSubmatch(v); m != nil && m[0] == v {
			return placeholderValue(m[1], r)
		}
		return placeholder.ReplaceAllStringFunc(v, func(place string) string {
			return placeholderValue(placeholder.FindStringSubmatch(place)[1], r).(string) // only texts are parts of a text
		})
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
