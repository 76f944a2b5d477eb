package suite

import "testing"

func TestMeantColumn(t *testing.T) {
	for _, c := range []struct {
		rule, name, field, want string
		sure                    bool
	}{
		{rule: "a slip in a long name", name: "expected_respose", want: "expected_response", sure: true},
		{rule: "its parts in another order are a hint", name: "response_expected", want: "expected_response"},
		{rule: "another way to join words", name: "Must Pass", want: "must_pass", sure: true},
		{rule: "an ending", name: "asserts", want: "assert", sure: true},
		{rule: "a short name may be another word", name: "asset", want: "assert"},
		{rule: "what decides nothing is a hint", name: "tag", want: "tags"},
		{rule: "where there is the column that is meant, a slip is a hint", name: "expected_respose", field: "expected_response", want: "expected_response"},
		{rule: "what others call it", name: "label", want: "expected_label"},
		{rule: "in any letter case", name: "Ground Truth", want: "expected_response"},
		{rule: "which beside it is a note", name: "label", field: "expected_label"},
		{rule: "another word", name: "owner"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			known := columns{fields: map[string]bool{c.field: true}}
			if like, sure := known.likelyColumn(c.name); like != c.want || sure != c.sure {
				t.Errorf("meant(%q) = %q, %v, want %q, %v", c.name, like, sure, c.want, c.sure)
			}
		})
	}
}
