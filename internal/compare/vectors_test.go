package compare_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sharedtest"
)

// vector is one of the statistics' published test vectors.
type vector struct {
	Fn, ID, Note string
	Input        json.RawMessage
	Expected     json.RawMessage
	Tol          float64
}

// vectors reads the file in the optional folder.
func vectors(t *testing.T) []vector {
	t.Helper()
	text := sharedtest.Read(t, "vectors/stats.json")
	var file struct{ Tests []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Tests) == 0 {
		t.Fatal("no vector")
	}
	return file.Tests
}

// vectorFunctions compute what each function of the vectors is about.
var vectorFunctions = map[string]func(*testing.T, vector) any{
	"mcnemar_exact": ran(mcnemar), "binomial_interval": ran(binomialIntervals), "agresti_min": ran(agrestiMin),
	"adjust_p": ran(adjustP), "sign_flip": ran(signFlip), "case_p": ran(caseP), "strat_exact": ran(stratExact),
	"strat_lattice": ran(stratLattice), "clustered_se": ran(clusteredSE), "paired_t": ran(pairedT),
	"rerun_interval": ran(rerunInterval), "planning": ran(planning), "norm_ppf": ran(normPPF),
	"confirm": ran(confirm), "status": ran(status), "gate": ran(procedureOf),
}

// ran decodes a vector's input, all of it, and runs f on it.
func ran[In, Out any](f func(*testing.T, In) Out) func(*testing.T, vector) any {
	return func(t *testing.T, v vector) any {
		var in In
		d := json.NewDecoder(bytes.NewReader(v.Input))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			t.Fatalf("input %s: %v", v.Input, err)
		}
		return f(t, in)
	}
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.ID+" "+v.Note, func(t *testing.T) {
			f, known := vectorFunctions[v.Fn]
			if !known {
				t.Fatalf("function %q is not known", v.Fn)
			}
			text, err := json.Marshal(f(t, v))
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			parse(t, v.Expected, &want)
			parse(t, text, &got)
			if checked := agree(t, "", want, got, v.Tol); checked == 0 {
				t.Errorf("nothing of %s was checked", v.Expected)
			}
		})
	}
}

func parse(t *testing.T, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// ignored are keys of an expectation that say how the oracle came to it.
var ignored = []string{"enumerated_p_worse", "enumerated_p_better"}

// agree holds what was computed to what was expected, key by key, and counts the values that were held.
func agree(t *testing.T, at string, want, got any, tol float64) (checked int) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s = %v, want %v", at, got, want)
		}
		for k, w := range want {
			if slices.Contains(ignored, k) {
				continue
			}
			if _, there := have[k]; !there {
				t.Errorf("%s.%s is missing, want %v", at, k, w)
			}
			checked += agree(t, at+"."+k, w, have[k], tol)
		}
	case []any:
		have, ok := got.([]any)
		if !ok || len(have) != len(want) {
			t.Errorf("%s = %v, want %v", at, got, want)
			return 1
		}
		for i, w := range want {
			checked += agree(t, fmt.Sprintf("%s[%d]", at, i), w, have[i], tol)
		}
		return checked + 1
	case float64:
		have, ok := got.(float64)
		if !ok || !(math.Abs(have-want) <= tol) {
			t.Errorf("%s = %v, want %v", at, got, want)
		}
		return 1
	default:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s = %v, want %v", at, got, want)
		}
		return 1
	}
	return checked
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
	for _, v := range vectors(t) {
		var in gateInput
		if v.Fn != "gate" {
			continue
		}
		parse(t, v.Input, &in)
		if in.Config.Mode != "strict" {
			continue
		}
		ran++
		t.Run(v.ID+" "+v.Note, func(t *testing.T) {
			var want strictWant
			parse(t, v.Expected, &want)
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
	p := comparetest.Gate()
	p.Settings[config.MaxDrop] = config.Setting{Value: 0.02, Level: config.Err}
	verdict, reasons := gate.Decide(p, gate.Run{Head: head, Comparison: got})
	if verdict != verdicts[want.Verdict] {
		t.Errorf("verdict %s for %q, want %s (%s)", verdict, comparetest.Brief(reasons), verdicts[want.Verdict], want.Verdict)
	}
}
