package suite

import (
	"fmt"
	"strings"
	"testing"
)

// reasonsOf returns the reasons why the edited suites are in scope.
func reasonsOf(t *testing.T, base, head map[string]string) string {
	t.Helper()
	load := func(files map[string]string) []*Suite {
		cfg := settings()
		suites, ds := Load(tree(files), cfg, cfg.Suites)
		if len(suites) == 0 {
			t.Fatal(lines(ds))
		}
		return suites
	}
	var out []string
	before, now := load(base), load(head)
	for range 2 { // the second time, the keys are known already
		out = nil
		for _, s := range Scope(Join(before, now), Recordings{}).Suites {
			for _, r := range s.Reasons {
				out = append(out, fmt.Sprintf("%s: %d", r.Kind, r.Cases))
			}
		}
	}
	return strings.Join(out, ", ")
}

func TestTheRulesGiveNoCaseAnotherInput(t *testing.T) {
	load := func(prompt, note string) []*Suite {
		all, _ := loaded(map[string]string{"suites/s.yaml": fmt.Sprintf("version: 1\nmessages: [{ role: user, content: %q }]\n"+
			"cases: [{ id: a, vars: { q: x, note: %q }, expected_response: y, match: contains }]\n", prompt, note)})
		return all
	}
	const plain, noted = "Tell {{ q }}", "Tell {{ q }} {{ note }}"
	for _, c := range []struct{ rule, rules, base, head string }{
		{"the head reads a variable no more", plain, noted, plain},
		{"the head begins to read a variable", plain, plain, noted},
		{"nobody reads it", plain, plain, plain},
	} {
		rules, base, head := load(c.rules, "1"), load(c.base, "3"), load(c.head, "3")
		both := Join(base, head)
		ApplyBase(both)
		ApplyRules(rules, both)
		if Redefined(base[0].Cases[0], head[0].Cases[0]) {
			t.Errorf("%s: the case is redefined by another value in the rules", c.rule)
		}
	}
}

func TestAVariableThatNobodyReadsIsNoInput(t *testing.T) {
	const suite = `messages: [{ role: user, content: "{{ q }} please" }]
defaults: { assert: ["response.text contains 'x'"] }
cases:
  - { id: a, vars: { q: "1", note: "" } }
  - { id: b, vars: { q: "2", note: "n" } }
`
	for _, c := range []struct {
		rule string
		base []string // edits of the suite on both sides
		head []string // and of the head alone
		want string
	}{
		{"added", nil, []string{`note: ""`, `note: "", owner: "ann"`}, ""},
		{"edited", nil, []string{`note: "n"`, `note: "m"`}, ""},
		{"removed", nil, []string{`, note: "n"`, ""}, ""},
		{"of a case that got another name", nil, []string{`note: "n"`, `note: "m"`, "id: b", "id: c"}, ""},
		{"beside one that is read", nil, []string{`q: "2", note: "n"`, `q: "3", note: "m"`}, "input changed: 1"},
		{"beside another expectation", nil, []string{`note: "n"`, `note: "m"`, "contains 'x'", "contains 'y'"}, "expectation changed: 2"},
		{"read from now on, and the same", nil, []string{"{{ q }}", "{{ q }} {{ note }}"}, "request changed: 2"},
		{"read from now on, and another", nil, []string{"{{ q }}", "{{ q }} {{ note }}", `note: "n"`, `note: "m"`}, "request changed: 1, input changed: 1"},
		{"read no more, and the same", []string{"{{ q }}", "{{ q }} {{ note }}"}, []string{" {{ note }}", ""}, "request changed: 2"},
		{"read no more, and another", []string{"{{ q }}", "{{ q }} {{ note }}"}, []string{" {{ note }}", "", `note: "n"`, `note: "m"`}, "request changed: 1, input changed: 1"},
		{"read no more, and gone", []string{"{{ q }}", "{{ q }} {{ note }}"}, []string{" {{ note }}", "", `, note: "n"`, ""}, "request changed: 1, input changed: 1"},
		{"read by an assertion", []string{"contains 'x'", "contains vars.note"}, []string{`note: "n"`, `note: "m"`}, "input changed: 1"},
		{"read by an assertion of another case", []string{`q: "1", note: "" } }`, `q: "1", note: "" }, assert: ["vars.note != response.text"] }`}, []string{`note: "n"`, `note: "m"`}, "input changed: 1"},
		{"read by a name that is computed", []string{"contains 'x'", "contains vars[lower('NOTE')]"}, []string{`note: "n"`, `note: "m"`}, "input changed: 1"},
		{"counted", []string{"response.text contains 'x'", "len(vars) < len(response.text)"}, []string{`note: "n"`, `note: "n", owner: "ann"`}, "input changed: 1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base := strings.NewReplacer(c.base...).Replace(suite)
			head := strings.NewReplacer(c.head...).Replace(base)
			if got := reasonsOf(t, one(base), one(head)); got != c.want || head == base {
				t.Errorf("in scope because %q, want %q", got, c.want)
			}
		})
	}
}

// TestWhatAVariableIsCalledIsNoInput checks that renaming a variable redefines no case if both sides send the same and
// no check reads the variable.
func TestWhatAVariableIsCalledIsNoInput(t *testing.T) {
	const suite = `messages: [{ role: system, content: Be kind. }, { role: user, content: "Answer: {{ question }} {{ tone }}" }]
defaults: { assert: ["response.text contains 'x'"] }
cases:
  - { id: a, vars: { question: "1", tone: "5" } }
  - { id: b, vars: { question: "2", tone: "6" } }
`
	renamed := []string{"question", "frage"}
	for _, c := range []struct {
		rule string
		base []string // edits of the suite on both sides
		head []string // and of the head alone
		want string
	}{
		{"renamed", nil, renamed, ""},
		{"both renamed", nil, append(renamed, "tone", "ton"), ""},
		{"in turns of the case's own", []string{"cases:", "cases:\n  - { id: c, vars: { question: '3', tone: '7' }, messages: [{ role: user, content: 'Say {{ question }}.' }] }"}, renamed, ""},
		{"said in the prompt from now on", []string{`"6"`, `"5"`}, []string{"{{ tone }}", "5", `, tone: "5"`, ""}, "input changed: 2"},
		{"said in the prompt as well", []string{`"6"`, `"5"`}, []string{"{{ tone }}", "5{{ tone }}", `tone: "5"`, `tone: ""`}, "input changed: 2"},
		{"two in one", []string{`"6"`, `"5"`, `"2"`, `"5"`, `"1"`, `"5"`}, []string{"{{ tone }}", "{{ question }}", `, tone: "5"`, ""}, "input changed: 2"},
		{"renamed, and asked something else", nil, append(renamed, `"2"`, `"3"`), "input changed: 1"},
		{"renamed, and asked otherwise", nil, append(renamed, "Answer", "Reply"), "input changed: 2"},
		{"renamed, and told otherwise", nil, append(renamed, "Be kind", "Be rude"), "input changed: 2"},
		{"renamed, and judged otherwise", nil, append(renamed, "contains 'x'", "contains 'y'"), "input changed: 2"},
		{"renamed, and no longer held to anything", nil, append(renamed, `defaults: { assert: ["response.text contains 'x'"] }`, ""), "input changed: 2"},
		{"beside one that only an assertion reads", []string{"contains 'x'", "contains vars.note", `tone: "`, `note: n, tone: "`}, append(renamed, "note: n", "note: ''"), "input changed: 2"},
		{"counted by one", []string{"response.text contains 'x'", "len(vars) < len(response.text)"}, renamed, "input changed: 2"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base := strings.NewReplacer(c.base...).Replace(suite)
			head := strings.NewReplacer(c.head...).Replace(base)
			if got := reasonsOf(t, one(base), one(head)); got != c.want || head == base {
				t.Errorf("in scope because %q, want %q", got, c.want)
			}
		})
	}
	t.Run("renamed with its suite", func(t *testing.T) {
		head := moved(one(strings.NewReplacer(renamed...).Replace(suite)), "suites/s.yaml", "suites/t.yaml")
		if got := reasonsOf(t, one(suite), head); got != "" {
			t.Errorf("in scope because %q", got)
		}
	})
}

func TestAColumnThatNobodyReadsIsNoInput(t *testing.T) {
	for name, c := range map[string]struct{ base, head map[string]string }{
		"a table":                     {fromData("c.csv", "id,q\na,1\nb,2\n"), fromData("c.csv", "id,q,owner\na,1,ann\nb,2,bob\n")},
		"rows without ids":            {fromData("c.csv", "q\n1\n2\n"), fromData("c.csv", "q,owner\n1,ann\n2,bob\n")},
		"JSON lines":                  {fromData("c.jsonl", `{"id":"a","q":"1"}`+"\n"), fromData("c.jsonl", `{"id":"a","q":"1","owner":"ann"}`+"\n")},
		"YAML":                        {fromData("c.yaml", "- { id: a, q: 1 }\n"), fromData("c.yaml", "- { id: a, q: 1, owner: ann }\n")},
		"lines of the data contract":  {map[string]string{"suites/f.jsonl": contractLine(`"q":"1"`)}, map[string]string{"suites/f.jsonl": contractLine(`"q":"1","owner":"ann"`)}},
		"of two files of the same":    {map[string]string{"suites/f.jsonl": contractLine(`"q":"1"`), "suites/g.jsonl": strings.Replace(contractLine(`"q":"2"`), `"a"`, `"b"`, 1)}, map[string]string{"suites/f.jsonl": contractLine(`"q":"1"`), "suites/g.jsonl": strings.Replace(contractLine(`"q":"2","owner":"ann"`), `"a"`, `"b"`, 1)}},
		"a suite that is called else": {fromData("c.csv", "q\n1\n2\n"), moved(fromData("c.csv", "q,owner\n1,ann\n2,bob\n"), "suites/s.yaml", "suites/t.yaml")},
	} {
		if got := reasonsOf(t, c.base, c.head); got != "" {
			t.Errorf("%s: in scope because %q", name, got)
		}
	}
}

// TestAColumnThatIsReadMakesNoRowAnother checks that a new column keeps rows without an id the same, although it
// changes their made ids.
func TestAColumnThatIsReadMakesNoRowAnother(t *testing.T) {
	files := func(prompt, rows string) map[string]string {
		return map[string]string{
			"suites/s.yaml":   "version: 1\nmessages: [{ role: user, content: \"" + prompt + "\" }]\ncases: { file: rows.csv }\n",
			"suites/rows.csv": rows,
		}
	}
	without := files("{{ q }}", "q,expected_response\none,x\ntwo,y\n")
	with := files("{{ lang }}: {{ q }}", "q,expected_response,lang\none,x,en\ntwo,y,en\n")
	for rule, sides := range map[string][2]map[string]string{"a column that comes": {without, with}, "a column that goes": {with, without}} {
		if got := reasonsOf(t, sides[0], sides[1]); got != "input changed: 2" {
			t.Errorf("%s: in scope because %q", rule, got)
		}
	}
}

// TestAColumnThatAnotherSuiteReadsIsNoInputOfARenamedCase checks that a renamed case is recognized although a variable
// changed that only another suite reads.
func TestAColumnThatAnotherSuiteReadsIsNoInputOfARenamedCase(t *testing.T) {
	files := func(id, note string) map[string]string {
		return map[string]string{
			"suites/s.yaml": "version: 1\nmessages: [{ role: user, content: \"{{ q }}\" }]\ncases:\n  - { id: " + id + ", vars: { q: one, note: " + note + " }, expected_response: x }\n",
			"suites/t.yaml": "version: 1\nmessages: [{ role: user, content: \"{{ q }} {{ note }}\" }]\ncases:\n  - { id: z, vars: { q: two, note: n }, expected_response: x }\n",
		}
	}
	if got := reasonsOf(t, files("a", "n"), files("b", "m")); got != "" {
		t.Errorf("in scope because %q", got)
	}
}

func contractLine(vars string) string {
	return `{"suite_id":"s","case_id":"a","prompt":"{{ q }}?","expected_response":"x","prompt_vars":{` + vars + "}}\n"
}

func moved(files map[string]string, from, to string) map[string]string {
	files[to] = files[from]
	delete(files, from)
	return files
}

// TestTheKeyOfWhatIsReadIsThatOfAllWhereAllIsRead compares the keys of cases that read all of their variables. If these
// differed, equal cases would not be paired.
func TestTheKeyOfWhatIsReadIsThatOfAllWhereAllIsRead(t *testing.T) {
	for name, files := range map[string]map[string]string{"a suite": fullTree(), "a table": fromData("c.csv", csvRows), "lines": {"suites/f.jsonl": contractLine(`"q":"1"`)}, "keyed": {"suites/s.yaml": keyed}} {
		cfg := settings()
		suites, ds := Load(tree(files), cfg, cfg.Suites)
		if len(suites) == 0 {
			t.Fatal(lines(ds))
		}
		for _, c := range suites[0].Cases {
			open, every := c.Open(), varSet{}
			for name := range open.Vars {
				every[name] = true
			}
			if open.judgingKey == (Key{}) || open.expectationKey(nil) != open.expectationKey(every) {
				t.Errorf("%s: case %s has another key where every variable is read", name, c.ID)
			}
		}
	}
}
