package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
)

// mostGrowth is how many times more often a block may run for a text twice as long: twice, and what a logarithm and hash tables add. A block
// that runs less often than the text has bytes may grow as it likes.
const mostGrowth = 2.6

// The counters of so many texts are added up at first, as reading them takes longer than the texts do; where a block of theirs is suspicious, each
// text is looked at. Beside seven texts for which a block's work doubles, one shows for which it grows fourfold, and be it a tenth of all.
const together, suspicious = 8, 2.2

// counted is the package's list for -coverpkg: the readers, and what of the standard library loops over texts for them.
const counted = ".,../../internal/english,../../internal/label,../../internal/fact,../../internal/likeness,../../internal/literal,../../internal/score,../../internal/refusal,../../internal/risk,../../internal/expect,../../internal/text,../../internal/model,strings,slices"

func TestNoReaderTakesMoreThanLinearTime(t *testing.T) {
	if !fulltest.Wanted() {
		for name, text := range hostile() {
			t.Run(name, func(*testing.T) { read(text(1 << 10)) }) // none ends the program, nor hangs
		}
		return
	}
	dir := t.TempDir()
	program, counters := filepath.Join(dir, "growth.exe"), filepath.Join(dir, "counters")
	run(t, exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "."))
	run(t, exec.Command(program, counters))
	covdata := strings.TrimSpace(run(t, exec.Command("go", "tool", "-n", "covdata")))
	of := func(names []string, size int) map[string]int {
		var folders []string
		for _, name := range names {
			folders = append(folders, filepath.Join(counters, name, strconv.Itoa(size)))
		}
		return blocks(t, covdata, folders)
	}
	names := slices.Sorted(maps.Keys(maps.Collect(hostile())))
	for group := range slices.Chunk(names, together) {
		if half, whole := of(group, sizes[1]), of(group, sizes[2]); len(grown(half, whole, suspicious)) == 0 {
			continue
		}
		for _, name := range group {
			quarter, half, whole := of([]string{name}, sizes[0]), of([]string{name}, sizes[1]), of([]string{name}, sizes[2])
			for _, block := range grown(half, whole, mostGrowth) {
				// A block that begins to run at some length alone does not grow.
				if quarter[block] > 0 && float64(half[block]) > mostGrowth*float64(quarter[block]) {
					t.Errorf("%s: %s ran %d, %d and %d times for texts of %v bytes; expected at most %.1f times as often for a text twice as long",
						name, block, quarter[block], half[block], whole[block], sizes, mostGrowth)
				}
			}
		}
	}
}

// grown are the blocks that ran more than so many times as often for the whole of a text as for half of it, and often enough to matter.
func grown(half, whole map[string]int, times float64) (out []string) {
	for block, n := range whole {
		if n >= sizes[2] && float64(n) > times*float64(half[block]) {
			out = append(out, block)
		}
	}
	slices.Sort(out)
	return out
}

// blocks returns how often each block ran by the counters in some folders, added up.
func blocks(t *testing.T, covdata string, folders []string) map[string]int {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	run(t, exec.Command(covdata, "textfmt", "-i="+strings.Join(folders, ","), "-o="+profile))
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // file:from,to statements times
		if len(fields) != 3 {
			continue
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("%s: %q: %v", profile, lines.Text(), err)
		}
		out[fields[0]] += n
	}
	if len(out) == 0 {
		t.Fatalf("%v: no block was counted", folders)
	}
	return out
}

func run(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.Output()
	if err != nil {
		var stderr []byte
		if failed, ok := err.(*exec.ExitError); ok {
			stderr = failed.Stderr
		}
		t.Fatal(fmt.Sprintf("%v: %v\n%s%s", c.Args, err, out, stderr))
	}
	return string(out)
}
