package sides

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/stored"
	"github.com/failproof/failproof/internal/text"
)

// Values of Inputs.Scope.
const (
	ScopeChanged = "changed"
	ScopeAll     = "all"
)

// NoCache is the value of Inputs.Cache for no response cache.
const NoCache = "off"

// Inputs are the inputs of a run: the trees of files, the caller's settings and the environment.
type Inputs struct {
	Head  *source.Tree
	Base  *source.Tree // nil: no base
	Rules *source.Tree // the tree whose rules apply; nil: the base
	// if the tree of the rules has no configuration, the configuration of this tree applies; nil: none
	Fallback       *source.Tree
	Stored         *stored.Run                  // a stored report as the base; nil: none
	Results        *ResultPaths                 // another tool's results to judge instead of suites; nil: as configured
	ResultsOrigin  string                       // how the head's results were made, in a sentence; "": unknown
	AcceptsResults bool                         // another tool's results are accepted; otherwise they are an error
	Artifact       Artifacts                    // opens workflow artifacts; nil: there are none
	OpenBranch     func() (*source.Tree, error) // returns the branch before the merge; nil: Head is no merge commit
	Warnings       []report.Warning             // made while these inputs were opened

	Config     string     // path of the configuration; "": the usual paths
	Suites     []string   // files or globs; nil: as configured
	Scope      string     // ScopeChanged or ScopeAll
	Filter     CaseFilter // selects cases of the suites in scope
	Phase      string     // "": as configured
	MinScore   *float64   // run threshold in [0, 1]; nil: as configured
	Trials     int        // the number of trials of each live case; 0: as configured
	MaxTrials  int        // the largest number of trials of a live case; 0: no limit
	MaxCostUSD float64    // limit of cost in US dollars, used if below the configured one; 0: none
	Fork       bool       // the head comes from a fork
	// a comment requested the run; command targets do not run then, because the run has the repository's secrets
	ByComment bool
	Part      shard.Part     // the shard to ask, without judging; zero: the whole run
	Shards    *shard.Answers // answers of all shards; nil: the run is not sharded
	// earlier scheduled runs of the branch, to compare with; nil: drift is not measured
	Drift     *[]drift.Past
	ShardsDir string // the folder in which the action looked for Shards by itself; otherwise ""
	// call the live targets of a first configuration, because the caller or the workflow allows it
	Bootstrap bool
	// asks a person about targets that only the head names, and returns an error if they must not be called; nil: call
	// them
	ConfirmTargets func([]UntrustedTarget) error

	RunID     string // "": made from the time
	Version   string // version of failproof
	Dir       string // the working folder, which contains the output files and the cache
	ConfigDir string // the local folder in which the paths of the configuration begin; "": Dir
	Cache     string // folder of the response cache; "": the default, NoCache: none
	Afresh    bool   // no answer is taken from the response cache; new ones are kept there
	Secrets   []string
	Getenv    func(string) string
	Now       func() time.Time
	Progress  *progress.Progress
}

// Time returns the current time, or SOURCE_DATE_EPOCH if it is set.
func (in Inputs) Time() time.Time {
	if epoch := in.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		if seconds, err := strconv.ParseInt(epoch, 10, 64); err == nil {
			return time.Unix(seconds, 0).UTC()
		}
	}
	return in.Now().UTC()
}

// SuiteGlobs returns the suite files that the caller names. If the caller names none, it returns configured.
func (in Inputs) SuiteGlobs(configured []string) []string {
	if len(in.Suites) > 0 {
		return in.Suites
	}
	return configured
}

// OpenHead opens the revision or folder head. If head is empty, it opens the working tree below dir. The error is a
// fault.Input.
func OpenHead(dir, head string) (*source.Tree, error) {
	if head == "" {
		tree, err := source.Worktree(dir)
		return tree, inputError("open the working tree", err)
	}
	tree, err := source.Open(dir, head)
	return tree, inputError("open the head", err)
}

// WithBase returns in with the base that the value base of --base names. A value written as a path is a stored report
// or a folder. Any other value is a revision.
//
// With a revision, the rules are those of the revision and the base is its merge base with the head, as in a pull
// request. If the head is a folder, the base is the revision itself.
func (in Inputs) WithBase(base string) (Inputs, error) {
	tree, err := source.OpenBase(in.Dir, base, in.Head.Revision)
	if path, ok := reportPath(in.Dir, base, tree, err); ok {
		if err == nil && HasConfig(tree, "") {
			return in, fault.Inputf("--base: %s holds a report and a configuration, and which of them is meant "+
				"cannot be told; name the report.json itself, or take it out of the folder", filepath.Dir(path))
		}
		return in.withReport(path)
	}
	if in.Base = tree; err != nil {
		return in, inputError("open the base", err)
	}
	if tree.Revision.SHA == "" || in.Head.Revision.Kind == source.KindFolder {
		return in, nil
	}
	// A working tree has no SHA of its own: its merge base is that of its last commit.
	sha, err := source.MergeBase(in.Dir, tree.Revision.SHA, cmp.Or(in.Head.Revision.SHA, "HEAD"))
	if err != nil || sha == tree.Revision.SHA {
		return in, inputError("find the merge base", err)
	}
	name := tree.Revision.Name
	in.Rules = tree
	if in.Base, err = source.Git(in.Dir, sha); err != nil {
		return in, inputError("open the merge base", err)
	}
	in.Base.Revision.Name, in.Base.Revision.Ref = name, source.MergeBaseRef
	in.Warnings = []report.Warning{{Code: "base_ahead", Message: fmt.Sprintf(
		"%[1]s is ahead of the merge base: the pull request will be judged merged with %[1]s: merge it first to see "+
			"the same", name)}}
	return in, nil
}

// withReport returns in with the stored report in the file path as the base. It refuses a report that the change itself
// contains, and a report of only some cases.
func (in Inputs) withReport(path string) (_ Inputs, err error) {
	if in.Stored, err = stored.Read(path); err != nil {
		return in, err
	}
	if i := slices.IndexFunc(in.Stored.Report.Warnings,
		func(w report.Warning) bool { return w.Code == report.WarnOnlySome }); i >= 0 {
		return in, fault.Inputf("--base: the report in %s has only some cases (%s); run all cases for a base",
			in.Stored.Folder, in.Stored.Report.Warnings[i].Message)
	}
	for _, file := range []string{filepath.Base(path), output.ResultsFile} {
		brings, err := in.CommitContains(filepath.Join(in.Stored.Folder, file))
		if err != nil {
			return in, fault.Inputf("--base: could not tell whether the change contains %s in %s: %w",
				file, in.Stored.Folder, err)
		}
		if brings {
			return in, fault.Inputf("--base: the change brings %s of its own in %s, which is not read: whoever "+
				"wrote the change wrote it; "+
				"take the report from a run of the base and keep it out of every commit, or name a revision, such "+
				"as --base main", file, in.Stored.Folder)
		}
	}
	return in, nil
}

// WithLastCommit returns in with the last commit as the base. If there is no commit, it returns in unchanged.
func (in Inputs) WithLastCommit() (Inputs, error) {
	tree, err := source.Git(in.Dir, "HEAD")
	if errors.Is(err, source.ErrNoRevision) || errors.Is(err, source.ErrNoRepository) {
		return in, nil
	}
	in.Base = tree
	return in, inputError("open the last commit", err)
}

// reportPath returns the file of the stored report that base, the value of --base, names. It returns false if base
// names no stored report. tree and err are the results of opening base as a folder or revision.
//
// Only a value written as a path can be a file, because a change could add a file called main. A folder with a
// report.json is always a report, because a change could add a configuration to the folder.
func reportPath(dir, base string, tree *source.Tree, err error) (string, bool) {
	path := PathIn(dir, base)
	if err != nil {
		return path, source.WrittenAsPath(base) && isFile(path)
	}
	path = filepath.Join(path, output.ReportFile)
	return path, tree.Revision.Kind == source.KindFolder && isFile(path)
}

// PathIn returns path joined to dir. An absolute path stays as it is.
func PathIn(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func inputError(what string, err error) error {
	if err == nil {
		return nil
	}
	return fault.Inputf("%s: %w", what, err)
}

// DefaultBranch returns the reference of the default branch of dir's repository. It takes the first of these that
// exists: the HEAD of the remote origin, main or master on origin, local main, local master.
//
// If origin has both main and master but no HEAD, one of them may be an attempt to change the rules. DefaultBranch then
// returns an error, and the user has to choose.
func DefaultBranch(dir string) (string, error) {
	const none = "--base has no value, and there is no default branch: "
	remote, err := branches(dir, "refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master")
	if err != nil {
		return "", fault.Inputf(none + "this is no git repository; name a folder, or run `git init` and commit")
	}
	if len(remote) == 2 && remote[0] != "refs/remotes/origin/HEAD" {
		return "", fault.Inputf("--base has no value, and origin has both main and master: name one of them, or run " +
			"`git remote set-head origin --auto`")
	}
	local, _ := branches(dir, "refs/heads/main", "refs/heads/master") // cannot fail: dir is in a repository
	if all := slices.Concat(remote, local); len(all) > 0 {
		return all[0], nil
	}
	example := ""
	if others := source.Branches(dir); len(others) > 0 {
		example = ", such as `" + text.Command("--base", others[0]) + "`"
	}
	return "", fault.Inputf(none+"neither origin/HEAD nor main nor master is known here; name a revision or a folder%s. "+
		"If origin has the branch, `git remote set-head origin --auto` makes it known", example)
}

// BranchedFrom returns the default branch of dir's repository, or "" if that one is checked out. It also returns "" if
// there is no other branch. The error is that of DefaultBranch.
func BranchedFrom(dir string) (string, error) {
	branch, err := DefaultBranch(dir)
	switch {
	case err == nil && !source.IsCheckedOut(dir, branch):
		return branch, nil
	case err != nil && len(source.Branches(dir)) > 0:
		return "", err
	}
	return "", nil
}

// branches returns the names that are references of dir's repository. It returns source.ErrNoRepository if there is no
// repository.
func branches(dir string, names ...string) (found []string, err error) {
	for _, name := range names {
		tree, err := source.Git(dir, name)
		switch {
		case err == nil:
			found = append(found, name)
			_ = tree.Close() // a commit has nothing to close
		case errors.Is(err, source.ErrNoRepository):
			return nil, err
		}
	}
	return found, nil
}

// ConfigAbove returns the nearest folder above dir, up to the root of the repository, that has a configuration. It
// returns false if there is none, or if dir itself has a configuration.
func ConfigAbove(dir string) (string, bool) {
	_, below, err := source.FindRepository(dir)
	if err != nil || below == "." || HasConfig(os.DirFS(dir), "") {
		return "", false
	}
	for range strings.Count(below, "/") + 1 {
		if dir = filepath.Dir(dir); HasConfig(os.DirFS(dir), "") {
			return dir, true
		}
	}
	return "", false
}

// baseRevision returns the revision of the base, or nil if there is none.
func (in Inputs) baseRevision() *report.Revision {
	if in.Stored != nil {
		return new(in.Stored.Report.Run.Head)
	}
	if in.Base != nil {
		return new(Revision(in.Base.Revision))
	}
	return nil
}

// Revision returns r in the form of a report.
func Revision(r source.Revision) report.Revision {
	return report.Revision{Name: r.Name, SHA: r.SHA, Ref: r.Ref}
}

// Timestamp returns t in the form of a report.
func Timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
