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

// CommentMode says when a pull request without a comment of ours gets one. An existing comment is always updated, so
// that a red one can turn green.
type CommentMode string

const (
	CommentAuto     CommentMode = "auto"     // when there is something noteworthy
	CommentAlways   CommentMode = "always"   // on every run
	CommentFailures CommentMode = "failures" // when the gate failed
	CommentNever    CommentMode = "never"    // no comment is made, changed or looked for
)

// Publication is what a run publishes. Its texts are safe to show.
type Publication struct {
	Mark    Mark
	RunID   int64
	Attempt int
	HeadSHA string // the commit that was judged; where "" the event's

	Mode       CommentMode
	Body       string // of the comment: Markdown without a mark, below 60,000 bytes
	Facts      string // below the body: what differs from run to run although the result is the same
	Noteworthy bool
	Failed     bool

	Check *Check // nil makes none

	Sleep Sleep // before a failed write is looked into and repeated
}

// Published says where to read what was published; "" where nothing was.
type Published struct {
	CommentURL string
	CheckURL   string
}

// Warning is something that could not be published: what, why, and what to do about it.
type Warning struct {
	Code    string // comment, check, annotations, read_only, superseded or newer_run
	Message string
}

// publishTime bounds all publishing of a run.
const publishTime = 5 * time.Minute

// Publish writes the check run and, on a pull request, the comment. It fails nothing: what GitHub rejects becomes a
// warning, and the verdict stands.
func Publish(ctx context.Context, client *github.Client, ev Event, p Publication) (Published, []Warning) {
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	p.HeadSHA = cmp.Or(p.HeadSHA, ev.HeadSHA)
	w := &publisher{client: client, event: ev, publication: p}
	w.supersession(ctx)
	w.check(ctx)
	w.comment(ctx)
	return w.published, w.warnings
}

type publisher struct {
	client      *github.Client
	event       Event
	publication Publication

	movedTo   string // the pull request's head, where it is no longer the one that was judged
	published Published
	warnings  []Warning
	readOnly  bool
}

func (w *publisher) warn(code, format string, args ...any) {
	w.warnings = append(w.warnings, Warning{code, fmt.Sprintf(format, args...)})
}

// supersession looks whether the pull request has moved on. The result is still published, on the judged commit. If
// this cannot be seen, there is no warning.
func (w *publisher) supersession(ctx context.Context) {
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

func short(sha string) string { return text.Head(sha, 7) }

func (w *publisher) check(ctx context.Context) {
	if w.publication.Check == nil {
		return
	}
	url, err := newCheckWriter(w).write(ctx)
	w.published.CheckURL = url
	if err != nil {
		w.refused(err, "check", "the check run was not published", "checks: write",
			" (a personal access token cannot create check runs)")
	}
}

func (w *publisher) comment(ctx context.Context) {
	p := w.publication
	if w.event.Number == 0 || p.Mode == CommentNever {
		return
	}
	s := newSticky(w)
	url, err := s.write(ctx)
	w.published.CommentURL = url
	if err != nil {
		w.refused(err, "comment", s.state, "pull-requests: write", "")
	}
	if s.newer != nil {
		w.warn("newer_run", "the comment holds the result of the newer run %d.%d and was left alone; if there is no "+
			"such run, delete the comment", s.newer.run, s.newer.attempt)
	}
}

// refused words why something was not published. That a fork's token is read-only is said once, since nothing can be
// done about it in this run.
func (w *publisher) refused(err error, code, what, permission, aside string) {
	status := statusOf(err)
	forbidden := status == http.StatusForbidden && !limited(err)
	switch {
	case forbidden && w.event.Restricted() && w.readOnly:
	case forbidden && w.event.Restricted():
		w.readOnly = true
		w.warn("read_only", "GitHub gives this run a token that can only read, because the pull request comes from "+
			"%s: comment and check run are not published; the job summary holds the result and the job's status the "+
			"verdict", w.origin())
	case forbidden || status == http.StatusNotFound:
		w.warn(code, "%s: %s; the token needs `%s`%s: add it to the job's permissions", what,
			reason(err), permission, aside)
	case status == http.StatusUnauthorized:
		w.warn(code, "%s: %s; the token is not valid or has expired", what, reason(err))
	case limited(err) || unsettled(err):
		w.warn(code, "%s: %s; run the job again later", what, reason(err))
	default:
		w.warn(code, "%s: %s", what, reason(err))
	}
}

func (w *publisher) origin() string {
	if w.event.Fork {
		return "a fork"
	}
	return "Dependabot"
}

// wantsComment reports whether a pull request without a comment of ours gets one.
func (p Publication) wantsComment() bool {
	switch p.Mode {
	case CommentAlways:
		return true
	case CommentFailures:
		return p.Failed
	}
	return p.Noteworthy || p.Failed
}

// facts are the lines below the comment's body.
func (w *publisher) facts() string {
	facts := strings.TrimSpace(w.publication.Facts)
	if w.movedTo == "" {
		return facts
	}
	return strings.TrimSpace(facts + "\n\n⏭️ The pull request has moved on to `" + short(w.movedTo) +
		"`; this result is for `" + short(w.publication.HeadSHA) + "`.")
}

// Issue is one that is kept up to date from run to run.
type Issue struct {
	Number int    // 0: there is none yet
	Title  string // one line
	Body   string // Markdown that was made safe by whoever wrote it
	Open   bool   // else it is closed
	Reopen bool   // where somebody has closed it
}

// UpsertIssue opens an issue or updates an existing one, and returns its number, or 0 once it is closed. It leaves an
// issue alone that is gone or that we did not write, and opens another. An issue that a person closed stays closed
// unless Reopen is set.
func (r *Repository) UpsertIssue(ctx context.Context, mark Mark, i Issue) (number int, err error) {
	line := fmt.Sprintf("<!-- failproof:drift v=1 key=%s -->\n", mark.key(r.event.Owner, r.event.Repo))
	request := &github.IssueRequest{Title: github.String(text.CutBytes(i.Title, maxTitle)),
		Body: github.String(line + i.Body)}
	is, err := r.isOurs(ctx, i.Number, line)
	switch {
	case err != nil:
		return i.Number, fmt.Errorf("read issue #%d: %w", i.Number, worded(err))
	case is:
		if state := map[bool]string{true: "open", false: "closed"}[i.Open]; !i.Open || i.Reopen {
			request.State = &state
		}
		if _, _, err := r.client.Issues.Edit(ctx, r.event.Owner, r.event.Repo, i.Number, request); err != nil {
			return i.Number, fmt.Errorf("change issue #%d: %w", i.Number, worded(err))
		}
		if !i.Open {
			return 0, nil
		}
		return i.Number, nil
	case !i.Open:
		return 0, nil
	}
	made, _, err := r.client.Issues.Create(ctx, r.event.Owner, r.event.Repo, request)
	if err != nil {
		return 0, fmt.Errorf("open an issue: %w", worded(err))
	}
	return made.GetNumber(), nil
}

// isOurs reports whether a number is an issue that a run with this mark opened.
func (r *Repository) isOurs(ctx context.Context, number int, mark string) (bool, error) {
	if number <= 0 {
		return false, nil
	}
	i, _, err := r.client.Issues.Get(ctx, r.event.Owner, r.event.Repo, number)
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return false, nil
	}
	if err != nil || i.GetNumber() != number {
		return false, err
	}
	ids := &authorship{client: r.client}
	return ids.opened(ctx, i, strings.TrimSpace(mark))
}
