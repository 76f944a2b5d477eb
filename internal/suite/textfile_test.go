package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// asking returns the files of a tree whose suite uses files of every kind.
func asking() map[string]string {
	return map[string]string{
		"suites/s.yaml": `version: 1
messages: [{ role: system, file: ../prompts/system.md }, { role: user, content: "{{ q }} {{ doc }}" }]
defaults: { vars: { doc: { file: fixtures/all.txt } } }
cases:
  - { id: a, vars: { q: Why? } }
  - { id: b, vars: { q: How?, doc: { file: fixtures/b.txt } }, messages: [{ role: assistant, content: "Which {{ q }}" }, { role: user, file: ../prompts/last.md }] }
`,
		"prompts/system.md":       "Be brief.\r\n",
		"prompts/last.md":         "The {{ doc }}",
		"suites/fixtures/all.txt": "\ufeffall {{ q }}",
		"suites/fixtures/b.txt":   "b\r\n",
	}
}

func TestMessagesAndVariablesAreReadFromFiles(t *testing.T) {
	suites, ds := loaded(asking())
	check(t, ds, nil)
	want := [][]model.Message{
		{{Role: "system", Content: "Be brief.\n"}, {Role: "user", Content: "Why? all {{ q }}"}},
		{{Role: "system", Content: "Be brief.\n"}, {Role: "user", Content: "How? b\n"}, {Role: "assistant", Content: "Which How?"}, {Role: "user", Content: "The b\n"}},
	}
	for i, c := range suites[0].Cases {
		if diff := cmp.Diff(want[i], c.Prompt.Messages); diff != "" {
			t.Errorf("case %s is asked (-want +got):\n%s", c.ID, diff)
		}
		if c.OwnTurns != (i == 1) {
			t.Errorf("case %s has turns of its own: %t", c.ID, c.OwnTurns)
		}
		if got := c.Keys().RequestKey.String(); got != c.Prompt.Key() {
			t.Errorf("case %s is opened with another request than the one of its key", c.ID)
		}
	}
	var files []string
	for _, f := range suites[0].Files {
		files = append(files, string(f.Kind)+" "+f.Path)
	}
	if diff := cmp.Diff([]string{"prompt prompts/system.md", "prompt prompts/last.md", "variable suites/fixtures/all.txt", "variable suites/fixtures/b.txt"}, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestAChatIsAListOfMessages(t *testing.T) {
	for name, text := range map[string]string{
		"chat.json": `[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say \"{{ x }}\""}]`,
		"chat.yaml": "- { role: system, content: Be brief. }\n- role: user\n  content: 'Say \"{{ x }}\"'\n",
		"chat.yml":  "- { role: system, content: Be brief. }\n- role: user\n  content: |-\n    Say \"{{ x }}\"\n",
	} {
		files := one("prompt: ../prompts/" + name + "\ncases: [{ id: a, vars: { x: yes. } }]\n")
		files["prompts/"+name] = text
		suites, ds := loaded(files)
		check(t, ds, nil)
		want := []model.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: `Say "yes."`}}
		if diff := cmp.Diff(want, suites[0].Cases[0].Prompt.Messages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if got := suites[0].Files; len(got) != 1 || got[0].Path != "prompts/"+name {
			t.Errorf("%s: files %v", name, got)
		}
		again, _ := loaded(files)
		if turns := keyOf(caseInput{Vars: map[string]string{"x": "yes."}}); again[0].Cases[0].InputKey() != turns {
			t.Errorf("%s: turns of a file are taken for the case's input", name)
		}
	}
}

func TestFaultsOfFilesOfText(t *testing.T) {
	chat := func(text string) map[string]string {
		files := one("prompt: chat.yaml\ncases: [{ id: a, vars: { x: 1 } }]\n")
		files["suites/chat.yaml"] = text
		return files
	}
	vars := func(value string) map[string]string {
		files := one("prompt: p.md\ncases: [{ id: a, vars: { x: " + value + " } }]\n")
		files["suites/big.txt"], files["suites/binary"], files["suites/empty.txt"] = strings.Repeat("x", 3<<20), "\x7fELF\x00\x00", ""
		files["out.txt@"], files[".env"] = "../secret", "secret"
		return files
	}
	messages := func(list string) map[string]string { return one("messages: " + list + "\ncases: [{ id: a }]\n") }
	for _, c := range []struct {
		rule  string
		files map[string]string
		want  []string
	}{
		{"a message says something", messages("[{ role: user }]"), []string{"suites/s.yaml:2:12 prompt: the message says nothing"}},
		{"a message is written or read", messages("[{ role: user, content: x, file: p.md }]"), []string{"suites/s.yaml:2:38 prompt: both"}},
		{"a message's file exists", messages("[{ role: user, file: q.md }]"), []string{"suites/s.yaml:2:32 path: …does not exist"}},
		{"a message's file has its faults in its own place", messages("[{ role: user, content: hi }, { role: user, file: p.md }]"),
			[]string{"suites/p.md:1:5 undefined-variable: "}},
		{"an address is no path of a message", messages("[{ role: user, content: 'file://p.md' }]"), []string{"suites/s.yaml:2:35 file-address: …write file: p.md in place of content"}},
		{"nor of a file", messages("[{ role: user, file: 'file://p.md' }]"), []string{"suites/s.yaml:2:32 file-address: …write the path alone: p.md"}},
		{"nor of a prompt", one("prompt: file://p.md\ncases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 file-address: …write the path alone: p.md"}},
		{"nor of a variable", vars("file://a.txt"), []string{"suites/s.yaml:3:29 file-address: …write x: { file: a.txt }"}},
		{"words about such an address are text", vars("'is file:///etc/passwd yours?'"), nil},
		{"a variable's file is text", vars("{ file: binary }"), []string{"suites/binary:1:5 control-character: "}},
		{"a variable's file has at most 1 MiB", vars("{ file: big.txt }"), []string{"suites/big.txt:…larger than 1 MiB"}},
		{"a variable's file holds something", vars("{ file: empty.txt }"), []string{"suites/empty.txt:…has no text"}},
		{"a variable's file lies in the tree", vars("{ file: ../../a }"), []string{"suites/s.yaml:3:37 path: …leads out"}},
		{"a variable's file is no link", vars("{ file: ../out.txt }"), []string{"suites/s.yaml:3:37 elsewhere: …symbolic link"}},
		{"a variable's file holds no credentials", vars("{ file: ../.env }"), []string{"suites/s.yaml:3:37 path: …credentials"}},
		{"a variable has one file", vars("{ file: [p.md] }"), []string{"suites/s.yaml:3:37 …"}},
		{"a variable's map has a file", vars("{ path: p.md }"), []string{"suites/s.yaml:3:29 …", "suites/s.yaml:3:31 …"}},
		{"a chat is a list", chat("messages: []\n"), []string{"suites/chat.yaml:1:1 messages: …plain text has another ending", "suites/chat.yaml:1:1 missing-key: …", "suites/chat.yaml:1:1 missing-key: …", "suites/chat.yaml:1:11 length: "}},
		{"a list that no suite names is no suite", map[string]string{"suites/chat.yaml": "- { role: user, content: x }\n"}, []string{"suites/chat.yaml:1:1 not-a-suite: "}},
		{"a chat holds messages", chat("[]\n"), []string{"suites/chat.yaml:1:1 messages: …1 to 100"}},
		{"a message of a chat has a role", chat("- { role: user, content: '{{ x }}' }\n- { role: boss, content: b }\n"), []string{"suites/chat.yaml:2:3 messages: "}},
		{"a message of a chat is text", chat("- { role: user, file: p.md }\n"), []string{"suites/chat.yaml:1:3 messages: "}},
		{"a chat has its faults in its own place", chat("- role: user\n  content: |\n    {{ x }}\n    é {{ x.y }}\n"), []string{"suites/chat.yaml:4:7 template: "}},
		{"a chat's variables are defined", chat("- { role: user, content: '{{ x }} {{ y }}' }\n"), []string{"suites/chat.yaml:1:35 undefined-variable: "}},
		{"a suite asks something", one("cases: [{ id: a, messages: [{ role: user, content: x }] }, { id: b }]\n"), []string{"suites/s.yaml:2:60 prompt: the case has no `messages`"}},
		{"a case's own variable is defined", one("cases: [{ id: a, messages: [{ role: user, content: '{{ x }}' }] }]\n"), []string{"suites/s.yaml:2:53 undefined-variable: "}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loaded(c.files)
			check(t, ds, c.want)
		})
	}
}

func TestFilesOfTextArePartOfTheKeys(t *testing.T) {
	before, _ := loaded(asking())
	for _, c := range []struct {
		path                 string
		request, expectation [2]bool // of both cases: whether the key changes
	}{
		{"prompts/system.md", [2]bool{true, true}, [2]bool{}},
		{"prompts/last.md", [2]bool{false, true}, [2]bool{}},
		{"suites/fixtures/all.txt", [2]bool{true, false}, [2]bool{true, false}},
		{"suites/fixtures/b.txt", [2]bool{false, true}, [2]bool{false, true}},
	} {
		files := asking()
		files[c.path] += "Changed."
		after, ds := loaded(files)
		check(t, ds, nil)
		for i := range len(after[0].Cases) {
			b, a := before[0].Cases[i], after[0].Cases[i]
			if got := b.Keys().RequestKey != a.Keys().RequestKey; got != c.request[i] {
				t.Errorf("%s changes the request of %s: %t", c.path, a.ID, got)
			}
			if got := b.Keys().ExpectationKey != a.Keys().ExpectationKey; got != c.expectation[i] {
				t.Errorf("%s redefines %s: %t", c.path, a.ID, got)
			}
		}
		if got := Scope(Join(before, after), Recordings{}); len(got.Suites) != 1 {
			t.Errorf("%s brings no suite into scope", c.path)
		}
		if got := ChangedFiles(before[0], after[0]); len(got) != 1 || got[0].Head.Path != c.path || got[0].Base.Path != c.path {
			t.Errorf("changed files are %v, want %s", got, c.path)
		}
	}
}

func TestAPromptOfAnotherNameTakesThePlaceOfTheOneThatIsGone(t *testing.T) {
	base := &Suite{Files: []SentFile{{"a.md", KindPrompt, "1"}, {"b.md", KindPrompt, "2"}, {"x.txt", KindVariable, "3"}}}
	head := &Suite{Files: []SentFile{{"a.md", KindPrompt, "1"}, {"c.md", KindPrompt, "4"}, {"y.txt", KindVariable, "5"}, {"new.txt", KindVariable, "6"}}}
	want := "[{{b.md prompt 2} {c.md prompt 4}} {{x.txt variable 3} {y.txt variable 5}}]"
	if got := fmt.Sprint(ChangedFiles(base, head)); got != want {
		t.Errorf("changed files are %s, want %s", got, want)
	}
}

// TestAFileOfTextIsTheSameWhenACaseIsOpened checks that a file is read only once, so that the checked text is sent even
// if the file changes.
func TestAFileOfTextIsTheSameWhenACaseIsOpened(t *testing.T) {
	fsys := tree(asking()).(linkless)
	cfg := settings()
	suites, ds := Load(fsys, cfg, cfg.Suites)
	check(t, ds, nil)
	clear(fsys.MapFS)
	c := suites[0].Cases[1].Open()
	if got := c.Prompt.Messages[3].Content; got != "The b\n" || c.Keys().RequestKey.String() != c.Prompt.Key() {
		t.Errorf("the last message is %q", got)
	}
}

// TestFilesThatCasesRepeatAreCounted checks that a long file that many cases name is counted before it is copied, and
// that the excess is reported once.
func TestFilesThatCasesRepeatAreCounted(t *testing.T) {
	files := one("messages: [{ role: user, content: hi }]\ncases:\n" + strings.Repeat("  - { id: c, vars: { x: { file: big.txt } } }\n", 9))
	files["suites/big.txt"] = strings.Repeat("x", 1<<20-10)
	l := newLoader(tree(files), settings(), nil)
	l.expandedBytes = maxExpanded - 3<<20
	o := l.readFile(source{path: "suites/s.yaml", id: "s", form: suiteForm}, nil)
	ds := slices.DeleteFunc(o.faults, func(d document.Diagnostic) bool { return d.Rule != "too-large" })
	check(t, ds, []string{"suites/s.yaml:7:33 too-large: from here on"})
}

func TestAPromptThatAMergeLeftHalfWayIsTold(t *testing.T) {
	const conflict, at = "<<<<<<< HEAD\nBe kind.\n=======\nBe brief.\n>>>>>>> other\n", "prompts/system.md"
	for text, want := range map[string][]string{
		conflict:                                                {at + ":1:1 merge-conflict: merge conflict marker `<<<<<<<`; resolve the conflict or, if"},
		"Hello\n```json\n{}\n```\n" + conflict:                  {at + ":5:1 merge-conflict: "},
		"```\n" + conflict + "```\n":                            {at + ":2:1 warning merge-conflict: a code block holds"},
		"```\n" + conflict + "```\n" + conflict:                 {at + ":8:1 merge-conflict: "},
		"````\n```\n" + conflict + "````":                       {at + ":3:1 warning merge-conflict: "},
		"Hello\n```json\n{}\n\n" + conflict:                     {at + ":5:1 merge-conflict: "}, // never closed
		"```\n" + strings.Replace(conflict, "Be", "```\nBe", 1): {at + ":7:1 merge-conflict: "}, // closed on one side
		"```\n<<<<<<< HEAD\n```\nthen\n```\n=======\n```\nand\n```\n>>>>>>> x\n```\n": {at + ":2:1 warning merge-conflict: "},
		"```\n<<<<<<< HEAD\n```\n\n```\n" + conflict + "```\n":                        {at + ":2:1 warning merge-conflict: "},
		strings.ReplaceAll(conflict, "Be", "```sh"):                                   {at + ":1:1 merge-conflict: "},
		"Title\n=======\n<<<<<<< is how Git begins a conflict.":                       nil,
		">>>>>>> a\n=======\n<<<<<<< b\n":                                             nil,
	} {
		files := asking()
		files["prompts/system.md"] = text
		_, ds := loaded(files)
		check(t, ds, want)
	}
	files := asking()
	files["suites/fixtures/all.txt"] = conflict
	_, ds := loaded(files)
	check(t, ds, []string{"suites/fixtures/all.txt:1:1 warning merge-conflict: "})
}
