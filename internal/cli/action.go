package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	gogithub "github.com/google/go-github/v60/github"
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/redact"
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

func action(ctx context.Context, sys System) error {
	// What a model wrote never reaches the log, and what a file is called must not be a command of the runner.
	runner := github.NewRunner(sys.Getenv, sys.Stdout)
	sys.Stdout, sys.Stderr = render.LogWriter(sys.Stdout), render.LogWriter(sys.Stderr)
	token := runner.Input("token")
	a := &actionRun{sys: sys, runner: runner, hide: redact.New([]string{token}, nil)}
	a.report(runner.Mask(token))
	in, err := readInputs(runner)
	if err != nil {
		return a.fail(report.Invalid, err)
	}
	a.in = in
	if err := a.prepare(); err != nil {
		return a.fail(report.Invalid, inputError{err})
	}
	rep, err := a.judge(ctx)
	if err != nil {
		return a.fail(verdictOf(err), err)
	}
	publishing, cancel := a.publishing(ctx)
	defer cancel()
	a.publish(publishing, rep)
	return asError(rep.Verdict)
}

// publishing is the time there is to publish: as long as it takes, but for a run that was cancelled, which GitHub kills 7.5 s
// after it told it so.
func (a *actionRun) publishing(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		return context.WithTimeout(context.WithoutCancel(ctx), 4*time.Second)
	}
	return context.WithoutCancel(ctx), func() {}
}

// fail leaves word of a run that ended before it had a report, and passes the error on.
func (a *actionRun) fail(v report.Verdict, err error) error {
	heading := "## ⏸️ Prompt gate undecided: nothing was judged"
	if v == report.Invalid {
		heading = "## 🚫 Prompt gate: an input is not valid, nothing was judged"
	}
	err = hiddenError{err, a.hide.Text(err.Error())}
	return errors.Join(err, a.runner.Summary(heading+"\n\n"+render.Inline(err.Error())+"\n"), a.runner.SetOutput("verdict", string(v)))
}

// hiddenError is an error without the secrets that its words held, as when GitHub repeats a token.
type hiddenError struct {
	err  error
	text string
}

func (e hiddenError) Error() string { return e.text }
func (e hiddenError) Unwrap() error { return e.err }

// verdictOf is the verdict of a run that ended in an error.
func verdictOf(err error) report.Verdict {
	var input inputError
	if errors.As(err, &input) {
		return report.Invalid
	}
	return report.Undecided
}

// actionRun is one run inside GitHub Actions.
type actionRun struct {
	sys    System
	runner *github.Runner
	hide   *redact.Redactor // knows the token
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
	defer out.giveToOwner(a.sys.Dir)
	g := a.newGate(out)
	defer func() { giveCacheToOwner(a.sys.Dir, g.cachePath) }()
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
	return rep, render.Table(a.sys.Stdout, rep, render.TableOptions{Width: 120})
}

func (a *actionRun) newGate(out *outFolder) *gate {
	return &gate{
		Config: a.in.options.Config, Suites: a.in.options.Suites, Scope: a.in.options.Scope, Phase: a.in.options.Phase,
		MinScore: a.in.minScore, Fork: a.event.Fork, Secrets: []string{a.in.token},
		Getenv: a.sys.Getenv, Now: a.sys.Now, RunID: fmt.Sprintf("%d.%d", a.run.ID, a.run.Attempt),
		Out: out, Progress: newProgress(a.sys, false), Dir: a.sys.Dir, Cache: a.in.options.Cache,
		Say: func(format string, args ...any) { say(a.sys, format, args...) },
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
	return g.judge(ctx)
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
