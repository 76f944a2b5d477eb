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
	for syscall.Kill(pid, 0) == nil && !isZombie(pid) { // one that stays keeps the test from ending
		time.Sleep(time.Millisecond)
	}
}

// detach has a command run in a session of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func TestWhoLeftTheGroupIsFoundByItsMark(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc to look for it")
	}
	for rule, c := range map[string]struct {
		answer func(t *testing.T, file string) model.Response
		fails  bool
	}{
		"when the command has ended": {func(t *testing.T, file string) model.Response {
			return answer(t, client(t, 60, "parent", file, "leave", "detached"), model.Request{})
		}, false},
		"at its deadline": {func(t *testing.T, file string) model.Response {
			_, got := atDeadline(t, "parent", file, "wait", "detached")
			return got
		}, true},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			if got := c.answer(t, file); (got.Failure != nil) != c.fails {
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
