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
func (s search) unjudgedFiles() (paths []string) {
	sent, folders := map[string]bool{}, map[string]bool{}
	for _, side := range []*sides.Side{s.sides.Base, s.sides.Head} {
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
			paths = append(paths, s.changedBelow(path.Join(dir, part), sent)...)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// changedBelow returns the changed files below a folder, without the known ones.
func (s search) changedBelow(dir string, known map[string]bool) (paths []string) {
	for _, tree := range []*source.Tree{s.sides.Inputs.Base, s.sides.Inputs.Head} {
		walk(tree, dir, func(name string, entry fs.DirEntry) error {
			if !entry.IsDir() && !known[name] && s.changes(name) {
				paths = append(paths, name)
			}
			return nil
		})
	}
	return paths
}
