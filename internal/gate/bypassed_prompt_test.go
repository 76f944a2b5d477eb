package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestABypassedPromptIsHeldLikeAChangeOfTheRules(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	says(t, gate.BypassedPrompt, comparetest.GateWithoutReruns(), in)
	in.BypassedPrompts = []string{"prompts/a.md"}
	one := ": this change edits 1 prompt, and the cases that tested it no longer ask with it: prompts/a.md"
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, warn), in, "warn"+one)
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, err), in, "error"+one)
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, off), in)
	in.BypassedPrompts = []string{"a.md", "b.md"}
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, warn), in,
		"warn: this change edits 2 prompts, and the cases that tested them no longer ask with them: a.md, b.md")
}

func TestAChangedPromptThatNoCaseAsksFailsByDefault(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	in.AbandonedPrompts = []string{"a.md"}
	one := ": this change edits 1 prompt, and no case judges an answer to it any more: a.md"
	says(t, gate.BypassedPrompt, comparetest.GateWithoutReruns(), in, "error"+one)
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, config.Setting{Level: config.Warn, Set: true}), in, "warn"+one)
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, config.Setting{Level: config.Off, Set: true}), in)
	in.AbandonedPrompts, in.BypassedPrompts = []string{"a.md", "b.md"}, []string{"c.md"}
	says(t, gate.BypassedPrompt, with(config.OnPolicyChange, warn), in,
		"error: this change edits 2 prompts, and no case judges an answer to them any more: a.md, b.md",
		"warn: this change edits 1 prompt, and the cases that tested it no longer ask with it: c.md")
}
