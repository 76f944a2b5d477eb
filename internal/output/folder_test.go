package output_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/output"
)

func TestAFileThatIsReplacedKeepsItsPermissions(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "s.jsonl")
	if err := os.WriteFile(at, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, mode := range []os.FileMode{0o600, 0o444, 0o755} {
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
		if err := output.Replace(root, "s.jsonl", []byte("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != mode || info.Size() != 3 {
			t.Errorf("a file of mode %o is %v after it was replaced, %v", mode, info.Mode(), err)
		}
	}
}
