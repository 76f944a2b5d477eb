package suite

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
)

// Several files of JSON lines are read at once, and come out as if one had been read after the other: their suites, their faults, and where their
// cases become too much.
func TestFilesOfLinesThatAreReadAtOnceAreThoseReadInTurn(t *testing.T) {
	files := map[string]string{}
	for n := range 9 {
		text := ""
		for i := range 50 {
			text += fmt.Sprintf(`{"case_id":"c%d","suite_id":"s%d","prompt":"%s","expected_response":"yes","tags":["%d"]}`+"\n", (n+1)*(i+1), i%7, strings.Repeat("x", 1000), i%3)
		}
		files[fmt.Sprintf("suites/%d.jsonl", n)] = text
	}
	ahead := 0
	for _, room := range []int{maxExpanded, 200_000, 30_000} {
		var lines [2][]string
		for at, once := range []bool{true, false} {
			fsys := tree(files)
			l := newLoader(fsys, settings())
			l.expanded = maxExpanded - room
			found, ds := find(fsys, settings(), []string{"suites/*.jsonl"})
			var read []*Suite
			for p := range l.parsed(found) {
				if p.ahead != nil {
					ahead++
				}
				if !once {
					p.ahead = nil
				}
				o := l.open(p, nil)
				read, ds = append(read, o.suites...), append(ds, o.faults...)
			}
			if faulty := len(ds) > 0; faulty != (room < maxExpanded) {
				t.Errorf("with room for %d bytes: %v", room, ds)
			}
			for _, s := range read {
				for c := range s.Cases.All() {
					lines[at] = append(lines[at], fmt.Sprint(s.ID, c.ID, c.Path, c.Pos, c.Severity, c.Keys(), c.Open().Tags, c.Open().Prompt.Messages))
				}
			}
			kept, more := unique(read)
			ds = append(ds, more...)
			document.Sort(ds)
			lines[at] = append(lines[at], fmt.Sprint(len(kept), ds, l.expanded))
		}
		if diff := cmp.Diff(lines[1], lines[0]); diff != "" {
			t.Errorf("with room for %d bytes (-in turn +at once):\n%s", room, diff)
		}
	}
	if ahead == 0 && runtime.GOMAXPROCS(0) > 1 {
		t.Error("no file was read beside another")
	}
}
