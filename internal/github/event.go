// Package github is GitHub's side of a run: the event that started it, the client of the API, the merge base, and
// what is published: comment, check run, annotations, job summary and outputs.
// It gets finished texts and figures, decides nothing about them, and never ends a run because GitHub refused a publication.
package github

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/text"
)

// MaxEvent is the largest event payload that is read, in bytes. GitHub caps webhook payloads at 25 MB, most of which
// is commit lists; a pull request's stays far under a tenth of this.
const MaxEvent = 8 << 20

// ErrEvent is an event that cannot be used: the message names the variable or the field and what is wrong with it.
var ErrEvent = errors.New("GitHub event")

// Event is what started the run, checked: every SHA is 40 hexadecimal digits or empty, a number is 0 or positive.
type Event struct {
	Name   string // pull_request, merge_group, push, workflow_dispatch, schedule or issue_comment
	Action string // the activity: opened, synchronize, …; "" where the event has none

	Owner, Repo   string // of the repository the workflow runs in
	DefaultBranch string // of it; "" where the payload does not say
	RunSHA        string // GITHUB_SHA: of a pull request, the merge commit of the time when it started; "" where it is no SHA

	Number   int   // of the pull request, 0 for every other event
	AuthorID int64 // of who opened it; 0 for an account that is gone

	BaseSHA, BaseRef string // "" when there is nothing before; a branch name for BaseRef
	HeadSHA, HeadRef string // a branch name for HeadRef, or the whole ref of a tag

	Fork       bool // the head is in another repository, or in one that was deleted
	Dependabot bool // opened by Dependabot, whose runs get no secrets and a read-only token

	Comment *Comment // of issue_comment, which has no commits of its own; nil of every other event
	Asked   bool     // a command asks for the run of a pull request, which has the repository's own token and secrets then
}

// Restricted tells that GitHub gives such a run a token that can only read, and no secrets.
func (e Event) Restricted() bool { return (e.Fork || e.Dependabot) && !e.Asked }

// LoadEvent reads the event that the runner describes in GITHUB_EVENT_NAME and GITHUB_EVENT_PATH.
func LoadEvent(env func(string) string) (Event, error) {
	name, path := env("GITHUB_EVENT_NAME"), env("GITHUB_EVENT_PATH")
	for _, variable := range []string{"GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH"} {
		if env(variable) == "" {
			return Event{}, fault(variable, "is not set; this command runs inside GitHub Actions")
		}
	}
	payload, err := regular.Read(path, MaxEvent)
	if err != nil {
		return Event{}, fault("GITHUB_EVENT_PATH", "%v", err)
	}
	return ParseEvent(name, payload, env)
}

// fault words an unusable event. field is a variable of the environment or a field of the payload.
func fault(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s %s", ErrEvent, field, fmt.Sprintf(format, args...))
}

// refused are events that a gate has no business with, and why.
var refused = map[string]string{
	"pull_request_target": "runs with the base's secrets and token on somebody else's change; use `on: pull_request`, which needs neither to judge recorded answers",
	"workflow_run":        "is not tied to one pull request and its artifacts can be forged; use `on: pull_request`",
}

// ParseEvent reads a webhook payload. name is GITHUB_EVENT_NAME; env supplies GITHUB_REPOSITORY, GITHUB_SHA and
// GITHUB_REF, which payloads without a commit, or without the merge commit, need. Every error wraps ErrEvent.
func ParseEvent(name string, payload []byte, env func(string) string) (Event, error) {
	if len(payload) > MaxEvent {
		return Event{}, fault("GITHUB_EVENT_PATH", "holds more than %d MiB", MaxEvent>>20)
	}
	if why, is := refused[name]; is {
		return Event{}, fault("GITHUB_EVENT_NAME", "%s: the event %s", name, why)
	}
	p, err := decodePayload(payload)
	if err != nil {
		return Event{}, err
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
	}
	return Event{}, fault("GITHUB_EVENT_NAME", "%q is not supported; use pull_request, merge_group, push, workflow_dispatch, schedule or issue_comment", text.CutBytes(name, 60))
}

var (
	fullSHA  = regexp.MustCompile(`^[0-9a-f]{40}$`)
	namePart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	noCommit = strings.Repeat("0", 40) // GitHub's "there is none", as in the first push of a branch
)

// Bounds in bytes, far above what git and GitHub allow. A regular expression that counted so far would be long in the making.
const (
	maxNamePart = 100
	maxRef      = 1024 // of a branch
)

// check reports the first part of an event that is not what GitHub sends.
func (e Event) check() (Event, error) {
	for _, part := range []string{e.Owner, e.Repo} {
		if len(part) > maxNamePart || !namePart.MatchString(part) || strings.Trim(part, ".") == "" {
			return Event{}, fault("repository.full_name", "%q is not owner/name", text.CutBytes(e.Owner+"/"+e.Repo, 100))
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
