package acceptance_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the command as a command. Each script opens with the rule that it proves.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		Cmds:                commands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SOURCE_DATE_EPOCH", "1767600000")
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			return nil
		},
	})
}

// scripts returns the files of the scripts. But for those that start the binary they are copies, in which `exec
// failproof` is a command of the test (see start.run).
func scripts(t *testing.T) (files []string) {
	t.Helper()
	written, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(written) == 0 {
		t.Fatalf("testdata/script: %d scripts, %v", len(written), err)
	}
	dir := t.TempDir()
	for _, name := range written {
		if !isProcess(filepath.Base(name)) {
			text := calls.ReplaceAllString(read(t, name), "${1}failproof ")
			lays(t, dir, map[string]string{filepath.Base(name): text})
			name = filepath.Join(dir, filepath.Base(name))
		}
		files = append(files, name)
	}
	return files
}

var calls = regexp.MustCompile(`(?m)^(! |\? )?exec failproof `)

// failproofHere runs failproof in this process, with the script's folder and environment.
func failproofHere(ts *testscript.TestScript, neg bool, args []string) {
	code := start{dir: ts.MkAbs("."), stdout: ts.Stdout(), stderr: ts.Stderr()}.hereWith(context.Background(), ts.Getenv, args...)
	if neg == (code == 0) {
		ts.Fatalf("exit code %d", code)
	}
}
