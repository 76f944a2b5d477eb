package cli_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// told is what a command of parts came to, with all that it printed.
func (r *repo) told(args ...string) (code, calls int, out string) {
	r.t.Helper()
	o := r.command(args...)
	return o.code, o.calls, o.stdout + o.stderr
}

// chance answers a question with yes or no, always the same: of ten n are wrong where it holds the word.
func chance(word string, n uint32) func(string) string {
	return func(question string) string {
		h := fnv.New32a()
		h.Write([]byte(question))
		if strings.Contains(question, word) && h.Sum32()%10 < n {
			return "no"
		}
		return "yes"
	}
}

// divided is a change of a prompt that breaks some cases, adds one, removes another and leaves a suite as it is.
func divided(t *testing.T) *repo {
	r := newRepo(t, 40, modeltest.TextStep(chance("really", 2)))
	r.config("gate: { min_run_score: off, on_removed: warn }\nlimits: { max_calls: 2000 }")
	same := "version: 1\nmessages: [{ role: user, content: 'Same {{ name }}' }]\ncases:\n  - { id: one, vars: { name: one }, expected_response: 'yes', match: contains, trials: 3 }\n"
	r.write("suites/t.yaml", same)
	r.write("base/suites/t.yaml", same)
	r.asBase()
	r.suite("", "Is %s really right?", 41)
	r.write("suites/s.yaml", strings.Replace(r.read("suites/s.yaml"), "  - { id: c007, vars: { name: n007 }, expected_response: 'yes', match: contains }\n", "", 1))
	return r
}

// varying is what differs from run to run: how long answers took.
var varying = regexp.MustCompile(`"latency_(?:ms|seconds)": ?[0-9.e+-]+| (?:time|data-n)="[0-9.]+"|[0-9.]+ m?s\b|[^>]*<[a-z]+[^>]*>[0-9.]+ × slower</[a-z]+>`)

// files are those of a run, without what varies.
func (r *repo) files(folder string) map[string]string {
	r.t.Helper()
	out := map[string]string{}
	names, err := filepath.Glob(filepath.Join(r.dir, folder, "*.*"))
	if err != nil || len(names) == 0 {
		r.t.Fatalf("%s has no files, %v", folder, err)
	}
	for _, name := range names {
		out[filepath.Base(name)] = varying.ReplaceAllString(r.read(filepath.Join(folder, filepath.Base(name))), "")
	}
	return out
}

// shards asks all parts of a run, each into a folder of its own below shards.
func (r *repo) shards(of int, args ...string) {
	r.t.Helper()
	for n := 1; n <= of; n++ {
		at := []string{"run", "--shard", fmt.Sprintf("%d/%d", n, of), "--out", fmt.Sprintf("shards/%02d", n), "--no-cache", "--quiet"}
		if code, _, out := r.told(append(at, args...)...); code != cli.ExitPassed {
			r.t.Fatalf("shard %d of %d: exit code %d\n%s", n, of, code, out)
		}
	}
}

func TestTheMergeOfShardsIsTheRunThatWasNotDivided(t *testing.T) {
	t.Parallel()
	r := divided(t)
	flags := []string{"--base", "./base", "--scope", "all", "--run-id", "7", "--no-cache"}
	whole := r.run(flags...)
	want := r.files(".failproof/out")
	if whole.code != cli.ExitFailed || !strings.Contains(want["results.jsonl"], `"rerun_reason":"confirm"`) {
		t.Fatalf("exit code %d: the run was to fail, and to ask flipped cases again:\n%s", whole.code, whole.stderr)
	}
	for _, of := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(of), func(t *testing.T) {
			r.t = t
			if err := os.RemoveAll(filepath.Join(r.dir, "shards")); err != nil {
				t.Fatal(err)
			}
			before := len(r.server.Requests())
			r.shards(of, "--base", "./base", "--scope", "all")
			code, _, out := r.told(append([]string{"merge", "--quiet", "shards"}, flags...)...)
			if calls := len(r.server.Requests()) - before; code != whole.code || calls != whole.calls {
				t.Errorf("exit code %d after %d calls, want %d after %d\n%s", code, calls, whole.code, whole.calls, out)
			}
			got := r.files(".failproof/out")
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("%s differs:\n%s", name, firstDifference(want[name], got[name]))
				}
			}
		})
	}
}

// firstDifference shows where two texts part.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\nwant %.600s\ngot  %.600s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(b), len(a))
}

// versionNumber matches the version in the first line of a shard's file.
var versionNumber = regexp.MustCompile(`^(\{"failproof_shard":)\d+`)

func TestAShardThatIsMissingLeavesTheRunOpen(t *testing.T) {
	t.Parallel()
	merge := []string{"merge", "--base", "./base", "--scope", "all", "--no-cache", "--quiet"}
	for _, c := range []struct {
		rule string
		do   func(r *repo)
		code int
		says string
	}{
		{"all are there", func(*repo) {}, cli.ExitPassed, ""},
		{"one was killed before its end", func(r *repo) { r.gone("shards/02/shard.jsonl") }, cli.ExitUndecided, "shard 2 of 3 is missing: "},
		{"two were", func(r *repo) { r.gone("shards/01/shard.jsonl"); r.gone("shards/03/shard.jsonl") }, cli.ExitUndecided, "shards 1, 3 of 3 are missing: "},
		{"one was cut off on its way", func(r *repo) {
			text := r.read("shards/02/shard.jsonl")
			r.write("shards/02/shard.jsonl", text[:len(text)*2/3])
		}, cli.ExitUndecided, "shard 2 of 3 is missing: "},
		{"one came twice", func(r *repo) { r.write("shards/again/shard.jsonl", r.read("shards/02/shard.jsonl")) }, cli.ExitInput, "shard 2/3 is also in "},
		{"a line is there twice", func(r *repo) {
			lines := strings.SplitAfter(r.read("shards/02/shard.jsonl"), "\n")
			r.write("shards/02/shard.jsonl", strings.Join(append(lines[:2:2], lines[1:]...), ""))
		}, cli.ExitInput, "line 3: line 2 answers the same request"},
		{"a line is of another shard", func(r *repo) {
			one, two := strings.SplitAfter(r.read("shards/01/shard.jsonl"), "\n"), strings.SplitAfter(r.read("shards/02/shard.jsonl"), "\n")
			r.write("shards/02/shard.jsonl", strings.Join(append([]string{two[0], one[1]}, two[1:]...), ""))
		}, cli.ExitInput, "line 2: line 2 of "},
		{"one is of a later version", func(r *repo) {
			r.write("shards/02/shard.jsonl", versionNumber.ReplaceAllString(r.read("shards/02/shard.jsonl"), "${1}99"))
		}, cli.ExitInput, "its version is 99; this failproof reads "},
		{"one is of another run", func(r *repo) {
			r.suite("", "Is %s perhaps right?", 40)
			r.told("run", "--shard", "2/3", "--out", "shards/02", "--base", "./base", "--scope", "all", "--no-cache", "--quiet")
		}, cli.ExitInput, "a shard of another run"},
		{"all are of another run", func(r *repo) { r.suite("", "Is %s perhaps right?", 40) }, cli.ExitUndecided, "the shards asked something else"},
		{"a line was changed into nonsense", func(r *repo) {
			r.write("shards/02/shard.jsonl", strings.Replace(r.read("shards/02/shard.jsonl"), `"text":"yes"`, `"text":`, 1))
		}, cli.ExitInput, "02/shard.jsonl: line "},
		{"another file", func(r *repo) { r.write("shards/02/shard.jsonl", "{}\n") }, cli.ExitInput, "not a file that `failproof run --shard` wrote"},
		{"no file at all", func(r *repo) {
			for n := 1; n <= 3; n++ {
				r.gone(fmt.Sprintf("shards/%02d/shard.jsonl", n))
			}
		}, cli.ExitInput, "has no shard.jsonl"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 9, modeltest.TextStep(yes))
			r.config("gate: { min_run_score: off, max_unscored: 1 }")
			r.asBase()
			r.suite("", "Is %s really right?", 9)
			r.shards(3, "--base", "./base", "--scope", "all")
			c.do(r)
			code, calls, out := r.told(append(merge, "shards")...)
			if comment, err := os.ReadFile(filepath.Join(r.dir, ".failproof/out/comment.md")); err == nil {
				out += string(comment)
			}
			if code != c.code || !strings.Contains(out, c.says) || calls != 0 {
				t.Errorf("exit code %d after %d calls, want %d after none, and %q in\n%s", code, calls, c.code, c.says, out)
			}
		})
	}
}

func (r *repo) gone(name string) {
	r.t.Helper()
	if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
		r.t.Fatal(err)
	}
}

func TestAShardAsksItsShareAndNoMoreThanItsLimits(t *testing.T) {
	r := newRepo(t, 40, modeltest.TextStep(yes))
	r.config("limits: { max_calls: 20 }")
	for _, n := range []int{1, 2} {
		code, calls, out := r.told("run", "--shard", fmt.Sprintf("%d/2", n), "--out", fmt.Sprintf("shards/%d", n), "--no-cache", "--quiet")
		if code != cli.ExitPassed || calls != 0 || !strings.Contains(out, "was not completed: ") {
			t.Errorf("shard %d: exit code %d after %d calls, want none: the limits do not hold the whole run\n%s", n, code, calls, out)
		}
	}
	if code, calls, out := r.told("merge", "--no-cache", "--quiet", "shards"); code != cli.ExitUndecided || calls != 0 {
		t.Errorf("exit code %d after %d calls, want %d\n%s", code, calls, cli.ExitUndecided, out)
	}
	r.config("limits: { max_calls: 50 }")
	r.shards(4)
	if n := len(r.server.Requests()); n != 40 {
		t.Errorf("four shards asked %d times, want 40", n)
	}
}

func TestAShardHidesSecretsInWhatItWrites(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(func(string) string { return "yes, and my key is key-of-the-test" }))
	r.shards(1)
	if text := r.read("shards/01/shard.jsonl"); strings.Contains(text, "key-of-the-test") || !strings.Contains(text, "yes, and my key is") {
		t.Errorf("the file of the shard holds a secret, or nothing:\n%s", text)
	}
}

func TestAShardIsNamedAsAPartOfAll(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(yes))
	for _, bad := range []string{"0/2", "3/2", "2", "1/0", "1/257", "a/b", "1/2/3", "01/2"} {
		if code, _, out := r.told("run", "--shard", bad); code != cli.ExitInput || !strings.Contains(out, "--shard is ") {
			t.Errorf("--shard %s: exit code %d\n%s", bad, code, out)
		}
	}
}
