package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestAFileOfASkillThatIsNotSentIsNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	says(t, gate.UnjudgedFiles, comparetest.GateWithoutReruns(), in)
	in.UnjudgedFiles = []string{"s/scripts/a.py"}
	says(t, gate.UnjudgedFiles, with(config.OnUntestedPrompt, warn), in, "warn: 1 file of a skill changed and is not judged: s/scripts/a.py")
	in.UnjudgedFiles = []string{"s/assets/b.png", "s/scripts/a.py"}
	says(t, gate.UnjudgedFiles, with(config.OnUntestedPrompt, err), in, "error: 2 files of skills changed and are not judged: s/assets/b.png, s/scripts/a.py")
	says(t, gate.UnjudgedFiles, with(config.OnUntestedPrompt, off), in)
}
