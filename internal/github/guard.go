package github

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Guard is what a branch requires before a merge, as visible to a token.
type Guard struct {
	Branch     string
	Required   []RequiredCheck
	CodeOwners bool // an owner's review is required
	MergeQueue bool
	// Partial says why the token may not see all required reviews; "" if it sees all.
	Partial string
}

// RequiredCheck is a status check that must pass before a merge.
type RequiredCheck struct {
	Name string
	App  int64 // the only app that may set it; 0: any
}

// ReadGuard reads the rulesets and the older protection of the default branch. Every reader of the repository can see
// the rulesets. Only administrators can see all of the older protection.
func ReadGuard(ctx context.Context, client *github.Client, owner, repo string) (*Guard, error) {
	r := NewRepository(client, Event{Owner: owner, Repo: repo}, Run{}, nil)
	branch, err := r.ReadDefaultBranch(ctx)
	if err != nil {
		return nil, err
	}
	g := &Guard{Branch: branch}
	if err := g.readRules(ctx, r); err != nil {
		return nil, err
	}
	if err := g.readProtection(ctx, r); err != nil {
		return nil, describe(err, "read the protection of branch %s", oneLine(branch))
	}
	return g, nil
}

// rule is a rule of a ruleset.
type rule struct {
	Type       string          `json:"type"`
	Parameters json.RawMessage `json:"parameters"`
}

// readRules reads the active rules of all rulesets. It skips unknown kinds, which the client's own method rejects.
func (g *Guard) readRules(ctx context.Context, r *Repository) error {
	rules, err := readPages("rules of branch "+oneLine(g.Branch), 10, func(at github.ListOptions) (page []rule,
		response *github.Response, err error) {
		response, err = call(ctx, r.client, http.MethodGet, fmt.Sprintf("repos/%s/%s/rules/branches/%s?per_page=100&page=%d",
			r.Owner, r.Repo, url.PathEscape(g.Branch), max(at.Page, 1)), nil, &page)
		return page, response, err
	})
	for _, one := range rules {
		var p struct {
			Checks []struct {
				Context string `json:"context"`
				App     int64  `json:"integration_id"`
			} `json:"required_status_checks"`
			Owners bool `json:"require_code_owner_review"`
		}
		switch one.Type {
		case "merge_queue":
			g.MergeQueue = true
		case "required_status_checks", "pull_request":
			err = cmp.Or(err, json.Unmarshal(one.Parameters, &p))
		}
		for _, c := range p.Checks {
			g.require(RequiredCheck{c.Context, c.App})
		}
		g.CodeOwners = g.CodeOwners || p.Owners
	}
	return err
}

func (g *Guard) require(c RequiredCheck) {
	if !slices.Contains(g.Required, c) {
		g.Required = append(g.Required, c)
	}
}

// readProtection reads the older kind of branch protection, from before rulesets.
func (g *Guard) readProtection(ctx context.Context, r *Repository) error {
	var branch struct {
		Protection struct {
			Enabled bool                         `json:"enabled"`
			Checks  *github.RequiredStatusChecks `json:"required_status_checks"`
		} `json:"protection"`
	}
	path := fmt.Sprintf("repos/%s/%s/branches/%s", r.Owner, r.Repo, url.PathEscape(g.Branch))
	_, err := call(ctx, r.client, http.MethodGet, path, nil, &branch)
	if err != nil || !branch.Protection.Enabled {
		return err
	}
	whole, _, err := r.client.Repositories.GetBranchProtection(ctx, r.Owner, r.Repo, g.Branch)
	switch status := StatusOf(err); {
	case status == http.StatusNotFound, status == http.StatusForbidden, errors.Is(err, github.ErrBranchNotProtected):
		g.requireAll(branch.Protection.Checks)
		g.Partial = "the branch is protected, and only an administrator's token sees whose reviews that requires"
		return nil
	case err != nil:
		return err
	}
	g.requireAll(whole.RequiredStatusChecks)
	reviews := whole.RequiredPullRequestReviews
	g.CodeOwners = g.CodeOwners || reviews != nil && reviews.RequireCodeOwnerReviews
	return nil
}

// requireAll adds the checks of the older protection. An app id of -1 means any app.
func (g *Guard) requireAll(r *github.RequiredStatusChecks) {
	switch {
	case r != nil && r.Checks != nil:
		for _, c := range *r.Checks {
			g.require(RequiredCheck{c.Context, max(c.GetAppID(), 0)})
		}
	case r != nil && r.Contexts != nil: // of an older GitHub Enterprise Server
		for _, name := range *r.Contexts {
			g.require(RequiredCheck{Name: name})
		}
	}
}

// call makes a request for which client has no method.
func call(ctx context.Context, client *github.Client, method, path string, body, into any) (*github.Response, error) {
	request, err := client.NewRequest(method, path, body)
	if err != nil {
		return nil, err
	}
	return client.Do(ctx, request, into)
}

// GuardQuery is the repository to read and the way to reach GitHub.
type GuardQuery struct {
	Name      string                             // OWNER/NAME; "": GITHUB_REPOSITORY or the remote origin
	Origin    func() (address string, err error) // returns the address of the remote origin
	Getenv    func(string) string                // for GitHub's addresses and the token, GITHUB_TOKEN or GH_TOKEN
	UserAgent string                             // name/version
	Sleep     Sleep
}

// FindGuard reads what the default branch requires. If that cannot be read, the error says why.
func FindGuard(ctx context.Context, q GuardQuery) (*Guard, error) {
	name, err := q.name()
	if err != nil {
		return nil, err
	}
	client, err := NewClient(Options{BaseURL: cmp.Or(q.Getenv("GITHUB_API_URL"), "https://api.github.com"),
		Token: cmp.Or(q.Getenv("GITHUB_TOKEN"), q.Getenv("GH_TOKEN")), UserAgent: q.UserAgent, Sleep: q.Sleep})
	if err != nil {
		return nil, err
	}
	owner, repo, _ := strings.Cut(name, "/")
	return ReadGuard(ctx, client, owner, repo)
}

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// name returns OWNER/NAME of the repository.
func (q GuardQuery) name() (string, error) {
	if name := cmp.Or(q.Name, q.Getenv("GITHUB_REPOSITORY")); name != "" {
		if !repositoryName.MatchString(name) {
			return "", fmt.Errorf("%q is no OWNER/NAME", name)
		}
		return name, nil
	}
	host := strings.TrimPrefix(cmp.Or(q.Getenv("GITHUB_SERVER_URL"), "https://github.com"), "https://")
	origin, err := q.Origin()
	if err != nil {
		return "", err
	}
	name := repositoryAt(origin, host)
	if name == "" {
		return "", fmt.Errorf("the remote origin is not a repository on %s; name one with --repository", host)
	}
	return name, nil
}

// repositoryAt returns OWNER/NAME from a remote's address on a host, or "" for any other address.
func repositoryAt(address, host string) string {
	form := regexp.MustCompile(`^(?:https?://(?:[^/]*@)?|git://|(?:ssh://)?git@)` + regexp.QuoteMeta(host) +
		`[:/]+([^/]+/[^/]+?)(?:\.git)?/*$`)
	if m := form.FindStringSubmatch(address); m != nil && repositoryName.MatchString(m[1]) {
		return m[1]
	}
	return ""
}
