// Package action runs failproof inside GitHub Actions: it judges the commits that the event compares, and publishes
// the result on GitHub.
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

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// Inputs are the inputs of the action.
type Inputs struct {
	sides.Inputs        // without the compared trees, which the event decides
	Compare      string // branch, tag or SHA to compare with; "" for the event's own base
	Comment      github.CommentMode
	Check        bool   // create a check run on GitHub
	Name         string // distinguishes several runs of one pull request; "" for only one
	Merge        bool   // judge the answers of a run's shards
	Root         string // root of the checkout; the current folder if there is none
	Folder       string // folder of the trees and all paths, relative to the repository's root; "" for the root
	Out          string // the folder for the files, below the workspace
	Page         string // address at which report.html will be published; "" for none
}

// Job is one run inside GitHub Actions.
type Job struct {
	in     Inputs
	runner *github.Runner
	log    func(format string, args ...any)
	repo   *github.Repository // of the event
	asked  *github.Repository // of the comment that started the run; nil if no comment did
	remote *source.Remote
}

// NewJob returns the job for the event that started the run. log writes a line to the job's log. sleep waits between
// requests to GitHub; nil waits in real time. The error is a fault.Input.
func NewJob(in Inputs, runner *github.Runner, log func(format string, args ...any), sleep github.Sleep) (Job, error) {
	event, wrongEvent := github.LoadEvent(in.Getenv)
	started, wrongRun := github.ReadRun(in.Getenv)
	client, wrongClient := github.NewClient(github.Options{BaseURL: started.API, Token: runner.Token(),
		UserAgent: "failproof/" + in.Version, Sleep: sleep})
	if err := cmp.Or(wrongEvent, wrongRun, wrongClient); err != nil {
		return Job{}, fault.Input{Err: err}
	}
	started.Name = in.Name
	in.RunID = fmt.Sprintf("%d.%d", started.ID, started.Attempt)
	in.ConfigDir = filepath.Join(in.Root, filepath.FromSlash(in.Folder))
	in.Secrets = []string{runner.Token()}
	return Job{in: in, runner: runner, log: log, repo: github.NewRepository(client, event, started, sleep),
		remote: source.NewRemote(client, event.Owner, event.Repo)}, nil
}

// Prepare returns the job to run: the job itself or, if a comment or another workflow's run started it, the job for the
// pull request. The result judge is false if there is nothing to judge.
func (j Job) Prepare(ctx context.Context) (_ Job, judge bool, err error) {
	switch {
	case j.repo.Comment != nil:
		return j.handleComment(ctx)
	case j.repo.TriggeredBy != nil:
		return j.handleRun(ctx)
	}
	return j, true, nil
}

// Outcome is the result of a job's run, with the revisions that the run compared.
type Outcome struct {
	run.Result
	Links show.Links
	eventRevisions
	head *source.Tree // the judged tree; nil: none
}

// Judge compares the event's commits and applies the gate. It then adds what only GitHub knows about the verdict. It
// reads the commits from the checkout, or through the API if the checkout lacks some of their files.
func (j Job) Judge(ctx context.Context, to asking.Sinks) (Outcome, error) {
	c, err := j.readRevisions(ctx)
	out := Outcome{Links: j.links(c), eventRevisions: c}
	in := j.inputs(c)
	in.Artifact = j.artifacts(ctx)
	if errors.Is(err, github.ErrNoMerge) {
		in.Head = &source.Tree{Revision: source.Revision{Kind: source.KindCommit, Name: fmt.Sprintf("#%d", j.repo.Number),
			SHA: j.repo.HeadSHA}}
		out.Result, err = run.Unjudged(in, to.Out, gate.NoMerge.Code, err.Error())
		return out, err
	}
	if err != nil {
		return Outcome{}, err
	}
	err = j.onTrees(ctx, in, c, func(in sides.Inputs) (err error) {
		if out.Result, err = run.Judge(ctx, in, to); err != nil {
			return err
		}
		out.head = in.Head
		// GitHub may still change the verdict. It becomes undecided if the branch's rules have changed, and a review
		// may accept what the change removes. A canceled run is undecided already.
		if ctx.Err() == nil {
			j.undecideIfRulesChanged(ctx, in, out)
			j.applyAcceptances(ctx, out)
		}
		return nil
	})
	return out, err
}

// AskShard asks the questions of the shard that the inputs name. It publishes nothing.
func (j Job) AskShard(ctx context.Context, to asking.Sinks) (done shards.Result, err error) {
	c, err := j.readRevisions(ctx)
	if err != nil {
		return done, err
	}
	err = j.onTrees(ctx, j.inputs(c), c, func(in sides.Inputs) (err error) {
		done, err = run.AskShard(ctx, in, to)
		return err
	})
	return done, err
}

// inputs returns the inputs of a run on c. They say whether the head is a fork's, and who made another runner's
// results.
func (j Job) inputs(c eventRevisions) sides.Inputs {
	in := j.in.Inputs
	in.Fork = c.repo.Fork
	// The first push of the default branch has no earlier rules, and its configuration is merged.
	in.Bootstrap = in.Bootstrap || c.repo.Name == "push" && c.Rules == ""
	if c.repo.Name == "pull_request" {
		in.ResultsOrigin = "the pull request made these results: whoever writes them writes the verdict"
	}
	return in
}

// links returns the links for the report of a run on c.
func (j Job) links(c eventRevisions) show.Links {
	r := c.repo
	l := show.Links{Server: r.Run.Server, Repo: r.Owner + "/" + r.Repo,
		HeadSHA: cmp.Or(c.Head, r.HeadSHA), BaseSHA: c.Base,
		RunURL: r.Run.URL(), Name: j.in.Name, RunWord: github.RunWord(j.in.Name),
		Number: r.Number, Dir: j.in.Folder, Page: j.in.Page}
	if r.Name == "pull_request" {
		l.PullSHA, l.Fork = r.HeadSHA, r.Restricted()
	}
	return l
}

// InFolder returns a copy of the inputs for a run in the given folder and with the given name. folder is relative to
// the root of the checkout; "" means the current folder. If name is "", InFolder makes a name from the folder, the
// suites or the configuration of the inputs. The error is a fault.Input.
func (in Inputs) InFolder(folder, name string) (Inputs, error) {
	root, below, err := source.FindRepository(in.Dir)
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
		in.Name, from = github.FitName(in.defaultName()), " (default: from the run's inputs)"
	}
	if err := github.ValidName(in.Name); err != nil {
		return in, fault.Inputf("input name%s: %w", from, err)
	}
	return in, nil
}

// defaultName returns what a run works on: its folder, or else its suites, or else its configuration. An underscore
// replaces each character that a name must not have. The result is "" for default inputs.
func (in Inputs) defaultName() string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(",()", r) {
			return '_'
		}
		return r
	}, cmp.Or(in.Folder, strings.Join(in.Suites, " "), in.Config))
}

// PublishError publishes the error of a run that ended before it had a report. It returns the error without the token.
func PublishError(runner *github.Runner, err error) error {
	verdict, heading := report.Undecided, "## ⏸️ No verdict: nothing was judged"
	_, unreachable := errors.AsType[fault.Unreachable](err)
	if _, input := errors.AsType[fault.Input](err); input && !unreachable {
		verdict, heading = report.Invalid, "## 🚫 Nothing was run: an input is not valid"
	}
	err = redactedError{err, runner.Redacted(err)}
	return errors.Join(err, runner.Summary(heading+"\n\n"+show.Inline(err.Error())+"\n"),
		runner.SetOutput("verdict", string(verdict)))
}

// redactedError is an error with redacted text.
type redactedError struct {
	err  error
	text string
}

func (e redactedError) Error() string { return e.text }
func (e redactedError) Unwrap() error { return e.err }

// undecideIfRulesChanged makes the report undecided if the rules of its branch changed during the run. It also does so
// if the report passed and the branch's rules cannot be read.
func (j Job) undecideIfRulesChanged(ctx context.Context, in sides.Inputs, judged Outcome) {
	rep, name := judged.Report, judged.RulesName
	if judged.repo.Name != "pull_request" || rep.Verdict == report.Invalid {
		return
	}
	changed, err := j.changedRules(ctx, in, judged)
	switch {
	case err != nil && rep.Verdict == report.Passed:
		undecide(rep, fmt.Sprintf("could not read whether the rules of %s changed: %v; run the job again", name, err))
	case err != nil:
		j.log("could not read whether the rules of %s changed: %v", name, err)
	case len(changed) > 0:
		undecide(rep, fmt.Sprintf("the rules of %s changed since this commit was judged (%s): update the branch", name,
			strings.Join(changed, ", ")))
	}
}

// applyAcceptances sets the verdict and the reasons of the report by the reviews and commands that accept its changes.
func (j Job) applyAcceptances(ctx context.Context, judged Outcome) {
	rep, event := judged.Report, judged.repo.Event
	defaultPush := event.Name == "push" && event.HeadRef == event.DefaultBranch && event.BaseSHA != ""
	reviewed := event.Name == "pull_request" || event.Name == "merge_group" || defaultPush
	if !reviewed || rep.Verdict != report.Failed {
		return
	}
	accepted, err := judged.repo.Accepted(ctx)
	unread := ""
	switch {
	case errors.Is(err, github.ErrNobody):
		unread, rep.NobodyAccepts = err.Error(), true
	case err != nil:
		unread = fmt.Sprintf("could not read whether a review accepts this: %v", err)
	}
	acceptedBy := func(r report.Reason) (who, why string) {
		who, why = accepted.AcceptedBy(r.Code, caseNames(r.CaseNames(), judged.InSeveralSuites))
		return who, document.Line(cmp.Or(unread, why))
	}
	rep.Verdict, rep.Reasons = gate.Accept(rep.Reasons, accepted.PushedBy(), acceptedBy)
	rep.Acceptable = gate.Acceptable(rep.Verdict, rep.Reasons)
}

// caseNames returns the names under which each case can be accepted: SUITE/CASE, and also CASE if no other suite has a
// case with that id. shared reports whether several suites have a case with an id.
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

// undecide makes rep undecided and inserts why as its first reason.
func undecide(rep *report.Report, why string) {
	rep.Verdict = report.Undecided
	rep.Reasons = slices.Insert(rep.Reasons, 0,
		report.Reason{Code: gate.BaseMoved.Code, Level: report.LevelError, Message: document.Line(why)})
}

// changedRules returns the keys of the rules in which the branch's current tip differs from the commit judged.Rules.
func (j Job) changedRules(ctx context.Context, in sides.Inputs, judged Outcome) ([]string, error) {
	tip, err := j.repo.Tip(ctx, judged.RulesName)
	if err != nil || tip == judged.Rules {
		return nil, err
	}
	before, err := j.open(ctx, judged.Rules)
	if err != nil {
		return nil, err
	}
	now, err := j.open(ctx, tip)
	if err != nil {
		return nil, err
	}
	changed := sides.ChangedRules(in, before, now)
	return changed, errors.Join(before.Err(), now.Err())
}
