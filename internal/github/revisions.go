package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Revisions are the commits that a run compares, and the commit with the rules.
type Revisions struct {
	Head      string // the judged commit; for a pull request, its merge result
	HeadRef   string // what Head is, such as "a1b2c3d merged into main"; "" if it is the event's own commit
	Base      string // the commit to compare with; "" for none
	BaseName  string // the branch or revision that led to Base; may be ""
	MergeBase bool   // Base is the merge base of BaseName and the head
	Rules     string // the commit with the rules; "": the head's own, because there is no previous commit
	RulesName string // the branch of Rules
}

// Revisions returns the commits that the event compares. If base is not "", it is a branch, a tag or a SHA. The head is
// then compared with the merge base of head and base instead. The event alone decides whose rules apply.
//
//   - A pull request: its merge result, against its base branch.
//   - A merge group: its head, against its base.
//   - A push to the default branch: the commit after the push, against the commit before it, if there was one.
//   - A schedule: the default branch, against nothing.
//   - Any other push, and a manual run: the commit, against its merge base with the default branch. The rules of the
//     default branch today apply.
//
// The error wraps ErrNoMerge if a pull request has no merge result.
func (r *Repository) Revisions(ctx context.Context, base string) (Revisions, error) {
	c, err := r.eventRevisions(ctx)
	if err != nil || base == "" {
		return c, err
	}
	c.BaseName, c.MergeBase = base, true
	c.Base, err = r.mergeBase(ctx, base, c.Head)
	return c, err
}

func (r *Repository) eventRevisions(ctx context.Context) (Revisions, error) {
	switch {
	case r.Name == "pull_request":
		return newPullRequest(r, r.Event, "").mergeResult(ctx)
	case r.Name == "schedule": // of the default branch; compared with nothing
		return Revisions{Head: r.HeadSHA}, nil
	case r.Name == "merge_group", r.Name == "push" && r.HeadRef == r.DefaultBranch:
		return Revisions{Head: r.HeadSHA, Base: r.BaseSHA, BaseName: r.BaseRef, Rules: r.BaseSHA, RulesName: r.BaseRef}, nil
	}
	rules, err := r.Tip(ctx, r.DefaultBranch)
	if err != nil {
		return Revisions{}, err
	}
	c := Revisions{Head: r.HeadSHA, BaseName: r.DefaultBranch, MergeBase: true, Rules: rules, RulesName: r.DefaultBranch}
	c.Base, err = r.mergeBase(ctx, rules, r.HeadSHA)
	return c, err
}

// ErrNoMerge is the error of a pull request without a merge commit. Only a merge is judged.
var ErrNoMerge = errors.New("GitHub has no merge commit")

// mergeTries is the number of reads of a merge commit. The pauses are 2, 4, 8 and then 10 seconds, 54 in total.
// GitHub makes the merge commit when the pull request is read, mostly within seconds.
const mergeTries = 8

// mergeResult finds a merge commit of the pull request's head. It tries refs/pull/N/merge, then the merge commit for
// which the run was started.
func (c *pullRequest) mergeResult(ctx context.Context) (Revisions, error) {
	r := c.repo
	none := func(why string) (Revisions, error) {
		return Revisions{}, fmt.Errorf("%w of pull request #%d and %s: %s", ErrNoMerge, r.Number, oneLine(r.BaseRef), why)
	}
	for try := 0; ; try++ {
		now, err := r.ref(ctx, fmt.Sprintf("pull/%d/merge", r.Number))
		if err != nil && !errors.Is(err, ErrNoRevision) {
			return Revisions{}, describe(err, "read the merge commit of pull request #%d", r.Number)
		}
		for _, sha := range slices.Compact([]string{now, r.RunSHA}) {
			if out, err := c.mergeOf(ctx, sha); err != nil || out.Head != "" {
				return out, err
			}
		}
		pr, _, err := r.client.PullRequests.Get(ctx, r.Owner, r.Repo, r.Number) // makes GitHub create the merge commit
		switch {
		case err != nil:
			return Revisions{}, describe(err, "read pull request #%d", r.Number)
		case pr.GetHead().GetSHA() != r.HeadSHA:
			return none("it has a newer head, " + short(oneLine(pr.GetHead().GetSHA())) +
				", which has a run of its own")
		case pr.GetState() != "open":
			return none("it is closed")
		case pr.Mergeable != nil && !*pr.Mergeable:
			return none("it has a conflict with the branch; resolve it and push, which starts a new run")
		case try == mergeTries-1:
			return none("none was made within a minute; run the job again, with a token that has contents: read")
		}
		if err := r.sleep.wait(ctx, min(2*time.Second<<try, 10*time.Second)); err != nil {
			return Revisions{}, err
		}
	}
}

// mergeOf returns the revisions of a commit if it merges the event's head into the base branch, or else the zero
// Revisions. GitHub keeps an old merge commit for a while after a push, or a change of the base branch.
func (c *pullRequest) mergeOf(ctx context.Context, sha string) (out Revisions, err error) {
	if sha == "" {
		return out, nil
	}
	r := c.repo
	from, err := r.parents(ctx, sha)
	if errors.Is(err, ErrNoRevision) || err == nil && (len(from) != 2 || from[1] != r.HeadSHA) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	tip, err := r.Tip(ctx, r.BaseRef)
	if err != nil {
		return out, err
	}
	if tip != from[0] { // the branch has moved on, or never contained it
		meet, err := r.mergeBase(ctx, from[0], tip)
		if errors.Is(err, ErrNoMergeBase) || err == nil && meet != from[0] {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
	return Revisions{Head: sha, HeadRef: short(r.HeadSHA) + " merged into " + strings.TrimSpace(r.BaseRef),
		Base: from[0], BaseName: r.BaseRef, Rules: from[0], RulesName: r.BaseRef}, nil
}

// ErrNoRevision is the error of a revision that GitHub does not show to this token.
var ErrNoRevision = errors.New("unknown revision")

// ErrNoMergeBase is the error of two revisions without a common ancestor.
var ErrNoMergeBase = errors.New("no common history")

// mergeBase returns the merge base of two revisions, which are SHAs, branches or tags. It finds the head of a fork's
// pull request only by SHA. The error wraps ErrNoRevision if GitHub does not know a revision, and ErrNoMergeBase if
// there is no common ancestor.
func (r *Repository) mergeBase(ctx context.Context, base, head string) (sha string, err error) {
	// Only merge_base_commit is read, so one commit per page keeps the response small.
	options := &github.ListOptions{PerPage: 1}
	comparison, _, err := r.client.Repositories.CompareCommits(ctx, r.Owner, r.Repo, base, head, options)
	switch {
	case err == nil:
		sha, err = commit(comparison.GetMergeBaseCommit().GetSHA())
	case strings.HasPrefix(messageOf(err), "No common ancestor"):
		err = fmt.Errorf("%w: %w", ErrNoMergeBase, WithoutURL(err))
	default:
		err = unknownIf(err, http.StatusNotFound, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return "", fmt.Errorf("merge base of %s and %s: %w", oneLine(base), oneLine(head), err)
	}
	return sha, nil
}
