package config

import "testing"

// A figure of 0 that a file names, and one that it does not name, are two settings.
func TestAnEntryOfZeroIsNoEntryThatIsMissing(t *testing.T) {
	zero, none, whole := new(float64), (*float64)(nil), new(int)
	price, free := &Price{}, (*Price)(nil)
	for _, c := range []struct {
		rule string
		at   any
		want string
	}{
		{"a number that may be missing, of 0", &zero, "0"},
		{"one that is missing", &none, ""},
		{"a whole number of 0", &whole, "0"},
		{"a price of nothing", &price, "{0 0}"},
		{"no price", &free, ""},
		{"a setting as it is without a level", &Setting{}, "0 "},
		{"a mark that is not set", new(bool), ""},
		{"an empty list", new([]string), ""},
		{"an empty text", new(string), ""},
		{"a list", &[]string{"a"}, `["a"]`},
		{"a map, in a form that tells its keys from its values", &map[string]string{"a": "b c:d"}, `map[string]string{"a":"b c:d"}`},
		{"nothing that holds it", nil, ""},
	} {
		if got := (entry{field: c.at}).meaning(); got != c.want {
			t.Errorf("%s means %q, want %q", c.rule, got, c.want)
		}
	}
}
