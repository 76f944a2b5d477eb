// Package github is GitHub's side of a run: the event that started it, the client of the API, the merge base, and
// what is published: comment, check run, annotations, job summary and outputs.
// It gets finished texts and figures, decides nothing about them, and never ends a run because GitHub refused a
// publication.
package github

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// maxEvent is the largest event payload that is read, in bytes. GitHub caps webhook payloads at 25 MB, most of which
// is commit lists; a pull request's stays far under a tenth of this.
const maxEvent = 8 << 20

// ErrEvent is an event that cannot be used: the message names the variable or the field and what is wrong with it.
var ErrEvent = errors.New("GitHub event")

// Event is the validated event that started the run: every SHA is 40 hexadecimal digits or empty, and a number is 0 or
// positive.
type Event struct {
	Name   string // pull_request, merge_group, push, workflow_dispatch, schedule or issue_comment
	Action string // the activity: opened, synchronize, …; "" where the event has none

	Owner, Repo   string // of the repository the workflow runs in
	DefaultBranch string // of it; "" where the payload does not say
	// GITHUB_SHA: of a pull request, the merge commit of the time when it started; "" where it is no SHA
	RunSHA string

	Number   int   // of the pull request, 0 for every other event
	AuthorID int64 // of who opened it; 0 for an account that is gone
	Push     Push  // that made the head what it is, where the event tells of it

	BaseSHA, BaseRef string // "" when there is nothing before; a branch name for BaseRef
	HeadSHA, HeadRef string // a branch name for HeadRef, or the whole ref of a tag
	// of a pull request: owner/name of the repository that its branch is in; "" where that was deleted
	HeadRepo string

	Fork       bool // the head is in another repository, or in one that was deleted
	Dependabot bool // opened by Dependabot, whose runs get no secrets and a read-only token

	Comment *Comment // of issue_comment, which has no commits of its own; nil of every other event
	Asked   bool     // a command, or a run that ended, asks for the run of a pull request, which has the repository's own token and secrets then

	Triggered *Triggered // of workflow_run, which is about no pull request until one is found; nil of every other event
}

// Push is one change of a branch, and who made it; the zero Push is none. For the first head of a pull request Before
// is "", and By is who opened it, most often who pushed it.
type Push struct {
	Before, After string // commits
	By            string // the login
	ByID          int64
}

func newPush(before, after string, who *github.User) Push {
	return Push{before, after, who.GetLogin(), who.GetID()}
}

// Restricted reports whether GitHub gives the run a read-only token and no secrets.
func (e Event) Restricted() bool { return (e.Fork || e.Dependabot) && !e.Asked }

// LoadEvent reads the event that the runner describes in GITHUB_EVENT_NAME and GITHUB_EVENT_PATH.
func LoadEvent(env func(string) string) (Event, error) {
	name, path := env("GITHUB_EVENT_NAME"), env("GITHUB_EVENT_PATH")
	for _, variable := range []string{"GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH"} {
		if env(variable) == "" {
			return Event{}, fault(variable, "is not set; this command runs inside GitHub Actions")
		}
	}
	payload, err := regular.Read(path, maxEvent)
	if err != nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "%v", err)
	}
	return ParseEvent(name, payload, env)
}

// fault returns the error of an unusable event. field is a variable of the environment or a field of the payload.
func fault(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s %s", ErrEvent, field, fmt.Sprintf(format, args...))
}

// refused are events that a gate has no business with, and why.
var refused = map[string]string{
	"pull_request_target": "runs with the base's secrets and token on somebody else's change; use `on: pull_request`, which needs neither to judge recorded answers",
}

// ParseEvent reads a webhook payload. name is GITHUB_EVENT_NAME; env supplies GITHUB_REPOSITORY, GITHUB_SHA and
// GITHUB_REF, which payloads without a commit, or without the merge commit, need. Every error wraps ErrEvent.
func ParseEvent(name string, data []byte, env func(string) string) (Event, error) {
	if why, is := refused[name]; is {
		return Event{}, fault("GITHUB_EVENT_NAME", "%s: the event %s", name, why)
	}
	var p *payload
	if err := json.Unmarshal(data, &p); err != nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "does not hold an event: %v", err)
	}
	if p == nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "holds null, not an event")
	}
	switch name {
	case "pull_request":
		return p.pullRequest(env)
	case "push":
		return p.push(env)
	case "merge_group":
		return p.mergeGroup(env)
	case "workflow_dispatch", "schedule":
		return p.byHand(name, env)
	case "issue_comment":
		return p.issueComment(env)
	case "workflow_run":
		return p.workflowRun(env)
	}
	return Event{}, fault("GITHUB_EVENT_NAME",
		"%q is not supported; use pull_request, merge_group, push, workflow_dispatch, schedule or issue_comment",
		text.CutBytes(name, 60))
}

var (
	fullSHA  = regexp.MustCompile(`^[0-9a-f]{40}$`)
	namePart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	noCommit = strings.Repeat("0", 40) // GitHub's "there is none", as in the first push of a branch
)

// Bounds in bytes, far above what git and GitHub allow. A regular expression that counted so far would be long in the
// making.
const (
	maxNamePart = 100
	maxRef      = 1024 // of a branch
)

// check reports the first part of an event that is not what GitHub sends.
func (e Event) check() (Event, error) {
	for _, part := range []string{e.Owner, e.Repo} {
		if len(part) > maxNamePart || !namePart.MatchString(part) || strings.Trim(part, ".") == "" {
			return Event{}, fault("repository.full_name", "%q is not owner/name",
				text.CutBytes(e.Owner+"/"+e.Repo, 100))
		}
	}
	if e.Comment == nil && !fullSHA.MatchString(e.HeadSHA) {
		return Event{}, fault("the head's commit", "%q is not a full SHA", text.CutBytes(e.HeadSHA, 60))
	}
	if e.BaseSHA != "" && !fullSHA.MatchString(e.BaseSHA) {
		return Event{}, fault("the base's commit", "%q is not a full SHA", text.CutBytes(e.BaseSHA, 60))
	}
	for _, ref := range []string{e.BaseRef, e.HeadRef, e.DefaultBranch} {
		if len(ref) > maxRef || strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return Event{}, fault("a ref", "%q cannot be the name of a branch or tag", text.CutBytes(ref, 60))
		}
	}
	return e, nil
}

// payload holds the fields of webhook payloads that matter here.
type payload struct {
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

// event starts an Event with what all of them share.
func (p *payload) event(name string, env func(string) string) Event {
	full := env("GITHUB_REPOSITORY")
	e := Event{Name: name, Action: p.Action}
	if r := p.Repository; r != nil {
		full, e.DefaultBranch = cmp.Or(r.FullName, full), r.DefaultBranch
	}
	if sha := env("GITHUB_SHA"); fullSHA.MatchString(sha) {
		e.RunSHA = sha
	}
	e.Owner, e.Repo, _ = strings.Cut(full, "/")
	return e
}

// pullRequest reads any activity of a pull request. All of them have both ends; the workflow chooses which of them
// start a run.
func (p *payload) pullRequest(env func(string) string) (Event, error) {
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
	e := p.event("pull_request", env)
	switch p.Action { // of any other activity, the sender has not pushed
	case "synchronize":
		e.Push = newPush(p.Before, p.After, p.Sender)
	case "opened":
		e.Push = newPush("", pr.Head.GetSHA(), p.Sender)
	}
	return e.about(pr)
}

// about is an event with what a pull request says of itself, checked.
func (e Event) about(p *github.PullRequest) (Event, error) {
	e.Number = p.GetNumber()
	e.BaseSHA, e.BaseRef = p.GetBase().GetSHA(), p.GetBase().GetRef()
	e.HeadSHA, e.HeadRef, e.HeadRepo = p.GetHead().GetSHA(), p.GetHead().GetRef(), p.GetHead().GetRepo().GetFullName()
	e.Fork = fork(p)
	// The author decides, not GITHUB_ACTOR: anyone can re-run or push to another's pull request. No user can
	// register a login with brackets.
	user := p.GetUser()
	e.AuthorID = user.GetID()
	e.Dependabot = user.GetType() == "Bot" && user.GetLogin() == "dependabot[bot]"
	return e.check()
}

// push compares with the commit before the push; the first push of a branch or tag has none.
func (p *payload) push(env func(string) string) (Event, error) {
	if p.Deleted || p.After == noCommit {
		return Event{}, fault("push", "deleted %q, so there is nothing to judge", text.CutBytes(p.Ref, 100))
	}
	if p.Before == "" {
		return Event{}, fault("before", "is missing")
	}
	e := p.event("push", env)
	e.HeadSHA, e.HeadRef = p.After, branch(p.Ref)
	if p.HeadCommit != nil { // of an annotated tag, "after" is the tag's own object
		e.HeadSHA = p.HeadCommit.ID
	}
	if p.Before != noCommit {
		e.BaseSHA, e.BaseRef = p.Before, branch(p.Ref)
	}
	return e.check()
}

// mergeGroup is a merge queue's candidate. It may hold several pull requests and names none.
func (p *payload) mergeGroup(env func(string) string) (Event, error) {
	if p.MergeGroup == nil {
		return Event{}, fault("merge_group", "is missing")
	}
	if p.MergeGroup.GetBaseSHA() == "" {
		return Event{}, fault("merge_group.base_sha", "is missing")
	}
	e := p.event("merge_group", env)
	e.BaseSHA, e.BaseRef = p.MergeGroup.GetBaseSHA(), branch(p.MergeGroup.GetBaseRef())
	e.HeadSHA, e.HeadRef = p.MergeGroup.GetHeadSHA(), branch(p.MergeGroup.GetHeadRef())
	return e.check()
}

// byHand reads the event of a run that a person or a schedule started. The runner names the commit, not the payload.
func (p *payload) byHand(name string, env func(string) string) (Event, error) {
	e := p.event(name, env)
	if e.Owner == "" {
		return Event{}, fault("GITHUB_REPOSITORY", "is not set")
	}
	if env("GITHUB_SHA") == "" {
		return Event{}, fault("GITHUB_SHA", "is not set")
	}
	e.HeadSHA, e.HeadRef = env("GITHUB_SHA"), branch(env("GITHUB_REF"))
	return e.check()
}

// workflowRun reads the end of another workflow's run. GitHub alone tells which pull request that was about.
func (p *payload) workflowRun(env func(string) string) (Event, error) {
	w := p.WorkflowRun
	switch {
	case w == nil || w.GetID() <= 0 || w.GetWorkflowID() <= 0:
		return Event{}, fault("workflow_run", "is missing")
	case w.GetEvent() != "pull_request":
		return Event{}, fault("workflow_run.event", "is %q; expected pull_request: have the job run `if: github.event.workflow_run.event == 'pull_request'`",
			text.CutBytes(w.GetEvent(), 60))
	case w.GetHeadRepository().GetFullName() == "":
		return Event{}, fault("workflow_run.head_repository", "is missing")
	}
	e := p.event("workflow_run", env)
	e.RunSHA = "" // the default branch's
	e.HeadSHA, e.HeadRef, e.HeadRepo = w.GetHeadSHA(), w.GetHeadBranch(), w.GetHeadRepository().GetFullName()
	e.Triggered = &Triggered{Run: w.GetID(), Workflow: w.GetWorkflowID(), Branch: w.GetHeadBranch()}
	return e.check()
}

// Comment is a comment on a pull request at the time of the event. Anybody may write one.
type Comment struct {
	ID       int64
	Body     string
	Author   string // the login
	AuthorID int64
	Person   bool // no App wrote it
	At       time.Time
}

// issueComment reads a comment. The event names no commit; the command in it does.
func (p *payload) issueComment(env func(string) string) (Event, error) {
	switch {
	case p.Issue == nil || p.Comment == nil || p.Comment.User == nil:
		return Event{}, fault("issue_comment", "has no issue, no comment or no author")
	case p.Issue.GetNumber() <= 0 || p.Comment.GetID() <= 0:
		return Event{}, fault("issue_comment", "numbers the issue %d and the comment %d, which are not positive",
			p.Issue.GetNumber(), p.Comment.GetID())
	case p.Comment.GetCreatedAt().IsZero():
		return Event{}, fault("comment.created_at", "is missing")
	}
	e := p.event("issue_comment", env)
	e.RunSHA = "" // the default branch's, whatever the comment is about
	if p.Issue.IsPullRequest() {
		e.Number = p.Issue.GetNumber()
	}
	user := p.Comment.User
	e.Comment = &Comment{ID: p.Comment.GetID(), Body: p.Comment.GetBody(), Author: user.GetLogin(),
		AuthorID: user.GetID(), Person: isPerson(user), At: p.Comment.GetCreatedAt().Time}
	return e.check()
}

// branch returns the name of a branch. A tag's ref stays whole, since a tag may have a branch's name.
func branch(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }
