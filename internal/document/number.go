package document

import (
	"regexp"
	"strings"
)

const numberMessage = "%s is not a plain number; write digits such as 10, 0.85 or 1000, " +
	"without sign, exponent or leading zero, or put it in quotes if it is text"

// Decimal is the one form of number that means the same everywhere, in files and on the command line alike.
var Decimal = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// otherNumber is what YAML 1.1, YAML 1.2, JSON or Go's YAML packages read as a number: signs, octal, hexadecimal and
// binary digits, `_` between digits, exponents, base 60 and what is no number at all.
var otherNumber = regexp.MustCompile(`^[-+]?(` +
	`0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|` +
	`[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|` +
	`([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?|` +
	`\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$`)

func plainNumber(text string) bool {
	return beginsNumber(text) && len(text) <= maxDigits && Decimal.MatchString(text)
}

func someNumber(text string) bool { return beginsNumber(text) && otherNumber.MatchString(text) }

// beginsNumber tells most texts from numbers without an expression.
func beginsNumber(text string) bool {
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}
