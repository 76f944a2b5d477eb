package document

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// lines formats diagnostics as the tests write them: place, rule and message.
func lines(ds []Diagnostic) []string {
	out := []string{}
	for _, d := range ds {
		mark := ""
		if d.Severity == Warning {
			mark = "warning "
		}
		out = append(out, fmt.Sprintf("%d:%d %s%s: %s", d.Line, d.Column, mark, d.Rule, d.Message))
	}
	return out
}

// matches checks that each diagnostic begins with the wanted text, and contains what follows "…" in it.
func matches(t *testing.T, ds []Diagnostic, want ...string) {
	t.Helper()
	got := lines(ds)
	if len(got) != len(want) {
		t.Fatalf("diagnostics:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	for i, pattern := range want {
		begin, part, _ := strings.Cut(pattern, "…")
		if !strings.HasPrefix(got[i], begin) || !strings.Contains(got[i][len(begin):], part) {
			t.Errorf("diagnostic %d:\n\t%s\nwant:\n\t%s", i+1, got[i], pattern)
		}
		wellFormed(t, ds[i])
	}
}

func wellFormed(t *testing.T, d Diagnostic) {
	t.Helper()
	if d.Path == "" || d.Rule == "" || d.Message == "" || len(d.Message) > 300 || !utf8.ValidString(d.Message) ||
		strings.ContainsFunc(d.Message, func(r rune) bool { return r < ' ' || 0x7F <= r && r < 0xA0 || r == '\u202e' }) {
		t.Errorf("diagnostic %+v is not one plain line", d)
	}
}

func TestBehindCountsLinesAndRunes(t *testing.T) {
	start := Position{Line: 3, Column: 5}
	cases := []struct {
		text string
		want Position
	}{
		{"", Position{Line: 3, Column: 5}},
		{"ab", Position{Line: 3, Column: 7}},
		{"äö", Position{Line: 3, Column: 7}},
		{"a\nb", Position{Line: 4, Column: 2}},
	}
	for _, c := range cases {
		if got := start.Behind(c.text); got != c.want {
			t.Errorf("Behind(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

func TestAFileWithAnErrorIsAnError(t *testing.T) {
	note := Diagnostic{Path: "a.yaml", Severity: Warning, Message: "odd"}
	if err := AsError([]Diagnostic{note}); err != nil {
		t.Errorf("a warning is the error %v", err)
	}
	wrong := Diagnostic{Path: "b.yaml", Line: 2, Column: 3, Severity: Error, Message: "wrong"}
	err := AsError([]Diagnostic{note, wrong})
	if faults, ok := errors.AsType[Faults](err); !ok || len(faults) != 2 || err.Error() != "b.yaml:2:3: wrong" {
		t.Errorf("the error is %v, with %v", err, faults)
	}
}
