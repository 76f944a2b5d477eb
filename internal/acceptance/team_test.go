package acceptance_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// TestRecordingsOfOtherCasesMerge records neighboring cases on two branches of one commit. Only what changed is asked,
// and git merges both, whether each suite has a file of recordings or all share one.
func TestRecordingsOfOtherCasesMerge(t *testing.T) {
	for _, path := range []string{"recordings/{suite}.jsonl", "recordings/all.jsonl"} {
		t.Run(path, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "yes" }))
			dir := t.TempDir()
			suite := func(first, second string) string {
				const one = "  - id: %s\n    vars:\n      shop: %s\n    expected_response: \"yes\"\n    match: contains\n"
				return "version: 1\nprompt: ../p.md\ncases:\n" + fmt.Sprintf(one+one, "a", first, "b", second)
			}
			lays(t, dir, map[string]string{
				"failproof.yml": fmt.Sprintf("version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: replay\ntargets:\n"+
					"  replay: { provider: recorded, path: %q }\n  fast: { provider: openai, model: m, base_url: %q, api_key_env: KEY }\n", path, server.URL),
				"suites/one.yaml": suite("bakery", "butcher"), "suites/two.yaml": suite("bank", "bar"),
				"p.md": "Is {{shop}} open?\n", ".gitignore": ".failproof\n",
			})
			git := func(args ...string) {
				t.Helper()
				as := []string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}
				if out, err := gitIn(dir, append(as, args...)...); err != nil {
					t.Fatal(out, err)
				}
			}
			asked := 0
			records := func(want int) {
				t.Helper()
				passes(t, dir, "record", "--yes")
				if got := len(server.Requests()) - asked; got != want {
					t.Fatalf("%d answers were asked for, want %d", got, want)
				}
				asked += want
				git("add", "--all")
				git("commit", "--quiet", "--message", "record")
			}
			git("init", "--quiet", "--template=", "--initial-branch=main", ".")
			records(4)
			git("checkout", "--quiet", "-b", "other")
			lays(t, dir, map[string]string{"suites/one.yaml": suite("bakery", "brewery")})
			records(1)
			git("checkout", "--quiet", "-b", "change", "main")
			lays(t, dir, map[string]string{"suites/one.yaml": suite("cafe", "butcher"), "suites/two.yaml": suite("cinema", "bar")})
			records(2)
			git("merge", "--quiet", "--no-edit", "other")
			passes(t, dir, "validate")
			passes(t, dir, "run")
			passes(t, dir, "run", "--base")
			passes(t, dir, "record", "--yes")
			if n := len(server.Requests()) - asked; n > 0 {
				t.Errorf("%d answers were asked for after the merge, want none", n)
			}
		})
	}
}

// passes runs a command that passes.
func passes(t *testing.T, dir string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	if code := (start{dir: dir, env: []string{"KEY=k"}, stdout: &out, stderr: &out}).here(t.Context(), args...); code != cli.ExitPassed {
		t.Fatalf("failproof %s exits %d:\n%s", args, code, out.String())
	}
}
