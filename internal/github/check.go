package github

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"

	"github.com/failproof/failproof/internal/text"
)

// Conclusion is the conclusion of a check run. GitHub counts those not used here, neutral and skipped, as passing.
type Conclusion string

const (
	Success Conclusion = "success"
	Failure Conclusion = "failure"
)

// Check is a check run to publish. Text beyond GitHub's limits is truncated.
type Check struct {
	Name        string // from CheckName
	Title       string // one line
	Summary     string // Markdown, at most 65,535 bytes
	Conclusion  Conclusion
	Annotations []Annotation // most important first; at most 500 are shown
	DetailsURL  string
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
	w           *publisher
	check       Check
	externalID  string
	annotations []*github.CheckRunAnnotation
	omitted     int // number of annotations that are not shown

	run    *github.CheckRun // as GitHub has it; nil before it is created
	stored int              // number of annotations that GitHub has
}

func newCheckWriter(w *publisher) *checkWriter {
	p := w.publication
	c := &checkWriter{w: w, check: *p.Check}
	c.externalID = fmt.Sprintf("%s%s/%d.%d", externalPrefix, p.Mark.key(w.event.Owner, w.event.Repo), p.RunID,
		p.Attempt)
	for _, a := range c.check.Annotations {
		// GitHub can show an annotation only with a path in the repository and a message.
		if fs.ValidPath(a.Path) && a.Message != "" && len(c.annotations) < maxAnnotations {
			c.annotations = append(c.annotations, a.api())
		}
	}
	c.omitted = len(c.check.Annotations) - len(c.annotations)
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
	if c.check.Conclusion != Success && c.check.Conclusion != Failure {
		return "", fmt.Errorf("a check run concludes success or failure, not %q", c.check.Conclusion)
	}
	url, err := c.attempt(ctx)
	if StatusOf(err) != http.StatusUnprocessableEntity || len(c.annotations) == 0 {
		return url, err
	}
	if url != "" { // only a later call failed: the check run exists
		c.w.warn("annotations", "some annotations of the check run are missing: %s", errorText(err))
		return url, nil
	}
	c.w.warn("annotations", "the check run has no annotations: %s", errorText(err))
	c.annotations = nil
	return c.attempt(ctx)
}

// attempt writes the check run and all annotations, and returns the address of the check run's page. After every
// failure it reads the state of the check run.
func (c *checkWriter) attempt(ctx context.Context) (string, error) {
	err := c.create(ctx)
	failures := 0
	for err != nil || c.stored < len(c.annotations) {
		if err == nil {
			err = c.addAnnotations(ctx)
			continue
		}
		if failures++; !mayHaveSucceeded(err) || failures == maxFailures {
			break
		}
		if err = c.w.publication.Sleep.wait(ctx, time.Second<<(failures-1)); err != nil {
			break
		}
		err = c.reread(ctx)
	}
	return c.run.GetHTMLURL(), err
}

// create creates the check run with the first annotations.
func (c *checkWriter) create(ctx context.Context) error {
	run, _, err := c.w.client.Checks.CreateCheckRun(ctx, c.w.event.Owner, c.w.event.Repo, github.CreateCheckRunOptions{
		Name: c.check.Name, HeadSHA: c.w.publication.HeadSHA, DetailsURL: &c.check.DetailsURL, ExternalID: &c.externalID,
		Status: github.String("completed"), Conclusion: github.String(string(c.check.Conclusion)), Output: c.output(0),
	})
	return c.finish(run, 0, err)
}

// addAnnotations appends the next annotations.
func (c *checkWriter) addAnnotations(ctx context.Context) error {
	run, _, err := c.w.client.Checks.UpdateCheckRun(ctx, c.w.event.Owner, c.w.event.Repo, c.run.GetID(),
		github.UpdateCheckRunOptions{
			Name: c.check.Name, Status: github.String("completed"),
			Conclusion: github.String(string(c.check.Conclusion)), Output: c.output(c.stored),
		})
	return c.finish(run, c.stored, err)
}

// finish records the result of a call that sent the annotations from the index from on. It does not read their number
// from the response, because GitHub may respond before it has stored all of them.
func (c *checkWriter) finish(run *github.CheckRun, from int, err error) error {
	if err == nil {
		c.run, c.stored = run, min(from+annotationsACall, len(c.annotations))
	}
	return err
}

// reread finds the check run after a failed call, which may have made or extended it. If there is none, it makes one.
func (c *checkWriter) reread(ctx context.Context) error {
	all, _, err := readPages(commentPages,
		checkRuns(ctx, c.w.client, c.w.event, c.w.publication.HeadSHA, &c.check.Name))
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(all, func(run *github.CheckRun) bool { return run.GetExternalID() == c.externalID }); i >= 0 {
		c.run, c.stored = all[i], all[i].GetOutput().GetAnnotationsCount()
		return nil
	}
	return c.create(ctx)
}

// output returns the content of the check run, with the annotations from the index from on.
func (c *checkWriter) output(from int) *github.CheckRunOutput {
	to := min(from+annotationsACall, len(c.annotations))
	title := cmp.Or(oneLine(c.check.Title), "failproof: "+string(c.check.Conclusion))
	return &github.CheckRunOutput{Title: &title, Summary: github.String(c.summary()),
		Annotations: c.annotations[min(from, to):to]}
}

// summary returns the text of the summary. It ends with the number of annotations that are not shown, if there are any.
func (c *checkWriter) summary() string {
	if c.omitted == 0 {
		return prefixLines(c.check.Summary, maxSummary)
	}
	note := fmt.Sprintf("\n\n%d more annotations are not shown.\n", c.omitted)
	return strings.TrimRight(prefixLines(c.check.Summary, maxSummary-len(note)), "\n") + note
}

// jobPage matches the end of the address of a workflow job's page. A job's check run has this address.
var jobPage = regexp.MustCompile(`/actions/runs/([0-9]+)/jobs?/[0-9]+$`)

// actionsSlug is the name of the App that creates the check runs of workflow jobs.
const actionsSlug = "github-actions"

// firstShown returns when a reviewer could first see a failed result on a pull request's head, or the zero time if
// there was none. A result that passed shows nothing to accept. firstShown takes the first of these times that exists:
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
		if !ours || run.GetName() != name { // the name tells the branch
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
		if m == nil || run.GetApp().GetSlug() != actionsSlug || !landing && (!r.isRerun || m[1] != r.run) {
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

// earliest returns, for each kind of failed check run, when the first one was completed. The function kind returns the
// kind of a check run. Check runs of kind "" are skipped.
func earliest(runs []*github.CheckRun, kind func(*github.CheckRun) string) map[string]time.Time {
	out := map[string]time.Time{}
	for _, c := range runs {
		at, name := c.GetCompletedAt().Time, kind(c)
		if name == "" || at.IsZero() || c.GetConclusion() != string(Failure) {
			continue
		}
		if before, ok := out[name]; !ok || at.Before(before) {
			out[name] = at
		}
	}
	return out
}
