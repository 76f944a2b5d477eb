package fact_test

import "testing"

// The sets of docs/verdicts.md: answers, a key fact, and whether a person would say that the answer covers it.
func TestFactSets(t *testing.T) {
	for _, set := range []struct {
		file          string
		right, alarms int // at least; facts called covered that are not, at most
	}{{"dev", 123, 0}, {"blind-1", 29, 0}, {"blind-2", 35, 0}} {
		n, right, wrong := 0, 0, 0
		for _, c := range readSet[stating](t, "facts", set.file) {
			n++
			got := covers(t, c.Fact, c.Answer)
			switch {
			case got == c.Covered:
				right++
			case got:
				wrong++
				fallthrough
			default:
				t.Logf("%s: %q in %q: covered %v, want %v", set.file, c.Fact, c.Answer, got, c.Covered)
			}
		}
		t.Logf("%s: %d of %d facts right, %d called covered that are not", set.file, right, n, wrong)
		if right < set.right || wrong > set.alarms {
			t.Errorf("%s: %d right and %d wrong called covered, want at least %d and at most %d", set.file, right, wrong, set.right, set.alarms)
		}
	}
}

type stating struct {
	Fact    string `json:"fact"`
	Answer  string `json:"answer"`
	Covered bool   `json:"covered"`
}
