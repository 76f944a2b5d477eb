package github

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// CommentMode says when a run creates a comment. Except with never, a run always updates an existing comment, so that a
// red comment can turn green.
type CommentMode string

const (
	CommentAuto     CommentMode = "auto"     // if there is something noteworthy
	CommentAlways   CommentMode = "always"   // on every run
	CommentFailures CommentMode = "failures" // if the gate failed
	CommentNever    CommentMode = "never"    // no comment is made, changed or read
)

// Publication is what a run publishes. Its texts are safe to show.
type Publication struct {
	Mark    Mark
	RunID   int64
	Attempt int
	HeadSHA string // the judged commit; "": the event's

	Mode       CommentMode
	Body       string // Markdown of the comment without its mark, below 60,000 bytes
	Facts      string // text below the body that differs between runs with the same result
	Noteworthy bool
	Failed     bool
	Replaces   string // how comments of other jobs on this commit begin that the result replaces; "" for none

	Check *Check // nil: none

	Sleep Sleep // waits before a failed write is checked and repeated
}

// Published has the addresses of what was published. An address is "" if nothing was published there.
type Published struct {
	CommentURL string
	CheckURL   string
}

// Warning is a failed publication, its reason, and what to do.
type Warning struct {
	Code    string // comment, check, annotations, read_only, superseded or newer_run
	Message string
}

// publishTime is the longest time that all publishing of a run may take.
const publishTime = 5 * time.Minute

// Publish writes the check run and, on a pull request, the comment. Errors of GitHub become warnings.
func Publish(ctx context.Context, client *github.Client, ev Event, p Publication) (Published, []Warning) {
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	p.HeadSHA = cmp.Or(p.HeadSHA, ev.HeadSHA)
	w := &publisher{client: client, event: ev, publication: p}
	w.warnIfSuperseded(ctx)
	w.publishCheck(ctx)
	w.publishComment(ctx)
	return w.published, w.warnings
}

type publisher struct {
	client      *github.Client
	event       Event
	publication Publication

	movedTo   string // the pull request's new head, if it changed since the run started
	published Published
	warnings  []Warning
	readOnly  bool
}

func (w *publisher) warn(code, format string, args ...any) {
	w.warnings = append(w.warnings, Warning{code, fmt.Sprintf(format, args...)})
}

// warnIfSuperseded warns if the pull request has a new head. The result is still published, on the judged commit. If
// the head cannot be read, there is no warning.
func (w *publisher) warnIfSuperseded(ctx context.Context) {
	if w.event.Number == 0 || w.publication.Check == nil && w.publication.Mode == CommentNever {
		return
	}
	pr, _, err := w.client.PullRequests.Get(ctx, w.event.Owner, w.event.Repo, w.event.Number)
	if err != nil {
		return
	}
	if head := pr.GetHead().GetSHA(); fullSHA.MatchString(head) && head != w.publication.HeadSHA {
		w.movedTo = head
		w.warn("superseded", "pull request #%d has moved on to %s; this result is for %s", w.event.Number,
			short(head), short(w.publication.HeadSHA))
	}
}

func short(sha string) string { return text.FirstBytes(sha, 7) }

// publishCheck publishes the check run.
func (w *publisher) publishCheck(ctx context.Context) {
	if w.publication.Check == nil {
		return
	}
	url, err := newCheckWriter(w).write(ctx)
	w.published.CheckURL = url
	if err != nil {
		w.warnFailed(err, "check", "the check run was not published", "checks: write",
			" (a personal access token cannot create check runs)")
	}
}

// publishComment publishes the comment on a pull request.
func (w *publisher) publishComment(ctx context.Context) {
	p := w.publication
	if w.event.Number == 0 || p.Mode == CommentNever {
		return
	}
	s := newCommentWriter(w)
	url, err := s.write(ctx)
	w.published.CommentURL = url
	if err == nil && p.Replaces != "" {
		err = s.removeReplaced(ctx)
	}
	if err != nil {
		w.warnFailed(err, "comment", s.errorMessage, "pull-requests: write", "")
	}
	if s.newer != nil {
		w.warn("newer_run", "the comment holds the result of the newer run %d.%d and was left alone; if there is no "+
			"such run, delete the comment", s.newer.run, s.newer.attempt)
	}
}

// warnFailed adds a warning about a failed publication. A run with a read-only token, such as that of a fork, gets only
// one such warning, because nothing can be done about it in this run.
func (w *publisher) warnFailed(err error, code, what, permission, aside string) {
	status := StatusOf(err)
	forbidden := status == http.StatusForbidden
	switch {
	case forbidden && w.event.Restricted() && w.readOnly:
	case forbidden && w.event.Restricted():
		w.readOnly = true
		w.warn("read_only", "GitHub gives this run a token that can only read, because the pull request comes from "+
			"%s: comment and check run are not published; the job summary holds the result and the job's status the "+
			"verdict", map[bool]string{true: "a fork", false: "Dependabot"}[w.event.Fork])
	case forbidden || status == http.StatusNotFound:
		w.warn(code, "%s: the token needs `%s`%s: add it to the job's permissions; %s", what, permission, aside,
			errorText(err))
	case status == http.StatusUnauthorized:
		w.warn(code, "%s: %s; the token is not valid or has expired", what, errorText(err))
	case isRateLimited(err) || mayHaveSucceeded(err):
		w.warn(code, "%s: %s; run the job again later", what, errorText(err))
	default:
		w.warn(code, "%s: %s", what, errorText(err))
	}
}

// wantsComment reports whether to create a comment on a pull request that has no comment of ours yet.
func (p Publication) wantsComment() bool {
	switch p.Mode {
	case CommentAlways:
		return true
	case CommentFailures:
		return p.Failed
	}
	return p.Noteworthy || p.Failed
}

// facts returns the lines below the comment's body.
func (w *publisher) facts() string {
	facts := strings.TrimSpace(w.publication.Facts)
	if w.movedTo == "" {
		return facts
	}
	return strings.TrimSpace(facts + "\n\n⏭️ The pull request has moved on to `" + short(w.movedTo) +
		"`; this result is for `" + short(w.publication.HeadSHA) + "`.")
}

// Issue is an issue that runs keep up to date.
type Issue struct {
	Number int    // 0: not opened yet
	Title  string // one line
	Body   string // Markdown that is safe to show
	Open   bool   // false: close it
	Reopen bool   // reopen the issue if a person has closed it
}

// UpsertIssue opens, updates or closes the issue i, and returns its number, or 0 if none is open afterwards. It
// replaces an issue that is gone or not ours. An issue that a person closed stays closed unless Reopen is set.
func UpsertIssue(ctx context.Context, client *github.Client, e Event, mark Mark, i Issue) (number int, err error) {
	line := fmt.Sprintf("<!-- failproof:drift v=1 key=%s -->\n", mark.key(e.Owner, e.Repo))
	request := &github.IssueRequest{Title: github.String(text.TruncateBytes(i.Title, maxTitle)),
		Body: github.String(line + i.Body)}
	ours, err := isOurs(ctx, client, e, i.Number, line)
	switch {
	case err != nil:
		return i.Number, fmt.Errorf("read issue #%d: %w", i.Number, WithoutURL(err))
	case ours:
		if state := map[bool]string{true: "open", false: "closed"}[i.Open]; !i.Open || i.Reopen {
			request.State = &state
		}
		if _, _, err := client.Issues.Edit(ctx, e.Owner, e.Repo, i.Number, request); err != nil {
			return i.Number, fmt.Errorf("change issue #%d: %w", i.Number, WithoutURL(err))
		}
		if !i.Open {
			return 0, nil
		}
		return i.Number, nil
	case !i.Open:
		return 0, nil
	}
	made, _, err := client.Issues.Create(ctx, e.Owner, e.Repo, request)
	if err != nil {
		return 0, fmt.Errorf("open an issue: %w", WithoutURL(err))
	}
	return made.GetNumber(), nil
}

// isOurs reports whether the issue with the given number was opened by a run with this mark.
func isOurs(ctx context.Context, client *github.Client, e Event, number int, mark string) (bool, error) {
	if number <= 0 {
		return false, nil
	}
	i, _, err := client.Issues.Get(ctx, e.Owner, e.Repo, number)
	if status := StatusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return false, nil
	}
	if err != nil || i.GetNumber() != number {
		return false, err
	}
	return (&authorship{client: client}).openedIssue(ctx, i, strings.TrimSpace(mark))
}
