package run

import (
	"errors"
	"slices"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/source"
)

// DefaultBranch names the default branch of the repository that dir lies in: what the remote calls it, else the one branch of the usual
// names that the remote has, else one that is here. Where the remote has two, whoever may push made one of them, and it takes a person
// to tell which.
func DefaultBranch(dir string) (string, error) {
	const none = "--base has no value, and there is no default branch: "
	remote, err := branches(dir, "refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master")
	if err != nil {
		return "", fault.Inputf(none + "this is no git repository; name a folder, or run `git init` and commit")
	}
	if len(remote) == 2 && remote[0] != "refs/remotes/origin/HEAD" {
		return "", fault.Inputf("--base has no value, and origin has both main and master: name one of them, or run `git remote set-head origin --auto`")
	}
	local, _ := branches(dir, "refs/heads/main", "refs/heads/master") // it is a repository
	if all := slices.Concat(remote, local); len(all) > 0 {
		return all[0], nil
	}
	return "", fault.Inputf(none + "neither origin/HEAD nor main nor master is known here; name a revision or a folder")
}

// branches are those of the references that are there. Its error is source.ErrNoRepository.
func branches(dir string, names ...string) (found []string, err error) {
	for _, name := range names {
		tree, err := source.Git(dir, name)
		switch {
		case err == nil:
			found = append(found, name)
			_ = tree.Close() // of a commit, which holds nothing open
		case errors.Is(err, source.ErrNoRepository):
			return nil, err
		}
	}
	return found, nil
}
