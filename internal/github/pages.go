package github

import (
	"context"
	"fmt"

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

// wholeList is a list that is of use only as a whole; tooMany is the error where it has more pages than are read.
func wholeList[T any](what string, most int, tooMany error, read func(github.ListOptions) ([]T, *github.Response, error)) ([]T, error) {
	all, rest, err := pages(most, read)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the %s: %w", what, worded(err))
	case rest:
		return nil, tooMany
	}
	return all, nil
}

// checkRuns reads those of a commit, earlier attempts' included; name is nil for those of every name.
func checkRuns(ctx context.Context, client *github.Client, e Event, sha string, name *string) func(github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
	return func(at github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
		options := &github.ListCheckRunsOptions{CheckName: name, Filter: github.String("all"), ListOptions: at}
		page, response, err := client.Checks.ListCheckRunsForRef(ctx, e.Owner, e.Repo, sha, options)
		if err != nil {
			return nil, nil, err
		}
		return page.CheckRuns, response, nil
	}
}
