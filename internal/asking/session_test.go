package asking_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// live are the files of a suite that a live target answers, with keys that its target has besides.
func live(keys string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: live\ntargets:\n" +
			"  live: { provider: openai, model: small, base_url: \"http://127.0.0.1:1\"" + keys + " }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n" +
			"  - { id: a, expected_response: open, match: contains }\n  - { id: b, expected_response: open, match: contains }\n",
		"p.md": "Is it open?\n",
	}
}

// use opens the session of a run, passes its cache to do, and closes it. It returns the messages of the warnings.
func use(t *testing.T, in sides.Inputs, do func(model.Journal)) (said []string) {
	t.Helper()
	s, err := sides.Read(in)
	if err != nil || s.Selected == nil {
		t.Fatalf("%v, faults %v", err, s.Faults)
	}
	session, warnings := asking.OpenSession(s)
	do(session.Journal())
	for _, w := range append(warnings, session.Close()...) {
		if said = append(said, w.Message); w.Code != "journal" {
			t.Errorf("a warning has the code %s", w.Code)
		}
	}
	return said
}

// keep keeps an answer in the cache of a run.
func keep(t *testing.T, in sides.Inputs, key string, text model.Untrusted) {
	t.Helper()
	if said := use(t, in, func(cache model.Journal) {
		cache.Store(model.JournalKey{Request: key}, model.Request{}, model.Response{Text: text})
	}); len(said) > 0 {
		t.Errorf("warnings %q", said)
	}
}

// find returns the answer that a run finds in its cache, or "".
func find(t *testing.T, in sides.Inputs, key string) (text model.Untrusted) {
	t.Helper()
	use(t, in, func(cache model.Journal) {
		got, _ := cache.Find(model.JournalKey{Request: key})
		text = got.Text
	})
	return text
}

func TestAnswersOfLiveTargetsAreKeptForTheNextRun(t *testing.T) {
	const secret = "canary-4f1d9b7e"
	in := runtest.Inputs(t, live(", api_key_env: MODEL_KEY"), nil, map[string]string{"MODEL_KEY": secret})
	in.Cache = ""
	keep(t, in, "1", "it is open")
	keep(t, in, "2", "it is "+secret)
	if find(t, in, "1") != "it is open" || find(t, in, "2") != "" {
		t.Errorf("found %q, and with a key %q", find(t, in, "1"), find(t, in, "2"))
	}
	fork, elsewhere, afresh := in, in, in
	fork.Fork, fork.Base = true, in.Head
	elsewhere.Cache = "cache"
	afresh.Afresh = true
	for rule, other := range map[string]sides.Inputs{"a fork's run": fork, "one with a folder of its own": elsewhere, "one that asks afresh": afresh} {
		if got := find(t, other, "1"); got != "" {
			t.Errorf("%s: found %q", rule, got)
		}
	}
	keep(t, fork, "1", "it is forged")
	if got := find(t, in, "1"); got != "it is open" {
		t.Errorf("after a fork's run: found %q", got)
	}
	keep(t, afresh, "1", "it is shut")
	if got := find(t, in, "1"); got != "it is shut" {
		t.Errorf("what was asked for afresh does not replace the former answer: found %q", got)
	}
}

// A cache that the judged change may have written, or that cannot be used, is none.
func TestWhereThereIsNoCache(t *testing.T) {
	commit := func(dir, name string) {
		write(t, dir, name, "kept\n")
		for _, args := range [][]string{{"init", "-q"}, {"add", "-f", name}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "cache"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = dir
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %q: %v\n%s", args, err, said)
			}
		}
	}
	recorded := live("").Merge(runtest.Files{"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\ntargets:\n  kept: { provider: recorded, path: r.jsonl }\n"})
	for _, c := range []struct {
		rule  string
		files runtest.Files
		cache string
		make  func(dir string)
		says  string
	}{
		{"nothing is live", recorded, "", nil, ""},
		{"it is off", live(""), sides.NoCache, nil, ""},
		{"the change contains it", live(""), "", func(dir string) { commit(dir, ".failproof/cache/trusted/2026-01.journal") },
			"the change contains a response cache in .failproof/cache, which is not used; no answer is cached"},
		{"the repository cannot be read", live(""), "", func(dir string) {
			commit(dir, "other")
			objects, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "??", "*"))
			for _, at := range objects {
				err = errors.Join(err, os.Remove(at), os.WriteFile(at, []byte("damaged"), 0o666))
			}
			if err != nil || len(objects) == 0 {
				t.Error(objects, err)
			}
		}, "whether the change contains a response cache in .failproof/cache cannot be told: "},
		{"its folder is a file", live(""), "out", func(dir string) { write(t, dir, "out", "") }, "answers are not cached: "},
		{"its folder is elsewhere", live(""), "../cache", nil, "answers are not cached: "},
		{"it cannot be opened", live(""), "cache", func(dir string) { write(t, dir, "cache/trusted", "") }, "answers are not cached: "},
	} {
		in := runtest.Inputs(t, c.files, nil, nil)
		in.Cache = c.cache
		if c.make != nil {
			c.make(in.Dir)
		}
		said := use(t, in, func(cache model.Journal) {
			if cache != nil {
				t.Errorf("%s: there is one", c.rule)
			}
		})
		if len(said) > 1 || (len(said) == 1) != (c.says != "") || c.says != "" && !strings.HasPrefix(said[0], c.says) {
			t.Errorf("%s: warnings %q", c.rule, said)
		}
	}
}

func TestADamagedCacheIsToldAtTheEnd(t *testing.T) {
	in := runtest.Inputs(t, live(""), nil, nil)
	in.Cache = "cache"
	keep(t, in, "1", "it is open")
	files, err := filepath.Glob(filepath.Join(in.Dir, "cache", "trusted", "*.journal"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], slices.Concat(text[:len(text)-10], []byte("?????\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := use(t, in, func(model.Journal) {}); len(said) != 1 || !strings.Contains(said[0], "damaged") {
		t.Errorf("warnings %q", said)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
