package github

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Acceptances are a run's pull requests with the reviews and commands that accept them.
type Acceptances []*pullRequest

// pullRequest is a pull request, the people who made it, and those who accept it. If BaseSHA is "", the base is the
// branch's current commit.
type pullRequest struct {
	repo     *Repository
	pushedBy string           // login that pushed the head; "" if not read
	actions  map[int64]string // what each account did, such as "pushed it"; nil before it is read

	suffix   string       // follows the names of people, such as " (#12)"; "" if there is only one pull request
	accepted []acceptance // reviews, then commands, each oldest first
	refused  []string     // why other reviews and commands do not count, such as "ada pushed it"
}

// acceptance is a review or a command by which a person accepts findings about a change.
type acceptance struct {
	kind    string // "review" or "command"
	login   string
	id      int64 // id of the account
	command Command
	at      time.Time
	sha     string // commit that a review approves
}

const (
	kindReview  = "review"
	kindCommand = "command"
)

// AcceptedBy returns who accepts the reason with the given code, such as "the review of ada", or "" if nobody does.
// whyNot says why the reviews and commands of others do not count, or "". cases lists the cases of the reason, each
// with all of its names. If there are several pull requests, each must accept the reason, because any of them may be
// the cause.
func (a Acceptances) AcceptedBy(code string, cases [][]string) (who, whyNot string) {
	var accepting, uncovered, refused []string
	kind := ""
	for _, pull := range a {
		accepted := false
		for _, one := range pull.accepted {
			name := "the " + one.kind + " of " + one.login + pull.suffix
			why := name + " does not name all of it"
			switch {
			case one.kind == kindCommand && !one.command.covers(code, cases): // a review covers every reason
				if !slices.Contains(uncovered, why) {
					uncovered = append(uncovered, why)
				}
			case !accepted:
				if accepted = true; one.kind == kind {
					name = one.login + pull.suffix
				}
				accepting, kind = append(accepting, name), one.kind
			}
		}
		for _, why := range pull.refused {
			refused = append(refused, why+pull.suffix)
		}
	}
	if len(accepting) == len(a) {
		who = strings.Join(accepting, ", ")
	}
	return who, strings.Join(append(uncovered, refused...), ", ")
}

// PushedBy returns the logins that pushed the accepted heads, separated by commas. It returns "" if none is known.
func (a Acceptances) PushedBy() string {
	var all []string
	for _, pull := range a {
		if pull.pushedBy != "" {
			all = append(all, pull.pushedBy+pull.suffix)
		}
	}
	return strings.Join(all, ", ")
}

// Accepted returns the reviews and commands that accept the findings of this run. A review counts if it is the
// reviewer's last one and approves the head commit. A command counts if its comment names the head commit and was never
// edited. Both must be later than the first result that a run showed on that commit. Their author must have write
// permission, and must not have made the change, as whyMayNotAccept tells.
//
// In a merge group, or a push to the default branch, every pull request needs its own acceptance. Accepted returns an
// error, and nothing is accepted, if something cannot be read or a commit belongs to no pull request.
func (r *Repository) Accepted(ctx context.Context) (Acceptances, error) {
	pulls, err := r.pullRequests(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range pulls {
		if err := c.readAcceptances(ctx); err != nil {
			return nil, fmt.Errorf("pull request #%d: %w", c.repo.Number, err)
		}
		if len(pulls) > 1 {
			c.suffix = fmt.Sprintf(" (#%d)", c.repo.Number)
		}
	}
	return pulls, nil
}

// mostMissed is the largest number of accounts that refused names for a commit or a time, so that strangers cause few
// calls.
const mostMissed = 10

// readAcceptances reads the reviews and commands that accept the pull request.
func (c *pullRequest) readAcceptances(ctx context.Context) error {
	candidates, err := c.candidates(ctx)
	if err != nil || len(candidates) == 0 {
		return err
	}
	shown, err := c.firstShown(ctx)
	if err != nil {
		return err
	}
	known := map[int64]bool{} // whether an account may accept
	for _, a := range candidates {
		if c.missed(a, shown) != "" {
			continue
		}
		if _, decided := known[a.id]; !decided {
			may, why, err := c.mayAccept(ctx, a)
			if err != nil {
				return err
			}
			if known[a.id] = may; why != "" {
				c.refused = append(c.refused, why)
			}
		}
		if known[a.id] {
			c.accepted = append(c.accepted, a)
		}
	}
	// Others with write permission are told, newest first, why theirs does not count.
	looked := 0
	for _, a := range slices.Backward(candidates) {
		if _, decided := known[a.id]; decided || looked == mostMissed {
			continue
		}
		known[a.id] = false
		looked++
		// An error is no reason to lose the acceptances that count.
		if may, err := c.repo.MayWrite(ctx, a.login); err == nil && may {
			c.refused = append(c.refused, c.missed(a, shown))
		}
	}
	return nil
}

// candidates returns the approvals and the commands that count, unless their authors may not accept or they are missed.
func (c *pullRequest) candidates(ctx context.Context) ([]acceptance, error) {
	approvals, err := c.approvals(ctx)
	if err != nil {
		return nil, err
	}
	commands, err := c.acceptCommands(ctx)
	return append(approvals, commands...), err
}

// missed returns why an acceptance does not count whoever it is from, or "" if it may count. shown is when the first
// result could be seen; it is zero if there was none.
func (c *pullRequest) missed(a acceptance, shown time.Time) string {
	switch {
	case a.kind == kindCommand && !a.command.isFor(c.repo.Run.Name):
		return "the command of " + a.login + " does not name this run, as in `" + RunWord(c.repo.Run.Name) + "`"
	case a.kind == kindReview && a.sha != c.repo.HeadSHA:
		return a.login + " approved commit " + short(a.sha) + " and not this one"
	case shown.IsZero() || !a.at.After(shown):
		return "the " + a.kind + " of " + a.login + " came before the first failed result"
	}
	return ""
}

// mayAccept reports whether the author of an acceptance may accept. If somebody with write permission may not, it
// returns why.
func (c *pullRequest) mayAccept(ctx context.Context, a acceptance) (may bool, why string, err error) {
	if may, err = c.repo.MayWrite(ctx, a.login); may && err == nil {
		why, err = c.whyMayNotAccept(ctx, a.login, a.id)
	}
	return may && why == "", why, err
}

// acceptCommands returns the commands that accept something at the head commit, oldest first. It skips commands for
// other runs, and edited comments, because another person may have edited them.
func (c *pullRequest) acceptCommands(ctx context.Context) (out []acceptance, err error) {
	all, err := c.repo.comments(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	var comments []*github.IssueComment
	for _, comment := range all {
		said, ok, wrong := ParseCommand(comment.GetBody())
		if ok && wrong == nil && said.Verb == VerbAccept && said.Head == c.repo.HeadSHA &&
			IsPerson(comment.GetUser()) && (said.isFor(c.repo.Run.Name) || !said.namesRun()) {
			comments = append(comments, comment)
			out = append(out, acceptance{kind: kindCommand, login: comment.GetUser().GetLogin(),
				id: comment.GetUser().GetID(), command: said, at: comment.GetCreatedAt().Time})
		}
	}
	nodes, err := commentNodes(ctx, c.repo.client, comments)
	if err != nil {
		return nil, describe(err, "read whether a comment was edited")
	}
	unedited := out[:0]
	for i, n := range nodes {
		if n != nil && n.Edited == nil && strings.TrimSpace(n.Body) == strings.TrimSpace(comments[i].GetBody()) {
			unedited = append(unedited, out[i])
		}
	}
	slices.SortStableFunc(unedited, func(a, b acceptance) int { return a.at.Compare(b.at) })
	return unedited, nil
}

// newPullRequest returns the pull request of an event, which is compared with the commit base.
func newPullRequest(r *Repository, e Event, base string) *pullRequest {
	e.BaseSHA = base
	return &pullRequest{repo: r.With(e)}
}

// pullRequests returns the pull requests of the event.
func (r *Repository) pullRequests(ctx context.Context) (out []*pullRequest, err error) {
	if r.Name == "pull_request" {
		return []*pullRequest{newPullRequest(r, r.Event, "")}, nil
	}
	pulls, err := r.landedPulls(ctx)
	for _, p := range pulls {
		e, err := Event{Name: r.Name, Owner: r.Owner, Repo: r.Repo, DefaultBranch: r.DefaultBranch}.withPull(p)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(other *pullRequest) bool { return other.repo.Number == e.Number }) {
			out = append(out, newPullRequest(r, e, r.BaseSHA)) // the branch may contain the change already
		}
	}
	return out, err
}

var loginForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// isLogin reports whether name can be a login on GitHub. Logins of enterprise users count too.
func isLogin(name string) bool { return len(name) <= 64 && loginForm.MatchString(name) }

// approvals returns the reviews that are the last of their reviewer and approve a commit, oldest first.
func (c *pullRequest) approvals(ctx context.Context) (out []acceptance, err error) {
	// If there are more, nothing is accepted, because an unread review may withdraw an approval.
	reviews, err := readPages("reviews", 10,
		func(at github.ListOptions) ([]*github.PullRequestReview, *github.Response, error) {
			return c.repo.client.PullRequests.ListReviews(ctx, c.repo.Owner, c.repo.Repo, c.repo.Number, &at)
		})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(reviews, func(a, b *github.PullRequestReview) int {
		return cmp.Or(a.GetSubmittedAt().Compare(b.GetSubmittedAt().Time), cmp.Compare(a.GetID(), b.GetID()))
	})
	last := map[int64]*github.PullRequestReview{} // by reviewer
	for _, one := range reviews {
		if state := one.GetState(); state == "APPROVED" || state == "CHANGES_REQUESTED" || state == "DISMISSED" {
			last[one.GetUser().GetID()] = one // a comment changes no earlier review
		}
	}
	for _, one := range reviews {
		who := one.GetUser()
		if one == last[who.GetID()] && one.GetState() == "APPROVED" && IsPerson(who) {
			out = append(out, acceptance{kind: kindReview, login: who.GetLogin(), id: who.GetID(),
				at: one.GetSubmittedAt().Time, sha: one.GetCommitID()})
		}
	}
	return out, nil
}
