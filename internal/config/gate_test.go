package config

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatNoGateHolds(t *testing.T) {
	setting := func(k Key, v float64) func(*Gate) { return func(g *Gate) { g.Settings[k].Value = v } }
	few, many := -1, 100
	for _, c := range []struct {
		rule string
		set  func(*Gate)
		want string // part of the one fault; "": none
	}{
		{"the defaults are sound", func(*Gate) {}, ""},
		{"a level is one of three", func(g *Gate) { g.Settings[OnRemoved].Level = "loud" }, `gate.on_removed has the level "loud"`},
		{"a count is not negative", setting(MaxRegressions, -1), "gate.max_regressions is -1"},
		{"a count is one of this machine", setting(MaxRegressions, math.MaxInt32+1), "gate.max_regressions is"},
		{"the largest count", setting(MaxRegressions, math.MaxInt32), ""},
		{"a share is not negative", setting(MaxDrop, -0.1), "gate.max_drop is -0.1"},
		{"a share is at most 1", setting(MaxDrop, 1.1), "gate.max_drop is 1.1"},
		{"a share of 1", setting(MaxDrop, 1), ""},
		{"a share is a number", setting(MaxDrop, math.NaN()), "gate.max_drop is NaN"},
		{"trials are at most 100", func(g *Gate) { g.Trials = 101 }, "out of range"},
		{"so are fresh answers", func(g *Gate) { g.Confirm = 101 }, "out of range"},
		{"a recheck is not negative", func(g *Gate) { g.Recheck = &few }, "out of range"},
		{"a recheck of 100", func(g *Gate) { g.Recheck = &many }, ""},
		{"alpha is a chance", func(g *Gate) { g.Alpha = 1 }, "gate.alpha is 1"},
		{"and not negative", func(g *Gate) { g.Alpha = -0.1 }, "gate.alpha is -0.1"},
		{"none is the default", func(g *Gate) { g.Alpha = 0 }, ""},
		{"pooled is on or off", func(g *Gate) { g.Pooled = "maybe" }, `gate.pooled is "maybe"`},
		{"pooled may be off", func(g *Gate) { g.Pooled = PooledOff }, ""},
		{"fail_on is error or never", func(g *Gate) { g.FailOn = "warn" }, `gate.fail_on is "warn"`},
		{"fail_on may be never", func(g *Gate) { g.FailOn = FailOnNever }, ""},
	} {
		g := Default().Gate
		c.set(&g)
		wrong := g.Faults()
		if c.want == "" && len(wrong) > 0 || c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], c.want)) {
			t.Errorf("%s: faults %q, want %q", c.rule, wrong, c.want)
		}
	}
	if wrong := (*Gate)(nil).Faults(); wrong != nil {
		t.Errorf("a report without a gate: faults %q", wrong)
	}
}

func TestDefaultsForNoisyCasesHoldForStrictOnesIfTheFileNamesThem(t *testing.T) {
	for _, c := range []struct {
		rule           string
		named, noisy   bool
		drop, unscored Setting
	}{
		{"noisy cases", false, true, Setting{Value: 0.02, Level: Err}, Setting{Value: 0.05, Level: Err}},
		{"strict ones may miss no answer, and are judged by their flips", false, false, Setting{Level: Off}, Setting{Level: Err}},
		{"unless the file says more", true, false, Setting{Value: 0.02, Level: Err, Set: true}, Setting{Value: 0.05, Level: Err, Set: true}},
	} {
		g := Default().Gate
		g.Settings[MaxDrop].Set, g.Settings[MaxUnscored].Set = c.named, c.named
		if drop, unscored := g.Drop(c.noisy), g.Unscored(c.noisy); drop != c.drop || unscored != c.unscored {
			t.Errorf("%s: drop %+v, unscored %+v; want %+v, %+v", c.rule, drop, unscored, c.drop, c.unscored)
		}
	}
}

func TestAReportKeepsTheGate(t *testing.T) {
	twice := 2
	want := Default().Gate
	want.Settings[MaxDrop] = Setting{Value: 0.1, Level: Warn, Set: true}
	want.Settings[OnRemoved].Level = Err
	want.Trials, want.Confirm, want.Recheck, want.Mode, want.FailOn = 3, 9, &twice, ModeNoisy, FailOnNever
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got, empty Gate
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
	if err := json.Unmarshal([]byte("{}"), &empty); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaultGate(Baseline), empty); diff != "" {
		t.Errorf("a report that says nothing has the defaults (-want +got):\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`{"trials": "three"}`), &empty); err == nil {
		t.Error("trials in words were read")
	}
}

func TestAForksHeadIsHeldToErrorsThatNobodyNamed(t *testing.T) {
	for _, c := range []struct {
		rule        string
		fork, named bool
		want        Level
	}{
		{"the repository's own head", false, false, Warn},
		{"a fork's", true, false, Err},
		{"a level that the file names", true, true, Warn},
	} {
		g := Default().Gate
		g.Settings[OnPolicyChange].Set = c.named
		if got := g.For(c.fork).Settings[OnPolicyChange].Level; got != c.want {
			t.Errorf("%s: on_policy_change is %s, want %s", c.rule, got, c.want)
		}
	}
}
