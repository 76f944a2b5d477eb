package cli_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// cases writes the suite below a folder with the cases of these names, which ask by one prompt.
func (r *repo) cases(folder, prompt string, names ...string) {
	cases := ""
	for _, n := range names {
		cases += fmt.Sprintf("  - { id: %s, vars: { name: %s }, expected_response: 'yes', match: contains }\n", n, n)
	}
	r.write(folder+"/suites/s.yaml", fmt.Sprintf("version: 1\nmessages: [{ role: user, content: %q }]\ncases:\n%s", fmt.Sprintf(prompt, "{{ name }}"), cases))
}

var askedOf = regexp.MustCompile(`Is (\w+) (really )?right`)

// asked are the names of the cases in the order in which the target was asked.
func (r *repo) asked() (out []string) {
	for _, a := range r.server.Requests() {
		out = append(out, askedOf.FindStringSubmatch(string(a.Body))[1])
	}
	return out
}

// resultsOf are the cases of a file of results in its order, with the looks they were asked for.
func (r *repo) resultsOf(file string) (out []string) {
	r.t.Helper()
	if err := report.ReadResults(strings.NewReader(r.read(".failproof/out/"+file)), func(one report.Result, _ report.Ref) error {
		if text := one.CaseID; one.RerunReason == "" {
			out = append(out, text)
		} else if len(out) == 0 || out[len(out)-1] != text+" "+string(one.RerunReason) {
			out = append(out, text+" "+string(one.RerunReason))
		}
		return nil
	}); err != nil {
		r.t.Fatal(err)
	}
	return out
}

// broken answers wrong to one case of the head.
func broken(q string) string {
	return map[bool]string{true: "no", false: "yes"}[strings.Contains(q, "broken really")]
}

func TestWhatAChangeAddsIsAskedLastAndStandsInItsPlace(t *testing.T) {
	r := newRepo(t, 0, modeltest.TextStep(broken))
	r.config("gate: { min_run_score: off, max_regressions: 9 }\nexplain: off")
	r.cases("", "Is %s right?", "one", "gone", "broken")
	r.asBase()
	r.cases("", "Is %s really right?", "first", "one", "broken", "last")
	o := r.run("--base", "./base")
	o.expect(t, "a comparison", cli.ExitPassed, 4+14+3, "1 of 2 answers broke")
	asked := strings.Join(r.asked(), " ")
	if got := asked[strings.LastIndex(asked, "broken"):]; got != "broken first last gone" && len(strings.Fields(got)) != 4 {
		t.Errorf("asked %s; want what one side has at the end", asked)
	}
	for file, want := range map[string]string{"results.jsonl": "first one broken last broken confirm", "base.jsonl": "one broken gone broken confirm"} {
		if got := strings.Join(r.resultsOf(file), " "); got != want {
			t.Errorf("%s has %s, want %s", file, got, want)
		}
	}
	var changes []string
	for _, c := range o.report.Changes {
		changes = append(changes, c.CaseID)
	}
	if got := strings.Join(changes, " "); got != "first broken last gone" {
		t.Errorf("changes of %s", got)
	}
	out := r.read(".failproof/out/results.jsonl")
	again := r.run("--base", "./base")
	again.expect(t, "the same again", cli.ExitPassed, 0)
	if got := r.read(".failproof/out/results.jsonl"); strings.Count(got, "\n") != strings.Count(out, "\n") || again.comment != o.comment {
		t.Errorf("another comment or other results:\n%s\n%s", o.comment, again.comment)
	}
}

func TestNewCasesUseUpNothingThatAConfirmationNeeds(t *testing.T) {
	r := newRepo(t, 0, modeltest.TextStep(broken))
	r.config("gate: { min_run_score: off }\nlimits: { max_calls: 30 }")
	r.cases("", "Is %s right?", "a", "b", "c", "broken")
	r.asBase()
	names := []string{"a", "b", "c", "broken"}
	for i := range 20 {
		names = append(names, fmt.Sprintf("new%02d", i))
	}
	r.cases("", "Is %s really right?", names...)
	r.run("--base", "./base").expect(t, "a regression that fills the limit", cli.ExitFailed, 30,
		"1 regression confirmed by fresh runs", "limits.max_calls (30) is used up: 12 of 28 answers missing")
}

// five answers wrong to five cases of the head, in their first answers.
func five() modeltest.Step {
	seen := map[string]bool{}
	script := &turns{word: "really", say: func(int) string { return "" }}
	return modeltest.TextStep(func(q string) string {
		script.mu.Lock()
		defer script.mu.Unlock()
		m := regexp.MustCompile(`n(\d\d\d) really`).FindStringSubmatch(q)
		if m == nil || m[1] > "004" || seen[m[1]] {
			return "yes"
		}
		seen[m[1]] = true
		return "no"
	})
}

func TestASecondLookIsNotBegunWithoutRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, limits string
		code, calls  int
		says         string
	}{
		{"there is room", "", cli.ExitPassed, 100 + 20 + 100, "Every case of the suites that fell was asked 1 time more on both sides: the drop did not come back"},
		{"calls are limited", "limits: { max_calls: 600, max_cost_usd: 1000 }", cli.ExitPassed, 120, "the full rerun was skipped: limits.max_calls (600) leaves no room for it"},
		{"money is", "limits: { max_cost_usd: 10 }", cli.ExitPassed, 120, "the full rerun was skipped: limits.max_cost_usd (10) leaves no room for it"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 50, five())
			limits := c.limits
			if limits == "" {
				limits = "limits: { max_cost_usd: 1000 }"
			}
			r.config("gate: { min_run_score: off }\n" + limits)
			r.asBase()
			r.suite("", "Is %s really right?", 50)
			r.run("--base", "./base").expect(t, c.rule, c.code, c.calls, c.says)
		})
	}
}
