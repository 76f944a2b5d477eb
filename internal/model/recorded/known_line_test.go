package recorded

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"
	"unsafe"
)

func TestALineThatTheOtherSideHasInTheFileIsTakenFromIt(t *testing.T) {
	line := func(id string, text string) string {
		return fmt.Sprintf(`{"suite_id":"s","case_id":%q,"raw_response":%q}`+"\n", id, text)
	}
	a, twice, b, moved := line("a", "a"), line("a", "again"), line("b", "b"), line("moved", "m")
	files := func(r1, r2 string) fstest.MapFS {
		return fstest.MapFS{"1.jsonl": {Data: []byte(r1)}, "2.jsonl": {Data: []byte(r2)}}
	}
	const path = "{suite}.jsonl"
	other, _ := Load(files(a+twice+moved+"{\n", b), path, []string{"1", "2"}, nil)
	tree := files(line("new", "n")+a+twice+"{\n", moved+b)
	got, gotFaults := Load(tree, path, []string{"1", "2"}, other)
	want, wantFaults := Load(tree, path, []string{"1", "2"}, nil)
	if !reflect.DeepEqual(got, want) || len(wantFaults) != 2 || !reflect.DeepEqual(gotFaults, wantFaults) {
		t.Errorf("got %+v, %v\nwant %+v, %v", got.suites, gotFaults, want.suites, wantFaults)
	}
	for _, e := range got.suites["s"] {
		taken := slices.ContainsFunc(other.suites["s"], func(theirs entry) bool {
			return unsafe.StringData(e.text) == unsafe.StringData(theirs.text)
		})
		if want := e.id == "a" || e.id == "b"; taken != want {
			t.Errorf("line %d of %s is taken from the other side: %v, want %v", e.line, e.file, taken, want)
		}
	}
}
