package drift

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suiteid"
)

// model answers cases right with a chance each.
type model struct {
	rng   *rand.Rand
	right []float64
}

func (m *model) ask(of int, times int) (right int) {
	for range times {
		if m.rng.Float64() < m.right[of] {
			right++
		}
	}
	return right
}

// day is one run over all cases, one answer each.
func (m *model) day(past []Past) ([]Past, report.Drift) {
	var seen []Past
	for i := range m.right {
		seen = append(seen, Past{Name: suiteid.Name{Suite: "s", Case: string(rune('a' + i))}, Key: "k", Right: m.ask(i, 1), Asked: 1})
	}
	step := Select(past, seen)
	again := map[suiteid.Name]stats.Count{}
	for _, w := range step.ToRerun {
		again[w] = stats.Count{Passed: m.ask(int(w.Case[0]-'a'), Rounds), Trials: Rounds}
	}
	return step.Conclude(again, "2026-01-02T03:04:05Z")
}

func TestACaseThatIsAnsweredWorseIsFoundAndItsReturnToo(t *testing.T) {
	m := &model{rand.New(rand.NewPCG(1, 2)), []float64{1, 1, 0.9, 0.2}}
	var past []Past
	for range 10 {
		var found report.Drift
		if past, found = m.day(past); len(found.Drifted) > 0 {
			t.Fatalf("nothing changed, and %+v drifted", found.Drifted)
		}
	}
	m.right[1] = 0 // the model is another one now
	past, found := m.day(past)
	drifted := report.DriftedCase{SuiteID: "s", CaseID: "b", Since: "2026-01-02T03:04:05Z", RightBefore: 10, AskedBefore: 10, Asked: Rounds, New: true}
	if !cmp.Equal(found.Drifted, []report.DriftedCase{drifted}) {
		t.Fatalf("b is never right any more: %+v", found.Drifted)
	}
	for range 3 {
		past, found = m.day(past)
		if drifted.New = false; !cmp.Equal(found.Drifted, []report.DriftedCase{drifted}) || len(found.Recovered) != 0 {
			t.Fatalf("b is as it was yesterday: %+v", found)
		}
	}
	m.right[1] = 1
	_, found = m.day(past)
	if drifted.Right = Rounds; len(found.Drifted) != 0 || !cmp.Equal(found.Recovered, []report.DriftedCase{drifted}) {
		t.Fatalf("b is well again: %+v", found)
	}
}

func TestACaseThatIsNowRightAndNowWrongIsNoDrift(t *testing.T) {
	false_, runs := 0, 300
	for seed := range uint64(runs) {
		m := &model{rand.New(rand.NewPCG(seed, 7)), []float64{0.5, 0.3, 0.7, 0.9, 0.1, 0.5, 0.8, 0.2}}
		var past []Past
		for range 12 {
			var found report.Drift
			if past, found = m.day(past); len(found.Drifted) > 0 {
				false_++
				break
			}
		}
	}
	if share := float64(false_) / float64(runs); share > 0.12 { // 12 runs at 1 % each
		t.Errorf("%d of %d models that did not change were said to have drifted within twelve runs", false_, runs)
	}
}

func TestACaseBeginsAnewWhereItAsksSomethingElse(t *testing.T) {
	past := []Past{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "old", Right: 20, Asked: 20}, {Name: suiteid.Name{Suite: "s", Case: "gone"}, Key: "old", Right: 20, Asked: 20}}
	step := Select(past, []Past{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "new", Asked: 1}})
	if len(step.ToRerun) != 0 {
		t.Errorf("wanted %+v, want nothing: nothing is known of what is asked now", step.ToRerun)
	}
	want := []Past{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "new", Asked: 1}}
	got, _ := step.Conclude(nil, "")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoMoreThanTwentyCasesAreAskedAgainTheSurestFirst(t *testing.T) {
	var past []Past
	var seen []Past
	for i := range 30 {
		name := string(rune('A' + i))
		past = append(past, Past{Name: suiteid.Name{Suite: "s", Case: name}, Key: "k", Right: i + 1, Asked: 30})
		seen = append(seen, Past{Name: suiteid.Name{Suite: "s", Case: name}, Key: "k", Asked: 1})
	}
	step := Select(past, seen)
	if w := step.ToRerun; len(w) != MaxReruns || w[0].Case != string(rune('A'+29)) {
		t.Errorf("wanted %+v", w)
	}
	reruns := map[suiteid.Name]stats.Count{}
	for _, name := range step.ToRerun[:15] { // answers of the other five are missing
		reruns[name] = stats.Count{Passed: Rounds, Trials: Rounds}
	}
	if _, found := step.Conclude(reruns, ""); found.NotRerun != 10+5 || len(found.Drifted) != 0 {
		t.Errorf("%d beyond, drifted %+v", found.NotRerun, found.Drifted)
	}
}

func TestAnAnswerThatDidNotComeSaysNothing(t *testing.T) {
	past := []Past{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "k", Right: 20, Asked: 20}}
	step := Select(past, []Past{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "k"}})
	if got, _ := step.Conclude(nil, ""); len(step.ToRerun) != 0 || !cmp.Equal(got, past) {
		t.Errorf("wanted %+v, past %+v", step.ToRerun, got)
	}
}

func TestThePastIsKeptAsItIsRead(t *testing.T) {
	past := []Past{{Name: suiteid.Name{Suite: "s", Case: "a"}, Key: "k", Right: 1, Asked: 2, Drifted: &Drifted{Since: "2026-01-02T03:04:05Z", Right: 1, Asked: 8}}}
	text, err := json.Marshal(past)
	if err != nil {
		t.Fatal(err)
	}
	var got []Past
	if err := json.Unmarshal(text, &got); err != nil || !cmp.Equal(past, got) {
		t.Errorf("%s is read as %+v, %v", text, got, err)
	}
}

// The file of the past has a list of cases, also if no case has a live target.
func TestAPastWithoutCasesIsAList(t *testing.T) {
	past, _ := Select(nil, nil).Conclude(nil, "")
	if text, err := json.Marshal(past); string(text) != "[]" || err != nil {
		t.Errorf("%s, %v", text, err)
	}
}
