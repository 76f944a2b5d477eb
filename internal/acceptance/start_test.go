package acceptance_test

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/schematest"
)

// start is one run of failproof: the folder that it runs in, its whole environment, and where it writes; nil takes
// nothing.
type start struct {
	dir            string
	env            []string
	stdout, stderr io.Writer
}

// run runs failproof to its end and returns its exit code. What main.go adds to a call of cli.Main is what a process
// has: signals, rights, limits, standard streams, and a folder in which commands run. Tests of those start the binary
// themselves. For all others a process adds only that every table of the program is built anew, which is most of a
// short run's work. So `go test` calls cli.Main; the full run starts the binary in every eighth test, which its name
// chooses, and in those that name a folder of models relative to the process's own folder.
func (s start) run(t *testing.T, args ...string) (code int, err error) {
	return s.runUntil(t.Context(), t, args...)
}

// runUntil is run, interrupted once the context is done.
func (s start) runUntil(ctx context.Context, t *testing.T, args ...string) (code int, err error) {
	if !isProcess(t.Name()) && (wanted() < everything || !slices.Contains(s.env, "FAILPROOF_MODELS=models")) {
		return s.here(ctx, args...), nil
	}
	return s.process(ctx, binary, args...)
}

// isProcess reports whether a test starts the binary: every eighth does in the full run.
func isProcess(test string) bool {
	return wanted() == everything && crc32.ChecksumIEEE([]byte(test))%8 == 0
}

// here runs the command in this process.
func (s start) here(ctx context.Context, args ...string) (code int) {
	values := map[string]string{}
	for _, entry := range s.env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return s.hereWith(ctx, func(name string) string { return values[name] }, args...)
}

func (s start) hereWith(ctx context.Context, getenv func(string) string, args ...string) (code int) {
	var lock sync.Mutex // both streams may be one
	return schematest.Run(s.dir, args, func() int {
		return cli.Main(ctx, args, cli.System{
			Stdin: strings.NewReader(""), Stdout: &locked{&lock, s.stdout}, Stderr: &locked{&lock, s.stderr}, Getenv: getenv, Now: time.Now, Dir: s.dir,
		})
	})
}

// process runs a program in a process of its own, which gets a SIGINT once the context is done. The error is that it
// could not be started.
func (s start) process(ctx context.Context, program string, args ...string) (code int, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.env, s.stdout, s.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var exit *exec.ExitError
	schematest.Run(s.dir, args, func() int {
		err = cmd.Run()
		return 0
	})
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// locked is a stream that several may write to; nil takes nothing.
type locked struct {
	lock *sync.Mutex
	to   io.Writer
}

func (l *locked) Write(text []byte) (int, error) {
	if l.to == nil {
		return len(text), nil
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.to.Write(text)
}
