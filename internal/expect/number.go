package expect

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/answer"
)

// relativeTolerance is the rounding error that equal numbers may have, as a share of the larger one. Whole numbers must
// have equal digits, because they may be an account or a telephone number.
const relativeTolerance = 1e-9

// plainNumber matches an expected text that mode auto compares as a number. One with leading zeros is a text.
var plainNumber = regexp.MustCompile(`^[-+]?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?%?$`)

func newNumberCheck(text string) (checkFunc, error) {
	want, count := lastNumber(text)
	if count != 1 {
		return nil, faultf(0, "match number needs one number as expected_response, found %d in %s", count,
			quoteTruncated(text))
	}
	return func(a *Answer) string {
		got, count := lastUncitedNumber(answer.RemoveHidden(a.Text))
		switch {
		case count == 0:
			return "no number found"
		case equalNumbers(want, got):
			return ""
		}
		return "the last number is " + truncate(got, 60)
	}, nil
}

// equalNumbers compares two decimal literals by value, within the tolerance unless both are whole numbers.
func equalNumbers(a, b string) bool {
	if sameNumber(a, b) {
		return true
	}
	if !strings.ContainsAny(a+b, ".eE") {
		return false
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return false // out of range, and not the same digits
	}
	return math.Abs(x-y) <= relativeTolerance*max(math.Abs(x), math.Abs(y))
}

// sameNumber reports whether two decimal literals have exactly the same value. Large exponents cost nothing.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := parseDecimal(a)
	y, okY := parseDecimal(b)
	return okX && okY && x == y
}

// decimal is ± 0.digits × 10^exponent. digits neither begins nor ends with a zero, and is empty for 0.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// parseDecimal reads a literal such as -12.50e3; false if its exponent is out of range.
func parseDecimal(s string) (decimal, bool) {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	s = strings.TrimPrefix(s, "+")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 32)
		if err != nil {
			return decimal{}, strings.Trim(s[:i], "0.") == "" // 0 with any exponent
		}
		d.exponent, s = e, s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.exponent += int64(len(whole)) - int64(len(whole)+len(fraction)-len(digits))
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

// lastUncitedNumber is like lastNumber, but ignores citations unless the text has no other number.
func lastUncitedNumber(text string) (literal string, count int) {
	if bare := withoutCitations(text); bare != text {
		if literal, count = lastNumber(bare); count > 0 {
			return literal, count
		}
	}
	return lastNumber(text)
}

// citations matches numbers in square brackets after other text: "30 days [2].", "[1, 3]", "[^2]". Numbers after "=" or
// after a word of valueLead, as in "is [2]", are no citations.
var (
	citations = regexp.MustCompile(`([\pL\pN.,;!?)\]%"'”’*_\x60])([ \t]*)((?:\[\^?\d{1,3}(?:[ ]?[,;–-][ ]?\^?\d{1,3})*\][ \t]*)+)`)
	valueLead = regexp.MustCompile(`(?i)\b(?:is|are|was|were|be|equals|gives|makes|answer|result|total|number|value|option|choice)\W{0,3}$`)
)

// withoutCitations returns a text without citations. JSON is returned as it is.
func withoutCitations(text string) string {
	if begin := strings.TrimSpace(text); strings.IndexByte(text, '[') < 0 || strings.HasPrefix(begin, "[") ||
		strings.HasPrefix(begin, "{") {
		return text
	}
	var b strings.Builder
	from := 0
	for _, at := range citations.FindAllStringSubmatchIndex(text, -1) {
		if valueLead.MatchString(text[max(0, at[3]-maxLeadBytes):at[3]]) {
			continue
		}
		b.WriteString(text[from:at[6]])
		b.WriteByte(' ')
		from = at[7]
	}
	return b.String() + text[from:]
}

// maxLeadBytes is the number of bytes before brackets that are searched for a word of valueLead.
const maxLeadBytes = 16

// lastNumber returns the last number of a text as a decimal literal, and the count of numbers. Commas may separate
// thousands, and a percent sign is ignored. Digits after an ASCII letter (H2O, v2) are no number.
func lastNumber(text string) (literal string, count int) {
	for i := 0; i < len(text); {
		if !isDigit(text[i]) && !startsWithPoint(text, i) {
			i++
			continue
		}
		end, digits := scanNumber(text, i)
		if i == 0 || !isLetter(text[i-1]) && text[i-1] != '_' {
			literal = signBefore(text[:i]) + digits
			count++
		}
		i = end
	}
	return literal, count
}

// startsWithPoint reports whether a number such as .5 begins at i.
func startsWithPoint(s string, i int) bool {
	return s[i] == '.' && i+1 < len(s) && isDigit(s[i+1]) && (i == 0 || !isDigit(s[i-1]) && !isLetter(s[i-1]))
}

// These match the parts of an unsigned number. The last group of wholePart may have more than three digits in the text.
var (
	wholePart    = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})+|\d*)`)
	fractionPart = regexp.MustCompile(`^\.\d+`)
	exponentPart = regexp.MustCompile(`^[eE][-+]?\d+`)
)

// scanNumber reads the unsigned number that begins at start and returns its end and its digits without separators.
func scanNumber(s string, start int) (end int, literal string) {
	if end = start + len(wholePart.FindString(s[start:])); end < len(s) && isDigit(s[end]) {
		end -= len(",000")
	}
	end += len(fractionPart.FindString(s[end:]))
	exponent := exponentPart.FindString(s[end:])
	if behind := s[end+len(exponent):]; behind == "" || !isLetter(behind[0]) {
		end += len(exponent)
	}
	return end, strings.ReplaceAll(s[start:end], ",", "")
}

// signBefore returns "-" if the text before a number ends in a minus sign and an optional currency sign. A hyphen
// between words or numbers (GPT-4, 10-20) is no minus sign.
func signBefore(before string) string {
	before = strings.TrimRight(before, "$€£¥")
	rest := strings.TrimSuffix(strings.TrimSuffix(before, "-"), "−")
	if rest == before {
		return ""
	}
	r, _ := utf8.DecodeLastRuneInString(rest)
	if rest != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".)]%-", r)) {
		return ""
	}
	return "-"
}
