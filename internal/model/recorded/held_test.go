package recorded

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"
)

// A run has one for each answer that is recorded.
func TestALineThatIsReadIsAPlace(t *testing.T) {
	const lines = 1000
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, `{"suite_id":"s","case_id":"case-%d","raw_response":"an answer"}`+"\n", i)
	}
	c, faults := Load(fstest.MapFS{"r.jsonl": {Data: []byte(text.String())}}, "r.jsonl", nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	all := c.suites["s"]
	if got := uintptr(cap(all.lines)) * unsafe.Sizeof(all.lines[0]) / lines; got > 9 {
		t.Errorf("a recorded answer holds %d bytes beside the table of ids, want a place of 8", got)
	}
	if len(all.all) > 0 || all.buf != nil {
		t.Errorf("%d cases with one line each hold more than that", len(all.all))
	}
}

func TestOfLinesWithOneNameTheFirstIsKept(t *testing.T) {
	long := strings.Repeat("x", 3*idRead)
	line := func(id string, trial int, text string) string {
		return fmt.Sprintf(`{"suite_id":"s","case_id":%q,"trial":%d,"raw_response":%q}`+"\n", id, trial, text)
	}
	c, faults := Load(fstest.MapFS{"r.jsonl": {Data: []byte(line("one", 2, "b") + line(long, 1, "l") + line("one", 1, "a") + line("one", 2, "c"))}}, "r.jsonl", nil)
	if len(faults) != 1 || faults[0].Line != 4 {
		t.Errorf("faults %v, want one of line 4", faults)
	}
	for id, want := range map[string]string{"one": "ab", long: "l", "two": ""} {
		got := ""
		for _, e := range c.trials("s", id) {
			got += *c.record(e).RawResponse
		}
		if got != want {
			t.Errorf("the answers to %.5s are %q, want %q", id, got, want)
		}
	}
}
