package gate

import "github.com/failproof/failproof/internal/text"

// UnaskedPrompt names the prompts that change and that nobody judges.
var UnaskedPrompt = Rule{
	Code: "on_unasked_prompt", Accepts: true,
	Title:    fixedTitle("a changed prompt is asked by no suite"),
	NextStep: "Write a suite that asks the prompt which none asks: nobody judges what it became.",
	Look:     "write a suite that asks the prompt which none asks: nobody judges what it became",
	Doc:      "The change edits or adds a prompt that no suite asks, so nobody judges what it became.",
	check: func(r *run) []finding {
		unasked := listOf(r.Unasked)
		return unasked.asFindings(fails, text.Count(unasked.n, "prompt that this change edits or adds is asked", "prompts that this change edits or adds are asked")+" by no suite")
	},
}
