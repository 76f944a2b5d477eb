package acceptance_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// TestEveryYAMLExampleRuns: what a page shows is taken as a reader takes it, and run. A suite is answered by an echo, a
// configuration judges a small suite, and a workflow's steps are held to the actions and commands that they use.
func TestEveryYAMLExampleRuns(t *testing.T) {
	t.Parallel()
	ran := map[string]int{}
	for path, page := range pages(t) {
		for i, block := range blocks(page, "yaml") {
			t.Run(fmt.Sprint(path, " ", i+1), func(t *testing.T) {
				var shown any
				if err := yaml.Unmarshal([]byte(block), &shown); err != nil {
					t.Fatal(err)
				}
				top, _ := shown.(map[string]any)
				switch {
				case top == nil || top["jobs"] != nil || top["steps"] != nil:
					ran["workflow"]++
					checkSteps(t, shown)
				case path == "docs/reference/evals.md":
					checkEvals(t, blocks(page, "json")[0], block)
				case top["cases"] != nil:
					ran["suite"]++
					runSuite(t, block, top, slices.Concat(blocks(page, "csv"), blocks(page, "json"))...)
				case top["assert"] != nil:
					ran["suite"]++
					row := map[string]any{"id": "a"}
					maps.Copy(row, top)
					whole := map[string]any{"version": 1, "messages": []any{map[string]any{"role": "user", "content": "Hi"}}, "cases": []any{row}}
					runSuite(t, yamlText(whole), whole)
				case top["results"] != nil:
					ran["results"]++
					runResults(t, block)
				case path == "docs/ci.md":
					ran["elsewhere"]++
					runElsewhere(t, top)
				default:
					ran["configuration"]++
					runConfiguration(t, block, top)
				}
			})
		}
	}
	for kind, least := range map[string]int{"workflow": 8, "suite": 6, "configuration": 12, "elsewhere": 2, "results": 1} {
		if ran[kind] < least {
			t.Errorf("only %d examples of a %s were found", ran[kind], kind)
		}
	}
}

// checkEvals checks evaluations of a skill and what is said beside them.
func checkEvals(t *testing.T, evals, beside string) {
	t.Helper()
	dir := t.TempDir()
	lays(t, dir, map[string]string{"SKILL.md": "---\nname: refunds\ndescription: Decides refunds.\n---\n", "policy.txt": "30 days.\n",
		"evals/evals.json": evals, "evals/failproof.yaml": beside,
		"failproof.yml": "version: 1\ndefault_target: e\ntargets: { e: { provider: echo }, j: { provider: openai, model: m } }\njudges: { default: { target: j } }\n"})
	var out bytes.Buffer
	if exit := (start{dir: dir, stdout: &out, stderr: &out}).here(t.Context(), "validate"); exit != 0 || !strings.Contains(out.String(), "1 suite, 1 case, 3 criteria: valid") {
		t.Errorf("failproof validate exits %d:\n%s", exit, out.String())
	}
}

// lays writes files below a folder.
func lays(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// runSuite puts a suite where its prompt is found two folders up, and has an echo answer it. Of the files that its page
// shows the first holds cases, and the last one tools.
func runSuite(t *testing.T, text string, suite map[string]any, files ...string) {
	t.Helper()
	dir, targets := t.TempDir(), "echo: { provider: echo }"
	named, _ := suite["targets"].([]any)
	for _, name := range named {
		targets += fmt.Sprintf(", %v: { provider: echo }", name)
	}
	lays(t, dir, map[string]string{"suites/shown/suite.yaml": text,
		"failproof.yml": "version: 1\nsuites: [\"suites/**/*.yaml\"]\ndefault_target: echo\ntargets: { " + targets + " }\n" +
			"policies: { no-promises: { patterns: [\"(?i)we will refund\"] } }\n"})
	lays(t, filepath.Join(dir, "suites", "shown"), namedFiles(suite))
	if name, is := suite["tools"].(string); is {
		lays(t, dir, map[string]string{"suites/shown/" + name: files[len(files)-1]})
	}
	if from, is := suite["cases"].(map[string]any); is {
		lays(t, dir, map[string]string{"suites/shown/" + from["file"].(string): files[0]})
	}
	if strings.Contains(text, "rubric:") || strings.Contains(text, "unclear: judge") {
		server := modeltest.Serve(t, modeltest.JudgeStep(modeltest.ContainsVerdict))
		lays(t, dir, map[string]string{"failproof.yml": fmt.Sprintf("version: 1\nsuites: [\"suites/**/*.yaml\"]\ndefault_target: echo\ntargets: { echo: { provider: echo }, "+
			"grader: { provider: openai, model: j, base_url: %q } }\njudges: { default: { target: grader } }\n", server.URL)})
	}
	if prompt, is := suite["prompt"].(string); is {
		words := map[string]bool{}
		cases, _ := suite["cases"].([]any)
		for _, c := range cases {
			vars, _ := c.(map[string]any)["vars"].(map[string]any)
			for name := range vars {
				words[name] = true
			}
		}
		filled := ""
		for _, name := range slices.Sorted(maps.Keys(words)) {
			filled += "{{ " + name + " }}\n"
		}
		lays(t, dir, map[string]string{filepath.Join("suites/shown", prompt): filled})
	}
	if prompt, is := suite["prompt"].(map[string]any); is {
		if folder, is := prompt["skill"].(string); is {
			lays(t, filepath.Join(dir, "suites", "shown"), map[string]string{folder + "/SKILL.md": "---\nname: shown\ndescription: Shown.\n---\nSays it.\n"})
		}
		if name, is := prompt["instructions"].(string); is {
			lays(t, filepath.Join(dir, "suites", "shown"), map[string]string{name: "Says it.\n"})
		}
	}
	if code, out, errs := command(t, dir, "run"); code != cli.ExitPassed && code != cli.ExitFailed {
		t.Errorf("failproof run exits %d\n%s%s\nof the suite\n%s", code, out, errs, text)
	}
}

// namedFiles are texts for the files that messages and variables name.
func namedFiles(shown any) map[string]string {
	files := map[string]string{}
	switch v := shown.(type) {
	case []any:
		for _, item := range v {
			maps.Copy(files, namedFiles(item))
		}
	case map[string]any:
		if name, is := v["file"].(string); is {
			files[name] = "What " + name + " says.\n"
		}
		for _, item := range v {
			maps.Copy(files, namedFiles(item))
		}
	}
	return files
}

// runResults has a configuration gate results that another runner wrote.
func runResults(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	lays(t, dir, map[string]string{"failproof.yml": text, "evals/base.jsonl": passingLine, "out/head.jsonl": passingLine})
	for _, name := range []string{"validate", "gate"} {
		if code, out, errs := command(t, dir, name); code != cli.ExitPassed {
			t.Errorf("failproof %s exits %d\n%s%s\nby the configuration\n%s", name, code, out, errs, text)
		}
	}
}

// runConfiguration has a configuration judge a suite of one case, whose answer is recorded. What a page leaves out is
// what every configuration has. Where a live target is to answer, the plan is made and nobody is asked.
func runConfiguration(t *testing.T, text string, config map[string]any) {
	t.Helper()
	live, recordings := "", []string{"recordings/s.jsonl"}
	targets, _ := config["targets"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if path, is := targets[name].(map[string]any)["path"].(string); is {
			recordings = append(recordings, strings.ReplaceAll(path, "{suite}", "s"))
		}
		if provider := targets[name].(map[string]any)["provider"]; provider != "recorded" && provider != "echo" {
			live = name
		}
	}
	if config["version"] == nil {
		text = "version: 1\n" + text
	}
	if config["suites"] == nil {
		text = "suites: [\"suites/*.yaml\"]\n" + text
	}
	if several, is := config["default_targets"].([]any); is {
		if targets[several[0].(string)].(map[string]any)["provider"] == "recorded" {
			live = ""
		}
	} else if config["default_target"] == nil && config["recordings"] == nil && live != "" {
		text = "default_target: " + live + "\n" + text
	} else if config["default_target"] == nil {
		text = "default_target: replay\ntargets: { replay: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n" + text
	} else if targets[config["default_target"].(string)].(map[string]any)["provider"] == "recorded" {
		live = ""
	}
	dir := t.TempDir()
	lays(t, dir, map[string]string{"failproof.yml": text,
		"suites/s.yaml": "version: 1\nmessages: [{ role: user, content: Hi }]\ncases: [{ id: c, vars: { customer: C-1 }, expected_response: Hello, match: contains }]\n"})
	for _, name := range recordings {
		lays(t, dir, map[string]string{name: `{"suite_id": "s", "case_id": "c", "raw_response": "Hello there"}` + "\n"})
	}
	commands := [][]string{{"validate"}, {"run"}}
	if live != "" {
		commands[1] = []string{"run", "--dry-run"}
	}
	for _, args := range commands {
		if code, out, errs := command(t, dir, args...); code != cli.ExitPassed {
			t.Errorf("failproof %s exits %d\n%s%s\nby the configuration\n%s", strings.Join(args, " "), code, out, errs, text)
		}
	}
}

// checkSteps holds the steps of a workflow, wherever they stand in it, to the inputs of our actions and to our
// commands.
func checkSteps(t *testing.T, shown any) {
	t.Helper()
	switch v := shown.(type) {
	case []any:
		for _, item := range v {
			checkSteps(t, item)
		}
	case map[string]any:
		if uses, is := v["uses"].(string); is {
			checkUse(t, uses, v["with"])
		}
		if script, is := v["run"].(string); is {
			checkScript(t, script)
		}
		for _, item := range v {
			checkSteps(t, item)
		}
	}
}

func checkUse(t *testing.T, uses string, with any) {
	t.Helper()
	at, ours := strings.CutPrefix(uses, "failproof/failproof")
	if !ours {
		return
	}
	folder, _, _ := strings.Cut(at, "@")
	var action struct{ Inputs map[string]any }
	if err := yaml.Unmarshal([]byte(shipped(t, strings.TrimPrefix(folder+"/action.yml", "/"))), &action); err != nil {
		t.Fatal(err)
	}
	named, _ := with.(map[string]any)
	for name := range named {
		if action.Inputs[name] == nil {
			t.Errorf("%s has no input %s", uses, name)
		}
	}
}

// checkScript holds the calls of failproof in a script to its commands and their flags.
func checkScript(t *testing.T, script string) {
	t.Helper()
	for line := range strings.Lines(strings.ReplaceAll(script, "\\\n", " ")) {
		words := strings.Fields(line)
		if len(words) > 1 && words[0] == "failproof" {
			checkCall(t, words[1:])
		}
	}
}

// checkCall holds words behind failproof to the program: the first names a command, and each flag is one of its.
func checkCall(t *testing.T, words []string) {
	t.Helper()
	known := flags(t, commandOf(words)...)
	for _, word := range words {
		if name, _, _ := strings.Cut(word, "="); strings.HasPrefix(name, "--") && !known[name] {
			t.Errorf("failproof %s has no flag %s", strings.Join(commandOf(words), " "), name)
		}
	}
}

// commandOf is the command that words name: one, or two for those of a group.
func commandOf(words []string) []string {
	if strings.HasPrefix(words[0], "-") {
		return nil
	}
	if (words[0] == "model" || words[0] == "judge") && len(words) > 1 {
		return words[:2]
	}
	return words[:1]
}
