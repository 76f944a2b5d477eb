package document

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// endless is a file of at least 100 MB. It fails the test if more than its limit is read.
type endless struct {
	t     *testing.T
	limit int
	given int
}

func (e *endless) Open(string) (fs.File, error) { return e, nil }
func (e *endless) Stat() (fs.FileInfo, error) {
	return fs.Stat(fstest.MapFS{"f": {Data: []byte("x")}}, "f")
}
func (e *endless) Close() error { return nil }
func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	if e.given += len(p); e.given > e.limit+64<<10 {
		e.t.Fatalf("%d bytes read of a file, limit %d", e.given, e.limit)
	}
	return len(p), nil
}

func bomb(levels, width int) string {
	text := "l0: &l0 [x]\n"
	for i := 1; i <= levels; i++ {
		alias := fmt.Sprintf("*l%d, ", i-1)
		text += fmt.Sprintf("l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(alias, width), ", "))
	}
	return text
}

func nested(levels int) string {
	text := ""
	for i := range levels {
		text += strings.Repeat(" ", i) + "a:\n"
	}
	return text
}

func wide(text string) string {
	out := []byte{0xFF, 0xFE}
	for _, r := range text {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

const anchors = "anchors and aliases"

// TestHostileYAML parses a list of unusual YAML texts. Each must be parsed or rejected for the right reason.
func TestHostileYAML(t *testing.T) {
	first := func(want string) []string { return []string{want} }
	cases := []struct {
		rule string
		text string
		want []string // of the first diagnostics; nil: none at all
	}{
		{"C101: an alias bomb is not expanded", bomb(9, 9), first("1:5 anchor: " + anchors)},
		{"C102: a smaller one neither", bomb(5, 10), first("1:5 anchor: " + anchors)},
		{"C103: an anchor that is used often is refused", "a: &x " + strings.Repeat("y", 50_000) + "\nb: [" + strings.Repeat("*x,", 49_999) + "*x]\n",
			first("1:4 anchor: " + anchors)},
		{"C104: a map that is used often is refused", "a: &m {" + strings.Repeat("k: v, ", 1000) + "z: 1}\nb: [" + strings.Repeat("*m, ", 300) + "*m]\n",
			first("1:4 anchor: " + anchors)},
		{"C105: a list in itself is refused", "a: &a [*a]\n", first("1:4 anchor: " + anchors)},
		{"C106: a merge key is refused", "a: &x {b: 1}\nc:\n  <<: *x\n", []string{"1:4 anchor: ", "3:3 merge-key: merge keys", "3:7 alias: "}},
		{"C106: a merge of a map in place too", "c:\n  <<: {b: 1}\n", first("2:3 merge-key: merge keys")},
		{"C107: a merge of itself is refused", "a: &a\n  <<: *a\n", []string{"…anchor: ", "2:3 merge-key: ", "2:7 alias: "}},
		{"C108: an alias of nothing is refused", "a: *x\n", first("1:4 alias: " + anchors)},
		{"C109: a key that stands twice names both lines", "a: 1\nb: 2\na: 3\n", first(`3:1 duplicate-key: key "a" is also at line 1`)},
		{"C110: a key that stands twice deep inside too", "m:\n  - x: {a: 1, b: 2,\n      a: 3}\n", first(`3:7 duplicate-key: key "a" is also at line 2`)},
		{"C111: white space makes no other key", "bar: 0.9\nbar : 0.1\n", first(`2:1 duplicate-key: key "bar" is also at line 1`)},
		{"C111: quotes make no other key", "bar: 0.9\n\"bar\": 0.1\n", first(`2:1 duplicate-key: key "bar" is also at line 1`)},
		{"C112: an unknown key is refused with the one that was meant", "id: a\nmin_socre: 1\n", first("2:1 unknown-key: …did you mean `min_score`?")},
		{"C113: a byte order mark at the start is left out and warned of", "\uFEFFid: a\n", first("1:1 warning byte-order-mark: ")},
		{"C114: a byte order mark before a key is refused", "id: a\n\uFEFFmin_score: 1\n", first("2:1 byte-order-mark: …remove it")},
		{"C115: UTF-16 is refused", wide("id: a\n"), first("1:1 encoding: the file is UTF-16; save it as UTF-8")},
		{"C115: UTF-16 without a mark is refused", "i\x00d\x00:\x00 \x00a\x00", first("1:2 control-character: the file contains a NUL byte")},
		{"C116: UTF-32 is refused", "\xFF\xFE\x00\x00i\x00\x00\x00", first("1:1 encoding: the file is UTF-16; save it as UTF-8")},
		{"C117: CRLF ends a line", "id: a\r\nmin_score: 1\r\n", nil},
		{"C118: a bare CR is refused", "id: a\rmin_score: 1\n", first("1:6 line-break: a carriage return")},
		{"C118: a bare CR at the end is refused", "id: a\r", first("1:6 line-break: a carriage return")},
		{"C119: NUL is refused", "id: \"a\x00b\"\n", first("1:7 control-character: …NUL")},
		{"C120: invalid UTF-8 is refused", "id: a\xff\xfe\n", first("1:6 encoding: this is not UTF-8 text")},
		{"C121: overlong UTF-8 is refused", "id: \xc0\xaf\n", first("1:5 encoding: this is not UTF-8 text")},
		{"C121: half a surrogate pair is refused", `id: "\ud800"` + "\n", first("1:…surrogate")},
		{"C122: a tab is no indentation", "vars:\n\tx: 1\n", first("2:1 tab: …tab")},
		{"C122: a tab behind spaces is no indentation", "vars:\n  x: 1\n  \ty: 1\n", first("3:3 tab: …tab")},
		{"C123: 200 000 open brackets are too deep", strings.Repeat("[", 200_000), first("1:33 too-deep: more than 32")},
		{"C124: a million too", strings.Repeat("[", 1_000_000), first("1:33 too-deep: more than 32")},
		{"C124: a million that are closed too", strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000), first("1:33 too-deep: more than 32")},
		{"C125: 1 000 levels of a block map are too deep", nested(1000), first("33:…too-deep: more than 32")},
		{"C125: 33 levels are too deep", nested(32) + strings.Repeat(" ", 32) + "a: {}\n", first("33:…too-deep: more than 32")},
		{"C125: levels of both styles are counted together", nested(20) + strings.Repeat(" ", 20) + "a: " + strings.Repeat("[", 13) + strings.Repeat("]", 13) + "\n",
			first("…too-deep: more than 32")},
		{"C125: 32 levels are not", "vars:\n" + strings.ReplaceAll(nested(30), "a:", "a:"), nil},
		{"C127: a MiB of text is read", strings.Repeat("# a comment of some length\n", 38_835) + "id: a\n", nil},
		{"C128: 500 000 items are too large", "vars:\n" + strings.Repeat("- a\n", 500_000), first("0:0 too-large: the file is larger than 1 MiB")},
		{"C128: 300 000 items within a MiB are too many", "vars: [" + strings.Repeat("a,", 300_000) + "a]\n", first("1:…too-large: the file has more than 200000 values")},
		{"C129: a string of 10 MB is too large", "id: " + strings.Repeat("x", 10<<20) + "\n", first("0:0 too-large: ")},
		{"C129: a string of 300 KiB is too large", "text: " + strings.Repeat("x", 300<<10) + "\n", first("1:7 too-large: a string of 300 KiB")},
		{"C130: a long anchor is refused", "a: &" + strings.Repeat("x", 1<<20-20) + " b\n", first("1:4 anchor: " + anchors)},
		{"C131: a second document is refused", "id: a\n---\nid: b\n", first("2:1 second-document: ")},
		{"C131: behind an end mark too", "id: a\n...\nid: b\n", first("3:1 second-document: ")},
		{"C131: an empty one too", "---\nid: a\n---\n", first("3:1 second-document: ")},
		{"C131: start and end marks of one document are allowed", "# x\n---\nid: a\n...\n# y\n", nil},
		{"C132: a second document of garbage is refused", "id: a\n--- ]]}{\n", first("2:5 syntax: ")},
		{"C133: an empty file is refused", "", first("1:1 empty: the file is empty")},
		{"C133: comments are no content", "# nothing\n\n  # here\n", first("1:1 empty: …only comments")},
		{"C133: a start mark is no content", "---\n", first("1:1 empty: ")},
		{"C134: null is no content", "~\n", first("1:1 empty: …null")},
		{"C134: null in letters neither", "null\n", first("1:1 empty: …null")},
		{"C135: a text is no file", "hello\n", first(`1:1 type: the file is "hello"; expected a map`)},
		{"C135: a list is no file", "- a\n- b\n", first("1:1 type: the file is a list; expected a map")},
		{"C136: a tag of a language is refused", "id: !!python/object/apply:os.system [ls]\n", first(`1:5 tag: YAML tag "!!python/object/apply:os.system"`)},
		{"C137: an include is refused", "id: !include ../../etc/passwd\n", first(`1:5 tag: YAML tag "!include"`)},
		{"C138: binary is refused", "id: !!binary aGk=\n", first(`1:5 tag: YAML tag "!!binary"`)},
		{"C138: a tag that changes nothing is refused", "id: !!str a\n", first(`1:5 tag: YAML tag "!!str"`)},
		{"C138: a tag without a name is refused", "id: ! a\n", first(`1:5 tag: YAML tag "!"`)},
		{"C138: a tagged key is refused", "!!str id: a\n", first(`1:1 tag: YAML tag "!!str"`)},
		{"C139: a directive is refused", "%YAML 9.9\n---\nid: a\n", first(`1:1 directive: YAML directive "%YAML 9.9"`)},
		{"C139: a directive for tags too", "%TAG ! x\n---\nid: a\n", first("1:1 directive: ")},
		{"C140: a list is no key", "? [a, b]\n: c\n", first("1:3 key: a map or list is used as a key")},
		{"C140: a template without quotes is no text", "id: {{ x }}\n", first("…key: a map or list is used as a key")},
		{"C141: an escape character is refused", "id: a\x1b[31m\n", first("1:6 control-character: control character U+001B")},
		{"C142: a C1 control is refused", "id: a\u009bm\n", first("1:6 control-character: control character U+009B")},
		{"C143: a line separator is refused", "id: a\u2028b\n", first("1:6 line-break: U+2028")},
		{"C143: the next line character is refused", "id: a\u0085b\n", first("1:6 line-break: U+0085")},
		{"C144: a change of direction is no part of an id", "id: \"a\u202eb\"\n", first(`1:5 pattern: …"a\u202eb"`)},
		{"C144: and some text elsewhere", "text: \"a\u202eb\"\n", nil},
		{"C145: JSON is YAML", "{\"id\": \"a\",\n\t\"min_score\": 1}", nil},
		{"behind white space it is one", " \n\tversion https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", first("1:1 lfs-pointer: …git lfs pull")},
		{"behind much of it too", strings.Repeat("\n", 200) + "version https://hawser.github.com/spec/v1\noid sha256:0\n", first("1:1 lfs-pointer: …git lfs pull")},
		{"of a version of before", "version http://git-media.io/v/2\noid sha256:0\nsize 1\n", first("1:1 lfs-pointer: …git lfs pull")},
		{"C146: a pointer of Git LFS is no file", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", first("1:1 lfs-pointer: …git lfs pull")},
		{"C147: merge conflict markers are named", "<<<<<<< HEAD\nid: a\n=======\nid: b\n>>>>>>> other\n", []string{"1:1 merge-conflict: …resolve", "5:1 merge-conflict: "}},
	}
	schema, err := CompileSchema("test.json", []byte(smallSchema))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			tree := fstest.MapFS{"f.yaml": {Data: []byte(c.text)}}
			data, ds := Read(tree, "f.yaml")
			var root *Node
			if ds == nil {
				root, ds = Parse("f.yaml", data)
				ds = append(ds, schema.Check("f.yaml", root)...)
			}
			if len(c.want) > 0 {
				ds = ds[:min(len(ds), len(c.want))]
			}
			matches(t, ds, c.want...)
		})
	}
}

const smallSchema = `{
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"id": {"type": "string", "pattern": "^[a-z0-9.]+$", "description": "A name of letters."},
		"min_score": {"type": "number", "minimum": 0, "maximum": 1},
		"level": {"enum": ["off", "warn", "error"]},
		"text": {"type": "string"},
		"vars": true, "a": true, "b": true, "c": true, "m": true, "bar": true
	}
}`

func TestAFileIsReadToItsLimitAndNoFurther(t *testing.T) {
	for name, limit := range map[string]int{"a.yaml": MaxYAML, "a.yml": MaxYAML, "a": MaxYAML, "a.md": MaxYAML, "a.json": MaxJSON, "a.jsonl": MaxJSON} {
		_, ds := Read(&endless{t: t, limit: limit}, name)
		advice := map[string]string{"": "shorten it", ".md": "shorten it", ".json": "split it", ".jsonl": "split it",
			".yaml": "split it; a suite's cases may stand in a file of CSV", ".yml": "split it; a suite's"}[path.Ext(name)]
		matches(t, ds, fmt.Sprintf("0:0 too-large: the file is larger than %d MiB; %s", limit>>20, advice))
	}
	_, ds := ReadText(&endless{t: t, limit: 1000}, "p.md", 1000)
	matches(t, ds, "0:0 too-large: the file is larger than 1000 bytes")
}

func TestReadSaysWhyAFileIsNotRead(t *testing.T) {
	tree := fstest.MapFS{
		"folder/x":   {Data: []byte("x")},
		"pipe":       {Mode: fs.ModeNamedPipe},
		"blank.md":   {Data: []byte("\uFEFF \n\t\n")},
		"empty.md":   {},
		"png.md":     {Data: []byte("\x89PNG\r\n\x1a\n\x00\x00")},
		"nul.md":     {Data: []byte("text with\na \x00")},
		"pointer.md": {Data: []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")},
		"good.md":    {Data: []byte("Say \x1b[1mhello\u202e.\n")},
	}
	cases := []struct{ rule, name, want string }{
		{"a missing file", "missing.md", "0:0 unreadable: the file does not exist"},
		{"a folder", "folder", "0:0 unreadable: …it is a folder"},
		{"a pipe", "pipe", "0:0 unreadable: …is not a regular file"},
		{"a path that leads out", "../x", "0:0 unreadable: "},
		{"a blank text", "blank.md", "0:0 empty: "},
		{"an empty text", "empty.md", "0:0 empty: "},
		{"an image", "png.md", "1:1 encoding: this is not UTF-8 text"},
		{"a NUL", "nul.md", "2:3 control-character: …NUL"},
		{"a pointer of Git LFS", "pointer.md", "1:1 lfs-pointer: …git lfs"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			data, ds := ReadText(tree, c.name, 1<<20)
			if data != nil {
				t.Errorf("%q was read", data)
			}
			matches(t, ds, c.want)
		})
	}
	data, ds := ReadText(tree, "good.md", 1<<20)
	if ds != nil || !bytes.Equal(data, tree["good.md"].Data) {
		t.Errorf("ReadText = %q, %v", data, lines(ds))
	}
}

func TestCRLFAndLFAreTheSameText(t *testing.T) {
	text := "a: |\n  one\n  two\nb: \"x\n  y\"\nc: >\n  z\n  z\n"
	unix, _ := Parse("f.yaml", []byte(text))
	dos, ds := Parse("f.yaml", []byte(strings.ReplaceAll(text, "\n", "\r\n")))
	matches(t, ds)
	for _, key := range []string{"a", "b", "c"} {
		if u, d := unix.Get(key), dos.Get(key); u.Text != d.Text || u.Pos != d.Pos {
			t.Errorf("%s is %q at %v with LF and %q at %v with CRLF", key, u.Text, u.Pos, d.Text, d.Pos)
		}
	}
}

func TestFaultsAreListedToALimitAndCounted(t *testing.T) {
	_, ds := Parse("f.yaml", []byte("a: ["+strings.Repeat("-1, ", 250)+"-1]\n"))
	if len(ds) != 101 || ds[100].Message != "151 more faults are not listed" {
		t.Errorf("%d diagnostics, the last %v", len(ds), ds[len(ds)-1])
	}
}

func TestSort(t *testing.T) {
	ds := []Diagnostic{
		{Path: "b", Line: 1, Column: 1, Rule: "r"}, {Path: "a", Line: 2, Column: 1, Rule: "r"}, {Path: "a", Line: 1, Column: 2, Rule: "r"},
		{Path: "a", Line: 1, Column: 1, Rule: "s"}, {Path: "a", Line: 1, Column: 1, Rule: "r", Message: "z"}, {Path: "a", Line: 1, Column: 1, Rule: "r", Message: "y"}, {Path: "a"},
	}
	Sort(ds)
	var got []string
	for _, d := range ds {
		got = append(got, d.Location()+d.Rule+d.Message)
	}
	if want := []string{"a", "a:1:1rz", "a:1:1ry", "a:1:1s", "a:1:2r", "a:2:1r", "b:1:1r"}; !slices.Equal(got, want) {
		t.Errorf("Sort = %v, want %v", got, want)
	}
}

func TestAnchorsOfAnotherToolAreWrittenOut(t *testing.T) {
	for _, c := range []struct{ rule, text, same string }{
		{"an alias is what its anchor holds", "a: &x [1, {b: c}]\nd: *x\n", "a: [1, {b: c}]\nd: [1, {b: c}]\n"},
		{"a merged map gives what is lacking", "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", "a: {b: 1, c: 2}\nd: {c: 3, b: 1}\n"},
		{"of several the first gives", "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y]\n", "a: {b: 1}\nc: {b: 2, d: 3}\ne: {b: 1, d: 3}\n"},
		{"a merged map may have merged itself", "a: &x {b: 1}\nc: &y {<<: *x}\nd: {<<: *y}\n", "a: {b: 1}\nc: {b: 1}\nd: {b: 1}\n"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, faults := ParseAnchored("a.yaml", []byte(c.text))
			want, none := Parse("a.yaml", []byte(c.same))
			if len(faults)+len(none) > 0 || !cmp.Equal(got.Value(), want.Value()) {
				t.Errorf("%v, %v; want %v", got.Value(), faults, want.Value())
			}
		})
	}
	for text, want := range map[string]string{
		bomb(9, 9):              "too-large",
		"a: &a {b: *a}\n":       "too-deep",
		"a: {<<: 1}\n":          "merge-key",
		"a: &x !!binary aGk=\n": "tag",
		"a: *x\n":               "alias",
	} {
		if _, faults := ParseAnchored("a.yaml", []byte(text)); len(faults) == 0 || faults[len(faults)-1].Rule != want {
			t.Errorf("%.30q has the faults %v, want %s", text, faults, want)
		}
	}
}
