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
)

// Values of Inputs.Scope.
const (
	ScopeChanged = "changed"
	ScopeAll     = "all"
)

// NoCache is the value of Inputs.Cache that keeps nothing.
const NoCache = "off"

// Inputs are the inputs of a run: what is compared, by whose rules, what the caller sets in place of the files, and the
// environment.
type Inputs struct {
	Head         *source.Tree
	Base         *source.Tree                 // nil: no base revision
	Rules        *source.Tree                 // whose rules hold; nil: the base's
	Fallback     *source.Tree                 // whose configuration holds where Rules, or else the base, has none; nil: nobody's
	Stored       *stored.Run                  // a stored report as the base; nil: none
	Results      *ResultPaths                 // what another runner wrote, in place of suites; nil: what the configuration says
	Made         string                       // who made the head's results, in a sentence; "": nobody says
	TakesResults bool                         // such results are judged; else they are a fault
	Artifact     Artifacts                    // opens artifacts of workflows; nil: there are none
	Branch       func() (*source.Tree, error) // the branch by itself, where Head is its merge with another; nil where it is not
	Warnings     []report.Warning             // of how these were found

	Config      string   // the configuration's path; "" for the usual places
	Suites      []string // files or globs in place of the configuration's
	Scope       string   // ScopeChanged or ScopeAll
	Only        Only     // some cases of the suites in scope
	Phase       string   // in place of the configuration's; "" keeps it
	MinScore    *float64 // the run bar, in [0, 1], in place of the configuration's; nil keeps it
	Trials      int      // of live targets, in place of the files'; 0 keeps them
	MostTrials  int      // no more answers of live targets to each case; 0: as many as the files say
	MostCostUSD float64  // the limit of cost is this at most, in US dollars; 0: the configuration's
	Fork        bool     // the head is somebody else's repository
	// a comment asks for the run, which holds the repository's secrets then: no command of a target is run
	Asked  bool
	Part   shard.Part     // of the run, which is all that is asked, and nothing judged; zero: the whole
	Shards *shard.Answers // what the parts of the run were told; nil: it was not divided
	// what earlier runs of the branch saw, which it is held against; nil: nobody wants to know
	Drift     *[]drift.Past
	ShardsDir string // the folder in which these were found, where nobody named it
	// live targets of a first configuration are asked: somebody at a command line, or the workflow, wants it
	Bootstrap bool
	// asks a person about whom the head alone says to ask, and says why nobody is asked; nil: they are asked
	Vouch func([]Unvouched) error

	RunID    string // "" for the time
	Version  string // of failproof
	Dir      string // the current folder, below which out and cache lie
	Place    string // where on this machine paths of the configuration begin; "" for Dir
	Cache    string // folder of kept answers; "" for the default, NoCache for none
	Secrets  []string
	Getenv   func(string) string
	Now      func() time.Time
	Progress *progress.Progress
}

// Time is the clock, or SOURCE_DATE_EPOCH where a reproducible run is asked for.
func (in Inputs) Time() time.Time {
	if epoch := in.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		if seconds, err := strconv.ParseInt(epoch, 10, 64); err == nil {
			return time.Unix(seconds, 0).UTC()
		}
	}
	return in.Now().UTC()
}

// SuiteGlobs returns the caller's suite files, or else the configuration's.
func (in Inputs) SuiteGlobs(configured []string) []string {
	if len(in.Suites) > 0 {
		return in.Suites
	}
	return configured
}

// OpenHead opens the head: a revision or a folder; "" is the working tree below dir. The error is a fault.Input.
func OpenHead(dir, head string) (*source.Tree, error) {
	if head == "" {
		tree, err := source.Worktree(dir)
		return tree, asInput("open the working tree", err)
	}
	tree, err := source.Open(dir, head)
	return tree, asInput("open the head", err)
}

// warnBaseAhead is the code of a warning that the revision has commits that the head has not.
const warnBaseAhead = "base_ahead"

// WithBase opens what --base names: a stored report or a folder, if it is written as a path, or else the merge base of
// a revision with the head. The rules are the revision's own, as for a pull request into it.
func (in Inputs) WithBase(base string) (Inputs, error) {
	tree, err := source.OpenBase(in.Dir, base, in.Head.Revision)
	if path, ok := reportPath(in.Dir, base, tree, err); ok {
		if err == nil && HasConfig(tree, "") {
			return in, fault.Inputf("--base: %s holds a report and a configuration, and which of them is meant "+
				"cannot be told; name the report.json itself, "+
				"or take it out of the folder", path)
		}
		return in.withReport(path)
	}
	if in.Base = tree; err != nil {
		return in, asInput("open the base", err)
	}
	if tree.Revision.SHA == "" || in.Head.Revision.Kind == source.KindFolder {
		return in, nil
	}
	// a working tree stands on its last commit
	sha, err := source.MergeBase(in.Dir, tree.Revision.SHA, cmp.Or(in.Head.Revision.SHA, "HEAD"))
	if err != nil || sha == tree.Revision.SHA {
		return in, asInput("find the merge base", err)
	}
	name := tree.Revision.Name
	in.Rules = tree
	if in.Base, err = source.Git(in.Dir, sha); err != nil {
		return in, asInput("open the merge base", err)
	}
	in.Base.Revision.Name, in.Base.Revision.Ref = name, source.MergeBaseRef
	in.Warnings = []report.Warning{{Code: warnBaseAhead, Message: fmt.Sprintf(
		"%[1]s is ahead of the merge base: the pull request will be judged merged with %[1]s: merge it first to see "+
			"the same", name)}}
	return in, nil
}

// withReport takes a stored report for the base, unless whoever wrote the change wrote it.
func (in Inputs) withReport(path string) (_ Inputs, err error) {
	if in.Stored, err = stored.Read(path); err != nil {
		return in, err
	}
	if i := slices.IndexFunc(in.Stored.Report.Warnings,
		func(w report.Warning) bool { return w.Code == report.WarnOnlySome }); i >= 0 {
		return in, fault.Inputf("--base: the report in %s has only some cases (%s); run all cases for a base",
			in.Stored.Folder, in.Stored.Report.Warnings[i].Message)
	}
	for _, file := range []string{output.ReportFile, output.ResultsFile} {
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

// WithLastCommit takes the last commit for the base, where there is one.
func (in Inputs) WithLastCommit() (Inputs, error) {
	tree, err := source.Git(in.Dir, "HEAD")
	if errors.Is(err, source.ErrNoRevision) || errors.Is(err, source.ErrNoRepository) {
		return in, nil
	}
	in.Base = tree
	return in, asInput("open the last commit", err)
}

// reportPath returns the report if --base names a stored one: a report.json, or the folder that a run wrote it to. tree
// and err are what it names otherwise. A name that is not written as a path is never a report, since a change could add
// a file called main. A folder that holds a report is one, whatever else is in it, since a change can add a
// configuration to any folder.
func reportPath(dir, base string, tree *source.Tree, err error) (string, bool) {
	path := PathIn(dir, base)
	if err != nil {
		return path, source.WrittenAsPath(base) && isFile(path)
	}
	return path, tree.Revision.Kind == source.KindFolder && isFile(filepath.Join(path, output.ReportFile))
}

// PathIn is a path that begins in dir, unless it is absolute.
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

func asInput(what string, err error) error {
	if err == nil {
		return nil
	}
	return fault.Inputf("%s: %w", what, err)
}

// DefaultBranch returns the default branch of dir's repository: as the remote names it, or else the one branch of the
// usual names that the remote has, or else a local one. If the remote has two, somebody who may push made one of them,
// and a person has to choose.
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
	local, _ := branches(dir, "refs/heads/main", "refs/heads/master") // it is a repository
	if all := slices.Concat(remote, local); len(all) > 0 {
		return all[0], nil
	}
	return "", fault.Inputf(none + "neither origin/HEAD nor main nor master is known here; name a revision or a folder")
}

// BranchedFrom returns the default branch if another is checked out; "" if it is checked out or unknown.
func BranchedFrom(dir string) string {
	branch, err := DefaultBranch(dir)
	if err != nil || source.IsCheckedOut(dir, branch) {
		return ""
	}
	return branch
}

// branches are those of the references that are there. Its error is source.ErrNoRepository.
func branches(dir string, names ...string) (found []string, err error) {
	for _, name := range names {
		tree, err := source.Git(dir, name)
		switch {
		case err == nil:
			found = append(found, name)
			_ = tree.Close() // of a commit, which holds nothing open
		case errors.Is(err, source.ErrNoRepository):
			return nil, err
		}
	}
	return found, nil
}

// ConfigAbove returns the nearest folder above dir with a configuration, up to the root of the repository; false if dir
// has one itself, or none does.
func ConfigAbove(dir string) (string, bool) {
	_, below, err := source.Within(dir)
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

func (in Inputs) BaseRevision() *report.Revision {
	if in.Stored != nil {
		return new(in.Stored.Report.Run.Head)
	}
	if in.Base != nil {
		return new(Revision(in.Base.Revision))
	}
	return nil
}

func Revision(r source.Revision) report.Revision {
	return report.Revision{Name: r.Name, SHA: r.SHA, Ref: r.Ref}
}

func Timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
