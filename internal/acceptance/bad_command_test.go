//go:build linux

package acceptance_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// isMeasured reports whether a command is a process of its own: if the process is what the entry is about, for a few
// others, and for what takes long. What a small file takes is the start of the program, which adds nothing to what the
// test sees.
func (b badInput) isMeasured() bool { return b.tune != nil || b.apart || takesLong[b.name] }

// execute runs the command, and measures it if it is a process.
func (b badInput) execute(t *testing.T, score *badScore, dir string, args []string) (code int, stdout, stderr string) {
	if !b.isMeasured() {
		var o, e bytes.Buffer
		code := start{dir, badEnvironment(dir, b.env...), &o, &e}.here(t.Context(), args...)
		return code, o.String(), e.String()
	}
	ctx, cancel := context.WithTimeout(t.Context(), badWall)
	defer cancel()
	cmd := failproof(ctx, dir, args...)
	cmd.Env = badEnvironment(dir, b.env...)
	if b.tune != nil {
		b.tune(t, cmd)
	}
	var o, e bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &o
	}
	cmd.Stderr = &e
	if err := cmd.Start(); err != nil {
		t.Fatalf("failproof %s: %v", strings.Join(args, " "), err)
	}
	memory := peakMemory(t, cmd.Process)
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("failproof %s: %v", strings.Join(args, " "), err)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if ctx.Err() != nil || used > badProcessor && !underRace() {
		score.timeouts.Add(1)
		t.Errorf("%s\nfailproof %s took %s of processor time, want at most %s (stopped: %v)", b.rule, strings.Join(args, " "), used, badProcessor, ctx.Err())
	}
	if peak := <-memory; peak > badMemory && !underRace() {
		t.Errorf("%s\nfailproof %s took %d MiB of memory, want at most %d", b.rule, strings.Join(args, " "), peak>>10, badMemory>>10)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// failproof is the command under test. Its garbage collector begins to hurry where memory gets short, so that what it
// holds at most is what it needs, and not what the collector had not come to yet.
func failproof(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = dir, badEnvironment(dir)
	return cmd
}

func badEnvironment(dir string, more ...string) []string {
	return append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "SOURCE_DATE_EPOCH=1767600000",
		"OPENAI_API_KEY=" + badCanary, "GOMEMLIMIT=192MiB", "GIT_CONFIG_GLOBAL=" + os.DevNull}, more...)
}

// inert checks that a log shows each line of out as it is: text, of a readable length, without a control character.
func inert(t *testing.T, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case !utf8.ValidString(line):
			t.Errorf("a line is not UTF-8: %q", short(line))
		case len(line) > badLine:
			t.Errorf("a line of %d bytes, want at most %d: %q", len(line), badLine, short(line))
		case strings.HasPrefix(strings.TrimSpace(line), "::"), strings.Contains(line, "##["):
			t.Errorf("a line is a command to the runner: %q", line)
		}
		for _, r := range line {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
				t.Errorf("a line holds %U: %q", r, short(line))
			}
		}
	}
}
