package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/schemas"
)

// fromData returns the files of a suite whose cases are in a separate file.
func fromData(name, text string) map[string]string {
	files := one(fmt.Sprintf("messages: [{ role: user, content: \"{{ q }}\" }]\ndefaults: { tags: [all] }\ncases: { file: %s }\n", name))
	files["suites/"+name] = text
	return files
}

const csvRows = "\ufeffid,q,expected_response,must_pass,case_threshold,tags,key_facts,severity,vars.severity,description\r\n" +
	"a,\"Can I, \"\"really\"\"?\r\nNow?\",yes,TRUE,0.5,one,\"[\"\"x\"\", \"\"y\"\"]\",high,bad,\r\n,Why?,,,,,,,,the plain one\r\n"

const jsonRows = `{"id": "a", "q": "Can I, \"really\"?\nNow?", "expected_response": "yes", "must_pass": true, "case_threshold": 0.5, "tags": ["one"], "key_facts": ["x", "y"], "severity": "high", "vars": {"severity": "bad"}}

{"q": "Why?", "id": null, "vars": {"severity": ""}}
`

const yamlRows = `- id: a
  q: |-
    Can I, "really"?
    Now?
  expected_response: "yes"
  must_pass: true
  case_threshold: 0.5
  tags: [one]
  key_facts: [x, y]
  severity: high
  vars: { severity: bad }
- { q: Why?, vars: { severity: "" } }
`

func TestCasesStandInAFile(t *testing.T) {
	var first []*Case
	for _, c := range []struct {
		name, text string
		at         [2]document.Position
	}{
		{"cases.csv", csvRows, [2]document.Position{{Line: 2, Column: 1}, {Line: 4, Column: 1}}},
		{"cases.jsonl", jsonRows, [2]document.Position{{Line: 1, Column: 1}, {Line: 3, Column: 1}}},
		{"cases.yaml", yamlRows, [2]document.Position{{Line: 1, Column: 3}, {Line: 12, Column: 3}}},
	} {
		suites, ds := loaded(fromData(c.name, c.text))
		ds = slices.DeleteFunc(ds, func(d document.Diagnostic) bool { return d.Rule == "unused-variable" })
		check(t, ds, nil)
		if len(suites) != 1 || len(suites[0].Cases) != 2 {
			t.Fatalf("%s: suites %v", c.name, suites)
		}
		cases := suites[0].Cases
		for i, k := range cases {
			if k.Path != "suites/"+c.name || k.Pos != c.at[i] {
				t.Errorf("%s: case %d stands at %s:%v", c.name, i, k.Path, k.Pos)
			}
			if k.Keys().RequestKey.String() != k.Prompt.Key() {
				t.Errorf("%s: case %s is opened with another request than the one of its key", c.name, k.ID)
			}
		}
		a := cases[0]
		if got := cases[1].Description; got != map[bool]string{true: "the plain one"}[c.name == "cases.csv"] {
			t.Errorf("%s: the description is %q", c.name, got)
		}
		if got, want := fmt.Sprint(a.ID, a.Prompt.Messages[0].Content, a.MustPass, *a.CaseThreshold, a.Tags, len(a.Measured.Facts), a.Severity, a.Vars["severity"]),
			"aCan I, \"really\"?\nNow?true 0.5 [all one] 2highbad"; got != want {
			t.Errorf("%s: the case is %q, want %q", c.name, got, want)
		}
		if first == nil {
			first = cases
		}
		for i, k := range cases {
			if k.ID != first[i].ID || k.Keys().RequestKey != first[i].Keys().RequestKey || k.Keys().ExpectationKey != first[i].Keys().ExpectationKey {
				t.Errorf("%s: case %s has another id or other keys than in CSV", c.name, k.ID)
			}
		}
	}
}

func TestAnIDIsMadeOfWhatACaseAsks(t *testing.T) {
	id := func(row string) string {
		suites, ds := loaded(one("messages: [{ role: user, content: hi }]\ncases: [{ " + row + " }]\n"))
		if document.HasErrors(ds) {
			t.Fatal(lines(ds))
		}
		return suites[0].Cases[0].ID
	}
	plain := id("vars: { a: x, b: 1 }")
	if !validCaseID(plain) || !strings.HasPrefix(plain, "case-") {
		t.Errorf("the id is %q", plain)
	}
	for row, same := range map[string]bool{
		"vars: { b: '1', a: x }":                                               true,
		"vars: { a: x, b: 1 }, description: About x":                           true,
		"vars: { a: x, b: 1 }, expected_response: x, tags: [y]":                true,
		"vars: { a: x, b: 2 }":                                                 false,
		"vars: { a: x }":                                                       false,
		"vars: { a: x, b: 1 }, messages: [{ role: user, content: '{{ a }}' }]": false,
		"description: x":                                                       false,
	} {
		if got := id(row); (got == plain) != same {
			t.Errorf("{ %s } is called %s, { vars: { a: x, b: 1 } } %s", row, got, plain)
		}
	}
	_, ds := loaded(one(hello + "cases: [{ vars: { x: 1 } }, { vars: { x: 1 }, description: other }]\n"))
	check(t, ds, []string{"suites/s.yaml:3:19 warning unused-variable: ", `suites/s.yaml:3:29 duplicate-id: the case at line 3 has the same vars and messages`})
}

func TestAListInACellIsATextOrJSON(t *testing.T) {
	suites, ds := loaded(fromData("cases.csv", `q,assert
a,response.length > 3
b,"{""contains"": ""x""}"
c,"[{""contains"": ""x""}, ""response.length > 3""]"
d,"{""replace"": []}"
`))
	check(t, ds, nil)
	for i, want := range []string{"[response.length > 3]", `[contains "x"]`, `[contains "x" response.length > 3]`, "[]"} {
		got := []string{}
		for _, a := range suites[0].Cases[i].Expect.Assertions {
			got = append(got, a.Expected)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("row %d asserts %s, want %s", i, got, want)
		}
	}
}

func TestAColumnOfVarsStandsBesideOthers(t *testing.T) {
	suites, ds := loaded(fromData("cases.csv", "q,vars\nx,\"{\"\"q2\"\": \"\"y\"\"}\"\n"))
	check(t, ds, []string{"suites/cases.csv:2:4 warning unused-variable: "})
	if got := suites[0].Cases[0].Vars; got["q"] != "x" || got["q2"] != "y" {
		t.Errorf("the variables are %v", got)
	}
}

func TestFaultsOfFilesOfCases(t *testing.T) {
	lacking := func(name string) map[string]string {
		files := fromData("cases.csv", "q\nx\n")
		files["suites/s.yaml"] = strings.Replace(files["suites/s.yaml"], "cases.csv", name, 1)
		files["suites/link.csv@"] = "../../etc/passwd"
		return files
	}
	inDefaults := fromData("cases.csv", "q\nx\ny\n")
	inDefaults["suites/s.yaml"] = strings.Replace(inDefaults["suites/s.yaml"], "tags: [all]", "assert: ['no such'], policies: [none]", 1)
	for _, c := range []struct {
		rule  string
		files map[string]string
		want  []string
	}{
		{"a file of cases exists", lacking("no.csv"), []string{"suites/s.yaml:4:16 path: file of cases \"no.csv\" does not exist"}},
		{"a file of cases lies in the tree", lacking("../../x.csv"), []string{"suites/s.yaml:4:16 path: …leads out"}},
		{"a file of cases is no link", lacking("link.csv"), []string{"suites/s.yaml:4:16 elsewhere: …symbolic link"}},
		{"a file of cases has a known form", lacking("p.md"), []string{"suites/s.yaml:4:16 path: …ends in .csv, .jsonl, .yaml or .yml"}},
		{"an address is no path", lacking("'file://cases.csv'"), []string{"suites/s.yaml:4:16 file-address: …the path alone: cases.csv"}},
		{"an address is no file of cases", one(hello + "cases: file://cases.csv\n"), []string{"suites/s.yaml:3:8 file-address: …write cases: { file: cases.csv }", "suites/s.yaml:3:8 type: "}},
		{"a file of cases holds a row", fromData("cases.csv", "q\n"), []string{"suites/s.yaml:4:8 no-cases: the file \"suites/cases.csv\" holds no row"}},
		{"a table has a header", fromData("cases.csv", "\n\n"), []string{"suites/cases.csv:1:1 empty: "}},
		{"a table is text", fromData("cases.csv", "q\n\x00"), []string{"suites/cases.csv:2:1 control-character: "}},
		{"faults stand at their cells", fromData("cases.csv", "q,must_pass,trials,severity\n\"a\nb\",maybe,1.5,huge\n"),
			[]string{"suites/cases.csv:3:4 type: `must_pass` is \"maybe\"", "suites/cases.csv:3:10 type: `trials`", "suites/cases.csv:3:14 enum: `severity`"}},
		{"rows are as long as the header", fromData("cases.csv", "q,r\na\n"), []string{"suites/cases.csv:2:1 row: "}},
		{"a column stands once", fromData("cases.csv", "q,q\na,b\n"), []string{"suites/cases.csv:1:3 duplicate-key: "}},
		{"a variable stands once in a row", fromData("cases.csv", "q,vars.q\na,b\nc,d\n"),
			[]string{`suites/cases.csv:1:3 duplicate-key: the row gives the variable "q" twice`}},
		{"so it does in `vars`", fromData("cases.jsonl", `{"q": "a", "vars": {"q": "b"}}`), []string{"suites/cases.jsonl:1:21 duplicate-key: "}},
		{"a list in a cell is JSON", fromData("cases.csv", "q,tags\na,\"[x\"\n"), []string{"suites/cases.csv:2:3 syntax: the cell begins with a bracket"}},
		{"an assertion in a cell compiles", fromData("cases.csv", "q,assert\na,nope\n"), []string{"suites/cases.csv:2:3 compile: "}},
		{"an id has its form", fromData("cases.csv", "id,q\na b,x\n"), []string{"suites/cases.csv:2:1 …"}},
		{"an id stands once", fromData("cases.csv", "id,q\na,x\nA,y\n"), []string{`suites/cases.csv:3:1 duplicate-id: case id "A" differs only by letter case from the one at line 2`}},
		{"two cases that ask the same have ids", fromData("cases.csv", "q,expected_response\nx,1\nx,2\n"), []string{"suites/cases.csv:3:1 duplicate-id: the case at line 2 has the same"}},
		{"a column that no prompt can name is left out", fromData("cases.csv", "q,Created at,\nx,1,2\n"),
			[]string{`suites/cases.csv:1:3 warning column: the column "Created at" is not read`, `suites/cases.csv:1:14 warning column: the column "" is not read`}},
		{"a column that is not used is told once", fromData("cases.csv", "q,tag\nx,1\ny,1\n"),
			[]string{`suites/cases.csv:1:3 warning unused-variable: …did you mean the column "tags"`}},
		{"a column that was meant to judge is refused", fromData("cases.csv", "q,expected_respnse\nx,1\ny,1\n"),
			[]string{`suites/cases.csv:1:3 column: the column "expected_respnse" is not read, and no row has "expected_response": rename it to that; if it is a variable, call it "vars.expected_respnse"`}},
		{"so is one that is called like it but for a space", fromData("cases.csv", "q, Expected Response\nx,1\n"),
			[]string{`suites/cases.csv:1:3 column: the column "Expected Response" is not read, and no row has "expected_response": rename it to that`}},
		{"and one that is called for several", fromData("cases.csv", "q,rubrics\nx,1\n"), []string{`suites/cases.csv:1:3 column: …"rubric"`}},
		{"and one of JSON lines", fromData("cases.jsonl", `{"q": "x", "expectedResponse": "y"}`), []string{`suites/cases.jsonl:1:12 column: …"expected_response"`}},
		{"where there is the one that is meant, the other may be a note", fromData("cases.csv", "q,expected_response,expected_responses\nx,1,2\n"),
			[]string{"suites/cases.csv:1:21 warning unused-variable: "}},
		{"one that is near a short name may be a note", fromData("cases.csv", "q,asset\nx,1\n"), []string{"suites/cases.csv:1:3 warning unused-variable: "}},
		{"one that is called a variable is one", fromData("cases.csv", "q,vars.expected_respnse\nx,1\n"), []string{`suites/cases.csv:1:3 warning unused-variable: variable "expected_respnse" is defined but never used in suite s`}},
		{"a label is the one that is expected", fromData("cases.csv", "q,Label\nx,1\n"), []string{`suites/cases.csv:1:3 warning unused-variable: …did you mean the column "expected_label"?`}},
		{"what is expected has many names", fromData("cases.csv", "q,expected,ideal\nx,1,2\n"), []string{
			`suites/cases.csv:1:3 warning unused-variable: …did you mean the column "expected_response"?`, `suites/cases.csv:1:12 warning unused-variable: …did you mean the column "expected_response"?`}},
		{"where no column says what is right, one that is not used may", fromData("cases.csv", "q,queue\nx,billing\n"),
			[]string{`suites/cases.csv:1:3 warning unused-variable: …in suite s; if it says what is right, call it "expected_label" or "expected_response"`}},
		{"else it is no more than not used", fromData("cases.csv", "q,queue,must_pass\nx,billing,true\n"),
			[]string{`suites/cases.csv:1:3 warning unused-variable: variable "queue" is defined but never used in suite s`}},
		{"labels alone expect none", fromData("cases.csv", "q,labels\nx,billing\n"), []string{"suites/cases.csv:2:3 label: `labels` are all labels that an answer may come to, and none is expected; add `expected_label`"}},
		{"a variable that a row lacks is told once", fromData("cases.csv", "r\nx\ny\n"),
			[]string{"suites/cases.csv:1:1 warning unused-variable: ", "suites/s.yaml:2:36 undefined-variable: …in cases case-"}},
		{"faults of the defaults stand in the suite", inDefaults,
			[]string{"suites/s.yaml:3:23 compile: ", "suites/s.yaml:3:45 policy: "}},
		{"a line is JSON", fromData("cases.jsonl", "{\"q\": \"x\"}\n{\"q\": 1, \"q\": 2}\n{q}\n"),
			[]string{"suites/cases.jsonl:2:10 duplicate-key: key \"q\" is also at line 2", "suites/cases.jsonl:3:2 syntax: "}},
		{"a line is a map", fromData("cases.jsonl", "[1]\n"), []string{"suites/cases.jsonl:1:1 type: a row is a map"}},
		{"a variable is no list", fromData("cases.jsonl", "{\"q\": [\"x\"]}\n"), []string{"suites/cases.jsonl:1:7 type: "}},
		{"rows of the contract are suites of their own", fromData("cases.jsonl", `{"suite_id": "x", "case_id": "y", "prompt": "z"}`), []string{"suites/cases.jsonl:1:1 contract: "}},
		{"a list of rows is a list", map[string]string{"suites/s.yaml": "version: 1\n" + hello + "cases: { file: ../rows.yaml }\n", "rows.yaml": "a: 1\n"},
			[]string{"rows.yaml:1:1 type: a file of cases is a list of rows"}},
		{"a row of a list is a map", fromData("rows.yaml", "- 3\n"), []string{"suites/rows.yaml:1:3 type: a row is a map"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loaded(c.files)
			check(t, ds, c.want)
		})
	}
}

// TestAFaultyBaseIsReadRowByRow checks that a faulty row of a base is left out. If the error hides where other rows
// are, the suite is lost.
func TestAFaultyBaseIsReadRowByRow(t *testing.T) {
	cfg := settings()
	for _, c := range []struct{ name, text, want string }{
		{"cases.csv", "id,q,severity\na,x,high\nb,y,huge\nc,z,low\n", "a c"},
		{"cases.csv", "id,q,severity\na,x,high\nb,\"y\ny\",huge\nc,z\nd,z,low\n", "a d"},
		{"cases.csv", "id,q\na,x\nb,\"y\nc,z\n", "lost"},
		{"cases.csv", "id,q,vars.q\na,x,y\n", "lost"},
		{"cases.jsonl", "{\"id\":\"a\",\"q\":\"x\",\"vars\":{\"q\":\"y\"}}\n{\"id\":\"b\",\"q\":\"x\"}\n", "b"},
		{"cases.jsonl", "{\"id\":\"a\",\"q\":\"x\"}\n{bad\n{\"id\":\"b\",\"q\":\"x\",\"severity\":1}\n{\"id\":\"c\",\"q\":\"x\"}\n", "a c"},
		{"cases.yaml", "- { id: a, q: x }\n- id: b\n  q: y\n  severity: huge\n- { id: c, q: x }\n", "a c"},
		{"cases.yaml", "- { id: a, q: x }\n- id: b\n q: y\n", "lost"},
	} {
		suites, lost, ds := LoadBase(tree(fromData(c.name, c.text)), cfg, cfg.Suites)
		got := ""
		for _, s := range suites {
			for _, k := range s.Cases {
				got += " " + k.ID
			}
		}
		if len(lost) == 1 {
			got = " lost"
		}
		if got != " "+c.want || !document.HasErrors(ds) {
			t.Errorf("of %q are left %q, want %q; told is %v", c.text, got, c.want, lines(ds))
		}
	}
}

func TestManyRowsAreOpenedAsTheyWereRead(t *testing.T) {
	var table strings.Builder
	table.WriteString("q,expected_response,expected_label\n")
	for i := range 6000 {
		fmt.Fprintf(&table, "\"What, is %d?\",%d,%s\n", i, i, []string{"odd", "even"}[i%2])
	}
	files := fromData("cases.csv", table.String())
	files["suites/s.yaml"] = strings.Replace(files["suites/s.yaml"], "tags: [all]", "labels: [odd, even]", 1)
	cfg := settings()
	suites, ds := Load(tree(files), cfg, cfg.Suites)
	check(t, slices.DeleteFunc(ds, func(d document.Diagnostic) bool { return d.Rule == "label" }), nil)
	s := suites[0]
	if len(s.Cases) != 6000 || s.Plan.Strategy != "classification" {
		t.Fatalf("%d cases, strategy %s", len(s.Cases), s.Plan.Strategy)
	}
	for i := 0; i < len(s.Cases); i += 499 {
		c := s.Cases[i].Open()
		if c.Keys().RequestKey.String() != c.Prompt.Key() || c.Prompt.Messages[0].Content != fmt.Sprintf("What, is %d?", i) || c.Prompt.CaseID != c.ID {
			t.Errorf("case %d asks %q", i, c.Prompt.Messages[0].Content)
		}
		if _, unmet, _ := c.Expect.Check(expect.NewAnswer(model.Response{Text: "no"}), c.Vars); len(unmet) != 1 {
			t.Errorf("case %d expects %v", i, unmet)
		}
	}
}

// TestEveryFieldOfACaseIsAColumn compares caseColumns with the schema, so that no field is taken for a variable.
func TestEveryFieldOfACaseIsAColumn(t *testing.T) {
	root, _ := document.ParseJSON("suite.schema.json", string(schemas.Suite()), document.Position{Line: 1, Column: 1})
	known := keysOf(root.Get("$defs").Get("case").Get("properties"))
	slices.Sort(known)
	if columns := slices.Sorted(maps.Keys(caseColumns)); !slices.Equal(columns, known) {
		t.Errorf("columns are %v, the schema has %v", columns, known)
	}
}

// TestTheSchemaHasEveryAssertionByName checks that each form and its opposite is in the schema, and nothing else.
func TestTheSchemaHasEveryAssertionByName(t *testing.T) {
	root, _ := document.ParseJSON("suite.schema.json", string(schemas.Suite()), document.Position{Line: 1, Column: 1})
	var want []string
	for _, name := range append(expect.Forms, expect.ScriptForm) {
		want = append(want, name, "not_"+name)
	}
	got := keysOf(root.Get("$defs").Get("assertion").Get("properties"))
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("assertions by name (-schemas/suite.schema.json +forms in expect/assertion_form.go):\n%s", cmp.Diff(got, want))
	}
}

// TestAPromptThatIsTooLongIsPlacedAtItsRow checks the place of an error that shows only when the prompt is filled in.
func TestAPromptThatIsTooLongIsPlacedAtItsRow(t *testing.T) {
	_, ds := loaded(fromData("cases.csv", "id,q\nshort,Why?\nlong,"+strings.Repeat("x", maxFilled+1)+"\n"))
	if got := lines(ds); len(got) != 1 || !strings.HasPrefix(got[0], "suites/cases.csv:3:1 too-large: ") {
		t.Errorf("faults %q, want one at line 3 of the file of cases", got)
	}
}
