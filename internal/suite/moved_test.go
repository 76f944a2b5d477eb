package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
)

func TestACaseThatTakesANameInQuarantineIsAChangedSetting(t *testing.T) {
	gate := config.Gate{Quarantine: []config.Quarantine{{ID: "a/q"}, {ID: "a/p"}}}
	for _, c := range []struct {
		rule, base, head string // the expectation of each case, which the request is too, by its id
		want             string
	}{
		{"as it was", "x=1 q=2", "x=1 q=2", ""},
		{"a free name", "x=1 q=2", "y=1 q=2", ""},
		{"a name in quarantine that nobody has", "x=1 y=2", "q=1 y=2", "suites.a.q.quarantine"},
		{"that of another case", "x=1 q=2", "q=1 x=2", "suites.a.q.quarantine"},
		{"that of a case that goes", "x=1 q=2 y=3", "q=1 y=3", "suites.a.q.quarantine"},
		{"one of a case in quarantine", "x=1 q=2", "x=1 p=2", ""},
		{"a new case", "x=1", "x=1 q=2", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			of := func(cases string) []*Suite {
				var all []string
				for _, one := range strings.Fields(cases) {
					id, text, _ := strings.Cut(one, "=")
					all = append(all, id+" r"+text+" e"+text)
				}
				return []*Suite{asked(made("a", all...))}
			}
			both := Join(of(c.base), of(c.head))
			ApplyBase(both)
			var got []string
			for _, change := range QuarantineChanges(both, gate) {
				got = append(got, change.Key)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("changes %q, want %q", got, c.want)
			}
		})
	}
}

func TestACaseThatMovedToAnotherSuiteIsOneWithTheBases(t *testing.T) {
	bar := 0.9
	before := func() []*Suite {
		a, b := asked(made("a", "x r e", "y r f", "z r g")), asked(made("b", "v r h"))
		a.Weight, a.MinScore, a.Trials, b.Trials = 3, &bar, 2, 2
		for _, s := range []*Suite{a, b} {
			for _, c := range s.Cases {
				c.Trials = 2
			}
		}
		a.Cases[2].Severity = "high"
		return []*Suite{a, b}
	}
	for _, c := range []struct {
		rule  string
		head  []*Suite
		scope string
		held  []string
	}{
		{"moved to a suite of the base", []*Suite{asked(made("a", "x r e", "y r f")), asked(made("b", "v r h", "z r g"))},
			"a~a [case moved out: z] b~b [case moved in: z]", []string{"b.z.severity high medium"}},
		{"moved to a new suite, and asked otherwise", []*Suite{asked(made("a", "x r e", "y r f")), asked(made("b", "v r h")), asked(made("c", "w q g"))},
			"a~a [case moved out: z] ~c [request changed: w case moved in: w]", []string{"c.min_score 0.9 ", "c.weight 3 1", "c.w.severity high medium"}},
		{"all moved", []*Suite{asked(made("c", "x r e", "y r f", "z r g", "v r h"))},
			"a~ [case moved out: 3 cases, first x] b~ [case moved out: v] ~c [case moved in: 4 cases, first x]", []string{"c.min_score 0.9 ", "c.weight 3 1", "c.z.severity high medium"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base := before()
			for _, s := range c.head {
				for _, k := range s.Cases {
					k.Trials = 2
				}
				if s.Trials = 2; s.ID == "a" {
					s.Weight, s.MinScore = 3, &bar
				}
			}
			var scope, held []string
			both := Join(base, c.head)
			for _, change := range ApplyBase(both) {
				held = append(held, strings.TrimPrefix(change.Key, "suites.")+" "+change.Base+" "+change.Head)
			}
			for _, s := range Scope(both, Recordings{}).Suites {
				scope = append(scope, fmt.Sprintf("%s~%s %v", s.BaseID, s.HeadID, s.Reasons))
			}
			if got := strings.Join(scope, " "); got != c.scope {
				t.Errorf("scope %s, want %s", got, c.scope)
			}
			slices.Sort(held)
			slices.Sort(c.held)
			if diff := cmp.Diff(c.held, held); diff != "" {
				t.Errorf("held to the base (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoCaseOfTheBaseIsEchoedInAnotherSuite(t *testing.T) {
	targets := map[string]config.Target{"live": {Provider: "openai"}, "parrot": {Provider: "echo"}}
	of := func(target string, s *Suite) *Suite {
		s.Target = target
		return asked(s)
	}
	base := []*Suite{of("live", made("a", "x r e", "y r f")), of("parrot", made("b", "v r h"))}
	head := []*Suite{of("live", made("a", "x r e")), of("parrot", made("b", "v r h", "y r f"))}
	if got := EchoErrors(Join(base, head), targets, targets); len(got) != 1 || !strings.Contains(got[0].Message, `in suite "a"`) {
		t.Errorf("Echoed = %v, want one fault that names suite a", got)
	}
}

func TestAMarkOfTheRulesHoldsForTheCaseWhateverTheHeadCallsIt(t *testing.T) {
	must := func(id string, all []*Suite) []*Suite {
		for _, s := range all {
			for _, c := range s.Cases {
				if c.ID == id {
					c.MustPass = true
				}
			}
		}
		return all
	}
	suites := func(all ...*Suite) []*Suite { return all }
	two := func() []*Suite { return suites(asked(made("a", "x r e", "y r f"))) }
	for _, c := range []struct {
		rule              string
		rules, base, head []*Suite
		changes, marked   string
	}{
		{"as it was called", must("x", two()), two(), two(), "suites.a.x.must_pass", "base a/x, head a/x"},
		{"renamed by the head", must("x", two()), two(), suites(asked(made("a", "z r e", "y r f"))), "suites.a.x.must_pass", "base a/x, head a/z"},
		{"moved by the head, in a renamed suite", must("x", two()), two(), suites(asked(made("a", "y r f")), asked(made("b", "z r e"))), "suites.a.x.must_pass", "base a/x, head b/z"},
		{"renamed by the rules, and by the head", must("w", suites(asked(made("a", "w r e", "y r f")))), two(), suites(asked(made("a", "z r e", "y r f"))), "suites.a.x.must_pass", "base a/x, head a/z"},
		{"removed by the head", must("x", two()), two(), suites(asked(made("a", "y r f"))), "suites.a.x.must_pass", "base a/x"},
		{"taken away by the head", must("x", two()), must("x", two()), two(), "", "base a/x"},
		{"taken away by the rules", two(), must("x", two()), must("x", two()), "", "base a/x, head a/x"},
		{"no mark", two(), two(), two(), "", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			both := Join(c.base, c.head)
			ApplyBase(both)
			var keys, marked []string
			for _, change := range ApplyRules(c.rules, both) {
				keys = append(keys, change.Key)
			}
			for i, side := range [][]*Suite{c.base, c.head} {
				for _, s := range side {
					for _, k := range s.Cases {
						if k.MustPass {
							marked = append(marked, []string{"base ", "head "}[i]+s.ID+"/"+k.ID)
						}
					}
				}
			}
			if got := strings.Join(keys, " "); got != c.changes {
				t.Errorf("changes %q, want %q", got, c.changes)
			}
			if got := strings.Join(marked, ", "); got != c.marked {
				t.Errorf("marked are %q, want %q", got, c.marked)
			}
		})
	}
}
