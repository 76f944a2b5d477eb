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

// makers are who made a pull request's head what it is.
type makers struct {
	pushed string           // the login of who pushed it
	did    map[int64]string // by account: what they did, as "pushed it"
}

// ErrNobody says that nobody accepts a pull request, because who made it cannot be told.
var ErrNobody = errors.New("nobody can accept it")

func nobody(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNobody, fmt.Sprintf(format, args...))
}

const (
	maxOwn     = 250 // commits of a pull request; GitHub itself lists no more
	maxUpdates = 20  // merges of a pull request that are looked into
)

// WhyNot says why the author of a comment does not accept a pull request, as "ada pushed it"; "" where they do if they may write.
func (r *Repository) WhyNot(ctx context.Context, pull Event, c Comment) (string, error) {
	pull.BaseSHA = ""
	return r.whyNot(ctx, &change{Event: pull}, c.Author, c.AuthorID)
}

// whyNot says why somebody who may write does not accept a pull request: they opened it, wrote or committed some of it, or pushed its head; ""
// where they do. It alone decides that. Accounts are compared by their ids, since anybody may take a login that another gave up. The error is
// ErrNobody where who made it is not known.
func (r *Repository) whyNot(ctx context.Context, c *change, login string, id int64) (why string, err error) {
	if id == c.AuthorID {
		return login + " opened it", nil
	}
	if c.makers == nil {
		if c.makers, err = r.makersOf(ctx, c.Event); err != nil {
			return "", err
		}
	}
	if did := c.makers.did[id]; did != "" {
		return login + " " + did, nil
	}
	return "", nil
}

// isPerson reports an account that is no App's.
func isPerson(who *github.User) bool { return who.GetType() == "User" && who.GetID() != 0 }

// makersOf reads who wrote, committed and pushed what a pull request brings. Merges that only bring its base branch into it are nobody's.
func (r *Repository) makersOf(ctx context.Context, pull Event) (*makers, error) {
	base, err := pull.BaseSHA, error(nil)
	if base == "" {
		if base, err = r.Tip(ctx, pull.BaseRef); err != nil {
			return nil, err
		}
	}
	commits, err := r.ownCommits(ctx, base, pull.HeadSHA)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, c := range commits {
		own[c.GetSHA()] = true
	}
	if !own[pull.HeadSHA] {
		return nil, nobody("GitHub does not list its commits")
	}
	m := &makers{did: map[int64]string{}}
	updated := map[string]string{} // by the merge: what the pull request was before it
	looked := 0
	for _, c := range commits {
		if len(c.Parents) == 2 && !own[c.Parents[1].GetSHA()] && looked < maxUpdates {
			looked++
			clean, err := r.isClean(ctx, c.GetSHA(), c.Parents[0].GetSHA(), c.Parents[1].GetSHA())
			if err != nil {
				return nil, err
			}
			if clean {
				updated[c.GetSHA()] = c.Parents[0].GetSHA()
				continue
			}
		}
		for _, who := range []*github.User{c.Author, c.Committer} {
			if who.GetID() == 0 {
				return nil, nobody("commit %s has an author or a committer without an account", short(c.GetSHA()))
			}
			m.did[who.GetID()] = "made commit " + short(c.GetSHA())
		}
	}
	p, err := r.lastPush(ctx, pull, updated)
	if err != nil {
		return nil, err
	}
	m.pushed, m.did[p.ByID] = p.By, "pushed it"
	return m, nil
}

// ownCommits returns the commits that a pull request has and its base branch does not. It compares two fixed commits,
// so that a push or another base branch cannot change the list meanwhile.
func (r *Repository) ownCommits(ctx context.Context, base, head string) ([]*github.RepositoryCommit, error) {
	total := 0
	all, rest, err := pages(maxOwn/100+1, func(at github.ListOptions) ([]*github.RepositoryCommit,
		*github.Response, error) {
		c, response, err := r.client.Repositories.CompareCommits(ctx, r.event.Owner, r.event.Repo, base, head, &at)
		total = c.GetTotalCommits()
		if err != nil {
			return nil, nil, err
		}
		return c.Commits, response, nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read its commits: %w", worded(err))
	case rest || len(all) != total || total > maxOwn:
		return nil, nobody("it has more than %d commits, or GitHub does not list all of them", maxOwn)
	}
	return all, nil
}

// isClean reports whether a merge commit changes nothing by itself: each file is as the side has it that changed it since both sides had it
// in common. A file that both changed is somebody's work, whoever joined them.
func (r *Repository) isClean(ctx context.Context, merge, ours, theirs string) (bool, error) {
	before, err := MergeBase(ctx, r.client, r.event.Owner, r.event.Repo, theirs, ours)
	if errors.Is(err, ErrNoMergeBase) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var files [4]map[string]string
	names := map[string]bool{}
	for i, sha := range []string{merge, ours, theirs, before} {
		tree, _, err := r.client.Git.GetTree(ctx, r.event.Owner, r.event.Repo, sha, true)
		switch {
		case err != nil:
			return false, fmt.Errorf("read the files of commit %s: %w", short(sha), worded(err))
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

// lastPush is the push that made the head what it is: the event's own where it tells of that push, else the newest that the branch's
// activity has of it, else whoever opened the pull request with that head. Who only had the base branch brought into it made nothing; the push before that counts.
func (r *Repository) lastPush(ctx context.Context, pull Event, updated map[string]string) (Push, error) {
	known, read := []Push{pull.Push}, false
	for at := pull.HeadSHA; ; {
		i := slices.IndexFunc(known, func(p Push) bool { return p.After == at })
		if (i < 0 || known[i].Before == "") && !read {
			all, err := r.pushes(ctx, pull)
			if err != nil {
				return Push{}, err
			}
			known, read = append(all, known...), true
			continue
		}
		switch {
		case i < 0 || known[i].ByID == 0 || !isLogin(strings.TrimSuffix(known[i].By, "[bot]")):
			return Push{}, nobody("who pushed commit %s is not known", short(at))
		case known[i].By == workflowsLogin:
			return Push{}, nobody("%s pushed commit %s, on behalf of an unknown person", workflowsLogin, short(at))
		case updated[at] == "" || updated[at] != known[i].Before:
			return known[i], nil
		}
		at = known[i].Before
	}
}

// workflowsLogin is whom workflows push as. Everybody who may write can start one.
const workflowsLogin = "github-actions[bot]"

// pushes are the newest changes of a pull request's branch, newest first. A branch whose activity the token does not see has none.
func (r *Repository) pushes(ctx context.Context, pull Event) (out []Push, err error) {
	if !repositoryName.MatchString(pull.HeadRepo) || pull.HeadRef == "" {
		return nil, nil
	}
	ref := "refs/heads/" + pull.HeadRef
	var all []struct {
		Before string       `json:"before"`
		After  string       `json:"after"`
		Ref    string       `json:"ref"`
		Actor  *github.User `json:"actor"`
	}
	_, err = get(ctx, r.client, fmt.Sprintf("repos/%s/activity?per_page=100&ref=%s", pull.HeadRepo,
		url.QueryEscape(ref)), &all)
	switch status := statusOf(err); {
	case !limited(err) && (status == http.StatusNotFound || status == http.StatusForbidden ||
		status == http.StatusUnprocessableEntity):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the activity of its branch: %w", worded(err))
	}
	for _, one := range all {
		if one.Ref == ref {
			out = append(out, newPush(one.Before, one.After, one.Actor))
		}
	}
	return out, nil
}
