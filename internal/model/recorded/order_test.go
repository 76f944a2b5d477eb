package recorded

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOfLinesWithOneNameTheFirstIsKept(t *testing.T) {
	long := strings.Repeat("x", 300)
	line := func(id string, trial int, text string) string {
		return fmt.Sprintf(`{"suite_id":"s","case_id":%q,"trial":%d,"raw_response":%q}`+"\n", id, trial, text)
	}
	c, faults := Load(fstest.MapFS{"r.jsonl": {Data: []byte(line("one", 2, "b") + line(long, 1, "l") + line("one", 1, "a") + line("one", 2, "c"))}}, "r.jsonl", nil, nil)
	if len(faults) != 1 || faults[0].Line != 4 {
		t.Errorf("faults %v, want one of line 4", faults)
	}
	for id, want := range map[string]string{"one": "ab", long: "l", "two": ""} {
		got := ""
		for _, e := range c.Answers("s", id) {
			got += *e.record().RawResponse
		}
		if got != want {
			t.Errorf("the answers to %.5s are %q, want %q", id, got, want)
		}
	}
}
