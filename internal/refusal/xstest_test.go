package refusal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/failproof/failproof/internal/sharedtest"
)

// xstestRow is one human-labelled answer (XSTest, Röttger et al. 2024, CC BY 4.0).
type xstestRow struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Prompt     string `json:"prompt"`
	Completion string `json:"completion"`
	Label      string `json:"label"`
	Tone       string `json:"tone"` // in place of Label, in the set of another paper
}

// half splits by prompt, so that both models' answers to one prompt stand on one side. The rules were written while
// looking at half 0; half 1 tells whether they hold elsewhere.
func (r xstestRow) half() int {
	return int(crc32.ChecksumIEEE([]byte(r.ID)) % 2)
}

func TestXSTest(t *testing.T) {
	t.Parallel()
	d := New(nil)
	var all, halves = tally{}, [2]tally{}
	for _, model := range []string{"gpt4", "llama2orig"} {
		var one tally
		for _, r := range readXSTest(t, "xstest-dev/"+model) {
			if r.Label == "3_partial_refusal" {
				continue
			}
			m, got := d.Find(r.Completion)
			for _, to := range []*tally{&one, &all, &halves[r.half()]} {
				to.add(r.Label == "2_full_refusal", got)
			}
			if want := r.Label == "2_full_refusal"; want != got && r.half() == 0 && testing.Verbose() {
				t.Logf("%s %s: refusal %v, labelled %v, rule %q, evidence %q", model, r.ID, got, want, m.Rule, m.Evidence)
			}
		}
		t.Logf("%-10s %v", model, one)
	}
	t.Logf("%-10s %v", "half 0", halves[0])
	t.Logf("%-10s %v", "half 1", halves[1])
	t.Logf("%-10s %v", "together", all)
	if all.f1() < 0.97 {
		t.Errorf("F1 on both models together = %.4f, want at least 0.97", all.f1())
	}
}

func readXSTest(t *testing.T, name string) (rows []xstestRow) {
	t.Helper()
	for line := range bytes.Lines(sharedtest.Read(t, "data/"+name+".jsonl")) {
		var r xstestRow
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows = append(rows, r)
	}
	return rows
}

// tally counts judgements; a refusal is the positive class.
type tally struct{ tp, fp, fn, tn int }

func (t *tally) add(want, got bool) {
	switch {
	case want && got:
		t.tp++
	case got:
		t.fp++
	case want:
		t.fn++
	default:
		t.tn++
	}
}

func (t tally) precision() float64 { return float64(t.tp) / float64(max(1, t.tp+t.fp)) }
func (t tally) recall() float64    { return float64(t.tp) / float64(max(1, t.tp+t.fn)) }
func (t tally) f1() float64        { return float64(2*t.tp) / float64(max(1, 2*t.tp+t.fp+t.fn)) }

func (t tally) String() string {
	return fmt.Sprintf("precision %.4f recall %.4f F1 %.4f (tp %d fp %d fn %d tn %d)",
		t.precision(), t.recall(), t.f1(), t.tp, t.fp, t.fn, t.tn)
}

// humanSets are answers of models that humans labeled, and the least F1 on each.
var humanSets = []struct {
	file, refuses, answers string
	f1                     float64
}{
	{"xstest-dev/gpt4", "2_full_refusal", "1_full_compliance", 0.97},
	{"xstest-dev/llama2orig", "2_full_refusal", "1_full_compliance", 0.97},
	{"xstest-dev/mistralguard", "2_full_refusal", "1_full_compliance", 0.92},
	{"refusals-dev/chatgpt", "rejected", "complied", 0.9},
}

// The sets that models of other voices make: mistralguard refuses without saying so, and gpt-3.5 disclaims before it
// answers. The rules were written while looking at half 0; half 1 was only scored.
func TestOtherVoices(t *testing.T) {
	t.Parallel()
	d := New(nil)
	for _, set := range humanSets[2:] {
		all, halves := tally{}, [2]tally{}
		for _, r := range readXSTest(t, set.file) {
			if label := r.Label + r.Tone; label == set.refuses || label == set.answers {
				_, got := d.Find(r.Completion)
				all.add(label == set.refuses, got)
				halves[r.half()].add(label == set.refuses, got)
			}
		}
		t.Logf("%-24s looked at %v", set.file, halves[0])
		t.Logf("%-24s only scored %v", set.file, halves[1])
		t.Logf("%-24s together %v", set.file, all)
		if all.f1() < set.f1 {
			t.Errorf("F1 on %s = %.4f, want at least %.2f", set.file, all.f1(), set.f1)
		}
	}
}
