package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/google/go-github/v60/github"
)

// maxLanded bounds how many commits of a merge group or a push are looked into. A merge queue takes at most 100 pull requests at
// once.
const maxLanded = 100

// errUntold ends a search for pull requests: what the commits came from is not known.
var errUntold = errors.New("not every commit can be told to belong to a pull request")

// groupRef ends the name of a merge group's branch; the number is that of its last pull request.
var groupRef = regexp.MustCompile(`^gh-readonly-queue/.+/pr-([1-9][0-9]{0,8})-[0-9a-f]{40}$`)

// GroupPulls are the pull requests of a merge group, the last one first. The event names the last alone. Those of the others are
// found by the commits: a merge has the head of its pull request for second parent. The error says that GitHub did not answer,
// or that one of them could not be told, as where a queue squashes several.
func (r *Repository) GroupPulls(ctx context.Context) ([]*github.PullRequest, error) {
	m := groupRef.FindStringSubmatch(r.event.HeadRef)
	if m == nil {
		return nil, fmt.Errorf("read the merge group: %w", errUntold)
	}
	number, _ := strconv.Atoi(m[1]) // nine digits fit
	last, _, err := r.client.PullRequests.Get(ctx, r.event.Owner, r.event.Repo, number)
	if err != nil {
		return nil, fmt.Errorf("read pull request #%d of the merge group: %w", number, worded(err))
	}
	steps, err := r.landed(ctx, r.event.HeadSHA, r.event.BaseSHA)
	if err != nil {
		return nil, fmt.Errorf("read the merge group: %w", err)
	}
	pulls := []*github.PullRequest{last}
	for i, s := range steps {
		if i == 0 && (len(steps) == 1 || s.second == last.GetHead().GetSHA()) {
			continue // the only commit is the last pull request's, and a merge of its head is too
		}
		found, err := r.pullsOf(ctx, s, func(p *github.PullRequest) bool { return s.second == "" || p.GetHead().GetSHA() == s.second })
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, found...)
	}
	return pulls, nil
}

// step is one commit of a branch's own line: sha, and of a merge the commit that it took in.
type step struct{ sha, second string }

// landed follows a branch's own line, by first parents, from a commit down to one before it.
func (r *Repository) landed(ctx context.Context, head, base string) (steps []step, err error) {
	for at := head; at != base; {
		if len(steps) == maxLanded {
			return nil, fmt.Errorf("more than %d commits: %w", maxLanded, errUntold)
		}
		parents, err := r.parents(ctx, at)
		if err != nil {
			return nil, err
		}
		s := step{sha: at}
		switch len(parents) {
		case 2:
			s.second = parents[1]
		case 1:
		default:
			return nil, errUntold
		}
		steps = append(steps, s)
		at = parents[0]
	}
	return steps, nil
}

// pullsOf lists the pull requests that a commit belongs to, as far as they are wanted. None is an error.
func (r *Repository) pullsOf(ctx context.Context, s step, wanted func(*github.PullRequest) bool) (out []*github.PullRequest, err error) {
	sha := cmp.Or(s.second, s.sha)
	options := &github.ListOptions{PerPage: 100}
	all, _, err := r.client.PullRequests.ListPullRequestsWithCommit(ctx, r.event.Owner, r.event.Repo, sha, options)
	if err != nil {
		return nil, fmt.Errorf("read the pull requests of commit %s: %w", short(sha), worded(err))
	}
	for _, p := range all {
		if wanted(p) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("commit %s: %w", short(sha), errUntold)
	}
	return out, nil
}

// fork tells that a pull request's head is in another repository, or in one that was deleted.
func fork(p *github.PullRequest) bool {
	base, head := p.GetBase().GetRepo(), p.GetHead().GetRepo()
	return head == nil || head.GetID() == 0 || head.GetID() != base.GetID()
}

// GroupFork tells whether a merge group is a fork's: one of its pull requests is, or they cannot be told. why says the latter.
func (r *Repository) GroupFork(ctx context.Context) (is bool, why error) {
	pulls, err := r.GroupPulls(ctx)
	if err != nil {
		return true, err
	}
	return slices.ContainsFunc(pulls, fork), nil
}
