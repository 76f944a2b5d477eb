package acceptance_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// suiteState is a suite with one case, in numbers: which version of the prompt and of the question it has, which answer
// is expected and which one is recorded, and of which prompt and question the recording is.
type suiteState struct {
	prompt, question, expected, answer int
	madeFor                            string // the request key that the recording carries
}

// passes tells whether the recorded answer meets the expectation.
func (s suiteState) passes() bool { return s.answer == s.expected }

// rules are the gate of a commit, each an entry of its own so that two branches can change one each.
type rules struct {
	bar                        string // of the run score
	regressions                string // how many are allowed
	removed, redefined, policy string
}

// state is what a commit means to the gate.
type state struct {
	rules  rules
	suites map[string]suiteState
	noise  int // changes nothing
}

const gap = "  # %d: lines that nobody changes stand between two rules,\n  # so that git can merge\n  # what two branches did\n  # to one each\n"

func (r rules) text() string {
	text := "version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: replay\ntargets:\n" +
		"  replay: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n" +
		"  fast: { provider: openai, model: gpt-5-mini, temperature: 0 }\ngate:\n"
	for i, entry := range []string{
		"min_run_score: " + r.bar, "max_regressions: " + r.regressions, "on_removed: " + r.removed, "on_redefined: " + r.redefined, "on_policy_change: " + r.policy,
	} {
		text += fmt.Sprintf(gap, i) + "  " + entry + "\n"
	}
	return text
}

// files are the state as files.
func (s state) files() tree {
	files := tree{"failproof.yml": {"100644", s.rules.text()}, "docs/noise.md": {"100644", strconv.Itoa(s.noise) + "\n"}}
	for id, suite := range s.suites {
		files["prompts/"+id+".md"] = file{"100644", suite.promptText(id)}
		files["suites/"+id+".yaml"] = file{"100644", suite.text(id)}
		files["recordings/"+id+".jsonl"] = file{"100644", fmt.Sprintf(`{"suite_id":%q,"case_id":"only","trial":1,"request_key":%q,`+
			`"target":{"name":"fast","provider":"openai","model":"gpt-5-mini","temperature":0},"raw_response":"This is answer %d."}`+"\n", id, suite.madeFor, suite.answer)}
	}
	return files
}

func (s suiteState) promptText(id string) string {
	return fmt.Sprintf("The prompt of %s, version %d.\n\n{{ question }}\n", id, s.prompt)
}

func (s suiteState) text(id string) string {
	return fmt.Sprintf("version: 1\nprompt: ../prompts/%s.md\ncases:\n  - id: only\n    vars:\n      question: Question %d of %s?\n"+
		"    # what is right stands below\n    # with some room\n    # to the question\n    expected_response: answer %d\n    match: contains\n", id, s.question, id, s.expected)
}

// key is the request key of the suite's case as it now stands.
func (s suiteState) key(t testing.TB, id string) string {
	t.Helper()
	found, err := keysOnce(tree{
		"failproof.yml": {"100644", rules{"0.5", "0", "warn", "warn", "warn"}.text()}, "prompts/" + id + ".md": {"100644", s.promptText(id)},
		"suites/" + id + ".yaml": {"100644", suiteState{question: s.question}.text(id)},
	})
	if err != nil || found[id+"/only"] == "" {
		t.Fatalf("no request key of %s: %v %v", id, found, err)
	}
	return found[id+"/only"]
}

var (
	promptForm   = regexp.MustCompile(`version (\d+)\.`)
	questionForm = regexp.MustCompile(`Question (\d+) of`)
	expectedForm = regexp.MustCompile(`expected_response: answer (\d+)`)
	answerForm   = regexp.MustCompile(`This is answer (\d+)\.`)
	madeForForm  = regexp.MustCompile(`"request_key":"([0-9a-f]+)"`)
	ruleForm     = regexp.MustCompile(`(?m)^  (\w+): (\S+)$`)
)

// readState reads a state from the files of a commit, such as a merge.
func readState(t testing.TB, files tree) state {
	t.Helper()
	found := state{suites: map[string]suiteState{}}
	entries := map[string]string{}
	for _, m := range ruleForm.FindAllStringSubmatch(files["failproof.yml"].data, -1) {
		entries[m[1]] = m[2]
	}
	found.rules = rules{entries["min_run_score"], entries["max_regressions"], entries["on_removed"], entries["on_redefined"], entries["on_policy_change"]}
	for name, f := range files {
		id, is := strings.CutPrefix(name, "suites/")
		if !is {
			continue
		}
		id = strings.TrimSuffix(id, ".yaml")
		recorded := files["recordings/"+id+".jsonl"].data
		found.suites[id] = suiteState{
			prompt: figure(t, promptForm, files["prompts/"+id+".md"].data), question: figure(t, questionForm, f.data),
			expected: figure(t, expectedForm, f.data), answer: figure(t, answerForm, recorded), madeFor: madeForForm.FindStringSubmatch(recorded)[1],
		}
	}
	return found
}

func figure(t testing.TB, form *regexp.Regexp, text string) int {
	t.Helper()
	m := form.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%s is not in:\n%s", form, text)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
