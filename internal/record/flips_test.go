package record_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/source"
)

// closed answers that the first is closed if the prompt is the head's, and that all else is open.
func closed(question string) string {
	if strings.Contains(question, "first really") {
		return "it is closed"
	}
	return "it is open"
}

// reruns returns how many reruns of each side a recording holds.
func reruns(text string) (base, head int) {
	return strings.Count(text, `"fresh":"base"`), strings.Count(text, `"fresh":"head"`)
}

func TestAFlipIsRerunOnBothSidesUntilItIsCertain(t *testing.T) {
	for _, c := range []struct {
		rule   string
		wrong  int // answers to the new prompt
		rounds int
	}{{"a prompt that breaks it", 100, 7}, {"a model that errs once", 1, 3}} {
		var turn atomic.Int32
		in, server := onBranch(t, files, func(question string) string {
			if strings.Contains(question, "first really") && int(turn.Add(1)) > c.wrong {
				return "it is open"
			}
			return closed(question)
		})
		before := len(server.Requests())
		out, text, err := recorded(t, in)
		base, head := reruns(text)
		if err != nil || out.Suites[0].Settled != 1 || base != c.rounds || head != c.rounds || len(out.Unresolved) > 0 ||
			len(server.Requests())-before != 2+2*c.rounds {
			t.Errorf("%s: %+v, %v, %d and %d reruns, %d calls", c.rule, out, err, base, head, len(server.Requests())-before)
		}
		for round := range 8 {
			if n := strings.Count(text, fmt.Sprintf(`"trial":%d,`, round+1)); (n >= 2) != (round < c.rounds) {
				t.Errorf("%s: round %d has %d lines", c.rule, round+1, n)
			}
		}
		if out.Added < len(text)/2 {
			t.Errorf("%s: the recordings have %d bytes and grew by %d", c.rule, len(text), out.Added)
		}
		before = len(server.Requests())
		reopen(t, &in)
		in.Against.Head = in.Inputs.Head
		if out, again, err := recorded(t, in); err != nil || again != text || len(out.Suites) > 0 || len(server.Requests()) > before {
			t.Errorf("%s, once more: %+v, %v, %d calls", c.rule, out, err, len(server.Requests())-before)
		}
	}
}

// If the answers are recorded already, and only the judge is called, a flip is rerun too.
func TestAFlipByANewVerdictIsRerunOnBothSides(t *testing.T) {
	in, _ := onBranch(t, judged, func(question string) string {
		if strings.Contains(question, "[CRITERION") {
			return modeltest.ContainsVerdict(modeltest.ParseQuestion(question))
		}
		return closed(question)
	})
	against := in.Against
	in.Against = nil
	_, text, err := recorded(t, in)
	if err != nil {
		t.Fatal(err)
	}
	write(t, in, "recordings/s.jsonl", withoutVerdicts(text))
	reopen(t, &in)
	in.Against = against
	in.Against.Head = in.Inputs.Head
	out, text, err := recorded(t, in)
	if base, head := reruns(text); err != nil || out.Suites[0].Graded != 2 || out.Suites[0].Settled != 1 || base != 7 || head != 7 {
		t.Errorf("%+v, %v, %d and %d reruns", out, err, base, head)
	}
}

// withoutVerdicts returns a recording without the judge's verdicts.
func withoutVerdicts(text string) string {
	return regexp.MustCompile(`,"verdicts":\[[^\]]*\]`).ReplaceAllString(text, "")
}

// judged are files whose cases have a criterion each.
func judged(address string) runtest.Files {
	out := files(address)
	out["s.yaml"] = strings.ReplaceAll(out["s.yaml"], "expected_response: open, match: contains", `rubric: ['Says "open"']`)
	out["failproof.yml"] = strings.Replace(out["failproof.yml"], "  live:", "  judge: { provider: openai, model: judge, base_url: \""+address+"\" }\n  live:", 1) +
		"judges: { default: { target: judge } }\n"
	return out
}

// twoTargets are files of two suites, s and t, each with recordings of its own live target.
func twoTargets(address string) runtest.Files {
	out := files(address)
	out["t.yaml"] = strings.Replace(out["s.yaml"], "id: s\n", "id: t\ntarget: others\n", 1)
	out["failproof.yml"] = strings.NewReplacer("[s.yaml]", "[s.yaml, t.yaml]", "recorded, path", "recorded, records: live, path").Replace(out["failproof.yml"]) +
		"  others: { provider: recorded, records: other, path: \"recordings/{suite}.jsonl\" }\n" +
		"  other: { provider: openai, model: large, base_url: \"" + address + "\" }\n"
	return out
}

func TestAFlipOfAnotherTargetThanTheNamedOneIsNotRerun(t *testing.T) {
	in, server := onBranch(t, twoTargets, closed)
	in.NoReruns = true
	if _, text, err := recorded(t, in); err != nil || strings.Contains(text, "fresh") {
		t.Fatalf("%v, recorded\n%s", err, text)
	}
	reopen(t, &in)
	in.Against.Head = in.Inputs.Head
	in.NoReruns, in.Target = false, "other"
	before := len(server.Requests())
	out, text, err := recorded(t, in)
	if err != nil || len(out.Suites) != 1 || out.Suites[0].File != "t.yaml" || out.Suites[0].Settled != 1 || strings.Contains(text, "fresh") {
		t.Errorf("%+v, %v, recorded\n%s", out, err, text)
	}
	for _, asked := range server.Requests()[before:] {
		if !strings.Contains(string(asked.Body), `"large"`) {
			t.Errorf("another target was asked: %s", asked.Body)
		}
	}
}

func TestASuiteOfALiveTargetAndOfItsRecordingsHasItsFlipsRerun(t *testing.T) {
	for _, targets := range []string{"[live, kept]", "[kept, live]"} {
		in, _ := onBranch(t, func(address string) runtest.Files {
			return files(address).Merge(runtest.Files{"s.yaml": "targets: " + targets + "\n" + files("")["s.yaml"]})
		}, closed)
		out, text, err := recorded(t, in)
		if base, head := reruns(text); err != nil || out.Suites[0].Settled != 1 || base != 7 || head != 7 {
			t.Errorf("%s: %+v, %v, %d and %d reruns", targets, out, err, base, head)
		}
	}
}

func TestACancelledRecordingNamesWhatItWroteAndTheFlipsThatItLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := onBranch(t, func(address string) runtest.Files {
		out := files(address)
		out["failproof.yml"] = strings.Replace(out["failproof.yml"], "patience", "concurrency: 1, patience", 1)
		return out
	}, func(question string) string {
		if strings.Contains(question, "second really") {
			cancel() // after the last first answer
		}
		return closed(question)
	})
	out, err := record.Record(ctx, in, asking.Sinks{Say: func(string, ...any) {}, Bugs: &fault.Bugs{}})
	if err != nil || len(out.Suites) != 1 || out.Suites[0].Answers != 2 || out.Suites[0].Lost > 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if len(out.Unresolved) != 1 || out.Unresolved[0].CaseID != "a" || !strings.Contains(string(out.Unresolved[0].Why), "cancel") {
		t.Errorf("the flips that are left are %+v", out.Unresolved)
	}
}

func TestARecordingHoldsNoKeyOfTheBase(t *testing.T) {
	const key = "canary-4f1d9b7e"
	var echoes atomic.Bool // the application says its key
	in, server := onBranch(t, files, func(question string) string {
		if echoes.Load() && !strings.Contains(question, "really") {
			return "it is open, says " + key
		}
		return closed(question)
	})
	echoes.Store(true)
	in.Inputs.Getenv = func(name string) string { return map[string]string{"OLD_KEY": key}[name] }
	in.Against.Getenv = in.Inputs.Getenv
	base := runtest.Folder(t, runtest.Files{})
	if err := os.CopyFS(base, in.Against.Base); err != nil {
		t.Fatal(err)
	}
	keyed := strings.Replace(files(server.URL)["failproof.yml"], "patience", "api_key_env: OLD_KEY, patience", 1)
	if err := os.WriteFile(filepath.Join(base, "failproof.yml"), []byte(keyed), 0o666); err != nil {
		t.Fatal(err)
	}
	var err error
	if in.Against.Base, err = source.Worktree(base); err != nil {
		t.Fatal(err)
	}
	_, text, err := recorded(t, in)
	if base, _ := reruns(text); err != nil || base == 0 || strings.Contains(text, key) {
		t.Errorf("%v, recorded\n%s", err, text)
	}
	kept, cached := 0, os.DirFS(filepath.Join(in.Inputs.Dir, filepath.FromSlash(output.DefaultCache)))
	err = fs.WalkDir(cached, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(cached, name)
		if kept++; strings.Contains(string(text), key) {
			t.Errorf("the cache holds the key in %s", name)
		}
		return err
	})
	if err != nil || kept == 0 {
		t.Errorf("%v, %d files in the cache", err, kept)
	}
}

// changeBase changes a file of the base.
func changeBase(t *testing.T, in *record.Inputs, name, old, changed string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, in.Against.Base); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%v, %s lacks %q:\n%s", err, name, old, text)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(string(text), old, changed, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if in.Against.Base, err = source.Worktree(dir); err != nil {
		t.Fatal(err)
	}
}

// askedFor returns the models that a server was asked for, and how often.
func askedFor(server *modeltest.Server, before int) map[string]int {
	out := map[string]int{}
	for _, asked := range server.Requests()[before:] {
		out[regexp.MustCompile(`"model":"(.*?)"`).FindStringSubmatch(string(asked.Body))[1]]++
	}
	return out
}

func TestWhoseTargetIsAsked(t *testing.T) {
	for _, c := range []struct {
		rule         string
		old, changed string // of the base's configuration
		headRules    bool
		want         map[string]int // calls by model: two first answers, then seven reruns a side
	}{
		{"by the head's rules the base's own live target answers its reruns", "small", "old", true, map[string]int{"small": 9, "old": 7}},
		{"else the base's answers everything", "  live: { provider: openai, model: small", "  past: { provider: openai, model: past", false, map[string]int{"past": 16}},
		{"the base's answers are rerun by the target that they are recorded from", "default_target: kept", "default_target: taped", true, map[string]int{"small": 9, "past": 7}},
		{"without a live target of the base the head's answers", "  live: {", "  live: { provider: echo }\n  unused: {", true, map[string]int{"small": 16}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in, server := onBranch(t, files, closed)
			if strings.Contains(c.changed, "taped") {
				changeBase(t, &in, "recordings/s.jsonl", `"name":"live","provider":"openai","model":"small"`, `"name":"past","provider":"openai","model":"past"`)
				changeBase(t, &in, "failproof.yml", "  live:", "  past: { provider: openai, model: past, base_url: \""+server.URL+"\" }\n"+
					"  taped: { provider: recorded, records: past, path: \"recordings/{suite}.jsonl\" }\n  live:")
			}
			changeBase(t, &in, "failproof.yml", c.old, c.changed)
			in.HeadRules = c.headRules
			before := len(server.Requests())
			out, text, err := recorded(t, in)
			if got := askedFor(server, before); err != nil || !maps.Equal(got, c.want) {
				t.Errorf("%+v, %v, asked %v, want %v\n%s", out, err, got, c.want, text[:min(len(text), 400)])
			}
		})
	}
}

func TestWhatDoesNotCountAsAFlipIsNotRerun(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(*testing.T, *record.Inputs)
	}{
		{"of a case that is new", func(t *testing.T, in *record.Inputs) { changeBase(t, in, "s.yaml", "id: a", "id: gone") }},
		{"of a case without an answer on the base", func(t *testing.T, in *record.Inputs) {
			changeBase(t, in, "recordings/s.jsonl", `"case_id":"a"`, `"case_id":"gone"`)
		}},
		{"of a quarantined case", func(t *testing.T, in *record.Inputs) {
			changeBase(t, in, "failproof.yml", "version: 1\n", "version: 1\ngate: { quarantine: [{ id: s/a, reason: flaky, expires: 2999-01-01 }] }\n")
		}},
	} {
		in, server := onBranch(t, files, closed)
		c.change(t, &in)
		before := len(server.Requests())
		out, text, err := recorded(t, in)
		if err != nil || len(server.Requests())-before != 2 || strings.Contains(text, "fresh") || len(out.Unresolved) > 0 {
			t.Errorf("%s: %+v, %v, %d calls", c.rule, out, err, len(server.Requests())-before)
		}
	}
}

func TestAFlipIsFoundUnderTheNewNameOfItsCase(t *testing.T) {
	for rule, change := range map[string]func(*testing.T, record.Inputs){
		"the suite is renamed": func(t *testing.T, in record.Inputs) {
			write(t, in, "s.yaml", strings.Replace(files("")["s.yaml"], "id: s\n", "id: t\n", 1))
			write(t, in, "recordings/t.jsonl", "")
		},
		"the case is in another suite": func(t *testing.T, in record.Inputs) {
			const cases = "cases:\n"
			first, second, _ := strings.Cut(files("")["s.yaml"][strings.Index(files("")["s.yaml"], cases)+len(cases):], "\n")
			config, err := os.ReadFile(filepath.Join(in.Inputs.Dir, "failproof.yml"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, in, "failproof.yml", strings.Replace(string(config), "[s.yaml]", "[s.yaml, t.yaml]", 1))
			write(t, in, "s.yaml", "version: 1\nid: s\nprompt: p.md\ncases:\n"+second)
			write(t, in, "t.yaml", "version: 1\nid: t\nprompt: p.md\ncases:\n"+first+"\n")
		},
		"the case is renamed": func(t *testing.T, in record.Inputs) {
			write(t, in, "s.yaml", strings.Replace(files("")["s.yaml"], "id: a", "id: new", 1))
		},
	} {
		in, _ := onBranch(t, files, closed)
		change(t, in)
		reopen(t, &in)
		in.Against.Head = in.Inputs.Head
		out, _, err := recorded(t, in)
		if err != nil || len(out.Suites) == 0 {
			t.Fatalf("%s: %+v, %v", rule, out, err)
		}
		last := out.Suites[len(out.Suites)-1]
		text, err := os.ReadFile(filepath.Join(in.Inputs.Dir, last.Path))
		if base, head := reruns(string(text)); err != nil || last.Settled != 1 || base != 7 || head != 7 {
			t.Errorf("%s: %+v, %v, %d and %d reruns", rule, out, err, base, head)
		}
	}
}

// With too many flips not even eight reruns of each would be certain.
func TestNothingIsRerunIfNothingCouldBeCertain(t *testing.T) {
	many := func(address string) runtest.Files {
		out := files(address)
		for i := range 200 {
			out["s.yaml"] += fmt.Sprintf("  - { id: c%d, vars: { q: first %d }, expected_response: open, match: contains }\n", i, i)
		}
		return out
	}
	in, server := onBranch(t, many, func(question string) string {
		if strings.Contains(question, "really") {
			return "it is closed"
		}
		return "it is open"
	})
	before := len(server.Requests())
	out, text, err := recorded(t, in)
	if err != nil || out.Suites[0].Answers != 202 || out.Suites[0].Settled > 0 || strings.Contains(text, "fresh") || len(server.Requests()) != before+202 {
		t.Errorf("%+v, %v, %d calls", out, err, len(server.Requests())-before)
	}
}

// What a run asks live is recorded too, and no flip of it is looked for: the run asks again by itself.
func TestALiveSuiteIsNotRerun(t *testing.T) {
	in, server := onBranch(t, func(address string) runtest.Files {
		out := files(address)
		out["failproof.yml"] = strings.Replace(out["failproof.yml"], "[s.yaml]", "[s.yaml, t.yaml]", 1)
		out["t.yaml"] = strings.Replace(out["s.yaml"], "id: s\n", "id: t\ntarget: live\n", 1)
		return out
	}, closed)
	before := len(server.Requests())
	out, _, err := recorded(t, in)
	if calls := len(server.Requests()) - before; err != nil || len(out.Suites) != 2 || out.Suites[0].Settled != 1 || out.Suites[1].Settled > 0 || calls != 4+2*7 {
		t.Errorf("%+v, %v, %d calls", out, err, calls)
	}
}
