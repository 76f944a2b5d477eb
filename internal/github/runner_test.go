package github_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	failproof "github.com/failproof/failproof/internal/github"
)

// runnerFiles is a runner whose files are in a folder.
func runnerFiles(t *testing.T, more map[string]string) (*failproof.Runner, *strings.Builder, string) {
	dir := t.TempDir()
	values := map[string]string{"GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary")}
	for name, value := range more {
		values[name] = value
	}
	log := &strings.Builder{}
	return failproof.NewRunner(env(values), log), log, dir
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// parseOutputs reads the file of outputs as the runner does: NAME=VALUE, or NAME<<DELIMITER to the delimiter's line.
func parseOutputs(text string) map[string]string {
	out := map[string]string{}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		name, delimiter, heredoc := strings.Cut(lines[i], "<<")
		if plain, value, is := strings.Cut(lines[i], "="); is && (!heredoc || len(plain) < len(name)) {
			out[plain] = value
			continue
		}
		if !heredoc {
			continue
		}
		var value []string
		for i++; i < len(lines) && lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

func TestOutputs(t *testing.T) {
	for _, c := range []struct {
		name, value string
		ok          bool
	}{
		{"verdict", "passed", true}, {"verdict", "undecided", true}, {"verdict", "neutral", false}, {"verdict", "passed\nverdict=failed", false},
		{"run-score", "0.874", true}, {"run-score", "1", true}, {"run-score", "", true}, {"run-score", "NaN", false}, {"run-score", "1e-3", false}, {"run-score", "0x1", false},
		{"delta", "-0.041", true}, {"delta", "+0.041", true}, {"delta", "-0.00000000000000011102230246251565", true}, {"delta", "-", false},
		{"regressions", "12", true}, {"regressions", "-1", false}, {"regressions", "1.5", false}, {"regressions", "1234567890", false}, {"delta", "1234567890", false},
		{"report", ".failproof/out/report.json", true}, {"report", "my out/größe/report.json", true}, {"report", "a\nverdict=passed", false}, {"report", "a\rb", false},
		{"report", "_GitHubActionsFileCommandDelimeter_", false}, {"report", "a<<b", true}, {"report", "a\u2028b", false}, {"report", "a\xff", false}, {"report", strings.Repeat("a", 5000), false},
		{"comment-url", "https://github.com/octo/prompts/pull/7#issuecomment-1", true}, {"comment-url", "javascript:alert(1)", false}, {"comment-url", "https://a b/", false}, {"comment-url", "https://a/`id`", false},
		{"comment-url", "https://x\n::error::", false}, {"comment-url", "", true}, {"comment-url", "https://user:pass@host/", false},
		{"passed", "true", false}, {"", "x", false}, {"verdict<<x", "passed", false},
	} {
		t.Run(fmt.Sprintf("%s=%.40q", c.name, c.value), func(t *testing.T) {
			r, log, dir := runnerFiles(t, nil)
			err := r.SetOutput(c.name, c.value)
			want := map[string]string{}
			if c.ok {
				want[c.name] = c.value
			}
			if diff := cmp.Diff(want, parseOutputs(read(t, dir, "output"))); diff != "" || (err == nil) != c.ok {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
			if log.Len() > 0 {
				t.Errorf("log %q", log)
			}
		})
	}
}

func FuzzSetOutput(f *testing.F) {
	for _, value := range []string{"passed", "0.5", "a\nb", "x<<y", "https://github.com/", "_GitHubActionsFileCommandDelimeter_"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, name := range failproof.OutputNames() {
			r, _, dir := runnerFiles(t, nil)
			want := map[string]string{}
			if r.SetOutput(name, value) == nil {
				want[name] = value
			}
			if diff := cmp.Diff(want, parseOutputs(read(t, dir, "output"))); diff != "" {
				t.Errorf("%s=%q (-want +got):\n%s", name, value, diff)
			}
		}
	})
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ rule, path, want string }{
		{"not set", "", "is not set"},
		{"a folder", dir, "directory"},
		{"in no folder", filepath.Join(dir, "absent", "file"), "no such file"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r, _, _ := runnerFiles(t, map[string]string{"GITHUB_OUTPUT": c.path, "GITHUB_STEP_SUMMARY": c.path})
			for _, err := range []error{r.SetOutput("verdict", "passed"), r.Summary("# x")} {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want one with %q", err, c.want)
				}
			}
		})
	}
}

type brokenLog struct{}

func (brokenLog) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestALogThatIsClosedIsAnError(t *testing.T) {
	r := failproof.NewRunner(env(nil), brokenLog{})
	for _, err := range []error{r.Mask("secret"), r.Warn("x"), r.Annotate(annotations(1))} {
		if err == nil {
			t.Error("no error")
		}
	}
}

func TestInputsKeepTheirHyphens(t *testing.T) {
	r, _, _ := runnerFiles(t, map[string]string{"INPUT_MIN-RUN-SCORE": " 0.9 ", "INPUT_MIN_RUN_SCORE": "0.1"})
	if got := r.Input("min-run-score"); got != "0.9" {
		t.Errorf("got %q", got)
	}
	if got := r.Input("scope"); got != "" {
		t.Errorf("an input that is not set is %q", got)
	}
}

func TestSummaryIsCutBeforeTheRunnerDropsIt(t *testing.T) {
	r, _, dir := runnerFiles(t, nil)
	if err := r.Summary("# Verdict\n" + strings.Repeat("🙂🙂🙂\n", 200_000)); err != nil {
		t.Fatal(err)
	}
	got := read(t, dir, "summary")
	if len(got) > failproof.MaxStepSummary+1 || len(got) < failproof.MaxStepSummary-100 || !strings.HasPrefix(got, "# Verdict\n") || !strings.Contains(got, "did not fit") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes, ends %q", len(got), got[len(got)-80:])
	}
}

func TestMask(t *testing.T) {
	for _, c := range []struct{ secret, want string }{
		{"ghs_token", "::add-mask::ghs_token\n"},
		{"", ""},
		{"  \n", ""},
		{"abc", ""},
		{"first line\nsecond line\n", "::add-mask::first line\n::add-mask::second line\n"},
		{"50%\rx", "::add-mask::50%25%0Dx\n"},
	} {
		r, log, _ := runnerFiles(t, nil)
		if err := r.Mask(c.secret); err != nil || log.String() != c.want {
			t.Errorf("%q: %q, error %v; want %q", c.secret, log, err, c.want)
		}
	}
}

func TestAnnotate(t *testing.T) {
	r, log, _ := runnerFiles(t, nil)
	all := append(annotations(12), failproof.Annotation{Path: "a,b:c\x1b[2J.yaml", Level: "warning", Title: "t::x", Message: "two\nlines 100%"},
		failproof.Annotation{Level: "notice", Message: strings.Repeat("日", 5000)})
	if err := r.Annotate(all); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
	if len(lines) != 12 {
		t.Fatalf("%d lines, want 10 failures, a warning and a notice:\n%s", len(lines), log)
	}
	for i, want := range map[int]string{
		0:  "::error file=suites/a.yaml,line=1,title=regressed::case 0",
		9:  "::error file=suites/a.yaml,line=10,title=regressed::case 9 (and 2 more)",
		10: "::warning file=a%2Cb%3Ac\\u{1b}[2J.yaml,line=1,title=t%3A%3Ax::two%0Alines 100%25",
	} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
	if n := len(strings.TrimPrefix(lines[11], "::notice::")); n > 4096 || n < 4000 {
		t.Errorf("the notice has %d bytes", n)
	}
}

func TestWarnIsOneLine(t *testing.T) {
	r, log, _ := runnerFiles(t, nil)
	if err := r.Warn("a\n::error::b\r##[error]c"); err != nil || strings.Count(log.String(), "\n") != 1 || !strings.HasPrefix(log.String(), "::warning::a ::error::b") {
		t.Errorf("%q, error %v", log, err)
	}
}

func TestATokenIsRedacted(t *testing.T) {
	r, log, _ := runnerFiles(t, map[string]string{"INPUT_TOKEN": "ghs_0123456789abcdef"})
	if err := r.Warn("Bad credentials: ghs_0123456789abcdef"); err != nil || strings.Contains(log.String(), "0123456789") {
		t.Errorf("%q, error %v", log, err)
	}
	if got := r.Redacted(os.ErrExist); got != os.ErrExist.Error() {
		t.Errorf("got %q", got)
	}
}
