package suite

import (
	"slices"
	"testing"
)

// TestACaseAddsToTheListsOfItsDefaults checks that a case with defaults is judged as if it had all of their items
// itself.
func TestACaseAddsToTheListsOfItsDefaults(t *testing.T) {
	shared := "defaults: { assert: [\"response.text == vars.x\"], policies: [no-promises], tags: [t] }\n"
	for _, c := range []struct{ rule, with, alone string }{
		{"own ones stand behind the shared ones", "assert: [\"response.text != vars.x\"], policies: [no-secrets], tags: [u]",
			"assert: [\"response.text == vars.x\", \"response.text != vars.x\"], policies: [no-promises, no-secrets], tags: [t, u]"},
		{"the shared ones hold without own ones", "severity: low", "assert: [\"response.text == vars.x\"], policies: [no-promises], tags: [t]"},
		{"what is said twice is held once", "assert: [\"response.text == vars.x\"], policies: [no-promises], tags: [t]",
			"assert: [\"response.text == vars.x\"], policies: [no-promises], tags: [t]"},
		{"replace says otherwise", "assert: { replace: [\"response.text != vars.x\"] }, policies: { replace: [no-secrets] }, tags: { replace: [u] }",
			"assert: [\"response.text != vars.x\"], policies: [no-secrets], tags: [u]"},
		{"nothing may take their place", "assert: { replace: [] }, policies: { replace: [] }, tags: { replace: [] }", "severity: low"},
		{"nor does what a refusal is free of come back", "expected_classification: refusal, tags: { replace: [] }, policies: { replace: [] }",
			"expected_classification: refusal"},
	} {
		read := func(defaults, fields string) Case {
			suites, ds := loadOpen(tree(one("messages: [{ role: user, content: 'Say {{ x }}' }]\n"+defaults+"cases: [{ id: a, vars: { x: a }, "+fields+" }]\n")), settings(), settings().Suites)
			check(t, ds, nil)
			return *suites[0].Cases[0]
		}
		with, alone := read(shared, c.with), read("", c.alone)
		if with.Keys().ExpectationKey != alone.Keys().ExpectationKey || len(with.Expect.Assertions) != len(alone.Expect.Assertions) ||
			!slices.Equal(policyNames(with.Policies), policyNames(alone.Policies)) || !slices.Equal(with.Tags, alone.Tags) {
			t.Errorf("%s: %d assertions, policies %v, tags %v, want %d, %v, %v and one key", c.rule, len(with.Expect.Assertions),
				policyNames(with.Policies), with.Tags, len(alone.Expect.Assertions), policyNames(alone.Policies), alone.Tags)
		}
	}
}
