package run

import (
	"errors"
	"io/fs"
	"path"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/source"
)

// modelChanges announce the files of the embedding model that the head has otherwise than the revision whose configuration names it. They
// judge nothing before they are merged, and everything afterwards.
func (p Plan) modelChanges() (changes []config.Change) {
	s := p.rules.Semantic
	if p.ruling == p.Head || !s.Embeds() || s.Provider == config.ProviderHTTP {
		return nil
	}
	dir, inTree := p.wantedModel(s, p.ruling).InTree()
	if !inTree {
		return nil
	}
	var before, after map[string]string
	for _, name := range models.Files() {
		file := path.Join(dir, name)
		if unchanged(p.ruling, p.Head, file) {
			continue
		}
		if before == nil {
			before, after = models.Sums(p.ruling, dir), models.Sums(p.Head, dir)
		}
		if before[name] != after[name] {
			changes = append(changes, config.Change{Path: file, Key: "semantic.model (" + name + ")", Base: shortSum(before[name]), Head: shortSum(after[name])})
		}
	}
	return changes
}

// unchanged reports whether two trees have the same file or folder, or neither has it, as far as that shows without reading it.
func unchanged(a, b *source.Tree, name string) bool {
	one, errOne := fs.Stat(a, name)
	other, errOther := fs.Stat(b, name)
	if errOne != nil || errOther != nil {
		return errors.Is(errOne, fs.ErrNotExist) && errors.Is(errOther, fs.ErrNotExist)
	}
	id, known := one.Sys().(source.ObjectID)
	return known && id == other.Sys()
}

// shortSum is as much of a SHA-256 as tells two files apart for a reader.
func shortSum(sum string) string {
	if sum == "" {
		return ""
	}
	return "SHA-256 " + sum[:12]
}
