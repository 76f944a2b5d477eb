package text

import "testing"

func TestSuggest(t *testing.T) {
	known := []string{"exact", "contains", "regex", "json", "id", "ids", "min_run_score", "min_pass_rate", "min_fail_rate"}
	cases := []struct{ rule, word, want string }{
		{"a letter too many", "exactt", "exact"},
		{"a letter too few", "exat", "exact"},
		{"a letter mistaken", "regix", "regex"},
		{"two letters swapped", "jsno", "json"},
		{"two slips", "containz_", "contains"},
		{"another case", "JSON", "json"},
		{"the nearest of two", "idz", "id"},
		{"a short word needs more than chance", "ab", ""},
		{"three slips are too many", "cntnz", ""},
		{"another word", "number", ""},
		{"nothing", "", ""},
		{"a word is no suggestion for itself", "json", ""},
		{"parts of a word of several", "min_score", "min_run_score"},
		{"parts that two words have", "min_rate", ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got, ok := Suggest(c.word, known); got != c.want && ok || ok != (c.want != "") {
				t.Errorf("Suggest(%q) = %q, %v, want %q", c.word, got, ok, c.want)
			}
		})
	}
}

func TestAMisspellingDiffersByOneLetter(t *testing.T) {
	for _, c := range []struct {
		word, meant string
		want        bool
	}{
		{"evaluator", "evaluators", true}, {"case_threshhold", "case_threshold", true}, {"TestData", "testData", true}, {"expected_lable", "expected_label", true},
		{"topK", "topP", false}, {"allowed_items", "allowed_terms", false}, {"expected_level", "expected_label", false}, {"key_factors", "key_facts", false},
	} {
		if got := IsMisspelling(c.word, c.meant); got != c.want {
			t.Errorf("IsMisspelling(%q, %q) = %v, want %v", c.word, c.meant, got, c.want)
		}
	}
}
