package compare_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// fallen is a run of 50 cases of which five fell, which is suspicious and not proven.
func fallen(t *testing.T, answers ...string) (*comparetest.Rerunner, gate.Run, comparetest.Caller) {
	t.Helper()
	p := comparetest.NewRerunner(t, append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 45)...),
		append(comparetest.RerunLines("a", answers[0], 45), comparetest.RerunLines("b", answers[1], 45)...)...)
	return p, gate.Run{Head: p.Head.Side(), Base: p.Base.Side(), BaseState: report.BaseCompared}, comparetest.Caller{Rerun: p.Rerun}
}

func TestASecondLookEndsWhereItsFirstAnswersDoNotBearTheDropOut(t *testing.T) {
	for _, c := range []struct {
		rule  string
		a, b  string // what the cases that fell and the others answer when they are asked again, the first round being the confirmation
		asked int    // rounds of the second look
	}{
		{"after its first round", "pass/pass", "pass/pass", 50},
		{"after the second, if the first bore it out", "pass/pass pass/fail pass/pass", "pass/pass fail/pass pass/pass", 100},
		{"after the third, if the second bore it out", "pass/pass pass/fail pass/fail pass/pass", "pass/pass pass/pass fail/pass pass/pass", 150},
		{"not before all is asked, if each round does", "pass/pass pass/fail", "pass/pass", 250},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p, in, ask := fallen(t, c.a, c.b)
			got, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), ask)
			if err != nil {
				t.Fatal(err)
			}
			test := got.NoiseTest.Numbers.Recheck
			if p.Reruns-5 != c.asked || test.Asked*50 != c.asked || !test.Complete || got.NoiseTest.RecheckIncomplete {
				t.Errorf("%d rounds asked, and told %+v; want %d", p.Reruns-5, test, c.asked)
			}
		})
	}
}

func TestASecondLookWithoutAnswersSaysWhy(t *testing.T) {
	p, in, ask := fallen(t, "pass/pass pass/tool", "pass/tool")
	got, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if test := got.NoiseTest.Numbers.Recheck; !got.NoiseTest.RecheckIncomplete || test.Reason != "unreadable" {
		t.Errorf("incomplete %t for the reason %q, want unreadable", got.NoiseTest.RecheckIncomplete, test.Reason)
	}
}

func TestASecondLookAsksTheSuitesThatFellAlone(t *testing.T) {
	lines := append(comparetest.CaseLines("a", "pass fail", 5), comparetest.CaseLines("b", "pass pass", 25)...)
	for _, line := range comparetest.CaseLines("c", "pass pass", 30) {
		lines = append(lines, "t"+line[1:])
	}
	p := comparetest.NewRerunner(t, lines, append(comparetest.RerunLines("a", "pass/pass", 5), comparetest.RerunLines("b", "pass/pass", 25)...)...)
	g := comparetest.GateWithReruns()
	got, err := settled(g, gate.Run{Head: p.Head.Side(), BaseState: report.BaseCompared}, p.Base.Side(), comparetest.Caller{Rerun: p.Rerun})
	if err != nil {
		t.Fatal(err)
	}
	test := got.NoiseTest.Numbers.Recheck
	if p.Reruns != 5+30 || len(test.Suites) != 1 || test.Suites[0].SuiteID != "s" || test.Overall.Cases != 30 {
		t.Errorf("%d rounds asked, %+v; want one round of the suite that fell, and nothing of the other", p.Reruns, test)
	}
}

func TestASecondLookForWhichThereIsNoRoomIsNotBegun(t *testing.T) {
	const doubt = "warn on_inconclusive: score fell by 10.0 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 300 on)"
	for _, c := range []struct {
		rule    string
		room    string
		nobody  bool
		reasons []string
	}{
		{"a limit leaves none", "limits.max_calls (130) leaves no room for it", false, []string{doubt + "; the full rerun was skipped: limits.max_calls (130) leaves no room for it"}},
		{"nobody answers", "", true, []string{"error confirm_incomplete: 5 cases flipped and could not be rerun often enough to confirm or clear the regression",
			doubt + "; the full rerun was skipped: flipped cases could not be rerun"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p, in, ask := fallen(t, "pass/pass", "pass/pass")
			wanted := 0
			ask.LimitReason = func(wants []report.RerunRequest) string {
				for _, w := range wants {
					wanted += w.Rounds
				}
				return c.room
			}
			if c.nobody {
				ask = comparetest.Caller{}
			}
			got, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), ask)
			if err != nil {
				t.Fatal(err)
			}
			in.Comparison = got
			verdict, reasons := gate.Decide(comparetest.GateWithReruns(), in)
			if diff := cmp.Diff(c.reasons, comparetest.ReasonLines(reasons)); diff != "" || (verdict == report.Undecided) != c.nobody {
				t.Errorf("verdict %s; reasons (-want +got):\n%s", verdict, diff)
			}
			if !c.nobody && (wanted != 250 || p.Reruns != 5) {
				t.Errorf("room was wanted for %d rounds and %d were asked; want all 250, and the 5 of the confirmation", wanted, p.Reruns)
			}
			stored, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), comparetest.Caller{})
			if err != nil {
				t.Fatal(err)
			}
			in.Comparison = stored
			if again, _ := gate.Decide(comparetest.GateWithReruns(), in); again != verdict {
				t.Errorf("the stored sides come to %s, the run to %s", again, verdict)
			}
		})
	}
}

func TestAFallThatNoCaseIsAskedForIsNotProvenWithoutAModel(t *testing.T) {
	p, in, _ := fallen(t, "pass/pass", "pass/pass")
	g := comparetest.GateWithReruns()
	g.Confirm = 0
	got, err := settled(g, in, p.Base.Side(), comparetest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	if test := got.NoiseTest.Numbers.Recheck; test.Triggered || test.Skipped != "no model could be called" {
		t.Errorf("%+v, want it skipped, and why", test)
	}
}

// TestASecondLookThatHasBegunGoesOn takes the rounds that the sides hold, and asks the rest whatever room there is.
func TestASecondLookThatHasBegunGoesOn(t *testing.T) {
	p, in, ask := fallen(t, "pass/pass pass/fail", "pass/pass")
	rounds := 0
	stops := comparetest.Caller{Rerun: func(wants []report.RerunRequest) error {
		if wants[0].Reason == report.RerunRecheck {
			if rounds++; rounds > 1 {
				return errors.New("the run was stopped")
			}
		}
		return p.Rerun(wants)
	}}
	if _, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), stops); err == nil {
		t.Fatal("the first run was not stopped")
	}
	ask.LimitReason = func([]report.RerunRequest) string { return "no room" }
	got, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if test := got.NoiseTest.Numbers.Recheck; !test.Triggered || !test.Complete || test.Skipped != "" || p.Reruns != 5+250 {
		t.Errorf("%+v after %d rounds; want the look at its end", test, p.Reruns)
	}
}

func TestARunThatFailedAlreadyIsNotLookedAtAgain(t *testing.T) {
	p, in, ask := fallen(t, "pass/pass", "pass/pass")
	ask.HasFailed = func(config.Gate, compare.Comparison) bool { return true }
	got, err := ask.Compare(comparetest.GateWithReruns(), compare.Sides{Base: p.Base.Side(), Head: in.Head})
	if err != nil || p.Reruns != 5 || got.NoiseTest.Numbers.Recheck.Triggered {
		t.Errorf("%d rounds asked, %+v, error %v; want the five of the confirmation", p.Reruns, got.NoiseTest.Numbers.Recheck, err)
	}
	p, in, ask = fallen(t, "pass/fail", "pass/pass")
	got, err = ask.Compare(comparetest.GateWithReruns(), compare.Sides{Base: p.Base.Side(), Head: in.Head})
	if err != nil || got.Regressions() != 5 || got.NoiseTest.Numbers.Recheck.Triggered {
		t.Errorf("%d regressions, %+v, error %v; want five, and no second look", got.Regressions(), got.NoiseTest.Numbers.Recheck, err)
	}
}

func TestALimitThatCutsASecondLookOffLeavesTheFirstOne(t *testing.T) {
	p, in, ask := fallen(t, "pass/pass unasked-budget/unasked-budget", "pass/pass")
	got, err := settled(comparetest.GateWithReruns(), in, p.Base.Side(), ask)
	if err != nil {
		t.Fatal(err)
	}
	in.Comparison = got
	verdict, reasons := gate.Decide(comparetest.GateWithReruns(), in)
	want := []string{"warn on_inconclusive: score fell by 10.0 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 300 on); the full rerun was skipped: limits.max_calls (2) is used up"}
	if diff := cmp.Diff(want, comparetest.ReasonLines(reasons)); diff != "" || verdict != report.Passed {
		t.Errorf("verdict %s; reasons (-want +got):\n%s", verdict, diff)
	}
}

func TestCasesOfOneSideComeAfterTheConfirmation(t *testing.T) {
	p := comparetest.NewRerunner(t, append(comparetest.CaseLines("a", "pass pass", 9), "s/x pass fail"), "s/x pass/fail")
	var order []string
	ask := comparetest.Caller{
		Rerun: func(wants []report.RerunRequest) error {
			order = append(order, "again")
			return p.Rerun(wants)
		},
		RunOneSided: func() error {
			order = append(order, "rest")
			return p.Head.Add(comparetest.Result("s", "new", 1, "fail"), report.Ref{})
		},
	}
	g := comparetest.GateWithReruns()
	g.Settings[config.MinRunScore] = config.Setting{Value: 0.85, Level: config.Err, Set: true}
	in := gate.Run{Head: p.Head.Side(), Base: p.Base.Side(), BaseState: report.BaseCompared}
	got, err := settled(g, in, p.Base.Side(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if len(order) != 9 || order[8] != "rest" {
		t.Errorf("order %v; want the eight rounds, then the rest", order)
	}
	if got.Counts[report.New] != 1 || got.Counts[report.Regressed] != 1 || len(got.Changes) != 11 {
		t.Errorf("counts %v; want what came last among them", got.Counts)
	}
}
