package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// judgeSettings returns settings with a judge.
func judgeSettings() *config.Config {
	cfg := settings()
	cfg.Judge = &config.Judge{Target: "fast", Votes: 1}
	return cfg
}

func gradedSuite(t *testing.T, text string) ([]*Suite, []document.Diagnostic) {
	t.Helper()
	cfg := judgeSettings()
	return loadOpen(tree(one(text)), cfg, cfg.Suites)
}

func TestFaultsOfARubric(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		want       []string
	}{
		{"texts and maps", "cases: [{ id: a, rubric: [x, { criterion: y, severity: low, optional: true }], reference: z }]\n", nil},
		{"a criterion that is there twice", "cases: [{ id: a, rubric: [x, { criterion: x }] }]\n", []string{"suites/s.yaml:3:30 duplicate-criterion: …line 3"}},
		{"a criterion that is no text", "cases: [{ id: a, rubric: [1] }]\n", []string{"suites/s.yaml:3:27 …"}},
		{"an empty criterion", "cases: [{ id: a, rubric: [' '] }]\n", []string{"suites/s.yaml:3:27 rubric: …empty"}},
		{"an unknown key", "cases: [{ id: a, rubric: [{ criterion: x, weight: 2 }] }]\n", []string{"suites/s.yaml:3:43 …weight"}},
		{"no criterion", "cases: [{ id: a, rubric: [] }]\n", []string{"suites/s.yaml:3:26 …"}},
		{"nothing is filled in", "cases: [{ id: a, rubric: ['says {{ x }}'] }]\n", []string{"suites/s.yaml:3:27 rubric: a criterion is not filled in"}},
		{"a reference that nobody is shown", "cases: [{ id: a, reference: z }]\n", []string{"suites/s.yaml:3:18 rubric: …without `rubric`"}},
		{"an outcome that no judge grades", "cases: [{ id: a, rubric: [x], expected_classification: fail, expected_response: y }]\n", []string{"suites/s.yaml:3:27 contradiction: …expects fail"}},
		{"a refusal is not graded", "cases: [{ id: a, rubric: [x], expected_classification: refusal }]\n", []string{"suites/s.yaml:3:18 contradiction: …refusal"}},
		{"and is free of the criteria of defaults", "defaults: { rubric: [x] }\ncases: [{ id: a, expected_classification: refusal }]\n", nil},
		{"a map says what the judge is shown", "cases: [{ id: a, vars: { d: 1, e: 2 }, rubric: { criteria: [faithfulness], context: [d], asked: [e] } }]\n", nil},
		{"a case that only says what is shown", "defaults: { rubric: [x] }\ncases: [{ id: a, vars: { d: 1 }, rubric: { context: [d] } }]\n", nil},
		{"documents that a case lacks", "defaults: { rubric: { criteria: [x], context: [d] } }\ncases: [{ id: a }, { id: b }]\n",
			[]string{"suites/s.yaml:3:48 undefined-variable: …variable \"d\" is not defined in cases a and b"}},
		{"faithfulness to nothing", "cases: [{ id: a, rubric: [x, faithfulness] }]\n", []string{"suites/s.yaml:3:30 rubric: …name the variables"}},
		{"faithfulness in its own words, too", "cases: [{ id: a, vars: { d: 1 }, rubric: { context: [d], criteria: [faithfulness, States no fact that does not follow from CONTEXT] } }]\n",
			[]string{"suites/s.yaml:3:83 duplicate-criterion: …line 3"}},
		{"all criteria, and more", "cases: [{ id: a, rubric: { replace: [x], criteria: [y] } }]\n", []string{"suites/s.yaml:3:42 rubric: …`replace` has all"}},
		{"a map without a criterion", "cases: [{ id: a, vars: { d: 1 }, rubric: { context: [d] } }]\n", []string{"suites/s.yaml:3:26 warning unused-variable: …", "suites/s.yaml:3:42 rubric: …no criterion"}},
		{"an empty map", "cases: [{ id: a, rubric: {} }]\n", []string{"suites/s.yaml:3:26 rubric: …no criterion"}},
		{"a var that the judge is not shown is not used", "cases: [{ id: a, vars: { x: 1 }, rubric: { criteria: [x], asked: [] } }]\n", []string{"suites/s.yaml:3:26 warning unused-variable: …"}},
		{"a var that the judge alone is shown is used", "cases: [{ id: a, vars: { x: 1 }, rubric: [x] }]\n", nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := gradedSuite(t, hello+c.text)
			check(t, ds, c.want)
		})
	}
}

func TestARubricNeedsAJudge(t *testing.T) {
	_, ds := loaded(one(hello + "cases: [{ id: a, rubric: [x] }]\n"))
	check(t, ds, []string{"suites/s.yaml:3:27 judge: `rubric` needs a judge"})
	cfg := settings()
	cfg.NoJudgeReason = "stands in the head's configuration alone"
	_, ds = loadOpen(tree(one(hello+"cases: [{ id: a, rubric: [x] }]\n")), cfg, cfg.Suites)
	check(t, ds, []string{"suites/s.yaml:3:27 judge: the judge stands in the head's configuration alone"})
}

func TestTheCriteriaOfACaseJoinThoseOfTheDefaults(t *testing.T) {
	suites, ds := gradedSuite(t, hello+`defaults: { rubric: [x, { criterion: y, optional: true }], reference: r, severity: high }
cases:
  - { id: plain }
  - { id: more, rubric: [z] }
  - { id: otherwise, rubric: [{ criterion: y, severity: low }] }
  - { id: instead, rubric: { replace: [z] }, reference: s }
  - { id: none, rubric: { replace: [] }, expected_response: x }
`)
	check(t, ds, nil)
	want := map[string]string{"plain": "x high, y high optional; r", "more": "x high, y high optional, z high; r", "otherwise": "x high, y low; r",
		"instead": "z high; s", "none": "nothing"}
	for _, c := range suites[0].Cases {
		got := "nothing"
		if c.Rubric != nil {
			var all []string
			for _, one := range c.Rubric.Criteria {
				all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", one.Text, one.Severity, map[bool]string{true: "optional"}[one.Optional])))
			}
			got = strings.Join(all, ", ") + "; " + c.Rubric.Reference
		}
		if got != want[c.ID] {
			t.Errorf("%s: %s, want %s", c.ID, got, want[c.ID])
		}
	}
}

func TestWhatOfARubricRedefinesACase(t *testing.T) {
	const text = "messages: [{ role: user, content: hello }]\ncases: [{ id: a, vars: { q: 1, d: 2 }, rubric: [x, { criterion: y, severity: low }], reference: r }]\n"
	key := func(text string) (string, string) { return keys(t, one(text), judgeSettings()) }
	request, was := key(text)
	for _, c := range []struct {
		rule, old, new string
		differs        bool
	}{
		{"another criterion", "[x,", "[z,", true},
		{"one fewer", "[x, ", "[", true},
		{"one that is optional", "severity: low", "optional: true", true},
		{"another reference", "reference: r", "reference: s", true},
		{"documents", "[x, { criterion: y, severity: low }]", "{ context: [d], criteria: [x, { criterion: y }] }", true},
		{"a variable that the judge is no longer shown", "[x, { criterion: y, severity: low }]", "{ asked: [q], criteria: [x, { criterion: y }] }", true},
		{"what it is shown anyway", "[x, { criterion: y, severity: low }]", "{ asked: [d, q], criteria: [x, { criterion: y }] }", false},
		{"another severity of a criterion", "severity: low", "severity: high", false},
		{"a criterion in its long form", "[x,", "[{ criterion: x },", false},
	} {
		again, is := key(strings.Replace(text, c.old, c.new, 1))
		if (is != was) != c.differs || again != request {
			t.Errorf("%s: redefined %v, want %v; the request is another: %v", c.rule, is != was, c.differs, again != request)
		}
	}
}
