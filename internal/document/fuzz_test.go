package document

import (
	"bytes"
	"reflect"
	"testing"
	"unicode/utf8"
)

// inFile fails the test unless a place is inside the text, or directly after its end.
func inFile(t *testing.T, lines [][]byte, at Position) {
	t.Helper()
	if at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > utf8.RuneCount(lines[at.Line-1])+1 {
		t.Errorf("place %v is outside of the file", at)
	}
}

// sound fails the test unless a tree is consistent and every place is inside the file.
func sound(t *testing.T, lines [][]byte, n *Node, depth int) {
	t.Helper()
	inFile(t, lines, n.Pos)
	if depth > maxDepth+1 || len(n.Keys) != len(n.Values) || n.Kind != Map && n.Keys != nil || n.Kind != List && len(n.List()) > 0 {
		t.Fatalf("node %+v at depth %d", n, depth)
	}
	if !utf8.ValidString(n.Text) {
		t.Errorf("text %q is not UTF-8", n.Text)
	}
	for _, item := range n.List() {
		sound(t, lines, item, depth+1)
	}
	seen := map[string]bool{}
	for i, key := range n.Keys {
		if seen[key.Text] {
			t.Errorf("key %q stands twice", key.Text)
		}
		seen[key.Text] = true
		inFile(t, lines, key.Pos)
		sound(t, lines, n.Values[i], depth+1)
	}
}

// parsed parses data twice and checks both results.
func parsed(t *testing.T, schema *Schema, path string, data []byte) (*Node, []Diagnostic) {
	t.Helper()
	root, ds := Parse(path, data)
	lines := bytes.Split(bytes.TrimPrefix(data, bom), []byte("\n"))
	for _, d := range ds {
		wellFormed(t, d)
		if d.Line != 0 {
			inFile(t, lines, Position{d.Line, d.Column})
		}
	}
	if root != nil {
		sound(t, lines, root, 1)
	} else if !HasErrors(ds) {
		t.Error("there is neither a tree nor an error")
	}
	again, more := Parse(path, data)
	if !reflect.DeepEqual(root, again) || !reflect.DeepEqual(ds, more) {
		t.Error("a second reading differs from the first")
	}
	for _, d := range schema.Check(path, root) {
		wellFormed(t, d)
		if d.Line != 0 {
			inFile(t, lines, Position{d.Line, d.Column})
		}
	}
	return root, ds
}

func wideSchemaOf(t testing.TB) *Schema {
	t.Helper()
	schema, err := CompileSchema("wide.json", []byte(wideSchema))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"", "~", "a: 1\nb: [x, {y: z}]\n", "- |\n  text\n- >-\n  more\n- \"\\u00e9\"\n", "a: &x 1\nb: *x\n<<: 1\n", "--- a\n...\n--- b\n", "%YAML 1.2\n---\na: 1\n",
		"? a\n: b\n", "a: 1\na: 2\n", "a:\n\tb: 1\n", "a: 'x\n\n  y'\n# end\n", "\uFEFFa: 1\r\n", "a: !!str 1\n", "id: no\nwhole: 010\n", "id: [\n", "{a: {b: [c, ", "é: \"ü\n",
		"names:\n  X: {}\n  y:\n    value: 2\n", "a:\n-\n- \n", "'", "<<<<<<< x\n", bomb(3, 3), nested(40),
	} {
		f.Add([]byte(seed))
	}
	schema := wideSchemaOf(f)
	f.Fuzz(func(t *testing.T, data []byte) { parsed(t, schema, "f.yaml", data) })
}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		"", "null", `{"a": [1, 2.5, "x\u00e9\ud83d\ude00", true, null, {}]}`, `{"a":1,"a":2}`, `[-1, 1e3, 01]`, `["\ud800"]`, "[1,\r\n2]", `{"id": "a", "gate": {"value": 2}}`,
		"\uFEFF{}", "[\"\u2028\u007f\"]", `{"a": "tab\there", "": 0}`, "[\t1 ]", `{"a":}`, `"`, "[[[[", `[NaN]`,
	} {
		f.Add([]byte(seed))
	}
	schema := wideSchemaOf(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		root, ds := parsed(t, schema, "f.json", data)
		if HasErrors(ds) || !(&Diagnostics{}).checkYAMLText(bytes.TrimPrefix(data, bom)) || root.Kind != Map && root.Kind != List {
			return // in YAML, only a map or a list without raw control characters is valid
		}
		same, more := Parse("f.yaml", data)
		if HasErrors(more) || !reflect.DeepEqual(root.Value(), same.Value()) {
			t.Errorf("as JSON %v, as YAML %v, %v", root.Value(), same.Value(), lines(more))
		}
	})
}
