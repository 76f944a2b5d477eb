package run

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// goroutines are the stacks of all of them.
func goroutines() string {
	text := make([]byte, 1<<20)
	return string(text[:runtime.Stack(text, true)])
}

// breaking is what a progress bar is shown on, which breaks once an answer is taken.
type breaking struct{ broke bool }

func (b *breaking) Write(text []byte) (int, error) {
	if stack := goroutines(); strings.Contains(stack, "run.(*scoredSides).addFirst") {
		b.broke = true
		panic("broken")
	}
	return len(text), nil
}

func TestNothingGoesOnWhereFailproofBreaks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: t\ntargets:\n  t: { provider: exec, command: [/bin/echo, it is open] }\n",
		"s.yaml":        "version: 1\nid: s\nprompt: p.md\ncases:\n  - { id: a, expected_response: open, match: contains }\n",
		"p.md":          "Is it open?\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	head, err := source.Worktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := output.Open(dir, "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	shown := &breaking{}
	in := sides.Inputs{Head: head, Dir: dir, Scope: sides.ScopeAll, Bootstrap: true, Now: time.Now, Progress: progress.New(shown, progress.Bar), Getenv: func(string) string { return "" }}
	judged, err := Judge(t.Context(), in, asking.Sinks{Out: out, Say: func(string, ...any) {}, Bugs: &fault.Bugs{}})
	if err != nil || judged.Report.Verdict != report.Undecided || !shown.broke {
		t.Fatalf("%s for %v, %v; the progress broke: %v", judged.Report.Verdict, judged.Report.Reasons, err, shown.broke)
	}
	if left := goroutines(); strings.Contains(left, "internal/progress.") {
		t.Errorf("the progress is still shown:\n%s", left)
	}
}
