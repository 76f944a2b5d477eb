//go:build unix

package acceptance_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/model/modeltest"
)

var kills = flag.Int("kills", fulltest.Count(2, 5), "how often a whole run is killed")

// liveRun is a folder with a suite that asks a provider of the test, and failproof as a process of its own.
type liveRun struct {
	t     *testing.T
	dir   string
	asked atomic.Int64
	most  atomic.Int64  // questions that are answered; those after them hang until whoever asked is gone
	hangs chan struct{} // tells of each of those
}

const liveWidth = 4

// newLiveRun makes a suite of n cases.
func newLiveRun(t *testing.T, n int) *liveRun {
	t.Helper()
	r := &liveRun{t: t, dir: t.TempDir(), hangs: make(chan struct{}, 10*liveWidth)}
	answer := modeltest.TextStep(func(string) string { return "yes" })
	server := modeltest.Serve(t, func(w http.ResponseWriter, q *http.Request) {
		if r.asked.Add(1) > r.most.Load() {
			r.hangs <- struct{}{}
			modeltest.NeverStep(w, q)
			return
		}
		answer(w, q)
	})
	cases := ""
	for i := range n {
		cases += fmt.Sprintf("  - { id: c%03d, vars: { n: n%03d }, expected_response: 'yes', match: contains }\n", i, i)
	}
	r.write("suite.yaml", "version: 1\nmessages: [{ role: user, content: 'Is {{ n }} right?' }]\ncases:\n"+cases)
	r.write("failproof.yml", fmt.Sprintf("version: 1\nsuites: [suite.yaml]\ndefault_target: fast\ntargets:\n"+
		"  fast: { provider: openai, model: m, base_url: %q, concurrency: %d, timeout: 1h }\n", server.URL+"/v1", liveWidth))
	return r
}

func (r *liveRun) write(name, text string) {
	r.t.Helper()
	lays(r.t, r.dir, map[string]string{name: text})
}

// run runs failproof to its end and returns its exit code.
func (r *liveRun) run() (code int) {
	r.t.Helper()
	r.most.Store(math.MaxInt64)
	return <-r.start().ended
}

// stop runs failproof, has the provider fall silent after so many answers, and sends the signal once the next question
// is there. It returns the exit code, -1 for a process that the signal killed. A run that does not end by the signal
// never does.
func (r *liveRun) stop(after int64, signal syscall.Signal) (code int) {
	r.t.Helper()
	for len(r.hangs) > 0 {
		<-r.hangs // of a run before
	}
	r.most.Store(r.asked.Load() + after)
	p := r.start()
	select {
	case <-r.hangs:
	case code := <-p.ended:
		r.t.Fatalf("the run ended with exit code %d before it was stopped", code)
	}
	if err := p.cmd.Process.Signal(signal); err != nil {
		r.t.Fatal(err)
	}
	return <-p.ended
}

// process is a failproof that was started.
type process struct {
	cmd   *exec.Cmd
	ended chan int // its exit code
}

func (r *liveRun) start() process {
	r.t.Helper()
	cmd, out := exec.Command(binary, "run", "--quiet"), &strings.Builder{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.dir, out, out
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	p := process{cmd, make(chan int, 1)}
	go func() {
		if err := cmd.Wait(); err != nil {
			r.t.Logf("%v: %s", err, out)
		}
		p.ended <- cmd.ProcessState.ExitCode()
	}()
	return p
}

// A run that is killed again and again asks for nothing twice but what was under way when it died.
func TestAKilledRunLosesNoAnswer(t *testing.T) {
	const cases = 200
	r := newLiveRun(t, cases)
	for range *kills {
		if code := r.stop(1+rand.Int64N(cases/int64(*kills+1)), syscall.SIGKILL); code != -1 {
			t.Fatalf("a run that was killed exits with %d", code)
		}
	}
	if code := r.run(); code != cli.ExitPassed {
		t.Errorf("the last run exits %d, want %d", code, cli.ExitPassed)
	}
	if asked, most := r.asked.Load(), int64(cases+*kills*liveWidth); asked < cases || asked > most {
		t.Errorf("%d questions for %d cases after %d kills, want at most %d", asked, cases, *kills, most)
	}
}

// GitHub sends SIGINT to a job that is canceled, then SIGTERM, and kills it 10 s after the first. A run waits no
// longer for answers than a second; here it would wait for ever.
func TestASignalEndsARunWithAReport(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel() // it waits
			r := newLiveRun(t, 100)
			if code := r.stop(20, signal); code != cli.ExitUndecided {
				t.Errorf("exit code %d, want %d", code, cli.ExitUndecided)
			}
			comment := read(t, filepath.Join(r.dir, ".failproof/out/comment.md"))
			if !strings.Contains(comment, "## ⏸️ No verdict: the run was canceled") || !strings.Contains(comment, "of 100 answers missing") {
				t.Errorf("the comment:\n%s", comment)
			}
			asked := r.asked.Load()
			if code := r.run(); code != cli.ExitPassed {
				t.Errorf("the next run exits %d, want %d", code, cli.ExitPassed)
			}
			if again := r.asked.Load() - asked; again > 100-asked+liveWidth {
				t.Errorf("the next run asks %d questions after %d of 100", again, asked)
			}
		})
	}
}
