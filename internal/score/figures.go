package score

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	figureDigits = 3  // of a score, a share or a bar in a sentence
	mostDigits   = 12 // that two figures are told apart by
)

// Figures writes a value that is held to a limit, and the limit. The limit is written as whoever set it wrote it, with three
// decimals at least; the value with as many as keep it on its own side of the limit, and from looking like a 0 or a 1 that it is
// not.
func Figures(value, limit float64) (v, l string) {
	l = strconv.FormatFloat(limit, 'f', -1, 64)
	if _, decimals, _ := strings.Cut(l, "."); len(decimals) < figureDigits {
		l = strconv.FormatFloat(limit, 'f', figureDigits, 64)
	}
	for digits := figureDigits; ; digits++ {
		v = Fixed(value, digits, 0, 1)
		shown, err := strconv.ParseFloat(v, 64)
		if digits >= mostDigits || err != nil || compare(shown, limit) == compare(value, limit) {
			return v, l
		}
	}
}

// Figure writes a value that is held to nothing.
func Figure(value float64) string { return Fixed(value, figureDigits, 0, 1) }

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Fixed writes a value with so many decimals, or with as many as it takes not to look like one of the ends that it is not.
func Fixed(value float64, digits int, ends ...float64) string {
	for ; ; digits++ {
		text := strconv.FormatFloat(value, 'f', digits, 64)
		if digits >= mostDigits || !looksLike(text, value, digits, ends) {
			return text
		}
	}
}

func looksLike(text string, value float64, digits int, ends []float64) bool {
	return slices.ContainsFunc(ends, func(end float64) bool {
		return math.Abs(value-end) > Tolerance && strings.TrimPrefix(text, "-") == strconv.FormatFloat(end, 'f', digits, 64)
	})
}
