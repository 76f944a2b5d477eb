// Package action is a run inside GitHub Actions: what the event compares is read and judged, and shown where
// GitHub shows things.
package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	gogithub "github.com/google/go-github/v60/github"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// Inputs are what the workflow says.
type Inputs struct {
	sides.Inputs        // without what is compared, which the event says
	Compare      string // branch, tag or SHA to compare with; "" for what the event compares with
	Token        string
	Comment      github.CommentMode
	Check        bool   // make the check run
	Name         string // tells apart several runs of one pull request; "" for the only one
	Merge        bool   // judge what the parts of a run were told
	Root         string // of the checkout on this machine; the current folder where there is none
	Folder       string // where the trees and all paths begin, from the root of the repository; "" for that
	Out          string // the folder for the files, below the workspace
	Page         string // where report.html will be published; "" for nowhere
}

// Job is one run inside GitHub Actions.
type Job struct {
	in      Inputs
	runner  *github.Runner
	hide    *redact.Redactor // knows the token
	say     func(format string, args ...any)
	sleep   func(context.Context, time.Duration) error
	event   github.Event
	request *github.Comment // that asks for the run; nil: none does
	run     github.Run
	client  *gogithub.Client
	github  *github.Repository
}

// Open reads the event that started the job. say writes a line to the job's log. sleep waits between questions to
// GitHub; nil waits in real time.
func Open(in Inputs, runner *github.Runner, say func(format string, args ...any), sleep func(context.Context, time.Duration) error) (Job, error) {
	event, err := github.LoadEvent(in.Getenv)
	if err != nil {
		return Job{}, err
	}
	started, err := github.ReadRun(in.Getenv)
	if err != nil {
		return Job{}, err
	}
	client, err := github.NewClient(github.Options{BaseURL: started.API, Token: in.Token, UserAgent: "failproof/" + in.Version, Sleep: sleep})
	if err != nil {
		return Job{}, err
	}
	in.RunID = fmt.Sprintf("%d.%d", started.ID, started.Attempt)
	in.Place = filepath.Join(in.Root, filepath.FromSlash(in.Folder))
	in.Secrets = []string{in.Token}
	return Job{in: in, runner: runner, hide: redact.New(in.Secrets, nil), say: say, sleep: sleep, event: event, run: started, client: client,
		github: github.NewRepository(client, event, started, sleep)}, nil
}

// Outcome is what a job compared, and the result of its run.
type Outcome struct {
	run.Result
	Links show.Links
	eventRevisions
	head *source.Tree // what was judged; nil: nothing was
	open commits      // from where that was had, or through the API
}

// Judge gates the commits that the event compares, and settles what only GitHub can tell about the verdict. It reads
// the commits from the checkout if that holds all of their files, and else through the API.
func (j Job) Judge(ctx context.Context, to asking.Sinks) (Outcome, error) {
	c, err := j.compare(ctx)
	in := j.inputs(c)
	in.Artifact = j.artifacts(ctx)
	if none, is := errors.AsType[*github.NoMergeResult](err); is {
		in.Head = &source.Tree{Revision: source.Revision{Kind: source.KindCommit, Name: fmt.Sprintf("#%d", none.Number), SHA: c.event.HeadSHA}}
		judged, err := run.Unjudged(in, to.Out, gate.NoMerge.Code, none.Error())
		return Outcome{Result: judged, Links: j.links(c), eventRevisions: c}, err
	}
	if err != nil {
		return Outcome{}, err
	}
	var out Outcome
	err = j.onTrees(ctx, in, c, func(in sides.Inputs, either commits) error {
		judged, err := run.Judge(ctx, in, to)
		if err != nil {
			return err
		}
		out = Outcome{judged, j.links(c), c, in.Head, either}
		// The verdict is made and not yet published. It changes where only GitHub knows why: a pull request is
		// not judged by rules that its branch no longer has, and a review may accept what it takes away. A run
		// that was cancelled is undecided as it is.
		if ctx.Err() == nil {
			j.heedBranch(ctx, in, out)
			j.heedAcceptances(ctx, out)
		}
		return nil
	})
	return out, err
}

// AskShard asks the part of a run that the inputs name, and publishes nothing.
func (j Job) AskShard(ctx context.Context, to asking.Sinks) (done shards.Done, err error) {
	c, err := j.compare(ctx)
	if err != nil {
		return done, fault.Unreachable{Err: err}
	}
	err = j.onTrees(ctx, j.inputs(c), c, func(in sides.Inputs, _ commits) (err error) {
		done, err = run.AskShard(ctx, in, to)
		return err
	})
	return done, err
}

// inputs are the run's, as far as the event says them.
func (j Job) inputs(c eventRevisions) sides.Inputs {
	in := j.in.Inputs
	in.Fork = c.event.Fork
	if c.event.Name == "pull_request" {
		in.Made = "the pull request made these results: whoever writes them writes the verdict"
	}
	return in
}

// onTrees calls do with the trees of the checkout, and once more with those of the API if the checkout lacks some.
func (j Job) onTrees(ctx context.Context, in sides.Inputs, c eventRevisions, do func(in sides.Inputs, either commits) error) error {
	remote := j.onGitHub()
	from := func(open commits) error {
		either := open.orElse(remote)
		in, err := j.openTrees(ctx, in, c, open, either)
		if err != nil {
			return fault.Unreachable{Err: err}
		}
		return do(in, either)
	}
	err := from(j.checkedOut)
	if _, unreachable := errors.AsType[fault.Unreachable](err); unreachable {
		return from(remote)
	}
	return err
}

// mark tells the comment and the check run of this run from those of others.
func (j Job) mark() github.Mark {
	return github.Mark{Workflow: j.run.Workflow, Job: j.run.Job, Part: j.in.Name}
}

func (j Job) links(c eventRevisions) show.Links {
	l := show.Links{Server: j.run.Server, Repo: j.event.Owner + "/" + j.event.Repo, HeadSHA: cmp.Or(c.Head, j.event.HeadSHA), BaseSHA: c.Base,
		RunURL: j.run.URL(), Number: j.event.Number, Dir: j.in.Folder, Page: j.in.Page}
	if j.event.Name == "pull_request" {
		l.Pull, l.Fork = j.event.HeadSHA, j.event.Restricted()
	}
	return l
}

// At returns the inputs of a job that runs in a folder of its checkout, given from the checkout's root, and has a name.
// An empty folder is the one that the job was started in; an empty name is what it works on. The error is a
// fault.Input.
func (in Inputs) At(folder, name string) (Inputs, error) {
	root, below, err := source.Within(in.Dir)
	if err != nil {
		root, below = in.Dir, "." // there is no checkout around it
	}
	in.Root = root
	folder = cmp.Or(folder, below)
	clean := path.Clean(folder)
	if !fs.ValidPath(clean) || strings.Contains(clean, `\`) {
		return in, fault.Inputf("input working-directory is %q; expected a folder as its path from the "+
			"repository's root, with / between folders", folder)
	}
	if in.Folder = clean; clean == "." {
		in.Folder = ""
	}
	from := ""
	if in.Name = name; name == "" {
		in.Name, from = github.FitName(in.worksOn()), " (default: from the run's inputs)"
	}
	if err := github.ValidName(in.Name); err != nil {
		return in, fault.Inputf("input name%s: %w", from, err)
	}
	return in, nil
}

// worksOn returns what the job was told to work on, as letters that a name may have; "" if it was told nothing.
func (in Inputs) worksOn() string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(",()", r) {
			return '_'
		}
		return r
	}, cmp.Or(in.Folder, strings.Join(in.Suites, " "), in.Config))
}

// Ending says where a run that ended before it had a report leaves its error.
type Ending struct {
	runner *github.Runner
	hide   *redact.Redactor // knows the token
}

// NewEnding is the runner's, with the token that no word may hold.
func NewEnding(runner *github.Runner, token string) Ending {
	return Ending{runner, redact.New([]string{token}, nil)}
}

// Hidden is what an error says, without the token.
func (e Ending) Hidden(err error) string { return e.hide.Text(err.Error()) }

// Without writes down the error of a run without a report, and returns it with its secrets hidden.
func (e Ending) Without(v report.Verdict, err error) error {
	heading := "## ⏸️ No verdict: nothing was judged"
	if v == report.Invalid {
		heading = "## 🚫 Nothing was run: an input is not valid"
	}
	err = hiddenError{err, e.Hidden(err)}
	return errors.Join(err, e.runner.Summary(heading+"\n\n"+show.Inline(err.Error())+"\n"), e.runner.SetOutput("verdict", string(v)))
}

// hiddenError is an error whose text has its secrets hidden: GitHub may repeat a token.
type hiddenError struct {
	err  error
	text string
}

func (e hiddenError) Error() string { return e.text }
func (e hiddenError) Unwrap() error { return e.err }

// heedBranch looks at the branch of a pull request once more.
func (j Job) heedBranch(ctx context.Context, in sides.Inputs, judged Outcome) {
	rep, c := judged.Report, judged.eventRevisions
	if c.event.Name != "pull_request" || rep.Verdict == report.Invalid {
		return
	}
	name := c.RulesName
	changed, err := j.rulesMoved(ctx, in, judged)
	switch {
	case err != nil && rep.Verdict == report.Passed:
		undecide(rep, fmt.Sprintf("could not read whether the rules of %s changed: %v; run the job again", name, err))
	case err != nil:
		j.say("could not read whether the rules of %s changed: %v", name, err)
	case len(changed) > 0:
		undecide(rep, fmt.Sprintf("the rules of %s changed since this commit was judged (%s): update the branch", name, strings.Join(changed, ", ")))
	}
}

// heedAcceptances accepts what decided, where reviews or commands do.
func (j Job) heedAcceptances(ctx context.Context, judged Outcome) {
	rep, event := judged.Report, judged.event
	defaultPush := event.Name == "push" && event.HeadRef == judged.branch && event.BaseSHA != ""
	reviewed := event.Name == "pull_request" || event.Name == "merge_group" || defaultPush
	if !reviewed || !gate.Acceptable(rep.Verdict, rep.Reasons) {
		return
	}
	accepted, err := j.github.Accepted(ctx, j.mark())
	whyNot := accepted.Refused()
	switch {
	case errors.Is(err, github.ErrNobody):
		whyNot = err.Error()
	case err != nil:
		whyNot = fmt.Sprintf("could not read whether a review accepts this: %v", err)
	}
	rep.Verdict, rep.Reasons = gate.Accept(rep.Reasons, accepted.Pushed(), document.Line(whyNot), func(r report.Reason) string { return accepted.Of(r.Code, caseNames(r.About(), judged.Shared)) })
	rep.Acceptable = rep.Verdict == report.Failed
}

// caseNames returns the names of each case: SUITE/CASE, and also CASE if no other suite has that id.
func caseNames(cases []string, shared func(id string) bool) (out [][]string) {
	for _, name := range cases {
		names := []string{name}
		if id := path.Base(name); !shared(id) {
			names = append(names, id)
		}
		out = append(out, names)
	}
	return out
}

// undecide makes a report undecided for a reason that stands before all others.
func undecide(rep *report.Report, why string) {
	rep.Verdict = report.Undecided
	rep.Reasons = slices.Insert(rep.Reasons, 0, report.Reason{Code: gate.BaseMoved.Code, Level: report.LevelError, Message: document.Line(why)})
}

// rulesMoved lists the rules that the branch has changed since the head was judged by it.
func (j Job) rulesMoved(ctx context.Context, in sides.Inputs, judged Outcome) ([]string, error) {
	tip, err := j.github.Tip(ctx, judged.RulesName)
	if err != nil || tip == judged.Rules {
		return nil, err
	}
	then, err := judged.open(ctx, judged.Rules)
	if err != nil {
		return nil, err
	}
	now, err := judged.open(ctx, tip)
	if err != nil {
		return nil, err
	}
	changed := sides.RulesChanged(in, then, now)
	return changed, errors.Join(then.Err(), now.Err())
}
