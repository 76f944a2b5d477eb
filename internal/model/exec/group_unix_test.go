//go:build unix

package exec_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// gone waits until the process whose number file holds is dead; one that nobody waited for counts as dead.
func gone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if syscall.Kill(pid, 0) != nil || isZombie(pid) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Errorf("process %d, which the command started, is still there", pid)
}

// detach has a command run in a session of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func TestWhoLeftTheGroupIsFoundByItsMark(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc to look for it")
	}
	for rule, c := range map[string]struct {
		timeout float64
		stays   string
		fails   bool
	}{
		"when the command has ended": {20, "leave", false},
		"at its deadline":            {6, "wait", true},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			if got := answer(t, client(t, c.timeout, "parent", file, c.stays, "detached"), model.Request{}); (got.Failure != nil) != c.fails {
				t.Errorf("Answer = %+v, failure %+v", got, got.Failure)
			}
			gone(t, file)
		})
	}
}

func TestWhoCannotBeReachedKeepsNoAnswerBack(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	got := answer(t, client(t, 60, "parent", file, "leave", "hidden"), model.Request{})
	if got.Text != "done" || got.Failure != nil {
		t.Errorf("Answer = %+v, failure %+v, want what it said", got, got.Failure)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil || syscall.Kill(pid, syscall.SIGKILL) != nil {
		t.Errorf("process %s, which nobody could reach, is gone", text)
	}
}

func isZombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z")
}
