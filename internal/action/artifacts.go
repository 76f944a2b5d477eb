package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/sides"
)

// handleRun returns the job for the pull request of the completed run that started j.
func (j Job) handleRun(ctx context.Context) (_ Job, judge bool, err error) {
	if j.in.Results == nil || j.in.Results.Head == "" {
		return j, false, fault.Inputf("the event workflow_run is not tied to a pull request's commit: it judges " +
			"results of another runner alone; " +
			"set results-head, or use `on: pull_request`")
	}
	pull, ok, err := j.repo.TriggeredPull(ctx)
	if err != nil {
		return j, false, fault.Unreachable{Err: err}
	}
	if !ok {
		j.log("not exactly one open pull request has commit %s of %s as its head; nothing is judged or posted",
			j.repo.HeadSHA, j.repo.HeadRepo)
		return j, false, nil
	}
	j.repo, j.in.ByComment = pull, true
	return j, true, nil
}

// artifactForm matches the name of an artifact, optionally followed by @ and a branch.
var artifactForm = regexp.MustCompile(`^[^@/\\:*?"<>|\r\n]{1,200}(@[^@\s]{1,200})?$`)

// artifacts returns a function that opens the artifact NAME or NAME@BRANCH. NAME is an artifact of the completed run
// that started this run. If no other run started this run, NAME is an artifact of this run. NAME@BRANCH is an artifact
// of the last completed run of the same workflow on a push to BRANCH.
func (j Job) artifacts(ctx context.Context) sides.Artifacts {
	return func(spec string) (fs.FS, string, error) {
		if !artifactForm.MatchString(spec) {
			return nil, "", fault.Inputf("artifact:%s is no artifact; expected artifact:NAME or "+
				"artifact:NAME@BRANCH", spec)
		}
		name, branch, onBranch := strings.Cut(spec, "@")
		run, workflow, note := j.repo.Run.ID, path.Base(j.repo.Run.Workflow), ""
		if t := j.repo.TriggeredBy; t != nil {
			run, workflow = t.GetID(), strconv.FormatInt(t.GetWorkflowID(), 10)
		}
		if onBranch {
			last, at, err := j.repo.LastPush(ctx, workflow, branch)
			if err != nil {
				return nil, "", fault.Unreachable{Err: err}
			}
			if last == 0 {
				return nil, "no run of this workflow on a push to " + branch + " has ended: there is no base to " +
					"compare with", nil
			}
			run = last
			note = fmt.Sprintf("the base's results were made at %s by a run of %s: a model or a day that changed "+
				"since looks like a regression",
				at.UTC().Format(time.RFC3339), branch)
		}
		files, err := j.repo.Artifact(ctx, run, name)
		switch {
		case errors.Is(err, github.ErrZip):
			return nil, "", fault.Inputf("%w", err)
		case err != nil:
			return nil, "", fault.Unreachable{Err: err}
		}
		if files == nil && onBranch {
			note = "the last run of " + branch + " has no artifact " + name + ": there is no base to compare with"
		}
		return files, note, nil
	}
}
