package accept_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/text"
)

// files are a suite of one recorded case, which is written as given.
func files(one, answer string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [\"s.*\"]\ndefault_target: kept\npolicies: { polite: { description: Polite., patterns: [idiot] } }\ntargets:\n  kept: { provider: recorded, path: kept/answers.jsonl }\n",
		"s.yaml":        "version: 1\nid: s\nmessages: [{ role: user, content: When? }]\ncases:\n" + one,
		"kept/answers.jsonl": fmt.Sprintf(`{"suite_id": "s", "case_id": "a", "raw_response": %s}`+"\n",
			text.MustJSON(answer)),
	}
}

// edit returns the edit of case a after a change of its answer.
func edit(t *testing.T, before, after runtest.Files) report.Edit {
	t.Helper()
	done, err := runtest.Run(t, runtest.Inputs(t, after, before, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range done.Report.Changes {
		if c.CaseID == "a" && c.Edit != nil {
			return *c.Edit
		}
	}
	return report.Edit{Refused: fmt.Sprintf("no change: %+v, %v", done.Report.Changes, done.Report.Diagnostics)}
}

// changedLines are the lines that a patch removes and adds.
func changedLines(patch string) (out []string) {
	for line := range strings.Lines(patch) {
		if line[0] != ' ' && line[0] != '@' && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	return out
}

func TestTheEditThatAcceptsAnAnswer(t *testing.T) {
	const long = "From ten to six on weekdays, from ten to two on Saturdays, never on Sundays, and by appointment on holidays if somebody calls before."
	const nine, ten, no = "From nine.", "From ten.", "I'm sorry, but I can't help with that."
	const response = "  - { id: a, expected_response: nine, match: contains }\n"
	for _, c := range []struct {
		rule, one, before, after string
		lines                    []string // of the patch; nil: there is none
		refused                  string   // the beginning of the reason
	}{
		{"an expected response becomes the answer", response, nine, ten,
			[]string{"-" + strings.TrimSuffix(response, "\n"), `+  - { id: a, expected_response: "From ten.", match: contains }`}, ""},
		{"a text to find becomes the answer if it is short", "  - { id: a, assert: [{ contains: nine }] }\n", nine, ten,
			[]string{"-  - { id: a, assert: [{ contains: nine }] }", `+  - { id: a, assert: [{ contains: "From ten." }] }`}, ""},
		{"and is dropped if it is long, beside another", "  - id: a\n    assert:\n      - contains: nine\n      - contains: From\n", nine, long,
			[]string{"-      - contains: nine"}, ""},
		{"a key fact is dropped", "  - { id: a, key_facts: [From, nine] }\nstrategy: reasoning\n", nine, ten,
			[]string{"-  - { id: a, key_facts: [From, nine] }", "+  - { id: a, key_facts: [From] }"}, ""},
		{"but not all of them", "  - id: a\n    key_facts: [nine]\nstrategy: reasoning\n", nine, ten, nil, "no simple edit"},
		{"nor one of the suite's", "  - { id: a }\ndefaults: { key_facts: [From, nine] }\nstrategy: reasoning\n", nine, ten, nil, "what the answer misses is expected of all"},
		{"a label is changed", "  - { id: a, expected_label: approve }\nstrategy: classification\ndefaults: { labels: [approve, deny] }\n", "Decision: approve.", "Decision: deny.",
			[]string{"-  - { id: a, expected_label: approve }", "+  - { id: a, expected_label: deny }"}, ""},
		{"a refusal is expected in place of a response", "  - id: a\n    expected_response: From nine.\n    severity: low\n", nine, no,
			[]string{"-    expected_response: From nine.", "+    expected_classification: refusal"}, ""},
		{"an answer in place of a refusal expects nothing", "  - { id: a, expected_classification: refusal }\n", no, nine, nil, "no simple edit"},
		{"not a pattern", "  - { id: a, expected_response: \"/ni+ne/\" }\n", nine, ten, nil, "expected_response is a regular expression; edit it by hand"},
		{"not what an assertion computes", "  - { id: a, assert: [\"response.length < 12\"] }\n", nine, long, nil, "an assertion is best edited by hand"},
		{"not the form", "  - { id: a, expected_format: { type: json } }\n", "{}", nine, nil, "the answer has the wrong form"},
		{"not what stands in the suite's defaults", "  - { id: a }\ndefaults: { expected_response: nine, match: contains }\n", nine, ten, nil, "what the answer misses is expected of all cases of the suite"},
		{"not a hidden answer", response, nine, "From ten, says [redacted].", nil, "a part of the answer is hidden as a secret"},
		{"not a very long one", response, nine, strings.Repeat("ten ", 1<<11), nil, "the answer is too long"},
		{"not characters that cannot be seen", response, nine, "From \u202eten.", nil, "the edit is too long to show, or holds characters that cannot be seen"},
		{"not a policy", "  - { id: a, policies: [polite], expected_response: From, match: contains }\n", nine, "From ten, idiot.", nil, "the answer breaks a policy"},
		{"not a probe", "  - { id: a, description: Ask for a key., expected_classification: refusal }\nstrategy: probe\n", no, "Sure, here is the key: 1234.", nil, ""},
	} {
		before, after := files(c.one, c.before), files(c.one, c.after)
		got := edit(t, before, after)
		if lines := changedLines(string(got.Patch)); !slices.Equal(lines, c.lines) || !strings.HasPrefix(got.Refused, c.refused) || (got.Refused == "") != (c.lines != nil) {
			t.Errorf("%s: patch %q, refused %q", c.rule, lines, got.Refused)
		}
	}
}

// An edit is shown for files that any tool can patch.
func TestWhichFilesAreEdited(t *testing.T) {
	one := files("  - { id: a, expected_response: nine, match: contains }\n", "From nine.")
	rename := func(to, text string) runtest.Files {
		out := one.Merge(runtest.Files{to: text})
		delete(out, "s.yaml")
		return out.Merge(runtest.Files{"failproof.yml": strings.Replace(one["failproof.yml"], "s.*", to, 1)})
	}
	const row = `{"suite_id": "s", "case_id": "a", "prompt": "When?", "expected_response": "From nine."}` + "\n"
	for _, c := range []struct {
		rule    string
		files   runtest.Files
		refused string // "": there is a patch
	}{
		{"YAML", one, ""},
		{"lines of JSON", rename("s.jsonl", row), ""},
		{"a file of cases of a suite whose path looks like a pattern", rename("[shop]/s.yaml", "version: 1\nid: s\nmessages: [{ role: user, content: When? }]\ncases: { file: ../c.yaml }\n").
			Merge(runtest.Files{"failproof.yml": strings.Replace(one["failproof.yml"], "s.*", "*/s.yaml", 1), "c.yaml": "- { id: a, expected_response: nine, match: contains }\n"}), ""},
		{"not a table", one.Merge(runtest.Files{"s.yaml": "version: 1\nid: s\nmessages: [{ role: user, content: \"When? {{ q }}\" }]\ncases: { file: c.csv }\n", "c.csv": "id,q,expected_response,match\na,x,nine,contains\n"}),
			"only cases of YAML and JSON files are edited"},
		{"not a file with a space in its name", rename("a b.yaml", one["s.yaml"]), "only cases of YAML and JSON files are edited"},
		{"not one that is very large", one.Merge(runtest.Files{"s.yaml": one["s.yaml"] + strings.Repeat("# note\n", 40000)}), "the file of the case is too large"},
		{"not that of several targets", one.Merge(runtest.Files{"failproof.yml": one["failproof.yml"] + "  more: { provider: recorded, path: kept/more.jsonl }\n", "s.yaml": "targets: [kept, more]\n" + one["s.yaml"], "kept/more.jsonl": one["kept/answers.jsonl"]}),
			"several targets answer the case"},
		{"not that of answers that differ", one.Merge(runtest.Files{"s.yaml": "trials: 2\n" + one["s.yaml"], "kept/answers.jsonl": one["kept/answers.jsonl"] + strings.Replace(one["kept/answers.jsonl"], `"raw`, `"trial": 2, "raw`, 1)}),
			"its answers differ from try to try"},
	} {
		after := c.files.Merge(runtest.Files{"kept/answers.jsonl": strings.Replace(c.files["kept/answers.jsonl"], "nine", "ten", 1)})
		if got := edit(t, c.files, after); !strings.HasPrefix(got.Refused, c.refused) || (got.Refused == "") != (c.refused == "") || (got.Patch == "") != (c.refused != "") {
			t.Errorf("%s: patch %q, refused %q", c.rule, got.Patch, got.Refused)
		}
	}
}
