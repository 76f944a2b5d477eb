package action

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// Publish shows the report on GitHub. It does not change the verdict.
func (j Job) Publish(ctx context.Context, judged Outcome) {
	ctx, cancel := publishContext(ctx)
	defer cancel()
	rep := judged.Report
	v := story.New(rep, judged.Links)
	shown, err := j.annotations(ctx, judged, v)
	if err != nil {
		j.logError(fmt.Errorf("read the pull request's head for the annotations: %w", err))
	}
	publication := github.Publication{Mode: j.in.Comment, Body: comment.Markdown(v), Facts: comment.Facts(v),
		Noteworthy: rep.Noteworthy(), Failed: rep.Verdict != report.Passed}
	if j.in.Check {
		publication.Check = &github.Check{Name: github.CheckName(judged.repo.Event, j.in.Name, rep.ReportOnly()),
			Title: v.Title, Summary: comment.CheckSummary(v), Annotations: shown}
	}
	if j.asked != nil { // the gate's own run of the commit had no verdict, or somebody wants to know
		publication.Noteworthy, publication.Replaces = true, comment.Undecided(v)
	}
	published, warnings := judged.repo.Publish(ctx, publication)
	for _, w := range warnings {
		j.logError(j.runner.Warn(w.Message))
	}
	if published.CheckURL == "" { // there is no check run with them, as with a fork's token
		j.logError(j.runner.Annotate(shown))
	}
	j.logError(j.runner.Summary(comment.Summary(v)))
	for _, v := range [][2]string{
		{"verdict", string(rep.Verdict)},
		{"run-score", number(rep.RunScore)},
		{"base-run-score", number(rep.BaseRunScore)},
		{"delta", number(rep.Delta)},
		{"regressions", strconv.Itoa(rep.Counts[report.Regressed])},
		{"fixed", strconv.Itoa(rep.Counts[report.Fixed])},
		{"report", path.Join(filepath.ToSlash(j.in.Out), output.ReportFile)},
		{"comment-url", published.CommentURL},
	} {
		j.logError(j.runner.SetOutput(v[0], v[1]))
	}
}

// publishContext returns a context for publishing that outlives a cancellation of ctx. It has a deadline only if the
// run was canceled, because GitHub then kills the job after 7.5 s.
func publishContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		return context.WithTimeout(context.WithoutCancel(ctx), 4*time.Second)
	}
	return context.WithoutCancel(ctx), func() {}
}

// annotations returns the annotations of the report. GitHub shows them at the pull request's own head, but their line
// numbers belong to the merge result. So annotations leaves out those in files that differ between the head and the
// merge result.
func (j Job) annotations(ctx context.Context, judged Outcome, v *story.Story) ([]github.Annotation, error) {
	hasNoFile := func(a machine.Annotation) bool { return a.Path == "" } // a check run takes no such annotation
	all := slices.DeleteFunc(machine.Annotations(v), hasNoFile)
	if len(all) > 0 && judged.head != nil && judged.Head != judged.repo.HeadSHA {
		headTree, err := j.open(ctx, judged.repo.HeadSHA)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(a machine.Annotation) bool { return !sameFile(judged.head, headTree, a.Path) })
	}
	return inRepository(all, judged.Links), nil
}

// inRepository returns the annotations with paths from the root of the repository.
func inRepository(all []machine.Annotation, links show.Links) (out []github.Annotation) {
	for _, a := range all {
		if a.Path != "" {
			a.Path = links.Path(a.Path)
		}
		out = append(out, github.Annotation(a))
	}
	return out
}

// sameFile reports whether the file at path is the same in a and b. Two files that cannot be read count as the same.
func sameFile(a, b fs.FS, path string) bool {
	ours, err1 := fs.ReadFile(a, path)
	theirs, err2 := fs.ReadFile(b, path)
	return (err1 == nil) == (err2 == nil) && bytes.Equal(ours, theirs)
}

// logError logs an error that does not change the verdict.
func (j Job) logError(err error) {
	if err != nil {
		j.log("%s", j.runner.Redacted(err))
	}
}

// number formats a score for an output. It returns "" for nil.
func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// Annotate writes the report's annotations to w as workflow commands. GitHub's runner shows them at the lines of the
// files. The report's paths are relative to dir.
func Annotate(w io.Writer, getenv func(string) string, dir string, rep *report.Report) error {
	workspace := getenv("GITHUB_WORKSPACE")
	below, err := filepath.Rel(workspace, dir)
	if workspace == "" || err != nil || !filepath.IsLocal(below) || below == "." {
		below = ""
	}
	links := show.Links{Dir: strings.TrimSuffix(filepath.ToSlash(below), "/")}
	return github.NewRunner(getenv, w).Annotate(inRepository(machine.Annotations(story.New(rep, links)), links))
}

// LinksOf returns the links of a report that `render` prints in the given format. The report's paths are relative to
// dir, and GitLab requires paths from the root of the repository. The links are empty for any other format.
func LinksOf(format, dir string) show.Links {
	if _, below, err := source.FindRepository(dir); err == nil && format == "gitlab" {
		return show.Links{Dir: below}
	}
	return show.Links{}
}
