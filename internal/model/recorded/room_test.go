package recorded_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/model/recorded"
)

func TestRecordingsAreBoundedTogether(t *testing.T) {
	mib := &fstest.MapFile{Data: make([]byte, 1<<20)}
	tree := fstest.MapFS{"a.jsonl": mib, "b.jsonl": mib, "c.jsonl": mib, "d.jsonl/x": mib}
	for _, c := range []struct {
		rule  string
		files []string
		want  string
	}{
		{"as much as there may be", []string{"b.jsonl", "a.jsonl"}, ""},
		{"a file that several targets have counts once", []string{"a.jsonl", "b.jsonl", "a.jsonl"}, ""},
		{"a file that is not there and one that is none hold nothing", []string{"a.jsonl", "b.jsonl", "d.jsonl", "e.jsonl"}, ""},
		{"more", []string{"c.jsonl", "b.jsonl", "a.jsonl", "e.jsonl"}, "the recordings up to this file hold 3.0 MiB, and 1 more follow; expected at most 2 MiB in all"},
	} {
		found := recorded.CheckSize(tree, c.files, 2<<20)
		switch {
		case c.want == "" && len(found) > 0, c.want != "" && (len(found) != 1 || found[0].Path != "c.jsonl" || !strings.HasPrefix(found[0].Message, c.want)):
			t.Errorf("%s: %+v, want %q", c.rule, found, c.want)
		}
	}
}
