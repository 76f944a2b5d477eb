package promptfoo

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// variable is one value of a variable.
type variable struct {
	value  *value
	text   string // the text that replaces the variable in a template
	file   string // path of the file that a suite can name for the value, or ""
	origin node
}

// vars has variables with different names, in file order.
type vars []namedValues

// namedValues has the values of a variable. Each of several values makes a case.
type namedValues struct {
	name   string
	values []variable
}

func (v vars) index(name string) int {
	return slices.IndexFunc(v, func(one namedValues) bool { return one.name == name })
}

func (v *vars) set(name string, values []variable) {
	if at := v.index(name); at >= 0 {
		(*v)[at].values = values
	} else {
		*v = append(*v, namedValues{name, values})
	}
}

// merge returns the variables of v and of overrides. Of two with the same name, that of overrides counts.
func (v vars) merge(overrides vars) vars {
	out := slices.Clone(v)
	for _, one := range overrides {
		out.set(one.name, one.values)
	}
	return out
}

// maxCombined is the largest number of cases into which the listed values of one test may be combined.
const maxCombined = 1000

// combinations returns the variables with one value each, for every combination of their listed values. ok is false if
// there are more than maxCombined combinations.
func (v vars) combinations() (out []vars, ok bool) {
	out = []vars{nil}
	for _, one := range v {
		var next []vars
		for _, combo := range out {
			for _, value := range one.values {
				next = append(next, append(slices.Clip(combo), namedValues{one.name, []variable{value}}))
			}
		}
		if out = next; len(out) > maxCombined {
			return nil, false
		}
	}
	return out, true
}

// texts returns the texts of the variables that have only one value, by name.
func (v vars) texts() map[string]string {
	out := map[string]string{}
	for _, one := range v {
		if len(one.values) == 1 {
			out[one.name] = one.values[0].text
		}
	}
	return out
}

// readVars returns the variables in n, a map or names of files with maps. expand says whether each item is a value.
func readVars(src *source, n node, expand bool) (out vars) {
	if n.isText() || n.Node != nil && n.Kind == document.List {
		for _, item := range n.items() {
			out = out.merge(readVarsFile(src, item, expand))
		}
		return out
	}
	for key, value := range src.entriesOf(n, "`vars`") {
		if !varName.MatchString(key.Text) {
			src.addFinding(ToDo, key, "the variable "+document.Quote(key.Text), "a name is of letters, digits and _",
				"another name, here and in the prompt")
			continue
		}
		if values := readValues(src, value, key.Text, expand); len(values) > 0 {
			out.set(key.Text, values)
		}
	}
	return out
}

func readVarsFile(src *source, n node, expand bool) (out vars) {
	what := "the variables of " + document.Quote(n.text())
	for _, file := range src.filesOf(path.Dir(n.path), n, what) { // not the folder of the configuration, as elsewhere
		if root, ok := src.parse(file, n); ok && root.Kind == document.Map {
			out = out.merge(readVars(src, root, expand))
		} else if ok {
			src.addFinding(ToDo, n, what, "the file is not a map")
		}
	}
	return out
}

// readValues returns the values of the variable with the given name. n has a single value, a list if expand is set, or
// the path or pattern of files. Each item and each file is a value.
func readValues(src *source, n node, name string, expand bool) (out []variable) {
	what := "the variable `" + name + "`"
	switch {
	case n.isMissing():
		return []variable{{value: str(""), origin: n}}
	case n.Kind == document.List && expand:
		for _, item := range n.items() {
			out = append(out, readValues(src, item, name, false)...)
		}
		if len(out) == 0 {
			src.addFinding(ToDo, n, what, "its list is empty")
		}
		return out
	case n.Kind == document.List, n.Kind == document.Map:
		text := jsonOf(n.Node)
		src.addFinding(Changed, n, what,
			"variables are text here: the value becomes JSON, and the prompt cannot use a part of it")
		return []variable{{value: str(text), text: text, origin: n}}
	case n.namesFile():
		return readFileValues(src, n, what)
	}
	return []variable{{value: convertNode(n.Node), text: n.Text, origin: n}}
}

func readFileValues(src *source, n node, what string) (out []variable) {
	for _, file := range src.filesOf(src.dir, n, what) {
		v := variable{origin: n}
		switch ext := strings.ToLower(path.Ext(file)); {
		case ext == ".yaml", ext == ".yml":
			root, ok := src.parse(file, n)
			if !ok {
				continue
			}
			if v.text = root.text(); !root.isScalar() {
				v.text = jsonOf(root.Node)
			}
		default:
			text, ok := src.readText(file, n)
			if !ok {
				continue
			}
			v.text, v.file = strings.TrimSpace(text), file // as promptfoo fills it in
		}
		v.value = str(v.text)
		out = append(out, v)
	}
	return out
}

// fillNested returns v with variables replaced in the values of v too, as promptfoo does.
func fillNested(src *source, v vars) (out vars) {
	texts := v.texts()
	for _, one := range v {
		out = append(out, namedValues{one.name, []variable{fillVariable(src, one.name, one.values[0], texts)}})
	}
	return out
}

func fillVariable(src *source, name string, v variable, texts map[string]string) variable {
	if v.file != "" || !hasPlaceholders(v.text) {
		return v
	}
	text := v.text
	for range 4 {
		t, err := parseTemplate(text)
		if err == nil && slices.ContainsFunc(t.vars, func(used string) bool { _, ok := texts[used]; return !ok }) {
			err = because("it names a variable that the test does not set")
		}
		if err != nil {
			why := err.(conversionError)
			src.addFinding(ToDo, v.origin, "the variable `"+name+"`", "it is used as written: "+why.why, why.instead)
			return v
		}
		text = t.fill(texts)
	}
	v.text, v.value = text, str(text)
	return v
}

var (
	varName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	envName = regexp.MustCompile(`\$\{[A-Z_][A-Z0-9_]*\}`)

	// placeholderForm matches {{ name }}, {{ and the rest of the text if nothing closes it, or the beginning of another
	// placeholder.
	placeholderForm = regexp.MustCompile(`(?s)\{\{(?:\s*(.*?)\s*\}\}|.*)|\{[%#]`)
)

// template is a text with variables.
type template struct {
	text   string // the text in the form that prompts of failproof have
	vars   []string
	offset int // in bytes, of what cannot be converted
}

// parseTemplate parses a template of promptfoo, in which {{ name }} is a variable. It returns a conversionError if no
// prompt of failproof can express the text.
func parseTemplate(text string) (t template, err error) {
	fail := func(offset int, why, instead string) (template, error) {
		return template{text: text, offset: offset}, because(why, instead)
	}
	for _, m := range placeholderForm.FindAllStringSubmatchIndex(text, -1) {
		open := m[0]
		switch {
		case text[open+1] != '{':
			line, _, _ := strings.Cut(text[open:], "\n")
			return fail(open, "`"+document.Line(line)+"` is a statement or a comment; prompts have only variables",
				"put the text that your application renders in its place, or write one prompt for each branch")
		case m[2] < 0:
			return fail(open, "`{{` is never closed", "")
		case !varName.MatchString(text[m[2]:m[3]]):
			return fail(open, "`{{"+document.Line(text[m[2]:m[3]])+"}}` is computed; prompts have only variables",
				"put the text that your application renders in its place")
		}
		t.vars = append(t.vars, text[m[2]:m[3]])
	}
	t.text = placeholderForm.ReplaceAllString(text, "{{ $1 }}")
	if hit := envName.FindString(t.text); hit != "" {
		return fail(strings.Index(text, hit),
			"`"+hit+"` looks like a variable of the environment, which is refused in prompts", "put it into a variable")
	}
	return t, nil
}

// hasPlaceholders reports whether text contains {{, {% or {#, with which a placeholder begins.
func hasPlaceholders(text string) bool { return placeholderForm.MatchString(text) }

var placeholder = regexp.MustCompile(`\{\{ (.*?) \}\}`)

// fill returns the text with the values of vars in place of its variables. A variable without a value becomes "".
func (t template) fill(vars map[string]string) string {
	return placeholder.ReplaceAllStringFunc(t.text, func(place string) string { return vars[place[3:len(place)-3]] })
}
