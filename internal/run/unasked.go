package run

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// deserted are the prompts and tools that cases of the base are asked by, that the head has still, and that these cases are asked by no more,
// though others may be. Who uses them goes on using them: a case that asks a copy of a prompt lets the prompt itself become anything. Those that
// the change edits are returned; of the others a warning tells, where no suite asks them any more.
func (p *Sides) deserted() (edited []string, warnings []report.Warning) {
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
				warnings = append(warnings, report.Warning{Code: report.CodeDeserted, SuiteID: base.HeadID(), Path: path,
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
func (p *Sides) left() (edited []string) {
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
func (p *Sides) leaves(base, head *suite.Suite) (paths []string) {
	for _, path := range base.Sends() {
		if head.AllAskedBy(path) < suite.Instructed && p.stands(path) && p.edits(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// stands reports a file that the head has.
func (p *Sides) stands(path string) bool {
	_, err := fs.Stat(p.in.Head, path)
	return err == nil
}

// edits reports a file that says something else in the head than in the base.
func (p *Sides) edits(path string) bool { return textAt(p.in.Base, path) != textAt(p.in.Head, path) }

// filesLooked and promptsHeld bound the look for prompts that no suite asks: files and folders that may have changed, and of them those that read as prompts.
const (
	filesLooked = 20_000
	promptsHeld = 1_000
)

// unasked are the files of the head that the change edits or adds, that read as prompts, and that no suite of either side knows: nobody judges what becomes of
// them. A run of some suites alone cannot tell that, and what the configuration's suites leave out with `!` is meant to be asked by none.
func (p *Sides) unasked() (paths []string) {
	if p.base == nil || p.in.Base == nil || len(p.in.Suites) > 0 || p.rules.Gate.OnUnaskedPrompt == config.Off {
		return nil
	}
	known, beside := map[string]bool{}, map[string]bool{}
	for _, side := range []*side{p.base, p.head} {
		for _, one := range side.all() {
			known[one.Path] = true
			for _, f := range one.Files {
				known[f.Path] = true
			}
			for _, sent := range one.Sends() {
				beside[path.Dir(sent)+"/*"+path.Ext(sent)] = true
			}
		}
	}
	looked, held := 0, 0
	_ = fs.WalkDir(p.in.Head, ".", func(name string, entry fs.DirEntry, err error) error { // what cannot be listed is named by nobody
		looked++
		switch {
		case err != nil, looked > filesLooked, held > promptsHeld:
			return fs.SkipDir
		case entry.IsDir():
			if name != "." && (promptname.IsOthers(path.Base(name)) || unchanged(p.in.Base, p.in.Head, name) || p.isAnothers(name)) {
				return fs.SkipDir
			}
			return nil
		case entry.Type() != 0, known[name], !readsAsPrompt(name, p.in.Config == "", beside), suite.LeftOut(p.rules.Suites, name):
			return nil
		}
		held++
		if !unchanged(p.in.Base, p.in.Head, name) && p.edits(name) {
			paths = append(paths, name)
		}
		return nil
	})
	slices.Sort(paths)
	return paths
}

// isAnothers reports a folder that has a configuration of its own: its prompts are that one's. A change gives no folder of the base to another.
func (p *Sides) isAnothers(dir string) bool {
	tree := p.in.Base
	if _, err := fs.Stat(tree, dir); err != nil {
		tree = p.in.Head
	}
	below, err := fs.Sub(tree, dir)
	if err != nil {
		return false
	}
	_, found := config.Find(below)
	return found
}

// readsAsPrompt reports a path that is a prompt's as far as a name tells: it says so itself, it lies in a folder of prompts, or beside a prompt that is asked and
// ends as that does. anywhere is false where other configurations may stand beside the one in force: then only the last counts.
func readsAsPrompt(name string, anywhere bool, beside map[string]bool) bool {
	isText, ending := promptname.IsText(name), path.Ext(name)
	switch dir := path.Dir(name); {
	case promptname.IsDocument(name):
		return false
	case dir != "." && isText && beside[dir+"/*"+ending]:
		return true
	case !anywhere:
		return false
	case promptname.IsCalled(name):
		return isText || strings.HasSuffix(name, ".prompt"+ending) && (ending == ".yml" || ending == ".yaml")
	}
	return isText && promptname.InFolder(name)
}
