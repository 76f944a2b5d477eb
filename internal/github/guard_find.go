package github

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
)

// GuardQuery says of which repository the guard is looked up, and how GitHub is asked.
type GuardQuery struct {
	Name      string                             // OWNER/NAME; "" for GITHUB_REPOSITORY, else the remote origin
	Origin    func() (address string, err error) // of the remote origin
	Getenv    func(string) string                // GitHub's addresses; GITHUB_TOKEN, else GH_TOKEN, is the token
	UserAgent string                             // name/version
	Sleep     Sleep
}

// FindGuard asks GitHub what the default branch requires. Its error says why that is not known.
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
	guard, err := ReadGuard(ctx, client, owner, repo)
	if err != nil {
		return nil, err
	}
	return &guard, nil
}

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// name is OWNER/NAME of the repository.
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

// repositoryAt returns OWNER/NAME of a remote's address on a host, "" for any other address.
func repositoryAt(address, host string) string {
	for _, form := range []string{"https://", "ssh://git@", "git@", "git://", "http://"} {
		rest, is := strings.CutPrefix(address, form)
		if !is {
			continue
		}
		if _, after, found := strings.Cut(rest, "@"); found && strings.HasPrefix(form, "http") {
			rest = after // whoever's credentials these are, they are not looked at
		}
		rest, is = strings.CutPrefix(rest, host)
		is = is && strings.IndexAny(rest, "/:") == 0
		if name := strings.TrimSuffix(strings.Trim(rest, "/:"), ".git"); is && repositoryName.MatchString(name) {
			return name
		}
	}
	return ""
}
