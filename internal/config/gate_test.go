package config

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		if drop, unscored := g.DropSetting(c.noisy), g.UnscoredSetting(c.noisy); drop != c.drop || unscored != c.unscored {
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
		if got := g.ForHead(c.fork).Settings[OnPolicyChange].Level; got != c.want {
			t.Errorf("%s: on_policy_change is %s, want %s", c.rule, got, c.want)
		}
	}
}
