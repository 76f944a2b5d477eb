package compare_test

import (
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sharedtest"
)

func TestVectors(t *testing.T) {
	sharedtest.RunVectors(t, map[string]func(*testing.T, sharedtest.Vector) any{
		"confirm": sharedtest.VectorFunc(confirm), "status": sharedtest.VectorFunc(status), "gate": sharedtest.VectorFunc(procedureOf),
	})
}

// line writes a case as a scene does, for the comparison of counted trials.
func (c vectorCase) line(suite string) string {
	line := suite + "/" + c.ID + " " + c.trials(c.Base) + " " + c.trials(c.Head)
	if c.Changed {
		line += " redefined"
	}
	return line
}

func (c vectorCase) trials(values []*float64) string {
	if values == nil {
		return "-"
	}
	text := ""
	for _, v := range values {
		switch {
		case v == nil:
			text += ",timeout"
		case *v >= c.bar()-1e-9:
			text += ",pass"
		default:
			text += ",fail"
		}
	}
	return text[1:]
}

// What the vectors call a verdict, in our words.
var verdicts = map[string]report.Verdict{"regression": report.Failed, "error": report.Undecided, "pass": report.Passed}

// TestStrictGateVectors runs the strict vectors through the comparison and the gate that a run uses.
func TestStrictGateVectors(t *testing.T) {
	ran := 0
	for _, v := range sharedtest.Vectors(t) {
		var in gateInput
		if v.Fn != "gate" {
			continue
		}
		sharedtest.Decode(t, v.Input, &in)
		if in.Config.Mode != "strict" {
			continue
		}
		ran++
		t.Run(v.ID+" "+v.Note, func(t *testing.T) {
			var want strictWant
			sharedtest.Decode(t, v.Expected, &want)
			checkStrict(t, in, want)
		})
	}
	if ran == 0 {
		t.Error("no vector runs in strict mode")
	}
}

type strictWant struct {
	Verdict  string
	Statuses map[string]report.Status
	Overall  struct {
		Delta *float64
		N     int
	}
}

func checkStrict(t *testing.T, in gateInput, want strictWant) {
	var lines []string
	for _, s := range in.Suites {
		for _, c := range s.Cases {
			lines = append(lines, c.line(s.ID))
		}
	}
	base, head := comparetest.Sides(t, lines...)
	got := comparetest.Compare(base, head)
	statuses := map[string]report.Status{}
	for _, c := range got.Changes {
		statuses[c.SuiteID+"/"+c.CaseID] = c.Change
	}
	if diff := gocmp.Diff(want.Statuses, statuses); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if got.DeltaCases != want.Overall.N || math.Abs(*got.Delta-*want.Overall.Delta) > 1e-9 {
		t.Errorf("delta %v over %d, want %v over %d", *got.Delta, got.DeltaCases, *want.Overall.Delta, want.Overall.N)
	}
	p := comparetest.GateWithoutReruns()
	p.Settings[config.MaxDrop] = config.Setting{Value: 0.02, Level: config.Err}
	verdict, reasons := gate.Decide(p, gate.Run{Head: head, Comparison: got})
	if verdict != verdicts[want.Verdict] {
		t.Errorf("verdict %s for %q, want %s (%s)", verdict, comparetest.ReasonLines(reasons), verdicts[want.Verdict], want.Verdict)
	}
}
