package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAReportHoldsAConfigurationToItsGate(t *testing.T) {
	own := Default()
	own.Path = "failproof.yml"
	own.Gate.Settings[MaxRegressions] = Setting{Value: 9, Level: Warn, Set: true}
	stored := Default().Gate
	stored.Settings[MinRunScore] = Setting{Value: 0.5, Level: Err, Set: true}
	ofPhase := Default().Gate
	ofPhase.Settings[MinRunScore] = Setting{Value: 0.5, Level: Err}
	named := own.Gate
	named.Settings[MaxUnscored].Set = true
	kept := own.Gate
	kept.Settings[OnRemoved].Level = Err
	for _, c := range []struct {
		rule  string
		gate  Gate
		phase Phase
		want  []Change
		set   bool // the bar does not follow the phase
	}{
		{"what the configuration wants otherwise is a change", stored, Deployment, []Change{
			{Path: "failproof.yml", Key: "gate.min_run_score", Base: "0.5 error", Head: "0.85 error by default"},
			{Path: "failproof.yml", Key: "gate.max_regressions", Base: "0 error", Head: "9 warn"},
		}, true},
		{"a bar that is the phase's follows the phase", ofPhase, Finetuned, []Change{
			{Path: "failproof.yml", Key: "phase", Base: "finetuned", Head: "deployment"},
			{Path: "failproof.yml", Key: "gate.min_run_score", Base: "0.5 error by default", Head: "0.85 error by default"},
			{Path: "failproof.yml", Key: "gate.max_regressions", Base: "0 error", Head: "9 warn"},
		}, false},
		{"a level is told without a figure", kept, Deployment, []Change{
			{Path: "failproof.yml", Key: "gate.on_removed", Base: "error", Head: "warn"},
		}, false},
		{"equal rules change nothing", own.Gate, Deployment, nil, false},
		{"a default that is named holds otherwise: for recorded cases, and for a bar that noise keeps from being met", named, Deployment, []Change{
			{Path: "failproof.yml", Key: "gate.max_unscored", Base: "0.05 error", Head: "0.05 error by default"},
		}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			held, got := own.WithRules(c.gate, c.phase)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if held.Phase != c.phase || held.Gate.Settings[MaxRegressions].Value != c.gate.Settings[MaxRegressions].Value || held.Gate.Settings[MinRunScore].Set != c.set {
				t.Errorf("held to %+v in phase %s, want %+v in phase %s", held.Gate, held.Phase, c.gate, c.phase)
			}
		})
	}
	if own.Gate.Settings[MaxRegressions].Value != 9 {
		t.Error("WithRules wrote to its receiver")
	}
}
