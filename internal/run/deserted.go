package run

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// deserted are the prompts and tools that cases of the base are asked by, that the head has still, and that these cases are asked by no more.
// Who uses them goes on using them: a suite that asks a copy of a prompt lets the prompt itself become anything. Those that the change edits are
// returned; of the others a warning tells, where no suite asks them any more.
func (p Plan) deserted() (edited []string, warnings []report.Warning) {
	heads, sent := map[string]*suite.Suite{}, map[string]bool{}
	for _, h := range p.head.suites {
		heads[h.ID], sent[h.Path] = h, true
		for _, path := range h.Sends() {
			sent[path] = true
		}
	}
	known := map[[2]*suite.Suite]bool{}
	look := func(base, head *suite.Suite) {
		if known[[2]*suite.Suite{base, head}] {
			return
		}
		known[[2]*suite.Suite{base, head}] = true
		for _, path := range base.Sends() {
			if head != nil && slices.Contains(head.Sends(), path) || head == nil && sent[path] {
				continue
			}
			if _, err := fs.Stat(p.Head, path); err != nil {
				continue
			}
			switch {
			case textAt(p.Base, path) != textAt(p.Head, path):
				edited = append(edited, path)
			case !sent[path]:
				sent[path] = true // is told once
				warnings = append(warnings, report.Warning{Code: "deserted_prompt", SuiteID: base.HeadID(), Path: path,
					Message: fmt.Sprintf("%s is still there, and no suite asks it any more: what becomes of it from now on is not judged", document.Quote(path))})
			}
		}
	}
	all := p.base.all()
	for _, b := range all {
		look(b, heads[b.HeadID()])
	}
	if len(all) > 0 && all[0].Names.Moves() {
		for one := range suite.Pairs(all, p.head.suites) {
			if one.Base != nil && one.Head != nil {
				look(one.BaseSuite, one.HeadSuite)
			}
		}
	}
	slices.Sort(edited)
	return slices.Compact(edited), warnings
}
