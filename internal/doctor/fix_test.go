package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/config"
)

// Each remedy is applied by git, one after the other, and what it leaves has nothing more to find.
func TestFix(t *testing.T) {
	const step = "      - uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0\n"
	const job = "    runs-on: ubuntu-latest\n"
	const types = "  pull_request:\n    types: [opened, synchronize, reopened, edited]\n"
	for _, c := range []struct{ rule, old, replaced, want string }{
		{"a pipe", step, "      - run: failproof action | tee log\n", "      - shell: bash\n        run: failproof action | tee log\n"},
		{"a pipe in a block", step, "      - name: gate\n        run: |\n          make -v\n\n          failproof action | tee log\n", "      - name: gate\n        shell: bash\n        run: |\n"},
		{"|| true", step, "      - run: failproof action || true\n", "      - run: failproof action\n"},
		{"|| exit 1", step, "      - run: |\n          failproof action || exit 1\n          ls\n", "      - run: |\n          failproof action\n          ls\n"},
		{"set +e", step, "      - run: |\n          set +e\n          failproof action\n          ls\n", "      - run: |\n          failproof action\n          ls\n"},
		{"continue-on-error", step, step + "        continue-on-error: true\n", ""},
		{"continue-on-error first", step, "      - continue-on-error: true\n  " + strings.Replace(step, "- ", "  ", 1)[2:], ""},
		{"of the job", job, job + "    continue-on-error: true\n", ""},
		{"an if of several lines", job, job + "    if: >-\n      github.actor\n      != 'bot'\n", ""},
		{"needs", job, job + "    needs: [a, b]\n", ""},
		{"a filter", "  merge_group:\n", "    paths:\n      - 'a/**'\n      - 'b/**'\n  merge_group:\n", ""},
		{"types that are missing", types, "  pull_request:\n    types: [opened, labeled]\n", "    types: [opened, labeled, synchronize, reopened, edited]\n"},
		{"types in a list", types, "  pull_request:\n    types:\n      - opened\n      - synchronize\n      - reopened\n", ""},
		{"types in a list below their key", types, "  pull_request:\n    types:\n    - opened\n    - synchronize\n    - reopened\n", ""},
		{"no types beside other keys", types, "  pull_request:\n      branches: [main]\n", "  pull_request:\n      types: [opened, synchronize, reopened, edited]\n      branches: [main]\n"},
		{"needs before an empty line", job, "    needs: [a, b]\n\n" + job, "\n" + job},
		{"no types", types, "  pull_request:\n", ""},
		{"a list of events", "on:\n" + types + "  merge_group:\n", "on: [pull_request, merge_group]\n", "on:\n" + types + "  merge_group:\n"},
		{"the event with secrets", "pull_request:", "pull_request_target:", ""},
		{"a permission too many", "contents: read", "contents: read\n      id-token: write", ""},
		{"all permissions", "    permissions:\n      contents: read\n      pull-requests: write\n      checks: write\n", "    permissions: write-all\n", ""},
		{"a cache", step, "      - name: answers\n        uses: actions/cache@v4\n        with:\n          path: .failproof/cache\n          key: k\n" + step, ""},
		{"two at once", step, step + "        continue-on-error: true\n        if: false\n", ""},
		{"no new line at the end", step, strings.TrimSuffix(step, "\n") + "\n        if: false", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := soundSetup()
			text := strings.Replace(sound, c.old, c.replaced, 1)
			s.Files.(fstest.MapFS)[workflowFolder+"/gate.yml"] = &fstest.MapFile{Data: []byte(text)}
			patches, left := Fix(s)
			if len(patches) == 0 || len(left) > 0 {
				t.Fatalf("%d patches, left: %v", len(patches), left)
			}
			got := applied(t, text, patches, left)
			if last := patches[len(patches)-1].After; got != last {
				t.Errorf("git makes of it\n%s\nwant\n%s", got, last)
			}
			if c.want == "" {
				c.want = sound
			}
			if !strings.Contains(strings.TrimSpace(got), strings.TrimSpace(c.want)) && !strings.Contains(c.rule, "permissions") && !strings.Contains(c.rule, "labeled") {
				t.Errorf("it leaves\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestFixGivesTheStepItsKey(t *testing.T) {
	s := soundSetup()
	s.Config.Targets = map[string]config.Target{"fast": {Name: "fast", Provider: "openai", APIKeyEnv: "OPENAI_API_KEY"}}
	s.LiveTargets = []string{"fast"}
	patches, left := Fix(s)
	if len(patches) != 1 || len(left) > 0 {
		t.Fatalf("%d patches, left: %v", len(patches), left)
	}
	const env = "        env: { OPENAI_API_KEY: \"${{ secrets.OPENAI_API_KEY }}\" }\n"
	if got := applied(t, sound, patches, left); got != sound+env {
		t.Errorf("git makes of it\n%s", got)
	}
	if advice := patches[0].Finding.Advice; advice != "`"+strings.TrimSpace(env)+"` for the step" {
		t.Errorf("the advice is %s", advice)
	}
}

// applied returns what git makes of a workflow with all that is printed.
func applied(t *testing.T, text string, patches []Patch, left []Finding) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, filepath.FromSlash(workflowFolder), "gate.yml")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := PrintPatches(&printed, patches, left); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(printed.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, printed.String())
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A remedy that would leave another finding, or that would be a command of the runner, is no patch.
func TestWhatIsNotFixed(t *testing.T) {
	for _, step := range []string{"      - run: failproof action | tee log || true\n", "      - run: |\n          ##[error]x\n          failproof action || true\n"} {
		s := soundSetup()
		text := sound[:strings.Index(sound, "      - uses")] + step
		s.Files.(fstest.MapFS)[workflowFolder+"/gate.yml"] = &fstest.MapFile{Data: []byte(text)}
		if patches, left := Fix(s); len(patches) > 0 || len(left) == 0 {
			t.Errorf("%s: %d patches, %v", step, len(patches), left)
		}
	}
}
