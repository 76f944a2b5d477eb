package expect

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// CompileError says why an expectation cannot be compiled. It is a fault of the user's file.
type CompileError struct {
	Message string // what is wrong and what was expected, one line
	Offset  int    // in runes from the start of the source; 0 if no better place is known
}

func (e *CompileError) Error() string { return e.Message }

func faultf(offset int, format string, args ...any) *CompileError {
	return &CompileError{Message: fmt.Sprintf(format, args...), Offset: offset}
}

// patternFault explains an error of regexp.Compile with the place of what it names.
func patternFault(pattern string, err error) *CompileError {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return faultf(0, "invalid regular expression: %v", err)
	}
	what := string(se.Code)
	if se.Code == syntax.ErrInvalidPerlOp {
		what += " (RE2 has no look-around and no back references)"
	}
	at := max(0, strings.Index(pattern, se.Expr))
	if se.Code == syntax.ErrInvalidRepeatSize {
		at = max(0, strings.LastIndex(pattern, se.Expr)) // of repeats in repeats the outer one is too many
	}
	return faultf(utf8.RuneCountInString(pattern[:at]), "invalid regular expression: %s: %s", what, quoteCut(se.Expr))
}

func quoteCut(s string) string { return fmt.Sprintf("%q", cut(s, 60)) }

// shownRunes is how much of an answer or expectation is quoted.
const shownRunes = 300

func cut(s string, n int) string { return text.Cut(s, n) }
