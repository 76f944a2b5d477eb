package github

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// Conclusion is the conclusion of a check run. Only success and failure are used, because GitHub counts neutral and
// skipped as passing.
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

// externalPrefix is the beginning of the external id of our check runs. After it come the mark's key, the run and its
// attempt.
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
}

func newCheckWriter(w *publisher) *checkWriter {
	p := w.publication
	c := &checkWriter{w: w, check: *p.Check}
	c.externalID = fmt.Sprintf("%s%s/%d.%d", externalPrefix, p.Mark.key(w.event.Owner, w.event.Repo), p.RunID,
		p.Attempt)
	usable := slices.DeleteFunc(slices.Clone(c.check.Annotations), func(a Annotation) bool { return !a.usable() })
	for _, a := range usable[:min(len(usable), maxAnnotations)] {
		c.annotations = append(c.annotations, a.api())
	}
	c.omitted = len(c.check.Annotations) - len(c.annotations)
	return c
}

// usable reports whether GitHub can show an annotation. The annotation needs a path in the repository and a message.
func (a Annotation) usable() bool {
	return fs.ValidPath(a.Path) && a.Message != ""
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
	run, err := c.create(ctx)
	failures := 0
	for err != nil || annotationCount(run) < len(c.annotations) {
		if err == nil {
			run, err = c.addAnnotations(ctx, run)
			continue
		}
		if failures++; !mayHaveSucceeded(err) || failures == maxFailures {
			break
		}
		if err = c.w.publication.Sleep.wait(ctx, time.Second<<(failures-1)); err != nil {
			break
		}
		run, err = c.reread(ctx, run)
	}
	return run.GetHTMLURL(), err
}

func annotationCount(run *github.CheckRun) int { return run.GetOutput().GetAnnotationsCount() }

// create creates the check run with the first annotations.
func (c *checkWriter) create(ctx context.Context) (*github.CheckRun, error) {
	run, _, err := c.w.client.Checks.CreateCheckRun(ctx, c.w.event.Owner, c.w.event.Repo, github.CreateCheckRunOptions{
		Name: c.check.Name, HeadSHA: c.w.publication.HeadSHA, DetailsURL: &c.check.DetailsURL, ExternalID: &c.externalID,
		Status: github.String("completed"), Conclusion: github.String(string(c.check.Conclusion)), Output: c.output(0),
	})
	return withCount(nil, run, min(annotationsACall, len(c.annotations)), err)
}

// addAnnotations appends the next annotations.
func (c *checkWriter) addAnnotations(ctx context.Context, run *github.CheckRun) (*github.CheckRun, error) {
	from := annotationCount(run)
	next, _, err := c.w.client.Checks.UpdateCheckRun(ctx, c.w.event.Owner, c.w.event.Repo, run.GetID(),
		github.UpdateCheckRunOptions{
			Name: c.check.Name, Status: github.String("completed"),
			Conclusion: github.String(string(c.check.Conclusion)), Output: c.output(from),
		})
	return withCount(run, next, min(from+annotationsACall, len(c.annotations)), err)
}

// withCount returns the state of a check run after a call. If the call succeeded, the state is next, with n as the
// number of annotations. GitHub may report a lower number, because it may respond before it has stored all of them. If
// the call failed, the state is before.
func withCount(before, next *github.CheckRun, n int, err error) (*github.CheckRun, error) {
	if err != nil {
		return before, err
	}
	if next.Output == nil {
		next.Output = &github.CheckRunOutput{}
	}
	next.Output.AnnotationsCount = &n
	return next, nil
}

// reread finds the check run after a failed call, which may have made or extended it. If there is none, it makes one.
func (c *checkWriter) reread(ctx context.Context, before *github.CheckRun) (*github.CheckRun, error) {
	all, _, err := readPages(commentPages,
		checkRuns(ctx, c.w.client, c.w.event, c.w.publication.HeadSHA, &c.check.Name))
	if err != nil {
		return before, err
	}
	if i := slices.IndexFunc(all, func(run *github.CheckRun) bool { return run.GetExternalID() == c.externalID }); i >= 0 {
		return all[i], nil
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
