package github

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// reviewPages bounds how many pages of 100 reviews, or check runs, are read. What lies beyond may be a review that was taken
// back, so then nothing is accepted.
const reviewPages = 10

var (
	errManyReviews = errors.New("it has too many reviews to read")
	errManyChecks  = errors.New("the head has too many check runs to read")
)

// change is a pull request as far as its reviews concern it.
type change struct {
	number int
	head   string // its own head commit
	author int64
}

// changes are the pull requests that the event is about.
func (r *Repository) changes(ctx context.Context) (out []change, err error) {
	e := r.event
	var pulls []*github.PullRequest
	switch e.Name {
	case "pull_request":
		return []change{{e.Number, e.HeadSHA, e.AuthorID}}, nil
	case "merge_group":
		pulls, err = r.GroupPulls(ctx)
	default:
		pulls, err = r.mergedPulls(ctx)
	}
	for _, p := range pulls {
		c := change{p.GetNumber(), p.GetHead().GetSHA(), p.GetUser().GetID()}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out, err
}

// mergedPulls are the pull requests whose merge a push to the default branch is.
func (r *Repository) mergedPulls(ctx context.Context) (pulls []*github.PullRequest, err error) {
	steps, err := r.landed(ctx, r.event.HeadSHA, r.event.BaseSHA)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		found, err := r.pullsOf(ctx, step{sha: s.sha}, func(p *github.PullRequest) bool {
			return p.MergedAt != nil && p.GetBase().GetRef() == r.event.BaseRef && (s.second == "" || s.second == p.GetHead().GetSHA())
		})
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, found...)
	}
	return pulls, nil
}

var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// isLogin reports what GitHub lets users call themselves, those of enterprises included.
func isLogin(name string) bool { return len(name) <= 64 && login.MatchString(name) }

// approvals are the last words of users who approve exactly the head commit, oldest first, but for the author's.
func (r *Repository) approvals(ctx context.Context, c change) (out []word, err error) {
	reviews, err := wholeList("reviews", reviewPages, errManyReviews, func(at github.ListOptions) ([]*github.PullRequestReview, *github.Response, error) {
		return r.client.PullRequests.ListReviews(ctx, r.event.Owner, r.event.Repo, c.number, &at)
	})
	if err != nil {
		return nil, err
	}
	last := map[int64]*github.PullRequestReview{}
	for _, one := range reviews {
		switch one.GetState() {
		case "APPROVED", "CHANGES_REQUESTED", "DISMISSED": // a comment takes nothing back
			id := one.GetUser().GetID()
			if before := last[id]; before == nil || !one.GetSubmittedAt().Before(before.GetSubmittedAt().Time) {
				last[id] = one
			}
		}
	}
	sorted := slices.SortedFunc(maps.Values(last), func(a, b *github.PullRequestReview) int {
		return cmp.Or(a.GetSubmittedAt().Compare(b.GetSubmittedAt().Time), cmp.Compare(a.GetID(), b.GetID()))
	})
	for _, one := range sorted {
		user := one.GetUser()
		if one.GetState() == "APPROVED" && one.GetCommitID() == c.head && user.GetID() != 0 && user.GetID() != c.author &&
			user.GetType() == "User" && isLogin(user.GetLogin()) {
			out = append(out, word{acceptance{kind: review, by: user.GetLogin()}, one.GetSubmittedAt().Time})
		}
	}
	return out, nil
}

// jobPage is the address of a job's check run: that of its page in the run of the workflow.
var jobPage = regexp.MustCompile(`/actions/runs/([0-9]+)/jobs?/[0-9]+$`)

// actionsSlug is the App that jobs run as.
const actionsSlug = "github-actions"

// firstShown is when a pull request's head first bore a result that a reviewer could see: that of the first check run of this mark,
// else of the marks that other workflows have for the same gate. Where there are none, as under the token of a fork's pull
// request, it is when the jobs had failed that could be ours. On a pull request these are the jobs of an earlier attempt of this run:
// what fails beside a first attempt has shown nothing of it. In a merge group and on the branch the runs of the pull request are
// over, and any of them could be meant. Of several the last one counts. It is zero where there was no result.
func (r *Repository) firstShown(ctx context.Context, sha string, mark Mark) (time.Time, error) {
	runs, err := r.checks(ctx, sha)
	if err != nil {
		return time.Time{}, err
	}
	branch, err := r.DefaultBranch(ctx)
	if err != nil {
		return time.Time{}, err
	}
	name := CheckName(Event{Name: "pull_request", BaseRef: r.event.BaseRef}, branch, mark.Part, false)
	own := mark.key(r.event.Owner, r.event.Repo)
	gates := earliest(runs, func(c *github.CheckRun) string {
		key, ours := strings.CutPrefix(c.GetExternalID(), externalPrefix)
		if !ours || c.GetName() != name { // another branch's rules are no result of these
			return ""
		}
		key, _, _ = strings.Cut(key, "/")
		return key
	})
	if at, is := gates[own]; is {
		return at, nil
	}
	landing := r.event.Name != "pull_request"
	jobs := earliest(runs, func(c *github.CheckRun) string {
		m := jobPage.FindStringSubmatch(c.GetDetailsURL())
		if m == nil || c.GetApp().GetSlug() != actionsSlug || c.GetConclusion() != string(Failure) || !landing && (!r.again || m[1] != r.run) {
			return ""
		}
		return c.GetName()
	})
	return cmp.Or(latest(gates), latest(jobs)), nil
}

// checks are all check runs of a commit.
func (r *Repository) checks(ctx context.Context, sha string) ([]*github.CheckRun, error) {
	return wholeList("check runs of commit "+short(sha), reviewPages, errManyChecks, checkRuns(ctx, r.client, r.event, sha, nil))
}

func latest(times map[string]time.Time) (last time.Time) {
	for _, at := range times {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// earliest is when the first check run of each kind was completed. kind is "" for those that do not count.
func earliest(runs []*github.CheckRun, kind func(*github.CheckRun) string) map[string]time.Time {
	out := map[string]time.Time{}
	for _, c := range runs {
		at, name := c.GetCompletedAt().Time, kind(c)
		if name == "" || at.IsZero() {
			continue
		}
		if before, is := out[name]; !is || at.Before(before) {
			out[name] = at
		}
	}
	return out
}
