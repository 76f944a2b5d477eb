package suite

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/document"
)

// A run has as many as the files hold.
func TestOfACaseItsPlaceIsHeld(t *testing.T) {
	const n = 1000
	var files []string
	for f := range 2 {
		var text strings.Builder
		for i := range n / 2 {
			fmt.Fprintf(&text, `{"case_id":"case-%d-%d","suite_id":"s","prompt":"Say one"}`+"\n", f, i)
		}
		files = append(files, text.String())
	}
	suites, ds := Load(tree(map[string]string{"suites/a.jsonl": files[0], "suites/b.jsonl": files[1]}), settings(), settings().Suites)
	check(t, ds, nil)
	all := suites[0].Cases
	if got := uintptr(cap(all.kept)) * unsafe.Sizeof(all.kept[0]) / n; all.Len() != n || len(all.held) > 0 || got > 9 {
		t.Errorf("of %d cases %d are held, and %d bytes of each; want the place, which is 8", all.Len(), len(all.held), got)
	}
}

func TestWhatIsReadBackOfACaseIsWhatWasKept(t *testing.T) {
	suites, ds := Load(tree(one(hello+`cases:
  - { id: a, expected_response: good, must_pass: true, trials: 7, severity: high }
  - { id: `+strings.Repeat("long", 32)+`, expected_response: bad }
  - { description: the third }
`)), settings(), settings().Suites)
	check(t, ds, nil)
	all := &suites[0].Cases
	a, long, unnamed := all.At(0), all.At(1), all.At(2)
	if !a.MustPass || a.Trials != 7 || a.Severity != "high" || a.Pos.Line == 0 || a.Unheld() || a.unnamed {
		t.Errorf("the first case is %+v", a)
	}
	if len(long.ID) != 128 || long.MustPass || long.Trials == 7 || long.Open().Expect.Empty() || long.Keys() != long.Open().Body.Keys {
		t.Errorf("the second case is %+v", long)
	}
	if !unnamed.unnamed || !unnamed.Unheld() || unnamed.Place() != 2 {
		t.Errorf("the third case is %+v", unnamed)
	}
	long.Trials = 9
	if all.At(1).Trials == 9 {
		t.Error("what is changed of a case that is read back holds before it is set")
	}
	all.Set(long)
	few := all.Where(func(c *Case) bool { return c != a && c.ID != "a" })
	if got := few.At(0); few.Len() != 2 || got.Trials != 9 || got.Place() != 0 || few.At(1).ID != unnamed.ID || all.At(1).Place() != 1 {
		t.Errorf("%d cases remain, the first of them %+v", few.Len(), got)
	}
	if diff := cmp.Diff(all.At(0), a, cmpopts.IgnoreUnexported(Case{}, Origin{})); diff != "" {
		t.Errorf("read twice (-first +second):\n%s", diff)
	}
}

func TestCasesOfALaterFileAreHeldOnce(t *testing.T) {
	line := func(id string) string {
		return fmt.Sprintf(`{"case_id":"%s","suite_id":"s","prompt":"Say %[1]s","expected_response":"%[1]s"}`+"\n", id)
	}
	files := tree(map[string]string{
		"suites/a.jsonl": line("one"),
		"suites/b.jsonl": line("two") + line("three") + line("four") + line("five"), // the places of fewer cases would share their room with other small things
	})
	l := newLoader(files, settings())
	found, ds := find(files, settings(), []string{"suites/*.jsonl"})
	var read []*Suite
	for file := range l.parsed(inReadingOrder(found)) {
		o := l.open(file, nil)
		read, ds = append(read, o.suites...), append(ds, o.faults...)
	}
	if len(ds) > 0 || len(read) != 2 {
		t.Fatalf("%d suites, faults %v", len(read), ds)
	}
	second := weak.Make(&read[1].Cases.kept[0])
	joined, _ := unique(read)
	read = nil
	runtime.GC()
	if second.Value() != nil {
		t.Error("the cases of the second file are held beside those of the suite that they joined")
	}
	if opened := joined[0].Cases.At(1).Open(); opened.Prompt.Messages[0].Content != "Say two" {
		t.Errorf("the second file's case asks %q", opened.Prompt.Messages[0].Content)
	}
}

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
