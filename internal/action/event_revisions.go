package action

import (
	"context"
	"errors"
	"fmt"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// commitOpener opens the commit with the given SHA. The tree is the folder that the action works in.
type commitOpener func(ctx context.Context, sha string) (*source.Tree, error)

// orElse returns a function that opens a commit with open or, if open fails, with fallback.
func (open commitOpener) orElse(fallback commitOpener) commitOpener {
	return func(ctx context.Context, sha string) (*source.Tree, error) {
		if tree, err := open(ctx, sha); err == nil {
			return tree, nil
		}
		return fallback(ctx, sha)
	}
}

// commitOpeners returns two functions that open a commit: local from the checkout, and remote through the API.
func (j Job) commitOpeners() (local, remote commitOpener) {
	rooted := func(tree *source.Tree, err error) (*source.Tree, error) {
		if err != nil || j.in.Folder == "" {
			return tree, err
		}
		return tree.Sub(j.in.Folder)
	}
	repository := source.NewRemote(j.client, j.event.Owner, j.event.Repo)
	return func(_ context.Context, sha string) (*source.Tree, error) { return rooted(source.Git(j.in.Root, sha)) },
		func(ctx context.Context, sha string) (*source.Tree, error) {
			return rooted(repository.Commit(ctx, sha))
		}
}

// eventRevisions is an event with the revisions that the run compares.
type eventRevisions struct {
	github.Revisions              // zero if unknown
	event            github.Event // for a merge group, Fork says whether it contains a fork's pull request
	branch           string       // the default branch
}

// readRevisions returns the event and the revisions to compare. The error is a *github.NoMergeResult if there is
// nothing to judge.
func (j Job) readRevisions(ctx context.Context) (c eventRevisions, err error) {
	c.event = j.event
	if c.branch, err = j.github.DefaultBranch(ctx); err != nil {
		return c, fault.Unreachable{Err: err}
	}
	if c.event.Name == "merge_group" {
		var why error
		if c.event.Fork, why = j.github.GroupFork(ctx); why != nil {
			j.log("the merge group is judged as one with a fork's pull request: %v", why)
		}
	}
	c.Revisions, err = j.github.Revisions(ctx, j.in.Compare)
	if _, none := errors.AsType[*github.NoMergeResult](err); none {
		return c, err
	}
	if err != nil {
		return c, fault.Unreachable{Err: err}
	}
	if c.MergeBase { // GitHub names one of several; only a checkout with the history knows the others
		if _, err := source.MergeBase(j.in.Root, c.BaseName, c.Head); errors.Is(err, source.ErrSeveralBases) {
			return c, fault.Input{Err: err}
		}
	}
	return c, nil
}

// openTrees returns in with the compared commits opened. If the rules are those of a third commit, it opens that commit
// too. If the commit with the rules has no configuration, it also opens the default branch.
func (j Job) openTrees(ctx context.Context, in sides.Inputs, c eventRevisions, open, anyOpener commitOpener) (_ sides.Inputs, err error) {
	if in.Head, err = open(ctx, c.Head); err != nil {
		return in, fmt.Errorf("read the head: %w", err)
	}
	if in.Head.Revision.Ref = c.HeadRef; c.Head != c.event.HeadSHA {
		in.OpenBranch = func() (*source.Tree, error) { return anyOpener(ctx, c.event.HeadSHA) }
	}
	if c.Base != "" {
		if in.Base, err = open(ctx, c.Base); err != nil {
			return in, fmt.Errorf("read the base: %w", err)
		}
		if c.BaseName != "" {
			in.Base.Revision.Name = c.BaseName
		}
		if c.MergeBase {
			in.Base.Revision.Ref = source.MergeBaseRef
		}
	}
	rules := in.Base
	if c.Rules != "" && c.Rules != c.Base {
		if rules, err = open(ctx, c.Rules); err != nil {
			return in, fmt.Errorf("read the rules: %w", err)
		}
		rules.Revision.Name = c.RulesName
		in.Rules = rules
	}
	if rules == nil || sides.HasConfig(rules, in.Config) {
		return in, nil
	}
	tip, err := j.github.Tip(ctx, c.branch)
	if err != nil || tip == rules.Revision.SHA {
		return in, err
	}
	if in.Fallback, err = open(ctx, tip); err != nil {
		return in, fmt.Errorf("read the default branch: %w", err)
	}
	in.Fallback.Revision.Name = c.branch
	return in, nil
}
