package source_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/source"
)

func TestAnOverlayHasItsFilesThenTheTreesThenTheOthers(t *testing.T) {
	tree := &source.Tree{FS: fstest.MapFS{"a/one.md": {Data: []byte("tree")}, "a/two.md": {Data: []byte("tree")}}, Revision: source.Revision{Name: "head"}}
	other := &source.Tree{FS: fstest.MapFS{"a/one.md": {Data: []byte("other")}, "a/two.md": {Data: []byte("other")}, "a/three.md": {Data: []byte("other")}}}
	over := source.Overlay(tree, other, map[string]string{"a/one.md": "mine", "b/new.md": "new"})
	for name, want := range map[string]string{"a/one.md": "mine", "a/two.md": "tree", "a/three.md": "other", "b/new.md": "new"} {
		text, err := fs.ReadFile(over, name)
		if err != nil || string(text) != want {
			t.Errorf("%s is %q, %v; want %q", name, text, err, want)
		}
		if info, err := fs.Stat(over, name); err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(want)) {
			t.Errorf("%s is described as %v, %v", name, info, err)
		}
	}
	if _, err := fs.ReadFile(over, "none.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that nobody has: %v", err)
	}
	if over.Revision.Name != "head" {
		t.Errorf("the overlay is called %q", over.Revision.Name)
	}
}
