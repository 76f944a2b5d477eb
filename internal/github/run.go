package github

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// Run is what the runner says about the job that this process is part of.
type Run struct {
	ID      int64 // GITHUB_RUN_ID, the same in every attempt; GitHub counts it up
	Attempt int   // from 1

	Workflow string // the workflow's path in the repository, else its name
	Job      string // the job's key in the workflow: equal for all jobs of a matrix

	Server  string // https://github.com, without a slash at the end
	API     string // https://api.github.com
	Sources string // owner/name of the repository
}

// ReadRun reads the runner's variables. A variable that is not set or not a number is a fault with its name.
func ReadRun(env func(string) string) (Run, error) {
	id, err := positive(env, "GITHUB_RUN_ID")
	if err != nil {
		return Run{}, err
	}
	attempt, err := positive(env, "GITHUB_RUN_ATTEMPT")
	if err != nil {
		return Run{}, err
	}
	run := Run{ID: id, Attempt: int(attempt), Workflow: workflow(env), Job: env("GITHUB_JOB"), Sources: env("GITHUB_REPOSITORY")}
	if run.Server, err = address(env, "GITHUB_SERVER_URL", "https://github.com"); err != nil {
		return Run{}, err
	}
	run.API, err = address(env, "GITHUB_API_URL", "https://api.github.com")
	return run, err
}

// URL is the page of the run.
func (r Run) URL() string {
	return r.Server + "/" + r.Sources + "/actions/runs/" + strconv.FormatInt(r.ID, 10) + "/attempts/" + strconv.Itoa(r.Attempt)
}

// positive reads a number up to 2^53, the largest that a JSON client on the way keeps.
func positive(env func(string) string, name string) (int64, error) {
	n, err := strconv.ParseInt(env(name), 10, 64)
	if err != nil || n <= 0 || n > 1<<53 {
		return 0, fault(name, "%q is not a positive number", text.CutBytes(env(name), 60))
	}
	return n, nil
}

// workflow prefers the file's path: two workflows may bear one name, and a name changes more easily than a path.
// GITHUB_WORKFLOW_REF is owner/name/.github/workflows/file.yml@refs/….
func workflow(env func(string) string) string {
	path, _, _ := strings.Cut(env("GITHUB_WORKFLOW_REF"), "@")
	if path, is := strings.CutPrefix(path, env("GITHUB_REPOSITORY")+"/"); is && path != "" {
		return path
	}
	return env("GITHUB_WORKFLOW")
}

func address(env func(string) string, name, otherwise string) (string, error) {
	value := cmp.Or(env(name), otherwise)
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.RawQuery != "" || u.User != nil {
		return "", fault(name, "%q is not an address", text.CutBytes(value, 100))
	}
	return strings.TrimRight(value, "/"), nil
}
