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
	value *value
	text  string // the text that a template gets
	file  string // the file that a suite can name, or ""
	from  node
}

// vars are variables by name, in file order.
type vars struct {
	names  []string
	values map[string][]variable // several values make a case each
}

func newVars() *vars { return &vars{values: map[string][]variable{}} }

func (v *vars) set(name string, values []variable) {
	if _, ok := v.values[name]; !ok {
		v.names = append(v.names, name)
	}
	v.values[name] = values
}

// over returns the variables of v and those of overrides, which replace variables of v with the same name.
func (v *vars) over(overrides *vars) *vars {
	out := newVars()
	for _, from := range []*vars{v, overrides} {
		for _, name := range from.names {
			out.set(name, from.values[name])
		}
	}
	return out
}

// maxCombined is the most cases that the lists of one test's variables can make.
const maxCombined = 1000

// each returns a copy of v for each combination of the listed values. ok is false if there are more than maxCombined.
func (v *vars) each() (out []*vars, ok bool) {
	out = []*vars{newVars()}
	for _, name := range v.names {
		var next []*vars
		for _, so := range out {
			for _, one := range v.values[name] {
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

// texts returns the values of the variables that have one value, by name.
func (v *vars) texts() map[string]string {
	out := map[string]string{}
	for name, values := range v.values {
		if len(values) == 1 {
			out[name] = values[0].text
		}
	}
	return out
}

// readVars reads the variables of a test: a map, or files that hold one.
func readVars(src *source, n node, expand bool) *vars {
	out := newVars()
	if n.isText() || n.Node != nil && n.Kind == document.List {
		for _, item := range n.items() {
			out = out.over(readVarsFile(src, item, expand))
		}
		return out
	}
	if !n.missing() && !n.isMap() {
		src.add(ToDo, n, "`vars`", "they are not a map", "")
	}
	for key, value := range n.entries() {
		if !varName.MatchString(key.Text) {
			src.add(ToDo, key, "the variable "+document.Quote(key.Text), "a name is of letters, digits and _",
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
	name, why := under(path.Dir(n.path), n.text()) // relative to the file that names it, unlike other paths
	if ext := path.Ext(name); why == "" && ext != ".yaml" && ext != ".yml" && ext != ".json" {
		why = "variables come from a map in YAML or JSON"
	}
	out := newVars()
	if why != "" {
		src.add(ToDo, n, "the variables of "+document.Quote(n.text()), why, "")
		return out
	}
	for _, file := range src.glob(name) {
		if root, ok := src.parse(file, n); ok && root.Kind == document.Map {
			out = out.over(readVars(src, root, expand))
		} else if ok {
			src.add(ToDo, n, "the variables of "+document.Quote(n.text()), "the file is not a map", "")
		}
	}
	return out
}

// readValues returns the values of a variable: a single value, or one for each item of a list or each file of a
// pattern.
func readValues(src *source, n node, name string, expand bool) (out []variable) {
	what := "the variable `" + name + "`"
	switch {
	case n.missing():
		return []variable{{value: str(""), from: n}}
	case n.Kind == document.List && expand:
		for _, item := range n.items() {
			out = append(out, readValues(src, item, name, false)...)
		}
		if len(out) == 0 {
			src.add(ToDo, n, what, "its list is empty", "")
		}
		return out
	case n.Kind == document.List, n.Kind == document.Map:
		text := jsonOf(n.Node)
		src.add(Changed, n, what,
			"variables are text here: the value becomes JSON, and the prompt cannot use a part of it", "")
		return []variable{{value: str(text), text: text, from: n}}
	case n.namesFile():
		return readFileValues(src, n, what)
	}
	return []variable{{value: valueOf(n.Node), text: n.Text, from: n}}
}

// mediaFile matches the names of pictures, sounds, videos and PDFs, which hold no text.
var mediaFile = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|bmp|webp|svg|pdf|mp3|wav|aac|m4a|flac|ogg|wma|aiff|opus|mp4|` +
	`m4v|webm|mov|avi|wmv|mkv)$`)

func readFileValues(src *source, n node, what string) (out []variable) {
	for _, file := range src.filesOf(n, what, n.Text) {
		one := variable{from: n}
		switch ext := strings.ToLower(path.Ext(file)); {
		case codeFile.MatchString(file):
			src.add(ToDo, n, what, "a program gives it, and nothing is run",
				"run the program and save its output in a file")
			continue
		case mediaFile.MatchString(file):
			src.add(ToDo, n, what, "it is not text", "for a PDF, its text in a file")
			continue
		case ext == ".yaml", ext == ".yml":
			root, ok := src.parse(file, n)
			if !ok {
				continue
			}
			if one.text = root.text(); !root.isScalar() {
				one.text = jsonOf(root.Node)
			}
		default:
			text, ok := src.readText(file, n)
			if !ok {
				continue
			}
			one.text, one.file = text, file
		}
		one.value = str(one.text)
		out = append(out, one)
	}
	return out
}

// fillNested fills variables into the values of v, as promptfoo does.
func fillNested(src *source, v *vars) *vars {
	texts := v.texts()
	out := newVars()
	for _, name := range v.names {
		one := v.values[name][0]
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
			src.add(ToDo, one.from, "the variable `"+name+"`", t.problem+"; it is used as written", t.instead)
			return one
		case slices.ContainsFunc(t.vars, func(used string) bool { _, ok := texts[used]; return !ok }):
			src.add(Changed, one.from, "the variable `"+name+"`",
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
	varName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	envName  = regexp.MustCompile(`\$\{[A-Z_][A-Z0-9_]*\}`)
	openMark = regexp.MustCompile(`\{[{%#]`)
)

// template is a text with places for variables. If a prompt of failproof cannot express it, problem is the reason, and
// offset is the place of the problem.
type template struct {
	text    string // as failproof's prompts have it
	vars    []string
	problem string
	instead string
	offset  int
}

// parseTemplate reads one of promptfoo's templates, in which {{ name }} is a variable.
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
		inner, _, closed := strings.Cut(text[open+len("{{"):], "}}")
		name := strings.TrimSpace(inner)
		switch mark := text[open : open+len("{{")]; {
		case mark != "{{":
			line, _, _ := strings.Cut(text[open:], "\n")
			return fail(open, "`"+document.Line(line)+"` is a statement or a comment; prompts have only variables",
				"write its output into a variable, or one prompt for each branch")
		case !closed:
			return fail(open, "`{{` is never closed", "")
		case !varName.MatchString(name):
			return fail(open, "`{{"+document.Line(inner)+"}}` is computed; prompts have only variables",
				"write its output into a variable")
		}
		t.vars = append(t.vars, name)
		out.WriteString("{{ " + name + " }}")
		at = open + len("{{}}") + len(inner)
	}
	t.text = out.String() + text[at:]
	if hit := envName.FindString(t.text); hit != "" {
		return fail(strings.Index(text, hit),
			"`"+hit+"` looks like a variable of the environment, which is refused in prompts", "put it into a variable")
	}
	return t
}

// hasMarks reports whether promptfoo would fill in a text.
func hasMarks(text string) bool { return openMark.MatchString(text) }

var placeForm = regexp.MustCompile(`\{\{ (.*?) \}\}`)

// fill returns the text with values for its variables.
func (t template) fill(vars map[string]string) string {
	return placeForm.ReplaceAllStringFunc(t.text, func(place string) string { return vars[place[3:len(place)-3]] })
}
