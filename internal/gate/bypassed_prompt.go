package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// BypassedPrompt reports edited prompts whose cases now use another prompt or none. If no case at all asks with an
// edited prompt any more, nothing judges the edit: without a key for the level, the run then fails.
var BypassedPrompt = Rule{
	Code: "bypassed_prompt", LevelOf: PolicyChange.Code, MayBeAccepted: true,
	Title: fixedTitle("cases no longer use a changed prompt"), ReviewStep: reviewEdits,
	NextStep: "Have the cases ask with the changed prompt again: keep their suite, and name its file in `suites`.",
	Doc: "The change edits a prompt, and the base's cases of that prompt no longer ask with it. If no case does, " +
		"or only a new one without checks, the default is `error`: nothing judges the edit.",
	check: func(r *Run) []finding {
		bypassed, abandoned := namesOfTexts(r.BypassedPrompts), namesOfTexts(r.AbandonedPrompts)
		it := func(n int) string { return map[bool]string{true: "it", false: "them"}[n == 1] }
		found := abandoned.asFindings(effectFails, fmt.Sprintf(
			"this change edits %s, and no case judges an answer to %s any more", text.Count(abandoned.n, "prompt"), it(abandoned.n)))
		if !r.gate.Setting(config.OnPolicyChange).Set {
			found = atLevel(config.Err, found)
		}
		return append(found, bypassed.asFindings(effectFails, fmt.Sprintf(
			"this change edits %s, and the cases that tested %[2]s no longer ask with %[2]s",
			text.Count(bypassed.n, "prompt"), it(bypassed.n)))...)
	},
}
