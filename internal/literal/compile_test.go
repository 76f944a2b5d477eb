package literal_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/literal"
)

func TestAPatternThatCannotBeSearchedIsAnError(t *testing.T) {
	for source, want := range map[string]string{
		"(":                       "invalid regular expression: missing closing )",
		"a*":                      "matches the empty text",
		strings.Repeat("a", 1025): "1025 bytes; at most 1024",
		"ab?":                     "",
	} {
		_, err := literal.Compile(source, source)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Compile(%.20q): %v, want %q", source, err, want)
		}
	}
}

func TestATextThatIsTooLongIsNotSearched(t *testing.T) {
	p, err := literal.Compile("ab", "(?i)ab")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("ab", literal.MaxSteps/4)
	for text, want := range map[string]int{"ABab": 2, "": 0, strings.Repeat("ab", 1500): 1000, long: 0} {
		if got := len(p.Matches(text)); got != want {
			t.Errorf("%d matches in a text of %d bytes, want %d", got, len(text), want)
		}
	}
	if !p.TooCostly(long) || p.Steps(long) != 0 || p.TooCostly("ab") || p.Steps("abab") != 2*p.Steps("ab") || p.Steps("ab") == 0 {
		t.Errorf("too costly: %v, %d steps; two bytes: %d steps", p.TooCostly(long), p.Steps(long), p.Steps("ab"))
	}
}

func TestPhrasesMayNameOthers(t *testing.T) {
	p := literal.Phrases{"a": "x|{b}", "b": "y"}
	for expression, want := range map[string]string{"{a}z": "(?:x|(?:y))z", "{c}": "{c}", "z{2}": "z{2}"} {
		if got := p.Expand(expression); got != want {
			t.Errorf("Expand(%q) = %q, want %q", expression, got, want)
		}
	}
}
