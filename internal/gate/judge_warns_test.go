package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestWhatAJudgeFindsThatOnlyWarnsIsNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass warned-head", "s/b - pass warned-head", "s/c pass pass warned-base")
	says(t, gate.JudgeWarns, comparetest.GateWithoutReruns(), in, "warn: 2 answers do not meet their criteria, by a judge that only warns: s/a, s/b")
	g := comparetest.GateWithoutReruns()
	g.Quarantine = []config.Quarantine{{ID: "s/d"}}
	if _, reasons := settle(t, g, []string{"s/d pass pass warned-head recorded", "s/b pass pass recorded"}); len(reasons) > 0 {
		t.Errorf("in quarantine: reasons %q, want none", reasons)
	}
}
