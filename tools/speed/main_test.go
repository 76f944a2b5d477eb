package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
)

// gate runs failproof in a folder and returns its exit code.
func gate(t *testing.T, dir string, args ...string) int {
	t.Helper()
	var errs bytes.Buffer
	code := cli.Main(t.Context(), append(args, "--out", t.TempDir(), "--quiet"), cli.System{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{},
		Stderr: &errs, Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now})
	if errs.Len() > 0 {
		t.Errorf("failproof %s says %s", strings.Join(args, " "), errs.String())
	}
	return code
}

func TestTheInputsAreWhatTheyAreCalled(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{"assertions", "20", filepath.Join(dir, "assertions")}); err != nil {
		t.Fatal(err)
	}
	if code := gate(t, filepath.Join(dir, "assertions"), "run"); code != cli.ExitPassed {
		t.Errorf("the cases with assertions end in exit code %d", code)
	}
	if err := run([]string{"recorded", "1000", dir}); err != nil {
		t.Fatal(err)
	}
	head := filepath.Join(dir, "head")
	if code := gate(t, head, "run", "--base", "../base", "--scope", "all"); code != cli.ExitFailed {
		t.Errorf("the recorded answers, of which two are wrong, end in exit code %d", code)
	}
}

func TestTheLimitFindsWhatTheGateFinds(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{"recorded", "1000", dir}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := measureLimit([]string{filepath.Join(dir, "head"), filepath.Join(dir, "base")}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "\n1000 cases, 2 regressed\n") || strings.Count(out.String(), "\n") != 2001 {
		t.Errorf("the limit writes %d lines and ends in %q", strings.Count(out.String(), "\n"), out.String()[max(0, out.Len()-60):])
	}
}

func TestEqualArgumentsMakeEqualFiles(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if err := run([]string{"recorded", "50", dir}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"head/suites/all.jsonl", "head/recordings/suite-3.jsonl", "base/failproof.yml"} {
		one, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			t.Fatal(err)
		}
		if other, err := os.ReadFile(filepath.Join(b, name)); err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}
