//go:build linux

package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// toOut returns an entry of a run whose output folder is in the way.
func toOut(name, rule, out, says string, exit int, make func(t *testing.T, dir string)) badInput {
	b := badInput{name: "out-" + name, rule: rule, exit: exit, make: make, args: [][]string{{"run", "--quiet", "--out", out}},
		then: func(*testing.T, string, string) {}}
	if says != "" {
		b.says = []string{says}
	}
	return b
}

func outBad() []badInput {
	nothing := func(*testing.T, string) {}
	readOnly := toOut("readonly", "An output folder that may not be written to is said so, and nothing passes.", "o", "permission denied", 3, lockedOut)
	readOnly.tune = asNobody
	return []badInput{
		readOnly,
		toOut("file", "A file in place of the output folder is kept, and refused.", "prompts/refund.md", "is not a folder", 2, nothing),
		toOut("link", "An output folder that is a link is refused: it could lead anywhere.", "o", "is not a folder", 2, func(t *testing.T, dir string) {
			symlink(t, dir, t.TempDir(), "o")
		}),
		toOut("link-above", "A link above the output folder is refused.", "l/o", "is not a folder", 2, func(t *testing.T, dir string) { symlink(t, dir, t.TempDir(), "l") }),
		toOut("default-link", "A default output folder that the change turned into a link is refused.", ".failproof/out", "is not a folder", 2,
			func(t *testing.T, dir string) { symlink(t, dir, t.TempDir(), ".failproof") }),
		toOut("outside", "An output folder outside of the working folder is named by an absolute path or not at all.", "../o", "output folder", 2, nothing),
		toOut("null", "A device is no output folder.", "/dev/null", "output folder", 2, nothing),
		toOut("report-link", "A link in place of a file of the output is replaced, and what it leads to is kept.", "o", "", 0, func(t *testing.T, dir string) {
			put(t, dir, "o/keep", "")
			for _, name := range []string{"report.json", "results.jsonl", "results.jsonl.part", "comment.md"} {
				symlink(t, dir, "../prompts/refund.md", "o/"+name)
			}
		}),
		toOut("report-folder", "A folder in place of a file of the output is said so, and nothing passes.", "o", "report.json", 3, func(t *testing.T, dir string) {
			put(t, dir, "o/report.json/x", "")
		}),
		toOut("pipe", "A named pipe in place of a file of the output does not hold the run up.", "o", "", 0, func(t *testing.T, dir string) {
			put(t, dir, "o/keep", "")
			pipe(t, dir, "o/results.jsonl")
			pipe(t, dir, "o/report.json.part")
		}),
		{name: "out-full", rule: "A table that cannot be written is no pass.", exit: 3, args: [][]string{{"run"}}, says: []string{"no space left"}, tune: func(_ *testing.T, cmd *exec.Cmd) {
			cmd.Stdout, _ = os.OpenFile("/dev/full", os.O_WRONLY, 0) // closed with the test
		}},
		{name: "in-closed", rule: "A run needs no standard input.", exit: 0, args: [][]string{{"run", "--quiet"}, {"validate"}}, tune: func(_ *testing.T, cmd *exec.Cmd) { cmd.Stdin = nil }},
		{name: "out-base", rule: "A run does not write over the report that it compares with.", exit: 2, args: [][]string{{"run", "--base", "./good", "--out", "good"}},
			says: []string{"which this run would overwrite; choose another folder with --out"}, make: func(t *testing.T, dir string) { goodRun(t, dir) }},
		{name: "out-stale", rule: "A refused run leaves nothing of the run before that could be taken for its own.", exit: 2, args: [][]string{{"run", "--quiet"}},
			says: []string{"suites/bad.yaml:"}, make: func(t *testing.T, dir string) {
				var b badInput
				if code, _, _ := b.execute(t, new(badScore), dir, []string{"run", "--quiet"}); code != 0 {
					t.Fatalf("run of the example: exit code %d", code)
				}
				put(t, dir, badSuite, "version: 2\n")
			}},
	}
}

// lockedOut makes an output folder that nobody may write to.
func lockedOut(t *testing.T, dir string) {
	put(t, dir, "o/keep", "")
	for path, mode := range map[string]os.FileMode{filepath.Join(dir, "o"): 0o555, filepath.Dir(dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "o"), 0o755) })
}

// slowRepository has cases whose results are written at once, and behind them others that take half a minute of a
// processor.
func slowRepository(t *testing.T) string {
	dir := goodRepository(t)
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `,{"id":"c%d","expected_response":"Hi"}`, i)
	}
	for i := range 400 {
		fmt.Fprintf(&b, `,{"id":"s%d","assert":["all(1..900, {all(1..900, {true})})"]}`, i)
	}
	put(t, dir, "suites/many.json", `{"version":1,"target":"echo","messages":[{"role":"user","content":"Hi"}],"cases":[`+b.String()[1:]+"]}")
	return dir
}

func TestAnInterruptedRunIsUndecidedAndClaimsNothing(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		dir := slowRepository(t)
		put(t, dir, ".failproof/out/report.json", `{"verdict": "passed"}`) // of the run before
		cmd := failproof(t.Context(), dir, "run", "--quiet")
		var out bytes.Buffer
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, filepath.Join(dir, ".failproof/out/results.jsonl.part"))
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(out.String(), "canceled ("+signal.String()+" signal received): nothing was decided") {
			t.Errorf("%v in the middle of a run: exit code %d, want 3\n%s", signal, code, out.String())
		}
		inert(t, out.String())
		left, _ := filepath.Glob(filepath.Join(dir, ".failproof/out/*"))
		if len(left) > 0 {
			t.Errorf("%v in the middle of a run left %q, want nothing", signal, left)
		}
	}
}

// waitFor returns once a file has content.
func waitFor(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(badWall); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			return
		}
	}
	t.Fatalf("%s was not written to", path)
}

func TestRunsInOneFolderAtOnceLeaveOneWholeReport(t *testing.T) {
	t.Parallel()
	dir := goodRepository(t)
	var wait sync.WaitGroup
	codes := make([]int, 6)
	outs := make([]string, len(codes))
	for i := range codes {
		wait.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), badWall)
			defer cancel()
			cmd := failproof(ctx, dir, "run", "--quiet", "--run-id", fmt.Sprint(i))
			text, _ := cmd.CombinedOutput()
			codes[i], outs[i] = cmd.ProcessState.ExitCode(), string(text)
		})
	}
	wait.Wait()
	passed := 0
	for i, code := range codes {
		switch {
		case code == 0:
			passed++
		case code != 2 || !strings.Contains(outs[i], "another run"):
			t.Errorf("run %d: exit code %d, want 0, or 2 with the reason\n%s", i, code, outs[i])
		}
	}
	if passed == 0 {
		t.Error("no run passed")
	}
	oneRun(t, filepath.Join(dir, ".failproof/out"))
}

// oneRun checks that report and results are whole and of one run.
func oneRun(t *testing.T, out string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rep struct {
		Run    struct{ ID string }
		Trials int
	}
	if err := json.Unmarshal(text, &rep); err != nil {
		t.Fatal(err)
	}
	results, err := os.ReadFile(filepath.Join(out, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(results, []byte(`"run_id":"`+rep.Run.ID+`"`)); n != rep.Trials || bytes.Count(results, []byte("\n")) != n {
		t.Errorf("results of run %s: %d, want %d and no others:\n%s", rep.Run.ID, n, rep.Trials, results)
	}
}
