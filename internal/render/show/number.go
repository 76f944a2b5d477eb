package show

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Absent is shown for a missing number.
const Absent = "–"

// barDigits is the largest number of digits of a percentage. More would show the rounding error of a multiplication.
const barDigits = 10

// Percent formats a score in [0, 1] as 87.4%, or 100% without decimals.
func Percent(v float64) string { return strings.Replace(percentDigits(v, 1), ".0%", "%", 1) }

func percentDigits(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Absent
	}
	return score.FormatDecimals(v*100, digits, 0, 100) + "%"
}

// PercentOr formats a score in [0, 1], or Absent.
func PercentOr(v *float64) string {
	if v == nil {
		return Absent
	}
	return Percent(*v)
}

// Threshold formats a threshold without needless digits: 90%, 87.5%.
func Threshold(v *float64) string {
	if v == nil {
		return Absent
	}
	text := strings.TrimSuffix(percentDigits(*v, barDigits), "%")
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + "%"
}

// PercentAgainst formats a score with enough digits to differ from each of the given thresholds that it misses.
func PercentAgainst(v *float64, needs ...*float64) string {
	if v == nil {
		return Absent
	}
	missed := Filter(needs, func(need *float64) bool { return need != nil && !(*v >= *need) })
	for digits := 1; digits < 9; digits++ {
		text := percentDigits(*v, digits)
		if !slices.ContainsFunc(missed, func(need *float64) bool { return text == percentDigits(*need, digits) }) {
			return strings.Replace(text, ".0%", "%", 1)
		}
	}
	return Percent(*v)
}

// NoBreakSpace is a space without a line break, for tables on a narrow screen.
const NoBreakSpace = "\u00a0"

// Points formats a difference of scores in percentage points with a sign: +0.4 points, −4.1 points, ±0.0 points.
func Points(d float64) string {
	text := score.FormatDecimals(math.Abs(d)*100, 1, 0, 100)
	switch {
	case strings.Trim(text, "0.") == "":
		return "±0.0" + NoBreakSpace + "points"
	case d < 0:
		return "−" + text + NoBreakSpace + "points"
	}
	return "+" + text + NoBreakSpace + "points"
}

// Count formats a number with its noun: 1 case, 1,200 cases.
func Count(n int, noun string) string { return WithCommas(n) + " " + Agree(n, noun, noun+"s") }

// Agree returns singular if n is 1, and plural otherwise.
func Agree(n int, singular, plural string) string {
	return If(n == 1, singular, plural)
}

// If returns whenTrue if condition is true, and whenFalse otherwise.
func If(condition bool, whenTrue, whenFalse string) string {
	if condition {
		return whenTrue
	}
	return whenFalse
}

// When returns text, or "" if really is false.
func When(really bool, text string) string { return If(really, text, "") }

// WithCommas formats a number with commas between its thousands.
func WithCommas(n int) string { return text.Grouped(n) }

// Decimals formats a number that is no share, or Absent.
func Decimals(v *float64) string {
	if v == nil {
		return Absent
	}
	return score.FormatScore(*v)
}

// Join joins the texts that are not empty.
func Join(glue string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), glue)
}

// Capital makes the first letter of our own text a capital.
func Capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + text[n:]
}

// Why returns a text with a colon and the reason, if there is one.
func Why(text, reason string) string {
	return text + When(reason != "", ": "+reason)
}

// Filter returns the elements that match accepts.
func Filter[T any](all []T, match func(T) bool) (out []T) {
	for _, one := range all {
		if match(one) {
			out = append(out, one)
		}
	}
	return out
}

// CountFunc counts the elements that match accepts.
func CountFunc[T any](all []T, match func(T) bool) (n int) {
	for _, one := range all {
		if match(one) {
			n++
		}
	}
	return n
}
