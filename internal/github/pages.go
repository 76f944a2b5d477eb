package github

import (
	"context"

	"github.com/google/go-github/v60/github"
)

// pages reads a list a hundred at a time, at most so many pages of it; rest is true where there are more.
func pages[T any](most int, read func(github.ListOptions) ([]T, *github.Response, error)) (all []T, rest bool, err error) {
	at := github.ListOptions{PerPage: 100}
	for range most {
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

// checkRuns are those of a commit, earlier attempts' included; name is nil for those of every name.
func checkRuns(ctx context.Context, client *github.Client, e Event, sha string, name *string, most int) ([]*github.CheckRun, bool, error) {
	return pages(most, func(at github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
		options := &github.ListCheckRunsOptions{CheckName: name, Filter: github.String("all"), ListOptions: at}
		page, response, err := client.Checks.ListCheckRunsForRef(ctx, e.Owner, e.Repo, sha, options)
		if err != nil {
			return nil, nil, err
		}
		return page.CheckRuns, response, nil
	})
}
