package usage_test

import (
	"testing"

	"github.com/failproof/failproof/internal/model/usage"
)

func TestWhatCanBeReadIsRead(t *testing.T) {
	for _, c := range []struct {
		rule, raw string
		tokens    int
		dollars   float64 // -1: not told
	}{
		{"a whole number", `{"n": 11}`, 11, 11},
		{"a fraction is rounded up to a token", `{"n": 10.2}`, 11, 10.2},
		{"a number in a string", `{"n": "11"}`, 11, 11},
		{"with an exponent", `{"n": 1.1e1}`, 11, 11},
		{"nothing", `{"n": 0}`, 0, 0},
		{"less than nothing was not told", `{"n": -3}`, 0, -1},
		{"null", `{"n": null}`, 0, -1},
		{"a word", `{"n": "many"}`, 0, -1},
		{"a number that is none", `{"n": "NaN"}`, 0, -1},
		{"without an end", `{"n": "Inf"}`, 0, -1},
		{"more tokens than there are", `{"n": 1e12}`, 0, 1e12},
		{"an object", `{"n": {"total": 3}}`, 0, -1},
		{"no such member", `{"m": 3}`, 0, -1},
		{"a list in the place of the object", `[3]`, 0, -1},
		{"a string in the place of the object", `"3"`, 0, -1},
		{"null in the place of the object", `null`, 0, -1},
		{"nothing at all", ``, 0, -1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f := usage.Read([]byte(c.raw))
			if got := f.Tokens("n"); got != c.tokens {
				t.Errorf("Tokens() = %d, want %d", got, c.tokens)
			}
			if got, told := f.Dollars("n"); told != (c.dollars >= 0) || told && got != c.dollars {
				t.Errorf("Dollars() = %v, %v, want %v", got, told, c.dollars)
			}
		})
	}
}
