package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/google/go-github/v60/github"
)

const (
	// maxComment is GitHub's limit of a comment's body, in UTF-16 units (its error message says 65536 characters).
	maxComment = 65536
	// commentPages limits the pages of 100 comments that are searched.
	commentPages = 30
	// maxRounds limits how often the comments are read; two concurrent runs need far fewer.
	maxRounds = 12
	// maxFailures limits failed writes.
	maxFailures = 4
)

// commentWriter keeps exactly one comment of ours on a pull request, with the newest run's result. It reads all
// comments, takes one step, and repeats until it reads the wanted state. This also works if other runs write at the
// same time, or if GitHub carries out a request and reports an error. GitHub has no conditional update, so another run
// may write between a read and a change. In that case, the writer restores the newest text from the comment's history.
type commentWriter struct {
	w     *publisher
	stamp stamp
	text  string
	ids   *authorship
	newer *stamp // stamp of a newer run, whose result stays; nil if there is none

	written      stamp  // stamp of the text written last; zero if none was written
	missing      int64  // id of a comment that was listed and then not found
	errorMessage string // the message for an error
}

type ownComment struct {
	id       int64
	url      string
	stamp    stamp
	text     string
	versions []string // those of its current and earlier texts that we wrote
}

func newCommentWriter(w *publisher) *commentWriter {
	p := w.publication
	s := &commentWriter{w: w, ids: &authorship{client: w.client}, errorMessage: "the comment was not published"}
	s.stamp = stamp{key: p.Mark.key(w.event.Owner, w.event.Repo), run: p.RunID, attempt: p.Attempt,
		head: short(p.HeadSHA)}
	s.text = compose(s.stamp, p.Body, w.facts())
	if units(s.text) > maxComment {
		s.text = compose(s.stamp, p.Body, "")
	}
	return s
}

// units returns the length of a text in UTF-16 units.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

// write updates the comment and returns its address, or "" if there is no comment.
func (s *commentWriter) write(ctx context.Context) (url string, err error) {
	if units(s.text) > maxComment {
		return "", fmt.Errorf("its text has %d characters, and GitHub takes %d", units(s.text), maxComment)
	}
	failures := 0
	for range maxRounds {
		all, err := s.ownComments(ctx)
		if err == nil {
			var done bool
			if url, done, err = s.step(ctx, all); done {
				return url, nil
			}
		}
		if err == nil {
			continue
		}
		if failures++; !mayHaveSucceeded(err) || failures == maxFailures {
			return url, err
		}
		if err := s.w.publication.Sleep.wait(ctx, time.Second<<(failures-1)); err != nil {
			return url, err
		}
	}
	return url, errors.New("other runs keep changing the comment")
}

// ownComments returns the comments of this job, oldest first.
func (s *commentWriter) ownComments(ctx context.Context) ([]ownComment, error) {
	marked, err := s.stamped(ctx, func(st stamp) bool { return st.key == s.stamp.key })
	if err != nil {
		return nil, err
	}
	all, err := s.ids.ours(ctx, marked, s.stamp.key)
	slices.SortFunc(all, func(a, b ownComment) int { return cmp.Compare(a.id, b.id) })
	return all, err
}

// removeReplaced removes the comments of other jobs on the same commit whose result this one replaces.
func (s *commentWriter) removeReplaced(ctx context.Context) error {
	marked, err := s.stamped(ctx, func(st stamp) bool { return st.key != s.stamp.key && st.head == s.stamp.head })
	for _, c := range marked {
		st, _ := parseStamp(c.GetBody())
		ours, failed := s.ids.ours(ctx, []*github.IssueComment{c}, st.key)
		err = cmp.Or(err, failed)
		for _, one := range ours {
			if one.stamp == st && strings.HasPrefix(resultText(one.text), s.w.publication.Replaces) {
				err = cmp.Or(err, s.remove(ctx, one.id))
			}
		}
	}
	s.errorMessage = "the comment of a run without a verdict was not removed"
	return err
}

// stamped returns the comments on the pull request whose stamp match accepts, whoever wrote them.
func (s *commentWriter) stamped(ctx context.Context, match func(stamp) bool) ([]*github.IssueComment, error) {
	marked, _, err := readPages(commentPages, func(at github.ListOptions) ([]*github.IssueComment,
		*github.Response, error) {
		return s.w.client.Issues.ListComments(ctx, s.w.event.Owner, s.w.event.Repo, s.w.event.Number,
			&github.IssueListCommentsOptions{ListOptions: at})
	})
	return slices.DeleteFunc(marked, func(c *github.IssueComment) bool {
		st, ok := parseStamp(c.GetBody())
		return !ok || !match(st)
	}), err
}

// step makes one change towards the wanted state, and returns the comment's address. It is done if none is left.
func (s *commentWriter) step(ctx context.Context, all []ownComment) (url string, done bool, err error) {
	if len(all) == 0 {
		switch {
		case !s.w.publication.wantsComment():
			return "", true, nil
		case s.ids.mayHaveCreated && s.ids.noGraphQL && s.ids.selfID == 0: // a retry could post it twice
			return "", false, errUnknown
		}
		return "", false, s.create(ctx)
	}
	// The oldest stays: readers know it, and all runs agree on it.
	keep := all[0]
	best, bestStamp := s.newestText(all)
	if bestStamp.newerThan(s.stamp) {
		s.newer = &bestStamp
	}
	plain := func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }
	// GitHub may store a text that this run wrote differently.
	isBest := keep.stamp == bestStamp && (s.written == bestStamp || plain(keep.text) == plain(best))
	switch {
	case !isBest:
		return keep.url, false, s.edit(ctx, keep.id, best, bestStamp)
	case len(all) > 1:
		return keep.url, false, s.remove(ctx, all[len(all)-1].id)
	}
	return keep.url, true, nil
}

// newestText returns the text and the stamp of the newest result, our own or one in a comment of all. If the only
// comment has our result for the same commit already, that stays, because an edit would notify people without news.
func (s *commentWriter) newestText(all []ownComment) (string, stamp) {
	best, bestStamp := s.text, s.stamp
	if keep := all[0]; len(all) == 1 && slices.Contains(keep.versions, keep.text) && keep.stamp.head == s.stamp.head &&
		resultText(keep.text) == resultText(s.text) {
		best, bestStamp = keep.text, keep.stamp
	}
	for _, f := range all {
		for _, text := range f.versions {
			isComplete := strings.HasSuffix(strings.TrimRight(text, "\r\n "), endLine)
			if st, ok := parseStamp(text); ok && st.key == s.stamp.key && isComplete && st.newerThan(bestStamp) {
				best, bestStamp = text, st
			}
		}
	}
	return best, bestStamp
}

func (s *commentWriter) create(ctx context.Context) error {
	c, _, err := s.w.client.Issues.CreateComment(ctx, s.w.event.Owner, s.w.event.Repo, s.w.event.Number,
		&github.IssueComment{Body: &s.text})
	if err == nil {
		s.ids.selfID = c.GetUser().GetID()
		s.markWritten(s.stamp)
	} else if mayHaveSucceeded(err) {
		s.ids.mayHaveCreated = true
	}
	return err
}

func (s *commentWriter) edit(ctx context.Context, id int64, text string, st stamp) error {
	_, _, err := s.w.client.Issues.EditComment(ctx, s.w.event.Owner, s.w.event.Repo, id,
		&github.IssueComment{Body: &text})
	if err == nil {
		s.markWritten(st)
	}
	return s.ignoreMissing(err, id)
}

func (s *commentWriter) remove(ctx context.Context, id int64) error {
	s.errorMessage = "a second comment of this job was not removed"
	_, err := s.w.client.Issues.DeleteComment(ctx, s.w.event.Owner, s.w.event.Repo, id)
	return s.ignoreMissing(err, id)
}

func (s *commentWriter) markWritten(st stamp) {
	s.written = st
	s.errorMessage = "the comment was published; another run may have changed it since"
}

// ignoreMissing ignores the first error that says that a comment is missing, because the next read shows whether the
// comment was deleted. It returns a second such error for the same comment, which means that the token may not write.
func (s *commentWriter) ignoreMissing(err error, id int64) error {
	status := StatusOf(err)
	if (status == http.StatusNotFound || status == http.StatusGone) && s.missing != id {
		s.missing = id
		return nil
	}
	return err
}

// errUnknown is the error if a comment may have been created and, without GraphQL, cannot be recognized.
var errUnknown = errors.New("GitHub failed while the comment was being made, and whether it was cannot be found out " +
	"without GraphQL")
