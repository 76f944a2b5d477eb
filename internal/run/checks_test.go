package run

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// neededElsewhere are checks that a command uses too, so that their removal takes the command with it.
var neededElsewhere = map[string]bool{"cause": true} // by `failproof explain`

// A check is left out by deleting its package and its line in the list: the rest of the program compiles without it.
func TestACheckIsDeletedWithItsPackageAndItsLine(t *testing.T) {
	source, err := os.ReadFile("checks.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t(\w+)\.New,$`).FindAllSubmatch(source, -1)
	if len(names) != len(list) {
		t.Fatalf("found %d checks in the source, and the list has %d", len(names), len(list))
	}
	for _, m := range names {
		name := string(m[1])
		if neededElsewhere[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, err := buildWithout(t, name, source); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// buildWithout compiles the program with an overlay in which a check is deleted.
func buildWithout(t *testing.T, name string, source []byte) ([]byte, error) {
	var kept [][]byte
	for line := range bytes.Lines(source) {
		if !bytes.Contains(line, []byte("checks/"+name+`"`)) && !bytes.Contains(line, []byte("\t"+name+".New")) {
			kept = append(kept, line)
		}
	}
	without := filepath.Join(t.TempDir(), "checks.go")
	if err := os.WriteFile(without, bytes.Join(kept, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	replaced := map[string]string{filepath.Join(here, "checks.go"): without}
	deleted, err := filepath.Glob(filepath.Join(here, "..", "checks", name, "*.go"))
	if err != nil || len(deleted) == 0 {
		t.Fatalf("check %s has no files: %v", name, err)
	}
	for _, file := range deleted {
		replaced[file] = "" // as if it were not there
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(at, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-overlay", at, "github.com/failproof/failproof/internal/cli")
	return cmd.CombinedOutput()
}
