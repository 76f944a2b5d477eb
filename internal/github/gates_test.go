package github

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-github/v60/github"
)

func TestTheFailedGatesOfAHead(t *testing.T) {
	check := func(id int64, name, external, app, conclusion string, run int) *github.CheckRun {
		page := ""
		if run > 0 {
			page = fmt.Sprintf("https://github.com/o/r/actions/runs/%d/job/5", run)
		}
		return &github.CheckRun{ID: &id, Name: &name, ExternalID: &external, App: &github.App{Slug: &app}, Conclusion: &conclusion, DetailsURL: &page}
	}
	ours := func(id int64, name, conclusion string, run int) *github.CheckRun {
		return check(id, name, externalPrefix+"key/1", "github-actions", conclusion, run)
	}
	job := func(conclusion string, run int) *github.CheckRun {
		return check(9, "gate", "", "github-actions", conclusion, run)
	}
	for rule, c := range map[string]struct {
		checks []*github.CheckRun
		want   []int64
	}{
		"nothing":                        {nil, nil},
		"a gate that failed":             {[]*github.CheckRun{ours(1, "a", "failure", 7)}, []int64{7}},
		"one that passed since":          {[]*github.CheckRun{ours(1, "a", "failure", 7), ours(2, "a", "success", 8)}, nil},
		"two of one run":                 {[]*github.CheckRun{ours(1, "a", "failure", 7), ours(2, "b", "failure", 7)}, []int64{7}},
		"two of two runs":                {[]*github.CheckRun{ours(1, "a", "failure", 8), ours(2, "b", "failure", 7)}, []int64{7, 8}},
		"one without a page":             {[]*github.CheckRun{ours(1, "a", "failure", 0)}, nil},
		"the one job that failed":        {[]*github.CheckRun{job("failure", 7), job("success", 8), job("failure", 0)}, []int64{7}},
		"one of two jobs":                {[]*github.CheckRun{job("failure", 7), job("failure", 8)}, nil},
		"a job beside a gate":            {[]*github.CheckRun{job("failure", 7), ours(1, "a", "success", 8)}, nil},
		"a check run of another program": {[]*github.CheckRun{check(1, "x", "", "other", "failure", 7)}, nil},
	} {
		if got := failedGates(c.checks); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", rule, got, c.want)
		}
	}
}

func TestGitHubShowsNoMoreThanIsRead(t *testing.T) {
	endless := func(at github.ListOptions) ([]int, *github.Response, error) {
		return []int{at.Page}, &github.Response{NextPage: at.Page + 1}, nil
	}
	if _, err := readPages("commits", 2, endless); err == nil || err.Error() != "there are too many commits to read" {
		t.Error(err)
	}
}
