package show_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

func TestTheModelKnowsACommand(t *testing.T) {
	for _, line := range []string{"::error::x", " \u00a0::x::", "x ##[error]y", "\u200b::x", "#\u200d#[x]", "：:x::"} {
		if !rendertest.IsCommand(line) {
			t.Errorf("isCommand(%q) = false", line)
		}
	}
	for _, line := range []string{"", "a::b", "# [x]", "#[x]", "| ::x::"} {
		if rendertest.IsCommand(line) {
			t.Errorf("isCommand(%q) = true", line)
		}
	}
}

func TestLog(t *testing.T) {
	cases := []struct{ rule, text, want string }{
		{"plain text stays", "gate: 2 of 3 [rule] a::b # x", "gate: 2 of 3 [rule] a::b # x"},
		{"a line that begins with a command gets a bar", "  ::error::x", "  | ::error::x"},
		{"an old command anywhere loses its bracket", "x ##[error]boo", `x ##\x5berror]boo`},
		{"a line feed is shown", "a\nb\r\nc", "a ↵ b ↵ c"},
		{"a bare CR begins no line", "a\r::add-mask::x", "a ↵ ::add-mask::x"},
		{"a zero-width space hides nothing", "\u200b::x", `\u{200b}::x`},
		{"a no-break space hides nothing", "\u00a0::x", "\u00a0| ::x"},
		{"a variation selector hides nothing", "#\ufe0f#\ufe0f[x", `#\u{fe0f}#\u{fe0f}[x`},
		{"an escape sequence is shown", "\x1b[31mred", `\u{1b}[31mred`},
		{"what is no UTF-8 is shown", "a\xff", `a\x{ff}`},
		{"a tab is a space", "a\tb", "a b"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := show.LogLine(c.text); got != c.want {
				t.Errorf("Log(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestLogWriter(t *testing.T) {
	cases := []struct {
		rule   string
		writes []string
		want   string
	}{
		{"ordinary lines stay", []string{"one\ntwo [x] a::b\n"}, "one\ntwo [x] a::b\n"},
		{"a command cut between writes is none", []string{" :", ":error::x\n#", "#", "[x]\n"}, " | ::error::x\n##\\x5bx]\n"},
		{"a bare CR ends the line", []string{"a\r::x\n"}, "a\n| ::x\n"},
		{"CR LF is one end of line, also when cut", []string{"a\r", "\nb\n"}, "a\nb\n"},
		{"line separators end the line", []string{"a\u2028::x\v::y\f::z\u0085::w\n"}, "a\n| ::x\n| ::y\n| ::z\n| ::w\n"},
		{"a rune cut between writes is whole", []string{"\xe6\xbc", "\xa2\n"}, "漢\n"},
		{"what is no UTF-8 is shown", []string{"\xffx\n"}, "\\x{ff}x\n"},
		{"controls are shown", []string{"\x1b[1m\u202e\n"}, "\\u{1b}[1m\\u{202e}\n"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := logged(t, c.writes...); got != c.want {
				t.Errorf("LogWriter of %q wrote %q, want %q", c.writes, got, c.want)
			}
		})
	}
}

func logged(t *testing.T, writes ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := show.LogWriter(&b)
	for _, text := range writes {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", text, n, err)
		}
	}
	return b.String()
}

func TestDiagnostic(t *testing.T) {
	cases := []struct {
		rule string
		d    document.Diagnostic
		want string
	}{
		{"a fault with a place", document.Diagnostic{Path: "a.yaml", Line: 4, Column: 7, Rule: "one-of", Message: "wrong"}, "a.yaml:4:7: wrong [one-of]"},
		{"a fault of a whole file", document.Diagnostic{Path: "a.yaml", Rule: "empty", Message: "wrong"}, "a.yaml: wrong [empty]"},
		{"a fault without a file", document.Diagnostic{Rule: "no-suites", Message: "wrong"}, "wrong [no-suites]"},
		{"a warning", document.Diagnostic{Path: "a.yaml", Line: 4, Column: 7, Severity: document.Warning, Rule: "one-of", Message: "odd"}, "a.yaml:4:7: warning: odd [one-of]"},
		{"a path that is a command", document.Diagnostic{Path: "::error::a\n.yaml", Line: 1, Column: 1, Message: "##[x]"}, `| ::error::a ↵ .yaml:1:1: ##\x5bx]`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := show.Diagnostic(c.d); got != c.want {
				t.Errorf("Diagnostic(%+v) = %q, want %q", c.d, got, c.want)
			}
		})
	}
}

func FuzzLog(f *testing.F) {
	for i, text := range rendertest.HostileTexts {
		f.Add(text, i)
	}
	f.Fuzz(func(t *testing.T, written string, cut int) {
		line := show.LogLine(written)
		if strings.IndexFunc(line, show.IsBreak) >= 0 || !utf8.ValidString(line) || rendertest.IsCommand(line) {
			t.Errorf("Log(%q) = %q", written, line)
		}
		whole := logged(t, written)
		for _, line := range rendertest.RunnerLines(whole) {
			if rendertest.IsCommand(line) {
				t.Errorf("LogWriter of %q wrote the command %q", written, line)
			}
		}
		cut = min(max(cut, 0), len(written))
		if parts := logged(t, written[:cut], written[cut:]); parts != whole {
			t.Errorf("LogWriter of %q, cut at %d, wrote %q, want %q", written, cut, parts, whole)
		}
		if again := logged(t, whole); text.IsPlainASCII(written) && again != whole {
			t.Errorf("LogWriter changes its own output %q to %q", whole, again)
		}
	})
}
