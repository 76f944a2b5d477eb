package github

import (
	"context"
	"fmt"
	"net/http"

	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// Issue is one that is kept up to date from run to run.
type Issue struct {
	Number int    // 0: there is none yet
	Title  string // one line
	Body   string // Markdown that was made safe by whoever wrote it
	Open   bool   // else it is closed
	Reopen bool   // where somebody has closed it
}

// Tell opens an issue, or changes the one that there is, and returns its number; 0 once it is closed. One that is gone is opened anew. One that
// somebody has closed stays so unless it is to be reopened.
func (r *Repository) Tell(ctx context.Context, i Issue) (number int, err error) {
	request := &github.IssueRequest{Title: github.String(text.CutBytes(i.Title, maxTitle)), Body: &i.Body}
	if i.Number > 0 {
		if state := map[bool]string{true: "open", false: "closed"}[i.Open]; !i.Open || i.Reopen {
			request.State = &state
		}
		_, _, err := r.client.Issues.Edit(ctx, r.event.Owner, r.event.Repo, i.Number, request)
		switch status := statusOf(err); {
		case status == http.StatusNotFound || status == http.StatusGone:
			if !i.Open {
				return 0, nil
			}
		case err != nil:
			return i.Number, fmt.Errorf("change issue #%d: %w", i.Number, worded(err))
		case i.Open:
			return i.Number, nil
		default:
			return 0, nil
		}
	}
	request.State = nil
	made, _, err := r.client.Issues.Create(ctx, r.event.Owner, r.event.Repo, request)
	if err != nil {
		return 0, fmt.Errorf("open an issue: %w", worded(err))
	}
	return made.GetNumber(), nil
}
