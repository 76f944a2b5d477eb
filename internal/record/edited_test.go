package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/run/runtest"
)

// twoLines is a recording of both cases, of which nothing is bound to its request.
const twoLines = `{"suite_id": "s", "case_id": "a", "raw_response": "open a"}` + "\n" +
	`{"suite_id": "s", "case_id": "b", "raw_response": "open b"}` + "\n"

func TestNothingIsWrittenIntoALineThatIsNotAsItWasRead(t *testing.T) {
	for rule, now := range map[string]string{
		"another line is before it": `{"suite_id": "s", "case_id": "c", "raw_response": "open c"}` + "\n" + twoLines,
		"it has other words":        strings.Replace(twoLines, "open a", "shut", 1),
		"it is gone":                "\n",
		"it is no answer":           "a\nb\n",
	} {
		in := record.Inputs{Inputs: runtest.Inputs(t, files("http://127.0.0.1:1").Merge(runtest.Files{"recordings/s.jsonl": twoLines}), nil, nil)}
		found, err := record.ReadStamps(in)
		if err != nil || len(found.Unstamped) != 2 {
			t.Fatalf("%s: %+v, %v", rule, found, err)
		}
		write(t, in, "recordings/s.jsonl", now)
		written, err := record.WriteStamps(in.Inputs.Dir, found.Unstamped)
		text, missing := os.ReadFile(filepath.Join(in.Inputs.Dir, "recordings", "s.jsonl"))
		if err == nil || !strings.Contains(err.Error(), "recordings/s.jsonl: line 1 is not as it was read") || len(written) > 0 || missing != nil || string(text) != now {
			t.Errorf("%s: %v, %v, %v\n%s", rule, written, err, missing, text)
		}
	}
}

// A judge takes its time, in which somebody may edit the file.
func TestAVerdictIsNotWrittenOnAnotherAnswer(t *testing.T) {
	var dir, moved string
	in, _ := onBranch(t, judged, func(question string) string {
		if !strings.Contains(question, "[CRITERION") {
			return closed(question)
		}
		if moved != "" {
			if err := os.WriteFile(filepath.Join(dir, "recordings", "s.jsonl"), []byte(moved), 0o666); err != nil {
				t.Error(err)
			}
		}
		return modeltest.ContainsVerdict(modeltest.ParseQuestion(question))
	})
	dir, in.Against = in.Inputs.Dir, nil
	_, text, err := recorded(t, in)
	if err != nil {
		t.Fatal(err)
	}
	text = withoutVerdicts(text)
	write(t, in, "recordings/s.jsonl", text)
	reopen(t, &in)
	a, b, _ := strings.Cut(text, "\n\n")
	moved = b + "\n" + a + "\n"
	if _, now, err := recorded(t, in); err == nil || !strings.Contains(err.Error(), "is not as it was read") || now != moved {
		t.Errorf("%v, recorded\n%s", err, now)
	}
}
