package github

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"

	"github.com/failproof/failproof/internal/text"
)

// Check is a check run to publish. Text beyond GitHub's limits is truncated.
type Check struct {
	Name        string       // from CheckName
	Title       string       // one line
	Summary     string       // Markdown, at most 65,535 bytes
	Annotations []Annotation // most important first; at most 500 are shown
}

// Annotation is a message at a line of a file.
type Annotation struct {
	Path    string // in the repository, with slashes
	Line    int    // from 1
	Level   string // failure, warning or notice
	Title   string
	Message string
}

// externalPrefix is the beginning of our check runs' external ids, before the mark's key, the run and its attempt.
const externalPrefix = "failproof/"

// GitHub's limits, from "Create a check run" in its REST manual. Sizes are in bytes.
const (
	annotationsACall = 50
	maxAnnotations   = 500
	maxSummary       = 65000 // 65,535, with a margin
	maxTitle         = 250   // 255 characters
	maxMessage       = 60000 // 64 KB
)

// checkWriter creates one completed check run. The first call can send only some of the annotations, and further calls
// append the rest. After a failed call, checkWriter reads how many annotations are stored, because GitHub would append
// repeated ones again. Each attempt of a run creates its own check run, because annotations cannot be removed; of check
// runs with the same name, GitHub shows the latest.
type checkWriter struct {
	*publisher
	externalID  string
	annotations []*github.CheckRunAnnotation
	omitted     int // number of annotations that are not shown

	created *github.CheckRun // as GitHub has it; nil before it is created
	stored  int              // number of annotations that GitHub has
}

func newCheckWriter(w *publisher) *checkWriter {
	run := w.repo.Run
	c := &checkWriter{publisher: w,
		externalID: fmt.Sprintf("%s%s/%d.%d", externalPrefix, run.key(w.repo.Event), run.ID, run.Attempt)}
	for _, a := range w.Check.Annotations {
		// GitHub can show an annotation only with a path in the repository and a message.
		if fs.ValidPath(a.Path) && a.Message != "" && len(c.annotations) < maxAnnotations {
			c.annotations = append(c.annotations, a.api())
		}
	}
	c.omitted = len(w.Check.Annotations) - len(c.annotations)
	return c
}

// api returns an annotation in the form of the API.
func (a Annotation) api() *github.CheckRunAnnotation {
	line := max(a.Line, 1)
	level := a.Level
	if level != "failure" && level != "warning" {
		level = "notice"
	}
	out := &github.CheckRunAnnotation{Path: &a.Path, StartLine: &line, EndLine: &line, AnnotationLevel: &level,
		Message: github.String(text.TruncateBytes(a.Message, maxMessage))}
	if a.Title != "" {
		out.Title = github.String(text.TruncateBytes(a.Title, maxTitle))
	}
	return out
}

// write publishes the check run and returns the address of its page.
func (c *checkWriter) write(ctx context.Context) (string, error) {
	err := c.attempt(ctx)
	if StatusOf(err) == http.StatusUnprocessableEntity && len(c.annotations) > 0 {
		if c.created != nil { // only a later call failed
			c.warn("annotations", "some annotations of the check run are missing: %s", errorText(err))
			return c.created.GetHTMLURL(), nil
		}
		c.warn("annotations", "the check run has no annotations: %s", errorText(err))
		c.annotations = nil
		err = c.attempt(ctx)
	}
	return c.created.GetHTMLURL(), err
}

// attempt sends the check run and all annotations. After every failure it reads what GitHub has.
func (c *checkWriter) attempt(ctx context.Context) error {
	for failures := 0; c.created == nil || c.stored < len(c.annotations); {
		err := c.send(ctx)
		for err != nil {
			if failures++; !mayHaveSucceeded(err) || failures == maxFailures {
				return err
			}
			if err := c.repo.sleep.wait(ctx, time.Second<<(failures-1)); err != nil {
				return err
			}
			err = c.reread(ctx)
		}
	}
	return nil
}

// send creates the check run with the first annotations, or appends the next ones. It does not read their number from
// the response, because GitHub may respond before it has stored all of them.
func (c *checkWriter) send(ctx context.Context) error {
	r, to := c.repo, min(c.stored+annotationsACall, len(c.annotations))
	conclusion := "success"
	if c.Failed { // GitHub counts the conclusions neutral and skipped as passing
		conclusion = failure
	}
	o := github.CreateCheckRunOptions{Name: c.Check.Name, HeadSHA: r.HeadSHA, ExternalID: &c.externalID,
		DetailsURL: github.String(r.Run.URL()), Status: github.String("completed"), Conclusion: &conclusion,
		Output: &github.CheckRunOutput{Title: github.String(cmp.Or(oneLine(c.Check.Title), "failproof: "+conclusion)),
			Summary: github.String(c.summary()), Annotations: c.annotations[c.stored:to]}}
	var run *github.CheckRun
	var err error
	if c.created == nil {
		run, _, err = r.client.Checks.CreateCheckRun(ctx, r.Owner, r.Repo, o)
	} else {
		run, _, err = r.client.Checks.UpdateCheckRun(ctx, r.Owner, r.Repo, c.created.GetID(),
			github.UpdateCheckRunOptions{Name: o.Name, Status: o.Status, Conclusion: o.Conclusion, Output: o.Output})
	}
	if err == nil {
		c.created, c.stored = run, to
	}
	return err
}

// reread finds the check run after a failed call, which may have made or extended it.
func (c *checkWriter) reread(ctx context.Context) error {
	all, err := c.repo.checkRuns(ctx)
	i := slices.IndexFunc(all, func(run *github.CheckRun) bool { return run.GetExternalID() == c.externalID })
	if i >= 0 {
		c.created, c.stored = all[i], all[i].GetOutput().GetAnnotationsCount()
	}
	return err
}

// summary returns the text of the summary. It ends with the number of annotations that are not shown, if there are any.
func (c *checkWriter) summary() string {
	note := ""
	if c.omitted > 0 {
		note = fmt.Sprintf("\n%d more annotations are not shown.\n", c.omitted)
	}
	return strings.TrimRight(prefixLines(c.Check.Summary, maxSummary-len(note)-1), "\n") + "\n" + note
}

// failure is the conclusion of a failed check run.
const failure = "failure"

// runPage matches the address of a workflow run's page or, with a second group, that of a job. A job's check run has
// such an address.
var runPage = regexp.MustCompile(`/actions/runs/([0-9]{1,18})(?:(/jobs?/[0-9]+)$|/|$)`)

// runOf returns the id of the workflow run that made a check run, or 0 if it is unknown. isJob reports whether the
// check run is that of a job.
func runOf(c *github.CheckRun) (id int64, isJob bool) {
	m := runPage.FindStringSubmatch(c.GetDetailsURL())
	if m == nil {
		return 0, false
	}
	id, _ = strconv.ParseInt(m[1], 10, 64) // 18 digits fit
	return id, m[2] != "" && c.GetApp().GetSlug() == "github-actions"
}

// gateKey returns the key of the job that made a check run of ours, or "" for any other check run.
func gateKey(c *github.CheckRun) string {
	id, _ := strings.CutPrefix(c.GetExternalID(), externalPrefix)
	if id == c.GetExternalID() {
		return ""
	}
	key, _, _ := strings.Cut(id, "/")
	return key
}

// firstShown returns when a reviewer could first see a failed result on a pull request's head, or the zero time if
// there was none. A result that passed shows nothing to accept. firstShown takes the first of these times that exists:
//  1. the end of the first failed check run of this job
//  2. the end of another workflow's first failed check run for this gate, or the latest such end of several workflows
//  3. the end of a failed job, or the latest of several, because a fork's token creates no check run
//
// On a pull request, only jobs of earlier attempts of this run count for the third time.
func (c *pullRequest) firstShown(ctx context.Context) (time.Time, error) {
	r := c.repo
	runs, err := r.checkRuns(ctx)
	if err != nil {
		return time.Time{}, err
	}
	name := CheckName(Event{Name: "pull_request", BaseRef: r.BaseRef, DefaultBranch: r.DefaultBranch}, r.Run.Name, false)
	gates := earliest(runs, func(run *github.CheckRun) string {
		if run.GetName() != name { // the name tells the branch
			return ""
		}
		return gateKey(run)
	})
	if at, ok := gates[r.Run.key(r.Event)]; ok {
		return at, nil
	}
	jobs := earliest(runs, func(run *github.CheckRun) string {
		id, isJob := runOf(run)
		if !isJob || r.Name == "pull_request" && (r.Run.Attempt == 1 || id != r.Run.ID) {
			return ""
		}
		return run.GetName()
	})
	return cmp.Or(latest(gates), latest(jobs)), nil
}

// checkRuns returns the check runs of the event's head, those of earlier attempts included.
func (r *Repository) checkRuns(ctx context.Context) ([]*github.CheckRun, error) {
	return readPages("check runs of commit "+short(r.HeadSHA), 10,
		func(at github.ListOptions) ([]*github.CheckRun, *github.Response, error) {
			options := &github.ListCheckRunsOptions{Filter: github.String("all"), ListOptions: at}
			page, response, err := r.client.Checks.ListCheckRunsForRef(ctx, r.Owner, r.Repo, r.HeadSHA, options)
			if err != nil {
				return nil, nil, err
			}
			return page.CheckRuns, response, nil
		})
}

// latest returns the latest of the times, or the zero time if there are none.
func latest(times map[string]time.Time) time.Time {
	return slices.MaxFunc(append(slices.Collect(maps.Values(times)), time.Time{}), time.Time.Compare)
}

// earliest returns, for each kind of failed check run, when the first one was completed. The function kind returns the
// kind of a check run. Check runs of kind "" are skipped.
func earliest(runs []*github.CheckRun, kind func(*github.CheckRun) string) map[string]time.Time {
	out := map[string]time.Time{}
	for _, c := range runs {
		at, name := c.GetCompletedAt().Time, kind(c)
		if name == "" || at.IsZero() || c.GetConclusion() != failure {
			continue
		}
		if before, ok := out[name]; !ok || at.Before(before) {
			out[name] = at
		}
	}
	return out
}
