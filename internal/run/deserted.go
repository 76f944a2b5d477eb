package run

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// deserted are the prompts and tools that suites of the base send, and that the head has still and sends no more. Who uses them goes on
// using them, and no gate looks at their answers: a suite that asks a copy of a prompt lets the prompt itself become anything. Those that the
// change edits as well are returned apart.
func (p Plan) deserted() (edited []string, warnings []report.Warning) {
	sent := map[string]bool{}
	for _, s := range p.head.suites {
		sent[s.Path] = true
		for _, path := range s.Sends() {
			sent[path] = true
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
	edited = append(edited, p.leftBehind(sent)...)
	slices.Sort(edited)
	return slices.Compact(edited), warnings
}

// leftBehind are such prompts that cases of the base were asked by, of which the head asks others and these cases by something else.
func (p Plan) leftBehind(sent map[string]bool) (edited []string) {
	changed := map[string]bool{} // of those that the head sends, whether the change edits them
	for _, s := range p.base.all() {
		for _, path := range s.Sends() {
			if _, known := changed[path]; !known {
				_, err := fs.Stat(p.Head, path)
				changed[path] = sent[path] && err == nil && textAt(p.Base, path) != textAt(p.Head, path)
			}
		}
	}
	known := map[[2]*suite.Suite]bool{}
	look := func(base, head *suite.Suite) {
		if base == nil || head == nil || known[[2]*suite.Suite{base, head}] {
			return
		}
		known[[2]*suite.Suite{base, head}] = true
		for _, path := range base.Sends() {
			if changed[path] && !slices.Contains(head.Sends(), path) {
				edited = append(edited, path)
			}
		}
	}
	heads, all := map[string]*suite.Suite{}, p.base.all()
	for _, s := range p.head.suites {
		heads[s.ID] = s
	}
	for _, s := range all {
		look(s, heads[s.HeadID()])
	}
	if len(all) > 0 && all[0].Names.Moves() {
		for one := range suite.Pairs(all, p.head.suites) {
			if one.Base != nil && one.Head != nil {
				look(one.BaseSuite, one.HeadSuite)
			}
		}
	}
	return edited
}
