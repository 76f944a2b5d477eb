package run

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/suite"
)

// filesLooked and promptsHeld bound the look for prompts that no suite asks: files and folders that may have changed, and of them those that read as prompts.
const (
	filesLooked = 20_000
	promptsHeld = 1_000
)

// unasked are the files of the head that the change edits or adds, that read as prompts, and that no suite of either side knows: nobody judges what becomes of
// them. A run of some suites alone cannot tell that, and what the configuration's suites leave out with `!` is meant to be asked by none.
func (p Plan) unasked() (paths []string) {
	if p.base == nil || p.Base == nil || len(p.Inputs.Suites) > 0 || p.rules.Gate.OnUnaskedPrompt == config.Off {
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
	_ = fs.WalkDir(p.Head, ".", func(name string, entry fs.DirEntry, err error) error { // what cannot be listed is named by nobody
		looked++
		switch {
		case err != nil, looked > filesLooked, held > promptsHeld:
			return fs.SkipDir
		case entry.IsDir():
			if name != "." && (promptname.IsOthers(path.Base(name)) || unchanged(p.Base, p.Head, name) || p.isAnothers(name)) {
				return fs.SkipDir
			}
			return nil
		case entry.Type() != 0, known[name], !readsAsPrompt(name, p.Inputs.Config == "", beside), suite.LeftOut(p.rules.Suites, name):
			return nil
		}
		held++
		if !unchanged(p.Base, p.Head, name) && p.edits(name) {
			paths = append(paths, name)
		}
		return nil
	})
	slices.Sort(paths)
	return paths
}

// isAnothers reports a folder that has a configuration of its own: its prompts are that one's. A change gives no folder of the base to another.
func (p Plan) isAnothers(dir string) bool {
	tree := p.Base
	if _, err := fs.Stat(tree, dir); err != nil {
		tree = p.Head
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
