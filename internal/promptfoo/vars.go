package promptfoo

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// variable is a value of a variable: a text, or a file.
type variable struct {
	value *value
	text  string // what it is filled in as
	file  string // of the tree; "" for none
	from  node
}

// vars are variables by name, in the order of the file.
type vars struct {
	names []string
	of    map[string][]variable // several where the file lists values, a case for each
}

func newVars() *vars { return &vars{of: map[string][]variable{}} }

func (v *vars) set(name string, values []variable) {
	if _, ok := v.of[name]; !ok {
		v.names = append(v.names, name)
	}
	v.of[name] = values
}

// over returns v with the variables of more, which take precedence.
func (v *vars) over(more *vars) *vars {
	out := newVars()
	for _, from := range []*vars{v, more} {
		for _, name := range from.names {
			out.set(name, from.of[name])
		}
	}
	return out
}

// maxCombined is the most cases that the lists of one test's variables may make.
const maxCombined = 1000

// each returns v for every combination of its listed values.
func (v *vars) each() (out []*vars, ok bool) {
	out = []*vars{newVars()}
	for _, name := range v.names {
		var next []*vars
		for _, so := range out {
			for _, one := range v.of[name] {
				with := newVars().over(so)
				with.set(name, []variable{one})
				next = append(next, with)
			}
		}
		if out = next; len(out) > maxCombined {
			return nil, false
		}
	}
	return out, true
}

// texts returns the values by name, of variables with one value.
func (v *vars) texts() map[string]string {
	out := map[string]string{}
	for name, values := range v.of {
		if len(values) == 1 {
			out[name] = values[0].text
		}
	}
	return out
}

// readVars reads the variables of a test: a map, or a file that holds one.
func readVars(src *source, n node, expand bool) *vars {
	out := newVars()
	switch {
	case n.missing():
		return out
	case n.Kind == document.String, n.Kind == document.List:
		for _, item := range n.items() {
			out = out.over(readVarsFile(src, item, expand))
		}
		return out
	case !n.isMap():
		src.addToDo(n, "`vars`", "they are not a map", "")
		return out
	}
	for key, value := range n.entries() {
		if !varName.MatchString(key.Text) {
			src.addToDo(key, "the variable "+document.Quote(key.Text), "a name is of letters, digits and _",
				"another name, here and in the prompt")
			continue
		}
		if values := readValues(src, value, key.Text, expand); len(values) > 0 {
			out.set(key.Text, values)
		}
	}
	return out
}

func readVarsFile(src *source, n node, expand bool) *vars {
	name, why := under(path.Dir(n.path), n.text()) // a file of tests names them from where it stands
	if ext := path.Ext(name); why == "" && ext != ".yaml" && ext != ".yml" && ext != ".json" {
		why = "variables come from a map in YAML or JSON"
	}
	if why != "" {
		src.addToDo(n, "the variables of "+document.Quote(n.text()), why, "")
		return newVars()
	}
	out := newVars()
	for _, file := range src.glob(name) {
		if root, ok := src.parse(file, n); ok && root.Kind == document.Map {
			out = out.over(readVars(src, root, expand))
		} else if ok {
			src.addToDo(n, "the variables of "+document.Quote(n.text()), "the file is not a map", "")
		}
	}
	return out
}

// readValues returns the values of a variable: one, or those of a list or a pattern of files.
func readValues(src *source, n node, name string, expand bool) (out []variable) {
	switch {
	case n.missing():
		return []variable{{value: str(""), from: n}}
	case n.Kind == document.List && expand:
		for _, item := range n.items() {
			out = append(out, readValues(src, item, name, false)...)
		}
		if len(out) == 0 {
			src.addToDo(n, "the variable `"+name+"`", "its list is empty", "")
		}
		return out
	case n.Kind == document.List, n.Kind == document.Map:
		text := jsonOf(n.Node)
		src.addChange(n, "the variable `"+name+"`",
			"variables are text here: the value becomes JSON, and the prompt cannot use a part of it", "")
		return []variable{{value: str(text), text: text, from: n}}
	case strings.HasPrefix(n.text(), "file://"):
		return readFileValues(src, n, name)
	}
	return []variable{{value: valueOf(n.Node), text: n.Text, from: n}}
}

func readFileValues(src *source, n node, name string) (out []variable) {
	what := "the variable `" + name + "`"
	for _, file := range src.filesOf(n, what, n.Text) {
		switch ext := strings.ToLower(path.Ext(file)); ext {
		case ".js", ".cjs", ".mjs", ".ts", ".py", ".rb", ".go":
			src.addToDo(n, what, "a program gives it, and nothing is run",
				"run the program and save its output in a file")
		case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".pdf", ".mp3", ".wav", ".mp4":
			src.addToDo(n, what, "it is not text", "for a PDF, its text in a file")
		case ".yaml", ".yml":
			if root, ok := src.parse(file, n); ok {
				text := root.text()
				if !root.isScalar() {
					text = jsonOf(root.Node)
				}
				out = append(out, variable{value: str(text), text: text, from: n})
			}
		default:
			if text, ok := src.readText(file, n); ok {
				out = append(out, variable{value: str(text), text: text, file: file, from: n})
			}
		}
	}
	return out
}

// fillNested fills variables into the values of v, as promptfoo does.
func fillNested(src *source, v *vars) *vars {
	texts := v.texts()
	out := newVars()
	for _, name := range v.names {
		one := v.of[name][0]
		if one.file == "" && hasMarks(one.text) {
			one = fillOne(src, name, one, texts)
		}
		out.set(name, []variable{one})
	}
	return out
}

func fillOne(src *source, name string, one variable, texts map[string]string) variable {
	text := one.text
	for range 4 {
		t := parseTemplate(text)
		switch {
		case t.problem != "":
			src.addToDo(one.from, "the variable `"+name+"`", t.problem+"; it is used as written", t.instead)
			return one
		case slices.ContainsFunc(t.vars, func(used string) bool { _, ok := texts[used]; return !ok }):
			src.addChange(one.from, "the variable `"+name+"`",
				"it names a variable that the test does not set; it is used as written", "")
			return one
		}
		if text = t.fill(texts); !hasMarks(text) {
			break
		}
	}
	one.text, one.value = text, str(text)
	return one
}

var (
	varName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	envName     = regexp.MustCompile(`\$\{[A-Z_][A-Z0-9_]*\}`)
	envVariable = regexp.MustCompile(`^\s*env(?:\.([A-Za-z_][A-Za-z0-9_]*)|\[['"]([A-Za-z_][A-Za-z0-9_]*)['"]\])\s*$`)
)

// template is a text with places for variables. If promptfoo's template does more, problem says what, at offset.
type template struct {
	text    string // as a prompt of failproof has it
	vars    []string
	problem string
	instead string
	offset  int
}

// parseTemplate reads a template of promptfoo's, {{ name }} and {# comments #}.
func parseTemplate(text string) (t template) {
	var out strings.Builder
	fail := func(at int, problem, instead string) template {
		return template{text: text, problem: problem, instead: instead, offset: at}
	}
	at := 0
	for {
		found := openMark.FindStringIndex(text[at:])
		if found == nil {
			break
		}
		open := at + found[0]
		out.WriteString(text[at:open])
		mark := text[open : open+2]
		length := strings.Index(text[open+2:], map[string]string{"{{": "}}", "{%": "%}", "{#": "#}"}[mark])
		if length < 0 {
			return fail(open, "`"+mark+"` is never closed", "")
		}
		inner := text[open+2 : open+2+length]
		at = open + len("{{}}") + length
		switch {
		case mark == "{#" && !strings.HasPrefix(inner, "-") && !strings.HasSuffix(inner, "-"):
			continue
		case mark != "{{":
			return fail(open, "`"+document.Line(text[open:at])+"` is a statement; prompts have only variables",
				"write its output into a variable, or one prompt for each branch")
		}
		name := strings.TrimSpace(inner)
		if before, ok := strings.CutSuffix(name, "| safe"); ok { // says that nothing is escaped, and nothing is
			name = strings.TrimSpace(before)
		}
		switch m := envVariable.FindStringSubmatch(inner); {
		case m != nil:
			return fail(open, "`{{"+inner+"}}` reads the environment, which prompts cannot", "a variable of the suite")
		case !varName.MatchString(name):
			return fail(open, "`{{"+document.Line(inner)+"}}` is computed; prompts have only variables",
				"write its output into a variable")
		}
		t.vars = append(t.vars, name)
		out.WriteString("{{ " + name + " }}")
	}
	t.text = out.String() + text[at:]
	if hit := envName.FindStringIndex(t.text); hit != nil {
		return fail(strings.Index(text, t.text[hit[0]:hit[1]]),
			"`"+t.text[hit[0]:hit[1]]+"` looks like a variable of the environment, which is refused in prompts",
			"put it into a variable")
	}
	return t
}

var openMark = regexp.MustCompile(`\{[{%#]`)

// hasMarks reports whether promptfoo would fill in a text.
func hasMarks(text string) bool { return openMark.MatchString(text) }

var placeForm = regexp.MustCompile(`\{\{ (.*?) \}\}`)

// fill fills the variables of a template.
func (t template) fill(vars map[string]string) string {
	return placeForm.ReplaceAllStringFunc(t.text, func(place string) string { return vars[place[3:len(place)-3]] })
}
