package recorded_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/recorded"
)

func TestOfAFileFullOfFaultsAHundredAreListed(t *testing.T) {
	for line, last := range map[string]string{
		"x\n": "4901 more faults are not listed",
		`{"suite_id": "s", "case_id": "a", "raw_response": "x"}` + "\n": "4900 more faults are not listed",
	} {
		_, faults := recorded.Load(fstest.MapFS{"s.jsonl": {Data: []byte(strings.Repeat(line, 5001))}}, "{suite}.jsonl", []string{"s"}, nil)
		said := slices.ContainsFunc(faults, func(d document.Diagnostic) bool { return d.Rule == "too-many-faults" && d.Message == last })
		if len(faults) != 101 || !said {
			t.Errorf("%.20s: %d faults, and %v says that there are more", line, len(faults), said)
		}
	}
}
