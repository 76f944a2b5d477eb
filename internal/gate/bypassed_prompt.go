package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/text"
)

// BypassedPrompt reports edited prompts whose cases now use another prompt or none.
var BypassedPrompt = Rule{
	Code: "bypassed_prompt", LevelOf: PolicyChange.Code, MayBeAccepted: true,
	Title: fixedTitle("cases no longer use a changed prompt"), NextStep: putBack, ReviewStep: reviewEdits,
	Doc: "The change edits a prompt, and the base's cases of that prompt no longer ask with it.",
	check: func(r *run) []finding {
		deserted := namesOfTexts(r.BypassedPrompts)
		it := map[bool]string{true: "it", false: "them"}[deserted.n == 1]
		return deserted.asFindings(effectFails, fmt.Sprintf(
			"this change edits %s, and the cases that tested %[2]s no longer ask with %[2]s",
			text.Count(deserted.n, "prompt"), it))
	},
}
