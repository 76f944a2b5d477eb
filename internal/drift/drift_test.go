package drift

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
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
func (m *model) day(past []Past) Result {
	var seen []FirstAnswers
	for i := range m.right {
		seen = append(seen, FirstAnswers{Suite: "s", Case: string(rune('a' + i)), Key: "k", Right: m.ask(i, 1), Asked: 1})
	}
	step := Select(past, seen)
	again := map[[2]string][2]int{}
	for _, w := range step.ToRerun() {
		again[w.name()] = [2]int{m.ask(int(w.Case[0]-'a'), Rounds), Rounds}
	}
	return step.Conclude(again, "2026-01-02T03:04:05Z")
}

func TestACaseThatIsAnsweredWorseIsFoundAndItsReturnToo(t *testing.T) {
	m := &model{rand.New(rand.NewPCG(1, 2)), []float64{1, 1, 0.9, 0.2}}
	var past []Past
	for range 10 {
		found := m.day(past)
		if past = found.Past; len(found.Drifted) > 0 {
			t.Fatalf("nothing changed, and %+v drifted", found.Drifted)
		}
	}
	m.right[1] = 0 // the model is another one now
	found := m.day(past)
	if len(found.Drifted) != 1 || found.Drifted[0].Case != "b" || !found.Drifted[0].New || found.Drifted[0].Drifted.Right != 0 || found.Drifted[0].Before != [2]int{10, 10} {
		t.Fatalf("b is never right any more: %+v", found.Drifted)
	}
	for range 3 {
		found = m.day(found.Past)
		if len(found.Drifted) != 1 || found.Drifted[0].New || len(found.Recovered) != 0 || found.Drifted[0].Before != [2]int{10, 10} {
			t.Fatalf("b is as it was yesterday: %+v", found)
		}
	}
	m.right[1] = 1
	found = m.day(found.Past)
	if len(found.Drifted) != 0 || len(found.Recovered) != 1 || found.Recovered[0].Case != "b" {
		t.Fatalf("b is well again: %+v", found)
	}
}

func TestACaseThatIsNowRightAndNowWrongIsNoDrift(t *testing.T) {
	false_, runs := 0, 300
	for seed := range uint64(runs) {
		m := &model{rand.New(rand.NewPCG(seed, 7)), []float64{0.5, 0.3, 0.7, 0.9, 0.1, 0.5, 0.8, 0.2}}
		var past []Past
		for range 12 {
			found := m.day(past)
			if past = found.Past; len(found.Drifted) > 0 {
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
	past := []Past{{Suite: "s", Case: "a", Key: "old", Right: 20, Asked: 20}, {Suite: "s", Case: "gone", Key: "old", Right: 20, Asked: 20}}
	step := Select(past, []FirstAnswers{{Suite: "s", Case: "a", Key: "new", Asked: 1}})
	if len(step.ToRerun()) != 0 {
		t.Errorf("wanted %+v, want nothing: nothing is known of what is asked now", step.ToRerun())
	}
	want := []Past{{Suite: "s", Case: "a", Key: "new", Asked: 1}}
	if diff := cmp.Diff(want, step.Conclude(nil, "").Past); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoMoreThanTwentyCasesAreAskedAgainTheSurestFirst(t *testing.T) {
	var past []Past
	var seen []FirstAnswers
	for i := range 30 {
		name := string(rune('A' + i))
		past = append(past, Past{Suite: "s", Case: name, Key: "k", Right: i + 1, Asked: 30})
		seen = append(seen, FirstAnswers{Suite: "s", Case: name, Key: "k", Asked: 1})
	}
	step := Select(past, seen)
	if w := step.ToRerun(); len(w) != MaxReruns || w[0].Case != string(rune('A'+29)) {
		t.Errorf("wanted %+v", w)
	}
	if found := step.Conclude(nil, ""); found.NotRerun != 10 || len(found.Drifted) != 0 {
		t.Errorf("%d beyond, drifted %+v", found.NotRerun, found.Drifted)
	}
}

func TestAnAnswerThatDidNotComeSaysNothing(t *testing.T) {
	past := []Past{{Suite: "s", Case: "a", Key: "k", Right: 20, Asked: 20}}
	step := Select(past, []FirstAnswers{{Suite: "s", Case: "a", Key: "k"}})
	if found := step.Conclude(nil, ""); len(step.ToRerun()) != 0 || !cmp.Equal(found.Past, past) {
		t.Errorf("wanted %+v, past %+v", step.ToRerun(), found.Past)
	}
}

func TestThePastIsKeptAsItIsRead(t *testing.T) {
	past := []Past{{Suite: "s", Case: "a", Key: "k", Right: 1, Asked: 2, Drifted: &Drifted{Since: "2026-01-02T03:04:05Z", Right: 1, Asked: 8}}}
	text, err := json.Marshal(past)
	if err != nil {
		t.Fatal(err)
	}
	var got []Past
	if err := json.Unmarshal(text, &got); err != nil || !cmp.Equal(past, got) {
		t.Errorf("%s is read as %+v, %v", text, got, err)
	}
}
