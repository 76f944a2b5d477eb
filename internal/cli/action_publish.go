package cli

import (
	"context"
	"path"
	"path/filepath"
	"strconv"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
)

// publish shows the report on GitHub. Nothing here changes the verdict.
func (a *actionRun) publish(ctx context.Context, rep *report.Report) {
	links := a.links()
	published, warnings := github.Publish(ctx, a.client, a.event, github.Publication{
		Mark:  github.Mark{Workflow: a.run.Workflow, Job: a.run.Job, Part: a.in.options.Config},
		RunID: a.run.ID, Attempt: a.run.Attempt, HeadSHA: a.event.HeadSHA,
		Mode: a.in.comment, Body: render.Comment(rep, links), Facts: render.Facts(rep, links),
		Noteworthy: noteworthy(rep), Failed: rep.Verdict != report.Passed,
		Check: a.check(rep, links),
	})
	for _, w := range warnings {
		a.report(a.runner.Warn(a.hide.Text(w.Message)))
	}
	a.annotate(rep, links, published)
	a.report(a.runner.Summary(render.Summary(rep, links)))
	a.outputs(rep, published)
}

// check is the check run of the report; nil if none is wanted.
func (a *actionRun) check(rep *report.Report, links render.Links) *github.Check {
	if !a.in.check {
		return nil
	}
	c := &github.Check{Title: render.Title(rep), Summary: render.CheckSummary(rep, links), Conclusion: github.Failure,
		Annotations: annotations(rep, links), DetailsURL: a.run.URL()}
	if rep.Verdict == report.Passed {
		c.Conclusion = github.Success
	}
	return c
}

func annotations(rep *report.Report, links render.Links) []github.Annotation {
	var out []github.Annotation
	for _, an := range render.Annotations(rep) {
		out = append(out, github.Annotation{Path: links.Path(an.Path), Line: an.Line, Level: an.Level, Title: an.Title, Message: an.Message})
	}
	return out
}

// annotate puts the annotations into the log where no check run carries them, as with a fork's token.
func (a *actionRun) annotate(rep *report.Report, links render.Links, published github.Published) {
	if published.CheckURL != "" {
		return
	}
	a.report(a.runner.Annotate(annotations(rep, links)))
}

// report says what went wrong beside the verdict.
func (a *actionRun) report(err error) {
	if err != nil {
		say(a.sys, "%s", a.hide.Text(err.Error()))
	}
}

func (a *actionRun) outputs(rep *report.Report, published github.Published) {
	values := [][2]string{
		{"verdict", string(rep.Verdict)},
		{"run-score", number(rep.RunScore)},
		{"base-run-score", number(rep.BaseRunScore)},
		{"delta", number(rep.Delta)},
		{"regressions", strconv.Itoa(rep.Counts[report.Regressed])},
		{"fixed", strconv.Itoa(rep.Counts[report.Fixed])},
		{"report", path.Join(filepath.ToSlash(a.in.options.Out), reportFile)},
		{"comment-url", published.CommentURL},
	}
	for _, v := range values {
		a.report(a.runner.SetOutput(v[0], v[1]))
	}
}

// number is a score for an output: "" where there is none.
func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// noteworthy reports whether a pull request should hear of this report without having asked.
func noteworthy(rep *report.Report) bool {
	if rep.Verdict != report.Passed || len(rep.PolicyChanges)+len(rep.Reasons)+len(rep.Warnings) > 0 {
		return true
	}
	for status, n := range rep.Counts {
		if n > 0 && status != report.StillPassing && status != report.StillFailing {
			return true
		}
	}
	return false
}
