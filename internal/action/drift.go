package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// DriftFolder is the folder, below the workspace, in which a scheduled run keeps the counts of its answers for the next
// scheduled run.
const DriftFolder = ".failproof/drift"

// pastFile is the name of the file in DriftFolder.
const pastFile = "past.json"

// maxPast is the largest size of pastFile in bytes. The counts of a million cases need less.
const maxPast = 512 << 20

// driftFile is the content of pastFile.
type driftFile struct {
	Form  int          `json:"form"`
	Issue int          `json:"issue,omitempty"` // number of the open issue about the drift; 0: none
	Cases []drift.Past `json:"cases"`
}

// IsScheduled reports whether a schedule started the job. Such a job has no change to judge, so it measures drift.
func (j Job) IsScheduled() bool { return j.repo.Name == "schedule" }

// Measure judges the default branch, and compares the answers of live targets with those of earlier scheduled runs. It
// reads the counts of earlier answers from folder and writes the new counts there. Measure keeps one open issue that
// names the drifted cases, and closes it when no case is drifted.
func (j Job) Measure(ctx context.Context, folder *output.Folder, to asking.Sinks) (Outcome, error) {
	in := j.in.Inputs
	var err error
	if in.Head, err = j.open(ctx, j.repo.HeadSHA); err != nil {
		return Outcome{}, fault.Unreachable{Err: fmt.Errorf("read the head: %w", err)}
	}
	before := driftFile{Form: 1, Cases: []drift.Past{}}
	if brings, unknown := in.CommitContains(DriftFolder); brings || unknown != nil {
		j.log("the commit contains %s, which is not read: this run starts a new history; remove the folder from "+
			"the branch", DriftFolder)
	} else if err = before.read(folder); err != nil {
		return Outcome{}, fault.Inputf("%s/%s: %w; delete it to start again", DriftFolder, pastFile, err)
	}
	j.in.Drift, j.in.Cache, j.in.Scope, j.in.Bootstrap = &before.Cases, sides.NoCache, sides.ScopeAll, true
	judged, err := j.Judge(ctx, to)
	if err != nil || judged.Report.Drift == nil {
		return judged, err
	}
	before.Issue = j.updateIssue(ctx, before.Issue, judged)
	return judged, folder.Print(pastFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(before) })
}

// read reads the past from folder, if there is one.
func (d *driftFile) read(folder *output.Folder) error {
	text, err := folder.Read(pastFile, maxPast)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		*d = driftFile{}
		err = json.Unmarshal(text, d)
	}
	if err == nil && (d.Form != 1 || d.Issue < 0 || d.Cases == nil) {
		err = errors.New("it is not a file that a scheduled run of this version of failproof wrote")
	}
	return err
}

// updateIssue opens, updates or closes the issue about the drift. number is the open issue's, or 0 if there is none.
// updateIssue returns the number of the issue that is open now, or 0.
func (j Job) updateIssue(ctx context.Context, number int, judged Outcome) int {
	found := judged.Report.Drift
	v := story.New(judged.Report, judged.Links)
	i := github.Issue{Number: number, Body: comment.Markdown(v) + "\n" + comment.Facts(v)}
	switch {
	case len(found.Drifted) > 0:
		i.Title = fmt.Sprintf("Prompts: %s answered worse than before", show.Count(len(found.Drifted), "case"))
		i.Open, i.Reopen = true, slices.ContainsFunc(found.Drifted, func(c report.DriftedCase) bool { return c.New })
	case number > 0:
		i.Title = "Prompts: answered as well as before again"
	default:
		return 0
	}
	number, err := i.Upsert(ctx, j.repo)
	if err != nil {
		j.logError(fmt.Errorf("%w; the token needs `issues: write`", err))
		return i.Number
	}
	return number
}
