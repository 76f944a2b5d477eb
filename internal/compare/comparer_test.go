package compare_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// settled compares the sides of a run.
func settled(g config.Gate, in gate.Run, base *report.Side, ask comparetest.Caller) (compare.Comparison, error) {
	ask.HasFailed = in.Fails
	return ask.Compare(g, compare.Sides{Head: in.Head, Base: base})
}

// settle runs a scene through the gate of a live model; answers are "suite/case base/head base/head …".
func settle(t *testing.T, g config.Gate, lines []string, answers ...string) (compare.Comparison, report.Verdict, []string, *comparetest.Rerunner) {
	t.Helper()
	p := comparetest.NewRerunner(t, lines, answers...)
	policy, in := g, gate.Run{Head: p.Head.Side(), Base: p.Base.Side(), BaseState: report.BaseCompared}
	c, err := settled(policy, in, p.Base.Side(), comparetest.Caller{Rerun: p.Rerun})
	if err != nil {
		t.Fatal(err)
	}
	in.Comparison = c
	verdict, reasons := gate.Decide(policy, in)
	return c, verdict, comparetest.ReasonLines(reasons), p
}

func TestDecideNoisy(t *testing.T) {
	level := func(l config.Level) func(*config.Gate) {
		return func(g *config.Gate) { g.Settings[config.OnInconclusive].Level = l }
	}
	for _, c := range []struct {
		rule    string
		gate    func(*config.Gate)
		scene   []string
		answers []string
		verdict report.Verdict
		reasons []string
	}{
		{"a flip that fresh runs confirm fails", nil, append(comparetest.CaseLines("a", "pass pass", 9), "s/x pass fail"), []string{"s/x pass/fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0"}},
		{"the second is held to what the first leaves", nil, append(comparetest.CaseLines("a", "pass pass", 9), "s/x pass fail", "s/y pass fail"),
			[]string{"s/x pass/fail", "s/y pass/pass pass/fail pass/pass pass/fail"}, report.Failed,
			[]string{"error max_regressions: 2 regressions confirmed by fresh runs, max_regressions is 0"}},
		{"a flip that they do not is flaky", nil, []string{"s/x pass fail"}, []string{"s/x pass/pass"}, report.Passed, nil},
		{"a flip with fresh answers missing leaves it open", nil, []string{"s/x pass fail"}, []string{"s/x timeout/fail"}, report.Undecided,
			[]string{"error confirm_incomplete: 1 case flipped and could not be rerun often enough to confirm or clear the regression"}},
		{"as many confirmed as allowed pass", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(1) }, append(comparetest.CaseLines("a", "pass pass", 9), "s/x pass fail"),
			[]string{"s/x pass/fail"}, report.Passed, nil},
		{"a redefined case that meets neither expectation is asked again", nil, append(comparetest.CaseLines("a", "pass pass", 9), "s/x pass fail old:fail"), []string{"s/x pass/fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0"}},
		{"and stays redefined where that clears it", nil, []string{"s/x pass fail old:fail"}, []string{"s/x pass/pass"}, report.Passed,
			[]string{"warn on_redefined: 1 redefined case would have failed by the old expectation: s/x"}},
		{"one that meets the base's is not", nil, []string{"s/x pass fail old:pass"}, nil, report.Passed, nil},
		{"eight cases worse and none better: the suite is worse", nil, append(comparetest.CaseLines("a", "pass fail", 8), comparetest.CaseLines("b", "pass pass", 41)...),
			comparetest.RerunLines("a", "pass/pass", 8), report.Failed,
			[]string{"error max_drop: score fell by 16.3 points, 8 cases worse, none better: 1 in 256 if nothing changed"}},
		{"five are suspicious", nil, append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 35)...), comparetest.RerunLines("a", "pass/pass", 5), report.Passed,
			[]string{"warn on_inconclusive: score fell by 12.5 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 200 on)"}},
		{"which the gate may call a failure", level(config.Err), append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 35)...), comparetest.RerunLines("a", "pass/pass", 5), report.Failed,
			[]string{"error on_inconclusive: score fell by 12.5 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 200 on)"}},
		{"or nothing", level(config.Off), append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 35)...), comparetest.RerunLines("a", "pass/pass", 5), report.Passed, nil},
		{"from 50 cases on a suspicion is looked at again", nil, append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 45)...),
			append(comparetest.RerunLines("a", "pass/pass", 5), comparetest.RerunLines("b", "pass/pass", 45)...), report.Passed, nil},
		{"and may be proven", nil, append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 45)...),
			append(comparetest.RerunLines("a", "pass/pass pass/fail pass/fail pass/pass", 5), comparetest.RerunLines("b", "pass/pass", 45)...), report.Failed,
			[]string{"error max_drop: asked again, score fell by 4.0 points, 5 cases worse, none better: 1 in 1,845 if nothing changed"}},
		{"not where the run has failed anyway", func(g *config.Gate) { g.Settings[config.MinRunScore] = comparetest.ErrorAt(0.99) }, append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 45)...),
			comparetest.RerunLines("a", "pass/pass", 5), report.Failed,
			[]string{"error min_run_score: run score 0.900 is below min_run_score 0.990",
				"warn on_inconclusive: score fell by 10.0 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 300 on)"}},
		{"an answer or two may be missing from a live model", nil, append(comparetest.CaseLines("a", "pass pass", 19), "s/x pass timeout"), []string{"s/x pass/pass"}, report.Passed, nil},
		{"no more", nil, append(comparetest.CaseLines("a", "pass pass", 18), "s/x pass timeout", "s/y pass timeout"), []string{"s/x pass/pass", "s/y pass/pass"}, report.Undecided,
			[]string{"error max_unscored: 2 of 20 trials without a score: share 0.100 is above max_unscored 0.050"}},
		{"on either side", nil, append(comparetest.CaseLines("a", "pass pass", 18), "s/x timeout pass", "s/y timeout pass"), nil, report.Undecided,
			[]string{"error max_unscored: 2 of 20 cases have no score on one side: share 0.100 is above max_unscored 0.050",
				"warn max_unscored: 2 cases are not compared: too few answers came before"}},
		{"answers that only the head loses are said to be", func(g *config.Gate) { g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.5) }, append(comparetest.CaseLines("a", "pass pass", 20), comparetest.CaseLines("x", "pass timeout", 8)...),
			comparetest.RerunLines("x", "pass/pass", 8), report.Undecided, []string{"error head_errors: answers are lost now that came before (1 in 256 if that were an accident): possibly this change's fault, but no score"}},
		{"a must-pass case that flips is asked again before it fails", nil, []string{"s/x pass fail must"}, []string{"s/x pass/pass"}, report.Passed,
			[]string{"warn must_pass: must-pass case s/x answered wrong, and not so when asked 3 times more: right 3 of 3 before, 3 of 3 now"}},
		{"and fails if that confirms it", nil, []string{"s/x pass fail must"}, []string{"s/x pass/fail"}, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: fail, and in 8 of 8 fresh runs (0 before)",
				"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0"}},
		{"one wrong answer of three is enough to ask", nil, []string{"s/x pass,pass,pass pass,pass,fail must"}, []string{"s/x pass/fail"}, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: fail, and in 8 of 8 fresh runs (0 before)",
				"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0"}},
		{"a must-pass case without fresh answers is no pass", nil, []string{"s/x pass fail must"}, []string{"s/x pass/timeout"}, report.Undecided,
			[]string{"error must_pass: must-pass case s/x failed: fail, and could not be asked again often enough",
				"error confirm_incomplete: 1 case flipped and could not be rerun often enough to confirm or clear the regression"}},
		{"a must-pass case that fails on both sides fails", nil, []string{"s/x fail fail must"}, nil, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: fail, as before"}},
		{"a new one has no base to excuse it", nil, []string{"s/x - fail must"}, nil, report.Failed, []string{"error must_pass: must-pass case s/x failed: fail"}},
		{"nothing asked again: the wrong answer stands", func(g *config.Gate) { g.Confirm = 0 }, []string{"s/x pass fail must"}, nil, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: fail"}},
		{"nothing asked again: a flip alone proves nothing", func(g *config.Gate) { g.Confirm = 0 }, []string{"s/x pass fail"}, nil, report.Passed, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := comparetest.NoisyGate()
			if c.gate != nil {
				c.gate(&g)
			}
			_, verdict, reasons, _ := settle(t, g, c.scene, c.answers...)
			if verdict != c.verdict {
				t.Errorf("verdict %s, want %s", verdict, c.verdict)
			}
			if diff := cmp.Diff(c.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSettleAsksNothingTwice(t *testing.T) {
	lines := append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 45)...)
	c, verdict, reasons, p := settle(t, comparetest.NoisyGate(), lines, append(comparetest.RerunLines("a", "pass/pass pass/fail", 5), comparetest.RerunLines("b", "pass/pass", 45)...)...)
	if p.Reruns != 5+50*5 {
		t.Errorf("%d rounds asked, want 5 to confirm and 250 of the recheck", p.Reruns)
	}
	nobody := func([]report.RerunRequest) error { return errors.New("asked again") }
	in := gate.Run{Head: p.Head.Side(), BaseState: report.BaseCompared}
	stored, err := settled(comparetest.NoisyGate(), in, p.Base.Side(), comparetest.Caller{Rerun: nobody})
	if err != nil {
		t.Fatalf("the sides hold all answers: %v", err)
	}
	in.Comparison = stored
	again, why := gate.Decide(comparetest.NoisyGate(), in)
	if diff := cmp.Diff(c.NoiseTest, stored.NoiseTest); diff != "" || again != verdict || !cmp.Equal(reasons, comparetest.ReasonLines(why)) {
		t.Errorf("the stored sides come to %s %q, the run to %s %q:\n%s", again, comparetest.ReasonLines(why), verdict, reasons, diff)
	}
	if diff := cmp.Diff(c.Changes, stored.Changes); diff != "" {
		t.Errorf("changes (-run +stored):\n%s", diff)
	}
}

func TestSettleSaysWhatNobodyCouldBeAskedFor(t *testing.T) {
	base, head := comparetest.Sides(t, "s/x pass fail")
	in := gate.Run{Head: head, BaseState: report.BaseCompared}
	c, err := settled(comparetest.NoisyGate(), in, base, comparetest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	in.Comparison = c
	if verdict, reasons := gate.Decide(comparetest.NoisyGate(), in); verdict != report.Undecided {
		t.Errorf("a flip that nobody could ask again is %s %q, want undecided", verdict, comparetest.ReasonLines(reasons))
	}
}

func TestAFlipThatStaysOpenSaysWhy(t *testing.T) {
	for _, c := range []struct{ rule, answers, state, reason string }{
		{"the reason why an answer did not come", "s/x pass/unasked-budget", report.CandidateIncomplete, "budget"},
		{"the base's counts, too", "s/x unasked-budget/fail", report.CandidateIncomplete, "budget"},
		{"a flip that is settled needs none", "s/x pass/tool pass/fail", report.CandidateConfirmed, ""},
	} {
		got, _, _, _ := settle(t, comparetest.NoisyGate(), []string{"s/x pass fail"}, c.answers)
		if s := got.NoiseTest.Numbers.Confirm.Candidates[0]; s.State != c.state || s.Reason != c.reason {
			t.Errorf("%s: %s %q, want %s %q", c.rule, s.State, s.Reason, c.state, c.reason)
		}
	}
}

// passes are the trials of one side: so many that pass, then so many that fail.
func passes(right, wrong int) string {
	return strings.Join(append(slices.Repeat([]string{"pass"}, right), slices.Repeat([]string{"fail"}, wrong)...), ",")
}

func TestStoredTrialsDecideWhereNobodyCanBeAsked(t *testing.T) {
	for _, c := range []struct {
		rule       string
		base, head string // an answer each
		n          int    // cases beside it that hold
		verdict    report.Verdict
		reason     string
	}{
		{"many trials that all turned prove it", passes(12, 0), passes(0, 12), 9, report.Failed, "1 regression confirmed by stored runs, max_regressions is 0"},
		{"the more cases there are, the more trials it takes", passes(8, 0), passes(0, 8), 49, report.Undecided,
			"1 case flipped and could not be rerun often enough to confirm or clear the regression"},
		{"what would not be proven alone either is noise", passes(9, 3), passes(5, 7), 9, report.Passed, ""},
		{"what lies between is open", passes(12, 0), passes(5, 7), 9, report.Undecided,
			"1 case flipped and could not be rerun often enough to confirm or clear the regression"},
		{"a few trials prove nothing", passes(2, 0), passes(0, 2), 9, report.Undecided,
			"1 case flipped and could not be rerun often enough to confirm or clear the regression"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			holds := passes(strings.Count(c.base, ",")+1, 0)
			lines := append(comparetest.CaseLines("y", holds+" "+holds, c.n), "s/x "+c.base+" "+c.head)
			base, head := comparetest.Sides(t, lines...)
			policy := comparetest.NoisyGate()
			policy.Settings[config.MaxDrop].Level = config.Off
			in := gate.Run{Head: head, BaseState: report.BaseCompared}
			var err error
			if in.Comparison, err = settled(policy, in, base, comparetest.Caller{}); err != nil {
				t.Fatal(err)
			}
			verdict, reasons := gate.Decide(policy, in)
			if got := strings.Join(comparetest.ReasonLines(reasons), "; "); verdict != c.verdict || !strings.Contains(got, c.reason) {
				t.Errorf("%s %q, want %s with %q", verdict, got, c.verdict, c.reason)
			}
		})
	}
}

func TestRerunsEndWithAnErrorIfTheAnswerToGradeCannotBeReadBack(t *testing.T) {
	base, head := built(t, graded(1, "+kind")), built(t, graded(1, "-kind"))
	base.Log = report.NewLog(&comparetest.MemoryFile{})
	steps := 0
	for wants, err := range compare.Begin(comparetest.NoisyGate(), compare.Sides{Base: base.Side(), Head: head.Side()}).Reruns() {
		if steps++; err == nil || !strings.Contains(err.Error(), "case x") || len(wants) > 0 {
			t.Errorf("%d requests and the error %v; want one that names the case", len(wants), err)
		}
	}
	if steps != 1 {
		t.Errorf("%d steps, want the error alone", steps)
	}
}

func TestARunThatMeasuresNoiseAsksNobodyAgain(t *testing.T) {
	p := comparetest.NewRerunner(t, append(comparetest.CaseLines("a", "pass fail", 8), comparetest.CaseLines("b", "pass pass", 52)...))
	c, err := comparetest.Caller{Rerun: p.Rerun}.Compare(comparetest.NoisyGate(), compare.Sides{Base: p.Base.Side(), Head: p.Head.Side(), Measuring: true})
	if err != nil || p.Reruns > 0 {
		t.Fatalf("%d rounds asked, error %v", p.Reruns, err)
	}
	if n := c.NoiseTest.Numbers; n.Confirm != nil || n.Recheck != nil || c.Counts[report.Regressed] != 0 {
		t.Errorf("%+v, %d regressed; want no look, and no regression of a revision from itself", n, c.Counts[report.Regressed])
	}
}

func TestOfNewAndRemovedSampledCasesNothingFell(t *testing.T) {
	shared := comparetest.CaseLines("a", "pass,pass,pass pass,pass,pass drawn", 6)
	alone, _, _, _ := settle(t, comparetest.GateWithReruns(), shared)
	beside, _, _, _ := settle(t, comparetest.GateWithReruns(), append(shared, "s/new - fail,fail,fail drawn", "s/gone pass,pass,pass - drawn"))
	if diff := cmp.Diff(alone.SampledTest, beside.SampledTest); diff != "" {
		t.Errorf("the test of the sampled cases (-alone +beside new and removed ones):\n%s", diff)
	}
}

func TestADropOfAnswersSampledOnceIsSuspectedUnlessTheGateNamesAMaxDrop(t *testing.T) {
	named := comparetest.GateWithReruns()
	named.Settings[config.MaxDrop] = comparetest.ErrorAt(0.02)
	lines := func(marks string) []string {
		return append(comparetest.CaseLines("a", "pass fail "+marks, 10), comparetest.CaseLines("b", "pass pass "+marks, 30)...)
	}
	for _, c := range []struct {
		rule            string
		gate            config.Gate
		lines           []string
		drop, suspected bool
	}{
		{"by default", comparetest.GateWithReruns(), lines("drawn"), false, true},
		{"with a max_drop", named, lines("drawn"), true, true},
		{"a few flips are no drop", comparetest.GateWithReruns(), append(comparetest.CaseLines("a", "pass fail drawn", 2), comparetest.CaseLines("b", "pass pass drawn", 30)...), false, false},
		{"written by hand", named, lines("recorded"), false, false},
		{"written by hand on the base", named, lines("recorded-base drawn-head"), false, false},
	} {
		got, _, _, _ := settle(t, c.gate, c.lines)
		test := got.SampledTest
		if drop, suspected := test != nil && test.Drop, test != nil && test.PossibleDrop; drop != c.drop || suspected != c.suspected {
			t.Errorf("%s: a drop %t, suspected %t", c.rule, drop, suspected)
		}
	}
}

func TestAnEditedCaseOfAnotherRunnerIsJudgedByItsRuns(t *testing.T) {
	for answers, want := range map[string]report.Status{"fail,fail,fail": report.Regressed, "pass,pass,pass": report.Redefined} {
		lines := append(comparetest.CaseLines("a", "pass,pass,pass pass,pass,pass repeated", 3), "s/x pass,pass,pass "+answers+" repeated redefined recorded")
		c, _, _, _ := settle(t, comparetest.GateWithReruns(), lines)
		if got := c.Changes[3].Change; got != want {
			t.Errorf("%s is %s, want %s", answers, got, want)
		}
	}
}

func TestTheReportSaysHowLongAndDearAnswersAre(t *testing.T) {
	var sides [2]report.Builder
	for i := range sides {
		for n := range 5 {
			r := comparetest.Result("s", fmt.Sprint(n), 1, "pass")
			r.LatencyMS, r.CostUSD = new(int64(100*(i+1))), new(0.5*float64(i+1))
			if err := sides[i].Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	base, head := sides[0].Side(), sides[1].Side()
	var rep report.Report
	comparetest.Compare(base, head).Fill(&rep, base, head)
	want := &report.Efforts{Base: report.Effort{LatencyMS: new(int64(100)), CostUSD: new(0.5)}, Head: report.Effort{LatencyMS: new(int64(200)), CostUSD: new(1.0)}}
	if diff := cmp.Diff(want, rep.Effort); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhoeverLooksThroughTheCasesMayStop(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass pass", "t/b pass pass")
	for range comparetest.Compare(base, head).All() {
		break
	}
}

func TestNoisyStatuses(t *testing.T) {
	g := comparetest.NoisyGate()
	lines := append(comparetest.CaseLines("a", "pass fail", 21), comparetest.CaseLines("b", "fail pass", 21)...)
	c, _, _, _ := settle(t, g, lines, append(comparetest.RerunLines("a", "pass/pass", 20), "s/a00 pass/fail")...)
	got := map[report.Status]int{}
	for _, change := range c.Changes {
		got[change.Change]++
	}
	want := map[report.Status]int{report.Regressed: 1, report.Flaky: 20, report.Fixed: 21}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("one is confirmed, 19 are cleared and one is not asked again (-want +got):\n%s", diff)
	}
}

func TestQuarantine(t *testing.T) {
	in := func(ids ...string) []config.Quarantine {
		var out []config.Quarantine
		for _, id := range ids {
			out = append(out, config.Quarantine{ID: id, Reason: "flaky", Expires: "2026-12-31"})
		}
		return out
	}
	for _, c := range []struct {
		rule    string
		gate    func() config.Gate
		scene   []string
		verdict report.Verdict
		reasons []string
	}{
		{"a recorded flip in quarantine fails nothing", comparetest.GateWithoutReruns, []string{"s/x pass fail", "s/y pass pass"}, report.Passed, nil},
		{"a live one is not asked again", comparetest.NoisyGate, []string{"s/x pass fail", "s/y pass pass"}, report.Passed, nil},
		{"it is in no bar", func() config.Gate {
			g := comparetest.GateWithoutReruns()
			g.Settings[config.MinRunScore] = comparetest.ErrorAt(1)
			return g
		}, []string{"s/x fail fail", "s/y pass pass"}, report.Passed, nil},
		{"nor is its missing answer", comparetest.GateWithoutReruns, []string{"s/x pass timeout", "s/y pass pass"}, report.Passed, nil},
		{"a case that must pass is judged all the same", comparetest.GateWithoutReruns, []string{"s/x pass fail must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: fail", "error max_regressions: 1 regression, max_regressions is 0"}},
		{"not one that has failed before", comparetest.GateWithoutReruns, []string{"s/x pass,pass,pass,fail fail,fail,fail"}, report.Passed, nil},
		{"nor one that still passes now and then", comparetest.GateWithoutReruns, []string{"s/x pass,pass,pass fail,fail,fail,pass"}, report.Passed, nil},
		{"nor one with too few answers before", comparetest.GateWithoutReruns, []string{"s/x pass,pass fail,fail,fail"}, report.Passed, nil},
		{"or now", comparetest.GateWithoutReruns, []string{"s/x pass,pass,pass fail,fail"}, report.Passed, nil},
		{"so is one that is broken, and not flaky", comparetest.GateWithoutReruns, []string{"s/x pass,pass,pass fail,fail,fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := c.gate()
			g.Quarantine = in("s/x")
			if g.Mode == "" {
				g.Mode = config.ModeStrict
			}
			comparison, verdict, reasons, _ := settle(t, g, c.scene)
			if diff := cmp.Diff(c.reasons, reasons); verdict != c.verdict || diff != "" {
				t.Errorf("verdict %s, want %s; reasons (-want +got):\n%s", verdict, c.verdict, diff)
			}
			if marked := comparison.Changes[0].Quarantined; marked != (verdict == report.Passed) {
				t.Errorf("the case is marked as in quarantine: %v", marked)
			}
		})
	}
}

func TestASharedAnswerIsNobodysSuspect(t *testing.T) {
	var base, head report.Builder
	for _, to := range []*report.Builder{&base, &head} {
		r := comparetest.Result("s", "x", 1, string(classify.Fail))
		r.Shared = true
		if err := to.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := settled(comparetest.NoisyGate(), gate.Run{Head: head.Side()}, base.Side(), comparetest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	if n := c.NoiseTest.Numbers; n.Unchanged != 1 || n.Overall.Informative != 0 || n.Overall.Interval != (report.Interval{}) {
		t.Errorf("unchanged %d, %+v; want one case that proves nothing", n.Unchanged, n.Overall)
	}
}
