package github

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/go-github/v60/github"
)

// Verb is the kind of a command.
type Verb string

const (
	VerbRun    Verb = "run"    // judge the head, also with live targets for which its own run has no key
	VerbAccept Verb = "accept" // accept what an approving review accepts, case by case
	VerbHelp   Verb = "help"
)

// Command is a command to the bot, in the first line of a comment on a pull request.
type Command struct {
	Verb  Verb
	Head  string   // the pull request's head commit, 40 hexadecimal digits; "" for help
	Names []string // the accepted cases, as SUITE/CASE or CASE, rules, as rule:CODE, and their runs, as run:NAME
}

// commandWord begins a comment with a command, at the very beginning: indented text may be an example in a code block.
const commandWord = "/failproof"

// ruleMark precedes the code of a reason. No case name contains it.
const ruleMark = "rule:"

// RunWord returns the word by which a command names the run of a repository that it is for. A command for a run without
// a name has no such word. White space would end the word, so it becomes an underscore.
func RunWord(name string) string {
	if name == "" {
		return ""
	}
	return runMark + strings.Join(strings.Fields(name), "_")
}

const runMark = "run:"

const (
	maxCommand = 8 << 10 // bytes of the line
	maxNames   = 200     // of a command
)

// Usage describes the commands, as Markdown.
const Usage = "```text\n" +
	commandWord + " run SHA                              judge this commit, with live targets too\n" +
	commandWord + " accept SHA CASE… because REASON      accept what is removed, redefined or changed of these " +
	"cases\n" +
	commandWord + " help                                 this\n```\n\n" +
	"SHA is the whole name of the pull request’s head commit, CASE is written `SUITE/CASE`, or `CASE` where one " +
	"suite alone has it; a rule, as in `rule:on_policy_change`, stands for all that it found. A run with a name, such " +
	"as its folder, is named too: `run:NAME`. " +
	"`run` and `accept` take write access to the repository; nobody accepts what they opened, wrote or pushed."

// ParseCommand parses the command at the beginning of a comment. ok reports whether there is one. An error explains an
// invalid command without quoting the comment.
func ParseCommand(text string) (c Command, ok bool, err error) {
	line, _, _ := strings.Cut(text, "\n")
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != commandWord || !strings.HasPrefix(text, commandWord) {
		return c, false, nil
	}
	isForbidden := func(r rune) bool { return unicode.IsControl(r) && r != '\r' && r != '\t' }
	if len(line) > maxCommand || strings.ContainsFunc(line, isForbidden) {
		return c, true, fmt.Errorf("a command is one line of at most %d KiB, without control characters",
			maxCommand>>10)
	}
	if len(words) == 1 {
		return Command{Verb: VerbHelp}, true, nil
	}
	c.Verb, words = Verb(words[1]), words[2:]
	switch {
	case c.Verb == VerbHelp:
		return c, true, nil
	case !slices.Contains([]Verb{VerbRun, VerbAccept}, c.Verb):
		return c, true, errors.New("there is no such command")
	case len(words) == 0 || !fullSHA.MatchString(words[0]):
		return c, true, fmt.Errorf("%s names no commit; write the whole name of the head commit, 40 hexadecimal "+
			"digits, so that it is clear what you have looked at", c.Verb)
	}
	c.Head, words = words[0], words[1:]
	switch {
	case c.Verb == VerbAccept:
		c.Names, err = acceptedNames(words)
	case len(words) > 0:
		err = errors.New("run takes only a commit")
	}
	return c, true, err
}

// acceptedNames returns the words before "because". It returns an error if no reason follows "because".
func acceptedNames(words []string) ([]string, error) {
	because := slices.Index(words, "because")
	switch {
	case because < 0 || because == len(words)-1:
		return nil, errors.New("accept gives no reason; end it with `because` and why this is meant")
	case because == 0:
		return nil, errors.New("accept names no case; write each as SUITE/CASE, as in the comment")
	case because > maxNames:
		return nil, fmt.Errorf("accept names more than %d cases", maxNames)
	}
	return words[:because], nil
}

// isFor reports whether a command is for the run with the given name.
func (c Command) isFor(run string) bool {
	if run == "" {
		return !c.namesRun()
	}
	return slices.Contains(c.Names, RunWord(run))
}

// namesRun reports whether a command is for runs with a name.
func (c Command) namesRun() bool {
	return slices.ContainsFunc(c.Names, func(name string) bool { return strings.HasPrefix(name, runMark) })
}

// covers reports whether a command names the rule with the given code, or every case that the rule's reason is about.
// cases has all names of each case.
func (c Command) covers(code string, cases [][]string) bool {
	named := func(name string) bool { return slices.Contains(c.Names, name) }
	unnamed := func(names []string) bool { return !slices.ContainsFunc(names, named) }
	return named(ruleMark+code) || len(cases) > 0 && !slices.ContainsFunc(cases, unnamed)
}

// The reactions to a comment, which show the outcome of its command.
const (
	ReactionSeen    = "eyes"     // understood and running
	ReactionDone    = "+1"       // done
	ReactionRefused = "confused" // not understood, not allowed, or not done
)

// CommandsAnHour is the largest number of commands of one person on one pull request in an hour. A common limit would
// let a stranger use up the maintainers' share.
const CommandsAnHour = 20

// CommandLimitReached reports whether the author of the event's comment has reached the limit of commands here.
func (r *Repository) CommandLimitReached(ctx context.Context) (bool, error) {
	c, n := r.Comment, 0
	since := c.GetCreatedAt().Add(-time.Hour)
	all, err := r.comments(ctx, since)
	for _, other := range all {
		_, ok, _ := ParseCommand(other.GetBody())
		if ok && other.GetID() != c.GetID() && other.GetUser().GetID() == c.GetUser().GetID() &&
			!other.GetCreatedAt().Before(since) && !other.GetCreatedAt().After(c.GetCreatedAt().Time) {
			n++
		}
	}
	return n >= CommandsAnHour, err
}

// comments returns a pull request's comments that were written or changed since a time, or all for the zero time.
func (r *Repository) comments(ctx context.Context, since time.Time) ([]*github.IssueComment, error) {
	options := &github.IssueListCommentsOptions{}
	if !since.IsZero() {
		options.Since = &since
	}
	return readPages("comments", 30, func(at github.ListOptions) ([]*github.IssueComment, *github.Response, error) {
		options.ListOptions = at
		return r.client.Issues.ListComments(ctx, r.Owner, r.Repo, r.Number, options)
	})
}

// CommentedPull returns the repository for running a command on the pull request that was commented on, as it is now.
// open reports whether that pull request is open.
func (r *Repository) CommentedPull(ctx context.Context) (pull *Repository, open bool, err error) {
	p, _, err := r.client.PullRequests.Get(ctx, r.Owner, r.Repo, r.Number)
	if err != nil {
		return nil, false, describe(err, "read pull request #%d", r.Number)
	}
	pull, err = r.privileged("command", p)
	return pull, p.GetState() == "open", err
}

// MayWrite reports whether the account with the login name has write access to the repository.
func (r *Repository) MayWrite(ctx context.Context, name string) (bool, error) {
	if !isLogin(name) {
		return false, nil
	}
	level, _, err := r.client.Repositories.GetPermissionLevel(ctx, r.Owner, r.Repo, name)
	p := level.GetPermission()
	return err == nil && (p == "admin" || p == "write"), // maintain is write here
		describe(err, "read the permission of %s", oneLine(name))
}

// React adds a reaction to the event's comment.
func (r *Repository) React(ctx context.Context, reaction string) error {
	_, _, err := r.client.Reactions.CreateIssueCommentReaction(ctx, r.Owner, r.Repo, r.Comment.GetID(), reaction)
	return describe(err, "react to the comment")
}

// Reply comments on the pull request. text is Markdown that is safe to show.
func (r *Repository) Reply(ctx context.Context, text string) error {
	_, _, err := r.client.Issues.CreateComment(ctx, r.Owner, r.Repo, r.Number, &github.IssueComment{Body: &text})
	return describe(err, "answer the comment")
}

// ErrNoGate is the error if the gate's failed job cannot be identified.
var ErrNoGate = errors.New("the gate's job could not be identified")

// RerunGate reruns the failed jobs of the gate's last runs on the head. It returns ErrNoGate if there are no such jobs.
// If the token lacks actions: write, it returns GitHub's error.
func (r *Repository) RerunGate(ctx context.Context) error {
	checks, err := r.checkRuns(ctx)
	if err != nil {
		return err
	}
	runs := failedGates(checks)
	if len(runs) == 0 {
		return ErrNoGate
	}
	for _, id := range runs {
		_, err := r.client.Actions.RerunFailedJobsByID(ctx, r.Owner, r.Repo, id)
		_, accepted := errors.AsType[*github.AcceptedError](err)
		switch {
		case err == nil || accepted:
		case StatusOf(err) == http.StatusForbidden:
			return describe(err, "the token needs `actions: write`")
		default:
			return describe(err, "run the gate's job again")
		}
	}
	return nil
}

// failedGates returns the ids of the workflow runs of failed gates. A gate failed if its last check run, by key and
// name, is a failure. If failproof has no check run at all, because a fork's token creates none, failed jobs count
// instead. failedGates then returns the only workflow run with a failed job, or nil if there are several such runs.
func failedGates(checks []*github.CheckRun) []int64 {
	last, gates, jobs := map[string]*github.CheckRun{}, map[int64]bool{}, map[int64]bool{}
	for _, c := range checks {
		key := gateKey(c)
		if id, isJob := runOf(c); key == "" && isJob && c.GetConclusion() == failure {
			jobs[id] = true
		}
		key += "/" + c.GetName()
		if before := last[key]; gateKey(c) != "" && (before == nil || before.GetID() < c.GetID()) {
			last[key] = c
		}
	}
	for _, c := range last {
		if id, _ := runOf(c); id != 0 && c.GetConclusion() == failure {
			gates[id] = true
		}
	}
	if len(last) == 0 && len(jobs) == 1 {
		gates = jobs
	}
	return slices.Sorted(maps.Keys(gates))
}
