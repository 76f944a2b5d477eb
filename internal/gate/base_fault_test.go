package gate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestAFaultOfTheBaseIsNeverAPassInSilence(t *testing.T) {
	mended := gate.FaultyFile{Path: "suites/s.yaml", Line: 3, Message: "no pattern", FixedByHead: true}
	open := gate.FaultyFile{Path: "gone.yaml", Message: "no YAML"}
	for _, c := range []struct {
		rule    string
		scene   []string
		faults  []gate.FaultyFile
		verdict report.Verdict
		reasons []string
	}{
		{"one that the head mends is said", []string{"s/a pass pass"}, []gate.FaultyFile{mended}, report.Passed,
			[]string{"warn base_fault: fixes the base's suites/s.yaml:3: no pattern; cases that could not be compared count as new"}},
		{"two of one file are one reason", []string{"s/a pass pass"}, []gate.FaultyFile{mended, mended}, report.Passed,
			[]string{"warn base_fault: fixes the base's suites/s.yaml:3: no pattern (and 1 more fault there); cases that could not be compared count as new"}},
		{"so are three", []string{"s/a pass pass"}, []gate.FaultyFile{mended, mended, mended}, report.Passed,
			[]string{"warn base_fault: fixes the base's suites/s.yaml:3: no pattern (and 2 more faults there); cases that could not be compared count as new"}},
		{"one that is left open is undecided", []string{"s/a pass pass"}, []gate.FaultyFile{open}, report.Undecided,
			[]string{"error base_fault: the base's gone.yaml has a fault: no YAML; what depends on it cannot be judged"}},
		{"what the base does not hold itself is told so", []string{"s/a pass pass"}, []gate.FaultyFile{{Path: "p.md", Message: "is a link", Elsewhere: true}}, report.Undecided,
			[]string{"error base_fault: the base's p.md is not in its commit: is a link; what depends on it cannot be compared"}},
		{"also where nothing is run", nil, []gate.FaultyFile{open}, report.Undecided,
			[]string{"error base_fault: the base's gone.yaml has a fault: no YAML; what depends on it cannot be judged"}},
		{"what is proven stays failed", []string{"s/a pass fail"}, []gate.FaultyFile{open}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0",
				"error base_fault: the base's gone.yaml has a fault: no YAML; what depends on it cannot be judged"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := comparetest.Sides(t, c.scene...)
			verdict, reasons := gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: head, Comparison: comparetest.Compare(base, head),
				BaseState: report.BaseCompared, BaseFaults: c.faults})
			if diff := cmp.Diff(c.reasons, comparetest.ReasonLines(reasons)); diff != "" || verdict != c.verdict {
				t.Errorf("Decide = %s, want %s; reasons (-want +got):\n%s", verdict, c.verdict, diff)
			}
		})
	}
	var many []gate.FaultyFile
	for i := range 51 {
		many = append(many, gate.FaultyFile{Path: fmt.Sprintf("%02d.yaml", i), Message: "m", FixedByHead: i < 50})
	}
	verdict, reasons := gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: &report.Side{}, BaseState: report.BaseCompared, BaseFaults: many})
	if last := reasons[0]; verdict != report.Undecided || last.Message != "and 1 more file of the base with a fault" {
		t.Errorf("Decide = %s, %+v; want what is not listed to count", verdict, last)
	}
}
