// Mutants changes one package in small ways, one at a time, and prints the changes that the package's own tests miss.
//
//	go run ./tools/mutants [-n 100] [-seed 1] [-timeout 60s] ./internal/config
//
// It negates conditions, swaps comparisons, && and ||, and returned true and false, adds 1 to integers, and deletes
// assignments, calls and the bodies of cases. Mutants that do not build are replaced by others. A mutant is killed if
// a test fails or does not end in time. Equal sources and flags give equal output.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// concurrency is the number of mutants that are built and tested concurrently.
const concurrency = 2

func main() {
	n := flag.Int("n", 100, "how many mutants to try")
	seed := flag.Uint64("seed", 1, "seed of the sample")
	timeout := flag.Duration("timeout", time.Minute, "time for the tests of one mutant")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "name one package, such as ./internal/config")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *n, *seed, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// target is the mutated package. The exported fields are those of `go list -json`.
type target struct {
	ImportPath string
	Dir        string
	GoFiles    []string

	tempDir string // a temporary folder
	timeout time.Duration
	sources map[string][]byte
}

// fate is the result of trying a mutant.
type fate int

const (
	unbuilt fate = iota
	killed
	survived
)

func run(out io.Writer, name string, n int, seed uint64, timeout time.Duration) error {
	t, mutants, err := load(name, timeout)
	if err != nil {
		return err
	}
	defer os.RemoveAll(t.tempDir)
	if f, err := t.try("unchanged", nil); err != nil || f != survived {
		return errors.Join(err, fmt.Errorf("%s: its tests fail without a change", t.ImportPath))
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(mutants),
		func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	count := map[fate]int{}
	var survivors []mutant
	for rest := mutants; len(rest) > 0 && count[killed]+count[survived] < n; {
		batch := rest[:min(len(rest), n-count[killed]-count[survived])]
		rest = rest[len(batch):]
		fates, err := t.tryAll(batch)
		if err != nil {
			return err
		}
		for i, f := range fates {
			count[f]++
			if f == survived {
				survivors = append(survivors, batch[i])
			}
		}
	}
	slices.SortFunc(survivors, func(a, b mutant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start),
			cmp.Compare(a.replacement, b.replacement))
	})
	for _, m := range survivors {
		fmt.Fprintf(out, "%s:%d: %s\n", m.file, m.line, m.description)
	}
	tried := count[killed] + count[survived]
	fmt.Fprintf(out, "%d of %d mutants killed (%.0f %%), sampled from %d; %d more did not build\n",
		count[killed], tried, 100*float64(count[killed])/float64(max(tried, 1)), len(mutants), count[unbuilt])
	return nil
}

// load finds the package and its mutants. File names are relative to the working folder if that is shorter.
func load(name string, timeout time.Duration) (*target, []mutant, error) {
	listed, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles", name).Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", name, err)
	}
	t := &target{timeout: timeout, sources: map[string][]byte{}}
	if err := json.Unmarshal(listed, t); err != nil {
		return nil, nil, fmt.Errorf("name one package: %w", err)
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	var mutants []mutant
	for _, file := range t.GoFiles {
		path := filepath.Join(t.Dir, file)
		if short, err := filepath.Rel(cwd, path); err == nil && len(short) < len(path) {
			path = short
		}
		if t.sources[path], err = os.ReadFile(path); err != nil {
			return nil, nil, err
		}
		found, err := mutantsOf(filepath.ToSlash(path), t.sources[path])
		if err != nil {
			return nil, nil, err
		}
		mutants = append(mutants, found...)
	}
	t.tempDir, err = os.MkdirTemp("", "mutants-")
	return t, mutants, err
}

// tryAll tries mutants, concurrency of them concurrently.
func (t *target) tryAll(mutants []mutant) ([]fate, error) {
	fates, errs := make([]fate, len(mutants)), make([]error, len(mutants))
	next := make(chan int)
	var working sync.WaitGroup
	for worker := range concurrency {
		working.Go(func() {
			for i := range next {
				fates[i], errs[i] = t.try(fmt.Sprint(worker), &mutants[i])
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	working.Wait()
	return fates, errors.Join(errs...)
}

// try builds and runs the package's tests with a mutant in a folder. A nil mutant means the unchanged package.
func (t *target) try(folder string, m *mutant) (fate, error) {
	dir := filepath.Join(t.tempDir, folder)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return unbuilt, err
	}
	defer os.RemoveAll(dir)
	program, overlay := filepath.Join(dir, "tests.exe"), filepath.Join(dir, "overlay.json")
	if err := t.writeOverlay(dir, overlay, m); err != nil {
		return unbuilt, err
	}
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, t.ImportPath)
	build.Dir = t.Dir
	if message, err := build.CombinedOutput(); err != nil {
		if m == nil {
			return unbuilt, fmt.Errorf("build the tests of %s: %w\n%s", t.ImportPath, err, bytes.TrimSpace(message))
		}
		return unbuilt, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.timeout)
	defer cancel()
	tests := exec.CommandContext(ctx, program, "-test.failfast")
	tests.Dir, tests.Env = t.Dir, append(os.Environ(), "TMPDIR="+dir)
	tests.WaitDelay = time.Second // a process that a test started may keep the output open
	if tests.Run() != nil {
		return killed, nil
	}
	return survived, nil
}

// writeOverlay writes the mutated file and the overlay for go build that replaces the original by it.
func (t *target) writeOverlay(dir, overlay string, m *mutant) error {
	replace := map[string]string{}
	if m != nil {
		original, err := filepath.Abs(filepath.FromSlash(m.file))
		if err != nil {
			return err
		}
		changed := filepath.Join(dir, "mutant.go")
		if err := os.WriteFile(changed, m.apply(t.sources[filepath.FromSlash(m.file)]), 0o666); err != nil {
			return err
		}
		replace[original] = changed
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(overlay, text, 0o666)
}
