//go:build linux

package acceptance_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// promptAt returns an entry whose suite names a prompt that make puts there.
func promptAt(name, rule, prompt string, make func(t *testing.T, dir string), says ...string) badInput {
	return badInput{name: name, rule: rule, exit: 2, says: says, make: func(t *testing.T, dir string) {
		put(t, dir, badSuite, "version: 1\ntarget: echo\nprompt: "+prompt+"\n"+badCases)
		make(t, dir)
	}}
}

// symlink makes a symbolic link below dir.
func symlink(t *testing.T, dir, to, name string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// linked returns a function that makes one link.
func linked(to, name string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) { symlink(t, dir, to, name) }
}

// pipe makes a named pipe below dir.
func pipe(t *testing.T, dir, name string) {
	t.Helper()
	if err := syscall.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
		t.Fatal(err)
	}
}

// socket makes a socket below dir. Its address must be short, so it is bound by a relative name.
func socket(t *testing.T, dir, name string) {
	t.Helper()
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	at, err := net.Listen("unix", filepath.Join(short, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { at.Close() })
	if err := os.Rename(filepath.Join(short, "s"), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

const notFollowed = "is a symbolic link, and links are never followed"

// pathBad holds the rows of the catalogue that need more of a file system than names and bytes.
func pathBad() []badInput {
	return []badInput{
		promptAt("C302", "A link to an absolute path is not followed.", "../prompts/l.md", linked("/etc/passwd", "prompts/l.md"), "suites/bad.yaml:3:9: ", notFollowed),
		promptAt("C302-relative", "A link that leaves the repository is not followed.", "../prompts/l.md", linked("../../../etc/passwd", "prompts/l.md"), "suites/bad.yaml:3:9: ", notFollowed),
		promptAt("C302-environment", "A link to the process's own environment is not followed.", "../prompts/l.md", linked("/proc/self/environ", "prompts/l.md"), "suites/bad.yaml:3:9: ", notFollowed),
		promptAt("C302-inside", "A link inside the repository is not followed either.", "../prompts/l.md", linked("refund.md", "prompts/l.md"), "suites/bad.yaml:3:9: ", notFollowed),
		{name: "C302-suite", rule: "A suite that is a link is not followed.", exit: 2, says: []string{"suites/bad.yaml: " + notFollowed},
			make: linked("support/refund.yaml", "suites/bad.yaml")},
		{name: "C302-config", rule: "A configuration that is a link is not followed.", exit: 2, says: []string{".github/failproof.yml: ", "symbolic link"},
			make: func(t *testing.T, dir string) {
				if err := os.Rename(filepath.Join(dir, ".github/failproof.yml"), filepath.Join(dir, "real.yml")); err != nil {
					t.Fatal(err)
				}
				symlink(t, dir, "../real.yml", ".github/failproof.yml")
			}},
		{name: "C302-recording", rule: "A recording that is a link is not followed.", exit: 2, args: [][]string{{"run", "--quiet"}},
			says: []string{"recordings/support/refund.jsonl: ", "symbolic link"},
			make: func(t *testing.T, dir string) {
				if err := os.Rename(filepath.Join(dir, "recordings/support/refund.jsonl"), filepath.Join(dir, "real.jsonl")); err != nil {
					t.Fatal(err)
				}
				symlink(t, dir, "../../real.jsonl", "recordings/support/refund.jsonl")
			}},
		promptAt("C303", "A loop of links is not followed.", "../prompts/a.md", func(t *testing.T, dir string) {
			symlink(t, dir, "b.md", "prompts/a.md")
			symlink(t, dir, "a.md", "prompts/b.md")
		}, "suites/bad.yaml:3:9: ", notFollowed),
		promptAt("C303-chain", "A chain of 41 links is not followed.", "../prompts/l0", func(t *testing.T, dir string) {
			for i := range 41 {
				symlink(t, dir, fmt.Sprintf("l%d", i+1), fmt.Sprintf("prompts/l%d", i))
			}
			put(t, dir, "prompts/l41", "Hi\n")
		}, "suites/bad.yaml:3:9: ", notFollowed),
		{name: "C303-folders", rule: "A folder that links to itself is not walked for ever.", exit: 2,
			says: []string{"suites/loop: " + notFollowed}, make: func(t *testing.T, dir string) {
				put(t, dir, ".github/failproof.yml", strings.Replace(badConfig, `"suites/**/*.{yaml,yml,json,jsonl}"`, `"suites/loop/**/*.yaml"`, 1))
				symlink(t, dir, ".", "suites/loop")
			}},
		promptAt("C304-link", "A link to git's own files is not followed.", "../prompts/l.md", func(t *testing.T, dir string) {
			put(t, dir, ".git/config", "[core]\n")
			symlink(t, dir, "../.git/config", "prompts/l.md")
		}, "suites/bad.yaml:3:9: ", notFollowed),
		{name: "C305", rule: "Nine links to one folder of suites add no case.", exit: 0, args: [][]string{{"validate"}}, says: []string{"2 suites, 7 cases: valid"},
			make: func(t *testing.T, dir string) {
				for i := range 9 {
					symlink(t, dir, "support", fmt.Sprintf("suites/again%d", i))
				}
			}},
		promptAt("C306-pipe", "A named pipe as a prompt is refused at once: nobody will ever write to it.", "../prompts/p.md",
			func(t *testing.T, dir string) { pipe(t, dir, "prompts/p.md") }, "suites/bad.yaml:3:9: ", "not a file"),
		promptAt("C306-socket", "A socket as a prompt is refused.", "../prompts/p.md",
			func(t *testing.T, dir string) { socket(t, dir, "prompts/p.md") }, "suites/bad.yaml:3:9: ", "not a file"),
		promptAt("C306-folder", "A folder as a prompt is refused.", "../prompts", func(*testing.T, string) {}, "suites/bad.yaml:3:9: ", "is a folder, not a file"),
		promptAt("C306-device", "A link to an endless device is not followed.", "../prompts/p.md", linked("/dev/zero", "prompts/p.md"), "suites/bad.yaml:3:9: ", notFollowed),
		{name: "C306-suite", rule: "A named pipe as a suite is refused at once.", exit: 2, says: []string{"suites/bad.yaml: is not a regular file"},
			make: func(t *testing.T, dir string) { pipe(t, dir, badSuite) }},
		{name: "C306-config", rule: "A named pipe as the configuration is refused at once.", exit: 2, says: []string{".github/failproof.yml: ", "not a file"},
			make: func(t *testing.T, dir string) {
				os.Remove(filepath.Join(dir, ".github/failproof.yml"))
				pipe(t, dir, ".github/failproof.yml")
			}},
		{name: "C306-recording", rule: "A named pipe as a recording is refused at once.", exit: 2, args: [][]string{{"run", "--quiet"}},
			says: []string{"recordings/support/refund.jsonl: ", "not a file"}, make: func(t *testing.T, dir string) {
				os.Remove(filepath.Join(dir, "recordings/support/refund.jsonl"))
				pipe(t, dir, "recordings/support/refund.jsonl")
			}},
		{name: "C306-suite-folder", rule: "A folder named like a suite is a folder; the suites in it count.", exit: 0, args: [][]string{{"validate"}},
			says: []string{"3 suites, 8 cases: valid"},
			make: func(t *testing.T, dir string) { put(t, dir, "suites/suite.yaml/in.yaml", badHead+badCases) }},
		promptAt("C307", "A path with a NUL is refused.", `"../prompts/a\0b.md"`, func(*testing.T, string) {}, "suites/bad.yaml:3:9: ", "rename the file"),
		promptAt("C307-newline", "A path with a line end is refused and cannot forge a line of the log.", `"../prompts/a\n::error::b.md"`, func(*testing.T, string) {}, "suites/bad.yaml:3:9: ", "rename the file"),
		promptAt("C307-percent", "A path with a per cent sign is refused.", "../prompts/a%0Ab.md", func(*testing.T, string) {}, "suites/bad.yaml:3:9: ", "rename the file"),
		promptAt("C307-colon", "A path with a colon is refused.", "../prompts/a:b.md", func(*testing.T, string) {}, "suites/bad.yaml:3:9: ", "rename the file"),
		promptAt("C307-comma", "A path with a comma is refused.", "\"../prompts/a,b.md\"", func(*testing.T, string) {}, "suites/bad.yaml:3:9: ", "rename the file"),
		promptAt("C307-long", "A path of more than 4,096 bytes is refused and not repeated.", "../prompts/"+strings.Repeat("a/", 2100)+"b.md", func(*testing.T, string) {},
			"suites/bad.yaml:3:9: ", "is longer than 4096 bytes"),
		suiteNamed("C307-suite-newline", "a\n::error::b.yaml", `has the character '\n'`),
		suiteNamed("C307-suite-percent", "a%0Ab.yaml", "has the character '%'"),
		suiteNamed("C307-suite-colon", "a:b,c.yaml", "has the character ':'"),
		suiteNamed("C307-suite-bytes", "a\xff\xfe.yaml", "is not UTF-8"),
		suiteNamed("C307-suite-turned", "a\u202elmay.yaml", "rename the file"),
		suiteNamed("C307-suite-escape", "a\x1b[31m.yaml", "rename the file"),
		{name: "C309", rule: "A prompt that may not be read is refused.", exit: 2, says: []string{"prompts/refund.md: the file cannot be read: permission denied"},
			args: [][]string{{"validate"}}, tune: asNobody,
			make: func(t *testing.T, dir string) { unreadable(t, dir, "prompts/refund.md") }},
		{name: "C309-suite", rule: "A suite that may not be read is refused.", exit: 2,
			says: []string{"suites/support/refund.yaml: the file cannot be read: permission denied"}, args: [][]string{{"validate"}}, tune: asNobody,
			make: func(t *testing.T, dir string) { unreadable(t, dir, "suites/support/refund.yaml") }},
		{name: "C309-folder", rule: "A folder of suites that may not be listed is refused, not skipped.", exit: 2,
			says: []string{"suites/support: cannot be listed: open suites/support: permission denied"}, args: [][]string{{"validate"}}, tune: asNobody,
			make: func(t *testing.T, dir string) { unreadable(t, dir, "suites/support") }},
		{name: "C309-config", rule: "A configuration that may not be read is refused, not looked for elsewhere.", exit: 2,
			says: []string{".github/failproof.yml: the file cannot be read: permission denied"}, args: [][]string{{"validate"}}, tune: asNobody,
			make: func(t *testing.T, dir string) {
				put(t, dir, "failproof.yml", badConfig)
				unreadable(t, dir, ".github/failproof.yml")
			}},
		{name: "C312", rule: "A glob that matches 10,000 files is taken for a mistake.", exit: 2,
			says: []string{".github/failproof.yml: suites: 10002 files match, at most 9999 are read"}, args: [][]string{{"validate"}},
			make: func(t *testing.T, dir string) {
				for i := range 10_000 {
					f, err := os.Create(filepath.Join(dir, "suites", fmt.Sprintf("%d.yaml", i)))
					if err != nil {
						t.Fatal(err)
					}
					f.Close()
				}
			}},
	}
}

// suiteNamed returns an entry with a suite file of a name that no log and no annotation can show.
func suiteNamed(entry, file, says string) badInput {
	return badInput{name: entry, rule: "A suite file whose name a log cannot show as it is is refused.", exit: 2, says: []string{says},
		make: func(t *testing.T, dir string) { put(t, dir, "suites/"+file, badHead+badCases) }}
}

// unreadable takes all rights to a file or folder away, and gives them back so that it can be cleaned up.
func unreadable(t *testing.T, dir, name string) {
	path := filepath.Join(dir, name)
	t.Helper()
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // so that the one who may not read it gets that far
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path, 0o700) })
}

// asNobody runs a command without the rights of root, who may read everything. The binary may lie where only root can
// look it up, so it is handed over open.
func asNobody(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	program, err := os.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	cmd.Path, cmd.ExtraFiles = "/proc/self/fd/3", []*os.File{program}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}

// peakMemory looks at a running process until it has ended, and sends the most memory that it had at once, in KiB. What
// the system tells of a process that has ended will not do: it begins with what the process had that started it. The
// file is opened once, so that it is never that of another process.
func peakMemory(t *testing.T, process *os.Process) <-chan int64 {
	t.Helper()
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	peak := make(chan int64, 1)
	go func() {
		defer status.Close()
		most, text := int64(0), make([]byte, 4096)
		for {
			n, err := status.ReadAt(text, 0)
			_, high, alive := strings.Cut(string(text[:n]), "\nVmHWM:")
			if err != nil && err != io.EOF || !alive {
				peak <- most
				return
			}
			if size, err := strconv.ParseInt(strings.Fields(high)[0], 10, 64); err == nil {
				most = max(most, size)
			}
			time.Sleep(2 * time.Millisecond) // a process that takes too much takes longer
		}
	}()
	return peak
}
