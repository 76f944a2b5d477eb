package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	gogithub "github.com/google/go-github/v60/github"
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

func newAction(sys System) *cobra.Command {
	return &cobra.Command{
		Use:   "action",
		Short: "Run inside GitHub Actions: what the container does",
		Long: `Reads the event and the inputs of the workflow, gates the head against the merge base, and publishes a comment, a
check run, a job summary and outputs. What cannot be published is a warning; the exit code is the verdict's.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return action(cmd.Context(), sys) },
	}
}

// inputs are the inputs of the action, checked.
type inputs struct {
	options  runOptions
	minScore *float64
	token    string
	comment  github.CommentMode
	check    bool
}

func action(ctx context.Context, sys System) error {
	// What a model wrote never reaches the log, and what a file is called must not be a command of the runner.
	runner := github.NewRunner(sys.Getenv, sys.Stdout)
	sys.Stdout, sys.Stderr = render.LogWriter(sys.Stdout), render.LogWriter(sys.Stderr)
	in, err := readInputs(runner)
	if err != nil {
		return fail(runner, report.Invalid, err)
	}
	a := &actionRun{sys: sys, runner: runner, in: in}
	a.report(runner.Mask(in.token))
	if err := a.prepare(); err != nil {
		return fail(runner, report.Invalid, inputError{err})
	}
	rep, err := a.judge(ctx)
	if err != nil {
		return fail(runner, verdictOf(err), err)
	}
	a.publish(context.WithoutCancel(ctx), rep)
	return asError(rep.Verdict)
}

// fail leaves word of a run that ended before it had a report, and passes the error on.
func fail(runner *github.Runner, v report.Verdict, err error) error {
	heading := "## ⏸️ Prompt gate undecided: nothing was judged"
	if v == report.Invalid {
		heading = "## 🚫 Prompt gate: an input is not valid, nothing was judged"
	}
	return errors.Join(err, runner.Summary(heading+"\n\n"+render.Inline(err.Error())+"\n"), runner.SetOutput("verdict", string(v)))
}

// verdictOf is the verdict of a run that ended in an error.
func verdictOf(err error) report.Verdict {
	var input inputError
	if errors.As(err, &input) {
		return report.Invalid
	}
	return report.Undecided
}

func readInputs(runner *github.Runner) (inputs, error) {
	in := inputs{token: runner.Input("token"), comment: github.CommentMode(runner.Input("comment")), check: runner.Input("check") != "false"}
	in.options = runOptions{
		Config: runner.Input("config"), Suites: strings.Fields(strings.ReplaceAll(runner.Input("suites"), ",", " ")),
		Scope: runner.Input("scope"), Base: runner.Input("base"), Phase: runner.Input("phase"),
		MinScore: runner.Input("min-run-score"), Out: runner.Input("out"),
	}
	defaults(&in)
	if err := oneOf("input comment", string(in.comment), "auto", "always", "failures", "never"); err != nil {
		return in, err
	}
	if err := oneOf("input check", runner.Input("check"), "", "true", "false"); err != nil {
		return in, err
	}
	if runner.Input("shard") != "" {
		return in, inputErrorf("input shard: sharded runs are not built yet; remove it")
	}
	if filepath.IsAbs(in.options.Out) {
		return in, inputErrorf("input out is an absolute path; expected one below the workspace")
	}
	if err := checkOptions(in.options); err != nil {
		return in, err
	}
	var err error
	in.minScore, err = parseScore("input min-run-score", in.options.MinScore)
	return in, err
}

// defaults fills in inputs that an action.yml of another age, or a bare container, leaves empty.
func defaults(in *inputs) {
	if in.comment == "" {
		in.comment = github.CommentAuto
	}
	if in.options.Scope == "" {
		in.options.Scope = scopeChanged
	}
	if in.options.Out == "" {
		in.options.Out = defaultOut
	}
}

// actionRun is one run inside GitHub Actions.
type actionRun struct {
	sys    System
	runner *github.Runner
	in     inputs
	event  github.Event
	run    github.Run
	client *gogithub.Client
	base   string // the commit that the head is compared with; "" for none
}

// prepare reads what started the run.
func (a *actionRun) prepare() (err error) {
	if a.event, err = github.LoadEvent(a.sys.Getenv); err != nil {
		return err
	}
	if a.run, err = github.ReadRun(a.sys.Getenv); err != nil {
		return err
	}
	a.client, err = github.NewClient(github.Options{BaseURL: a.run.API, Token: a.in.token, UserAgent: "failproof/" + Version})
	return err
}

// judge gates the event's head against its merge base and writes the report's folder. The trees come from the checkout if
// it holds both, with all of their files, and else through the API.
func (a *actionRun) judge(ctx context.Context) (*report.Report, error) {
	out, err := openOut(a.sys.Dir, a.in.options.Out)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	g := a.newGate(out)
	rep, err := a.judgeTrees(ctx, g, a.openLocal)
	var unreachable unreachableError
	if errors.As(err, &unreachable) {
		g = a.newGate(out)
		rep, err = a.judgeTrees(ctx, g, a.openRemote)
	}
	if err != nil {
		return nil, err
	}
	if err := g.write(rep, a.links()); err != nil {
		return nil, err
	}
	out.giveToOwner(a.sys.Dir)
	return rep, render.Table(a.sys.Stdout, rep, render.TableOptions{Width: 120})
}

func (a *actionRun) newGate(out *outFolder) *gate {
	return &gate{
		Config: a.in.options.Config, Suites: a.in.options.Suites, Scope: a.in.options.Scope, Phase: a.in.options.Phase,
		MinScore: a.in.minScore, Fork: a.event.Fork, Secrets: []string{a.in.token},
		Getenv: a.sys.Getenv, Now: a.sys.Now, RunID: fmt.Sprintf("%d.%d", a.run.ID, a.run.Attempt),
		Out: out, Progress: newProgress(a.sys, false).tell,
	}
}

// judgeTrees opens both trees and runs the gate. The error is unreachableError if a tree could not be had, or not all of it.
func (a *actionRun) judgeTrees(ctx context.Context, g *gate, open func(ctx context.Context, g *gate, want string) error) (*report.Report, error) {
	want := a.event.BaseSHA
	if a.in.options.Base != "" {
		want = a.in.options.Base
	}
	a.base = ""
	if err := open(ctx, g, want); err != nil {
		return nil, unreachableError{err}
	}
	head, base := watch(g.Head), watch(g.Base)
	rep, err := g.judge(ctx)
	return rep, errors.Join(err, head.err(), base.err())
}

func (a *actionRun) openLocal(_ context.Context, g *gate, want string) (err error) {
	dir := a.sys.Dir
	if g.Head, err = source.Git(dir, a.event.HeadSHA); err != nil || want == "" {
		return err
	}
	if a.base, err = source.MergeBase(dir, want, a.event.HeadSHA); err != nil {
		return err
	}
	if g.Base, err = source.Git(dir, a.base); err != nil {
		return err
	}
	a.nameBase(g)
	return nil
}

func (a *actionRun) openRemote(ctx context.Context, g *gate, want string) (err error) {
	remote := source.NewRemote(a.client, a.event.Owner, a.event.Repo)
	if g.Head, err = remote.Commit(ctx, a.event.HeadSHA); err != nil {
		return fmt.Errorf("read the head: %w", err)
	}
	if want == "" {
		return nil
	}
	if a.base, err = github.MergeBase(ctx, a.client, a.event.Owner, a.event.Repo, want, a.event.HeadSHA); err != nil {
		return err
	}
	if g.Base, err = remote.Commit(ctx, a.base); err != nil {
		return fmt.Errorf("read the base: %w", err)
	}
	a.nameBase(g)
	return nil
}

// nameBase calls the base after the branch that it was looked up for.
func (a *actionRun) nameBase(g *gate) {
	name := a.event.BaseRef
	if a.in.options.Base != "" {
		name = a.in.options.Base
	}
	if name != "" {
		g.Base.Revision.Name, g.Base.Revision.MergeBase = name, true
	}
}

func (a *actionRun) links() render.Links {
	return render.Links{Server: a.run.Server, Repo: a.event.Owner + "/" + a.event.Repo, HeadSHA: a.event.HeadSHA, BaseSHA: a.base,
		RunURL: a.run.URL(), Number: a.event.Number}
}

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
		a.report(a.runner.Warn(w.Message))
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
		say(a.sys, "%v", err)
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
