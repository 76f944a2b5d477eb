// Package github is a run's interface to GitHub: the event, the API client, the merge base, and publishing of the
// comment, check run, annotations, job summary and outputs. It gets finished texts and numbers, decides nothing about
// them, and never ends a run because GitHub rejects a publication.
package github

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// maxEvent is the largest event payload in bytes. GitHub allows 25 MB, mostly for lists of commits; a pull request's
// payload has less than a tenth of maxEvent.
const maxEvent = 8 << 20

// ErrEvent is the error of an invalid event. It names the variable or the field, and what is wrong with it.
var ErrEvent = errors.New("GitHub event")

// Event is the validated event that started the run. Every SHA is 40 hexadecimal digits or empty, and a number is 0
// or positive.
type Event struct {
	Name   string // pull_request, merge_group, push, workflow_dispatch, schedule or issue_comment
	Action string // the activity: opened, synchronize, …; "" if the event has none

	Owner, Repo   string // of the workflow's repository
	DefaultBranch string // "" if the payload does not have it
	// GITHUB_SHA: for a pull request, its merge commit when the run started; "" if it is no SHA
	RunSHA string

	Number   int   // of the pull request; 0 for other events
	AuthorID int64 // of the account that opened the pull request; 0 if the account is deleted
	Push     Push  // the push of the head, if the event has it

	BaseSHA, BaseRef string // "" without a previous commit; BaseRef is a branch name
	HeadSHA, HeadRef string // HeadRef is a branch name, or the full ref of a tag
	// owner/name of a pull request's head repository; "" if it is deleted
	HeadRepo string

	Fork       bool // the head is in another repository, or in a deleted one
	Dependabot bool // opened by Dependabot, whose runs have no secrets and a read-only token

	// of issue_comment, which has no commits, with an author and a time; nil for other events
	Comment    *github.IssueComment
	Privileged bool // started by a command or by another run's end, with the repository's token and secrets

	TriggeredBy *github.WorkflowRun // of workflow_run, with its ids; nil for other events
}

// Push is one change of a branch and its author, or none. For the first head of a pull request, Before is "", and Login
// and AccountID are those of the account that opened the pull request, and usually pushed its head.
type Push struct {
	Before, After string // commits
	Login         string
	AccountID     int64
}

// Restricted reports whether the run has a read-only token and no secrets.
func (e Event) Restricted() bool { return (e.Fork || e.Dependabot) && !e.Privileged }

// LoadEvent reads the event from the runner's GITHUB_EVENT_NAME and GITHUB_EVENT_PATH.
func LoadEvent(env func(string) string) (Event, error) {
	for _, variable := range []string{"GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH"} {
		if env(variable) == "" {
			return Event{}, fault(variable, "is not set; this command runs inside GitHub Actions")
		}
	}
	payload, err := regular.Read(env("GITHUB_EVENT_PATH"), maxEvent)
	if err != nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "%v", err)
	}
	return ParseEvent(env("GITHUB_EVENT_NAME"), payload, env)
}

// fault returns the error of an invalid event. field names an environment variable or a field of the payload.
func fault(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s %s", ErrEvent, field, fmt.Sprintf(format, args...))
}

// ParseEvent parses a webhook payload. name is GITHUB_EVENT_NAME. env provides GITHUB_REPOSITORY, GITHUB_SHA and
// GITHUB_REF for payloads without a commit or a merge commit. Every error wraps ErrEvent.
func ParseEvent(name string, data []byte, env func(string) string) (Event, error) {
	var p *payload
	if err := json.Unmarshal(data, &p); err != nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "does not hold an event: %v", err)
	}
	if p == nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "holds null, not an event")
	}
	parse := parsers[name]
	switch {
	case name == "pull_request_target":
		return Event{}, fault("GITHUB_EVENT_NAME", "pull_request_target: the event runs with the base's secrets and "+
			"token on somebody else's change; use `on: pull_request`, which needs neither to judge recorded answers")
	case parse == nil:
		return Event{}, fault("GITHUB_EVENT_NAME",
			"%q is not supported; use pull_request, merge_group, push, workflow_dispatch, schedule or issue_comment",
			text.TruncateBytes(name, 60))
	}
	p.env = env
	return parse(p, p.event(name))
}

// parsers has the supported events and the methods that read their payloads.
var parsers = map[string]func(*payload, Event) (Event, error){
	"pull_request":      (*payload).pullRequest,
	"push":              (*payload).push,
	"merge_group":       (*payload).mergeGroup,
	"workflow_dispatch": (*payload).manual,
	"schedule":          (*payload).manual,
	"issue_comment":     (*payload).issueComment,
	"workflow_run":      (*payload).workflowRun,
}

var (
	fullSHA  = regexp.MustCompile(`^[0-9a-f]{40}$`)
	namePart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	noCommit = strings.Repeat("0", 40) // GitHub's SHA for "none", as before the first push of a branch
)

// Limits in bytes, far above those of git and GitHub, outside of the expressions, which would be slow to compile.
const (
	maxNamePart = 100
	maxRef      = 1024 // of a branch
)

// check returns the event, or an error for the first field with a value that GitHub would not send.
func (e Event) check() (Event, error) {
	for _, part := range []string{e.Owner, e.Repo} {
		if len(part) > maxNamePart || !namePart.MatchString(part) || strings.Trim(part, ".") == "" {
			return Event{}, fault("repository.full_name", "%q is not owner/name",
				text.TruncateBytes(e.Owner+"/"+e.Repo, 100))
		}
	}
	if e.Comment == nil && !fullSHA.MatchString(e.HeadSHA) {
		return Event{}, fault("the head's commit", "%q is not a full SHA", text.TruncateBytes(e.HeadSHA, 60))
	}
	if e.BaseSHA != "" && !fullSHA.MatchString(e.BaseSHA) {
		return Event{}, fault("the base's commit", "%q is not a full SHA", text.TruncateBytes(e.BaseSHA, 60))
	}
	for _, ref := range []string{e.BaseRef, e.HeadRef, e.DefaultBranch} {
		if len(ref) > maxRef || strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return Event{}, fault("a ref", "%q cannot be the name of a branch or tag", text.TruncateBytes(ref, 60))
		}
	}
	return e, nil
}

// payload has the fields of webhook payloads that are read.
type payload struct {
	env func(string) string // looks up the runner's variables

	Action     string `json:"action"`
	Number     int    `json:"number"`
	Repository *struct {
		FullName      string `json:"full_name"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`

	PullRequest *github.PullRequest  `json:"pull_request"`
	Issue       *github.Issue        `json:"issue"`
	Comment     *github.IssueComment `json:"comment"`
	MergeGroup  *github.MergeGroup   `json:"merge_group"`
	Sender      *github.User         `json:"sender"`
	WorkflowRun *github.WorkflowRun  `json:"workflow_run"`

	Ref        string `json:"ref"`
	Before     string `json:"before"`
	After      string `json:"after"`
	Deleted    bool   `json:"deleted"`
	HeadCommit *struct {
		ID string `json:"id"`
	} `json:"head_commit"`
}

// event returns an Event with the fields that all events share.
func (p *payload) event(name string) Event {
	full := p.env("GITHUB_REPOSITORY")
	e := Event{Name: name, Action: p.Action}
	if r := p.Repository; r != nil {
		full, e.DefaultBranch = cmp.Or(r.FullName, full), r.DefaultBranch
	}
	if sha := p.env("GITHUB_SHA"); fullSHA.MatchString(sha) {
		e.RunSHA = sha
	}
	e.Owner, e.Repo, _ = strings.Cut(full, "/")
	return e
}

// pullRequest reads any activity of a pull request. The workflow chooses the activities that start a run.
func (p *payload) pullRequest(e Event) (Event, error) {
	pr := p.PullRequest
	switch {
	case pr == nil:
		return Event{}, fault("pull_request", "is missing")
	case pr.Base == nil || pr.Head == nil:
		return Event{}, fault("pull_request", "has no base or no head")
	case pr.GetNumber() <= 0:
		return Event{}, fault("pull_request.number", "%d is not a positive number", pr.GetNumber())
	case p.Number != 0 && p.Number != pr.GetNumber():
		return Event{}, fault("number", "%d and pull_request.number %d differ", p.Number, pr.GetNumber())
	case pr.Base.GetRepo().GetID() == 0:
		return Event{}, fault("pull_request.base.repo", "is missing")
	case pr.Base.GetSHA() == "":
		return Event{}, fault("pull_request.base.sha", "is missing")
	}
	switch p.Action { // the sender of other activities did not push
	case "synchronize":
		e.Push = Push{p.Before, p.After, p.Sender.GetLogin(), p.Sender.GetID()}
	case "opened":
		e.Push = Push{"", pr.Head.GetSHA(), p.Sender.GetLogin(), p.Sender.GetID()}
	}
	return e.withPull(pr)
}

// withPull returns the event with its pull request set to p. It returns an error if a field is invalid.
func (e Event) withPull(p *github.PullRequest) (Event, error) {
	e.Number = p.GetNumber()
	e.BaseSHA, e.BaseRef = p.GetBase().GetSHA(), p.GetBase().GetRef()
	e.HeadSHA, e.HeadRef, e.HeadRepo = p.GetHead().GetSHA(), p.GetHead().GetRef(), p.GetHead().GetRepo().GetFullName()
	e.Fork = isFork(p)
	// The author decides, not GITHUB_ACTOR, because anyone can rerun or push to another's pull request. No user can
	// register a login with brackets.
	user := p.GetUser()
	e.AuthorID = user.GetID()
	e.Dependabot = user.GetType() == "Bot" && user.GetLogin() == "dependabot[bot]"
	return e.check()
}

// push reads a push, which is compared with the commit before it, except for the first push of a branch or tag.
func (p *payload) push(e Event) (Event, error) {
	if p.Deleted || p.After == noCommit {
		return Event{}, fault("push", "deleted %q, so there is nothing to judge", text.TruncateBytes(p.Ref, 100))
	}
	if p.Before == "" {
		return Event{}, fault("before", "is missing")
	}
	e.HeadSHA, e.HeadRef = p.After, branchName(p.Ref)
	if p.HeadCommit != nil { // for an annotated tag, "after" is the tag object
		e.HeadSHA = p.HeadCommit.ID
	}
	if p.Before != noCommit {
		e.BaseSHA, e.BaseRef = p.Before, branchName(p.Ref)
	}
	return e.check()
}

// mergeGroup reads a merge queue's candidate. It may have several pull requests, which the payload does not list.
func (p *payload) mergeGroup(e Event) (Event, error) {
	if p.MergeGroup == nil {
		return Event{}, fault("merge_group", "is missing")
	}
	if p.MergeGroup.GetBaseSHA() == "" {
		return Event{}, fault("merge_group.base_sha", "is missing")
	}
	e.BaseSHA, e.BaseRef = p.MergeGroup.GetBaseSHA(), branchName(p.MergeGroup.GetBaseRef())
	e.HeadSHA, e.HeadRef = p.MergeGroup.GetHeadSHA(), branchName(p.MergeGroup.GetHeadRef())
	return e.check()
}

// manual reads the event of a run that a person or a schedule started. The runner provides the commit.
func (p *payload) manual(e Event) (Event, error) {
	if e.Owner == "" {
		return Event{}, fault("GITHUB_REPOSITORY", "is not set")
	}
	if p.env("GITHUB_SHA") == "" {
		return Event{}, fault("GITHUB_SHA", "is not set")
	}
	e.HeadSHA, e.HeadRef = p.env("GITHUB_SHA"), branchName(p.env("GITHUB_REF"))
	return e.check()
}

// workflowRun reads the end of another workflow's run. TriggeredPull finds its pull request, which is not in it.
func (p *payload) workflowRun(e Event) (Event, error) {
	w := p.WorkflowRun
	switch {
	case w == nil || w.GetID() <= 0 || w.GetWorkflowID() <= 0:
		return Event{}, fault("workflow_run", "is missing")
	case w.GetEvent() != "pull_request":
		return Event{}, fault("workflow_run.event", "is %q; expected pull_request: have the job run `if: github.event.workflow_run.event == 'pull_request'`",
			text.TruncateBytes(w.GetEvent(), 60))
	case w.GetHeadRepository().GetFullName() == "":
		return Event{}, fault("workflow_run.head_repository", "is missing")
	}
	e.RunSHA = "" // of the default branch
	e.HeadSHA, e.HeadRef, e.HeadRepo = w.GetHeadSHA(), w.GetHeadBranch(), w.GetHeadRepository().GetFullName()
	e.TriggeredBy = w
	return e.check()
}

// issueComment reads a comment. The event does not say which commit it is about; the comment's command does.
func (p *payload) issueComment(e Event) (Event, error) {
	switch {
	case p.Issue == nil || p.Comment == nil || p.Comment.User == nil:
		return Event{}, fault("issue_comment", "has no issue, no comment or no author")
	case p.Issue.GetNumber() <= 0 || p.Comment.GetID() <= 0:
		return Event{}, fault("issue_comment", "numbers the issue %d and the comment %d, which are not positive",
			p.Issue.GetNumber(), p.Comment.GetID())
	case p.Comment.GetCreatedAt().IsZero():
		return Event{}, fault("comment.created_at", "is missing")
	}
	e.RunSHA = "" // of the default branch, whatever the comment is about
	if p.Issue.IsPullRequest() {
		e.Number = p.Issue.GetNumber()
	}
	e.Comment = p.Comment
	return e.check()
}

// branchName returns the name of a branch. A tag's ref stays complete, because a branch may have its name.
func branchName(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }
