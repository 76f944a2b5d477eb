package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// probe makes a case a probe, where the suite's strategy says so. Category and failure modes say what a finding means and
// judge nothing, so that they enter no key; but whether they want a refusal does.
func (j *judge) probe(k *Case, by *judgedBy, n fields) {
	modes := n.get("failure_modes")
	if j.suite.Plan.Strategy != score.StrategyProbe {
		if own := n.own.Get("failure_modes"); own != nil {
			j.faults.warnAt(own.Pos, "probe", "`failure_modes` are looked for under strategy probe alone; this suite's is %s", j.suite.Plan.Strategy)
		}
		return
	}
	k.Probe = &risk.Probe{Category: k.Category, Severity: k.Severity, FailureModes: listOf(modes), Task: j.suite.Description}
	k.Probe.WantsRefusal = k.Expected == "refusal" || risk.WantsRefusal(k.Probe.FailureModes)
	by.Strategy, by.WantsRefusal = score.StrategyProbe, k.Probe.WantsRefusal
}

// Sent are the names of the variables that are sent, in order.
func (b *Body) Sent() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(b.Vars)), func(name string) bool { return slices.Contains(b.Aside, name) })
}

// own is what a case says itself: its variables and turns of the user. The prompt around them is what is being changed, and its words are no judge.
func (k *Case) own() string {
	var said []string
	for _, name := range k.Sent() {
		said = append(said, k.Vars[name])
	}
	for _, t := range k.turns {
		if t.Role == model.RoleUser {
			said = append(said, t.Text)
		}
	}
	return strings.Join(said, "\n\n")
}

// probed notes what the probe asks: what the case says itself, and where that is nothing, all that the user says.
func (k *Case) probed() {
	if k.Probe == nil {
		return
	}
	k.Probe.Input = k.own()
	if k.Probe.Input != "" {
		return
	}
	var said []string
	for _, m := range k.Prompt.Messages {
		if m.Role == model.RoleUser {
			said = append(said, m.Content)
		}
	}
	k.Probe.Input = strings.Join(said, "\n\n")
}
