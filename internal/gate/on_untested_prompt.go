package gate

import "github.com/failproof/failproof/internal/text"

// UntestedPrompt reports new and edited prompts that no suite tests.
var UntestedPrompt = Rule{
	Code: "on_untested_prompt", MayBeAccepted: true,
	Title:      fixedTitle("no suite tests a changed prompt"),
	NextStep:   "Write a suite for the prompt: no suite tests it.",
	ReviewStep: "write a suite for the prompt: no suite tests it",
	Doc:        "The change edits or adds a prompt that no suite tests.",
	check: func(r *run) []finding {
		unasked := namesOfTexts(r.UntestedPrompts)
		return unasked.asFindings(effectFails, text.Count(unasked.n, "prompt that this change edits or adds is tested", "prompts that this change edits or adds are tested")+" by no suite")
	},
}
