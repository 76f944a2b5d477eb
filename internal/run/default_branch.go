package run

import (
	"errors"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/source"
)

// defaultBranches are where the default branch is looked for: what the remote calls it, then the usual names.
var defaultBranches = []string{"refs/remotes/origin/HEAD", "main", "master", "origin/main", "origin/master"}

// DefaultBranch names the default branch of the repository that dir lies in.
func DefaultBranch(dir string) (string, error) {
	for _, name := range defaultBranches {
		tree, err := source.Git(dir, name)
		switch {
		case err == nil:
			return name, tree.Close()
		case errors.Is(err, source.ErrNoRepository):
			return "", fault.Inputf("--base has no value, and there is no default branch: this is no git repository; name a folder, or run `git init` and commit")
		}
	}
	return "", fault.Inputf("--base has no value, and there is no default branch: neither origin/HEAD nor main nor master is known here; name a revision or a folder")
}
