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
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// TriggeredPull returns the pull request of the run that triggered this one. It is the only open pull request whose
// head is the run's commit, on the run's branch and in the run's head repository. TriggeredPull trusts nothing else in
// the run. If there is no such pull request, or more than one, ok is false.
func (r *Repository) TriggeredPull(ctx context.Context) (pull *Repository, ok bool, err error) {
	owner, _, _ := strings.Cut(r.HeadRepo, "/")
	options := &github.PullRequestListOptions{State: "open", Head: owner + ":" + r.HeadRef}
	all, err := readPages("pull requests of the run", 5,
		func(page github.ListOptions) ([]*github.PullRequest, *github.Response, error) {
			options.ListOptions = page
			return r.client.PullRequests.List(ctx, r.Owner, r.Repo, options)
		})
	all = slices.DeleteFunc(all, func(p *github.PullRequest) bool {
		head := p.GetHead()
		return p.GetState() != "open" || head.GetSHA() != r.HeadSHA ||
			!strings.EqualFold(head.GetRepo().GetFullName(), r.HeadRepo)
	})
	if err != nil || len(all) != 1 {
		return nil, false, err
	}
	pull, err = r.privileged("workflow_run", all[0])
	return pull, err == nil, err
}

// privileged returns the repository for a pull request that is judged with the repository's token and secrets.
func (r *Repository) privileged(action string, p *github.PullRequest) (*Repository, error) {
	e, err := Event{Name: "pull_request", Action: action, Owner: r.Owner, Repo: r.Repo,
		DefaultBranch: r.DefaultBranch, Privileged: true, TriggeredBy: r.TriggeredBy}.withPull(p)
	return r.With(e), err
}

// LastPush returns the id and the time of the last completed run of a workflow on a push to a branch. Both are zero if
// there is no such run. workflow is the workflow's id or the name of its file.
func (r *Repository) LastPush(ctx context.Context, workflow, branch string) (run int64, at time.Time, err error) {
	options := &github.ListWorkflowRunsOptions{Branch: branch, Event: "push", Status: "completed",
		ListOptions: github.ListOptions{PerPage: 1}}
	all, _, err := r.client.Actions.ListWorkflowRunsByFileName(ctx, r.Owner, r.Repo, workflow, options)
	if StatusOf(err) == http.StatusNotFound { // no such workflow
		return 0, at, nil
	}
	if err != nil {
		return 0, at, describe(err, "read the runs of the workflow on %s", oneLine(branch))
	}
	for _, w := range all.WorkflowRuns {
		if w.GetEvent() == "push" && w.GetHeadBranch() == branch &&
			strings.EqualFold(w.GetHeadRepository().GetFullName(), r.Owner+"/"+r.Repo) {
			return w.GetID(), w.GetCreatedAt().Time, nil
		}
	}
	return 0, at, nil
}

// Artifact returns the files of a run's artifact with the given name, or nil if there is none or it has expired.
func (r *Repository) Artifact(ctx context.Context, run int64, name string) (fs.FS, error) {
	all, err := readPages(fmt.Sprintf("artifacts of run %d", run), 10,
		func(page github.ListOptions) ([]*github.Artifact, *github.Response, error) {
			list, response, err := r.client.Actions.ListWorkflowRunArtifacts(ctx, r.Owner, r.Repo, run, &page)
			if err != nil {
				return nil, nil, err
			}
			return list.Artifacts, response, nil
		})
	i := slices.IndexFunc(all, func(a *github.Artifact) bool { return a.GetName() == name && !a.GetExpired() })
	if err != nil || i < 0 {
		return nil, err
	}
	var data []byte
	at, _, err := r.client.Actions.DownloadArtifact(ctx, r.Owner, r.Repo, all[i].GetID(), 1)
	if err == nil {
		data, err = download(ctx, r.client, at)
	}
	if err != nil {
		return nil, describe(err, "read artifact %s of run %d", oneLine(name), run)
	}
	files, err := openZip(data)
	if err != nil {
		return nil, fmt.Errorf("artifact %s of run %d: %w", oneLine(name), run, err)
	}
	return files, nil
}

// download returns the zip of an artifact at an address on another host, which must not get the token.
func download(ctx context.Context, client *github.Client, at *url.URL) ([]byte, error) {
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
		name, mode := strings.TrimSuffix(f.Name, "/"), f.Mode()
		size += min(f.UncompressedSize64, maxUnpacked+1)
		wrong := ""
		switch {
		case !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00"):
			wrong = fmt.Sprintf("the path %q, which leads out of it", oneLine(f.Name))
		case !mode.IsRegular() && !mode.IsDir():
			wrong = fmt.Sprintf("%q, which is no regular file", oneLine(f.Name))
		case seen[name]:
			wrong = fmt.Sprintf("%q twice", oneLine(f.Name))
		case size > maxUnpacked:
			wrong = "more than 512 MiB"
		}
		if wrong != "" {
			return nil, fmt.Errorf("%w: it holds %s", ErrZip, wrong)
		}
		seen[name] = true
	}
	return z, nil
}
