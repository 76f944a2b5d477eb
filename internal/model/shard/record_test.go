package shard

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
)

// elsewhere are the fields that no answer of a live target has once it was asked to its end: what recordings say, and
// when to ask again. A new field is written, or named here.
var elsewhere = []string{"Sampled", "Stale", "Unchanged", "Verdicts", "Pause"}

var full = model.Response{Text: "t \u2028 <b>", Refusal: "r", Finish: "stop", Model: "m", Latency: 1234567 * time.Nanosecond,
	Usage:  model.Usage{TokensIn: 1, TokensOut: 2, Cost: model.Cost{USD: 0.1, Known: true, Estimated: true}},
	Cached: true, Attempts: 3, MayCost: true, ToolCalls: []model.ToolCall{{Name: "f", Arguments: `{"a": 1}`}},
	Failure: &model.Failure{Message: "no", LimitSeconds: 1.5, Reason: "timeout", Status: 504}}

func TestEveryFieldOfAnAnswerIsWritten(t *testing.T) {
	where := AnswerID{"head", "fast", "s", "c", 1, "k"}
	var file bytes.Buffer
	w := NewWriter(&file, Header{Version: "v", Plan: "p", Part: Part{1, 1}})
	if err := w.Add(where, full); err != nil {
		t.Fatal(err)
	}
	if err := w.End(schedule.Usage{Calls: 3}); err != nil {
		t.Fatal(err)
	}
	all, err := Read([]File{{"f", file.String()}})
	if err != nil {
		t.Fatal(err)
	}
	got, is := all.Find(where)
	if diff := cmp.Diff(full, got); !is || diff != "" {
		t.Errorf("%v (-want +got):\n%s", is, diff)
	}
	for _, name := range empty(full) {
		if !slices.Contains(elsewhere, name) {
			t.Errorf("the field %s is neither written nor said to be needless", name)
		}
	}
}

// empty names the fields of an answer that are zero.
func empty(r model.Response) (names []string) {
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			names = append(names, v.Type().Field(i).Name)
		}
	}
	return names
}

func TestAFileThatIsCutOffAnywhereIsAMissingPartOrAFault(t *testing.T) {
	var file bytes.Buffer
	w := NewWriter(&file, Header{Version: "v", Plan: "p", Part: Part{1, 2}})
	for _, name := range []string{"a", "b"} {
		if err := w.Add(AnswerID{"head", "fast", "s", name, 1, "k"}, full); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(schedule.Usage{}); err != nil {
		t.Fatal(err)
	}
	for n := range file.Len() - 1 {
		all, err := Read([]File{{"f", file.String()[:n]}})
		if err == nil && (len(all.Missing) != 2 || len(all.answers) != 0) {
			t.Fatalf("of %d bytes %d of %d: missing %v, %d answers", n, n, file.Len(), all.Missing, len(all.answers))
		}
	}
}
