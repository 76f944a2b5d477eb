package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Acceptances are what reviews and commands accept of each pull request that a run is about.
type Acceptances []pullAcceptances

type pullAcceptances struct {
	number  int
	pushed  string       // who pushed its head; "" where nobody accepts it
	all     []acceptance // reviews first, each kind oldest first
	refused []string     // why others do not count, as "ada pushed it"
}

// acceptance is somebody's word that what a change takes away is meant.
type acceptance struct {
	kind string // "review" or "command"
	by   string // the login
	id   int64  // of the account
	what Command
	at   time.Time
}

// covers reports whether it accepts a reason. A review accepts all.
func (a acceptance) covers(code string, cases [][]string) bool {
	return a.kind == review || a.what.covers(code, cases)
}

const (
	review  = "review"
	command = "command"
)

// Of names who accepts a reason, as "the review of ada"; "" for nobody. code is the reason's, and cases are the cases
// that it is about, each with all of its names. Of several pull requests each must accept it, since nobody can tell
// which brought the reason.
func (a Acceptances) Of(code string, cases [][]string) string {
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
		text, kind = text+one.by+a.of(pull), one.kind
	}
	return text
}

// Pushed names who pushed what is accepted; "" for nobody.
func (a Acceptances) Pushed() string {
	var all []string
	for _, pull := range a {
		if pull.pushed != "" {
			all = append(all, pull.pushed+a.of(pull))
		}
	}
	return strings.Join(all, ", ")
}

// Refused names the people whose reviews and commands do not count, and why; "" if there are none.
func (a Acceptances) Refused() string {
	var all []string
	for _, pull := range a {
		for _, why := range pull.refused {
			all = append(all, why+a.of(pull))
		}
	}
	return strings.Join(all, ", ")
}

// of says which of several pull requests is meant.
func (a Acceptances) of(pull pullAcceptances) string {
	if len(a) < 2 {
		return ""
	}
	return fmt.Sprintf(" (#%d)", pull.number)
}

// Accepted looks for the reviews and the commands that accept what this run has found. Such a review is an approval of
// exactly the head commit, the reviewer's last word; such a command is a comment that was never edited and names the
// head commit. Both are of somebody with write permission who may accept it (whyNot), and come after a run of ours had
// shown its result on that commit.
//
// A merge group, and a push to the default branch, is accepted as far as every pull request in it is. The error says
// that something could not be read, or that not every commit belongs to a pull request; then nothing is accepted.
func (r *Repository) Accepted(ctx context.Context, mark Mark) (Acceptances, error) {
	changes, err := r.changes(ctx)
	if err != nil {
		return nil, err
	}
	var out Acceptances
	for _, c := range changes {
		all, err := c.acceptances(ctx, mark)
		if err != nil {
			return nil, fmt.Errorf("pull request #%d: %w", c.Number, err)
		}
		out = append(out, all)
	}
	return out, nil
}

// acceptances are those of one pull request.
func (c *change) acceptances(ctx context.Context, mark Mark) (out pullAcceptances, err error) {
	out.number = c.Number
	said, err := c.approvals(ctx) // whether it counts is another matter
	if err != nil {
		return out, err
	}
	commands, err := c.acceptCommands(ctx)
	if said = append(said, commands...); err != nil || len(said) == 0 {
		return out, err
	}
	shown, err := c.firstShown(ctx, mark)
	if err != nil || shown.IsZero() {
		return out, err
	}
	may := map[int64]bool{}
	for _, a := range said {
		if !a.at.After(shown) {
			continue
		}
		is, known := may[a.id]
		if !known {
			if is, err = c.repo.MayWrite(ctx, a.by); err != nil {
				return out, err
			}
			if is {
				why, err := c.whyNot(ctx, a.by, a.id)
				if err != nil {
					return out, err
				}
				if is = why == ""; !is {
					out.refused = append(out.refused, why)
				}
			}
			may[a.id] = is
		}
		if is {
			out.all = append(out.all, a)
		}
	}
	if c.makers != nil {
		out.pushed = c.makers.pushed
	}
	return out, nil
}

// acceptCommands returns the commands that accept something at exactly the head commit, oldest first. Edited ones are
// left out, since somebody else may have edited them.
func (c *change) acceptCommands(ctx context.Context) (out []acceptance, err error) {
	all, err := c.repo.comments(ctx, c.Number, time.Time{})
	if err != nil {
		return nil, err
	}
	var candidates []*github.IssueComment
	found := map[int64]Command{}
	for _, comment := range all {
		said, is, wrong := ParseCommand(comment.GetBody())
		if is && wrong == nil && said.Verb == VerbAccept && said.Head == c.HeadSHA && isPerson(comment.GetUser()) {
			candidates, found[comment.GetID()] = append(candidates, comment), said
		}
	}
	if candidates, err = unedited(ctx, c.repo.client, candidates); err != nil {
		return nil, err
	}
	for _, comment := range candidates {
		out = append(out, acceptance{command, comment.GetUser().GetLogin(), comment.GetUser().GetID(),
			found[comment.GetID()], comment.GetCreatedAt().Time})
	}
	slices.SortStableFunc(out, func(a, b acceptance) int { return a.at.Compare(b.at) })
	return out, nil
}

// errEdits says that GitHub did not tell whether comments were edited.
var errEdits = errors.New("whether a comment was edited could not be read")

// unedited returns the comments whose text is as first written. If GraphQL is switched off, the time of the last change
// tells.
func unedited(ctx context.Context, client *github.Client,
	comments []*github.IssueComment) (out []*github.IssueComment, err error) {
	ids := &authorship{client: client}
	for some := range slices.Chunk(comments, maxNodes) {
		answer, err := ids.ask(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errEdits, worded(err))
		}
		for i, c := range some {
			if answer == nil && c.GetUpdatedAt().Equal(c.GetCreatedAt()) || answer != nil &&
				answer.Data.Nodes[i].unedited(c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// unedited reports whether a comment was never changed, and is the one that was listed.
func (n *node) unedited(c *github.IssueComment) bool {
	return n != nil && n.ID == c.GetNodeID() && n.Edited == nil &&
		strings.TrimSpace(n.Body) == strings.TrimSpace(c.GetBody())
}

// reviewPages bounds the pages of 100 reviews, or check runs, that are read. If there are more, nothing is accepted,
// since one of them may take a review back.
const reviewPages = 10

var (
	errManyReviews = errors.New("it has too many reviews to read")
	errManyChecks  = errors.New("the head has too many check runs to read")
)

// change is a pull request and who made it. BaseSHA is "" for the branch as it is now.
type change struct {
	Event
	repo   *Repository
	makers *makers // nil: not read yet
}

// changes are the pull requests that the event is about.
func (r *Repository) changes(ctx context.Context) (out []change, err error) {
	e := r.event
	var pulls []*github.PullRequest
	switch e.Name {
	case "pull_request":
		e.BaseSHA = ""
		return []change{{Event: e, repo: r}}, nil
	case "merge_group":
		pulls, err = r.GroupPulls(ctx)
	default:
		pulls, err = r.mergedPulls(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range pulls {
		c, err := Event{Owner: e.Owner, Repo: e.Repo}.about(p)
		if err != nil {
			return nil, err
		}
		c.BaseSHA = e.BaseSHA // by now the branch may hold what is accepted
		if !slices.ContainsFunc(out, func(other change) bool { return other.Number == c.Number }) {
			out = append(out, change{Event: c, repo: r})
		}
	}
	return out, nil
}

// mergedPulls are the pull requests whose merge a push to the default branch is.
func (r *Repository) mergedPulls(ctx context.Context) (pulls []*github.PullRequest, err error) {
	steps, err := r.landed(ctx, r.event.HeadSHA, r.event.BaseSHA)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		found, err := r.pullsOf(ctx, step{sha: s.sha}, func(p *github.PullRequest) bool {
			return p.MergedAt != nil && p.GetBase().GetRef() == r.event.BaseRef &&
				(s.second == "" || s.second == p.GetHead().GetSHA())
		})
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, found...)
	}
	return pulls, nil
}

var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// isLogin reports what GitHub lets users call themselves, those of enterprises included.
func isLogin(name string) bool { return len(name) <= 64 && login.MatchString(name) }

// approvals are the last words of people who approve exactly the head commit, oldest first.
func (c *change) approvals(ctx context.Context) (out []acceptance, err error) {
	reviews, err := wholeList("reviews", reviewPages, errManyReviews,
		func(at github.ListOptions) ([]*github.PullRequestReview, *github.Response, error) {
			return c.repo.client.PullRequests.ListReviews(ctx, c.Owner, c.Repo, c.Number, &at)
		})
	if err != nil {
		return nil, err
	}
	last := map[int64]*github.PullRequestReview{}
	for _, one := range reviews {
		switch one.GetState() {
		case "APPROVED", "CHANGES_REQUESTED", "DISMISSED": // a comment takes nothing back
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
		if one.GetState() == "APPROVED" && one.GetCommitID() == c.HeadSHA && isPerson(one.GetUser()) {
			out = append(out, acceptance{kind: review, by: one.GetUser().GetLogin(), id: one.GetUser().GetID(),
				at: one.GetSubmittedAt().Time})
		}
	}
	return out, nil
}

// jobPage matches the address of a job's check run: its page in the run of the workflow.
var jobPage = regexp.MustCompile(`/actions/runs/([0-9]+)/jobs?/[0-9]+$`)

// actionsSlug is the App that jobs run as.
const actionsSlug = "github-actions"

// firstShown returns when a reviewer could first see a result on a pull request's head: at the first check run with
// this mark, or else with the marks of other workflows for the same gate. If there are none, as with the token of a
// fork's pull request, it is when those jobs failed that could be ours: on a pull request the jobs of an earlier
// attempt of this run, since another job beside a first attempt has shown nothing; in a merge group and on the branch
// any job, since the pull request's runs are over. Of several the last counts. It is zero if there was no result.
func (c *change) firstShown(ctx context.Context, mark Mark) (time.Time, error) {
	r := c.repo
	runs, err := r.checks(ctx, c.HeadSHA)
	if err != nil {
		return time.Time{}, err
	}
	branch, err := r.DefaultBranch(ctx)
	if err != nil {
		return time.Time{}, err
	}
	name := CheckName(Event{Name: "pull_request", BaseRef: r.event.BaseRef}, branch, mark.Part, false)
	own := mark.key(r.event.Owner, r.event.Repo)
	gates := earliest(runs, func(run *github.CheckRun) string {
		key, ours := strings.CutPrefix(run.GetExternalID(), externalPrefix)
		if !ours || run.GetName() != name { // another branch's rules are no result of these
			return ""
		}
		key, _, _ = strings.Cut(key, "/")
		return key
	})
	if at, is := gates[own]; is {
		return at, nil
	}
	landing := r.event.Name != "pull_request"
	jobs := earliest(runs, func(run *github.CheckRun) string {
		m := jobPage.FindStringSubmatch(run.GetDetailsURL())
		if m == nil || run.GetApp().GetSlug() != actionsSlug || run.GetConclusion() != string(Failure) || !landing &&
			(!r.again || m[1] != r.run) {
			return ""
		}
		return run.GetName()
	})
	return cmp.Or(latest(gates), latest(jobs)), nil
}

func (r *Repository) checks(ctx context.Context, sha string) ([]*github.CheckRun, error) {
	return wholeList("check runs of commit "+short(sha), reviewPages, errManyChecks,
		checkRuns(ctx, r.client, r.event, sha, nil))
}

func latest(times map[string]time.Time) (last time.Time) {
	for _, at := range times {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// earliest returns when the first check run of each kind was completed. A kind of "" does not count.
func earliest(runs []*github.CheckRun, kind func(*github.CheckRun) string) map[string]time.Time {
	out := map[string]time.Time{}
	for _, c := range runs {
		at, name := c.GetCompletedAt().Time, kind(c)
		if name == "" || at.IsZero() {
			continue
		}
		if before, is := out[name]; !is || at.Before(before) {
			out[name] = at
		}
	}
	return out
}
