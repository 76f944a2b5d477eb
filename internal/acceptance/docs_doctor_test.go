package acceptance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// openByDesign are the rules of what is open in a workflow for a reason that its page gives.
var openByDesign = map[string][]string{
	"docs/reference/results.md, example 3": {"other-events"}, // the pushes to main make the base's results
}

// TestNoWorkflowOfTheDocumentationIsOpen: doctor finds nothing open in what a page shows of a workflow. A fragment is
// read in the workflow of docs/action.md, beside which it stands. FAILPROOF_ZIZMOR names a zizmor, which then finds
// nothing either.
func TestNoWorkflowOfTheDocumentationIsOpen(t *testing.T) {
	t.Parallel()
	whole := blocks(shipped(t, "docs/action.md"), "yaml")[0]
	head, step, is := strings.Cut(whole, "    steps:\n")
	event, _, _ := strings.Cut(whole, "jobs:\n")
	if !is {
		t.Fatal("docs/action.md does not open with a workflow")
	}
	looked, all := 0, map[string]string{}
	for path, page := range pages(t) {
		for i, block := range blocks(page, "yaml") {
			var shown any
			if err := yaml.Unmarshal([]byte(block), &shown); err != nil {
				t.Fatal(err)
			}
			top, isMap := shown.(map[string]any)
			switch {
			case isMap && top["jobs"] == nil && top["steps"] == nil:
				continue
			case isMap && top["jobs"] == nil:
				block = head + block
			case !isMap:
				block = head + "    steps:\n" + block
			case strings.HasPrefix(block, "jobs:\n"):
				block = event + block
			}
			if !strings.Contains(block, "failproof/failproof") && !strings.Contains(block, "failproof action") {
				block += step
			}
			looked++
			all[fmt.Sprintf(".github/workflows/%s-%d.yml", strings.ReplaceAll(path, "/", "-"), i+1)] = block
			name := fmt.Sprintf("%s, example %d", path, i+1)
			if got := openIn(t, whole, block); !slices.Equal(got, openByDesign[name]) {
				t.Errorf("%s: %s is open, want %s", name, got, openByDesign[name])
			}
		}
	}
	if looked < 12 {
		t.Errorf("only %d workflows were looked at", looked)
	}
	if zizmor := os.Getenv("FAILPROOF_ZIZMOR"); zizmor != "" {
		dir := t.TempDir()
		lays(t, dir, all)
		if out, err := exec.Command(zizmor, "--offline", "--strict-collection", dir).CombinedOutput(); err != nil {
			t.Errorf("zizmor: %v\n%s", err, out)
		}
	}
}

// openIn returns the rules of what is open in a workflow, or in what calls no file its own, beside one that judges the
// root.
func openIn(t *testing.T, sound, workflow string) (rules []string) {
	t.Helper()
	dir := t.TempDir()
	sound = strings.NewReplacer("gate:\n", "beside:\n", "prompt gate", "gate beside").Replace(sound) + "        with: { name: beside }\n"
	lays(t, dir, map[string]string{".github/workflows/beside.yml": sound, ".github/workflows/shown.yml": workflow, ".github/CODEOWNERS": "* @acme/owners\n",
		"failproof.yml": "version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: echo\ntargets: { echo: { provider: echo } }\n",
		"suites/s.yaml": "version: 1\nmessages: [{ role: user, content: Hi }]\ncases: [{ id: c, expected_response: Hello }]\n"})
	_, out, errs := command(t, dir, "doctor", "--offline", "--json")
	var found struct {
		Findings []struct {
			Open       bool
			Rule, Path string
		}
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	for _, f := range found.Findings {
		if f.Open && (f.Path == ".github/workflows/shown.yml" || f.Path == "") {
			rules = append(rules, f.Rule)
		} else if f.Open {
			t.Errorf("beside it: %s", fmt.Sprint(f))
		}
	}
	return rules
}
