package coverage

import (
	"io/fs"
	"path"
	"slices"

	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/source"
)

// unjudgedFiles returns the changed files in scripts/, assets/ and references/ of used skills that no suite sends. A
// harness may read or run them, but nothing judges them here.
func unjudgedFiles(p *sides.Sides) (paths []string) {
	if !isEnabled(p) {
		return nil
	}
	sent, folders := map[string]bool{}, map[string]bool{}
	for _, side := range []*sides.Side{p.Base, p.Head} {
		for _, one := range side.All() {
			for _, name := range one.PromptPaths() {
				if sent[name] = true; path.Base(name) == skill.FileName {
					folders[path.Dir(name)] = true
				}
			}
		}
	}
	for dir := range folders {
		for _, part := range skill.Folders {
			paths = append(paths, changedBelow(p, path.Join(dir, part), sent)...)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// changedBelow returns the changed files below a folder, without the known ones.
func changedBelow(p *sides.Sides, dir string, known map[string]bool) (paths []string) {
	looked := 0
	for _, tree := range []*source.Tree{p.Inputs.Base, p.Inputs.Head} {
		// a missing folder has no files
		_ = fs.WalkDir(tree, dir, func(name string, entry fs.DirEntry, err error) error {
			looked++
			switch {
			case err != nil, looked > maxFiles:
				return fs.SkipDir
			case sides.SameFile(p.Inputs.Base, p.Inputs.Head, name):
				if entry.IsDir() {
					return fs.SkipDir
				}
			case !entry.IsDir() && !known[name] && (exists(p.Inputs.Base, name) != exists(p.Inputs.Head, name) || headEdits(p, name)):
				paths = append(paths, name)
			}
			return nil
		})
	}
	return paths
}

func exists(tree *source.Tree, name string) bool {
	_, err := fs.Stat(tree, name)
	return err == nil
}
