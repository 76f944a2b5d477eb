package verify_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stored"
)

const key = "canary-4f1d9b7e"

// recordedSuite is a suite of two recorded cases, which a live target at the address verifies.
func recordedSuite(address string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\nrecordings: { verify: 2 }\ntargets:\n" +
			"  kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", api_key_env: MODEL_KEY, patience: 1ms }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n" +
			"  - { id: a, expected_response: open, match: contains }\n  - { id: b, expected_response: open, match: contains }\n",
		"p.md": "Is it open?\n",
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "it is open"}` + "\n" +
			`{"suite_id": "s", "case_id": "b", "raw_response": "it is open"}` + "\n",
	}
}

func openServer(t *testing.T) *modeltest.Server {
	return modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
}

// A change must not choose where a key goes. Which recorded cases pass is known only after somebody vouched for
// the targets: so those of all recorded cases are opened before.
func TestNobodyIsAskedBeforeAPersonVouches(t *testing.T) {
	server := openServer(t)
	in := runtest.Inputs(t, recordedSuite(server.URL), nil, map[string]string{"MODEL_KEY": key})
	refused := errors.New("nobody is to be asked")
	var asked []sides.UntrustedTarget
	in.ConfirmTargets = func(all []sides.UntrustedTarget) error {
		asked = append(asked, all...)
		if n := len(server.Requests()); n > 0 {
			t.Errorf("%d questions were asked before", n)
		}
		return refused
	}
	if _, err := runtest.Run(t, in); !errors.Is(err, refused) {
		t.Errorf("error %v, want that of the person", err)
	}
	if len(asked) != 1 || asked[0].Host != server.URL || asked[0].Keys[0] != "MODEL_KEY" {
		t.Errorf("a person was asked about %+v, want the live target", asked)
	}
	if n := len(server.Requests()); n > 0 {
		t.Errorf("%d questions were asked although the person refused", n)
	}
	in.ConfirmTargets = func([]sides.UntrustedTarget) error { return nil }
	done, err := runtest.Run(t, in)
	if err != nil || done.Report.Verdict != report.Passed || len(server.Requests()) != 2 {
		t.Errorf("after a yes: %v, %v, %d questions; want 2", done.Report, err, len(server.Requests()))
	}
}

// The key of a target goes where the base says, wherever the head of a pull request would send it.
func TestAPullRequestDoesNotChooseWhereAKeyGoes(t *testing.T) {
	ours, theirs := openServer(t), openServer(t)
	for _, fork := range []bool{false, true} {
		in := runtest.Inputs(t, recordedSuite(theirs.URL), recordedSuite(ours.URL), map[string]string{"MODEL_KEY": key})
		in.Fork = fork
		before := len(ours.Requests())
		if _, err := runtest.Run(t, in); err != nil {
			t.Fatal(err)
		}
		if len(ours.Requests()) != before+2 || len(theirs.Requests()) > 0 {
			t.Errorf("fork %v: %d questions to the base's target, %d to the head's; want 2 and none", fork, len(ours.Requests())-before, len(theirs.Requests()))
		}
	}
}

// The results of a stored base are read after the checks looked at both sides.
func TestRecordingsAreVerifiedBesideAStoredBase(t *testing.T) {
	says := "it is open"
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return says }))
	files := recordedSuite(server.URL)
	env := map[string]string{"MODEL_KEY": key}
	base, err := runtest.Run(t, runtest.Inputs(t, files, nil, env))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ says, warns string }{
		{"it is open", ""},
		{"closed", "the model no longer says what is recorded, asked 5 times: s/a, s/b"},
	} {
		in := runtest.Inputs(t, files, nil, env)
		if in.Stored, err = stored.Read(base.Folder); err != nil {
			t.Fatal(err)
		}
		says = c.says
		before := len(server.Requests())
		done, err := runtest.Run(t, in)
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{true: 2, false: 2 * 5}[c.warns == ""]
		if got := len(server.Requests()) - before; got != want || done.Report.Verdict != report.Passed {
			t.Errorf("%s: %d questions and %s, want %d and passed", c.says, got, done.Report.Verdict, want)
		}
		warned := ""
		for _, r := range done.Report.Reasons {
			if r.Code == "verify" {
				warned += r.Message
			}
		}
		if warned != c.warns {
			t.Errorf("%s: it warns of %q, want %q", c.says, warned, c.warns)
		}
		if !strings.Contains(done.Messages, "asking 2 recorded cases live") {
			t.Errorf("%s: it says %q", c.says, done.Messages)
		}
	}
}
