package github

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// TriggeringRun is a completed run of another workflow, whose end started this run.
type TriggeringRun struct {
	Run, Workflow int64 // ids
	Branch        string
}

// TriggeredPull returns the pull request of the run that triggered this one. It is the only open pull request whose
// head is the run's commit, on the run's branch and in the run's head repository. TriggeredPull trusts nothing else in
// the run. If there is no such pull request, or more than one, ok is false.
func TriggeredPull(ctx context.Context, client *github.Client, run Event) (e Event, ok bool, err error) {
	owner, _, _ := strings.Cut(run.HeadRepo, "/")
	options := &github.PullRequestListOptions{State: "open", Head: owner + ":" + run.TriggeredBy.Branch}
	all, _, err := readPages(5, func(page github.ListOptions) ([]*github.PullRequest, *github.Response, error) {
		options.ListOptions = page
		return client.PullRequests.List(ctx, run.Owner, run.Repo, options)
	})
	if err != nil {
		return e, false, fmt.Errorf("read the pull requests of the run: %w", WithoutURL(err))
	}
	all = slices.DeleteFunc(all, func(p *github.PullRequest) bool {
		head := p.GetHead()
		return p.GetState() != "open" || head.GetSHA() != run.HeadSHA ||
			!strings.EqualFold(head.GetRepo().GetFullName(), run.HeadRepo)
	})
	if len(all) != 1 {
		return e, false, nil
	}
	e, err = Event{Name: "pull_request", Action: "workflow_run", Owner: run.Owner, Repo: run.Repo,
		DefaultBranch: run.DefaultBranch, Privileged: true, TriggeredBy: run.TriggeredBy}.withPull(all[0])
	return e, err == nil, err
}

// LastPush returns the id and the time of the last completed run of a workflow on a push to a branch. Both are zero if
// there is no such run. workflow is the workflow's id or the name of its file.
func LastPush(ctx context.Context, client *github.Client, e Event,
	workflow, branch string) (run int64, at time.Time, err error) {
	options := &github.ListWorkflowRunsOptions{Branch: branch, Event: "push", Status: "completed",
		ListOptions: github.ListOptions{PerPage: 1}}
	all, _, err := client.Actions.ListWorkflowRunsByFileName(ctx, e.Owner, e.Repo, workflow, options)
	switch {
	case StatusOf(err) == http.StatusNotFound: // no such workflow
		return 0, at, nil
	case err != nil:
		return 0, at, fmt.Errorf("read the runs of the workflow on %s: %w", oneLine(branch), WithoutURL(err))
	}
	for _, w := range all.WorkflowRuns {
		if w.GetEvent() == "push" && w.GetHeadBranch() == branch &&
			strings.EqualFold(w.GetHeadRepository().GetFullName(), e.Owner+"/"+e.Repo) {
			return w.GetID(), w.GetCreatedAt().Time, nil
		}
	}
	return 0, at, nil
}

// Artifact returns the files of a run's artifact with the given name, or nil if there is none or it has expired.
func Artifact(ctx context.Context, client *github.Client, e Event, run int64, name string) (fs.FS, error) {
	all, _, err := readPages(10, func(page github.ListOptions) ([]*github.Artifact, *github.Response, error) {
		list, response, err := client.Actions.ListWorkflowRunArtifacts(ctx, e.Owner, e.Repo, run, &page)
		if err != nil {
			return nil, response, err
		}
		return list.Artifacts, response, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the artifacts of run %d: %w", run, WithoutURL(err))
	}
	i := slices.IndexFunc(all, func(a *github.Artifact) bool { return a.GetName() == name && !a.GetExpired() })
	if i < 0 {
		return nil, nil
	}
	data, err := download(ctx, client, e, all[i].GetID())
	if err != nil {
		return nil, fmt.Errorf("read artifact %s of run %d: %w", oneLine(name), run, WithoutURL(err))
	}
	files, err := openZip(data)
	if err != nil {
		return nil, fmt.Errorf("artifact %s of run %d: %w", oneLine(name), run, err)
	}
	return files, nil
}

// download returns the zip of an artifact. The zip is on another host, which must not get the token.
func download(ctx context.Context, client *github.Client, e Event, id int64) ([]byte, error) {
	at, _, err := client.Actions.DownloadArtifact(ctx, e.Owner, e.Repo, id, 1)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil || webURL(at.String()) == nil || at.User != nil ||
		at.Scheme != "https" && client.BaseURL.Scheme == "https" {
		return nil, errors.New("GitHub named no address of it")
	}
	response, err := client.Client().Do(request)
	if err != nil { // the error has an address with which anybody can read the file
		return nil, errors.New("the host that holds it did not answer")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the host that holds it answered with status %d", response.StatusCode)
	}
	return io.ReadAll(response.Body) // the client bounds its size
}

// Limits of a zip.
const (
	maxZipFiles = 10_000
	maxUnpacked = 512 << 20 // bytes
)

// ErrZip is the error of a rejected zip. A retry cannot help, because the artifact itself is invalid.
var ErrZip = errors.New("the artifact is not read")

// openZip opens a zip. It returns an error that wraps ErrZip if the data is no zip or the zip is too large. It also
// rejects a zip with a link or another special file, a repeated path, or a path that leads out of the zip.
func openZip(data []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%w: it is no zip", ErrZip)
	}
	if len(z.File) > maxZipFiles {
		return nil, fmt.Errorf("%w: it holds more than %d files", ErrZip, maxZipFiles)
	}
	seen, size := map[string]bool{}, uint64(0)
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") {
			return nil, fmt.Errorf("%w: it holds the path %q, which leads out of it", ErrZip, oneLine(f.Name))
		}
		mode := f.Mode()
		if !mode.IsRegular() && !mode.IsDir() {
			return nil, fmt.Errorf("%w: %q in it is no regular file", ErrZip, oneLine(f.Name))
		}
		if seen[name] {
			return nil, fmt.Errorf("%w: it holds %q twice", ErrZip, oneLine(f.Name))
		}
		seen[name] = true
		if size += f.UncompressedSize64; size > maxUnpacked || f.UncompressedSize64 > maxUnpacked {
			return nil, fmt.Errorf("%w: it holds more than 512 MiB", ErrZip)
		}
	}
	return z, nil
}
