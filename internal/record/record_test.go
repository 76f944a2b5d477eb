package record_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// files are a suite of two cases that is answered from recordings, with a live target at the address.
func files(address string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\ntargets:\n  kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", patience: 1ms }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n" +
			"  - { id: a, vars: { q: first }, expected_response: open, match: contains }\n  - { id: b, vars: { q: second }, expected_response: open, match: contains }\n",
		"p.md": "Is the {{ q }} open?\n",
	}
}

// recorded records a head, and returns what its recordings hold then.
func recorded(t *testing.T, in record.Inputs) (record.Result, string, error) {
	t.Helper()
	out, err := record.Record(t.Context(), in, asking.Sinks{Say: func(string, ...any) {}, Bugs: &fault.Bugs{}})
	if faults, ok := errors.AsType[document.Faults](err); ok {
		t.Fatalf("faults %v", faults)
	}
	text, missing := os.ReadFile(filepath.Join(in.Inputs.Dir, "recordings", "s.jsonl"))
	if missing != nil && !errors.Is(missing, os.ErrNotExist) {
		t.Fatal(missing)
	}
	return out, string(text), err
}

func TestAnswersThatHoldAreNotAskedForAgain(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	out, text, err := recorded(t, in)
	if err != nil || len(out.Suites) != 1 || out.Suites[0].Answers != 2 || strings.Count(text, "\n") != 3 || out.Added != len(text) || len(server.Requests()) != 2 {
		t.Fatalf("%+v, %v, %d calls:\n%s", out, err, len(server.Requests()), text)
	}
	reopen(t, &in)
	again, same, err := recorded(t, in)
	if err != nil || again.Kept != 2 || same != text || len(server.Requests()) != 2 {
		t.Errorf("once more: %+v, %v, %d calls:\n%s", again, err, len(server.Requests()), same)
	}
	write(t, in, "s.yaml", strings.Replace(files("")["s.yaml"], "second", "third", 1))
	reopen(t, &in)
	changed, other, err := recorded(t, in)
	first, _, _ := strings.Cut(text, "\n")
	if err != nil || changed.Kept != 1 || len(server.Requests()) != 3 || !strings.HasPrefix(other, first+"\n") || other == text {
		t.Errorf("one case changed: %+v, %v, %d calls:\n%s", changed, err, len(server.Requests()), other)
	}
}

// An answer that was recorded again replaces the one in the response cache.
func TestAnAnswerRecordedAgainReplacesTheCachedOne(t *testing.T) {
	turn := 0
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { turn++; return fmt.Sprintf("open %d", turn) }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	write(t, in, "failproof.yml", strings.Replace(files(server.URL)["failproof.yml"], "patience", "concurrency: 1, patience", 1))
	in.Inputs.Cache = ""
	var text string
	for _, c := range []struct {
		again bool
		want  string
		calls int
	}{{false, "open 1", 2}, {true, "open 3", 4}, {false, "open 3", 4}} {
		head, err := source.Worktree(in.Inputs.Dir)
		if err != nil {
			t.Fatal(err)
		}
		in.Inputs.Head, in.Inputs.Afresh = head, c.again
		if _, text, err = recorded(t, in); err != nil || !strings.Contains(text, c.want) || len(server.Requests()) != c.calls {
			t.Fatalf("%+v: %v, %d calls:\n%s", c, err, len(server.Requests()), text)
		}
		if c.again {
			write(t, in, "recordings/s.jsonl", "")
		}
	}
}

// Cases that swap their names, or get another one, keep their answers: nobody is asked.
func TestARecordedAnswerFollowsItsCase(t *testing.T) {
	for rule, swap := range map[string]*strings.Replacer{
		"two swap their names": strings.NewReplacer("id: a", "id: b", "id: b", "id: a"),
		"one is renamed":       strings.NewReplacer("id: b", "id: c"),
	} {
		server := modeltest.Serve(t, modeltest.TextStep(func(question string) string { return "open: " + question }))
		in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
		in.Inputs.Cache = "" // without the cache all would be asked anew
		_, text, err := recorded(t, in)
		if err != nil {
			t.Fatal(err)
		}
		write(t, in, "s.yaml", swap.Replace(files("")["s.yaml"]))
		reopen(t, &in)
		_, renamed, err := recorded(t, in)
		names := strings.NewReplacer(`"case_id":"a"`, `id: a`, `"case_id":"b"`, `id: b`)
		want := strings.NewReplacer("id: a", `"case_id":"a"`, "id: b", `"case_id":"b"`, "id: c", `"case_id":"c"`).Replace(swap.Replace(names.Replace(text)))
		if err != nil || renamed != want || len(server.Requests()) != 2 {
			t.Errorf("%s: %v, %d calls, recorded\n%s\nwant\n%s", rule, err, len(server.Requests()), renamed, want)
		}
	}
}

// A suite that lists a live target and the recorded target with its answers is asked once.
func TestALiveTargetBesideItsRecordingsIsAskedOnce(t *testing.T) {
	for _, target := range []string{"", "live"} {
		server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
		in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil), Target: target}
		write(t, in, "s.yaml", "targets: [live, kept]\n"+files("")["s.yaml"])
		reopen(t, &in)
		if _, text, err := recorded(t, in); err != nil || strings.Count(text, "case_id") != 2 || len(server.Requests()) != 2 {
			t.Errorf("--target %q: %v, %d calls:\n%s", target, err, len(server.Requests()), text)
		}
	}
}

// With more trials, only the trials without a recorded answer are asked for, and the reruns of the case stay.
func TestARecordedTrialIsNotAskedForAgain(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	_, text, err := recorded(t, in)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(text, "\n")
	kept := first + "\n" + strings.Replace(first, `"request_key"`, `"fresh":"head","request_key"`, 1) + "\n"
	write(t, in, "recordings/s.jsonl", strings.Replace(text, first+"\n", kept, 1))
	write(t, in, "s.yaml", "trials: 2\n"+files("")["s.yaml"])
	reopen(t, &in)
	out, more, err := recorded(t, in)
	if err != nil || out.Kept != 2 || out.Suites[0].Answers != 2 || len(server.Requests()) != 4 {
		t.Fatalf("%+v, %v, %d calls", out, err, len(server.Requests()))
	}
	lines := strings.Split(more, "\n")
	if lines[0] != first || !strings.Contains(lines[1], `"trial":2,`) || !strings.Contains(lines[2], `"fresh"`) ||
		strings.Contains(more, "draws") {
		t.Errorf("recorded\n%s", more)
	}
	reopen(t, &in)
	if out, again, err := recorded(t, in); err != nil || out.Kept != 4 || again != more {
		t.Errorf("once more: %+v, %v:\n%s", out, err, again)
	}
}

// An unchanged request keeps its reruns by the same target, even if all cases are asked again.
func TestAnUnchangedRequestKeepsItsReruns(t *testing.T) {
	for _, c := range []struct {
		rule, old, text string // the edit of the rerun
		kept            bool
	}{
		{"of the same request and target", "", "", true},
		{"of another request", `"request_key":"`, `"request_key":"0`, false},
		{"of another model", `"small"`, `"large"`, false},
		{"of another target", `"live"`, `"other"`, false},
	} {
		server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
		in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
		_, text, err := recorded(t, in)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(text, "\n")
		rerun := strings.Replace(strings.Replace(first, `"request_key"`, `"fresh":"head","request_key"`, 1), c.old, c.text, 1)
		write(t, in, "recordings/s.jsonl", first+"\n"+rerun+"\n"+rest)
		reopen(t, &in)
		in.Inputs.Cache = sides.NoCache
		if _, again, err := recorded(t, in); err != nil || strings.Contains(again, rerun) != c.kept || len(server.Requests()) != 4 {
			t.Errorf("%s: kept %t, %v, %d calls:\n%s", c.rule, !c.kept, err, len(server.Requests()), again)
		}
	}
}

// The recorded target says how many answers are read, so no more and no fewer are recorded.
func TestAsManyAnswersAreRecordedAsAreRead(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	write(t, in, "failproof.yml", strings.Replace(files(server.URL)["failproof.yml"], "patience", "trials: 3, patience", 1))
	reopen(t, &in)
	if out, text, err := recorded(t, in); err != nil || out.Suites[0].Answers != 2 || strings.Contains(text, `"trial":2`) {
		t.Errorf("%+v, %v:\n%s", out, err, text)
	}
}

// onBranch records files, which makes them the base, and returns the inputs of a head with another prompt. answer
// returns what the target and the judge say.
func onBranch(t *testing.T, all func(address string) runtest.Files, answer func(question string) string) (record.Inputs,
	*modeltest.Server) {
	t.Helper()
	server := modeltest.Serve(t, modeltest.TextStep(answer))
	in := record.Inputs{Inputs: runtest.Inputs(t, all(server.URL), nil, nil), HeadRules: true}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	if _, _, err := recorded(t, in); err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	if err := os.CopyFS(base, os.DirFS(in.Inputs.Dir)); err != nil {
		t.Fatal(err)
	}
	write(t, in, "p.md", "Is the {{ q }} really open?\n")
	reopen(t, &in)
	in.Against = new(in.Inputs)
	in.Against.Scope = sides.ScopeChanged
	var err error
	if in.Against.Base, err = source.Worktree(base); err != nil {
		t.Fatal(err)
	}
	return in, server
}

func write(t *testing.T, in record.Inputs, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(in.Inputs.Dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// reopen reads the folder as it stands now, as somebody else has it: without the answers that runs kept.
func reopen(t *testing.T, in *record.Inputs) {
	t.Helper()
	err := os.RemoveAll(filepath.Join(in.Inputs.Dir, ".failproof"))
	if err != nil {
		t.Fatal(err)
	}
	if in.Inputs.Head, err = source.Worktree(in.Inputs.Dir); err != nil {
		t.Fatal(err)
	}
}

func TestASuiteIsRecordedWholeOrNotAtAll(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }), modeltest.Reply(400, `{"error":{"message":"no"}}`))
	out, text, err := recorded(t, record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)})
	if err != nil || len(out.Suites) != 1 || out.Suites[0].Lost != 1 || out.Suites[0].Why == "" || text != "" {
		t.Errorf("%+v, %v:\n%s", out, err, text)
	}
}

func TestNothingIsAskedWhereItCannotBeWritten(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	refused := errors.New("refused")
	for _, c := range []struct {
		rule   string
		change func(*record.Inputs)
		files  runtest.Files
		says   string
	}{
		{"over a suite", func(in *record.Inputs) { in.To = "s.yaml" }, nil, "holds something else than recorded answers"},
		{"over a suite by another path", func(in *record.Inputs) { in.To = "./x/../s.yaml" }, nil, "holds something else than recorded answers"},
		{"of no suite that answers", nil, runtest.Files{"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: said\ntargets: { said: { provider: echo } }\n"},
			"no suite has a live target, so there is nothing to record"},
		{"outside the folder", func(in *record.Inputs) { in.To = "../s.jsonl" }, nil, "it is not below the current folder"},
		{"a target that is none", func(in *record.Inputs) { in.Target = "kept" }, nil, `--target "kept" is no live target`},
		{"two targets into one file", nil, runtest.Files{"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_targets: [one, two]\ntargets:\n" +
			"  one: { provider: openai, model: small, base_url: \"" + server.URL + "\" }\n  two: { provider: openai, model: large, base_url: \"" + server.URL + "\" }\n"},
			"add a recorded target for each, such as replay-two: { provider: recorded, records: two, "},
		{"somebody says no", func(in *record.Inputs) {
			in.Inputs.ConfirmTargets = func([]sides.UntrustedTarget) error { return refused }
		},
			runtest.Files{"failproof.yml": strings.Replace(files(server.URL)["failproof.yml"], "patience", "api_key_env: MODEL_KEY, patience", 1)}, "refused"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL).Merge(c.files), nil, map[string]string{"MODEL_KEY": "k"})}
			if c.change != nil {
				c.change(&in)
			}
			if _, text, err := recorded(t, in); err == nil || !strings.Contains(err.Error(), c.says) || text != "" {
				t.Errorf("error %v, want %q; recorded %q", err, c.says, text)
			}
			if n := len(server.Requests()); n > 0 {
				t.Errorf("%d questions were asked", n)
			}
		})
	}
}

// A hand-written answer is bound to its request by a stamp, and a stamped one is not stamped again.
func TestAHandWrittenAnswerIsStampedOnce(t *testing.T) {
	in := record.Inputs{Inputs: runtest.Inputs(t, files("http://127.0.0.1:1").Merge(runtest.Files{
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "it is open"}` + "\n"}), nil, nil)}
	found, err := record.ReadStamps(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Unstamped) != 1 || len(found.Unanswered) != 1 || found.Unanswered[0].First != "b" || len(found.Renamed) > 0 {
		t.Fatalf("found %+v, want one answer without a stamp, and case b without an answer", found)
	}
	if written, err := record.WriteStamps(in.Inputs.Dir, found.Unstamped); err != nil || !slices.Equal(written, []record.WrittenFile{{Path: "recordings/s.jsonl", Answers: 1}}) {
		t.Fatal(written, err)
	}
	reopen(t, &in)
	if found, err = record.ReadStamps(in); err != nil || len(found.Unstamped) > 0 {
		t.Errorf("after the stamp: %+v, %v", found, err)
	}
}

// A stamp never binds an answer to a case if another case sends the request that it answers.
func TestAStampBindsNoAnswerToAnotherQuestion(t *testing.T) {
	in := record.Inputs{Inputs: runtest.Inputs(t, files("http://127.0.0.1:1").Merge(runtest.Files{
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "open a"}` + "\n" + `{"suite_id": "s", "case_id": "b", "raw_response": "open b"}` + "\n"}), nil, nil)}
	stamp := func() (found record.Stamps) {
		t.Helper()
		reopen(t, &in)
		found, err := record.ReadStamps(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.WriteStamps(in.Inputs.Dir, found.Unstamped); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := stamp(); len(found.Unstamped) != 2 {
		t.Fatalf("at first: %+v", found)
	}
	write(t, in, "s.yaml", strings.NewReplacer("id: a", "id: b", "id: b", "id: a").Replace(files("")["s.yaml"]))
	if found := stamp(); len(found.Renamed) != 2 || len(found.Unstamped) > 0 || found.Renamed[0].NewName.Case != "b" {
		t.Errorf("two swapped their names: %+v", found)
	}
	text, err := os.ReadFile(filepath.Join(in.Inputs.Dir, "recordings", "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	write(t, in, "recordings/s.jsonl", first+"\n"+strings.NewReplacer(`"a"`, `"b"`, "open a", "open anew").Replace(first))
	write(t, in, "s.yaml", files("")["s.yaml"])
	if found := stamp(); len(found.Unstamped) > 0 || len(found.OfOthers) != 1 || found.OfOthers[0].CaseID != "b" || found.OfOthers[0].Of.Case != "a" {
		t.Errorf("a copied line: %+v", found)
	}
}

// An answer goes with its case to the case's new name.
func TestARenamedCaseTakesItsAnswerAlong(t *testing.T) {
	before := files("http://127.0.0.1:1").Merge(runtest.Files{
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "it is open"}` + "\n" + `{"suite_id": "s", "case_id": "b", "raw_response": "it is open"}` + "\n"})
	renamed := strings.Replace(before["s.yaml"], "id: b", "id: c", 1)
	for _, c := range []struct {
		rule, file string
		after      runtest.Files
	}{
		{"in its suite", "s.jsonl", before.Merge(runtest.Files{"s.yaml": renamed})},
		{"after a rename of its suite", "t.jsonl", before.Merge(runtest.Files{"s.yaml": strings.Replace(renamed, "id: s", "id: t", 1),
			"recordings/t.jsonl": strings.ReplaceAll(before["recordings/s.jsonl"], `"s"`, `"t"`), "recordings/s.jsonl": ""})},
	} {
		in := record.Inputs{Inputs: runtest.Inputs(t, c.after, before, nil)}
		found, err := record.ReadStamps(in)
		if err != nil || len(found.Renamed) != 1 {
			t.Fatalf("%s: %+v, %v", c.rule, found, err)
		}
		if _, err := record.WriteNames(in.Inputs.Dir, found.Renamed); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(in.Inputs.Dir, "recordings", c.file))
		if err != nil || !strings.Contains(string(text), `"case_id": "c"`) || strings.Contains(string(text), `"case_id": "b"`) {
			t.Errorf("%s: %v, recordings:\n%s", c.rule, err, text)
		}
	}
}

func TestACancelledRecordingWritesNoSuite(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { cancel(); return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	write(t, in, "failproof.yml", strings.Replace(files(server.URL)["failproof.yml"], "patience: 1ms", "concurrency: 1", 1))
	// Enough questions that the end is noticed before the last one.
	write(t, in, "s.yaml", strings.Replace(files(server.URL)["s.yaml"], "id: s\n", "id: s\ntrials: 20\n", 1))
	reopen(t, &in)
	out, err := record.Record(ctx, in, asking.Sinks{Say: func(string, ...any) {}, Bugs: &fault.Bugs{}})
	if err != nil || len(out.Suites) != 1 || out.Suites[0].Lost == 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(in.Inputs.Dir, "recordings", "s.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a part of the suite was recorded: %v", err)
	}
}

func TestChangesOfTwoNeighborsMergeWithoutAConflict(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil), NoReruns: true}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	dir := in.Inputs.Dir
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, said)
		}
	}
	recordOn := func(branch, old, changed string) {
		t.Helper()
		git("checkout", "-q", "-b", branch)
		at := filepath.Join(dir, "s.yaml")
		text, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		write(t, in, "s.yaml", strings.Replace(string(text), old, changed, 1))
		reopen(t, &in)
		if _, _, err := recorded(t, in); err != nil {
			t.Fatal(err)
		}
		git("add", "s.yaml", "recordings")
		git("commit", "-q", "-m", branch)
	}
	suite := files("")["s.yaml"]
	write(t, in, "s.yaml", strings.Replace(suite, "  - { id: b", "\n  - { id: b", 1)) // cases of a suite have lines between them
	git("init", "-q", "-b", "main", ".")
	git("add", ".")
	git("commit", "-q", "-m", "base")
	recordOn("recorded", "", "")
	recordOn("one", "first", "northern")
	git("checkout", "-q", "recorded")
	recordOn("two", "second", "southern")
	git("merge", "-q", "-m", "both", "one")
	asked := len(server.Requests())
	reopen(t, &in)
	if out, text, err := recorded(t, in); err != nil || out.Kept != 2 || len(server.Requests()) != asked || strings.Count(text, "case_id") != 2 {
		t.Errorf("%+v, %v, %d calls more:\n%s", out, err, len(server.Requests())-asked, text)
	}
}

// A byte order mark belongs to the file and not to its first line, which may move.
func TestAByteOrderMarkIsInNoLine(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	_, text, err := recorded(t, in)
	if err != nil {
		t.Fatal(err)
	}
	write(t, in, "recordings/s.jsonl", "\ufeff"+text)
	suite := strings.Replace(files("")["s.yaml"], "cases:\n", "cases:\n  - { id: c, vars: { q: third }, expected_response: open, match: contains }\n", 1)
	write(t, in, "s.yaml", suite)
	for range 2 {
		reopen(t, &in)
		if out, now, err := recorded(t, in); err != nil || len(server.Requests()) != 3 || strings.Contains(now, "\ufeff") || !strings.HasSuffix(now, text) {
			t.Errorf("%+v, %v, %d calls, recorded\n%s", out, err, len(server.Requests()), now)
		}
	}
}

// A person's answer is not replaced by a model's, unless somebody asks for it.
func TestAStaleHandWrittenAnswerStaysUntilAllIsRecordedAgain(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	const byHand = `{"suite_id":"s","case_id":"a","request_key":"0","by_hand":true,"raw_response":"said by a person"}`
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL).Merge(runtest.Files{"recordings/s.jsonl": byHand + "\n"}), nil, nil)}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	for _, c := range []struct {
		again         bool
		kept, answers int
		byHand, calls int
	}{{false, 0, 1, 1, 1}, {false, 1, 0, 1, 1}, {true, 0, 2, 0, 3}} {
		reopen(t, &in)
		in.Inputs.Afresh = c.again
		out, text, err := recorded(t, in)
		if err != nil || out.Kept != c.kept || len(out.Suites) != 1 || out.Suites[0].Answers != c.answers || out.Suites[0].ByHand != c.byHand || len(server.Requests()) != c.calls {
			t.Errorf("%+v, want %+v, %v, %d calls", out, c, err, len(server.Requests()))
		}
		if strings.Contains(text, byHand+"\n") == c.again || strings.Count(text, "case_id") != 2 {
			t.Errorf("%+v, recorded\n%s", c, text)
		}
	}
}

// If every answer is bound to its request, no target is needed.
func TestWithoutALiveTargetAllAnswersMustHold(t *testing.T) {
	const config = "version: 1\nsuites: [s.yaml]\ndefault_target: kept\ntargets: { kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n"
	for _, c := range []struct {
		rule, lines, config, says string
		target                    string
		kept                      int
	}{
		{"all stamped", stamped(t, byHand(twoLines)), config, "", "", 2},
		{"one is missing", strings.SplitAfter(stamped(t, byHand(twoLines)), "\n")[0], config, "suite s is answered from recordings, and failproof.yml has no live target to record from", "", 0},
		{"one is not stamped", twoLines, config, "no live target to record from", "", 0},
		{"the only one is the judge", twoLines, strings.Replace(config, "targets: {", "judges: { default: { target: judge } }\ntargets: { judge: { provider: openai, model: judge, base_url: \"http://127.0.0.1:1\" },", 1), "no live target to record from", "", 0},
		{"several targets, and none is named", twoLines, files("http://127.0.0.1:1")["failproof.yml"] + "  more: { provider: openai, model: m }\n",
			"name the one to ask with --target, of live, more; or say whose they are, as `records: live` in target kept", "", 0},
		{"another one is named", twoLines, strings.Replace(files("http://127.0.0.1:1")["failproof.yml"], "recorded, path", "recorded, records: live, path", 1) + "  more: { provider: openai, model: m }\n",
			"suite s is answered from recordings of live, and --target names more", "more", 0},
		{"a target that is none", twoLines, files("http://127.0.0.1:1")["failproof.yml"], `--target "slow" is no live target of the configuration, which has live`, "slow", 0},
		{"a target where none is", twoLines, config, `--target "slow" is no live target of the configuration, which has none`, "slow", 0},
	} {
		in := record.Inputs{Inputs: runtest.Inputs(t, files("").Merge(runtest.Files{"failproof.yml": c.config, "recordings/s.jsonl": c.lines}), nil, nil), Target: c.target}
		in.Inputs.Cache = "" // without the cache all would be asked anew
		out, text, err := recorded(t, in)
		if out.Kept != c.kept || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || text != c.lines {
			t.Errorf("%s: %+v, %v, recorded\n%s", c.rule, out, err, text)
		}
	}
}

// A file has one path, however it is written.
func TestAnswersAreFoundByAPathWithDots(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	for _, to := range []string{"", "./recordings/{suite}.jsonl", "x/..//recordings/s.jsonl"} {
		reopen(t, &in)
		in.To = to
		if out, text, err := recorded(t, in); err != nil || len(server.Requests()) != 2 || strings.Count(text, "case_id") != 2 {
			t.Errorf("%q: %+v, %v, %d calls", to, out, err, len(server.Requests()))
		}
	}
}

// A suite that lists two targets has a file for each, and --target records one of them.
func TestAnswersGoIntoTheRecordingsOfTheirTarget(t *testing.T) {
	for _, c := range []struct {
		rule, suite, target string
		want                map[string]string // model by file
	}{
		{"the live target that a suite names", "target: other", "", map[string]string{"other/s.jsonl": "large"}},
		{"the recorded target that it names", "target: others", "", map[string]string{"other/s.jsonl": "large"}},
		{"the default one", "trials: 1", "", map[string]string{"s.jsonl": "small"}},
		{"both, if it lists both", "targets: [kept, others]", "", map[string]string{"s.jsonl": "small", "other/s.jsonl": "large"}},
		{"both live ones", "targets: [live, other]", "", map[string]string{"s.jsonl": "small", "other/s.jsonl": "large"}},
		{"the named one of those", "targets: [live, other]", "other", map[string]string{"other/s.jsonl": "large"}},
		{"the named one of the recorded ones", "targets: [kept, others]", "other", map[string]string{"other/s.jsonl": "large"}},
		{"no other than echo, which needs none", "targets: [kept, said]", "", map[string]string{"s.jsonl": "small"}},
	} {
		server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
		in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil), Target: c.target}
		config := strings.Replace(files(server.URL)["failproof.yml"], "recorded, path", "recorded, records: live, path", 1) +
			"  others: { provider: recorded, records: other, path: \"recordings/other/{suite}.jsonl\" }\n" +
			"  other: { provider: openai, model: large, base_url: \"" + server.URL + "\" }\n  said: { provider: echo }\n"
		write(t, in, "failproof.yml", config)
		write(t, in, "s.yaml", c.suite+"\n"+files("")["s.yaml"])
		for range 2 {
			reopen(t, &in)
			in.Inputs.Cache = "" // without the cache all would be asked anew
			if _, _, err := recorded(t, in); err != nil {
				t.Errorf("%s: %v", c.rule, err)
			}
		}
		for _, name := range []string{"s.jsonl", "other/s.jsonl"} {
			text, _ := os.ReadFile(filepath.Join(in.Inputs.Dir, "recordings", filepath.FromSlash(name)))
			if n := strings.Count(string(text), `"model":"`+c.want[name]+`"`); n != strings.Count(string(text), "case_id") || (n == 2) != (c.want[name] != "") {
				t.Errorf("%s: %s holds\n%s", c.rule, name, text)
			}
		}
		if calls := len(server.Requests()); calls != 2*len(c.want) {
			t.Errorf("%s: %d calls", c.rule, calls)
		}
	}
}

// An answer is the first of its request, or its line says which one it is. What a run drew already is no new one.
func TestDrawsOfARequestAreCounted(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	for _, c := range []struct {
		rule, cache, first string
		again              bool
		want               string // of the first line
	}{
		{"the first one", sides.NoCache, "first", false, ""},
		{"once more", sides.NoCache, "first", false, `"draws":2,`},
		{"again, which the cache keeps", "", "first", true, `"draws":3,`},
		{"another request", "", "other", false, ""},
		{"the former one from the cache", "", "first", false, ""},
	} {
		write(t, in, "s.yaml", strings.Replace(files("")["s.yaml"], "first", c.first, 1))
		head, err := source.Worktree(in.Inputs.Dir)
		if err != nil {
			t.Fatal(err)
		}
		in.Inputs.Head, in.Inputs.Cache, in.Inputs.Afresh = head, c.cache, c.again
		_, text, err := recorded(t, in)
		line, _, _ := strings.Cut(text, "\n")
		if err != nil || !strings.Contains(line, c.want) || c.want == "" && strings.Contains(line, "draws") {
			t.Errorf("%s: %v, recorded %s", c.rule, err, line)
		}
	}
}

// Lines of a case whose answers all hold stay with all that belongs to them.
func TestWhatStandsWithAnAnswerThatHoldsStays(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	in := record.Inputs{Inputs: runtest.Inputs(t, files(server.URL), nil, nil)}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	_, text, err := recorded(t, in)
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(text, "\n")
	held := first + "\n" + strings.Replace(first, `"request_key":"`, `"fresh":"head","request_key":"0`, 1) + "\n"
	write(t, in, "recordings/s.jsonl", held+second)
	write(t, in, "s.yaml", strings.Replace(files("")["s.yaml"], "second", "other", 1))
	reopen(t, &in)
	if out, now, err := recorded(t, in); err != nil || out.Kept != 1 || !strings.HasPrefix(now, held) || len(server.Requests()) != 3 {
		t.Errorf("%+v, %v, %d calls, recorded\n%s", out, err, len(server.Requests()), now)
	}
}

func TestWhatARecordingCostsIsSaidFirst(t *testing.T) {
	var said []string
	in, server := onBranch(t, files, closed)
	before := len(server.Requests())
	_, err := record.Record(t.Context(), in, asking.Sinks{Bugs: &fault.Bugs{}, Say: func(format string, args ...any) {
		said = append(said, fmt.Sprintf("%d: ", len(server.Requests())-before)+fmt.Sprintf(format, args...))
	}})
	want := []string{
		"0: this run needs 2 calls, at a cost that is not known (no target has a `price`); at most 34 calls, where answers differ and are asked again",
		"2: 1 case flipped against working tree: rerun on both sides, with at most 16 calls"}
	if err != nil || !slices.Equal(said, want) {
		t.Errorf("%v, said %q, want %q", err, said, want)
	}
}

// A checkout may be a stranger's. Nothing that its files hold sends a key where nobody said yes.
func TestAPersonIsAskedWhomToCallAlsoAfterAnswersWereMoved(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	keyed := files(server.URL)
	keyed["failproof.yml"] = strings.Replace(keyed["failproof.yml"], "patience", "api_key_env: MODEL_KEY, patience", 1)
	in := record.Inputs{Inputs: runtest.Inputs(t, keyed, nil, map[string]string{"MODEL_KEY": "k"}), HeadRules: true}
	in.Inputs.Cache = "" // without the cache all would be asked anew
	if _, _, err := recorded(t, in); err != nil {
		t.Fatal(err)
	}
	write(t, in, "s.yaml", strings.NewReplacer("id: b", "id: c", "first", "other").Replace(keyed["s.yaml"]))
	refused := errors.New("refused")
	in.Inputs.ConfirmTargets = func([]sides.UntrustedTarget) error { return refused }
	for _, rule := range []string{"an answer is moved", "nothing is"} {
		reopen(t, &in)
		_, text, err := recorded(t, in)
		if !errors.Is(err, refused) || len(server.Requests()) != 2 || !strings.Contains(text, `"case_id":"c"`) {
			t.Errorf("%s: %v, %d calls, recorded\n%s", rule, err, len(server.Requests()), text)
		}
	}
}
