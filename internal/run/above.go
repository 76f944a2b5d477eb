package run

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/source"
)

// ConfigAbove is the nearest folder above dir that holds a configuration, up to the root of the repository; false where dir holds one itself, or none does.
func ConfigAbove(dir string) (string, bool) {
	_, below, err := source.Within(dir)
	if err != nil || below == "." || HasConfig(os.DirFS(dir), "") {
		return "", false
	}
	for range strings.Count(below, "/") + 1 {
		if dir = filepath.Dir(dir); HasConfig(os.DirFS(dir), "") {
			return dir, true
		}
	}
	return "", false
}
