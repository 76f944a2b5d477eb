package promptfoo_test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptfoo"
)

// leaf is a scalar of a source, with the places of all that it lies in.
type leaf struct {
	path   []string // keys; a list's items have "-"
	text   string
	places []document.Position
}

func leaves(n *document.Node, way []string, places []document.Position) (out []leaf) {
	places = append(slices.Clone(places), n.Pos)
	for i, key := range n.Keys {
		out = append(out, leaves(n.Values[i], append(slices.Clone(way), key.Text), append(slices.Clone(places), key.Pos))...)
	}
	for _, item := range n.List() {
		out = append(out, leaves(item, append(slices.Clone(way), "-"), places)...)
	}
	if n.Kind != document.Map && n.Kind != document.List && n.Text != "" {
		out = append(out, leaf{way, n.Text, places})
	}
	return out
}

// written are the texts of a result, without white space and braces.
func written(t *testing.T, r promptfoo.Result) string {
	t.Helper()
	var out strings.Builder
	for _, f := range r.Files {
		if f.Name == promptfoo.FindingsFile {
			continue
		}
		out.WriteString(squeezed(string(f.Text)) + "\n")
		if ext := path.Ext(f.Name); ext == ".yaml" || ext == ".yml" || ext == ".json" {
			root, _ := document.Parse(f.Name, f.Text)
			if root == nil {
				t.Fatalf("%s is not read:\n%s", f.Name, f.Text)
			}
			for _, l := range leaves(root, nil, nil) {
				out.WriteString(squeezed(strings.Join(l.path, "/")+" "+l.text) + "\n")
			}
		}
	}
	return out.String()
}

var notText = regexp.MustCompile(`[\s{}"'\\]+`)

func squeezed(s string) string { return notText.ReplaceAllString(strings.ToLower(s), "") }

// elsewhere are leaves that are in a result in another form: what they say is there, and not their text.
func elsewhere(l leaf) bool {
	last := l.path[len(l.path)-1]
	way := strings.Join(l.path, "/")
	switch {
	case last == "$schema", last == "type" && !strings.Contains(way, "config/"): // of an assertion; its value is a leaf of its own
		return true
	case last == "value" && strings.Contains(way, "assert/"): // a program is an expression
		return true
	case last == "transform", strings.HasPrefix(l.text, "file://"): // in expressions; what the file holds
		return true
	case last == "threshold", last == "disableVarExpansion":
		return true
	case last == "id" && strings.HasPrefix(l.text, "azure:"): // its deployment's name
		return true
	case slices.Contains(l.path, "schema"), strings.HasSuffix(way, "response_format/type"), slices.Contains(l.path, "label"):
		return true
	case strings.HasPrefix(way, "providers/") || strings.HasPrefix(way, "targets/"):
		return slices.Contains([]string{"transformResponse", "responseParser", "region", "projectId", "apiVersion", "apiHost", "label", "method", "prompts"}, last) || slices.Contains(l.path, "tools")
	}
	return false
}

func TestNothingOfAnExampleIsDroppedWithoutAWord(t *testing.T) {
	tree, names := examples(t)
	seen := 0
	for _, name := range names {
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: name})
		if r.Extent() == promptfoo.ExtentNone {
			if len(r.Findings) == 0 {
				t.Errorf("%s: nothing was taken over, and nothing says why", name)
			}
			continue
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			t.Fatal(err)
		}
		root, _ := document.Parse(name, data)
		told := map[document.Position]bool{}
		for _, f := range r.Findings {
			if f.Path == name {
				told[f.At] = true
			}
		}
		out := written(t, r)
		for _, l := range leaves(root, nil, nil) {
			seen++
			if slices.ContainsFunc(l.places[1:], func(at document.Position) bool { return told[at] }) || elsewhere(l) || strings.Contains(out, essence(l.text)) {
				continue
			}
			t.Errorf("%s:%d:%d: %s: %q is neither in the result nor in the list", name, l.places[len(l.places)-1].Line, l.places[len(l.places)-1].Column,
				strings.Join(l.path, "/"), l.text)
		}
	}
	if seen < 1000 {
		t.Errorf("%d leaves were looked at", seen)
	}
}

// essence is what of a leaf must be found: of a provider its model, of a file its name, of a template its text.
func essence(text string) string {
	if name, ok := strings.CutPrefix(text, "file://"); ok {
		text = strings.TrimPrefix(path.Base(name), "*")
	} else if strings.Contains(text, "{{") { // what is filled in stands apart
		parts := strings.Split(strings.ReplaceAll(text, "}}", "{{"), "{{")
		text = parts[0]
		for i := 0; i < len(parts); i += 2 {
			if len(parts[i]) > len(text) {
				text = parts[i]
			}
		}
	} else if parts := strings.Split(text, ":"); len(parts) > 1 && !strings.ContainsAny(text, " \n") {
		text = parts[len(parts)-1]
	}
	return squeezed(text)
}
