package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// PolicyChange reports changed settings of the gate and of targets.
var PolicyChange = Rule{
	Code: "on_policy_change", MayBeAccepted: true, SARIF: "policy_change", ReviewStep: reviewEdits,
	Title: func(f TitleInput) string {
		rules := func(c config.Change) bool { return !c.Effective || !c.IsTargetChange() }
		if slices.ContainsFunc(f.Report.PolicyChanges, rules) {
			return "gate settings changed"
		}
		return "the model or its settings changed"
	},
	IfOff: "A change of the rules is not announced.",
	Doc: "The change edits the settings by which it is judged. The base's settings hold until it is merged. An " +
		"edit of what a target or a prompt file asks of its model is in force at once and only warns: " +
		"another model is what the change wants judged.",
	check: func(r *Run) []finding {
		var announced, inForce, asked names
		for _, c := range r.PolicyChanges {
			name := c.Key
			if n := len(c.FailingCases); n > 0 {
				name += fmt.Sprintf(" (it would catch the answers to %s)", text.Count(n, "case"))
			}
			if c.Missed != "" {
				name += fmt.Sprintf(" (the score of this run, %s, would miss it)", c.Missed)
			}
			if c.StaleAnswers > 0 {
				name += fmt.Sprintf(" (it makes %s stale)", text.Count(c.StaleAnswers, "recorded answer"))
			}
			if c.StaleVerdicts > 0 {
				name += fmt.Sprintf(" (it makes %s stale)", text.Count(c.StaleVerdicts, "recorded verdict"))
			}
			switch {
			case !c.Effective:
				announced.addText(name)
			case c.IsTargetChange():
				asked.addText(name)
			default:
				inForce.addText(name)
			}
		}
		edits := func(keys names) string { return "this change edits " + text.Count(keys.n, "setting") }
		return slices.Concat(
			announced.asFindings(effectFails, edits(announced)+", in effect after the merge"),
			inForce.asFindings(effectFails, edits(inForce)+", in effect for this run"),
			asked.asFindings(effectWarns, edits(asked)+", in effect for this run"))
	},
}
