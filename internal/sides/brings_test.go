package sides_test

import (
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// A job that works in a folder of its checkout keeps its answers at the checkout's root: outside of the tree
// that it judges.
func TestAFolderIsBroughtByTheCheckoutToo(t *testing.T) {
	dir := repository(t, runtest.Files{".failproof/cache/a.jsonl": "version: 1\n", "shop/failproof.yml": "version: 1\n"}, nil)
	head, err := source.Git(filepath.Join(dir, "shop"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	in := sides.Inputs{Head: head, Dir: dir}
	for folder, want := range map[string]bool{".failproof/cache": true, ".failproof/drift": false} {
		if got, err := in.CommitContains(folder); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", folder, got, err, want)
		}
	}
}
