package main

import (
	"bufio"
	"bytes"
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

// mostGrowth limits how many times more often a block runs for a text twice as long: twice, plus a margin for
// logarithms and hash tables. A block that runs fewer than two times for each byte of the longest text is
// not limited.
const mostGrowth = 2.6

// To save time, the counters of together texts are added first. If a block of the sum is suspicious, each text is
// checked alone. The lower limit still finds one text with fourfold growth among eight, even with a tenth of the work.
const together, suspicious = 8, 2.2

// counted is the list for -coverpkg: the readers and the standard packages with which they loop over texts.
const counted = ".,../../internal/answer,../../internal/english,../../internal/label,../../internal/fact,../../internal/likeness,../../internal/literal,../../internal/score,../../internal/refusal,../../internal/risk,../../internal/expect,../../internal/text,../../internal/model,strings,slices"

func TestNoReaderTakesMoreThanLinearTime(t *testing.T) {
	if !fulltest.All() {
		for name, text := range hostile() {
			t.Run(name, func(*testing.T) { readAll(text(1 << 10)) }) // checks only that it ends without a panic
		}
		return
	}
	dir := t.TempDir()
	program, counters := filepath.Join(dir, "growth.exe"), filepath.Join(dir, "counters")
	run(t, exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "."))
	run(t, exec.Command(program, counters))
	names := slices.Sorted(maps.Keys(hostile()))
	first := filepath.Join(counters, names[0], strconv.Itoa(sizes[0]))
	run(t, exec.Command("go", "tool", "covdata", "pkglist", "-i="+first)) // builds the tool; -n only prints its path
	covdata := strings.TrimSpace(run(t, exec.Command("go", "tool", "-n", "covdata")))
	of := func(names []string) (out [len(sizes)]map[string]int) {
		for i, size := range sizes {
			var folders []string
			for _, name := range names {
				folders = append(folders, filepath.Join(counters, name, strconv.Itoa(size)))
			}
			out[i] = blocks(t, covdata, folders)
		}
		return out
	}
	for group := range slices.Chunk(names, together) {
		if len(grown(of(group), suspicious)) == 0 {
			continue
		}
		for _, name := range group {
			times := of([]string{name})
			for _, block := range grown(times, mostGrowth) {
				t.Errorf("%s: %s ran %d, %d and %d times for texts of %v bytes; expected at most %.1f times as often for a text twice as long",
					name, block, times[0][block], times[1][block], times[2][block], sizes, mostGrowth)
			}
		}
	}
}

// grown returns the blocks that ran more than most times as often for a text twice as long, in both steps. A block
// that first runs at some length does not count.
func grown(times [len(sizes)]map[string]int, most float64) (out []string) {
	for block, n := range times[2] {
		before, first := times[1][block], times[0][block]
		if n >= 2*sizes[2] && float64(n) > most*float64(before) && first > 0 && float64(before) > most*float64(first) {
			out = append(out, block)
		}
	}
	slices.Sort(out)
	return out
}

// blocks returns the sum of each block's counters in some folders.
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
		t.Fatalf("%v: %v\n%s%s", c.Args, err, out, stderr)
	}
	return string(out)
}
