package story

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

// nextOf returns the steps that a report advises.
func nextOf(r *report.Report) (text string) {
	for i, p := range storyOf(r, rendertest.Links()).Next {
		if i > 0 {
			text += " "
		}
		text += p.Plain(500)
	}
	return text
}

// TestWhatToDoWhereAnswersAreMissing checks that the advice is to wait only if waiting helps.
func TestWhatToDoWhereAnswersAreMissing(t *testing.T) {
	for _, c := range []struct{ reason, want string }{
		{model.ReasonProtocol, "Each line above says what came: check that the target speaks the protocol of its `provider`. If it was an outage, run the job again."},
		{model.ReasonUnreadable, "Each line above says what came. A call of a tool counts only if the suite’s `tools` offer it. Running again seldom helps."},
		{model.ReasonCrash, "Fix what it says, then run the job again."},
		{model.ReasonTransport, "Check that the target’s address is right and that something listens there, then run the job again."},
		{model.ReasonServer, "Run the job again when the target answers; with a longer `patience` of the target, a run waits longer for it."},
	} {
		r := rendertest.UndecidedRun()
		rendertest.EditChanges(r, func(_ int, one *report.Change) {
			if one.Head != nil && one.Head.Unscored > 0 {
				one.Head.Details = &classify.Details{Reason: c.reason}
			}
		})
		if got := nextOf(r); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestAJudgeThatFailsIsNamed checks that the title and the advice name the judge, and not the target, which answered.
func TestAJudgeThatFailsIsNamed(t *testing.T) {
	r := rendertest.UndecidedRun()
	rendertest.EditChanges(r, func(_ int, one *report.Change) {
		if one.Head != nil && one.Head.Unscored > 0 {
			one.Head.Details = &classify.Details{Reason: model.ReasonTransport, OfJudge: true}
		}
	})
	if got := storyOf(r, rendertest.Links()).Title; !strings.HasPrefix(got, "No verdict: the judge could not be reached") {
		t.Errorf("title %q", got)
	}
	if got, want := nextOf(r), "Check that the judge’s target’s address is right and that something listens there, then run the job again."; got != want {
		t.Errorf("next %q, want %q", got, want)
	}
	r = rendertest.NoisyRun()
	r.Verdict, r.Reasons = report.Undecided, []report.Reason{rendertest.Reason(gate.RecheckIncomplete.Code, "answers are missing")}
	r.Statistics.Noise.Recheck = &report.RecheckTest{Trials: 5, Triggered: true, LossReason: report.LossReason{Reason: model.ReasonTransport, OfJudge: true}}
	if got, want := storyOf(r, rendertest.Links()).Title, "No verdict: the full rerun is missing answers: the judge could not be reached"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}

// TestOfManyCausesTheMostFrequentHaveAStep checks that the steps stay few, each once.
func TestOfManyCausesTheMostFrequentHaveAStep(t *testing.T) {
	r := rendertest.UndecidedRun()
	reasons := []string{model.ReasonCrash, model.ReasonTransport, model.ReasonQuota, model.ReasonServer, model.ReasonServer}
	n := 0
	rendertest.EditChanges(r, func(_ int, one *report.Change) {
		if one.Head != nil && one.Head.Unscored > 0 {
			one.Head.Details = &classify.Details{Reason: reasons[n%len(reasons)]}
			n++
		}
	})
	want := "Run the job again when the target answers; with a longer `patience` of the target, a run waits longer for it. " +
		"The account has no money left, or has reached its spending limit: raise that, then run the job again. " +
		"Check that the target’s address is right and that something listens there, then run the job again."
	if got := nextOf(r); got != want {
		t.Errorf("next of %d missing answers: %q, want %q", n, got, want)
	}
}

// TestShardsOfAnotherRunAreRunAgain checks shards with other flags. They are not missing, and no target is down.
func TestShardsOfAnotherRunAreRunAgain(t *testing.T) {
	r := rendertest.EmptyScopeRun()
	r.Verdict, r.Reasons = report.Undecided, []report.Reason{rendertest.Reason(model.ReasonShard, "the shards asked something else")}
	if got := storyOf(r, rendertest.Links()).Title; got != "No verdict: the shards are of another run" {
		t.Errorf("title %q", got)
	}
	if got := nextOf(r); got != "Run all shards again, all of them and the merge with one version and the same flags, such as `--base`, `--scope` and `--trials`." {
		t.Errorf("next %q", got)
	}
}

// TestAFirstConfigurationIsMerged checks a run that only withheld live targets. No file of it has to be fixed.
func TestAFirstConfigurationIsMerged(t *testing.T) {
	r := rendertest.InvalidRun()
	unmerged := document.NewError("suites/a.yaml", document.Position{Line: 2, Column: 1}, config.RuleUnmerged, "target …")
	r.Diagnostics = append(r.Diagnostics, unmerged)
	if got := nextOf(r); !strings.HasPrefix(got, "Fix the files") {
		t.Errorf("beside errors: %q", got)
	}
	r.Diagnostics = []document.Diagnostic{unmerged}
	if got := storyOf(r, rendertest.Links()).Title; got != "Nothing was run: the live targets of this configuration are called after the merge" {
		t.Errorf("title %q", got)
	}
	if got := nextOf(r); !strings.HasPrefix(got, "Merge this set-up") || !strings.Contains(got, "`bootstrap: true`") {
		t.Errorf("next %q", got)
	}
}

// TestAPromptThatNoSuiteAsksIsSaid checks that a run warns of an untested prompt, even if nothing was run.
func TestAPromptThatNoSuiteAsksIsSaid(t *testing.T) {
	r := rendertest.EmptyScopeRun()
	r.Reasons = []report.Reason{rendertest.Warning(gate.UntestedPrompt.Code, "1 prompt that this change edits, adds or moves is tested by no suite: prompts/joke.md")}
	v := storyOf(r, rendertest.Links())
	if got := v.Icon() + " " + v.Title; got != "⚠️ Passed with warnings: no suite tests a prompt" {
		t.Errorf("title %q", got)
	}
	if got := nextOf(r); got != "Nothing is blocked. Before you approve, write a suite for the prompt: no suite tests it." {
		t.Errorf("next %q", got)
	}
}

// TestWhichChangeDidItIsFoundByExplain checks that Next offers `explain` only where a live target can answer, and
// several places of a broken case's prompts changed.
func TestWhichChangeDidItIsFoundByExplain(t *testing.T) {
	const step = "`failproof explain --base` finds which changed place did it, with calls of a live target; of several, name one with `--target`."
	for _, c := range []struct {
		rule     string
		sampled  bool
		head     string
		searched bool
		others   bool // the second place is in the prompt of another suite
		want     bool
	}{
		{"two places", true, "One!\nTwo.\n", false, false, true},
		{"a single place", true, "One!\nTwo.\nThree.\n", false, false, false},
		{"a single place of each suite", true, "One!\nTwo.\nThree.\n", false, true, false},
		{"answers that a person wrote", false, "One!\nTwo.\n", false, false, false},
		{"the run looked itself", true, "One!\nTwo.\n", true, false, false},
	} {
		r := rendertest.ConfirmedRun()
		one := report.Prompt{Path: "p.md", Base: "One.\nTwo.\nThree.\n", Head: model.Untrusted(c.head)}
		for _, s := range r.Suites {
			one.Suites = append(one.Suites, s.SuiteID)
		}
		r.Prompts = []report.Prompt{one}
		if c.others {
			one.Path, one.Suites = "q.md", []string{"other"}
			r.Prompts = append(r.Prompts, one)
		}
		rendertest.EditChanges(r, func(_ int, one *report.Change) { one.Sampled = c.sampled })
		if c.searched {
			r.Explanation = &report.Explanation{}
		}
		if got := strings.Contains(nextOf(r), step); got != c.want {
			t.Errorf("%s: said is %t: %s", c.rule, got, nextOf(r))
		}
	}
}

// TestAskingMoreIsAdvisedWhereItIsPossible checks the advice about a score that noise may have lowered. Recorded
// answers do not become more by --trials.
func TestAskingMoreIsAdvisedWhereItIsPossible(t *testing.T) {
	const before = "Nothing is blocked. Before you approve, "
	for _, c := range []struct {
		rule   string
		change func(*report.Report)
		want   string
	}{
		{"live cases", func(*report.Report) {}, "ask live cases more often to be sure (`failproof run --trials`)."},
		{"recorded cases", func(r *report.Report) { r.Statistics.Noisy = 0 }, gate.ReviewAnswers + "."},
		{"recorded cases that were not rerun", func(r *report.Report) {
			r.Statistics.Noisy = 0
			r.Statistics.RecordedReruns = &report.RecordedReruns{Candidates: r.Statistics.Noise.Confirm.Candidates}
			for i := range r.Statistics.RecordedReruns.Candidates {
				r.Statistics.RecordedReruns.Candidates[i].State = report.CandidateUnprovable
			}
		}, "let `failproof record` rerun the cases that flipped."},
	} {
		r := rendertest.WithinNoiseRun()
		c.change(r)
		if got := nextOf(r); got != before+c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, before+c.want)
		}
	}
}

// TestWhatToDoAboutResultsOfAnotherRunner checks that the steps name the keys and the runner's own way to repeat cases.
func TestWhatToDoAboutResultsOfAnotherRunner(t *testing.T) {
	const block = "To block such a fall without proof, set `min_run_score` or `on_inconclusive: error` in `gate`, or `mode: strict` in `results`."
	drop, flips := rendertest.PossibleDropRun(), rendertest.PossibleDropRun()
	flips.Reasons = []report.Reason{rendertest.Warning(gate.UnprovenFlips.Code, "1 of 20 cases flipped")}
	for _, r := range []*report.Report{drop, flips} {
		for runner, how := range map[string]string{
			"promptfoo":    "(`promptfoo eval --repeat 8 --no-cache`)",
			"jsonl, junit": "(a line for each run of a case; a test for each run of a case, and `--runs`)",
		} {
			r.Runner = runner
			want := "run each case more often on both sides, to be sure " + how + ". " + block
			if got := nextOf(r); !strings.HasSuffix(got, want) {
				t.Errorf("%s: %q, want %q", runner, got, want)
			}
		}
	}
	if got := nextOf(rendertest.PossibleDropRun()); strings.Contains(got, "`results`") {
		t.Errorf("of suites: %q", got)
	}
	const noisy = "If these tests ask a model, set `mode: noisy` in `results`"
	broken := rendertest.FailedRun()
	broken.Statistics = &report.Statistics{Strict: 45}
	for runner, want := range map[string]bool{"junit": true, "promptfoo, junit": true, "promptfoo": false, "": false} {
		broken.Runner = runner
		if got := nextOf(broken); strings.Contains(got, noisy) != want {
			t.Errorf("%s: %q, want mode: noisy %v", runner, got, want)
		}
	}
	broken.Runner, broken.Statistics = "junit", &report.Statistics{Noisy: 45}
	if got := nextOf(broken); strings.Contains(got, noisy) {
		t.Errorf("of noisy tests: %q", got)
	}
}

func TestOfSeveralPromptsTheOneWhoseCasesBrokeIsNamed(t *testing.T) {
	r := rendertest.ConfirmedRun()
	broke := report.Prompt{Path: "p.md", Suites: []string{r.Changes[0].SuiteID}, Base: "a", Head: "b"}
	r.Prompts = []report.Prompt{{Path: "q.md", Suites: []string{"other"}, Base: "a", Head: "b"}, broke}
	if got := nextOf(r); !strings.HasPrefix(got, "Fix “p.md”.") {
		t.Error(got)
	}
	r.Prompts[0].Suites = broke.Suites
	if got := nextOf(r); !strings.HasPrefix(got, "Fix the prompts.") {
		t.Error(got)
	}
}
