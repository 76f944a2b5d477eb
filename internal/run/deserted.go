package run

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// deserted are the prompts and tools that cases of the base are asked by, that the head has still, and that these cases are asked by no more,
// though others may be. Who uses them goes on using them: a case that asks a copy of a prompt lets the prompt itself become anything. Those that
// the change edits are returned; of the others a warning tells, where no suite asks them any more.
func (p Plan) deserted() (edited []string, warnings []report.Warning) {
	heads, sent := map[string]*suite.Suite{}, map[string]bool{}
	for _, h := range p.head.suites {
		heads[h.ID], sent[h.Path] = h, true
		for _, path := range h.Sends() {
			sent[path] = true
		}
	}
	all, some := p.base.all(), false
	for _, base := range all {
		head := heads[base.HeadID()]
		some = some || head != nil && len(p.leaves(base, head)) > 0
		for _, path := range base.Sends() {
			if head != nil && slices.Contains(head.Sends(), path) || head == nil && sent[path] || !p.stands(path) {
				continue
			}
			switch {
			case p.edits(path):
				edited = append(edited, path)
			case !sent[path]:
				sent[path] = true // is told once
				warnings = append(warnings, report.Warning{Code: "deserted_prompt", SuiteID: base.HeadID(), Path: path,
					Message: fmt.Sprintf("%s is still there, and no suite asks it any more: what becomes of it from now on is not judged", document.Quote(path))})
			}
		}
	}
	if some || len(all) > 0 && all[0].Names.Moves() {
		edited = append(edited, p.left()...)
	}
	slices.Sort(edited)
	return slices.Compact(edited), warnings
}

// left are the prompts and tools that the change edits, and that a case of both sides is asked by on the base alone.
func (p Plan) left() (edited []string) {
	known, told := map[[2]*suite.Suite][]string{}, map[string]bool{}
	for one := range suite.Pairs(p.base.all(), p.head.suites) {
		if one.Base == nil || one.Head == nil {
			continue
		}
		suites := [2]*suite.Suite{one.BaseSuite, one.HeadSuite}
		if _, already := known[suites]; !already {
			known[suites] = p.leaves(one.BaseSuite, one.HeadSuite)
		}
		for _, path := range known[suites] {
			if !told[path] && one.HeadSuite.AskedBy(one.Head, path) < one.BaseSuite.AskedBy(one.Base, path) {
				told[path], edited = true, append(edited, path)
			}
		}
	}
	return edited
}

// leaves are the prompts and tools that the change edits, and that a case of one suite may be asked by, and is not where it stands in the other.
func (p Plan) leaves(base, head *suite.Suite) (paths []string) {
	for _, path := range base.Sends() {
		if head.AllAskedBy(path) < suite.Instructed && p.stands(path) && p.edits(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// stands reports a file that the head has.
func (p Plan) stands(path string) bool {
	_, err := fs.Stat(p.Head, path)
	return err == nil
}

// edits reports a file that says something else in the head than in the base.
func (p Plan) edits(path string) bool { return textAt(p.Base, path) != textAt(p.Head, path) }
