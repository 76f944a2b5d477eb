package run

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// deserted are the prompts and tools that suites of the base send, and that the head has still and sends no more. Who uses them goes on
// using them, and no gate looks at their answers: a suite that asks a copy of a prompt lets the prompt itself become anything. Those that the
// change edits as well are returned apart.
func (p Plan) deserted() (edited []string, warnings []report.Warning) {
	sent := map[string]bool{}
	for _, s := range p.head.suites {
		sent[s.Path] = true
		for _, f := range s.Files {
			sent[f.Path] = true
		}
	}
	for _, s := range p.base.all() {
		for _, path := range s.Sends() {
			if sent[path] {
				continue
			}
			sent[path] = true // is told once
			if _, err := fs.Stat(p.Head, path); err != nil {
				continue
			}
			if textAt(p.Base, path) != textAt(p.Head, path) {
				edited = append(edited, path)
				continue
			}
			warnings = append(warnings, report.Warning{Code: "deserted_prompt", SuiteID: s.HeadID(), Path: path,
				Message: fmt.Sprintf("%s is still there, and no suite asks it any more: what becomes of it from now on is not judged", document.Quote(path))})
		}
	}
	slices.Sort(edited)
	return edited, warnings
}
