package schematest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestARunThatBreaksASchemaFails(t *testing.T) {
	for _, c := range []struct{ rule, name, text, want string }{
		{"a line that is no result", "results.jsonl", "{\"new_field\": 1}\n", "results.jsonl:1: "},
		{"the second line", "deep/base.jsonl", "\n{\"schema_version\": \"x\"}", "base.jsonl:2: "},
		{"a report", "report.json", "{\n  \"new_field\": 1\n}\n", "report.json:1: "},
		{"what is no JSON", "report.json", "{", "report.json:1: "},
		{"another file", "other.json", "{}", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			dir := t.TempDir()
			at := filepath.Join(dir, c.name)
			write := func() int {
				if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(c.text), 0o666); err != nil {
					t.Fatal(err)
				}
				return 7
			}
			forget()
			if code := Run(dir, nil, write); code != 7 {
				t.Errorf("the run's exit code is %d, want 7", code)
			}
			if got := strings.Join(faults, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("faults %q, want one with %q", got, c.want)
			}
			if code := ReportFaults(0); (code == 0) != (c.want == "") {
				t.Errorf("the tests exit with %d", code)
			}
			forget()
			Run(dir, nil, func() int { return 0 })
			if len(faults) > 0 {
				t.Errorf("what the run did not write is checked: %q", faults)
			}
			for _, args := range [][]string{{"run", "--out", dir}, {"run", "--out=" + dir}} {
				os.Remove(at)
				Run(t.TempDir(), args, write)
				if (len(faults) == 0) != (c.want == "") {
					t.Errorf("%q: faults %q", args, faults)
				}
				forget()
			}
		})
	}
}

// forget forgets all runs.
func forget() { seenShapes, faults = map[string]bool{}, nil }
