package drift_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
)

// branch has a suite of two cases that a model at the address answers, and a suite with a recorded case. more are more
// settings.
func branch(address, more string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml, t.yaml]\ntargets:\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", patience: 1ms }\n" +
			"  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" + more,
		"s.yaml": "version: 1\nid: s\ntarget: live\nmessages: [{ role: user, content: \"{{ q }}?\" }]\ncases:\n" +
			"  - { id: a, vars: { q: first }, expected_response: open, match: contains }\n" +
			"  - { id: b, vars: { q: second }, expected_response: open, match: contains }\n",
		"t.yaml": "version: 1\nid: t\ntarget: kept\nmessages: [{ role: user, content: Hi }]\n" +
			"cases: [{ id: r, expected_response: open, match: contains }]\n",
		"t.jsonl": `{"suite_id": "t", "case_id": "r", "raw_response": "open"}` + "\n",
	}
}

// measured runs files beside the past, which it replaces.
func measured(t *testing.T, files runtest.Files, past *[]drift.Past) runtest.Result {
	t.Helper()
	in := runtest.Inputs(t, files, nil, nil)
	in.Drift = past
	done, err := runtest.Run(t, in)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// always returns the past of a case that was right n times.
func always(past []drift.Past, id string, n int) (out []drift.Past) {
	for _, p := range past {
		if p.Case == id {
			p.Right, p.Asked = n, n
		}
		out = append(out, p)
	}
	return out
}

// pastOf describes the past: right and asked answers of each case.
func pastOf(past []drift.Past) (out []string) {
	for _, p := range past {
		out = append(out, fmt.Sprintf("%s/%s %d/%d %v", p.Suite, p.Case, p.Right, p.Asked, p.Drifted != nil))
	}
	return out
}

// A live case that was right and is wrong now is asked eight times more, and has drifted if these are wrong too. What
// is recorded has no part in it.
func TestACaseThatWasRightIsAskedAgain(t *testing.T) {
	for _, c := range []struct {
		rule    string
		wrong   int64 // answers to the first case, from the first one
		calls   int
		drifted int
		past    []string
	}{
		{"right as before", 0, 2, 0, []string{"s/a 10/10 false", "s/b 10/10 false"}},
		{"wrong once", 1, 2 + drift.Rounds, 0, []string{"s/a 17/18 false", "s/b 10/10 false"}},
		{"wrong always", 100, 2 + drift.Rounds, 1, []string{"s/a 9/9 true", "s/b 10/10 false"}},
	} {
		var asked, wrong atomic.Int64
		server := modeltest.Serve(t, modeltest.TextStep(func(q string) string {
			if strings.Contains(q, "first") && asked.Add(1) <= wrong.Load() {
				return "shut"
			}
			return "open"
		}))
		var past []drift.Past
		measured(t, branch(server.URL, ""), &past)
		if got := pastOf(past); !cmp.Equal(got, []string{"s/a 1/1 false", "s/b 1/1 false"}) {
			t.Fatalf("%s: the first past is %q", c.rule, got)
		}
		past = always(always(past, "a", 9), "b", 9)
		asked.Store(0)
		wrong.Store(c.wrong)
		before := len(server.Requests())
		done := measured(t, branch(server.URL, ""), &past)
		found := done.Report.Drift
		if calls := len(server.Requests()) - before; calls != c.calls || len(found.Drifted) != c.drifted || found.Cases != 2 {
			t.Errorf("%s: %d calls, found %+v", c.rule, calls, found)
		}
		if got := pastOf(past); !cmp.Equal(got, c.past) {
			t.Errorf("%s: the past is %q", c.rule, got)
		}
		if done.Report.Calls.Provider != c.calls {
			t.Errorf("%s: %d calls are counted", c.rule, done.Report.Calls.Provider)
		}
		isDrift := func(r report.Reason) bool { return r.Code == "drift" && r.Level == report.LevelError }
		if slices.ContainsFunc(done.Report.Reasons, isDrift) != (c.drifted > 0) {
			t.Errorf("%s: reasons %v", c.rule, done.Report.Reasons)
		}
		if says := strings.Contains(done.Messages, "asking 1 case again, 8 times each"); says != (c.wrong > 0) {
			t.Errorf("%s: it says %q", c.rule, done.Messages)
		}
	}
}

// A case with another question or expectation starts again.
func TestAnotherCaseUnderTheNameHasNoPast(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "shut" }))
	for old, changed := range map[string]string{"q: first": "q: other", "q: first }, expected_response: open": "q: first }, expected_response: ajar"} {
		var past []drift.Past
		files := branch(server.URL, "")
		measured(t, files, &past)
		past = always(past, "a", 9)
		files["s.yaml"] = strings.Replace(files["s.yaml"], old, changed, 1)
		before := len(server.Requests())
		measured(t, files, &past)
		if n := len(server.Requests()) - before; n != 2 || pastOf(past)[0] != "s/a 0/1 false" {
			t.Errorf("%s: %d calls, past %q", changed, n, pastOf(past))
		}
	}
}

// pastOfBoth returns a past in which both live cases of files were right nine times.
func pastOfBoth(t *testing.T, files runtest.Files) (past []drift.Past) {
	t.Helper()
	right := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "open" }))
	files = files.Merge(nil)
	files["failproof.yml"] = branch(right.URL, "")["failproof.yml"]
	measured(t, files, &past)
	return always(always(past, "a", 9), "b", 9)
}

// A run that ends before its first answers measures nothing, and keeps the past. Reruns whose answers are missing prove
// nothing, and their cases are counted.
func TestWhatIsMissingProvesNothing(t *testing.T) {
	down := modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"no","code":"invalid_api_key"}}`)
	shut := modeltest.TextStep(func(string) string { return "shut" })
	for _, c := range []struct {
		rule, limits string
		steps        []modeltest.Step
		found        *report.Drift
		past         []string
	}{
		{"the budget ends before the first answers", "limits: { max_calls: 1 }\n", []modeltest.Step{shut}, nil,
			[]string{"s/a 9/9 false", "s/b 9/9 false"}},
		{"the budget ends in the first rerun", "limits: { max_calls: 9 }\n", []modeltest.Step{shut}, &report.Drift{Cases: 2, NotRerun: 2},
			[]string{"s/a 9/10 false", "s/b 9/10 false"}},
		{"the model goes down", "", []modeltest.Step{shut, shut, shut, down}, &report.Drift{Cases: 2, NotRerun: 2},
			[]string{"s/a 9/10 false", "s/b 9/10 false"}},
	} {
		files := branch(modeltest.Serve(t, c.steps...).URL, c.limits)
		past := pastOfBoth(t, files)
		done := measured(t, files, &past)
		if diff := cmp.Diff(c.found, done.Report.Drift, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: found (-want +got):\n%s", c.rule, diff)
		}
		if got := pastOf(past); !cmp.Equal(got, c.past) {
			t.Errorf("%s: the past is %q", c.rule, got)
		}
	}
}

// A drift decides the verdict, and verifying recordings does not: the budget is for the reruns first.
func TestVerifyingRecordingsTakesNoRerunAway(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "shut", false: "open"}[strings.Contains(q, "first")]
	}))
	files := branch(server.URL, "recordings: { verify: 1 }\nlimits: { max_calls: 10 }\n")
	past := pastOfBoth(t, files)
	if found := measured(t, files, &past).Report.Drift; len(found.Drifted) != 1 || found.NotRerun > 0 {
		t.Errorf("found %+v", found)
	}
}
