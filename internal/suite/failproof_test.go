package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
)

func TestContractFiles(t *testing.T) {
	text := `{"case_id":"a","suite_id":"json_api","prompt":"Say {{ x }}","prompt_vars":{"x":"1"},"expected_response":"1","tags":["t"]}

{"case_id":"b","suite_id":"other/one","prompt":"p","expected_classification":"fail","expected_response":"\\d+","prompt_vars":null}
  {"case_id":"c","suite_id":"json_api","prompt":"q","expected_classification":"pass"}
`
	suites, ds := loaded(map[string]string{"suites/f.jsonl": "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")})
	check(t, ds, []string{"suites/f.jsonl:1:1 warning byte-order-mark: "})
	var got []string
	for _, s := range suites {
		for _, c := range s.Cases {
			got = append(got, fmt.Sprintf("%s %s %s %d %s %s %v %q %d %v %v", s.ID, s.Target, s.Plan.Strategy, s.Pos.Line,
				c.ID, c.Prompt.Messages[0].Content, c.Pos, c.ExpectedCategory, len(c.Expect.Criteria), c.AgreesWithFail, c.Tags))
		}
	}
	want := []string{
		`json_api replay accuracy 1 a Say 1 {1 1} "" 1 false [t]`,
		`json_api replay accuracy 1 c q {4 3} "" 0 false []`,
		`other/one replay accuracy 3 b p {3 1} "" 1 true []`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
}

func TestContractFaults(t *testing.T) {
	cases := []struct {
		rule, text string
		want       []string
	}{
		{"an unknown field is refused with the one that was meant", `{"case_id":"a","suite_id":"s","prompt":"p","expected_respons":"x"}`,
			[]string{"suites/f.jsonl:1:44 unknown-key: …did you mean `expected_response`?"}},
		{"case_id, suite_id and prompt are required", `{}`,
			[]string{"suites/f.jsonl:1:1 missing-key: `case_id`", "suites/f.jsonl:1:1 missing-key: `suite_id`", "suites/f.jsonl:1:1 missing-key: `prompt`"}},
		{"null is no id", `{"case_id":null,"suite_id":"s","prompt":"p"}`, []string{"suites/f.jsonl:1:12 type: `case_id` is empty"}},
		{"a number is no id", `{"case_id":1,"suite_id":"s","prompt":"p"}`, []string{"suites/f.jsonl:1:12 type: `case_id` is 1; expected text"}},
		{"ids have their form", `{"case_id":"a b","suite_id":"../x","prompt":"p"}`, []string{"suites/f.jsonl:1:12 pattern: ", "suites/f.jsonl:1:29 pattern: "}},
		{"the answers of a run are no cases, which is said once", strings.Repeat(`{"case_id":"a","suite_id":"s","raw_response":"x","trial":1}`+"\n", 2),
			[]string{`suites/f.jsonl:1:1 answers: …"!suites/f.jsonl" behind`}},
		{"an error cannot be expected", `{"case_id":"a","suite_id":"s","prompt":"p","expected_classification":"error"}`,
			[]string{"suites/f.jsonl:1:70 enum: …pass, fail or null"}},
		{"an expected response is text", `{"case_id":"a","suite_id":"s","prompt":"p","expected_response":["x"]}`, []string{"suites/f.jsonl:1:64 type: "}},
		{"an expected response is not empty", `{"case_id":"a","suite_id":"s","prompt":"p","expected_response":""}`, []string{"suites/f.jsonl:1:64 length: `expected_response` is empty"}},
		{"an expected pattern must compile, and its column is named", `{"case_id":"a","suite_id":"s","prompt":"p","expected_response":"\\d+(?=x)"}`,
			[]string{"suites/f.jsonl:1:69 compile: "}},
		{"tags are a list of strings", `{"case_id":"a","suite_id":"s","prompt":"p","tags":"x"}`, []string{"suites/f.jsonl:1:51 type: "}},
		{"variables are a map", `{"case_id":"a","suite_id":"s","prompt":"p","prompt_vars":["x"]}`, []string{"suites/f.jsonl:1:58 type: "}},
		{"variables hold no lists", `{"case_id":"a","suite_id":"s","prompt":"p","prompt_vars":{"x":[]}}`, []string{"suites/f.jsonl:1:59 warning unused-variable: ", "suites/f.jsonl:1:63 type: `x` is a list"}},
		{"a prompt is not blank", `{"case_id":"a","suite_id":"s","prompt":" "}`, []string{"suites/f.jsonl:1:40 prompt: "}},
		{"an undefined variable is a fault at its place", `{"case_id":"a","suite_id":"s","prompt":"{{ x }}"}`,
			[]string{`suites/f.jsonl:1:41 undefined-variable: variable "x" is not defined in case a of suite s`}},
		{"an unused variable is warned of", `{"case_id":"a","suite_id":"s","prompt":"p","prompt_vars":{"x":1}}`,
			[]string{`suites/f.jsonl:1:59 warning unused-variable: variable "x"`}},
		{"assertions cannot read the environment", `{"case_id":"a","suite_id":"s","prompt":"a ${HOME}"}`, []string{"suites/f.jsonl:1:43 template: "}},
		{"case ids are unique in their suite", "{\"case_id\":\"a\",\"suite_id\":\"s\",\"prompt\":\"p\"}\n{\"case_id\":\"a\",\"suite_id\":\"t\",\"prompt\":\"p\"}\n" +
			"\n{\"case_id\":\"A\",\"suite_id\":\"s\",\"prompt\":\"p\"}\n", []string{"suites/f.jsonl:4:1 duplicate-id: …line 1"}},
		{"a line is one object", "[]\n{\"case_id\":\"a\",\"suite_id\":\"s\",\"prompt\":\"p\"}", []string{"suites/f.jsonl:1:1 type: "}},
		{"a line is JSON", `{"case_id":`, []string{"suites/f.jsonl:1:…"}},
		{"a line is not two objects", `{"case_id":"a","suite_id":"s","prompt":"p"}{}`, []string{"suites/f.jsonl:1:…"}},
		{"a key stands once", `{"case_id":"a","case_id":"b","suite_id":"s","prompt":"p"}`, []string{"suites/f.jsonl:1:16 …"}},
		{"a file has a case", "\n\n", []string{"suites/f.jsonl:…"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			suites, ds := loaded(map[string]string{"suites/f.jsonl": c.text})
			check(t, ds, c.want)
			if !strings.Contains(strings.Join(c.want, ""), "warning") && len(suites) > 0 {
				t.Errorf("suites %v of a file with faults", suites)
			}
		})
	}
}

func TestRowsOfOneSuiteMayStandInSeveralFiles(t *testing.T) {
	row := func(id, suite string) string {
		return `{"case_id":"` + id + `","suite_id":"` + suite + `","prompt":"p"}` + "\n"
	}
	suites, ds := loaded(map[string]string{"suites/b.jsonl": row("b1", "s") + row("b2", "t"), "suites/a.jsonl": row("a1", "s")})
	check(t, ds, nil)
	var got []string
	for _, s := range suites {
		for _, c := range s.Cases {
			got = append(got, fmt.Sprintf("%s at %s: %s at %s:%d", s.ID, s.Path, c.ID, c.Path, c.Pos.Line))
		}
	}
	want := []string{"s at suites/a.jsonl: a1 at suites/a.jsonl:1", "s at suites/a.jsonl: b1 at suites/b.jsonl:1", "t at suites/b.jsonl: b2 at suites/b.jsonl:2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	_, ds = loaded(map[string]string{"suites/b.jsonl": row("A1", "s"), "suites/a.jsonl": row("a1", "s")})
	check(t, ds, []string{`suites/b.jsonl:1:1 duplicate-id: case id "A1" differs only by letter case from the one at suites/a.jsonl:1:1`})
}

func TestSuitesOfAllFormsShareTheirIDs(t *testing.T) {
	_, ds := loaded(map[string]string{
		"suites/s.yaml":  "version: 1\n" + hello + "cases: [{ id: a }]\n",
		"suites/f.jsonl": "\n" + `{"case_id":"a","suite_id":"s","prompt":"p"}`,
	})
	check(t, ds, []string{
		"suites/f.jsonl:2:1 duplicate-id: …suites/s.yaml:1:1",
		"suites/s.yaml:1:1 duplicate-id: …suites/f.jsonl:2:1",
	})
}

func TestFaultsOfALongFileAreCounted(t *testing.T) {
	for _, c := range []struct {
		name, text, row string
		severity        document.Severity
	}{
		{"suites/f.jsonl", "", "[]\n", document.Error},
		{"suites/s.yaml", "version: 1\n" + hello + "cases:\n", "- { assert: [no such] }\n", document.Error},
		{"suites/s.yaml", "version: 1\nid: s\n" + hello + "cases:\n", "- { assert: ['true'] }\n", document.Warning},
	} {
		for i := range maxListed + 5 {
			c.text += strings.Replace(c.row, "{ ", fmt.Sprintf("{ id: a%d, ", i), 1)
		}
		_, ds := loaded(map[string]string{c.name: c.text})
		i := slices.IndexFunc(ds, func(d document.Diagnostic) bool { return d.Message == "5 more faults are not listed" })
		if len(ds) != maxListed+1 || i < 0 || ds[i].Severity != c.severity {
			t.Errorf("%s: %d diagnostics, the first %v and the last %v", c.name, len(ds), ds[0], ds[len(ds)-1])
		}
	}
}

// contractLines writes a file of n lines.
func contractLines(n int) string {
	b := &strings.Builder{}
	for i := range n {
		fmt.Fprintf(b, `{"case_id":"c%d","suite_id":"s%d","prompt":"p %d"}`+"\n", i, i%10, i)
	}
	return b.String()
}

func BenchmarkContract100000Lines(b *testing.B) {
	fsys, cfg := tree(map[string]string{"suites/f.jsonl": contractLines(100_000)}), settings()
	b.ReportAllocs()
	for b.Loop() {
		suites, ds := loadOpen(fsys, cfg, cfg.Suites)
		if len(ds) > 0 || len(suites) != 10 || len(suites[9].Cases) != 10_000 {
			b.Fatalf("%d suites, %v", len(suites), lines(ds))
		}
	}
}

func BenchmarkSuite1000Cases(b *testing.B) {
	text := &strings.Builder{}
	text.WriteString("version: 1\nprompt: p.md\ndefaults: { expected_format: json }\ncases:\n")
	for i := range 1000 {
		fmt.Fprintf(text, "  - id: c%d\n    vars: { x: %d }\n    expected_response: '{\"a\": %d}'\n", i, i, i)
	}
	fsys, cfg := tree(map[string]string{"suites/s.yaml": text.String(), "suites/p.md": "Say {{ x }}"}), settings()
	b.ReportAllocs()
	for b.Loop() {
		if suites, ds := loadOpen(fsys, cfg, cfg.Suites); len(ds) > 0 || len(suites) != 1 {
			b.Fatal(lines(ds))
		}
	}
}

// TestPlainCasesFitTheSchema: a line whose schema is not checked must be one that the schema accepts.
func TestPlainCasesFitTheSchema(t *testing.T) {
	values := map[string][]string{
		"case_id":           {`"a-1"`, `"-"`, `""`, `1`, `null`, `"a b"`, `["a"]`},
		"suite_id":          {`"s/t"`, `"s/"`, `"s//t"`, `null`},
		"prompt":            {`"p"`, `""`, `null`, `{}`},
		"expected_response": {`"x"`, `""`, `1`, `true`, `null`, `{}`},
		"prompt_vars":       {`{"a":"b"}`, `{}`, `{"a":1}`, `{"a":null}`, `[]`, `null`, `"a"`},
		"tags":              {`["a"]`, `[1]`, `null`},
		"other":             {`1`},
	}
	usual := []string{`"case_id":"a"`, `"suite_id":"s"`, `"prompt":"p"`}
	plain, schema := 0, contractSchema()
	for key, options := range values {
		for _, value := range append(options, "") {
			members := slices.DeleteFunc(slices.Clone(usual), func(m string) bool { return strings.HasPrefix(m, `"`+key) })
			if value != "" {
				members = append(members, `"`+key+`":`+value)
			}
			line := "{" + strings.Join(members, ",") + "}"
			n, faults := document.ParseJSON("x.jsonl", line, document.Position{Line: 1, Column: 1})
			if len(faults) > 0 {
				t.Fatal(line, faults)
			}
			if !isPlainCase(n) {
				continue
			}
			plain++
			if faults := schema.Check("x.jsonl", document.ListOf(document.Position{}, n)); len(faults) > 0 {
				t.Errorf("%s is taken for plain: %v", line, faults)
			}
		}
	}
	if plain < 8 {
		t.Errorf("%d lines are plain; want 8 or more", plain)
	}
}
