package acceptance_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/internal/cli"
)

// runElsewhere runs what docs/ci.md shows of other systems: a job of GitLab, on a merge request that the gate blocks,
// or the hooks of this repository that pre-commit is told to run.
func runElsewhere(t *testing.T, shown map[string]any) {
	if repos, is := shown["repos"].([]any); is {
		for _, hook := range repos[0].(map[string]any)["hooks"].([]any) {
			runHook(t, hook.(map[string]any)["id"].(string))
		}
		return
	}
	job := shown[slices.Collect(maps.Keys(shown))[0]].(map[string]any)
	dir, _ := demo(t)
	if _, err := gitIn(dir, "update-ref", "refs/remotes/origin/main", "main"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".failproof")); err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name string
		exit int
	}{{"script", cli.ExitFailed}, {"after_script", cli.ExitPassed}} {
		for _, line := range job[part.name].([]any) {
			if code, out := inShell(t, dir, line.(string), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main"); code != part.exit {
				t.Errorf("%s: exit code %d, want %d\n%s", line, code, part.exit, out)
			}
		}
	}
	artifacts := job["artifacts"].(map[string]any)
	files := artifacts["paths"].([]any)
	for _, file := range artifacts["reports"].(map[string]any) {
		files = append(files, file)
	}
	for _, file := range files {
		if info, err := os.Stat(filepath.Join(dir, file.(string))); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, want a file that is kept", file, err)
		}
	}
}

// runHook runs a hook of .pre-commit-hooks.yaml, and holds its pattern to the files that it is for.
func runHook(t *testing.T, id string) {
	var hooks []struct {
		ID, Entry, Language, Files string
	}
	if err := yaml.Unmarshal([]byte(shipped(t, ".pre-commit-hooks.yaml")), &hooks); err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		if h.ID != id {
			continue
		}
		dir, _ := demo(t)
		if code, out := inShell(t, dir, h.Entry); code != cli.ExitPassed || h.Language != "golang" {
			t.Errorf("%s in %s: exit code %d\n%s", h.Entry, h.Language, code, out)
		}
		pattern := regexp.MustCompile(h.Files)
		for name, want := range map[string]bool{"failproof.yml": true, ".github/failproof.yml": true, "apps/shop/suites/a/b.yaml": true, "suites/cases.csv": true,
			"prompts/refund.md": true, "sum.prompt.yml": true, "main.go": false, "docs/prompts.md": false} {
			if pattern.MatchString(name) != want {
				t.Errorf("the hook runs for %s: %v, want %v", name, !want, want)
			}
		}
		return
	}
	t.Errorf("there is no hook %s", id)
}

// inShell runs a line of a script, with the program on the path.
func inShell(t *testing.T, dir, line string, env ...string) (code int, out string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.Symlink(binary, filepath.Join(bin, "failproof")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", line)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}, env...)
	said, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), strings.TrimSpace(string(said))
}
