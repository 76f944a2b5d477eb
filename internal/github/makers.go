package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// ErrNobody is the error if nobody can accept a pull request, because its makers are unknown.
var ErrNobody = errors.New("nobody can accept it")

func nobodyError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNobody, fmt.Sprintf(format, args...))
}

const (
	maxOwnCommits = 250 // commits of a pull request, GitHub's own limit
	maxUpdates    = 20  // merges of a pull request that are checked
)

// WhyMayNotAccept returns why somebody may not accept the event's pull request, such as "ada pushed it", or "".
func (r *Repository) WhyMayNotAccept(ctx context.Context, who *github.User) (string, error) {
	return newPullRequest(r, r.Event, "").whyMayNotAccept(ctx, who.GetLogin(), who.GetID())
}

// whyMayNotAccept returns why a person with write permission may not accept a pull request, or "" if the person may.
// People may not accept a pull request that they opened, that has a commit of theirs, or whose head they pushed.
// Accounts are compared by id, because another account can take a login that was given up. The error wraps ErrNobody if
// the pull request's makers are unknown.
func (c *pullRequest) whyMayNotAccept(ctx context.Context, login string, id int64) (why string, err error) {
	if id == c.repo.AuthorID {
		return login + " opened it", nil
	}
	if c.actions == nil {
		if err := c.readMakers(ctx); err != nil {
			return "", err
		}
	}
	if did := c.actions[id]; did != "" {
		return login + " " + did, nil
	}
	return "", nil
}

// IsPerson reports whether an account belongs to a person and not to an App.
func IsPerson(who *github.User) bool { return who.GetType() == "User" && who.GetID() != 0 }

// readMakers reads who wrote, committed and pushed a pull request's changes. A merge that only brings the pull
// request up to date with its base branch does not count.
func (c *pullRequest) readMakers(ctx context.Context) error {
	commits, err := c.ownCommits(ctx)
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, one := range commits {
		own[one.GetSHA()] = true
	}
	if !own[c.repo.HeadSHA] {
		return nobodyError("GitHub does not list its commits")
	}
	actions := map[int64]string{}
	updated := map[string]string{} // by merge: the pull request's commit before it
	looked := 0
	for _, one := range commits {
		if len(one.Parents) == 2 && !own[one.Parents[1].GetSHA()] && looked < maxUpdates {
			looked++
			clean, err := c.isClean(ctx, one.GetSHA(), one.Parents[0].GetSHA(), one.Parents[1].GetSHA())
			if err != nil {
				return err
			}
			if clean {
				updated[one.GetSHA()] = one.Parents[0].GetSHA()
				continue
			}
		}
		for _, who := range []*github.User{one.Author, one.Committer} {
			if who.GetID() == 0 {
				return nobodyError("commit %s has an author or a committer without an account",
					short(one.GetSHA()))
			}
			actions[who.GetID()] = "made commit " + short(one.GetSHA())
		}
	}
	p, err := c.lastPush(ctx, updated)
	if err != nil {
		return err
	}
	actions[p.AccountID] = "pushed it"
	c.pushedBy, c.actions = p.Login, actions
	return nil
}

// ownCommits returns the commits of a pull request that its base branch lacks. It compares two fixed commits, so that
// a push or another base branch cannot change the list meanwhile.
func (c *pullRequest) ownCommits(ctx context.Context) ([]*github.RepositoryCommit, error) {
	r := c.repo
	base, err := r.BaseSHA, error(nil)
	if base == "" {
		base, err = r.Tip(ctx, r.BaseRef)
	}
	if err != nil {
		return nil, err
	}
	total := 0
	all, err := readPages("commits", maxOwnCommits/100+1, func(at github.ListOptions) ([]*github.RepositoryCommit,
		*github.Response, error) {
		both, response, err := r.client.Repositories.CompareCommits(ctx, r.Owner, r.Repo, base, r.HeadSHA, &at)
		if total = both.GetTotalCommits(); err != nil || total > maxOwnCommits {
			return nil, &github.Response{}, err
		}
		return both.Commits, response, nil
	})
	if err == nil && len(all) != total {
		return nil, nobodyError("it has more than %d commits, or GitHub does not list all of them", maxOwnCommits)
	}
	return all, err
}

// isClean reports whether a merge commit adds no change of its own: each file equals the version of the side that
// changed it since the common ancestor. If both sides changed a file differently, the merge is not clean.
func (c *pullRequest) isClean(ctx context.Context, merge, ours, theirs string) (bool, error) {
	before, err := c.repo.mergeBase(ctx, theirs, ours)
	if errors.Is(err, ErrNoMergeBase) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var files [4]map[string]string
	names := map[string]bool{}
	for i, sha := range []string{merge, ours, theirs, before} {
		tree, _, err := c.repo.client.Git.GetTree(ctx, c.repo.Owner, c.repo.Repo, sha, true)
		switch {
		case err != nil:
			return false, describe(err, "read the files of commit %s", short(sha))
		case tree.GetTruncated():
			return false, nil
		}
		files[i] = map[string]string{}
		for _, e := range tree.Entries {
			if e.GetType() != "tree" {
				files[i][e.GetPath()], names[e.GetPath()] = e.GetMode()+" "+e.GetSHA(), true
			}
		}
	}
	for name := range names {
		m, a, b, o := files[0][name], files[1][name], files[2][name], files[3][name]
		if !(m == a && (a == b || b == o) || m == b && a == o) {
			return false, nil
		}
	}
	return true, nil
}

// lastPush returns the push that made the head. It looks at the event, then at the branch's activity, then at the
// opening of the pull request. If a push only merged the base branch into the head, it returns the push before it.
// updated maps each such merge to the pull request's commit before it.
func (c *pullRequest) lastPush(ctx context.Context, updated map[string]string) (Push, error) {
	known, read := []Push{c.repo.Push}, false
	for at := c.repo.HeadSHA; ; {
		i := slices.IndexFunc(known, func(p Push) bool { return p.After == at })
		if (i < 0 || known[i].Before == "") && !read {
			all, err := c.pushes(ctx)
			if err != nil {
				return Push{}, err
			}
			known, read = append(all, known...), true
			continue
		}
		switch {
		case i < 0 || known[i].AccountID == 0 || !isLogin(strings.TrimSuffix(known[i].Login, "[bot]")):
			return Push{}, nobodyError("who pushed commit %s is not known", short(at))
		case known[i].Login == workflowsLogin:
			return Push{}, nobodyError("%s pushed commit %s, on behalf of an unknown person", workflowsLogin, short(at))
		case updated[at] == "" || updated[at] != known[i].Before:
			return known[i], nil
		}
		at = known[i].Before
	}
}

// workflowsLogin is the account of pushes by workflows. Every person with write access can start one.
const workflowsLogin = "github-actions[bot]"

// pushes returns the changes of a pull request's branch, newest first, or none if the token cannot read them.
func (c *pullRequest) pushes(ctx context.Context) (out []Push, err error) {
	if !repositoryName.MatchString(c.repo.HeadRepo) || c.repo.HeadRef == "" {
		return nil, nil
	}
	ref := "refs/heads/" + c.repo.HeadRef
	var all []struct {
		Before string       `json:"before"`
		After  string       `json:"after"`
		Ref    string       `json:"ref"`
		Actor  *github.User `json:"actor"`
	}
	path := fmt.Sprintf("repos/%s/activity?per_page=100&ref=%s", c.repo.HeadRepo, url.QueryEscape(ref))
	_, err = call(ctx, c.repo.client, http.MethodGet, path, nil, &all)
	switch status := StatusOf(err); {
	case status == http.StatusNotFound, status == http.StatusForbidden, status == http.StatusUnprocessableEntity:
		return nil, nil
	case err != nil:
		return nil, describe(err, "read the activity of its branch")
	}
	for _, one := range all {
		if one.Ref == ref {
			out = append(out, Push{one.Before, one.After, one.Actor.GetLogin(), one.Actor.GetID()})
		}
	}
	return out, nil
}
