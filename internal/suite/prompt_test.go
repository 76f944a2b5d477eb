package suite

import (
	"strings"
	"testing"
)

func TestPromptFiles(t *testing.T) {
	suite := "prompt: p.md\ncases: [{ id: a, vars: { x: \"1\" } }]\n"
	with := func(prompt string) map[string]string {
		files := one(suite)
		files["suites/p.md"] = prompt
		return files
	}
	naming := func(name string) map[string]string {
		files := one(strings.Replace(suite, "p.md", name, 1))
		files[".git/config"], files[".env"], files["suites/d/x"] = "secret", "secret", "{{ x }}"
		files["suites/link.md@"], files["linked@"], files["loop@"] = "p.md", "suites", "loop"
		return files
	}
	cases := []struct {
		rule  string
		files map[string]string
		want  []string
	}{
		{"a prompt file is sent with its variables filled in", with("a {{ x }} b"), nil},
		{"C215: an undefined variable is a fault in the prompt", with("a {{ x }}\nb {{ y }} {{ y }}"),
			[]string{`suites/p.md:2:3 undefined-variable: variable "y" is not defined in case a of suite s`}},
		{"C215: an unused variable is a warning", with("a"), []string{`suites/s.yaml:3:26 warning unused-variable: variable "x"`}},
		{"C216: assertions cannot read the environment", with("é {{ env.OPENAI_API_KEY }} {{ x }}"), []string{"suites/p.md:1:3 template: "}},
		{"C216: there are no functions", with("{{ printf \"%d\" x }} {{ x }}"), []string{"suites/p.md:1:1 template: "}},
		{"C216: a shell's variable is a mistake", with("{{ x }}\r\n ${OPENAI_API_KEY}"), []string{"suites/p.md:2:2 template: "}},
		{"C217: a prompt is not empty", with(""), []string{"suites/p.md:…"}},
		{"C217: a prompt is not blank", with(" \n\t\n"), []string{"suites/p.md:…"}},
		{"C217: a prompt has at most 1 MiB", with(strings.Repeat("x", 2<<20)), []string{"suites/p.md:…"}},
		{"C318: a prompt is text", with("\x89PNG\r\n\x1a\n\x00\x00"), []string{"suites/p.md:…"}},
		{"C318: a prompt is no pointer to large storage",
			with("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"),
			[]string{"suites/p.md:…"}},
		{"a prompt file exists", naming("far.md"), []string{`suites/s.yaml:2:9 path: prompt file "far.md" does not exist`}},
		{"one that is misspelled is told with the one that is meant", naming("pp.md"), []string{`suites/s.yaml:2:9 path: prompt file "pp.md" does not exist; did you mean "p.md"?`}},
		{"C301: a prompt file lies in the tree", naming("../../etc/passwd"), []string{"suites/s.yaml:2:9 path: …leads out"}},
		{"C302: a prompt file is no link", naming("link.md"), []string{"suites/s.yaml:2:9 elsewhere: …is a symbolic link"}},
		{"C302: a prompt file is not behind a link", naming("../linked/p.md"), []string{"suites/s.yaml:2:9 elsewhere: …is a symbolic link"}},
		{"C303: a loop of links is never entered", naming("../loop"), []string{"suites/s.yaml:2:9 elsewhere: …is a symbolic link"}},
		{"C304: git's folder is private", naming("../.git/config"), []string{"suites/s.yaml:2:9 path: …credentials"}},
		{"C304: environment files are private", naming("../.env"), []string{"suites/s.yaml:2:9 path: …credentials"}},
		{"C306: a folder is no prompt", naming("d"), []string{"suites/s.yaml:2:9 path: …is a folder"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loaded(c.files)
			check(t, ds, c.want)
		})
	}
}

func TestUndefinedVariablesAreToldOnceForAllCases(t *testing.T) {
	files := one("prompt: p.md\ncases: [{ id: a }, { id: b }, { id: c }, { id: d }, { id: e, vars: { x: 1 } }]\n")
	_, ds := loaded(files)
	check(t, ds, []string{`suites/p.md:1:5 undefined-variable: variable "x" is not defined in cases a, b and 2 more of suite s`})
}

// TestAPathFromTheRootIsToldWhereItBegins checks the advice about a path relative to the root, because paths are
// relative to the file that names them.
func TestAPathFromTheRootIsToldWhereItBegins(t *testing.T) {
	_, ds := loaded(map[string]string{
		"prompts/p.md":    "Hi",
		"suites/a/s.yaml": "version: 1\nprompt: prompts/p.md\ncases: [{ id: a, expected_response: x }]\n",
	})
	check(t, ds, []string{`suites/a/s.yaml:2:9 path: prompt file "prompts/p.md" does not exist; paths begin beside the file that names them: write "../../prompts/p.md"`})
}

// TestAKeyOfAnotherToolIsToldWhatIsWrittenHere checks that another tool's key is not taken for a misspelling of a
// similar key.
func TestAKeyOfAnotherToolIsToldWhatIsWrittenHere(t *testing.T) {
	_, ds := loaded(one("messages: [{ role: user, content: Hi }]\ncases: [{ id: a, label: x }, { id: b, question: x }, { id: c, assert: [{ equals: x }] }]\n"))
	check(t, ds, []string{"suites/s.yaml:3:18 unknown-key: unknown key \"label\"; write `expected_label`",
		"suites/s.yaml:3:39 unknown-key: unknown key \"question\"; a variable of the prompt stands under `vars`; expected ",
		"suites/s.yaml:3:74 unknown-key: unknown key \"equals\"; write `expected_response`, which is a key of the case"})
}

// TestAListOfMessagesIsNotSilentlyAText checks that a message whose file lists messages is warned of.
func TestAListOfMessagesIsNotSilentlyAText(t *testing.T) {
	for name, text := range map[string]string{
		"shots.yaml": "# examples\n- { role: user, content: Hi }\n",
		"shots.yml":  "- role: user\n  content: Hi\n",
		"shots.json": "[\n  {\"content\": \"Hi\", \"role\": \"user\"}]",
		"data.json":  "[{\"name\": \"role\"}]",
		"shots.md":   "- role: be a clerk\n",
	} {
		files := one("messages: [{ role: user, file: ../" + name + " }]\ncases: [{ id: a }]\n")
		files[name] = text
		var want []string
		if strings.HasPrefix(name, "shots.") && name != "shots.md" {
			want = []string{"suites/s.yaml:2:32 warning messages: \"../" + name + "\" lists messages, and is sent as the text of this one"}
		}
		_, ds := loaded(files)
		check(t, ds, want)
	}
}
