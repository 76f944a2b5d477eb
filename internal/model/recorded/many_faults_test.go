package recorded_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/model/recorded"
)

func TestOfAFileFullOfFaultsAHundredAreListed(t *testing.T) {
	for rule, line := range map[string]string{
		"lines that are none":   "x\n",
		"one answer many times": `{"suite_id": "s", "case_id": "a", "raw_response": "x"}` + "\n",
	} {
		_, faults := recorded.Load(fstest.MapFS{"s.jsonl": {Data: []byte(strings.Repeat(line, 5001))}}, "{suite}.jsonl", []string{"s"})
		last := faults[0]
		for _, d := range faults {
			if d.Rule == "too-many-faults" {
				last = d
			}
		}
		if len(faults) != 101 || !strings.HasPrefix(last.Message, "490") || !strings.Contains(last.Message, " more faults are not listed") {
			t.Errorf("%s: %d faults, and %q", rule, len(faults), last.Message)
		}
	}
}
