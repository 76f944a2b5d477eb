package model_test

import (
	"testing"

	"github.com/failproof/failproof/internal/model"
)

func TestWhatCanBeReadIsRead(t *testing.T) {
	for _, c := range []struct {
		rule, raw string
		tokens    int
		dollars   float64 // -1: not told
	}{
		{"a whole number", `{"cost_usd": 11}`, 11, 11},
		{"a fraction is rounded up to a token", `{"cost_usd": 10.2}`, 11, 10.2},
		{"a number in a string", `{"cost_usd": "11"}`, 11, 11},
		{"with an exponent", `{"cost_usd": 1.1e1}`, 11, 11},
		{"nothing", `{"cost_usd": 0}`, 0, 0},
		{"less than nothing was not told", `{"cost_usd": -3}`, 0, -1},
		{"null", `{"cost_usd": null}`, 0, -1},
		{"a word", `{"cost_usd": "many"}`, 0, -1},
		{"a number that is none", `{"cost_usd": "NaN"}`, 0, -1},
		{"without an end", `{"cost_usd": "Inf"}`, 0, -1},
		{"more tokens than there are", `{"cost_usd": 1e12}`, 0, 1e12},
		{"an object", `{"cost_usd": {"total": 3}}`, 0, -1},
		{"no such member", `{"m": 3}`, 0, -1},
		{"a list in the place of the object", `[3]`, 0, -1},
		{"a string in the place of the object", `"3"`, 0, -1},
		{"null in the place of the object", `null`, 0, -1},
		{"nothing at all", ``, 0, -1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			want := model.Usage{TokensIn: 2 * c.tokens, TokensOut: c.tokens}
			if got := model.ReadUsage([]byte(c.raw), "cost_usd", "cost_usd", "cost_usd"); got != want {
				t.Errorf("ReadUsage = %+v, want %+v", got, want)
			}
			if got := model.ReadCost([]byte(c.raw)); got.Known != (c.dollars >= 0) || got.Known && got.USD != c.dollars {
				t.Errorf("ReadCost = %+v, want %v", got, c.dollars)
			}
		})
	}
}
