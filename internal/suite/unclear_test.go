package suite

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
)

func TestFactsThatAreNotFoundAreCriteriaWhereTheSuiteSaysSo(t *testing.T) {
	const fact = "key_facts: [14 days, /no fee/, 14 days, by post]"
	const both = `Says, in whatever words: "14 days", Says, in whatever words: "by post"`
	for _, c := range []struct{ rule, text, want string }{
		{"of the case", "cases: [{ id: a, " + fact + ", facts: { unclear: judge } }]\n", both},
		{"of the defaults", "defaults: { facts: { unclear: judge } }\ncases: [{ id: a, " + fact + " }]\n", both},
		{"of the suite", "facts: { unclear: judge }\ncases: [{ id: a, " + fact + " }]\n", both},
		{"behind a rubric", "facts: { unclear: judge }\ncases: [{ id: a, rubric: [polite], " + fact + " }]\n", "polite, " + both},
		{"the case has the last word", "facts: { unclear: judge }\ncases: [{ id: a, " + fact + ", facts: { unclear: missing } }]\n", ""},
		{"the defaults speak before the suite", "facts: { unclear: judge }\ndefaults: { facts: { unclear: missing } }\ncases: [{ id: a, " + fact + " }]\n", ""},
		{"without the key", "cases: [{ id: a, " + fact + " }]\n", ""},
		{"without facts", "facts: { unclear: judge }\ncases: [{ id: a, expected_response: x }]\n", ""},
		{"patterns alone", "facts: { unclear: judge }\ncases: [{ id: a, key_facts: [/no fee/] }]\n", ""},
		{"where a refusal is right", "facts: { unclear: judge }\ndefaults: { " + fact + " }\ncases: [{ id: a, expected_classification: refusal }]\n", ""},
		{"where failing is right", "facts: { unclear: judge }\ncases: [{ id: a, " + fact + ", expected_classification: fail }]\n", ""},
	} {
		suites, ds := gradedSuite(t, hello+c.text)
		check(t, ds, nil)
		var got []string
		if r := suites[0].Cases[0].Open().Rubric; r != nil {
			for _, one := range r.Criteria {
				got = append(got, one.Text)
			}
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: %s, want %s", c.rule, all, c.want)
		}
	}
}

func TestFactsForAJudgeNeedOne(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"of the case", "cases: [{ id: a, key_facts: [x], facts: { unclear: judge } }]\n", "suites/s.yaml:3:52 judge: `facts: { unclear: judge }` needs a judge; name its target"},
		{"of the suite, once", "facts: { unclear: judge }\ncases: [{ id: a, key_facts: [x] }, { id: b, key_facts: [x] }]\n", "suites/s.yaml:3:19 judge: `facts: { unclear: judge }` needs a judge"},
		{"a slip", "cases: [{ id: a, key_facts: [x], facts: { unclear: juge } }]\n", "suites/s.yaml:3:52 …judge"},
	} {
		_, ds := loaded(one(hello + c.text))
		if check(t, ds, []string{c.want}); t.Failed() {
			t.Fatal(c.rule)
		}
	}
	cfg := settings()
	cfg.NoJudgeReason = "stands in the head's configuration alone"
	_, ds := loadOpen(tree(one(hello+"facts: { unclear: judge }\ncases: [{ id: a, key_facts: [x] }]\n")), cfg, cfg.Suites)
	check(t, ds, []string{"suites/s.yaml:3:19 judge: the judge stands in the head's configuration alone"})
	_, ds = gradedSuite(t, hello+"cases: [{ id: a, key_facts: [x], facts: { unclear: judge }, expected_classification: fail, expected_response: y }]\n")
	check(t, ds, []string{"suites/s.yaml:3:52 contradiction: `facts: { unclear: judge }` goes with `expected_classification: pass` alone"})
	_, ds = gradedSuite(t, hello+"cases: [{ id: a, key_facts: [x], facts: { unclear: judge }, must_pass: true }]\n")
	check(t, ds, []string{"suites/s.yaml:3:61 judge: a case that must pass cannot rest on an unchecked judge"})
}

// TestWhoDecidesFactsRedefinesACase checks that letting a judge decide key facts, or no longer, changes the
// expectation.
func TestWhoDecidesFactsRedefinesACase(t *testing.T) {
	key := func(cfg *config.Config, text string) string {
		_, is := keys(t, one("messages: [{ role: user, content: hello }]\n"+text), cfg)
		return is
	}
	plain := key(judgeSettings(), "cases: [{ id: a, key_facts: [x] }]\n")
	judged := key(judgeSettings(), "facts: { unclear: judge }\ncases: [{ id: a, key_facts: [x] }]\n")
	if plain == judged {
		t.Error("the judge decides facts, and the case is not redefined")
	}
	if plain != key(judgeSettings(), "cases: [{ id: a, key_facts: [x], facts: { unclear: missing } }]\n") || plain != key(settings(), "cases: [{ id: a, key_facts: [x] }]\n") {
		t.Error("the default said out loud redefines the case")
	}
}

// TestAColumnFactsIsAVariableUnlessItSaysWhoDecides reads files of cases with a column named facts.
func TestAColumnFactsIsAVariableUnlessItSaysWhoDecides(t *testing.T) {
	for _, c := range []struct{ rule, row, variable string }{
		{"a text", `{"id": "a", "q": "when", "facts": "ours", "key_facts": ["x"]}`, "ours"},
		{"a key", `{"id": "a", "q": "when", "key_facts": ["x"], "facts": {"unclear": "judge"}}`, ""},
	} {
		cfg := judgeSettings()
		suites, _ := loadOpen(tree(fromData("cases.jsonl", c.row+"\n")), cfg, cfg.Suites)
		k := suites[0].Cases[0].Open()
		if k.Vars["facts"] != c.variable || (k.Rubric != nil) != (c.variable == "") {
			t.Errorf("%s: variable %q, rubric %v", c.rule, k.Vars["facts"], k.Rubric)
		}
	}
}
