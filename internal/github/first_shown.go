package github

import (
	"cmp"
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// jobPage matches the end of the address of a workflow job's page. A job's check run has this address.
var jobPage = regexp.MustCompile(`/actions/runs/([0-9]+)/jobs?/[0-9]+$`)

// actionsSlug is the name of the App that creates the check runs of workflow jobs.
const actionsSlug = "github-actions"

// firstShown returns when a reviewer could first see a failed result on a pull request's head, or the zero time if there
// was none. A result that passed shows nothing to accept. firstShown takes the first of these times that exists:
//  1. the end of the first failed check run with this mark
//  2. the end of another workflow's first failed check run for this gate, or the latest such end of several workflows
//  3. the end of a failed job, or the latest of several, because a fork's token creates no check run
//
// On a pull request, only jobs of earlier attempts of this run count for the third time.
func (c *pullRequest) firstShown(ctx context.Context, mark Mark) (time.Time, error) {
	r := c.repo
	runs, err := headCheckRuns(ctx, r.client, c.Event)
	if err != nil {
		return time.Time{}, err
	}
	branch, err := r.DefaultBranch(ctx)
	if err != nil {
		return time.Time{}, err
	}
	name := CheckName(Event{Name: "pull_request", BaseRef: r.event.BaseRef}, branch, mark.Part, false)
	own := mark.key(r.event.Owner, r.event.Repo)
	gates := earliest(runs, func(run *github.CheckRun) string {
		key, ours := strings.CutPrefix(run.GetExternalID(), externalPrefix)
		if !ours || run.GetName() != name || run.GetConclusion() != string(Failure) { // the name tells the branch
			return ""
		}
		key, _, _ = strings.Cut(key, "/")
		return key
	})
	if at, ok := gates[own]; ok {
		return at, nil
	}
	landing := r.event.Name != "pull_request"
	jobs := earliest(runs, func(run *github.CheckRun) string {
		m := jobPage.FindStringSubmatch(run.GetDetailsURL())
		if m == nil || run.GetApp().GetSlug() != actionsSlug || run.GetConclusion() != string(Failure) || !landing &&
			(!r.isRerun || m[1] != r.run) {
			return ""
		}
		return run.GetName()
	})
	return cmp.Or(latest(gates), latest(jobs)), nil
}

// headCheckRuns returns the check runs of the event's head.
func headCheckRuns(ctx context.Context, client *github.Client, e Event) ([]*github.CheckRun, error) {
	return readAllPages("check runs of commit "+short(e.HeadSHA), reviewPages,
		checkRuns(ctx, client, e, e.HeadSHA, nil))
}

// latest returns the latest of the times, or the zero time if there are none.
func latest(times map[string]time.Time) (last time.Time) {
	for _, at := range times {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// earliest returns, for each kind of check run, when the first one was completed. The function kind returns the kind of
// a check run. Check runs of kind "" are skipped.
func earliest(runs []*github.CheckRun, kind func(*github.CheckRun) string) map[string]time.Time {
	out := map[string]time.Time{}
	for _, c := range runs {
		at, name := c.GetCompletedAt().Time, kind(c)
		if name == "" || at.IsZero() {
			continue
		}
		if before, ok := out[name]; !ok || at.Before(before) {
			out[name] = at
		}
	}
	return out
}
