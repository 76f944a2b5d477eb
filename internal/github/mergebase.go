package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// ErrNoRevision is a revision that GitHub does not show to this token.
var ErrNoRevision = errors.New("unknown revision")

// ErrNoMergeBase is a pair of revisions whose histories never meet.
var ErrNoMergeBase = errors.New("no common history")

// MergeBase returns the SHA of the merge base of two revisions of a repository: SHAs, branches or tags. The head of a
// pull request from a fork is found by its SHA. The error wraps ErrNoRevision or ErrNoMergeBase where GitHub said so.
func MergeBase(ctx context.Context, client *github.Client, owner, repo, base, head string) (sha string, err error) {
	// Only merge_base_commit is read: one commit a page keeps a comparison of long histories small.
	comparison, _, err := client.Repositories.CompareCommits(ctx, owner, repo, base, head, &github.ListOptions{PerPage: 1})
	if err != nil {
		return "", fmt.Errorf("merge base of %s and %s: %w", oneLine(base), oneLine(head), uncomparable(err))
	}
	sha = comparison.GetMergeBaseCommit().GetSHA()
	if !fullSHA.MatchString(sha) {
		return "", fmt.Errorf("merge base of %s and %s: GitHub named %q, which is no commit", oneLine(base), oneLine(head), oneLine(sha))
	}
	return sha, nil
}

func uncomparable(err error) error {
	switch {
	case strings.HasPrefix(messageOf(err), "No common ancestor"):
		return fmt.Errorf("%w: %w", ErrNoMergeBase, worded(err))
	case statusOf(err) == http.StatusNotFound, statusOf(err) == http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: %w (or the token lacks contents: read)", ErrNoRevision, worded(err))
	}
	return worded(err)
}
