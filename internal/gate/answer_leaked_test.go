package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
)

func TestAVariableThatTellsTheAnswerIsNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	says(t, gate.AnswerLeaked, comparetest.GateWithoutReruns(), in)
	in.Leaks = []gate.Leak{{Variable: "expected", Suite: "s", Cases: 2, Checked: 5}, {Variable: "label", Suite: "t", Cases: 1, Checked: 1}}
	says(t, gate.AnswerLeaked, comparetest.GateWithoutReruns(), in,
		`warn: this change sends new variables that contain the expected answer: "expected" to s (it gives away 2 of 5 checked cases), "label" to t (it gives away 1 of 1 checked case)`)
}
