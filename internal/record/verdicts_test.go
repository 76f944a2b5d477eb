package record_test

import (
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/record"
)

// ungraded records cases with criteria, takes their verdicts out of the recording, and returns the inputs to record
// again. The judge says nothing once isDown is set.
func ungraded(t *testing.T, isDown *atomic.Bool) (record.Inputs, *modeltest.Server, string) {
	t.Helper()
	in, server := onBranch(t, judged, func(question string) string {
		switch {
		case !strings.Contains(question, "[CRITERION"):
			return closed(question)
		case isDown.Load():
			return "?"
		}
		return modeltest.ContainsVerdict(modeltest.ParseQuestion(question))
	})
	in.Against = nil
	_, text, err := recorded(t, in)
	if err != nil || !strings.Contains(text, "verdicts") {
		t.Fatal(err, text)
	}
	write(t, in, "recordings/s.jsonl", withoutVerdicts(text))
	reopen(t, &in)
	return in, server, text
}

// controls are the questions by which the judge itself is checked.
const controls = 3

func TestWhoIsAskedIfAVerdictIsMissing(t *testing.T) {
	for _, c := range []struct {
		rule         string
		old, changed string // of the suite
		want         map[string]int
	}{
		{"the judge alone, if all answers hold", "", "", map[string]int{"judge": controls + 2}},
		{"both for all cases without a verdict, if one answer does not", "second", "other", map[string]int{"small": 2, "judge": controls + 2}},
	} {
		in, server, before := ungraded(t, &atomic.Bool{})
		write(t, in, "s.yaml", strings.Replace(judged(server.URL)["s.yaml"], c.old, c.changed, 1))
		reopen(t, &in)
		asked := len(server.Requests())
		out, text, err := recorded(t, in)
		if got := askedFor(server, asked); err != nil || !maps.Equal(got, c.want) || strings.Count(text, "verdicts") != 2 {
			t.Errorf("%s: %+v, %v, asked %v, want %v:\n%s", c.rule, out, err, got, c.want, text)
		}
		if one := out.Suites[0]; c.old == "" && (one.Answers > 0 || one.Graded != 2 || text != before) || c.old != "" && (one.Answers != 2 || one.Graded > 0) {
			t.Errorf("%s: %+v:\n%s", c.rule, one, text)
		}
	}
}

func TestASuiteThatLacksAVerdictStaysAsItIs(t *testing.T) {
	var isDown atomic.Bool
	in, _, before := ungraded(t, &isDown)
	isDown.Store(true)
	out, text, err := recorded(t, in)
	if err != nil || text != withoutVerdicts(before) || len(out.Suites) != 1 || out.Suites[0].Lost != 2 || out.Suites[0].Why == "" {
		t.Errorf("%+v, %v:\n%s", out, err, text)
	}
}
