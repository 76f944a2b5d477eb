package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
)

func TestMoreRecordingsThanAMachineHoldsAreNotRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return at
	}
	write("failproof.yml", "version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: replay\ntargets: { replay: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n")
	for i := range 33 {
		write(fmt.Sprintf("suites/s%02d.yaml", i), fmt.Sprintf("version: 1\nid: s%02d\nmessages: [{ role: user, content: hello }]\ncases: [{ id: a, expected_response: hello }]\n", i))
		if err := os.Truncate(write(fmt.Sprintf("recordings/s%02d.jsonl", i), ""), 64<<20); err != nil { // a hole, which takes no room on the disk
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	code := mainOf(t.Context(), []string{"run", "--quiet"}, cli.System{Dir: dir, Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Now: time.Now, Stdin: strings.NewReader("")})
	if said := out.String() + errs.String(); code != cli.ExitInput || !strings.Contains(said, "recordings/s32.jsonl: the recordings up to this file hold 2112.0 MiB") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
