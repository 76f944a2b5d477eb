package promptfoo

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// variable is a variable with one value.
type variable struct {
	name   string
	value  *value
	text   string // the text that replaces the variable in a template
	file   string // path of the file that a suite can name for the value, or ""
	origin node
}

func (v variable) title() string { return "the variable `" + v.name + "`" }

// vars has the values of each variable, in file order. Each of several values makes a case.
type vars [][]variable

func (v vars) index(name string) int {
	return slices.IndexFunc(v, func(values []variable) bool { return values[0].name == name })
}

// merge returns the variables of v and of overrides. Of two with the same name, that of overrides counts.
func (v vars) merge(overrides vars) vars {
	out := slices.Clone(v)
	for _, values := range overrides {
		if at := v.index(values[0].name); at >= 0 {
			out[at] = values
		} else {
			out = append(out, values)
		}
	}
	return out
}

// maxCombined is the largest number of cases into which the listed values of one test may be combined.
const maxCombined = 1000

// combinations returns every combination of the values, one of each variable. ok is false if there are more than
// maxCombined combinations.
func (v vars) combinations() (out [][]variable, ok bool) {
	out = [][]variable{nil}
	for _, values := range v {
		var next [][]variable
		for _, combo := range out {
			for _, one := range values {
				next = append(next, append(slices.Clip(combo), one))
			}
		}
		if out = next; len(out) > maxCombined {
			return nil, false
		}
	}
	return out, true
}

// textsOf returns the texts of variables by name.
func textsOf(variables []variable) map[string]string {
	out := map[string]string{}
	for _, v := range variables {
		out[v.name] = v.text
	}
	return out
}

// readVars returns the variables in n, a map or names of files with maps. expand says whether each item is a value.
func readVars(n node, expand bool) (out vars) {
	if n.isText() || n.isList() {
		for _, item := range n.items() {
			out = out.merge(readVarsFile(item, expand))
		}
		return out
	}
	for key, value := range entriesOf(n, "`vars`") {
		if !varName.MatchString(key.Text) {
			addFinding(ToDo, key, "the variable "+document.Quote(key.Text), "a name is of letters, digits and _",
				"another name, here and in the prompt")
		} else if values := readValues(value, key.Text, expand); len(values) > 0 {
			out = append(out, values)
		}
	}
	return out
}

func readVarsFile(n node, expand bool) (out vars) {
	what := "the variables of " + document.Quote(n.text())
	for _, file := range filesOf(path.Dir(n.path), n, what) { // not the folder of the configuration, as elsewhere
		if root, ok := parse(file, n); ok && root.isMap() {
			out = out.merge(readVars(root, expand))
		} else if ok {
			addFinding(ToDo, n, what, "the file is not a map")
		}
	}
	return out
}

// readValues returns the values of the variable with the given name. n has a single value, a list if expand is set, or
// the path or pattern of files. Each item and each file is a value.
func readValues(n node, name string, expand bool) (out []variable) {
	v := variable{name: name, origin: n}
	switch {
	case n.namesFile():
		return readFileValues(v)
	case n.isList() && expand:
		for _, item := range n.items() {
			out = append(out, readValues(item, name, false)...)
		}
		if len(out) == 0 {
			addFinding(ToDo, n, v.title(), "its list is empty")
		}
		return out
	case n.isList(), n.isMap():
		v.text = jsonOf(n.Node)
		v.value = str(v.text)
		addFinding(Changed, n, v.title(),
			"variables are text here: the value becomes JSON, and the prompt cannot use a part of it")
	case n.isMissing():
		v.value = str("")
	default:
		v.text, v.value = n.Text, convertNode(n.Node)
	}
	return []variable{v}
}

// readFileValues returns v with the value of each file that it names.
func readFileValues(v variable) (out []variable) {
	n := v.origin
	for _, file := range filesOf(n.src.dir, n, v.title()) {
		if ext := strings.ToLower(path.Ext(file)); ext == ".yaml" || ext == ".yml" {
			root, ok := parse(file, n)
			if !ok {
				continue
			}
			if v.text, v.file = root.text(), ""; !root.isScalar() {
				v.text = jsonOf(root.Node)
			}
		} else {
			text, ok := readText(file, n)
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

// fillNested returns variables with variables replaced in their values too, as promptfoo does.
func fillNested(variables []variable) (out []variable) {
	texts := textsOf(variables)
	for _, v := range variables {
		out = append(out, fillVariable(v, texts))
	}
	return out
}

func fillVariable(v variable, texts map[string]string) variable {
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
			addFinding(ToDo, v.origin, v.title(), "it is used as written: "+why.why, why.instead)
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
