// Package sharedtest finds test data that is not part of the repository: answers with human labels, published test
// vectors, and GitHub's description of its API.
package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of the file or folder name in the optional folder of shared test data. That folder is
// FAILPROOF_SHARED, or else `shared` in a parent folder. If the file is missing, Path skips the test.
func Path(t testing.TB, name string) string {
	t.Helper()
	var folders []string
	if named := os.Getenv("FAILPROOF_SHARED"); named != "" {
		folders = append(folders, named)
	} else {
		for parent := ".."; len(parent) < 20; parent = filepath.Join(parent, "..") {
			folders = append(folders, filepath.Join(parent, "shared"))
		}
	}
	for _, folder := range folders {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("the optional folder with %s is not here; FAILPROOF_SHARED can name it", name)
	return ""
}

// Read returns the content of the file name in the folder of shared test data. If the file is missing, it skips the
// test.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
