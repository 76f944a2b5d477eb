package suite

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/sharedtest"
)

// judged returns a configuration with a judge and the default suites.
func judged() *config.Config {
	cfg := settings()
	cfg.Suites, cfg.Judge = config.DefaultSuites, &config.Judge{LabelsPath: "labels.jsonl"}
	return cfg
}

func loadedEvals(fsys fs.FS) ([]*Suite, []document.Diagnostic) {
	return loadOpen(fsys, judged(), config.DefaultSuites)
}

// skillTree returns the files of a skill with some evaluations, and more files.
func skillTree(more map[string]string, evals ...string) map[string]string {
	files := map[string]string{
		"SKILL.md":         "---\nname: desk\ndescription: Decides.\n---\nSay {{ nothing }}.\n",
		"a.txt":            "Thirty {{ days }}.\n",
		"evals/evals.json": "{\"skill_name\": \"desk\", \"evals\": [\n" + strings.Join(evals, ",\n") + "\n]}\n",
	}
	for name, text := range more {
		files[name] = text
	}
	return files
}

func TestEvalsAreASuiteOfTheirSkill(t *testing.T) {
	overlay := "version: 1\ncases:\n  \"7\": { must_pass: true, judged: [2], assert: [contains: x] }\n  \"8\": { skip: needs a browser }\n"
	suites, ds := loadedEvals(tree(skillTree(map[string]string{"evals/failproof.yaml": overlay},
		`{"id": 3, "name": "first", "prompt": "Late {{?", "files": ["a.txt"], "expected_output": "No."}`,
		`{"id": 7, "prompt": "p", "expected_output": "r", "expectations": ["a {{ b }}", {"text": "c"}], "assertions": [{"name": "n", "check": "c"}, {"id": "d", "description": "e"}]}`,
		`{"id": 8, "prompt": "p"}`, `{"id": 9, "prompt": "p", "files": ["b.txt"], "expectations": ["x"], "priority": 1}`, `{"id": 10, "prompt": "p", "priority": 2}`)))
	check(t, ds, []string{
		`evals/evals.json:5:36 warning missing-file: file "b.txt" does not exist`,
		`evals/evals.json:5:69 warning unknown-key: "priority" is not read`,
		`evals/failproof.yaml:4:16 warning skipped: case "8" is not asked: "needs a browser"`,
	})
	s := suites[0]
	if s.ID != "skill/desk" || len(s.Cases) != 4 {
		t.Fatalf("suite %s with %d cases", s.ID, len(s.Cases))
	}
	var got []string
	for _, c := range s.Cases {
		line := fmt.Sprintf("%s %q %v %d", c.ID, c.Description, c.MustPass, len(c.Expect.Assertions))
		if c.Rubric != nil {
			line += fmt.Sprintf(" %q", c.Rubric.Reference)
			for _, one := range c.Rubric.Criteria {
				line += fmt.Sprintf(" [%s: %s]", one.Needs, one.Text)
			}
		}
		got = append(got, line)
	}
	want := []string{
		`3 "first" false 0 "No." [asked: The answer is what REFERENCE describes]`,
		`7 "" true 1 "r" [run: a {{ b }}] [text: c] [run: e]`,
		`9 "" false 0 "" [run: x]`,
		`10 "" false 0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	messages := s.Cases[0].Prompt.Messages
	if len(messages) != 2 || messages[1].Content != "Late {{?\n\n<file path=\"a.txt\">\nThirty {{ days }}.\n\n</file>" {
		t.Errorf("messages %q", messages)
	}
}

func TestFaultsOfEvals(t *testing.T) {
	long := strings.Repeat("x", 4001)
	const overlay = "evals/failproof.yaml"
	for _, c := range []struct {
		rule string
		more map[string]string
		eval string
		want string
	}{
		{"no id", nil, `{"prompt": "p"}`, "evals/evals.json:2:1 missing-key: the case has no `id`"},
		{"an id twice", nil, `{"id": 1, "prompt": "p"}, {"id": 1, "prompt": "q"}`, `evals/evals.json:2:27 duplicate-id: case id "1"`},
		{"an empty prompt", nil, `{"id": 1, "prompt": " "}`, "evals/evals.json:2:1 missing-key: the case has no `prompt`"},
		{"a criterion of another shape", nil, `{"id": 1, "prompt": "p", "expectations": [5]}`, "evals/evals.json:2:43 criterion: this is no criterion"},
		{"a long criterion", nil, `{"id": 1, "prompt": "p", "expectations": ["` + long + `"]}`, "evals/evals.json:2:43 limit: the criterion is 4001 characters"},
		{"many criteria", nil, `{"id": 1, "prompt": "p", "expectations": ["a"` + strings.Repeat(`,"b"`, 50) + `]}`, "evals/evals.json:2:1 limit: the case has 51 criteria"},
		{"many files", nil, `{"id": 1, "prompt": "p", "files": ["a.txt"` + strings.Repeat(`,"a.txt"`, 20) + `]}`, "evals/evals.json:2:21 limit: the case has 21 files of 1 KiB, at most 20 of 256 KiB are sent"},
		{"large files", map[string]string{"b.txt": strings.Repeat("x", 200<<10), "c.txt": strings.Repeat("x", 100<<10)},
			`{"id": 1, "prompt": "p", "files": ["b.txt", "c.txt"]}`, "evals/evals.json:2:21 limit: the case has 2 files of 300 KiB, at most 20 of 256 KiB are sent"},
		{"a path that leads out", nil, `{"id": 1, "prompt": "p", "files": ["../a.txt"]}`, "evals/evals.json:2:36 path: file \"../a.txt\" leads out"},
		{"a path from the root", nil, `{"id": 1, "prompt": "p", "files": ["/a.txt"]}`, "evals/evals.json:2:36 path: file \"/a.txt\" leads out"},
		{"a path to credentials", map[string]string{".env": "K=v"}, `{"id": 1, "prompt": "p", "files": [".env"]}`, "evals/evals.json:2:36 warning missing-file: file \".env\" goes through \".env\", which may hold credentials"},
		{"a link", map[string]string{"l.txt@": "a.txt"}, `{"id": 1, "prompt": "p", "files": ["l.txt"]}`, "evals/evals.json:2:36 warning missing-file: file \"l.txt\" cannot be read: is a symbolic link"},
		{"no text", map[string]string{"b.bin": "\x00\xff"}, `{"id": 1, "prompt": "p", "files": ["b.bin"]}`, "evals/evals.json:2:36 warning missing-file: file \"b.bin\" cannot be read as text"},
		{"no SKILL.md", map[string]string{"evals/evals.json": "[]", "lost/evals/evals.json": `{"skill_name": "lost", "evals": [{"id": 1, "prompt": "p"}]}`, "other/SKILL.md": "x"}, "", "lost/evals/evals.json:1:16 skill: there is no SKILL.md"},
		{"a SKILL.md in another encoding", map[string]string{"SKILL.md": "\xff"}, `{"id": 1, "prompt": "p"}`, "SKILL.md:1:1 encoding"},
		{"a SKILL.md that is too large", map[string]string{"SKILL.md": strings.Repeat("x", 257<<10)}, `{"id": 1, "prompt": "p"}`, "SKILL.md:0:0 too-large"},
		{"files that are no list", nil, `{"id": 1, "prompt": "p", "files": 5}`, "evals/evals.json:2:35 type: `files` is no list of paths"},
		{"a file that is no path", nil, `{"id": 1, "prompt": "p", "files": [{}]}`, "evals/evals.json:2:36 type: a file is no path"},
		{"criteria that are no list", nil, `{"id": 1, "prompt": "p", "expectations": "x"}`, "evals/evals.json:2:42 type: `expectations` is no list of criteria"},
		{"settings of a case that are no map", map[string]string{overlay: "version: 1\ncases: { \"1\": skip }\n"}, `{"id": 1, "prompt": "p"}`, "evals/failproof.yaml:2:15 overlay: expected a map with must_pass"},
		{"an overlay in another encoding", map[string]string{overlay: "\xff"}, `{"id": 1, "prompt": "p"}`, "evals/failproof.yaml:1:1 encoding"},
		{"a file that is too large", nil, `{"id": 1, "prompt": "` + strings.Repeat("x", 1<<20) + `"}`, "evals/evals.json:1:1 limit: the file has 1025 KiB, at most 1024 are read"},
		{"an expected output that is no text", nil, `{"id": 1, "prompt": "p", "expected_output": 5}`, "evals/evals.json:2:45 type: `expected_output` is no text"},
		{"a case that is skipped without a word", map[string]string{overlay: "version: 1\ncases: { \"1\": { skip: \"\" } }\n"}, `{"id": 1, "prompt": "p"}`, "evals/failproof.yaml:2:23 type: `skip` is not a text"},
		{"a name that leads out", map[string]string{"evals/evals.json": `{"skill_name": "../x", "evals": [{"id": 1, "prompt": "p"}]}`}, "", "evals/evals.json:1:2 skill: `skill_name` is no name"},
		{"an overlay that is a link", map[string]string{overlay + "@": "a.txt"}, `{"id": 1, "prompt": "p"}`, "evals/failproof.yaml:0:0 elsewhere: cannot be read: is a symbolic link"},
		{"an overlay of another name", map[string]string{"evals/failproof.yml": "version: 1\n"}, `{"id": 1, "prompt": "p"}`, "evals/failproof.yml:0:0 warning misnamed: this is not read: call it failproof.yaml"},
		{"a case without a prompt", map[string]string{"suites/s.yaml": "version: 1\n" + hello + "cases: [{ id: a }]\n"}, `{"id": 1, "prompt": "p"}, {"id": 2}`, "evals/evals.json:2:27 missing-key: the case has no `prompt`"},
		{"a misspelt prompt", nil, `{"id": 1, "promt": "p"}`, "evals/evals.json:2:1 missing-key: the case has no `prompt`"},
		{"a case that is no map", nil, `"p"`, "evals/evals.json:2:1 type: the case is no map"},
		{"a misspelt list", map[string]string{"evals/evals.json": `{"skill_name": "refunds", "eval": [{"id": 1, "prompt": "p"}]}`, "suites/s.yaml": "version: 1\n" + hello + "cases: [{ id: a }]\n"}, "", "evals/evals.json:1:1 warning not-asked: the file is not asked"},
		{"in UTF-16", map[string]string{"evals/evals.json": "\xff\xfe{\x00}\x00", "suites/s.yaml": "version: 1\n" + hello + "cases: [{ id: a }]\n"}, "", "evals/evals.json:1:1 warning encoding: the file is UTF-16"},
		{"an overlay of another form", map[string]string{overlay: "version: 2\ncases: {}\n"}, `{"id": 1, "prompt": "p"}`, "evals/failproof.yaml:1:1 overlay: expected a map with `version: 1`"},
		{"an id that evals.json lacks", map[string]string{overlay: "version: 1\ncases: { \"2\": { must_pass: true } }\n"}, `{"id": 1, "prompt": "p"}`, `evals/failproof.yaml:2:10 overlay: evals.json has no case "2"`},
		{"an unknown key", map[string]string{overlay: "version: 1\ncases: { \"1\": { prompt: x } }\n"}, `{"id": 1, "prompt": "p"}`, `evals/failproof.yaml:2:17 unknown-key: "prompt" is no key`},
		{"a number of no criterion", map[string]string{overlay: "version: 1\ncases: { \"1\": { judged: [2] } }\n"}, `{"id": 1, "prompt": "p", "expectations": ["a"]}`, `evals/failproof.yaml:2:26 judged: "2" is the number of no criterion`},
		{"an assertion that is none", map[string]string{overlay: "version: 1\ncases: { \"1\": { assert: [holds: x] } }\n"}, `{"id": 1, "prompt": "p"}`, `evals/failproof.yaml:2:26 unknown-key`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loadedEvals(tree(skillTree(c.more, c.eval)))
			check(t, ds, []string{c.want})
		})
	}
}

func TestAnotherFileOfTheNameIsNoSuite(t *testing.T) {
	for _, text := range []string{`[]`, `{"cases": [{"prompt": "p"}]}`, `{"evals": []}`, `{"evals": [{"input": "p"}]}`, `{"evals": [`} {
		files := skillTree(map[string]string{"evals/evals.json": text, "suites/s.yaml": "version: 1\n" + hello + "cases: [{ id: a }]\n"})
		if suites, ds := loadedEvals(tree(files)); len(suites) != 1 || len(ds) > 0 {
			t.Errorf("%s: %d suites, %v", text, len(suites), lines(ds))
		}
		cfg := judged()
		cfg.Suites, cfg.SuitePositions = []string{"evals/*.json"}, map[string]document.Position{"evals/*.json": {}}
		if _, ds := Load(tree(files), cfg, cfg.Suites); !document.HasErrors(ds) {
			t.Errorf("%s is named, and has no fault", text)
		}
	}
}

func TestTwoEvaluationsOfOneNameAreFaults(t *testing.T) {
	files := skillTree(map[string]string{"z/SKILL.md": "---\nname: n\ndescription: d\n---\n"}, `{"id": 1, "prompt": "p"}`)
	files["z/evals/evals.json"] = files["evals/evals.json"]
	_, ds := loadedEvals(tree(files))
	const says = `%s:1:16 duplicate-id: suite id "skill/desk" is also at %s:1:16; leave one of them out, as with "!%[1]s" in ` + "`suites`"
	check(t, ds, []string{fmt.Sprintf(says, "evals/evals.json", "z/evals/evals.json"), fmt.Sprintf(says, "z/evals/evals.json", "evals/evals.json")})
}

func TestAFaultyEvaluationOfABaseIsLeftOut(t *testing.T) {
	files := tree(skillTree(nil, `{"id": 1, "prompt": "p"}`, `{"id": 2, "prompt": ""}`, `{"id": 3, "prompt": "p"}`))
	suites, lost, _ := LoadBase(files, judged(), config.DefaultSuites)
	if len(lost) > 0 || len(suites) != 1 || len(suites[0].Cases) != 2 {
		t.Errorf("suites %v, lost %v", suites, lost)
	}
}

func TestWhatIsJudgedOnTheBaseIsJudgedOnTheHead(t *testing.T) {
	eval := `{"id": 1, "prompt": "p", "expectations": ["a", "b", "c"]}`
	said := func(numbers string) []*Suite {
		suites, ds := Load(tree(skillTree(map[string]string{"evals/failproof.yaml": "version: 1\ncases: { \"1\": { judged: " + numbers + " } }\n"}, eval)),
			judged(), config.DefaultSuites)
		check(t, ds, nil)
		return suites
	}
	base, head := said("[1, 2]"), said("[2, 3]")
	changes := ApplyBase(Join(base, head))
	if len(changes) != 1 || changes[0].Key != "suites.skill/desk.1.judged" || changes[0].Base != "text" || changes[0].Head != "run" {
		t.Errorf("changes %+v", changes)
	}
	for i, c := range head[0].Cases[0].Open().Rubric.Criteria {
		if c.Needs != "" {
			t.Errorf("criterion %d needs %s", i+1, c.Needs)
		}
	}
}

func TestAFileOfVallyIsASuiteOfEachSkill(t *testing.T) {
	text := `name: lint
scoring: { threshold: 1 }
defaults: { runs: 2 }
stimuli:
  - name: Checks spelling!
    prompt: Check {{ it }}.
    environment: { skills: [../p/spell], files: [{ src: a.txt, dest: docs/a.txt }] }
    rubric: [Names the typo]
    graders:
      - { type: prompt }
      - { type: output-matches, config: { pattern: "a|b" } }
      - { type: output-not-contains, config: { substring: teh } }
      - { type: output-matches, config: { pattern: "(?=x)" } }
      - { type: file-exists, config: { path: x.json } }
  - name: other
    prompt: p
    environment: { skills: [../p/other], files: [{ dest: b.txt, content: "B" }], commands: [make] }
    rubric: [Builds]
    graders: [{ type: output-contains, config: { substring: x } }]
`
	const front = "---\nname: n\ndescription: d\n---\n"
	files := map[string]string{"e/eval.yaml": text, "p/spell/SKILL.md": front, "p/other/SKILL.md": front, "e/a.txt": "A"}
	suites, ds := loadedEvals(tree(files))
	check(t, ds, []string{
		"e/eval.yaml:2:10 warning unknown-key: `scoring` is not read",
		`e/eval.yaml:13:9 warning not-judged: the pattern is not judged: error parsing regexp`,
		`e/eval.yaml:14:9 warning not-judged: "file-exists" needs a run`,
		`e/eval.yaml:17:92 warning not-judged: commands are never run`,
	})
	var got []string
	for _, s := range suites {
		for _, c := range s.Cases {
			line := fmt.Sprint(s.ID, " ", c.ID, " ", c.Trials)
			for _, a := range c.Expect.Assertions {
				line += " {" + a.Expected + "}"
			}
			for _, one := range c.Rubric.Criteria {
				line += fmt.Sprintf(" [%s: %s]", one.Needs, one.Text)
			}
			got = append(got, line)
		}
	}
	want := []string{
		`skill/other other 2 [run: Builds] [run: output-contains: x]`,
		`skill/spell checks-spelling 2 {regex "a|b"} {not_icontains "teh"} [asked: Names the typo] [run: output-matches: (?=x)] [run: file-exists: x.json]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	if m := suites[1].Cases[0].Prompt.Messages; m[1].Content != "Check {{ it }}.\n\n<file path=\"docs/a.txt\">\nA\n</file>" {
		t.Errorf("messages %q", m)
	}
	cfg := judged()
	cfg.Judge = nil
	if suites, ds := Load(tree(files), cfg, cfg.Suites); len(suites) > 0 || !document.HasErrors(ds) {
		t.Errorf("without a judge: %v", lines(ds))
	}
}

func TestFaultsOfVally(t *testing.T) {
	numbers := ""
	for i := range 51 {
		numbers += fmt.Sprint("a", i, ", ")
	}
	for _, c := range []struct{ rule, stimulus, want string }{
		{"no prompt", "name: a", "3:5 warning not-judged: the case has no `prompt` and is not asked"},
		{"no name", "prompt: p", "3:5 missing-key: the case has no `name`"},
		{"a skill out of the tree", "name: a, prompt: p, environment: { skills: [../../x] }", "3:51 skill: there is no SKILL.md of the skill; name its folder"},
		{"many skills", "name: a, prompt: p, environment: { skills: [., x] }", "3:54 warning skills: the case has 2 skills, of which the first alone is sent"},
		{"many criteria", "name: a, prompt: p, rubric: [" + numbers + "]", "3:36 length: `rubric` has 51 items; expected 1 to 50"},
		{"a misspelt grader", "name: a, prompt: p, graders: [{ type: output-contain, config: { value: x } }]", "3:37 grader: there is no grader \"output-contain\"; did you mean \"output-contains\"?"},
		{"a misspelt grader of waza", "name: a, prompt: p, graders: [{ type: output_not_contain, value: x }]", "3:37 grader: there is no grader \"output_not_contain\"; did you mean \"output_not_contains\"?"},
		{"a known grader of the older form without a text", "name: a, prompt: p, graders: [{ type: output_matches, pattern: \"(\" }]", "3:37 warning not-judged: the pattern is not judged: error parsing regexp"},
		{"a file without a name", "name: a, prompt: p, environment: { files: [{ content: x }] }", "3:50 warning missing-file: the file has no name or no text to send"},
		{"many files", "name: a, prompt: p, environment: { files: [" + strings.Repeat("{ dest: x, content: x }, ", 21) + "] }", "3:24 limit: the case has 21 files of 1 KiB, at most 20 of 256 KiB are sent"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loadedEvals(tree(map[string]string{"SKILL.md": "---\nname: n\ndescription: d\n---\n", "eval.yaml": "stimuli:\n  - { name: z, prompt: p }\n  - { " + c.stimulus + " }\n"}))
			check(t, ds, []string{"eval.yaml:" + c.want})
		})
	}
}

func TestAFileOfWazaIsASuiteOfItsTasks(t *testing.T) {
	files := map[string]string{
		"skills/desk/SKILL.md": "---\nname: n\ndescription: d\n---\n",
		"skills/desk/evals/eval.yaml": `name: desk-eval
skill: desk
config: { trials_per_task: 2 }
graders:
  - { type: text, name: calm, config: { regex_not_match: ["(?i)fatal|crash"], contains_cs: [a.b], tone: x } }
  - { type: code, config: { assertions: ["len(output) > 10"] } }
tasks: ["tasks/*.yaml", { id: inline, inputs: { prompt: p } }, "tasks/a.*"]
`,
		"skills/desk/evals/tasks/a.yaml": `id: late-001
inputs: { prompt: "Late {{?", files: [{ path: in.md }, { path: b.md, content: B }] }
expected:
  output_contains: ["(?i)late", days]
  output_not_contains: [sorry]
  outcomes: [{ type: task_completed }]
  behavior: { max_tool_calls: 5 }
graders: [{ type: prompt, config: { prompt: Is it kind? } }]
`,
		"skills/desk/evals/tasks/b.yaml":       "id: off\nenabled: false\ninputs: { prompt: p }\n",
		"skills/desk/evals/tasks/README.md":    "x",
		"skills/desk/evals/fixtures/in.md":     "I",
		"skills/desk/evals/trigger_tests.yaml": "skill: desk\n",
	}
	suites, ds := loadedEvals(tree(files))
	const at = "skills/desk/evals/eval.yaml:"
	check(t, ds, []string{
		at + `5:105 warning not-judged: "tone" needs a run`,
		at + `6:5 warning not-judged: "code" needs a run`,
		at + `7:9 warning not-judged: "behavior" needs a run`,
		at + `7:9 warning skipped: case "off" is not asked: it is not enabled`,
	})
	var got []string
	for _, s := range suites {
		for _, c := range s.Cases {
			line := fmt.Sprint(s.ID, " ", c.ID, " ", c.Trials, " ", c.Pos.Line)
			for _, a := range c.Expect.Assertions {
				line += " {" + a.Expected + "}"
			}
			for _, one := range c.Rubric.Criteria {
				line += fmt.Sprintf(" [%s: %s]", one.Needs, one.Text)
			}
			got = append(got, line)
		}
	}
	want := []string{
		`skill/desk late-001 2 7 {regex "(?i)late"} {icontains "days"} {not_icontains "sorry"} {regex "\\S"} {not_regex "(?i)fatal|crash"} {regex "a\\.b"}` +
			` [asked: Is it kind?] [run: behavior: 5] [run: tone: x] [run: code: len(output) > 10]`,
		`skill/desk inline 2 7 {not_regex "(?i)fatal|crash"} {regex "a\\.b"} [run: tone: x] [run: code: len(output) > 10]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	const asks = "Late {{?\n\n<file path=\"in.md\">\nI\n</file>\n\n<file path=\"b.md\">\nB\n</file>"
	if m := suites[0].Cases[0].Prompt.Messages; m[1].Content != asks {
		t.Errorf("messages %q", m)
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"no task":           {"evals/tasks/a.yaml", "[]", `the task "skills/desk/evals/tasks/a.yaml" is no map`},
		"a faulty task":     {"evals/tasks/a.yaml", "id: [", `the task "skills/desk/evals/tasks/a.yaml" is no map`},
		"a link":            {"evals/tasks/c.yaml@", "a.yaml", `the task "skills/desk/evals/tasks/c.yaml" cannot be read: is a symbolic link`},
		"a pattern of none": {"evals/eval.yaml", "skill: desk\ntasks: [x/**/*.yaml]\n", `"x/**/*.yaml" names no file of a task`},
		"many patterns":     {"evals/eval.yaml", "skill: desk\ntasks: [" + strings.Repeat("tasks/a.yaml, ", 101) + "]\n", "`tasks` names files more than 100 times"},
		"a way out":         {"evals/eval.yaml", "skill: desk\ntasks: [../../../../*.yaml]\n", `names no file of a task`},
		"a huge task":       {"evals/tasks/a.yaml", strings.Repeat("#", 300<<10), `the task "skills/desk/evals/tasks/a.yaml" cannot be read as text`},
	} {
		t.Run(name, func(t *testing.T) {
			changed := maps.Clone(files)
			changed["skills/desk/"+c.file] = c.text
			if _, ds := loadedEvals(tree(changed)); !document.HasErrors(ds) || !strings.Contains(strings.Join(lines(ds), "\n"), c.want) {
				t.Errorf("%v, want %s", lines(ds), c.want)
			}
		})
	}
	delete(files, "skills/desk/SKILL.md")
	_, ds = loadedEvals(tree(files))
	check(t, ds, []string{at + `2:8 skill: there is no SKILL.md of the skill "desk"`})
}

// TestTheSamplesAreRead reads the evaluations of real skills, or finds their error.
func TestTheSamplesAreRead(t *testing.T) {
	all := os.DirFS(sharedtest.Path(t, "data/skills-dev"))
	for dir, want := range map[string]string{
		"0x2kNJ--cpo": "3 27", "3shn--skill-sysml": "3 12", "5258MF--agent-vision-skill": "9 27", "AaronLPS--loop-builder": "9 53",
		"coroboros--agent-skills": "12 12", "EntityProcess--agentv": "0 0 skill",
		"heaths--plugins": "2 9", "elvisw--dotnet-skills": "19 115", "dotnet--skills": "13 85", "microsoft--vscode-team-kit": "2 4",
	} {
		t.Run(dir, func(t *testing.T) {
			files, err := fs.Sub(all, dir)
			if err != nil {
				t.Fatal(err)
			}
			suites, ds := loadedEvals(files)
			cases, criteria, faults := 0, 0, ""
			for _, s := range suites {
				for _, c := range s.Cases {
					cases, criteria = cases+1, criteria+c.CriteriaCount()
				}
			}
			for _, d := range ds {
				if d.Severity == document.Error {
					faults += " " + d.Rule
				}
			}
			if got := fmt.Sprint(cases, " ", criteria, faults); got != want {
				t.Errorf("cases and criteria %s, want %s: %v", got, want, lines(ds))
			}
		})
	}
}
