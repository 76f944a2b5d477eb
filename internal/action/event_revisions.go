package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// local opens a commit of the checkout. The tree is the folder that the action works in, as it is for remotely and
// open.
func (j Job) local(_ context.Context, sha string) (*source.Tree, error) {
	return j.inFolder(source.Git(j.in.Root, sha))
}

// remotely opens a commit through the API.
func (j Job) remotely(ctx context.Context, sha string) (*source.Tree, error) {
	return j.inFolder(j.remote.Commit(ctx, sha))
}

// open opens a commit of the checkout or, if the checkout lacks it, through the API.
func (j Job) open(ctx context.Context, sha string) (*source.Tree, error) {
	if tree, err := j.local(ctx, sha); err == nil {
		return tree, nil
	}
	return j.remotely(ctx, sha)
}

func (j Job) inFolder(tree *source.Tree, err error) (*source.Tree, error) {
	if err != nil || j.in.Folder == "" {
		return tree, err
	}
	return tree.Sub(j.in.Folder)
}

// eventRevisions are the revisions that the run compares.
type eventRevisions struct {
	github.Revisions // zero if unknown
	// of the event; its default branch is known and, for a merge group, Fork says whether it contains a fork's pull
	// request
	repo *github.Repository
}

// readRevisions returns the revisions to compare. The error wraps github.ErrNoMerge if there is nothing to judge.
func (j Job) readRevisions(ctx context.Context) (c eventRevisions, err error) {
	c.repo = j.repo
	event := j.repo.Event
	if event.DefaultBranch, err = j.repo.ReadDefaultBranch(ctx); err != nil {
		return c, fault.Unreachable{Err: err}
	}
	if event.Name == "merge_group" {
		var why error
		if event.Fork, why = j.repo.GroupFork(ctx); why != nil {
			j.log("the merge group is judged as one with a fork's pull request: %v", why)
		}
	}
	c.repo = j.repo.With(event)
	c.Revisions, err = c.repo.Revisions(ctx, j.in.Compare)
	switch {
	case errors.Is(err, github.ErrNoMerge):
		return c, err
	case err != nil:
		return c, fault.Unreachable{Err: err}
	case c.MergeBase: // GitHub names one of several; only a checkout with the history knows the others
		if _, err := source.MergeBase(j.in.Root, c.BaseName, c.Head); errors.Is(err, source.ErrSeveralBases) {
			return c, fault.Input{Err: err}
		}
	}
	return c, nil
}

// onTrees opens the compared trees from the checkout and calls do with them. If the checkout lacks objects, onTrees
// opens the trees through the API and calls do again.
func (j Job) onTrees(ctx context.Context, in sides.Inputs, c eventRevisions, do func(sides.Inputs) error) (err error) {
	for _, open := range []commitOpener{j.local, j.remotely} {
		var opened sides.Inputs
		if opened, err = j.openTrees(ctx, in, c, open); err != nil {
			err = fault.Unreachable{Err: err}
		} else {
			err = do(opened)
		}
		if _, unreachable := errors.AsType[fault.Unreachable](err); !unreachable {
			return err
		}
	}
	return err
}

// commitOpener opens the commit with the given SHA.
type commitOpener func(ctx context.Context, sha string) (*source.Tree, error)

// openTrees returns in with the compared commits opened. If the rules are those of a third commit, it opens that commit
// too. If the commit with the rules has no configuration, it also opens the default branch.
func (j Job) openTrees(ctx context.Context, in sides.Inputs, c eventRevisions, open commitOpener) (_ sides.Inputs,
	err error) {
	openAs := func(what, sha, name string) *source.Tree {
		if err != nil || sha == "" {
			return nil
		}
		var tree *source.Tree
		if tree, err = open(ctx, sha); err != nil {
			err = fmt.Errorf("read the %s: %w", what, err)
		} else if name != "" {
			tree.Revision.Name = name
		}
		return tree
	}
	in.Head, in.Base = openAs("head", c.Head, ""), openAs("base", c.Base, c.BaseName)
	if c.Rules != c.Base {
		in.Rules = openAs("rules", c.Rules, c.RulesName)
	}
	if err != nil {
		return in, err
	}
	if in.Head.Revision.Ref = c.HeadRef; c.Head != c.repo.HeadSHA {
		in.OpenBranch = func() (*source.Tree, error) { return j.open(ctx, c.repo.HeadSHA) }
	}
	if in.Base != nil && c.MergeBase {
		in.Base.Revision.Ref = source.MergeBaseRef
	}
	rules := cmp.Or(in.Rules, in.Base)
	if rules == nil || sides.HasConfig(rules, in.Config) {
		return in, nil
	}
	tip, err := j.repo.Tip(ctx, c.repo.DefaultBranch)
	if err == nil && tip != rules.Revision.SHA {
		in.Fallback = openAs("default branch", tip, c.repo.DefaultBranch)
	}
	return in, err
}
