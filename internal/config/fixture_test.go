package config

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/document"
)

// load reads text as the configuration of a tree that holds nothing else.
func load(text string) (*Config, []document.Diagnostic) {
	return Load(fstest.MapFS{Paths[1]: {Data: []byte(text)}}, Paths[1])
}

func lines(ds []document.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		mark := ""
		if d.Severity == document.Warning {
			mark = "warning "
		}
		out = append(out, fmt.Sprintf("%d:%d %s%s: %s", d.Line, d.Column, mark, d.Rule, d.Message))
	}
	return out
}

// matches compares diagnostics with what each begins with, then, behind "…", what it holds.
func matches(t *testing.T, ds []document.Diagnostic, want ...string) {
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
	}
}

var same = cmp.Options{
	cmpopts.IgnoreFields(Config{}, "SuitePositions"),
	cmpopts.IgnoreUnexported(Config{}),
	cmp.Comparer(func(a, b *regexp.Regexp) bool { return a.String() == b.String() }),
}

func at(v float64) *float64 { return &v }
