//go:build unix

package exec

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// kept are the variables of ours that a command sees. The runner's tokens are not among them.
var kept = []string{"PATH", "HOME"}

// run starts a command in a group of its own and waits for its end. Its group is killed when it ends, or is to end, and so are
// processes that left the group and carry the mark. What holds its output open even then holds it in vain.
func run(cmd *exec.Cmd, mark string, out, failures io.Writer) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	text, err := newStream(out)
	if err != nil {
		return err
	}
	defer text.end()
	words, err := newStream(failures)
	if err != nil {
		return err
	}
	defer words.end()
	cmd.Stdout, cmd.Stderr = text.in, words.in
	if err := cmd.Start(); err != nil {
		return err
	}
	text.in.Close()
	words.in.Close()
	if err = cmd.Wait(); errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it has ended well; somebody else did not read what it was asked
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // nobody being left is as good
	killMarked(mark)
	return err
}

// stream brings what a command writes to a writer.
type stream struct {
	in, out *os.File
	done    chan struct{}
}

func newStream(to io.Writer) (*stream, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s := &stream{in, out, make(chan struct{})}
	go func() {
		defer close(s.done)
		_, _ = io.Copy(to, out)
	}()
	return s, nil
}

// end waits until everything was read that the command wrote: it has ended, so that only a process that is out of reach keeps
// the output open, and nothing of that is waited for long.
func (s *stream) end() {
	_ = s.in.Close() // where the command did not start
	_ = s.out.SetReadDeadline(time.Now().Add(afterKill))
	<-s.done
	_ = s.out.Close()
}
