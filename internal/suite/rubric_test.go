package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// judgeSettings are settings with a judge.
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
	cfg.NoJudge = "stands in the head's configuration alone"
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
	for c := range suites[0].Cases.All() {
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
	const text = "messages: [{ role: user, content: hello }]\ncases: [{ id: a, rubric: [x, { criterion: y, severity: low }], reference: r }]\n"
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
		{"another severity of a criterion", "severity: low", "severity: high", false},
		{"a criterion in its long form", "[x,", "[{ criterion: x },", false},
	} {
		again, is := key(strings.Replace(text, c.old, c.new, 1))
		if (is != was) != c.differs || again != request {
			t.Errorf("%s: redefined %v, want %v; the request is another: %v", c.rule, is != was, c.differs, again != request)
		}
	}
}
