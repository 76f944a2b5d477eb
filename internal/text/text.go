// Package text writes figures into sentences, and shortens texts.
package text

import (
	"fmt"
	"strconv"
	"strings"
)

// Count is a number with its noun, which takes an s: "1 case", "2 cases".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Dollars writes an amount of US dollars with two decimals, a small one with as many as show it.
func Dollars(v float64) string {
	if v > 0 && v < 0.01 {
		return strconv.FormatFloat(v, 'g', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// List joins words as a sentence has them, the last by a conjunction: a, b or c.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
