package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestAPromptThatNoSuiteAsksIsNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	says(t, gate.UntestedPrompt, comparetest.GateWithoutReruns(), in)
	in.UntestedPrompts = []string{"a.md"}
	says(t, gate.UntestedPrompt, with(config.OnUntestedPrompt, warn), in, "warn: 1 prompt that this change edits, adds or moves is tested by no suite: a.md")
	in.UntestedPrompts = []string{"a.md", "b.md"}
	says(t, gate.UntestedPrompt, with(config.OnUntestedPrompt, err), in, "error: 2 prompts that this change edits, adds or moves are tested by no suite: a.md, b.md")
	says(t, gate.UntestedPrompt, with(config.OnUntestedPrompt, off), in)
	in.DesertedPrompts = []string{"c.md"}
	says(t, gate.UntestedPrompt, with(config.OnUntestedPrompt, err), in, "error: 2 prompts that this change edits, adds or moves are tested by no suite: a.md, b.md",
		"error: 1 prompt that a suite tested is still there, and no suite asks it any more: c.md")
}
