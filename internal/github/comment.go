package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/google/go-github/v60/github"
)

const (
	// maxComment is GitHub's limit of a comment's body, in UTF-16 units (its error message says 65536 characters).
	maxComment = 65536
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
	*publisher
	stamp stamp
	text  string
	newer *stamp // stamp of a newer run, whose result stays; nil if there is none

	written      stamp  // stamp of the text written last; zero if none was written
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
	run := w.repo.Run
	s := &commentWriter{publisher: w, errorMessage: "the comment was not published",
		stamp: stamp{run.key(w.repo.Event), run.ID, run.Attempt, short(w.repo.HeadSHA)}}
	if s.text = compose(s.stamp, w.Body, w.facts()); units(s.text) > maxComment {
		s.text = compose(s.stamp, w.Body, "")
	}
	return s
}

// units returns the length of a text in UTF-16 units.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

// write updates the comment and returns its address, or "" if there is no comment.
func (w *commentWriter) write(ctx context.Context) (url string, err error) {
	if units(w.text) > maxComment {
		return "", fmt.Errorf("its text has %d characters, and GitHub takes %d", units(w.text), maxComment)
	}
	failures := 0
	for range maxRounds {
		all, err := w.ownComments(ctx, func(st stamp) bool { return st.key == w.stamp.key })
		if err == nil {
			var done bool
			if url, done, err = w.step(ctx, all); done {
				return url, nil
			}
		}
		if err == nil {
			continue
		}
		// A comment that is gone may have been deleted since it was listed, which the next read shows.
		if failures++; !mayHaveSucceeded(err) && !isGone(err) || failures == maxFailures {
			return url, err
		}
		if err := w.repo.sleep.wait(ctx, time.Second<<(failures-1)); err != nil {
			return url, err
		}
	}
	return url, errors.New("other runs keep changing the comment")
}

// ownComments returns the comments on the pull request that this token wrote and whose stamp match accepts, oldest
// first.
func (w *commentWriter) ownComments(ctx context.Context, match func(stamp) bool) (all []ownComment, err error) {
	listed, err := w.repo.comments(ctx, time.Time{})
	listed = slices.DeleteFunc(listed, func(c *github.IssueComment) bool {
		st, ok := parseStamp(c.GetBody())
		return !ok || !match(st)
	})
	if err != nil {
		return nil, err
	}
	nodes, err := commentNodes(ctx, w.repo.client, listed)
	for i, n := range nodes {
		if n == nil || !n.Mine {
			continue
		}
		if st, ok := parseStamp(n.Body); ok && match(st) {
			all = append(all, ownComment{id: listed[i].GetID(), url: listed[i].GetHTMLURL(), stamp: st, text: n.Body,
				versions: n.ownTexts()})
		}
	}
	slices.SortFunc(all, func(a, b ownComment) int { return cmp.Compare(a.id, b.id) })
	return all, err
}

// removeReplaced removes the comments of other jobs on the same commit whose result this one replaces.
func (w *commentWriter) removeReplaced(ctx context.Context) error {
	all, err := w.ownComments(ctx, func(st stamp) bool { return st.key != w.stamp.key && st.head == w.stamp.head })
	for _, one := range all {
		if strings.HasPrefix(resultText(one.text), w.Replaces) {
			if failed := w.remove(ctx, one.id); !isGone(failed) {
				err = cmp.Or(err, failed)
			}
		}
	}
	w.errorMessage = "the comment of a run without a verdict was not removed"
	return err
}

// step makes one change towards the wanted state, and returns the comment's address. It is done if none is left.
func (w *commentWriter) step(ctx context.Context, all []ownComment) (url string, done bool, err error) {
	r, issues := w.repo, w.repo.client.Issues
	if len(all) == 0 {
		if !w.wantsComment() {
			return "", true, nil
		}
		_, _, err := issues.CreateComment(ctx, r.Owner, r.Repo, r.Number, &github.IssueComment{Body: &w.text})
		return "", false, w.noteWritten(w.stamp, err)
	}
	// The oldest stays: readers know it, and all runs agree on it.
	keep := all[0]
	best, bestStamp := w.newestText(all)
	if bestStamp.newerThan(w.stamp) {
		w.newer = &bestStamp
	}
	plain := func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }
	// GitHub may store a text that this run wrote differently.
	isBest := keep.stamp == bestStamp && (w.written == bestStamp || plain(keep.text) == plain(best))
	switch {
	case !isBest:
		_, _, err := issues.EditComment(ctx, r.Owner, r.Repo, keep.id, &github.IssueComment{Body: &best})
		return keep.url, false, w.noteWritten(bestStamp, err)
	case len(all) > 1:
		return keep.url, false, w.remove(ctx, all[len(all)-1].id)
	}
	return keep.url, true, nil
}

// newestText returns the text and the stamp of the newest result, our own or one in a comment of all. If the only
// comment has our result for the same commit already, that stays, because an edit would notify people without news.
func (w *commentWriter) newestText(all []ownComment) (string, stamp) {
	best, bestStamp := w.text, w.stamp
	if keep := all[0]; len(all) == 1 && slices.Contains(keep.versions, keep.text) && keep.stamp.head == w.stamp.head &&
		resultText(keep.text) == resultText(w.text) {
		best, bestStamp = keep.text, keep.stamp
	}
	for _, f := range all {
		for _, text := range f.versions {
			isComplete := strings.HasSuffix(strings.TrimRight(text, "\r\n "), endLine)
			if st, ok := parseStamp(text); ok && st.key == w.stamp.key && isComplete && st.newerThan(bestStamp) {
				best, bestStamp = text, st
			}
		}
	}
	return best, bestStamp
}

// noteWritten records that the text with the stamp was written, unless err is the error of the write. It returns err.
func (w *commentWriter) noteWritten(st stamp, err error) error {
	if err == nil {
		w.written = st
		w.errorMessage = "the comment was published; another run may have changed it since"
	}
	return err
}

func (w *commentWriter) remove(ctx context.Context, id int64) error {
	w.errorMessage = "a second comment of this job was not removed"
	_, err := w.repo.client.Issues.DeleteComment(ctx, w.repo.Owner, w.repo.Repo, id)
	return err
}
