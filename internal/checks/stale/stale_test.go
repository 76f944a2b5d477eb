package stale_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// otherKey is the key of a request that no case makes.
var otherKey = strings.Repeat("0", 64)

// newLine is a line that a patch adds.
var newLine = regexp.MustCompile(`(?m)^\+\{"suite_id":"s","case_id":"(\w)"`)

// recordedSuite is a suite of two recorded cases, of which the first answers another request.
func recordedSuite(address, policy string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\nrecordings: { stale: " + policy + " }\ntargets:\n" +
			"  kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", api_key_env: MODEL_KEY, patience: 1ms }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n" +
			"  - { id: a, expected_response: open, match: contains }\n  - { id: b, expected_response: open, match: contains }\n",
		"p.md": "Is it open?\n",
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "request_key": "` + otherKey + `", "raw_response": "it is open"}` + "\n" +
			`{"suite_id": "s", "case_id": "b", "raw_response": "it is open"}` + "\n",
	}
}

func TestAStaleRecordingIsAskedLiveWhereTheRulesSaySo(t *testing.T) {
	for _, c := range []struct {
		rule, policy, key string
		base              string // the base's prompt; "": no base
		calls             int
		verdict           report.Verdict
		warns             string // the code of a warning
		patch             string // the cases in it
	}{
		{"asked once for both sides, which ask the same", "ask", "k", "Is it open?\n", 1, report.Passed, "", "a"},
		{"all that answers another prompt, on both sides", "ask", "k", "Is it shut?\n", 4, report.Passed, "", "a b"},
		{"without a base, of the head", "ask", "k", "", 1, report.Passed, "", "a"},
		{"without the key", "ask", "", "Is it open?\n", 0, report.Undecided, "stale_not_asked", ""},
		{"where stale recordings are errors", "error", "k", "Is it open?\n", 0, report.Undecided, "", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
			files := recordedSuite(server.URL, c.policy)
			var base runtest.Files
			if c.base != "" {
				base = files.Merge(runtest.Files{"p.md": c.base})
			}
			done, err := runtest.Run(t, runtest.Inputs(t, files, base, map[string]string{"MODEL_KEY": c.key}))
			if err != nil {
				t.Fatal(err)
			}
			if n := len(server.Requests()); n != c.calls || done.Report.Verdict != c.verdict {
				t.Errorf("%d calls and %s %v, want %d and %s", n, done.Report.Verdict, done.Report.Reasons, c.calls, c.verdict)
			}
			if c.warns != "" && (len(done.Report.Warnings) == 0 || done.Report.Warnings[0].Code != c.warns) {
				t.Errorf("warnings %+v, want %s", done.Report.Warnings, c.warns)
			}
			patch, err := os.ReadFile(filepath.Join(done.Folder, output.PatchFile))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			var cases []string
			for _, m := range newLine.FindAllStringSubmatch(string(patch), -1) {
				cases = append(cases, m[1])
			}
			if got := strings.Join(cases, " "); got != c.patch {
				t.Errorf("the patch has new answers to %q, want %q:\n%s", got, c.patch, patch)
			}
		})
	}
}

// The answers of a rerun are recorded and judged by nobody. None of them is sent to the embeddings, which may cost.
func TestRerunsForThePatchAreNotJudged(t *testing.T) {
	var asked atomic.Int64
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return fmt.Sprint("shut ", asked.Add(1)) }))
	var mu sync.Mutex
	var sent []string
	embeddings := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		var all []string
		for _, text := range body.Input {
			all = append(all, fmt.Sprintf(`{"embedding": [%d, 1]}`, 100*strings.Count(text, "open")))
		}
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, body.Input...)
		fmt.Fprintf(w, `{"data": [%s]}`, strings.Join(all, ", "))
	}))
	t.Cleanup(embeddings.Close)
	files := recordedSuite(server.URL, "ask")
	files["failproof.yml"] += "semantic: { provider: http, model: m, endpoint: \"" + embeddings.URL + "\" }\n"
	files["s.yaml"] = "version: 1\nid: s\nprompt: p.md\nstrategy: reasoning\ncases: [{ id: a, expected_response: It is open., key_facts: [open] }]\n"
	files["recordings/s.jsonl"] = `{"suite_id": "s", "case_id": "a", "request_key": "` + otherKey + `", "raw_response": "it is open"}` + "\n"
	_, patch := runForPatch(t, files)
	if n := strings.Count(patch, "\n+{"); n != 1+2*compare.MaxRecordedRounds {
		t.Errorf("the patch has %d answers, want the first one and those of all reruns", n)
	}
	slices.Sort(sent)
	if want := []string{"It is open.", "it is open", "shut 1", "shut 2"}; !slices.Equal(slices.Compact(sent), want) {
		t.Errorf("sent %q, want %q, which has the first answer of each side", sent, want)
	}
}

// runForPatch runs files against a base with another prompt, and returns the run with the patch that it wrote.
func runForPatch(t *testing.T, files runtest.Files) (runtest.Result, string) {
	t.Helper()
	base := files.Merge(runtest.Files{"p.md": "Is it shut?\n"})
	done, err := runtest.Run(t, runtest.Inputs(t, files, base, map[string]string{"MODEL_KEY": "k"}))
	if err != nil {
		t.Fatal(err)
	}
	patch, err := os.ReadFile(filepath.Join(done.Folder, output.PatchFile))
	if err != nil {
		t.Fatal(err)
	}
	return done, string(patch)
}

// The patch has the reruns of a case only if those of all rounds came, on both sides.
func TestIncompleteRerunsAreNotPatched(t *testing.T) {
	for answered, want := range map[int64]int{100: 1 + 2*compare.MaxRecordedRounds, 3: 1} {
		var asked atomic.Int64 // of the head
		shut := modeltest.TextStep(func(string) string { return "shut" })
		server := modeltest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err == nil && strings.Contains(string(body), "Is it open?") && asked.Add(1) > answered {
				modeltest.Reply(http.StatusBadRequest, `{"error": {"message": "not this one"}}`)(w, r)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			shut(w, r)
		})
		files := recordedSuite(server.URL, "ask")
		files["s.yaml"] = "version: 1\nid: s\nprompt: p.md\ncases: [{ id: a, expected_response: open, match: contains }]\n"
		files["recordings/s.jsonl"] = `{"suite_id": "s", "case_id": "a", "request_key": "` + otherKey + `", "raw_response": "it is open"}` + "\n"
		done, patch := runForPatch(t, files)
		if n := strings.Count(patch, "\n+{"); n != want {
			t.Errorf("%d answers came: the patch has %d lines, want %d; %v", answered, n, want, done.Report.Reasons)
		}
	}
}

// Whoever draws until an answer passes is seen, whatever the base's answers say of another request.
func TestAnAnswerThatWasDrawnAgainIsNamed(t *testing.T) {
	line := func(id, key string, draws int) string {
		return fmt.Sprintf(`{"suite_id": "s", "case_id": %q, "request_key": %q, "draws": %d, "target": {"name": "live", "provider": "openai", "model": "small"}, "raw_response": "it is open"}`+"\n", id, key, draws)
	}
	files := recordedSuite("http://127.0.0.1:1", "warn").Merge(runtest.Files{"p.md": "Is it open now?\n"})
	for _, c := range []struct {
		rule       string
		base, head string
		names      string
	}{
		{"the first draw", line("a", otherKey, 1), line("a", otherKey, 1), ""},
		{"more draws than the base's", line("a", otherKey, 2), line("a", otherKey, 3), "(draw 3)"},
		{"as many as the base's", line("a", otherKey, 3), line("a", otherKey, 3), ""},
		{"as many, to another request", line("a", strings.Repeat("1", 64), 3), line("a", otherKey, 3), "(draw 3)"},
		{"of a case that the base lacks", line("b", otherKey, 3), line("a", otherKey, 2), "(draw 2)"},
	} {
		base := files.Merge(runtest.Files{"p.md": "Is it open?\n", "recordings/s.jsonl": c.base})
		done, err := runtest.Run(t, runtest.Inputs(t, files.Merge(runtest.Files{"recordings/s.jsonl": c.head}), base, nil))
		if err != nil {
			t.Fatal(err)
		}
		named := ""
		for _, r := range done.Report.Reasons {
			if r.Code == gate.ResampledRecordings.Code {
				named += r.Message
			}
		}
		if c.names == "" && named != "" || !strings.Contains(named, c.names) {
			t.Errorf("%s: %q, want %q", c.rule, named, c.names)
		}
	}
}

// A recording of a target that the configuration no longer has is named: nobody can tell whether the model is
// still the same.
func TestARecordingOfATargetThatIsGoneIsNamed(t *testing.T) {
	files := recordedSuite("http://127.0.0.1:1", "error")
	files["recordings/s.jsonl"] = `{"suite_id": "s", "case_id": "a", "target": {"name": "old", "provider": "openai"}, "raw_response": "it is open"}` + "\n" +
		`{"suite_id": "s", "case_id": "b", "target": {"name": "live", "provider": "openai"}, "raw_response": "it is open"}` + "\n"
	done, err := runtest.Run(t, runtest.Inputs(t, files, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var found []report.Warning
	for _, w := range done.Report.Warnings {
		if w.Code == "recording_target_gone" {
			found = append(found, w)
		}
	}
	if len(found) != 1 || found[0].Count != 1 || !strings.Contains(found[0].Message, "recorded from target `old`") && !strings.Contains(found[0].Message, `recorded from target "old"`) {
		t.Errorf("warnings %+v, want one of target old", done.Report.Warnings)
	}
}

// patchOf runs a head against a base, and returns the run with its patch, which is "" if there is none.
func patchOf(t *testing.T, in sides.Inputs) (runtest.Result, string) {
	t.Helper()
	done, err := runtest.Run(t, in)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := os.ReadFile(filepath.Join(done.Folder, output.PatchFile))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return done, string(patch)
}

func TestACaseIsPatchedWithAllItsAnswersOrNotAtAll(t *testing.T) {
	var asked atomic.Int64
	open := modeltest.TextStep(func(string) string { return "it is open" })
	server := modeltest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 3 {
			modeltest.Reply(http.StatusBadRequest, `{"error": {"message": "not this one"}}`)(w, r)
			return
		}
		open(w, r)
	})
	files := recordedSuite(server.URL, "ask")
	files["failproof.yml"] = strings.Replace(files["failproof.yml"], "patience", "concurrency: 1, patience", 1)
	files["s.yaml"] = strings.Replace(files["s.yaml"], "id: s\n", "id: s\ntrials: 2\n", 1)
	delete(files, "recordings/s.jsonl")
	_, patch := patchOf(t, runtest.Inputs(t, files, nil, map[string]string{"MODEL_KEY": "k"}))
	if asked.Load() != 4 || strings.Count(patch, `+{"suite_id":"s","case_id":"a"`) != 2 || strings.Contains(patch, `"case_id":"b"`) {
		t.Errorf("%d calls, the patch is\n%s", asked.Load(), patch)
	}
}

// A run that ended early has no patch: which answers it lacks may depend on the cases.
func TestARunThatEndedEarlyHasNoPatch(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	files := recordedSuite(server.URL, "ask")
	files["failproof.yml"] = strings.Replace(files["failproof.yml"], "version: 1\n", "version: 1\nlimits: { max_calls: 3 }\n", 1)
	base := files.Merge(runtest.Files{"p.md": "Is it shut?\n"})
	done, patch := patchOf(t, runtest.Inputs(t, files, base, map[string]string{"MODEL_KEY": "k"}))
	if patch != "" || done.Report.Verdict != report.Undecided {
		t.Errorf("%s, the patch is\n%s", done.Report.Verdict, patch)
	}
}

// The key of the base must not pay for whatever a fork's prompt file asks for.
func TestAForksPromptFileThatAsksForMoreIsNotAskedLive(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
	files := recordedSuite(server.URL, "ask")
	files["failproof.yml"] = strings.Replace(files["failproof.yml"], "s.yaml", "s.prompt.yml", 1)
	files["s.prompt.yml"] = "model: small\nmessages: [{ role: user, content: Is it open? }]\n" +
		"testData: [{ input: x, expected: open }]\nevaluators: [{ name: e, string: { contains: open } }]\n"
	delete(files, "s.yaml")
	delete(files, "recordings/s.jsonl")
	for model, fork := range map[string]bool{"dear": true, "small": true, "large": false} {
		in := runtest.Inputs(t, files.Merge(runtest.Files{"s.prompt.yml": strings.Replace(files["s.prompt.yml"], "small", model, 1)}), files, map[string]string{"MODEL_KEY": "k"})
		in.Fork = fork
		before := len(server.Requests())
		done, patch := patchOf(t, in)
		var warned string
		for _, w := range done.Report.Warnings {
			if w.Code == "stale_not_asked" {
				warned = w.Message
			}
		}
		isBeyond := model == "dear"
		if asked := len(server.Requests()) > before; asked == isBeyond || (patch == "") != isBeyond || strings.HasPrefix(warned, "1 case could not be asked live") != isBeyond {
			t.Errorf("model %s, fork %v: asked %v, warned %q, the patch is\n%s", model, fork, asked, warned, patch)
		}
	}
}

// Each rerun names the settings of its side, or it would be stale as soon as it is committed.
func TestARerunOfThePatchNamesTheTargetOfItsSide(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(question string) string {
		return map[bool]string{true: "it is open", false: "it is shut"}[strings.Contains(question, "shut")]
	}))
	base := recordedSuite(server.URL, "ask").Merge(runtest.Files{"p.md": "Is it shut?\n"})
	head := base.Merge(runtest.Files{"p.md": "Is it open?\n", "failproof.yml": strings.Replace(base["failproof.yml"], "small", "large", 1)})
	done, patch := patchOf(t, runtest.Inputs(t, head, base, map[string]string{"MODEL_KEY": "k"}))
	models := map[string]int{}
	for _, m := range regexp.MustCompile(`"model":"(\w+)"},"fresh":"(\w+)"`).FindAllStringSubmatch(patch, -1) {
		models[m[1]+" "+m[2]]++
	}
	if want := map[string]int{"large head": 2 * compare.MaxRecordedRounds, "small base": 2 * compare.MaxRecordedRounds}; !maps.Equal(models, want) {
		t.Errorf("the reruns are of %v, want %v", models, want)
	}
	if !strings.Contains(done.Messages, "at most 68 calls") {
		t.Errorf("said %q", done.Messages)
	}
}

// A case that most of its new answers pass has not flipped.
func TestACaseThatMostlyPassesIsNotRerun(t *testing.T) {
	for wrong, want := range map[int64]int{1: 0, 2: 2 * compare.MaxRecordedRounds} {
		var asked atomic.Int64
		server := modeltest.Serve(t, modeltest.TextStep(func(question string) string {
			if strings.Contains(question, "open") && asked.Add(1) <= wrong {
				return "it is shut"
			}
			return "it is open"
		}))
		files := recordedSuite(server.URL, "ask")
		files["s.yaml"] = "version: 1\nid: s\ntrials: 3\nprompt: p.md\ncases: [{ id: a, expected_response: open, match: contains }]\n"
		delete(files, "recordings/s.jsonl")
		for trial := range 3 {
			files["recordings/s.jsonl"] += fmt.Sprintf(`{"suite_id": "s", "case_id": "a", "trial": %d, "request_key": %q, "raw_response": "it is open"}`+"\n", trial+1, otherKey)
		}
		_, patch := runForPatch(t, files)
		if n := strings.Count(patch, `"fresh"`); n != want {
			t.Errorf("%d of 3 answers are wrong: %d reruns, want %d", wrong, n, want)
		}
	}
}
