package rendertest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// fragments are what is dangerous in pieces: drawn one after the other they make what no list would hold.
var fragments = append([]string{"a", " ", "\n", "\r", "\t", "@", "#", "1", "GH-1", "`", "``", "|", "\\", "[", "]", "(", ")", "<", ">", "!", "*", "_", "~",
	"~~~", "```", ":", "::", "##[", "&", ";", "$", "www.", "http://", "</details>", "<!--", "-->", "\u200b", "\u202e", "\ufe0f", "\u0301", "\xff", "\x1b[0m",
	"1. ", "- ", "# ", "=", "---", "deadbeef", "word", "0.5", "”", "é", "漢", "\U0001f389"}, HostileTexts...)

func HostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, "fragments"), "")
	})
}

// HostileRuns tries f on reports whose foreign texts, verdict and base are drawn.
func HostileRuns(t *testing.T, f func(t *rapid.T, r *report.Report)) {
	t.Helper()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = checks.Value.Set(strconv.Itoa(fulltest.Of(25, 100))) // a number it takes
		defer checks.Value.Set(checks.DefValue)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := HostileRun(rapid.SliceOfN(HostileText(), 2, 9).Draw(t, "texts")...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		r.Run.BaseState = rapid.SampledFrom(report.BaseStates[:]).Draw(t, "base")
		f(t, r)
	})
}

// OwnLink is what a link of ours looks like in the outputs of States.
var OwnLink = regexp.MustCompile(`^https://github\.com/acme/prompts/(?:blob/(?:` + HeadSHA + `|` + BaseSHA + `)/(?:[A-Za-z0-9._-]|%[0-9A-F]{2}|/)+(?:\?plain=1)?(?:#L[0-9]+)?` +
	`|commit/[0-9a-f]{40}|actions/runs/[0-9]+)$`)

// RunnerLines splits as the worst reader might: at every character that ends a line for somebody.
func RunnerLines(text string) []string { return strings.FieldsFunc(text, show.IsBreak) }

// IsCommand models both parsers of the runner, pessimistically: characters that a culture's comparison may pass over are
// not there, and wide forms equal narrow ones.
func IsCommand(line string) bool {
	line = narrow.Replace(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.M, unicode.Variation_Selector) || r == 0 {
			return -1
		}
		return r
	}, line))
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[")
}

var narrow = strings.NewReplacer("：", ":", "﹕", ":", "︓", ":", "＃", "#", "﹟", "#", "［", "[", "﹇", "[", "∷", "::", "⩴", "::=")

// Tb is what tests, fuzzing and drawn tests share.
type Tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

var update = flag.Bool("update", false, "write the golden files")

func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); -update writes it:\n%s", path, diff)
	}
}
