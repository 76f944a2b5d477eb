// Package coverage finds the prompts that a change edits and that its suites do not use.
package coverage

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/suite"
)

// New finds the prompts that a change edits and that its suites do not use.
func New(s *sides.Sides) checks.Check {
	bypassed, warnings := bypassedPrompts(s)
	untested, unjudged := untestedPrompts(s), unjudgedFiles(s)
	return checks.Check{Warnings: warnings, Known: func(in *gate.Run) { in.Deserted, in.Unasked, in.Unjudged = bypassed, untested, unjudged }}
}

// bypassedPrompts returns prompts and tools that the head still has and edits, but whose base cases now use another
// file: a case that tests a copy no longer protects the prompt. For files that the change does not edit, it adds a
// warning if no suite uses them any more.
func bypassedPrompts(p *sides.Sides) (edited []string, warnings []report.Warning) {
	heads, sent := map[string]*suite.Suite{}, map[string]bool{}
	for _, h := range p.Head.Suites {
		heads[h.ID], sent[h.Path] = h, true
		for _, path := range h.Sends() {
			sent[path] = true
		}
	}
	all, some := p.Base.All(), false
	for _, base := range all {
		head := heads[base.HeadID()]
		some = some || head != nil && len(bypassedBySuite(p, base, head)) > 0
		for _, path := range base.Sends() {
			asked := sent[path]
			if head != nil {
				asked = slices.Contains(head.Sends(), path)
			}
			switch {
			case asked || !existsInHead(p, path):
			case headEdits(p, path):
				edited = append(edited, path)
			case !sent[path]:
				sent[path] = true // one warning is enough
				warnings = append(warnings, report.Warning{Code: gate.DesertedPrompt.Code,
					SuiteID: base.HeadID(), Path: path,
					Message: fmt.Sprintf("%s is still there, and no suite asks it any more: what becomes of it from "+
						"now on is not judged", document.Quote(path))})
			}
		}
	}
	if some || len(all) > 0 && all[0].Names.Moves() {
		edited = append(edited, bypassedByCases(p)...)
	}
	slices.Sort(edited)
	return slices.Compact(edited), warnings
}

// bypassedByCases returns the edited prompts and tools that fewer parts of a case ask on the head than on the base.
func bypassedByCases(p *sides.Sides) (edited []string) {
	known, told := map[[2]*suite.Suite][]string{}, map[string]bool{}
	for one := range suite.Pairs(p.Base.All(), p.Head.Suites) {
		if one.Base == nil || one.Head == nil {
			continue
		}
		suites := [2]*suite.Suite{one.BaseSuite, one.HeadSuite}
		if _, already := known[suites]; !already {
			known[suites] = bypassedBySuite(p, one.BaseSuite, one.HeadSuite)
		}
		for _, path := range known[suites] {
			if !told[path] && one.HeadSuite.AskedBy(one.Head, path) < one.BaseSuite.AskedBy(one.Base, path) {
				told[path], edited = true, append(edited, path)
			}
		}
	}
	return edited
}

// bypassedBySuite returns the edited prompts and tools that a case of the base's suite may ask, and not every case of
// the head's does.
func bypassedBySuite(p *sides.Sides, base, head *suite.Suite) (paths []string) {
	for _, path := range base.Sends() {
		if head.AllAskedBy(path) < suite.Instructed && existsInHead(p, path) && headEdits(p, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// existsInHead reports whether the head has a file, or a link in its place, which reads as another text.
func existsInHead(p *sides.Sides, path string) bool {
	_, err := fs.Stat(p.Inputs.Head, path)
	return err == nil || document.IsElsewhere(err)
}

// headEdits reports a file that says something else in the head than in the base.
func headEdits(p *sides.Sides, path string) bool {
	return sides.TextAt(p.Inputs.Base, path) != sides.TextAt(p.Inputs.Head, path)
}

// filesLooked and promptsHeld bound the look for prompts that no suite asks: files and folders that may have
// changed, and of them those that read as prompts.
const (
	filesLooked = 20_000
	promptsHeld = 1_000
)

// applies reports whether the run knows all suites and its rules look for prompts that no suite asks.
func applies(p *sides.Sides) bool {
	return p.Base != nil && p.Inputs.Base != nil && len(p.Inputs.Suites) == 0 && p.Rules.Gate.At(config.OnUnaskedPrompt).Level != config.Off
}

// untestedPrompts returns the edited or added files of the head that read as prompts and that no suite of either side
// uses. A run of selected suites cannot tell. Files that `suites` excludes with `!` do not count.
func untestedPrompts(p *sides.Sides) (paths []string) {
	if !applies(p) {
		return nil
	}
	known, beside := usedFiles(p)
	looked, held := 0, 0
	// what cannot be listed is named by nobody
	_ = fs.WalkDir(p.Inputs.Head, ".", func(name string, entry fs.DirEntry, err error) error {
		looked++
		switch {
		case err != nil, looked > filesLooked, held > promptsHeld:
			return fs.SkipDir
		case entry.IsDir():
			hasSkills := beside[skill.Name] && slices.Contains(skill.HiddenFolders, path.Base(name))
			if name != "." && (promptname.IsOthers(path.Base(name)) && !hasSkills || sides.Unchanged(p.Inputs.Base, p.Inputs.Head,
				name) || hasOwnConfig(p, name)) {
				return fs.SkipDir
			}
			return nil
		case entry.Type() != 0, known[name], !readsAsPrompt(name, p.Inputs.Config == "", beside),
			suite.LeftOut(p.Rules.Suites, name):
			return nil
		}
		held++
		if !sides.Unchanged(p.Inputs.Base, p.Inputs.Head, name) && headEdits(p, name) {
			paths = append(paths, name)
		}
		return nil
	})
	slices.Sort(paths)
	return paths
}

// usedFiles returns the files that a suite of either side uses, and where others like them may lie: "DIR/*.EXT" of each
// that is sent, and skill.Name where a skill is.
func usedFiles(p *sides.Sides) (known, beside map[string]bool) {
	known, beside = map[string]bool{}, map[string]bool{}
	for _, side := range []*sides.Side{p.Base, p.Head} {
		for _, one := range side.All() {
			known[one.Path] = true
			for _, f := range one.Files {
				known[f.Path] = true
			}
			for _, sent := range one.Sends() {
				beside[path.Dir(sent)+"/*"+path.Ext(sent)] = true
				beside[skill.Name] = beside[skill.Name] || path.Base(sent) == skill.Name
			}
		}
	}
	return known, beside
}

// hasOwnConfig reports a folder that has a configuration of its own: its prompts are that one's. A change gives
// no folder of the base to another.
func hasOwnConfig(p *sides.Sides, dir string) bool {
	tree := p.Inputs.Base
	if _, err := fs.Stat(tree, dir); err != nil {
		tree = p.Inputs.Head
	}
	below, err := fs.Sub(tree, dir)
	if err != nil {
		return false
	}
	_, found := config.Find(below)
	return found
}

// readsAsPrompt reports whether a path is a prompt's by its name: it says so, it is in a folder of prompts, a used
// prompt with the same ending is beside it, or it is a skill where suites ask skills. If anywhere is false, other
// configurations may exist, and only a prompt beside a used one counts.
func readsAsPrompt(name string, anywhere bool, beside map[string]bool) bool {
	isText, ending := promptname.IsText(name), path.Ext(name)
	switch dir := path.Dir(name); {
	case path.Base(name) == skill.Name:
		return anywhere && beside[skill.Name]
	case promptname.IsDocument(name), slices.ContainsFunc(strings.Split(dir, "/"), promptname.IsOthers):
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
