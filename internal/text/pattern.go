package text

import (
	"regexp/syntax"
	"strings"
)

// PatternFault returns what is wrong with a regular expression, in words. It names the constructions of other dialects
// that RE2 lacks.
func PatternFault(err *syntax.Error) string {
	behind := strings.HasPrefix(err.Expr, "(?<=") || strings.HasPrefix(err.Expr, "(?<!")
	if err.Code == syntax.ErrInvalidPerlOp || err.Code == syntax.ErrInvalidNamedCapture && behind {
		return "invalid or unsupported Perl syntax (RE2 has no look-around and no back references)"
	}
	return err.Code.String()
}
