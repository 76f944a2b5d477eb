package github

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Acceptances are the reviews and commands that accept a run's changes, for each of its pull requests.
type Acceptances []pullAcceptances

// pullAcceptances has the reviews and commands that accept one pull request, and the reasons why others do not count.
type pullAcceptances struct {
	suffix   string       // follows the names of people, such as " (#12)"; "" if there is only one pull request
	pushedBy string       // login that pushed the head of the pull request; "" if not read
	all      []acceptance // reviews, then commands, each oldest first
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

// missed returns why an acceptance does not count whoever it is from, or "" if it may count. head is the commit to be
// accepted, and shown is when its first result could be seen; it is zero if there was none. run is the run's name.
func (a acceptance) missed(head string, shown time.Time, run string) string {
	switch {
	case a.kind == kindCommand && !a.command.isFor(run):
		return "the command of " + a.login + " does not name this run, as in `" + RunWord(run) + "`"
	case a.kind == kindReview && a.sha != head:
		return a.login + " approved commit " + short(a.sha) + " and not this one"
	case shown.IsZero() || !a.at.After(shown):
		return "the " + a.kind + " of " + a.login + " came before the first failed result"
	}
	return ""
}

const (
	kindReview  = "review"
	kindCommand = "command"
)

// AcceptedBy returns who accepts the reason with the given code, such as "the review of ada", or "" if nobody does.
// cases lists the cases of the reason, each with all of its names. If there are several pull requests, each must accept
// the reason, because any of them may be the cause.
func (a Acceptances) AcceptedBy(code string, cases [][]string) string {
	text, kind := "", ""
	for _, pull := range a {
		at := slices.IndexFunc(pull.all, func(one acceptance) bool {
			return one.kind == kindReview || one.command.covers(code, cases) // a review covers every reason
		})
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
		text, kind = text+one.login+pull.suffix, one.kind
	}
	return text
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

// UncoveredBy returns a text that says which commands do not accept the reason with the given code and cases, or "" if
// there are none.
func (a Acceptances) UncoveredBy(code string, cases [][]string) string {
	var all []string
	for _, pull := range a {
		for _, one := range pull.all {
			text := "the command of " + one.login + pull.suffix + " does not name all of it"
			if one.kind == kindCommand && !one.command.covers(code, cases) && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, ", ")
}

// RefusedText returns the people whose reviews and commands do not count, each with the reason. It returns "" if there
// are none.
func (a Acceptances) RefusedText() string {
	var all []string
	for _, pull := range a {
		for _, why := range pull.refused {
			all = append(all, why+pull.suffix)
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
func (r *Repository) Accepted(ctx context.Context, mark Mark) (Acceptances, error) {
	changes, err := r.pullRequests(ctx)
	if err != nil {
		return nil, err
	}
	var out Acceptances
	for _, c := range changes {
		all, err := c.acceptances(ctx, mark)
		if err != nil {
			return nil, fmt.Errorf("pull request #%d: %w", c.Number, err)
		}
		if len(changes) > 1 {
			all.suffix = fmt.Sprintf(" (#%d)", c.Number)
		}
		out = append(out, all)
	}
	return out, nil
}

// acceptances returns the reviews and commands that accept the pull request c.
func (c *pullRequest) acceptances(ctx context.Context, mark Mark) (out pullAcceptances, err error) {
	candidates, err := c.approvals(ctx) // whether they count is checked below
	if err != nil {
		return out, err
	}
	commands, err := c.acceptCommands(ctx, mark.Part)
	if candidates = append(candidates, commands...); err != nil || len(candidates) == 0 {
		return out, err
	}
	shown, err := c.firstShown(ctx, mark)
	if err != nil {
		return out, err
	}
	allowedIDs := map[int64]bool{}
	for _, a := range candidates {
		if a.missed(c.HeadSHA, shown, mark.Part) != "" {
			continue
		}
		allowed, known := allowedIDs[a.id]
		if !known {
			if allowed, err = MayWrite(ctx, c.repo.client, c.Event, a.login); err != nil {
				return out, err
			}
			if allowed {
				why, err := c.whyMayNotAccept(ctx, a.login, a.id)
				if err != nil {
					return out, err
				}
				if allowed = why == ""; !allowed {
					out.refused = append(out.refused, why)
				}
			}
			allowedIDs[a.id] = allowed
		}
		if allowed {
			out.all = append(out.all, a)
		}
	}
	out.refused = append(out.refused, c.missed(ctx, mark, candidates, shown, allowedIDs)...)
	if c.makers != nil {
		out.pushedBy = c.makers.pushedBy
	}
	return out, nil
}

// mostMissed is the largest number of accounts that missed names, so that strangers cause few calls.
const mostMissed = 10

// missed returns why the acceptances of people with write permission do not count that are for another commit or too
// early, newest first. It leaves out the people in known.
func (c *pullRequest) missed(ctx context.Context, mark Mark, said []acceptance, shown time.Time,
	known map[int64]bool) (why []string) {
	looked := map[int64]bool{}
	for _, a := range slices.Backward(said) {
		if _, decided := known[a.id]; decided || looked[a.id] || len(looked) == mostMissed {
			continue
		}
		looked[a.id] = true
		// An error is no reason to lose the acceptances that count.
		if may, err := MayWrite(ctx, c.repo.client, c.Event, a.login); err == nil && may {
			why = append(why, a.missed(c.HeadSHA, shown, mark.Part))
		}
	}
	return why
}

// acceptCommands returns the commands that accept something at the head commit, oldest first. It skips commands for
// other runs, and edited comments, because another person may have edited them.
func (c *pullRequest) acceptCommands(ctx context.Context, run string) (out []acceptance, err error) {
	all, err := comments(ctx, c.repo.client, c.Event, time.Time{})
	if err != nil {
		return nil, err
	}
	var candidates []*github.IssueComment
	found := map[int64]Command{}
	for _, comment := range all {
		said, ok, wrong := ParseCommand(comment.GetBody())
		if ok && wrong == nil && said.Verb == VerbAccept && said.Head == c.HeadSHA && isPerson(comment.GetUser()) &&
			(said.isFor(run) || run != "" && !said.namesRun()) {
			candidates, found[comment.GetID()] = append(candidates, comment), said
		}
	}
	if candidates, err = uneditedComments(ctx, c.repo.client, candidates); err != nil {
		return nil, err
	}
	for _, comment := range candidates {
		out = append(out,
			acceptance{kind: kindCommand, login: comment.GetUser().GetLogin(), id: comment.GetUser().GetID(),
				command: found[comment.GetID()], at: comment.GetCreatedAt().Time})
	}
	slices.SortStableFunc(out, func(a, b acceptance) int { return a.at.Compare(b.at) })
	return out, nil
}

// uneditedComments returns the comments that were never edited. Without GraphQL, it compares their times.
func uneditedComments(ctx context.Context, client *github.Client,
	comments []*github.IssueComment) (out []*github.IssueComment, err error) {
	ids := &authorship{client: client}
	for some := range slices.Chunk(comments, maxNodes) {
		answer, err := ids.ask(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("read whether a comment was edited: %w", WithoutURL(err))
		}
		for i, c := range some {
			if answer == nil && c.GetUpdatedAt().Equal(c.GetCreatedAt()) || answer != nil &&
				answer.Data.Nodes[i].isUnedited(c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// isUnedited reports whether a comment was never edited and has the same text as c, which the API listed.
func (n *node) isUnedited(c *github.IssueComment) bool {
	return n != nil && n.ID == c.GetNodeID() && n.Edited == nil &&
		strings.TrimSpace(n.Body) == strings.TrimSpace(c.GetBody())
}

// reviewPages is the largest number of pages of 100 reviews or check runs. If there are more, nothing is accepted,
// because an unread review may withdraw an approval.
const reviewPages = 10

// pullRequest is a pull request and the people who made it. If BaseSHA is "", the base is the branch's current commit.
type pullRequest struct {
	Event
	repo   *Repository
	makers *makers // nil before they are read
}

// pullRequests returns the pull requests of the event.
func (r *Repository) pullRequests(ctx context.Context) (out []pullRequest, err error) {
	e := r.event
	var pulls []*github.PullRequest
	switch e.Name {
	case "pull_request":
		e.BaseSHA = ""
		return []pullRequest{{Event: e, repo: r}}, nil
	case "merge_group":
		pulls, err = r.groupPulls(ctx)
	default:
		pulls, err = r.mergedPulls(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range pulls {
		c, err := Event{Owner: e.Owner, Repo: e.Repo}.withPull(p)
		if err != nil {
			return nil, err
		}
		c.BaseSHA = e.BaseSHA // the branch may contain the change already
		if !slices.ContainsFunc(out, func(other pullRequest) bool { return other.Number == c.Number }) {
			out = append(out, pullRequest{Event: c, repo: r})
		}
	}
	return out, nil
}

// mergedPulls returns the pull requests that a push to the default branch merged.
func (r *Repository) mergedPulls(ctx context.Context) (pulls []*github.PullRequest, err error) {
	steps, err := r.firstParentCommits(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		found, err := r.pullsOf(ctx, s, s.sha, func(p *github.PullRequest) bool {
			return p.MergedAt != nil && p.GetBase().GetRef() == r.event.BaseRef
		})
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, found...)
	}
	return pulls, nil
}

var loginForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// isLogin reports whether name can be a login on GitHub. Logins of enterprise users count too.
func isLogin(name string) bool { return len(name) <= 64 && loginForm.MatchString(name) }

// approvals returns the reviews that are the last of their reviewer and approve a commit, oldest first.
func (c *pullRequest) approvals(ctx context.Context) (out []acceptance, err error) {
	reviews, err := readAllPages("reviews", reviewPages,
		func(at github.ListOptions) ([]*github.PullRequestReview, *github.Response, error) {
			return c.repo.client.PullRequests.ListReviews(ctx, c.Owner, c.Repo, c.Number, &at)
		})
	if err != nil {
		return nil, err
	}
	last := map[int64]*github.PullRequestReview{}
	for _, one := range reviews {
		switch one.GetState() {
		case "APPROVED", "CHANGES_REQUESTED", "DISMISSED": // a comment changes no earlier review
			id := one.GetUser().GetID()
			if before := last[id]; before == nil || !one.GetSubmittedAt().Before(before.GetSubmittedAt().Time) {
				last[id] = one
			}
		}
	}
	sorted := slices.SortedFunc(maps.Values(last), func(a, b *github.PullRequestReview) int {
		return cmp.Or(a.GetSubmittedAt().Compare(b.GetSubmittedAt().Time), cmp.Compare(a.GetID(), b.GetID()))
	})
	for _, one := range sorted {
		if one.GetState() == "APPROVED" && isPerson(one.GetUser()) {
			out = append(out, acceptance{kind: kindReview, login: one.GetUser().GetLogin(), id: one.GetUser().GetID(),
				at: one.GetSubmittedAt().Time, sha: one.GetCommitID()})
		}
	}
	return out, nil
}
