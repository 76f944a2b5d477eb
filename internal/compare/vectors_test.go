package compare_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// vector is one of the statistics' published test vectors.
type vector struct {
	Fn, ID, Note string
	Input        json.RawMessage
	Expected     json.RawMessage
}

func vectors(t *testing.T, fn string) []vector {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", "stats.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the optional folder ../shared is not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Tests []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var out []vector
	for _, v := range file.Tests {
		if v.Fn == fn {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no vector for %s", fn)
	}
	return out
}

// vectorCase is a case as the vectors write it: a value in [0, 1] a trial, null where none came.
type vectorCase struct {
	ID         string
	Base, Head []*float64
	Threshold  *float64
	Changed    bool
}

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
		bar := 0.5
		if c.Threshold != nil {
			bar = *c.Threshold
		}
		switch {
		case v == nil:
			text += ",timeout"
		case *v >= bar:
			text += ",pass"
		default:
			text += ",fail"
		}
	}
	return text[1:]
}

func TestStatusVectors(t *testing.T) {
	for _, v := range vectors(t, "status") {
		t.Run(v.ID, func(t *testing.T) {
			var in vectorCase
			var want struct{ Status string }
			parse(t, v.Input, &in)
			parse(t, v.Expected, &want)
			in.ID = "x"
			base, head := sides(t, in.line("s"))
			got := string(compare.Sides(base, head, nil).Changes[0].Change)
			if want.Status == "changed" {
				want.Status = string(report.Redefined)
			}
			if got != want.Status {
				t.Errorf("status of %s = %s, want %s", v.Input, got, want.Status)
			}
		})
	}
}

func parse(t *testing.T, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// gateVector is a whole run of the gate.
type gateVector struct {
	Config struct{ Mode string }
	Suites []struct {
		ID    string
		Cases []vectorCase
	}
}

// gateWant is what became of it.
type gateWant struct {
	Verdict  string
	Statuses map[string]report.Status
	Overall  struct {
		Delta *float64
		N     int
	}
}

// What the vectors call a verdict, in our words.
var verdicts = map[string]report.Verdict{"regression": report.Failed, "error": report.Undecided, "pass": report.Passed}

func TestStrictGateVectors(t *testing.T) {
	ran := 0
	for _, v := range vectors(t, "gate") {
		var in gateVector
		var want gateWant
		parse(t, v.Input, &in)
		parse(t, v.Expected, &want)
		if in.Config.Mode != "strict" {
			continue
		}
		ran++
		t.Run(v.ID+" "+v.Note, func(t *testing.T) { checkGate(t, in, want) })
	}
	if ran == 0 {
		t.Error("no vector runs in strict mode")
	}
}

func checkGate(t *testing.T, in gateVector, want gateWant) {
	var lines []string
	for _, s := range in.Suites {
		for _, c := range s.Cases {
			lines = append(lines, c.line(s.ID))
		}
	}
	base, head := sides(t, lines...)
	got := compare.Sides(base, head, nil)
	statuses := map[string]report.Status{}
	for _, c := range got.Changes {
		statuses[c.SuiteID+"/"+c.CaseID] = c.Change
	}
	if diff := cmp.Diff(want.Statuses, statuses); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if got.DeltaCases != want.Overall.N || math.Abs(*got.Delta-*want.Overall.Delta) > 1e-9 {
		t.Errorf("delta %v over %d, want %v over %d", *got.Delta, got.DeltaCases, *want.Overall.Delta, want.Overall.N)
	}
	p := compare.Policy{Gate: strict()}
	p.Gate.MaxDrop = config.Rule{Value: 0.02, Level: config.Err}
	verdict, reasons := compare.Decide(p, compare.Input{Head: head, Comparison: got})
	if verdict != verdicts[want.Verdict] {
		t.Errorf("verdict %s for %q, want %s (%s)", verdict, brief(reasons), verdicts[want.Verdict], want.Verdict)
	}
}
