package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Acceptances are what reviews and commands accept of each pull request that a run is about.
type Acceptances []pullAcceptances

type pullAcceptances struct {
	number int
	all    []acceptance // reviews first, each kind oldest first
}

// acceptance is somebody's word that what a change takes away is meant.
type acceptance struct {
	kind string // "review" or "command"
	by   string // the login
	what Command
}

// covers reports whether it accepts a reason. A review accepts all.
func (a acceptance) covers(code string, cases []string) bool {
	return a.kind == review || a.what.covers(code, cases)
}

const (
	review  = "review"
	command = "command"
)

// Of names who accepts a reason, as "the review of ada"; "" where nobody does. code is the reason's, cases what it is about, as
// SUITE/CASE. Of several pull requests each must accept it: which of them it comes from cannot be told.
func (a Acceptances) Of(code string, cases []string) string {
	text, kind := "", ""
	for _, pull := range a {
		at := slices.IndexFunc(pull.all, func(one acceptance) bool { return one.covers(code, cases) })
		if at < 0 {
			return ""
		}
		one := pull.all[at]
		if text != "" {
			text += ", "
		}
		if one.kind != kind {
			text += "the " + one.kind + " of "
		}
		text, kind = text+one.by, one.kind
		if len(a) > 1 {
			text += fmt.Sprintf(" (#%d)", pull.number)
		}
	}
	return text
}

// Accepted looks for the reviews and the commands that accept what this run has found. Such a review is an approval of exactly the head
// commit, the reviewer's last word; such a command is a comment that was never edited and names the head commit. Both are
// of a user with write permission who has not opened the pull request, and come after a run of ours had shown its result on that
// commit.
//
// A merge group, and a push to the default branch, is accepted as far as every pull request in it is. The error says that something
// could not be read, or that not every commit belongs to a pull request; then nothing is accepted.
func (r *Repository) Accepted(ctx context.Context, mark Mark) (Acceptances, error) {
	changes, err := r.changes(ctx)
	if err != nil {
		return nil, err
	}
	var out Acceptances
	for _, c := range changes {
		all, err := r.acceptances(ctx, c, mark)
		if err != nil {
			return nil, fmt.Errorf("pull request #%d: %w", c.number, err)
		}
		out = append(out, pullAcceptances{c.number, all})
	}
	return out, nil
}

// acceptances are those of one pull request.
func (r *Repository) acceptances(ctx context.Context, c change, mark Mark) (out []acceptance, err error) {
	words, err := r.words(ctx, c)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	shown, err := r.firstShown(ctx, c.head, mark)
	if err != nil || shown.IsZero() {
		return nil, err
	}
	may := map[string]bool{}
	for _, w := range words {
		if !w.at.After(shown) {
			continue
		}
		is, known := may[w.by]
		if !known {
			if is, err = r.MayWrite(ctx, w.by); err != nil {
				return nil, err
			}
			may[w.by] = is
		}
		if is {
			out = append(out, w.acceptance)
		}
	}
	return out, nil
}

// word is what somebody said, and when; whether it counts is another matter.
type word struct {
	acceptance
	at time.Time
}

// words are the approvals of a pull request and the commands that accept on it.
func (r *Repository) words(ctx context.Context, c change) ([]word, error) {
	approvals, err := r.approvals(ctx, c)
	if err != nil {
		return nil, err
	}
	commands, err := r.acceptCommands(ctx, c)
	return append(approvals, commands...), err
}

// acceptCommands are the commands that accept something of exactly the head commit, oldest first, but for the author's and those that
// were edited: a comment's author is not who changed it.
func (r *Repository) acceptCommands(ctx context.Context, c change) (out []word, err error) {
	all, err := r.comments(ctx, c.number, time.Time{})
	if err != nil {
		return nil, err
	}
	var candidates []*github.IssueComment
	found := map[int64]Command{}
	for _, comment := range all {
		said, is, wrong := ParseCommand(comment.GetBody())
		user := comment.GetUser()
		if is && wrong == nil && said.Verb == VerbAccept && said.Head == c.head && user.GetType() == "User" && user.GetID() != 0 && user.GetID() != c.author &&
			isLogin(user.GetLogin()) {
			candidates, found[comment.GetID()] = append(candidates, comment), said
		}
	}
	if candidates, err = r.unedited(ctx, candidates); err != nil {
		return nil, err
	}
	for _, comment := range candidates {
		out = append(out, word{acceptance{command, comment.GetUser().GetLogin(), found[comment.GetID()]}, comment.GetCreatedAt().Time})
	}
	slices.SortStableFunc(out, func(a, b word) int { return a.at.Compare(b.at) })
	return out, nil
}

// errEdits says that GitHub did not tell whether comments were edited.
var errEdits = errors.New("whether a comment was edited could not be read")

// unedited keeps the comments that say what they said when they were written. Where GraphQL is switched off, the time of the last
// change tells it.
func (r *Repository) unedited(ctx context.Context, comments []*github.IssueComment) (out []*github.IssueComment, err error) {
	ids := &authorship{client: r.client}
	for some := range slices.Chunk(comments, maxNodes) {
		answer, err := ids.ask(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errEdits, worded(err))
		}
		for i, c := range some {
			if answer == nil && c.GetUpdatedAt().Equal(c.GetCreatedAt()) || answer != nil && answer.Data.Nodes[i].unedited(c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// unedited reports whether a comment was never changed, and is the one that was listed.
func (n *node) unedited(c *github.IssueComment) bool {
	return n != nil && n.ID == c.GetNodeID() && n.Edited == nil && strings.TrimSpace(n.Body) == strings.TrimSpace(c.GetBody())
}
