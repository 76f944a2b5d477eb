package starter

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestProgramsAreReadUpToABound(t *testing.T) {
	var r Repository
	large := &fstest.MapFile{Data: []byte(strings.Repeat("x\n", maxProgramBytes/2))}
	last := &fstest.MapFile{Data: []byte(`PROMPT = "Hi"`)}
	for i := range maxCodeBytes/maxProgramBytes + 2 {
		if i == 1 {
			r.considerCode(fstest.MapFS{"src/early.py": last}, "src/early.py")
		}
		name := fmt.Sprintf("src/p%d.py", i)
		r.considerCode(fstest.MapFS{name: large}, name)
	}
	r.considerCode(fstest.MapFS{"src/late.py": last}, "src/late.py")
	if fmt.Sprint(r.promptsInCode) != "[src/early.py:1]" {
		t.Errorf("prompts were found at %v; expected the one before the bound", r.promptsInCode)
	}
}

func TestPromptsBeyondTheBoundAreCounted(t *testing.T) {
	var r Repository
	for i := range maxPrompts {
		r.considerPrompt(fmt.Sprintf("prompts/p%03d.txt", i))
	}
	r.considerPrompt("prompts/a.yaml")
	r.considerPrompt("prompts/b.json")
	r.limitPrompts()
	lines := skippedFiles(r)
	if len(r.prompts) != maxPrompts || len(lines) != 1 || !strings.HasPrefix(lines[0], "Not taken: 2 more prompts;") {
		t.Errorf("%d prompts got a suite, and the lines are %q; expected %d, and one line about two more", len(r.prompts), lines, maxPrompts)
	}
}
