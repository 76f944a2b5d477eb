// Package coverage finds the prompts that a change edits and that its suites do not use.
package coverage

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// New returns the check that finds the prompts that a change edits and that its suites do not use.
func New(s *sides.Sides) checks.Check {
	bypassed, abandoned, deserted := bypassedPrompts(s)
	warnings := otherSuites(s)
	if !isEnabled(s) {
		return checks.Check{Warnings: warnings, Static: func(in *gate.Run) {
			in.BypassedPrompts, in.AbandonedPrompts = bypassed, abandoned
		}}
	}
	moved := movedSkills(s)
	search := newSearch(s)
	unjudged := search.unjudgedFiles()
	for _, name := range unjudged {
		search.known[name] = true // one finding names it
	}
	unjudged = slices.DeleteFunc(unjudged, func(name string) bool { return isMoved(s, moved, name) })
	warnings = append(warnings, changedSettings(s, moved)...)
	untested, covering := search.untestedPrompts()
	return checks.Check{Warnings: warnings, Static: func(in *gate.Run) {
		in.BypassedPrompts, in.AbandonedPrompts, in.DesertedPrompts = bypassed, abandoned, deserted
		in.UntestedPrompts, in.UnjudgedFiles = untested, unjudged
		in.PolicyChanges = append(in.PolicyChanges, covering...)
	}}
}

// otherSuites warns of suites of the configuration that the change touches, if the caller names suites and leaves these
// out.
func otherSuites(p *sides.Sides) []report.Warning {
	if len(p.Inputs.Suites) == 0 || p.Base == nil || p.Inputs.Base == nil {
		return nil
	}
	judged := map[string]bool{}
	for _, one := range slices.Concat(p.Base.Suites, p.Head.Suites) {
		judged[one.Path] = true
	}
	heads, _ := suite.Load(p.Inputs.Head, p.Rules, p.Rules.Suites)
	bases, _, _ := suite.LoadBase(p.Inputs.Base, p.Base.Config, p.Base.Config.Suites)
	touched, others := suite.Scope(suite.Join(bases, heads), p.RecordingsOf(bases, heads)), []string{}
	for side, all := range map[suite.Side][]*suite.Suite{suite.Head: heads, suite.Base: bases} {
		for _, one := range all {
			if touched.Has(side, one.ID) && !judged[one.Path] {
				judged[one.Path], others = true, append(others, one.Path) // once, also if both sides have it
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	return []report.Warning{{Code: report.WarnOtherSuites, Path: slices.Min(others), Message: "this change also touches " +
		text.Count(len(others), "suite that the run does not name", "suites that the run does not name, such as this one")}}
}

// bypassedPrompts returns prompts and tools that the change edits and keeps, but that cases of the base no longer use
// on the head. For example, a case that now tests a copy of a prompt no longer protects the prompt. Those that no case
// uses any more are abandoned instead, unless the run has only some suites. deserted are those that the change does not
// edit and that no suite uses any more.
func bypassedPrompts(p *sides.Sides) (bypassed, abandoned, deserted []string) {
	sent := map[string]bool{}
	for _, h := range p.Head.Suites {
		sent[h.Path] = true
		for _, path := range h.PromptPaths() {
			sent[path] = true
		}
	}
	var all []string
	for _, base := range p.Base.All() {
		all = append(all, base.PromptPaths()...)
	}
	slices.Sort(all)
	for _, path := range slices.Compact(all) {
		switch {
		case !existsInHead(p, path):
		case !headEdits(p, path):
			if !sent[path] {
				deserted = append(deserted, path)
			}
		case len(p.Inputs.Suites) == 0 && judges(p, p.Base.All(), path) && !judges(p, p.Head.Suites, path):
			abandoned = append(abandoned, path)
		case isBypassed(p, path):
			bypassed = append(bypassed, path)
		}
	}
	return bypassed, abandoned, deserted
}

// judges reports whether a case sends the file as a prompt or as tools. A new case without checks does not count.
func judges(p *sides.Sides, suites []*suite.Suite, path string) bool {
	for s, c := range suite.EachCase(suites) {
		if s.CaseFileRole(c, path) == suite.PromptText && !(c.Unverified() && p.Pairs.Find(s.ID, c.ID).Base == nil) {
			return true
		}
	}
	return false
}

// isBypassed reports whether a suite of the base sends the file and the suite on the head does not, or some case uses
// the file less than on the base, by its suite.FileRole in the case.
func isBypassed(p *sides.Sides, path string) bool {
	for _, base := range p.Base.All() {
		head := p.Head.Find(p.Pairs.HeadID(base.ID))
		if head != nil && slices.Contains(base.PromptPaths(), path) && !slices.Contains(head.PromptPaths(), path) {
			return true
		}
	}
	for s, c := range suite.EachCase(p.Head.Suites) {
		one := p.Pairs.Find(s.ID, c.ID)
		if one.Base != nil && s.CaseFileRole(c, path) < one.BaseSuite.CaseFileRole(one.Base, path) {
			return true
		}
	}
	return false
}

// existsInHead reports whether the head has a file at a path, or an entry whose content is elsewhere, such as a link.
func existsInHead(p *sides.Sides, path string) bool {
	_, err := fs.Stat(p.Inputs.Head, path)
	return err == nil || document.IsElsewhere(err)
}

// headEdits reports whether a file's text differs between base and head.
func headEdits(p *sides.Sides, path string) bool {
	return sides.TextAt(p.Inputs.Base, path) != sides.TextAt(p.Inputs.Head, path)
}

// search is a search for files that a change edits and that nothing judges.
type search struct {
	sides     *sides.Sides
	known     map[string]bool // the files that the suites of either side use
	sent      map[string]bool // those that are sent: prompts and tools
	neighbors map[string]bool // the places where similar files may be: "DIR/*.EXT" for each file that is sent
	skills    map[string]bool // the folders of the skills that are sent
}

func newSearch(p *sides.Sides) search {
	s := search{p, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, one := range slices.Concat(p.Base.All(), p.Head.All()) {
		s.known[one.Path] = true
		for _, f := range one.Files {
			s.known[f.Path] = true
		}
		for _, name := range one.PromptPaths() {
			s.sent[name], s.neighbors[path.Dir(name)+"/*"+path.Ext(name)] = true, true
			if path.Base(name) == skill.FileName {
				s.skills[path.Dir(name)] = true
			}
		}
	}
	return s
}

// isEnabled reports whether the run has all suites and its rules ask for untested prompts.
func isEnabled(p *sides.Sides) bool {
	return p.Base != nil && p.Inputs.Base != nil && len(p.Inputs.Suites) == 0 &&
		p.Rules.Gate.Setting(config.OnUntestedPrompt).Level != config.Off
}

// walk visits the files and folders of a tree below dir, as fs.WalkDir does. A folder that cannot be listed, or is
// missing, has no files.
func walk(tree *source.Tree, dir string, visit func(name string, entry fs.DirEntry) error) {
	_ = fs.WalkDir(tree, dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		return visit(name, entry)
	})
}

// untestedPrompts returns the edited or added files of the head that look like prompts and that no suite of either side
// uses. covering are configurations that the change adds in a folder with prompts: after the merge, the folder is
// theirs. Files that `suites` excludes with `!` do not count.
func (s search) untestedPrompts() (paths []string, covering []config.Change) {
	base, head := s.sides.Inputs.Base, s.sides.Inputs.Head
	walk(head, ".", func(name string, entry fs.DirEntry) error {
		switch {
		case !entry.IsDir():
			isLink := entry.Type() != 0
			if !s.known[name] && s.isPrompt(name) && s.changes(name) || isLink && isFolder(base, name) && s.hasPrompts(name) {
				paths = append(paths, name)
			}
		case name != ".":
			if sides.SameFile(base, head, name) || s.skips(name) {
				return fs.SkipDir
			}
			if added, found := ownConfig(head, name); found {
				if !isFolder(base, name) {
					return fs.SkipDir
				}
				if s.hasPrompts(name) {
					covering = append(covering, config.Change{
						Path: added, Key: "configuration of " + name + "/", Head: added})
				}
			}
		}
		return nil
	})
	slices.Sort(paths)
	return paths, covering
}

// hasPrompts reports whether the base has prompts below a folder, tested or not.
func (s search) hasPrompts(dir string) (found bool) {
	walk(s.sides.Inputs.Base, dir, func(name string, entry fs.DirEntry) error {
		switch {
		case entry.IsDir() && s.skips(name):
			return fs.SkipDir
		case !entry.IsDir() && s.isPrompt(name):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// skips reports whether a folder has no prompts of this configuration: it is for something else, or has its own
// configuration on the base.
func (s search) skips(dir string) bool {
	hasSkills := len(s.skills) > 0 && slices.Contains(skill.HiddenFolders, path.Base(dir))
	_, own := ownConfig(s.sides.Inputs.Base, dir)
	return own || promptname.IsOtherFolder(path.Base(dir)) && !hasSkills
}

// isPrompt reports whether a file looks like a prompt and is not excluded.
func (s search) isPrompt(name string) bool {
	return s.readsAsPrompt(name) && !suite.Excludes(s.sides.Rules.Suites, name)
}

// changes reports whether a file is new, is removed, becomes a link or stops being one, or has another text.
func (s search) changes(name string) bool {
	_, base := fs.Stat(s.sides.Inputs.Base, name)
	_, head := fs.Stat(s.sides.Inputs.Head, name)
	return errors.Is(base, fs.ErrNotExist) != errors.Is(head, fs.ErrNotExist) ||
		document.IsElsewhere(base) != document.IsElsewhere(head) ||
		!sides.SameFile(s.sides.Inputs.Base, s.sides.Inputs.Head, name) && headEdits(s.sides, name)
}

func isFolder(tree *source.Tree, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.IsDir()
}

// ownConfig returns the path of the configuration that a folder of a tree has.
func ownConfig(tree *source.Tree, dir string) (name string, found bool) {
	below, _ := fs.Sub(tree, dir) // dir is a path of the tree
	name, found = config.Find(below)
	return path.Join(dir, name), found
}

// readsAsPrompt reports whether a path looks like a prompt: by its name, by its folder, as a neighbor of a used prompt
// with the same extension, as a skill if suites use skills, or as a configuration of promptfoo that was imported. If
// the caller names the configuration, others may exist. A path then looks like a prompt only if it is a neighbor of a
// used one.
func (s search) readsAsPrompt(name string) bool {
	anywhere := s.sides.Inputs.Config == ""
	isText, ending := promptname.IsText(name), path.Ext(name)
	switch dir := path.Dir(name); {
	case path.Base(name) == skill.FileName:
		return anywhere && len(s.skills) > 0
	case strings.HasPrefix(path.Base(name), "promptfooconfig."):
		_, err := fs.Stat(s.sides.Inputs.Head, path.Join(dir, promptfoo.FindingsFile)) // an import wrote it
		return anywhere && err == nil
	case promptname.IsDocument(name), slices.ContainsFunc(strings.Split(dir, "/"), promptname.IsOtherFolder):
		return false
	case dir != "." && isText && s.neighbors[dir+"/*"+ending]:
		return true
	case !anywhere:
		return false
	case promptname.IsPrompt(name):
		return isText || strings.HasSuffix(name, ".prompt"+ending) && (ending == ".yml" || ending == ".yaml")
	}
	return isText && promptname.InPromptFolder(name)
}

// unjudgedFiles returns the changed files in scripts/, assets/ and references/ of used skills that no suite sends. A
// harness may read or run them, but nothing judges them here.
func (s search) unjudgedFiles() (paths []string) {
	for _, tree := range []*source.Tree{s.sides.Inputs.Base, s.sides.Inputs.Head} {
		for dir := range s.skills {
			for _, part := range skill.Folders {
				walk(tree, path.Join(dir, part), func(name string, entry fs.DirEntry) error {
					if !entry.IsDir() && !s.sent[name] && s.changes(name) {
						paths = append(paths, name)
					}
					return nil
				})
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
