//go:build unix

package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

var kills = flag.Int("kills", 5, "how often a whole run is killed")

// liveRun is a folder with a suite that asks a provider of the test, and failproof as a process of its own.
type liveRun struct {
	t     *testing.T
	dir   string
	asked atomic.Int64
}

const liveWidth = 4

// newLiveRun makes a suite of n cases; each answer takes a while.
func newLiveRun(t *testing.T, n int, takes time.Duration) *liveRun {
	t.Helper()
	r := &liveRun{t: t, dir: t.TempDir()}
	answer := modeltest.After(takes, modeltest.Texts(func(string) string { return "yes" }))
	server := modeltest.Serve(t, func(w http.ResponseWriter, q *http.Request) {
		r.asked.Add(1)
		answer(w, q)
	})
	cases := ""
	for i := range n {
		cases += fmt.Sprintf("  - { id: c%03d, vars: { n: n%03d }, expected_response: 'yes', match: contains }\n", i, i)
	}
	r.write("suite.yaml", "version: 1\nmessages: [{ role: user, content: 'Is {{ n }} right?' }]\ncases:\n"+cases)
	r.write("failproof.yml", fmt.Sprintf("version: 1\nsuites: [suite.yaml]\ndefault_target: fast\ntargets:\n"+
		"  fast: { provider: openai, model: m, base_url: %q, concurrency: %d }\n", server.URL+"/v1", liveWidth))
	return r
}

func (r *liveRun) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// run runs failproof, and sends it a signal once the provider was asked so many times more; 0 sends none. It returns the exit
// code, -1 for a process that the signal killed, and how long it took from the signal on.
func (r *liveRun) run(after int64, signal syscall.Signal) (code int, took time.Duration) {
	r.t.Helper()
	cmd := exec.Command("failproof", "run", "--quiet")
	cmd.Dir = r.dir
	out := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = out, out
	begin := r.asked.Load()
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	sent := time.Now()
	for after > 0 {
		select {
		case err := <-ended:
			ended <- err
			after = 0
		case <-time.After(time.Millisecond):
			if r.asked.Load()-begin >= after {
				after, sent = 0, time.Now()
				if err := cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
					r.t.Error(err)
				}
			}
		}
	}
	err := <-ended
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	r.t.Logf("exit code %d: %s", cmd.ProcessState.ExitCode(), out)
	return cmd.ProcessState.ExitCode(), time.Since(sent)
}

// A run that is killed again and again asks for nothing twice but what was under way when it died.
func TestAKilledRunLosesNoAnswer(t *testing.T) {
	const cases = 200
	r := newLiveRun(t, cases, 10*time.Millisecond)
	died := 0
	for range *kills {
		if code, _ := r.run(1+rand.Int64N(cases/int64(*kills)), syscall.SIGKILL); code == -1 {
			died++
		}
	}
	if code, _ := r.run(0, 0); code != cli.ExitPassed {
		t.Errorf("the last run exits %d, want %d", code, cli.ExitPassed)
	}
	if asked, most := r.asked.Load(), int64(cases+died*liveWidth); asked < cases || asked > most {
		t.Errorf("%d questions for %d cases after %d kills, want at most %d", asked, cases, died, most)
	}
	if died == 0 {
		t.Error("no run was killed")
	}
}

// GitHub sends SIGINT to a job that is cancelled, then SIGTERM, and kills it 10 s after the first.
func TestASignalEndsARunWithAReport(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			r := newLiveRun(t, 100, 50*time.Millisecond)
			code, took := r.run(20, signal)
			if code != cli.ExitUndecided || took > 7500*time.Millisecond {
				t.Errorf("exit code %d after %s, want %d within 7.5 s", code, took, cli.ExitUndecided)
			}
			comment := read(t, filepath.Join(r.dir, ".failproof/out/comment.md"))
			if !strings.Contains(comment, "undecided: cancelled") || !strings.Contains(comment, "of 100 answers not asked for") {
				t.Errorf("the comment:\n%s", comment)
			}
			asked := r.asked.Load()
			if code, _ := r.run(0, 0); code != cli.ExitPassed {
				t.Errorf("the next run exits %d, want %d", code, cli.ExitPassed)
			}
			if again := r.asked.Load() - asked; again > 100-asked+liveWidth {
				t.Errorf("the next run asks %d questions after %d of 100", again, asked)
			}
		})
	}
}
