package acceptance_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
)

const (
	modelsFile   = "model: openai/gpt-5-mini\nmessages: [{ role: user, content: 'Say {{ word }}' }]\n"
	modelsSuite  = modelsFile + "testData: [{ word: hi }]\n"
	writtenSuite = "version: 1\nmessages: [{ role: user, content: hi }]\ncases: [{ id: a }]\n"
)

// firstRepositories are what people run `failproof init` in: their files, and how many suites and prompts of them are
// asked.
var firstRepositories = []struct {
	rule    string
	files   map[string]string
	written int // suites by init
	counted int // all suites
	says    string
}{
	{"nothing", nil, 1, 1, "Next: failproof run"},
	{"a prompt", map[string]string{"prompts/a.md": "Hi"}, 1, 1, "suites/a.yaml tests prompts/a.md"},
	{"a prompt that is called .prompt.md", map[string]string{"prompts/translate.prompt.md": "Translate {{ text }}"}, 1, 1, "suites/translate.yaml tests"},
	{"a prompt that is called .prompt.txt", map[string]string{"prompts/translate.prompt.txt": "Translate {{ text }}"}, 1, 1, "suites/translate.yaml tests"},
	{"it beside others of its stem", map[string]string{"prompts/a.prompt.txt": "A", "prompts/a.prompt.md": "B", "prompts/a.md": "C", "prompts/b.md": "D"}, 4, 4, "4 prompts have a suite each"},
	{"every ending", map[string]string{"prompts/a.md": "A", "prompts/b.txt": "{{ b }}", "prompts/c.j2": "{{ c }}", "prompts/d.prompt": "D", "prompts/e.jinja": "E",
		"prompts/f.yaml": "- { role: user, content: '{{ q }}' }", "prompts/g.json": `[{"role":"user","content":"{{ z }}"}]`, "prompts/h.hbs": "{{ h }}"}, 8, 8, "8 prompts"},
	{"names that ids cannot have", map[string]string{"prompts/übersetzen.md": "A {{ x }}", "prompts/日本.md": "B", "prompts/中文.md": "C", "prompts/my prompt.md": "D",
		"prompts/it's.md": "E", "prompts/#x.md": "F", "prompts/-dash.md": "G", `prompts/q"uote.md`: "H", "prompts/.hidden.md": "I"}, 9, 9, "9 prompts"},
	{"names that differ in letter case alone", map[string]string{"prompts/Translate.md": "A", "prompts/translate.md": "B"}, 2, 2, ""},
	{"names that are too long for an id", map[string]string{"prompts/" + strings.Repeat("x", 190) + ".md": "A", "prompts/" + strings.Repeat("x", 190) + ".txt": "B"}, 2, 2, ""},
	{"one stem in several folders", map[string]string{"prompts/a.md": "A", "prompt/a.md": "B", "app/prompts/a.md": "C", "app/prompts/a.txt": "D", "x_prompts/a.md": "E"}, 5, 5, ""},
	{"stems that look like what tells two apart", map[string]string{"prompts/a-md.txt": "A", "prompts/a.md": "B", "prompts/a.txt": "C", "prompts/a-txt.md": "D"}, 4, 4, ""},
	{"variables that YAML knows by name", map[string]string{"prompts/a.md": "{{ on }} {{ true }} {{ null }} {{ file }} {{ y }}"}, 1, 1, ""},
	{"prompts that cannot be asked", map[string]string{"prompts/a.md": "{{#if x}}", "prompts/b.md": " \n", "prompts/c.md": "\xff\xfe", "prompts/d:e.md": "D", "prompts/f.md": "F"}, 1, 1,
		"Not taken: prompts/a.md:1:1: {{ #if x }} is not a variable"},
	{"a prompt file of GitHub Models", map[string]string{"say.prompt.yml": modelsSuite}, 0, 1, "say.prompt.yml holds a suite already"},
	{"one whose id a prompt's suite would have", map[string]string{"suites/say.prompt.yml": modelsSuite, "prompts/say.md": "Say", "prompts/b.md": "B"}, 2, 3, "2 prompts"},
	{"a suite that is called like one", map[string]string{"evals/x.prompt.yaml": writtenSuite, "prompts/b.md": "B"}, 0, 1, "There are suites already, and 1 prompt has none: prompts/b.md."},
	{"variables of another tool", map[string]string{"prompts/a.txt": "Answer {question} as \\frac{abc}{def}."}, 1, 1, "a.txt:1:8: \"{question}\" is taken as it stands, and not filled, because only {{ question }} is filled"},
	{"a suite in JSON", map[string]string{"suites/a.jsonl": `{"suite_id":"a","case_id":"c","prompt":"hi"}`, "prompts/b.md": "B"}, 0, 1, "There are suites already"},
	{"a configuration of promptfoo", map[string]string{"prompts/say.prompt.txt": "Say {{word}}", "promptfooconfig.yaml": "prompts: [file://prompts/say.prompt.txt]\n" +
		"providers: [openai:gpt-5-mini]\ntests: [{ vars: { word: hi }, assert: [{ type: icontains, value: hi }] }]\n"}, 0, 1, "Next: failproof import promptfoo"},
	{"a configuration that names a folder of suites", map[string]string{"failproof.yml": "version: 1\nsuites: [suites]\ntargets: { replay: { provider: recorded, path: 'r/{suite}.jsonl' } }\n",
		"prompts/a.md": "A"}, 1, 1, ""},
	{"a folder of a larger repository", map[string]string{"../.git/HEAD": "ref: refs/heads/main\n", "../.git/config": "", "../.git/objects/a": "", "../.git/refs/a": "",
		"prompts/a.md": "A"}, 1, 1, "judges repository"},
}

func TestWhateverInitWritesIsReadAndCounted(t *testing.T) {
	t.Parallel()
	for _, c := range firstRepositories {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "repository")
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			lays(t, dir, c.files)
			code, out, errs := command(t, dir, "init")
			if code != cli.ExitPassed || !strings.Contains(out, c.says) {
				t.Fatalf("init exits %d:\n%s%s", code, out, errs)
			}
			suites := wroteSuites(out)
			if len(suites) != c.written {
				t.Errorf("init writes %q, want %d suites", suites, c.written)
			}
			if _, taken := c.files["promptfooconfig.yaml"]; taken {
				if code, out, errs := command(t, dir, "import", "promptfoo", "promptfooconfig.yaml"); code != cli.ExitPassed {
					t.Fatalf("import exits %d:\n%s%s", code, out, errs)
				}
				if code, out, errs := command(t, dir, "init"); code != cli.ExitPassed || len(wroteSuites(out)) > 0 {
					t.Errorf("init exits %d after the import:\n%s%s", code, out, errs)
				}
			}
			read := readSuites(t, dir)
			for _, name := range suites {
				if !slices.Contains(read, name) {
					t.Errorf("%s is written and not read; read are %q", name, read)
				}
			}
			if len(read) != c.counted {
				t.Errorf("%q are read, want %d suites", read, c.counted)
			}
			if code, out, errs := command(t, dir, "run"); code != cli.ExitPassed && code != cli.ExitUndecided {
				t.Errorf("run exits %d:\n%s%s", code, out, errs)
			}
			before := namesBelow(t, dir)
			if code, out, errs := command(t, dir, "init"); code != cli.ExitPassed || len(wroteSuites(out)) > 0 || !slices.Equal(before, namesBelow(t, dir)) {
				t.Errorf("a second init exits %d and writes again:\n%s%s", code, out, errs)
			}
		})
	}
}

func TestInitWritesNoExampleBesidePromptsThatItCannotRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule  string
		files map[string]string
		says  string
	}{
		{"a template of Jinja", map[string]string{"prompts/a.j2": "Hi\n{{ q.name }}"}, "Not taken: prompts/a.j2:2:1: {{ q.name }} is not a variable"},
		{"a prompt file of GitHub Models without a row", map[string]string{"say.prompt.yml": modelsFile}, "Not taken: say.prompt.yml:1:1: the prompt file is skipped"},
		{"a skill without a description", map[string]string{"skills/a/SKILL.md": "Do a."}, "Not taken: skills/a/SKILL.md:"},
	} {
		dir := t.TempDir()
		lays(t, dir, c.files)
		before := namesBelow(t, dir)
		code, out, errs := command(t, dir, "init")
		if code != cli.ExitPassed || !strings.Contains(out, c.says) || !strings.HasSuffix(out, "When one can: failproof init\n") {
			t.Errorf("%s: init exits %d:\n%s%s", c.rule, code, out, errs)
		}
		if after := namesBelow(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: init wrote something: %q", c.rule, after)
		}
	}
}

func TestInitWritesNoSuiteThatTheConfigurationDoesNotName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lays(t, dir, map[string]string{"prompts/a.md": "A", "failproof.yml": "version: 1\nsuites: ['evals/*.yaml']\ntargets: { replay: { provider: recorded, path: 'r/{suite}.jsonl' } }\n"})
	code, out, _ := command(t, dir, "init")
	if want := "Not taken: prompts/a.md; `suites` of failproof.yml does not name suites/a.yaml."; code != cli.ExitPassed || len(wroteSuites(out)) > 0 || !strings.Contains(out, want) {
		t.Errorf("init exits %d:\n%s", code, out)
	}
}

var suiteWritten = regexp.MustCompile(`(?m)^wrote +(suites/.*)$`)

func wroteSuites(out string) (names []string) {
	for _, m := range suiteWritten.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	return names
}

// readSuites are the files of the suites with a case that validate reads, where it finds no fault.
func readSuites(t *testing.T, dir string) (paths []string) {
	t.Helper()
	code, out, errs := command(t, dir, "validate", "--json")
	var checked struct {
		Suites []struct {
			Path  string
			Cases []struct{ ID string }
		}
	}
	if err := json.Unmarshal([]byte(out), &checked); err != nil || code != cli.ExitPassed {
		t.Fatalf("validate exits %d, %v:\n%s%s", code, err, out, errs)
	}
	for _, s := range checked.Suites {
		if len(s.Cases) > 0 {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// namesBelow are the files below a folder, by name, without those of runs.
func namesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if name == ".failproof" {
			return fs.SkipDir
		}
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
