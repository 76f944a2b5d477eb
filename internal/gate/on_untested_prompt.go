package gate

import "github.com/failproof/failproof/internal/text"

// UntestedPrompt reports new and edited prompts that no suite tests, and prompts that lost their last suite.
var UntestedPrompt = Rule{
	Code: "on_untested_prompt", MayBeAccepted: true,
	Title:      fixedTitle("no suite tests a prompt"),
	NextStep:   "Write a suite for the prompt: no suite tests it.",
	ReviewStep: "write a suite for the prompt: no suite tests it",
	Doc: "The change edits, adds or moves a prompt that no suite tests, or leaves a prompt as it is and takes its last " +
		"suite away.",
	check: func(r *Run) []finding {
		unasked, deserted := namesOfTexts(r.UntestedPrompts), namesOfTexts(r.DesertedPrompts)
		return append(unasked.asFindings(effectFails, text.Count(unasked.n,
			"prompt that this change edits, adds or moves is tested",
			"prompts that this change edits, adds or moves are tested")+
			" by no suite"), deserted.asFindings(effectFails, text.Count(deserted.n,
			"prompt that a suite tested is still there, and no suite asks it any more",
			"prompts that suites tested are still there, and no suite asks them any more"))...)
	},
}
