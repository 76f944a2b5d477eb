package run

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// OpenHead opens the head: a revision or a folder; "" is the working tree below dir. Its error is a fault.Input.
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

// WithBase opens what --base names: a stored report or a folder, where it is written as a path, else the merge base of a revision with
// the head. The rules are those of the revision itself: they are what a pull request into it is held to.
func (in Inputs) WithBase(base string) (Inputs, error) {
	tree, err := source.OpenBase(in.Dir, base, in.Head.Revision)
	if path, ok := reportPath(in.Dir, base, tree, err); ok {
		in.Stored, err = ReadReport(path)
		return in, err
	}
	if in.Base = tree; err != nil {
		return in, asInput("open the base", err)
	}
	if tree.Revision.SHA == "" || in.Head.Revision.Kind == source.KindFolder {
		return in, nil
	}
	sha, err := source.MergeBase(in.Dir, tree.Revision.SHA, cmp.Or(in.Head.Revision.SHA, "HEAD")) // a working tree stands on its last commit
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
		"%[1]s is ahead of the merge base: the pull request will be judged merged with %[1]s: merge it first to see the same", name)}}
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

// reportPath tells whether --base names a stored report: a report.json, or the folder that a run wrote it into. tree and
// err are what it names otherwise. What is not written as a path never is a report: else a change could add a file called main and be
// compared with that.
func reportPath(dir, base string, tree *source.Tree, err error) (string, bool) {
	path := pathIn(dir, base)
	if err != nil {
		return path, source.WrittenAsPath(base) && isFile(path)
	}
	if _, hasConfig := config.Find(tree); tree.Revision.Kind != source.KindFolder || hasConfig {
		return "", false
	}
	return path, isFile(filepath.Join(path, output.ReportFile)) && isFile(filepath.Join(path, output.ResultsFile))
}

// pathIn is a path that begins in dir, unless it is absolute.
func pathIn(dir, path string) string {
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
