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
	"strings"

	"github.com/google/go-github/v60/github"
)

// Repository is the repository of an event, as the run of a job can read and change it.
type Repository struct {
	client *github.Client
	Event
	Run   Run
	sleep Sleep
}

// NewRepository returns the repository of an event. The function sleep pauses between requests.
func NewRepository(client *github.Client, e Event, run Run, sleep Sleep) *Repository {
	return &Repository{client, e, run, sleep}
}

// With returns the repository of another event.
func (r *Repository) With(e Event) *Repository { return NewRepository(r.client, e, r.Run, r.sleep) }

// Tip returns the commit of a branch. The error wraps ErrNoRevision if there is no such branch.
func (r *Repository) Tip(ctx context.Context, branch string) (sha string, err error) {
	sha, err = r.ref(ctx, "heads/"+branch)
	return sha, describe(err, "read branch %s", oneLine(branch))
}

// ref returns the commit of a ref, given without refs/.
func (r *Repository) ref(ctx context.Context, name string) (sha string, err error) {
	ref, _, err := r.client.Git.GetRef(ctx, r.Owner, r.Repo, name)
	if err != nil {
		return "", unknownIf(err, http.StatusNotFound)
	}
	return commit(ref.GetObject().GetSHA())
}

// unknownIf returns err without its URL. The result wraps ErrNoRevision if the status of err is one of the given
// statuses.
func unknownIf(err error, statuses ...int) error {
	if slices.Contains(statuses, StatusOf(err)) {
		return fmt.Errorf("%w: %w (or the token lacks contents: read)", ErrNoRevision, WithoutURL(err))
	}
	return WithoutURL(err)
}

// commit returns sha, which GitHub named, or an error if it is no commit.
func commit(sha string) (string, error) {
	if !fullSHA.MatchString(sha) {
		return "", fmt.Errorf("GitHub named %q, which is no commit", oneLine(sha))
	}
	return sha, nil
}

// parents returns a commit's parents. The error wraps ErrNoRevision if GitHub does not show the commit.
func (r *Repository) parents(ctx context.Context, sha string) (parents []string, err error) {
	c, _, err := r.client.Git.GetCommit(ctx, r.Owner, r.Repo, sha)
	if err != nil {
		return nil, fmt.Errorf("read commit %s: %w", short(sha),
			unknownIf(err, http.StatusNotFound, http.StatusUnprocessableEntity))
	}
	for _, p := range c.Parents {
		parent, err := commit(p.GetSHA())
		if err != nil {
			return nil, fmt.Errorf("read the parents of commit %s: %w", short(sha), err)
		}
		parents = append(parents, parent)
	}
	return parents, nil
}

// ReadDefaultBranch returns the name of the default branch, from the payload or else from the API.
func (r *Repository) ReadDefaultBranch(ctx context.Context) (string, error) {
	if r.DefaultBranch != "" {
		return r.DefaultBranch, nil
	}
	repo, _, err := r.client.Repositories.Get(ctx, r.Owner, r.Repo)
	if err == nil && repo.GetDefaultBranch() == "" {
		return "", errors.New("GitHub names no default branch")
	}
	return repo.GetDefaultBranch(), describe(err, "read the name of the default branch")
}

// readPages reads a list, which is useful only if complete. A list of more pages than the limit is an error.
func readPages[T any](what string, limit int,
	read func(github.ListOptions) ([]T, *github.Response, error)) (all []T, err error) {
	at := github.ListOptions{PerPage: 100}
	for range limit {
		page, response, err := read(at)
		if err != nil {
			return nil, describe(err, "read the %s", what)
		}
		all = append(all, page...)
		if at.Page = response.NextPage; at.Page == 0 {
			return all, nil
		}
	}
	return nil, fmt.Errorf("there are too many %s to read", what)
}

// maxLanded is the largest number of commits of a merge group or a push. A merge queue takes at most 100 at once.
const maxLanded = 100

// errUnknownPull is the error if the pull requests of some commits are unknown.
var errUnknownPull = errors.New("the pull request of some commits is unknown")

// groupRef matches the end of a merge group's branch name, which has the number of its last pull request.
var groupRef = regexp.MustCompile(`^gh-readonly-queue/.+/pr-([1-9][0-9]{0,8})-[0-9a-f]{40}$`)

// landedPulls returns the pull requests of a merge group, or those that a push to the default branch merged, last one
// first. A merge group's event names only its last one. The second parents of the group's merge commits are the heads
// of the others. landedPulls returns an error if one cannot be found, as in a queue that squashes several.
func (r *Repository) landedPulls(ctx context.Context) (pulls []*github.PullRequest, err error) {
	var last *github.PullRequest
	if r.Name == "merge_group" {
		m := groupRef.FindStringSubmatch(r.HeadRef)
		if m == nil {
			return nil, fmt.Errorf("read the merge group: %w", errUnknownPull)
		}
		number, _ := strconv.Atoi(m[1]) // nine digits fit
		if last, _, err = r.client.PullRequests.Get(ctx, r.Owner, r.Repo, number); err != nil {
			return nil, describe(err, "read pull request #%d of the merge group", number)
		}
		pulls = append(pulls, last)
	}
	for n, at := 0, r.HeadSHA; at != r.BaseSHA; n++ { // along the first parents
		if n == maxLanded {
			return nil, fmt.Errorf("more than %d commits: %w", maxLanded, errUnknownPull)
		}
		from, err := r.parents(ctx, at)
		if err != nil {
			return nil, err
		}
		if len(from) == 0 || len(from) > 2 {
			return nil, errUnknownPull
		}
		second := strings.Join(from[1:], "") // the commit that a merge brings; "" if it is no merge
		// The newest commit is the last pull request's if it is the only one, or if it merges its head.
		if n > 0 || last == nil || from[0] != r.BaseSHA && second != last.GetHead().GetSHA() {
			found, err := r.pullsOf(ctx, at, second)
			if err != nil {
				return nil, err
			}
			pulls = append(pulls, found...)
		}
		at = from[0]
	}
	return pulls, nil
}

// pullsOf returns the pull requests into the event's branch that may have made a commit. second is the commit that it
// merges, or "". pullsOf returns an error if there are none. A push has merged its pull requests, and a merge group has
// the heads of its own.
func (r *Repository) pullsOf(ctx context.Context, sha, second string) ([]*github.PullRequest, error) {
	pushed := r.Name != "merge_group"
	if !pushed {
		sha = cmp.Or(second, sha)
	}
	options := &github.ListOptions{PerPage: 100}
	all, _, err := r.client.PullRequests.ListPullRequestsWithCommit(ctx, r.Owner, r.Repo, sha, options)
	if err != nil {
		return nil, describe(err, "read the pull requests of commit %s", short(sha))
	}
	all = slices.DeleteFunc(all, func(p *github.PullRequest) bool {
		return second != "" && second != p.GetHead().GetSHA() || p.GetBase().GetRef() != r.BaseRef ||
			pushed && p.MergedAt == nil
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
	pulls, err := r.landedPulls(ctx)
	return err != nil || slices.ContainsFunc(pulls, isFork), err
}
