//go:build linux

package acceptance_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/failproof/failproof/examples"
)

// What one command on one bad input may use. Time is that of the processor, and a multiple of what any input takes on a
// slow and busy machine: what has no end, such as a loop in an assertion, takes more. What waits for ever, for a pipe
// say, meets the wall. A race detector takes memory of its own and is not measured.
const (
	badProcessor = 20 * time.Second
	badWall      = 3 * time.Minute
	badMemory    = 256 << 10 // KiB of peak resident memory
	badLine      = 400       // bytes of one line of output
)

// badCanary stands in the environment like a key, and must stand nowhere else.
const badCanary = "canary-4f1d-not-a-key"

// badConfig is the configuration of every entry that brings none of its own.
const badConfig = `version: 1
suites: ["suites/**/*.{yaml,yml,json,jsonl}"]
default_target: replay
targets:
  replay: { provider: recorded, path: "recordings/{suite}.jsonl" }
  echo: { provider: echo }
gate: { min_run_score: 0.9, max_regressions: 0 }
policies:
  no-promises: { patterns: ["(?i)\\bwe will refund\\b"] }
`

// badInput is a repository with something wrong in it, the commands that meet it and what they must do.
type badInput struct {
	name string
	rule string
	exit int
	says []string // each stands in a line of the output of every command; … stands for any text
	args [][]string
	make func(t *testing.T, dir string)
	then func(t *testing.T, dir string, out string) // checks what is left behind, after the last command
	env  []string
	tune func(t *testing.T, cmd *exec.Cmd)

	apart bool // is measured, in a process of its own, in any case
}

// takesLong are the entries that take a second or more, and are left out where not everything is wanted.
var takesLong = map[string]bool{"C128-small": true, "C214": true, "C312": true, "C315": true, "data-alike": true, "data-lines": true, "data-quotes": true, "data-ragged": true,
	"greedy-cases": true, "greedy-prompt": true, "recording-answers": true}

// badScore counts what the last line of the test tells.
type badScore struct{ entries, panics, passes, timeouts atomic.Int64 }

// TestBadInputs proves that what is wrong in a repository is refused by name and place: no panic, no silent pass, no
// hang.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	var score badScore
	all := slices.Concat(storedBad(t), generatedBad(), pathBad(), ownBad(), recordingBad(), reportBad(goodRun(t, goodRepository(t))), outBad())
	t.Cleanup(func() {
		t.Logf("%d entries, %d panics, %d silent passes, %d timeouts",
			score.entries.Load(), score.panics.Load(), score.passes.Load(), score.timeouts.Load())
	})
	every := map[amount]int{everything: 1, sample: 4, least: 16}[wanted()]
	apart := map[amount]int{everything: 4, sample: 16, least: 16}[wanted()]
	seen := map[string]bool{}
	for i, b := range all {
		if seen[b.name] {
			t.Errorf("two entries are called %s", b.name)
		}
		seen[b.name] = true
		if i%every > 0 || takesLong[b.name] && wanted() < everything {
			continue
		}
		b.apart = i%apart == 0
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			score.entries.Add(1)
			b.test(t, &score)
		})
	}
	for name := range takesLong {
		if !seen[name] {
			t.Errorf("no entry is called %s", name)
		}
	}
	t.Run("every row of the catalogue has an entry or a reason", func(t *testing.T) { checkRows(t, seen) })
}

// storedBad reads testdata/bad: a rule, `exit:` and `says:` lines, and the files that are laid over the example.
func storedBad(t *testing.T) []badInput {
	names, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("testdata/bad: %d entries, %v", len(names), err)
	}
	var all []badInput
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b := badInput{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), exit: -1}
		for line := range strings.Lines(string(archive.Comment)) {
			b.head(t, strings.TrimSpace(line))
		}
		if b.rule == "" || b.exit < 0 || b.exit == 2 && len(b.says) == 0 {
			t.Fatalf("%s: expected a rule, `exit: N` and, for 2, what is said", name)
		}
		b.make = func(t *testing.T, dir string) {
			for _, f := range archive.Files {
				put(t, dir, f.Name, string(f.Data))
			}
		}
		all = append(all, b)
	}
	return all
}

// head reads one line above the files of an entry.
func (b *badInput) head(t *testing.T, line string) {
	if says, ok := strings.CutPrefix(line, "says: "); ok {
		b.says = append(b.says, says)
	} else if exit, ok := strings.CutPrefix(line, "exit: "); ok {
		if _, err := fmt.Sscan(exit, &b.exit); err != nil {
			t.Fatalf("%s: exit: %v", b.name, err)
		}
	} else {
		b.rule = strings.TrimSpace(b.rule + " " + line)
	}
}

// put writes a file below dir.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	lays(t, dir, map[string]string{name: text})
}

// goodRepository makes a folder that every command accepts: the example, with targets for what the entries bring.
func goodRepository(t *testing.T) string {
	dir := t.TempDir()
	base, err := fs.Sub(examples.Repository, "repository/main")
	if err == nil {
		err = os.CopyFS(dir, base)
	}
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, ".github/failproof.yml", badConfig)
	return dir
}

func (b badInput) test(t *testing.T, score *badScore) {
	dir := goodRepository(t)
	if b.make != nil {
		b.make(t, dir)
	}
	commands := b.args
	if commands == nil {
		commands = [][]string{{"validate"}, {"run", "--quiet"}}
	}
	before := onDisk(t, dir)
	out := ""
	for _, args := range commands {
		out = b.meet(t, score, dir, args)
	}
	if after := onDisk(t, dir); after != before {
		t.Errorf("%s: files were changed; before:\n%s\nafter:\n%s", b.rule, before, after)
	}
	if b.exit == 2 && b.then == nil {
		claimsNothing(t, dir)
	}
	if b.then != nil {
		b.then(t, dir, out)
	}
}

// meet runs one command and holds what it does against the rules that every entry shares.
func (b badInput) meet(t *testing.T, score *badScore, dir string, args []string) string {
	code, stdout, stderr := b.execute(t, score, dir, args)
	all := stderr + stdout
	if code != b.exit {
		t.Errorf("%s\nfailproof %s: exit code %d, want %d\n%s", b.rule, strings.Join(args, " "), code, b.exit, short(all))
	}
	if code == 0 && b.exit != 0 {
		score.passes.Add(1)
	}
	for _, says := range b.says {
		if !saysIn(all, says) {
			t.Errorf("%s\nfailproof %s: says\n%swant %q in it", b.rule, strings.Join(args, " "), short(all), says)
		}
	}
	if code == 4 || strings.Contains(all, "goroutine ") || strings.Contains(all, "panic:") || strings.Contains(all, "fatal error:") {
		score.panics.Add(1)
		t.Errorf("failproof %s broke:\n%s", strings.Join(args, " "), short(all))
	}
	if strings.Contains(all, badCanary) {
		t.Errorf("failproof %s: the environment is in the output:\n%s", strings.Join(args, " "), short(all))
	}
	inert(t, all)
	if os.Getenv("BAD_SHOW") != "" {
		t.Logf("failproof %s\n%s", strings.Join(args, " "), short(all))
	}
	return all
}

// saysIn reports whether one line of out holds the parts of says, which … stands between, in their order.
func saysIn(out, says string) bool {
	for line := range strings.Lines(out) {
		found := true
		for part := range strings.SplitSeq(says, " … ") {
			_, line, found = strings.Cut(line, part)
			if !found {
				break
			}
		}
		if found {
			return true
		}
	}
	return false
}

// claimsNothing checks that a refused run left no results, and no report that says otherwise.
func claimsNothing(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"results.jsonl", "base.jsonl"} {
		if _, err := os.Lstat(filepath.Join(dir, ".failproof/out", name)); err == nil {
			t.Errorf("a refused run left %s", name)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, ".failproof/out/report.json"))
	if err == nil && !bytes.Contains(text, []byte(`"verdict": "invalid"`)) {
		t.Errorf("a refused run left a report that is not invalid:\n%s", short(string(text)))
	}
}

// onDisk lists what is below dir, all but the output, with kind, size and time of each file.
func onDisk(t *testing.T, dir string) string {
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".failproof" || entry.Name() == "o" { // where the entries' commands write
			return skipFolder(entry)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if !info.IsDir() {
			fmt.Fprintf(&out, "%q %s %d %s\n", path, info.Mode(), info.Size(), info.ModTime().Format(time.RFC3339Nano))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func skipFolder(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func short(text string) string {
	if len(text) > 4000 {
		return text[:3000] + "\n…\n" + text[len(text)-900:]
	}
	return text
}
