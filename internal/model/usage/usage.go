// Package usage reads what a target says that an answer took. Servers say it in whole numbers, in numbers with a fraction, in
// strings, or not at all, and none of these is a reason to lose an answer that was paid for: what cannot be read was not told.
package usage

import (
	"encoding/json"
	"math"
	"strconv"
)

// maxTokens is the largest figure that is believed; the longest contexts hold some ten million tokens.
const maxTokens = 1_000_000_000

// Fields are the members of a usage object.
type Fields map[string]json.RawMessage

// Read takes the members of an object apart. Anything else has none.
func Read(raw json.RawMessage) (f Fields) {
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

// Tokens is a number of tokens, a fraction rounded up; 0 if it is not told.
func (f Fields) Tokens(name string) int {
	v, ok := f.figure(name)
	if !ok || v > maxTokens {
		return 0
	}
	return int(math.Ceil(v))
}

// Dollars is an amount that is not negative; false if it is not told.
func (f Fields) Dollars(name string) (v float64, told bool) { return f.figure(name) }

// figure reads a number, or a string that holds nothing else. What is negative is no figure.
func (f Fields) figure(name string) (v float64, ok bool) {
	raw := f[name]
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}
