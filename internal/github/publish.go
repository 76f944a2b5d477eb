package github

import (
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
	Mode       CommentMode
	Body       string // Markdown of the comment without its mark, below 60,000 bytes
	Facts      string // text below the body that differs between runs with the same result
	Noteworthy bool
	Failed     bool
	Replaces   string // how comments of other jobs on this commit begin that the result replaces; "" for none
	Check      *Check // nil: none
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
func (r *Repository) Publish(ctx context.Context, p Publication) (Published, []Warning) {
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	w := &publisher{repo: r, Publication: p}
	w.warnIfSuperseded(ctx)
	if p.Check != nil {
		w.publishCheck(ctx)
	}
	if r.Number != 0 && p.Mode != CommentNever {
		w.publishComment(ctx)
	}
	return w.published, w.warnings
}

type publisher struct {
	repo *Repository
	Publication

	movedTo   string // the pull request's new head, if it changed since the run started
	published Published
	warnings  []Warning
	readOnly  bool
}

func (p *publisher) warn(code, format string, args ...any) {
	p.warnings = append(p.warnings, Warning{code, fmt.Sprintf(format, args...)})
}

// warnIfSuperseded warns if the pull request has a new head. The result is still published, on the judged commit. If
// the head cannot be read, there is no warning.
func (p *publisher) warnIfSuperseded(ctx context.Context) {
	if p.repo.Number == 0 || p.Check == nil && p.Mode == CommentNever {
		return
	}
	pr, _, _ := p.repo.client.PullRequests.Get(ctx, p.repo.Owner, p.repo.Repo, p.repo.Number)
	if head := pr.GetHead().GetSHA(); fullSHA.MatchString(head) && head != p.repo.HeadSHA {
		p.movedTo = head
		p.warn("superseded", "pull request #%d has moved on to %s; this result is for %s", p.repo.Number, short(head),
			short(p.repo.HeadSHA))
	}
}

func short(sha string) string { return text.FirstBytes(sha, 7) }

func (p *publisher) publishCheck(ctx context.Context) {
	url, err := newCheckWriter(p).write(ctx)
	p.published.CheckURL = url
	if err != nil {
		p.warnFailed(err, "check", "the check run was not published", "`checks: write` (a personal access token cannot "+
			"create check runs)")
	}
}

func (p *publisher) publishComment(ctx context.Context) {
	s := newCommentWriter(p)
	url, err := s.write(ctx)
	p.published.CommentURL = url
	if err == nil && p.Replaces != "" {
		err = s.removeReplaced(ctx)
	}
	if err != nil {
		p.warnFailed(err, "comment", s.errorMessage, "`pull-requests: write`")
	}
	if s.newer != nil {
		p.warn("newer_run", "the comment holds the result of the newer run %d.%d and was left alone; if there is no "+
			"such run, delete the comment", s.newer.run, s.newer.attempt)
	}
}

// warnFailed adds a warning about a failed publication. A run with a read-only token, such as that of a fork, gets only
// one such warning, because nothing can be done about it in this run.
func (p *publisher) warnFailed(err error, code, what, permission string) {
	status := StatusOf(err)
	forbidden := status == http.StatusForbidden
	switch {
	case forbidden && p.repo.Restricted() && p.readOnly:
	case forbidden && p.repo.Restricted():
		p.readOnly = true
		p.warn("read_only", "GitHub gives this run a token that can only read, because the pull request comes from "+
			"%s: comment and check run are not published; the job summary holds the result and the job's status the "+
			"verdict", map[bool]string{true: "a fork", false: "Dependabot"}[p.repo.Fork])
	case forbidden || status == http.StatusNotFound:
		p.warn(code, "%s: the token needs %s: add it to the job's permissions; %s", what, permission, errorText(err))
	case status == http.StatusUnauthorized:
		p.warn(code, "%s: %s; the token is not valid or has expired", what, errorText(err))
	case isRateLimited(err) || mayHaveSucceeded(err):
		p.warn(code, "%s: %s; run the job again later", what, errorText(err))
	default:
		p.warn(code, "%s: %s", what, errorText(err))
	}
}

// wantsComment reports whether to create a comment on a pull request that has no comment of ours yet.
func (p Publication) wantsComment() bool {
	return p.Failed || p.Mode == CommentAlways || p.Mode == CommentAuto && p.Noteworthy
}

// facts returns the lines below the comment's body.
func (p *publisher) facts() string {
	if p.movedTo == "" {
		return p.Facts
	}
	return strings.TrimSpace(p.Facts) + "\n\n⏭️ The pull request has moved on to `" + short(p.movedTo) +
		"`; this result is for `" + short(p.repo.HeadSHA) + "`."
}

// Issue is an issue that runs keep up to date.
type Issue struct {
	Number int    // 0: not opened yet
	Title  string // one line
	Body   string // Markdown that is safe to show
	Open   bool   // false: close it
	Reopen bool   // reopen the issue if a person has closed it
}

// Upsert opens, updates or closes the issue in r, and returns its number, or 0 if none is open afterwards. It replaces
// an issue that is gone or not ours. An issue that a person closed stays closed unless Reopen is set.
func (i Issue) Upsert(ctx context.Context, r *Repository) (number int, err error) {
	line := fmt.Sprintf("<!-- failproof:drift v=1 key=%s -->\n", r.Run.key(r.Event))
	request := &github.IssueRequest{Title: github.String(text.TruncateBytes(i.Title, maxTitle)),
		Body: github.String(line + i.Body)}
	ours, err := i.isOurs(ctx, r, strings.TrimSpace(line))
	if err != nil {
		return i.Number, fmt.Errorf("read issue #%d: %w", i.Number, WithoutURL(err))
	}
	if !ours && !i.Open {
		return 0, nil
	}
	if !ours {
		made, _, err := r.client.Issues.Create(ctx, r.Owner, r.Repo, request)
		return made.GetNumber(), describe(err, "open an issue")
	}
	if state := map[bool]string{true: "open", false: "closed"}[i.Open]; !i.Open || i.Reopen {
		request.State = &state
	}
	_, _, err = r.client.Issues.Edit(ctx, r.Owner, r.Repo, i.Number, request)
	if err == nil && !i.Open {
		return 0, nil
	}
	return i.Number, describe(err, "change issue #%d", i.Number)
}

// isOurs reports whether this token opened the issue with the number of i, with a text that begins with mark.
func (i Issue) isOurs(ctx context.Context, r *Repository, mark string) (bool, error) {
	if i.Number <= 0 {
		return false, nil
	}
	now, _, err := r.client.Issues.Get(ctx, r.Owner, r.Repo, i.Number)
	switch {
	case isGone(err):
		return false, nil
	case err != nil || now.GetNumber() != i.Number || now.IsPullRequest() || !strings.HasPrefix(now.GetBody(), mark):
		return false, err
	}
	nodes, err := nodesOf(ctx, r.client, issueQuery, []string{now.GetNodeID()})
	return err == nil && nodes[0] != nil && nodes[0].Mine, err
}
