package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/regular"
)

func TestOnlyRegularFilesUpToASizeAreRead(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "file")
	if err := os.WriteFile(at, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := regular.Read(at, 5); err != nil || string(got) != "12345" {
		t.Errorf("Read = %q, %v, want all of it", got, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if got, err := regular.ReadIn(root, "file", 5); err != nil || string(got) != "12345" {
		t.Errorf("ReadIn = %q, %v, want all of it", got, err)
	}
	if got, err := regular.ReadIn(root, "file", 4); err == nil {
		t.Errorf("ReadIn = %q, want it to be too large", got)
	}
	for name, most := range map[string]int64{at: 4, dir: 5, filepath.Join(dir, "none"): 5} {
		var wrong *fs.PathError
		if got, err := regular.Read(name, most); got != nil || !errors.As(err, &wrong) {
			t.Errorf("Read(%s, %d) = %q, %v, want an *fs.PathError", name, most, got, err)
		}
	}
}
