package suite

import (
	"maps"
	"slices"
	"testing"
)

func TestAChangeOfASelectionOfCasesChangesNoOther(t *testing.T) {
	all := made("s", "a x e", "b y f").Cases
	few := all.Where(func(c *Case) bool { return c.ID == "b" })
	few[0].MustPass = true
	few[0].Target = "other"
	if b := all[1]; len(few) != 1 || few[0].Index() != 0 || b.Index() != 1 || b.MustPass || b.Target != "" {
		t.Errorf("%d cases are selected; the one that was changed is %+v among all", len(few), b)
	}
}

func TestWhatIsMadeOfACaseIsNoOthers(t *testing.T) {
	suites, ds := Load(tree(map[string]string{"suites/s.yaml": "version: 1\nstrategy: reasoning\nmessages: [{ role: user, content: \"{{ x }}\" }]\n" +
		"defaults: { expected_response: It may. }\ncases: [{ id: a, vars: { x: one } }, { id: b, vars: { x: two } }]\n"}), settings(), settings().Suites)
	check(t, ds, nil)
	a, b := suites[0].Cases[0].Open(), suites[0].Cases[1].Open()
	if a.Measured.Prompt != "one" || b.Measured.Prompt != "two" {
		t.Errorf("the prompts that answers are measured by are %q and %q", a.Measured.Prompt, b.Measured.Prompt)
	}
}

// TestAnEvaluatorKeepsTheNameThatTheHeadGivesIt checks that a head case does not share the compiled checks of an equal
// base case if its evaluator has another name, because keys do not cover that name.
func TestAnEvaluatorKeepsTheNameThatTheHeadGivesIt(t *testing.T) {
	read := func(name string) []*Suite {
		suites, ds := Load(tree(map[string]string{"suites/p.prompt.yml": "messages: [{ role: user, content: \"{{ q }}\" }]\ntestData: [{ q: one }]\n" +
			"evaluators: [{ name: " + name + ", string: { contains: yes } }]\n"}), settings(), settings().Suites)
		check(t, ds, nil)
		return suites
	}
	base, head := read("before"), read("now")
	ApplyBase(Join(base, head))
	b, h := base[0].Cases[0].Open(), head[0].Cases[0].Open()
	if b.Keys() != h.Keys() || b.Expect.Criteria[0].Name != "before" || h.Expect.Criteria[0].Name != "now" {
		t.Errorf("the criteria are called %q and %q", b.Expect.Criteria[0].Name, h.Expect.Criteria[0].Name)
	}
}

func TestEveryTargetIsHeldToWhatALineExpects(t *testing.T) {
	cfg := settings()
	cfg.DefaultTargets = slices.Collect(maps.Keys(cfg.Targets))
	suites, ds := Load(tree(map[string]string{"suites/f.jsonl": contractLine(`"q":"1"`)}), cfg, cfg.Suites)
	if check(t, ds, nil); len(suites) < 2 {
		t.Fatalf("%d suites, want one for each target", len(suites))
	}
	for _, s := range suites {
		if c := s.Cases[0]; c.Unverified() || c.Open().Expect.Empty() {
			t.Errorf("suite %s expects nothing of case %s", s.ID, c.ID)
		}
	}
}
