package rendertest

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// RunnerLines splits as the worst reader might: at every character that ends a line for somebody.
func RunnerLines(text string) []string { return strings.FieldsFunc(text, show.IsBreak) }

// IsCommand models both parsers of the runner, pessimistically: characters that a culture's comparison may pass over are
// not there, and wide forms equal narrow ones.
func IsCommand(line string) bool {
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '：' || r == '﹕' || r == '︓':
			return ':'
		case r == '＃' || r == '﹟':
			return '#'
		case r == '［' || r == '﹇':
			return '['
		case unicode.In(r, unicode.Cf, unicode.M, unicode.Variation_Selector) || r == 0:
			return -1
		}
		return r
	}, line)
	line = strings.ReplaceAll(strings.ReplaceAll(line, "∷", "::"), "⩴", "::=")
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[")
}

// Tb is what tests, fuzzing and drawn tests share.
type Tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// CheckInert holds the bytes of a document to what a log and a reader may take.
func CheckInert(t Tb, document []byte) {
	t.Helper()
	if !utf8.Valid(document) || !bytes.HasSuffix(document, []byte("\n")) {
		t.Errorf("not UTF-8, or no line feed at the end")
	}
	for _, r := range string(document) {
		if text.Hidden(r) {
			t.Errorf("invisible character %U", r)
		}
	}
	for _, line := range RunnerLines(string(document)) {
		if IsCommand(line) {
			t.Errorf("the runner takes %q for a command", line)
		}
	}
}
