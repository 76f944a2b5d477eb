package source

import (
	"context"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// Folder opens a folder of the local disk.
func Folder(dir string) (*Tree, error) {
	return openFolder(dir, Revision{Kind: KindFolder, Name: dir})
}

// Resolve returns the SHA of the commit that Git would open, and the same errors.
func Resolve(dir, revision string) (sha string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", fmt.Errorf("resolve revision %q: %w", revision, err)
	}
	commit, err := r.resolve(revision)
	if err != nil {
		return "", fmt.Errorf("resolve revision %q: %w", revision, err)
	}
	return commit.id.String(), nil
}

// GitHub opens a commit on GitHub.
func GitHub(ctx context.Context, client *github.Client, owner, repo, sha string) (*Tree, error) {
	return NewRemote(client, owner, repo).Commit(ctx, sha)
}
