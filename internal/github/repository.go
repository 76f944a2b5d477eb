package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/google/go-github/v60/github"
)

// Repository reads facts about the repository before a run judges and publishes.
type Repository struct {
	client  *github.Client
	event   Event
	run     string // id of this run
	isRerun bool   // not the run's first attempt
	sleep   Sleep
}

// NewRepository returns the repository of an event. The function wait pauses between requests.
func NewRepository(client *github.Client, e Event, run Run, wait Sleep) *Repository {
	return &Repository{client: client, event: e, run: strconv.FormatInt(run.ID, 10),
		isRerun: run.Attempt > 1, sleep: wait}
}

// Tip returns the commit of a branch. The error wraps ErrNoRevision if there is no such branch.
func (r *Repository) Tip(ctx context.Context, branch string) (sha string, err error) {
	sha, err = r.ref(ctx, "heads/"+branch)
	if err != nil {
		return "", fmt.Errorf("read branch %s: %w", oneLine(branch), err)
	}
	return sha, nil
}

// ref returns the commit of a ref, given without refs/.
func (r *Repository) ref(ctx context.Context, name string) (sha string, err error) {
	ref, _, err := r.client.Git.GetRef(ctx, r.event.Owner, r.event.Repo, name)
	switch {
	case StatusOf(err) == http.StatusNotFound:
		return "", fmt.Errorf("%w: %w", ErrNoRevision, WithoutURL(err))
	case err != nil:
		return "", WithoutURL(err)
	}
	if sha = ref.GetObject().GetSHA(); !fullSHA.MatchString(sha) {
		return "", fmt.Errorf("GitHub named %q, which is no commit", oneLine(sha))
	}
	return sha, nil
}

// parents returns a commit's parents. The error wraps ErrNoRevision if GitHub does not show the commit.
func (r *Repository) parents(ctx context.Context, sha string) (parents []string, err error) {
	c, _, err := r.client.Git.GetCommit(ctx, r.event.Owner, r.event.Repo, sha)
	switch status := StatusOf(err); {
	case status == http.StatusNotFound || status == http.StatusUnprocessableEntity:
		return nil, fmt.Errorf("commit %s: %w: %w", short(sha), ErrNoRevision, WithoutURL(err))
	case err != nil:
		return nil, fmt.Errorf("read commit %s: %w", short(sha), WithoutURL(err))
	}
	for _, p := range c.Parents {
		if !fullSHA.MatchString(p.GetSHA()) {
			return nil, fmt.Errorf("read commit %s: GitHub named the parent %q, which is no commit",
				short(sha), oneLine(p.GetSHA()))
		}
		parents = append(parents, p.GetSHA())
	}
	return parents, nil
}

// branchContains reports whether a branch contains the commit sha.
func (r *Repository) branchContains(ctx context.Context, sha, branch string) (bool, error) {
	tip, err := r.Tip(ctx, branch)
	if err != nil || tip == sha {
		return err == nil, err
	}
	meet, err := MergeBase(ctx, r.client, r.event.Owner, r.event.Repo, sha, tip)
	if errors.Is(err, ErrNoMergeBase) {
		return false, nil
	}
	return meet == sha, err
}

// DefaultBranch returns the name of the default branch, from the payload or else from the API.
func (r *Repository) DefaultBranch(ctx context.Context) (string, error) {
	if r.event.DefaultBranch != "" {
		return r.event.DefaultBranch, nil
	}
	repo, _, err := r.client.Repositories.Get(ctx, r.event.Owner, r.event.Repo)
	if err != nil {
		return "", fmt.Errorf("read the name of the default branch: %w", WithoutURL(err))
	}
	if repo.GetDefaultBranch() == "" {
		return "", errors.New("GitHub names no default branch")
	}
	return repo.GetDefaultBranch(), nil
}

// readPages reads at most limit pages of a list, of up to a hundred elements. more reports whether there are more.
func readPages[T any](limit int, read func(github.ListOptions) ([]T, *github.Response,
	error)) (all []T, more bool, err error) {
	at := github.ListOptions{PerPage: 100}
	for range limit {
		page, response, err := read(at)
		if err != nil {
			return nil, false, err
		}
		all = append(all, page...)
		if at.Page = response.NextPage; at.Page == 0 {
			return all, false, nil
		}
	}
	return all, true, nil
}

// readAllPages reads a list that is useful only if complete. A list of more pages than the limit is an error.
func readAllPages[T any](what string, limit int,
	read func(github.ListOptions) ([]T, *github.Response, error)) ([]T, error) {
	all, rest, err := readPages(limit, read)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the %s: %w", what, WithoutURL(err))
	case rest:
		return nil, fmt.Errorf("there are too many %s to read", what)
	}
	return all, nil
}

// checkRuns returns a function that reads a page of the check runs of a commit, those of earlier attempts included. If
// name is nil, it reads check runs of any name.
func checkRuns(ctx context.Context, client *github.Client, e Event, sha string,
	name *string) func(github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
	return func(at github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
		options := &github.ListCheckRunsOptions{CheckName: name, Filter: github.String("all"), ListOptions: at}
		page, response, err := client.Checks.ListCheckRunsForRef(ctx, e.Owner, e.Repo, sha, options)
		if err != nil {
			return nil, nil, err
		}
		return page.CheckRuns, response, nil
	}
}

// maxLanded is the largest number of commits of a merge group or a push. A merge queue takes at most 100 at once.
const maxLanded = 100

// errUnknownPull is the error if the pull requests of some commits are unknown.
var errUnknownPull = errors.New("the pull request of some commits is unknown")

// groupRef matches the end of a merge group's branch name, which has the number of its last pull request.
var groupRef = regexp.MustCompile(`^gh-readonly-queue/.+/pr-([1-9][0-9]{0,8})-[0-9a-f]{40}$`)

// groupPulls returns the pull requests of a merge group, last one first. The event names only the last one. The second
// parents of the group's merge commits are the heads of the others. groupPulls returns an error if one cannot be found,
// as in a queue that squashes several.
func (r *Repository) groupPulls(ctx context.Context) ([]*github.PullRequest, error) {
	m := groupRef.FindStringSubmatch(r.event.HeadRef)
	if m == nil {
		return nil, fmt.Errorf("read the merge group: %w", errUnknownPull)
	}
	number, _ := strconv.Atoi(m[1]) // nine digits fit
	last, _, err := r.client.PullRequests.Get(ctx, r.event.Owner, r.event.Repo, number)
	if err != nil {
		return nil, fmt.Errorf("read pull request #%d of the merge group: %w", number, WithoutURL(err))
	}
	steps, err := r.firstParentCommits(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the merge group: %w", err)
	}
	pulls := []*github.PullRequest{last}
	for i, s := range steps {
		if i == 0 && (len(steps) == 1 || s.second == last.GetHead().GetSHA()) {
			continue // the only commit is the last pull request's, or merges its head
		}
		found, err := r.pullsOf(ctx, s, cmp.Or(s.second, s.sha), func(*github.PullRequest) bool { return true })
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, found...)
	}
	return pulls, nil
}

// step is a commit on a branch's first-parent line. If it is a merge, second is its second parent.
type step struct{ sha, second string }

// firstParentCommits returns the commits on the first-parent line from the event's head back to its base, newest first.
func (r *Repository) firstParentCommits(ctx context.Context) (steps []step, err error) {
	for at := r.event.HeadSHA; at != r.event.BaseSHA; {
		if len(steps) == maxLanded {
			return nil, fmt.Errorf("more than %d commits: %w", maxLanded, errUnknownPull)
		}
		from, err := r.parents(ctx, at)
		if err != nil {
			return nil, err
		}
		s := step{sha: at}
		switch len(from) {
		case 2:
			s.second = from[1]
		case 1:
		default:
			return nil, errUnknownPull
		}
		steps = append(steps, s)
		at = from[0]
	}
	return steps, nil
}

// pullsOf returns the pull requests that may have made a step, have the commit sha and are accepted by the function
// wanted. It returns an error if there are none.
func (r *Repository) pullsOf(ctx context.Context, s step, sha string,
	wanted func(*github.PullRequest) bool) ([]*github.PullRequest, error) {
	options := &github.ListOptions{PerPage: 100}
	all, _, err := r.client.PullRequests.ListPullRequestsWithCommit(ctx, r.event.Owner, r.event.Repo, sha, options)
	if err != nil {
		return nil, fmt.Errorf("read the pull requests of commit %s: %w", short(sha), WithoutURL(err))
	}
	all = slices.DeleteFunc(all, func(p *github.PullRequest) bool {
		return s.second != "" && s.second != p.GetHead().GetSHA() || !wanted(p)
	})
	if len(all) == 0 {
		return nil, fmt.Errorf("commit %s: %w", short(sha), errUnknownPull)
	}
	return all, nil
}

// isFork reports whether a pull request's head is in another repository, or in a deleted one.
func isFork(p *github.PullRequest) bool {
	base, head := p.GetBase().GetRepo(), p.GetHead().GetRepo()
	return head == nil || head.GetID() == 0 || head.GetID() != base.GetID()
}

// GroupFork reports whether a merge group is treated like a fork's pull request. This is so if one of its pull requests
// is from a fork. It is also so if its pull requests are unknown, and the error then says why.
func (r *Repository) GroupFork(ctx context.Context) (ok bool, why error) {
	pulls, err := r.groupPulls(ctx)
	if err != nil {
		return true, err
	}
	return slices.ContainsFunc(pulls, isFork), nil
}
