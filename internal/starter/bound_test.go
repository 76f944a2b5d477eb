package starter

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestProgramsAreReadUpToABound(t *testing.T) {
	var r Repository
	large := &fstest.MapFile{Data: []byte(strings.Repeat("x\n", programSize/2))}
	last := &fstest.MapFile{Data: []byte(`PROMPT = "Hi"`)}
	for i := range programsRead/programSize + 2 {
		if i == 1 {
			r.considerCode(fstest.MapFS{"src/early.py": last}, "src/early.py")
		}
		name := fmt.Sprintf("src/p%d.py", i)
		r.considerCode(fstest.MapFS{name: large}, name)
	}
	r.considerCode(fstest.MapFS{"src/late.py": last}, "src/late.py")
	if fmt.Sprint(r.code) != "[src/early.py:1]" {
		t.Errorf("prompts were found at %v; expected the one before the bound", r.code)
	}
}
