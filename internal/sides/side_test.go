package sides_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

func TestNoOutputHasASecretOfTheRun(t *testing.T) {
	files := with(shop, "failproof.yml", "default_target", "semantic: { provider: http, model: e, endpoint: \"https://example.com/v1\", api_key_env: EMBED_KEY }\n"+
		"secrets: { redact_patterns: [\"ticket-[0-9]+\"] }\ndefault_target")
	in := runtest.Inputs(t, files, nil,
		map[string]string{"KEY": " live-canary-1234\n", "EMBED_KEY": " embed-canary-1234\n"})
	in.Secrets = []string{"caller-canary-1234"}
	s := mustRead(t, in)
	if got := s.Secrets(); !slices.Equal(got, []string{"caller-canary-1234", "embed-canary-1234", "live-canary-1234"}) {
		t.Errorf("secrets %q", got)
	}
	const said = "caller-canary-1234 embed-canary-1234 live-canary-1234 ticket-77"
	if got := s.Redactor().Text(said); strings.Contains(got, "canary") || strings.Contains(got, "77") {
		t.Errorf("printed %q", got)
	}
	s.Live = nil
	if got := s.Redactor().Text(said); strings.Contains(got, "canary") || strings.Contains(got, "77") {
		t.Errorf("without live targets it printed %q", got)
	}
	if got := sides.New(in).Redactor().Text(said); strings.Contains(got, "caller") {
		t.Errorf("before the rules are read, it printed %q", got)
	}
}

// The rules may be newer than the base, whose targets answer by the base's own configuration.
func TestNoOutputHasAKeyThatOnlyTheBaseNames(t *testing.T) {
	in := runtest.Inputs(t, shop, with(shop, "failproof.yml", "KEY", "OLD_KEY"), map[string]string{"OLD_KEY": "old-canary-1234"})
	in.Rules = in.Head
	if got := mustRead(t, in).Redactor().Text("it is old-canary-1234"); strings.Contains(got, "canary") {
		t.Errorf("printed %q", got)
	}
}

func TestAReportBeginsWithTheRevisionsAndWhatWasSaid(t *testing.T) {
	in := runtest.Inputs(t, with(shop, "failproof.yml", "version: 1\n", "version: 1\nphase: baseline\n"), shop, nil)
	in.RunID, in.Version, in.Trials = "7", "v1", 2
	in.Head.Revision = source.Revision{Name: "topic", SHA: "1", Ref: "pull/1"}
	in.Base.Revision = source.Revision{Name: "main", SHA: "2", Ref: source.MergeBaseRef}
	in.Now = func() time.Time { return time.Unix(60, 0) }
	in.Warnings = []report.Warning{{Code: "first"}}
	s := mustRead(t, in)
	rep := s.NewReport(time.Unix(0, 0))
	want := report.Run{ID: "7", StartedAt: "1970-01-01T00:00:00Z", FinishedAt: "1970-01-01T00:01:00Z", Scope: "all",
		BaseState: "compared", Head: report.Revision{Name: "topic", SHA: "1", Ref: "pull/1"}, Base: rep.Run.Base}
	if rep.Run != want || *rep.Run.Base != (report.Revision{Name: "main", SHA: "2", Ref: "merge base"}) {
		t.Errorf("run %+v, want %+v", rep.Run, want)
	}
	if rep.SchemaVersion != report.SchemaVersion || rep.Tool != (report.Tool{Name: "failproof", Version: "v1"}) {
		t.Errorf("written as %s by %+v", rep.SchemaVersion, rep.Tool)
	}
	if len(rep.PolicyChanges) != 1 || rep.PolicyChanges[0].Key != "phase" ||
		len(rep.Warnings) != 1 || rep.Warnings[0].Code != "first" {
		t.Errorf("changes %v, warnings %v", rep.PolicyChanges, rep.Warnings)
	}
	rep.Warnings = append(rep.Warnings[:0], report.Warning{Code: "other"})
	if s.Warnings[0].Code != "first" || in.Warnings[0].Code != "first" {
		t.Error("the report's warnings are those of the sides")
	}
	alone := sides.New(runtest.Inputs(t, nil, nil, nil))
	if alone.BaseState != "none" || alone.NewReport(time.Time{}).Run.Base != nil {
		t.Errorf("without a base: %s", alone.BaseState)
	}
}

// ask returns the answer of a target to the first case of a suite, or why there is none.
func ask(t *testing.T, target evaluate.Target, of *suite.Suite) string {
	t.Helper()
	request := of.Cases[0].Open().Prompt
	request.Trial = 1
	answer, err := target.Client.Answer(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Failure != nil {
		return answer.Failure.Reason
	}
	return strings.TrimSpace(string(answer.Text))
}

func TestATargetAnswersAsItsProviderSaysUntilTheRunEnds(t *testing.T) {
	files := with(shop, "failproof.yml", "api_key_env: KEY", "api_key_env: KEY, concurrency: 3")
	files = with(with(files, "failproof.yml", "t.yaml]", "t.yaml, e.yaml]"), "failproof.yml", "targets:", "targets:\n  back: { provider: echo }")
	files["e.yaml"] = strings.NewReplacer("id: t", "id: e", "live", "back").Replace(shop["t.yaml"])
	s := readTrees(t, files, nil)
	live := s.Head.Target("live")
	if !live.Live || live.Concurrency != 3 || !strings.HasPrefix(live.Address, "openai http://127.0.0.1:1") ||
		live.Client == nil {
		t.Errorf("live: %+v", live)
	}
	free := map[string]string{"kept": "yes", "back": "Is it A?"}
	for name, want := range free {
		target := s.Head.Target(name)
		got := ask(t, target, s.Head.Find("s"))
		if got != want || target.Live || target.Concurrency < 1 || target.Address != "" {
			t.Errorf("%s: %q, %+v, want %q", name, got, target, want)
		}
	}
	s.Live.Run.Cancel()
	for name := range free {
		if got := ask(t, s.Head.Target(name), s.Head.Find("s")); got != model.ReasonCancelled {
			t.Errorf("%s answers after the run: %q", name, got)
		}
	}
}

func TestTargetsOfAnotherConfigurationAreOpenedBesideTheSidesOwn(t *testing.T) {
	s := readTrees(t, shop, nil)
	if same, faults := s.Head.WithTargets(nil); same != s.Head || faults != nil {
		t.Errorf("none: %v", faults)
	}
	own := s.Head.Config.Targets["live"]
	more, other := own, own
	more.Name, other.Model = "more", "other"
	wider, faults := s.Head.WithTargets(map[string]config.Target{"more": more, "live": other})
	if len(faults) > 0 || !wider.IsLive("more") || wider.Target("more").Client == nil {
		t.Errorf("more: %v", faults)
	}
	if wider.Target("live").Client != s.Head.Target("live").Client || wider.Config.Targets["live"].Model != own.Model {
		t.Error("a target of the side was replaced")
	}
	if s.Head.IsLive("more") || s.Head.Target("more").Live {
		t.Error("the side itself has the target now")
	}
	more.Name, more.Provider, more.Command = "broken", "exec", []string{"failproof-no-such-program"}
	if _, faults = s.Head.WithTargets(map[string]config.Target{"broken": more}); len(faults) != 1 {
		t.Errorf("one that cannot be opened: %v", faults)
	}
}

func TestTargetsThatCannotBeOpenedAndLargeRecordingsAreFaults(t *testing.T) {
	broken := shop.Merge(runtest.Files{"failproof.yml": strings.Replace(shop["failproof.yml"], "live: {", "live: { provider: exec, command: [failproof-no-such-program] }\n  own: {", 1)})
	s, err := sides.Read(runtest.Inputs(t, broken, nil, nil))
	if err != nil || len(s.Faults) != 1 || s.Faults[0].Rule != "target" || s.Selected != nil {
		t.Errorf("%v, %v", s.Faults, err)
	}
}

func TestRecordingsThatAreTooLargeAreNotRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file would take its size on the disk")
	}
	in := runtest.Inputs(t, shop, nil, nil)
	if err := os.Truncate(filepath.Join(in.Dir, "s.jsonl"), recorded.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	s, err := sides.Read(in)
	if err != nil || len(s.Faults) != 1 || s.Faults[0].Path != "s.jsonl" || len(s.Head.Recordings) > 0 {
		t.Errorf("%v, %v", s.Faults, err)
	}
}

func TestDroppedRecordingsAreGone(t *testing.T) {
	s := readTrees(t, shop, nil)
	s.Base.DropRecordings() // there is none
	if s.Head.AnswersOf(s.Head.Find("s"), "a").Len() != 1 {
		t.Fatal("no answer is recorded")
	}
	if s.Head.DropRecordings(); len(s.Head.Recordings) > 0 || s.Head.AnswersOf(s.Head.Find("s"), "a").Len() > 0 {
		t.Error("an answer is still there")
	}
}

func TestRecordingsThatWereWrittenSinceAreReadAgain(t *testing.T) {
	in := runtest.Inputs(t, with(shop, "s.jsonl", "yes", "yea"), shop, nil)
	in.Scope = sides.ScopeChanged
	s := mustRead(t, in)
	if got := len(s.Selected[suite.Head]); got != 1 {
		t.Fatalf("%d suites run", got)
	}
	again, err := s.WithRecordings(folder(t, shop))
	if err != nil || len(again.Faults) > 0 || len(again.Selected[suite.Head]) != 0 || len(s.Selected[suite.Head]) != 1 {
		t.Errorf("%v, %v, %d suites run", err, again.Faults, len(again.Selected[suite.Head]))
	}
	if again.Inputs.Head == in.Head || s.Inputs.Head != in.Head {
		t.Error("the tree is not the new one")
	}
	again, err = s.WithRecordings(folder(t, shop.Merge(runtest.Files{"s.jsonl": "{\n"})))
	if err != nil || len(again.Faults) != 1 || again.Faults[0].Path != "s.jsonl" {
		t.Errorf("an error in them: %v, %v", err, again.Faults)
	}
	const unused = "here is an answer to case \"z\", which is not in suite s; remove"
	again, err = s.WithRecordings(folder(t, shop.Merge(runtest.Files{"s.jsonl": line("z", "yes", nil)})))
	if err != nil || len(again.Faults) != 1 || !strings.Contains(again.Faults[0].Message, unused) {
		t.Errorf("one that is unused: %v, %v", err, again.Faults)
	}
}

func TestUnusedAnswersAreCountedAtTheFirst(t *testing.T) {
	text := shop["s.jsonl"] + line("z", "yes", nil) + line("y", "yes", nil) + line("x", "yes", nil)
	s, err := sides.Read(runtest.Inputs(t, shop.Merge(runtest.Files{"s.jsonl": text}), nil, nil))
	const first = "here is an answer to case \"z\", which is not in suite s (one of 3 such cases);"
	if err != nil || len(s.Faults) != 1 || s.Faults[0].Line != 3 || s.Faults[0].Column != 1 ||
		!strings.HasPrefix(s.Faults[0].Message, first) {
		t.Errorf("%+v, %v", s.Faults, err)
	}
}
