package document

import (
	"fmt"
	"reflect"
	"testing"
)

func TestNumbersHaveOneForm(t *testing.T) {
	for _, text := range []string{"0", "1", "10", "0.85", "10.50", "1000", "0.0", "2026"} {
		for _, name := range []string{"f.yaml", "f.json"} {
			root, ds := Parse(name, []byte(`{"a": `+text+`}`))
			matches(t, ds)
			if n := root.Get("a"); n.Kind != Number || n.Text != text {
				t.Errorf("%s: %s is kind %d, %q", name, text, n.Kind, n.Text)
			}
		}
	}
	both := []string{"-1", "-0.1", "1e3", "1E3", "1e400", "1.5e-3"}
	yaml := []string{"01", "+1", ".5", "5.", "010", "012", "0x10", "0X1F", "0o17", "0b11", "1_000", "0.1_0", "1:30", "190:20:30.15", ".nan", ".NaN", ".inf", "-.inf", "+.INF", "1_0.5", "-0"}
	for _, text := range both {
		_, ds := Parse("f.json", []byte(`{"a": `+text+`}`))
		matches(t, ds, fmt.Sprintf("1:7 number: %q is not a plain number…quotes", text))
	}
	for _, text := range append(yaml, both...) {
		_, ds := Parse("f.yaml", []byte("a: "+text+"\n"))
		matches(t, ds, fmt.Sprintf("1:4 number: %q is not a plain number…quotes", text))
	}
	for _, text := range []string{"01", "+1", ".5", "5.", "NaN", "Infinity", "-Infinity"} { // no JSON at all
		_, ds := Parse("f.json", []byte(`{"a": `+text+`}`))
		matches(t, ds, "1:…syntax: not JSON")
	}
}

func TestALongNumberIsNoNumber(t *testing.T) {
	digits := fmt.Sprintf("1%0400d", 0)
	for _, name := range []string{"f.yaml", "f.json"} {
		_, ds := Parse(name, []byte(`{"a": `+digits+`}`))
		matches(t, ds, "1:7 number: ")
	}
}

// TestPlainWordsOfYAML checks how unquoted words of YAML are read.
func TestPlainWordsOfYAML(t *testing.T) {
	cases := []struct {
		text string
		kind Kind
		want string
	}{
		{"true", Bool, "true"}, {"False", Bool, "False"}, {"TRUE", Bool, "TRUE"},
		{"yes", Bool, "yes"}, {"No", Bool, "No"}, {"ON", Bool, "ON"}, {"off", Bool, "off"},
		{"yEs", String, "yEs"}, {"y", String, "y"}, {"n", String, "n"},
		{"~", Null, ""}, {"null", Null, ""}, {"", Null, ""}, {"nil", String, "nil"},
		{"2026-11-21", String, "2026-11-21"}, {"2026-11-21T10:00:00Z", String, "2026-11-21T10:00:00Z"},
		{"1.2.3", String, "1.2.3"}, {"80%", String, "80%"}, {"0,8", String, "0,8"}, {"NaN", String, "NaN"}, {"inf", String, "inf"},
		{"=", String, "="}, {"12 eggs", String, "12 eggs"}, {"0x", String, "0x"}, {"-", List, ""}, {"10.0.0.1", String, "10.0.0.1"},
		{`"no"`, String, "no"}, {`'010'`, String, "010"}, {`"1e3"`, String, "1e3"}, {`""`, String, ""}, {"|-\n  no", String, "no"}, {">-\n  1", String, "1"},
		{`"\u00e9\x41\n\/"`, String, "éA\n/"},
	}
	for _, c := range cases {
		root, ds := Parse("f.yaml", []byte("a: "+c.text+"\n"))
		if c.kind == List {
			matches(t, ds, "1:4 syntax: ")
			continue
		}
		matches(t, ds)
		if n := root.Get("a"); n.Kind != c.kind || n.Text != c.want {
			t.Errorf("%q is kind %d, %q; want %d, %q", c.text, n.Kind, n.Text, c.kind, c.want)
		}
	}
}

func TestKeysAreText(t *testing.T) {
	root, ds := Parse("f.yaml", []byte("no: 1\n010: 2\ntrue: 3\n1.0: 4\n\"<<\": 5\n"))
	matches(t, ds)
	for i, want := range []string{"no", "010", "true", "1.0", "<<"} {
		if k := root.Keys[i]; k.Text != want || k.Kind != String {
			t.Errorf("key %d is %q of kind %d, want %q", i, k.Text, k.Kind, want)
		}
	}
	_, ds = Parse("f.yaml", []byte("a:\n  : 1\n"))
	matches(t, ds, "2:3 key: the key is empty")
}

func TestPlacesCountRunes(t *testing.T) {
	text := "é: {ü: \"ß\", z: [1,\n  ö]}\nk:\n  - |\n    x\n  -\n"
	root, ds := Parse("f.yaml", []byte(text))
	matches(t, ds)
	places := map[string]Position{}
	var walk func(name string, n *Node)
	walk = func(name string, n *Node) {
		places[name] = n.Pos
		for i, key := range n.Keys {
			places[name+"/"+key.Text+"!"] = key.Pos
			walk(name+"/"+key.Text, n.Values[i])
		}
		for i, item := range n.List() {
			walk(fmt.Sprintf("%s/%d", name, i), item)
		}
	}
	walk("", root)
	want := map[string]Position{
		"": {1, 1}, "/é!": {1, 1}, "/é": {1, 4}, "/é/ü!": {1, 5}, "/é/ü": {1, 8}, "/é/z!": {1, 13}, "/é/z": {1, 16}, "/é/z/0": {1, 17}, "/é/z/1": {2, 3},
		"/k!": {3, 1}, "/k": {4, 3}, "/k/0": {4, 5}, "/k/1": {6, 4},
	}
	if !reflect.DeepEqual(places, want) {
		t.Errorf("places %v\nwant %v", places, want)
	}
}

func TestGet(t *testing.T) {
	root, _ := Parse("f.yaml", []byte("a: {b: 1}\nc: [1]\n"))
	if n := root.Get("a").Get("b"); n == nil || n.Text != "1" {
		t.Errorf("a.b is %+v", n)
	}
	for name, n := range map[string]*Node{"an absent key": root.Get("x"), "a key of nothing": root.Get("x").Get("y"), "a key of a list": root.Get("c").Get("0")} {
		if n != nil {
			t.Errorf("%s is %+v", name, n)
		}
	}
	if at := root.KeyPos("c"); at != (Position{2, 1}) {
		t.Errorf("KeyPos(c) = %v", at)
	}
	if at := root.KeyPos("x"); at != root.Pos {
		t.Errorf("KeyPos(x) = %v", at)
	}
}

func TestSyntaxIsToldWithWhatToDo(t *testing.T) {
	for text, want := range map[string]string{
		"a: [1, 2\nb: 3\n":            "2:2 syntax: …that begins at line 1",
		"a: b: c\n":                   `1:5 syntax: …": " needs quotes`,
		"a: @x\n":                     "1:4 syntax: …needs quotes",
		"a: *\n":                      "1:5 syntax: …begins with * needs quotes",
		"a: \"\\q\"\n":                "1:5 syntax: …is written \\\\",
		"a: 'x\n":                     "1:4 syntax: …this quote is not closed",
		"a: { b: \"x }\nc: [\"y\"]\n": "2:6 syntax: …did not find expected ',' or '}', while parsing a flow mapping that begins at line 1",
		"a: it's\nb: [\"x\", # don't\n  'y', c: d\n": "3:12 syntax: …flow sequence that begins at line 2",
	} {
		_, ds := Parse("f.yaml", []byte(text))
		matches(t, ds, want)
	}
}
