package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// authorship finds the comments that this token's account wrote. A mark proves nothing, because anyone can copy it.
// GraphQL reports for every kind of token whether its account is the author (viewerDidAuthor). REST does not: GET /user
// rejects the tokens of workflows and Apps, and logins without "[bot]" confuse the App x with the user x. If GraphQL is
// not available, a comment is ours if its author is the author of a comment that this run created. Before this run has
// created one, a comment is ours if its author is github-actions[bot], a login that no user can register.
type authorship struct {
	client *github.Client

	selfID         int64 // author of the comments that this run created; 0 before the first one
	noGraphQL      bool  // whether GraphQL is not available
	mayHaveCreated bool  // whether a failed request may have created a comment, whose author is then unknown
}

// authorsQuery reads the author of each version of a comment. The comment's author is not enough, because people with
// write access can edit our comments and add the stamp of a newer run. The query reads the edit history from both ends,
// because the order of edits is not documented. The field diff has the full text after an edit.
const authorsQuery = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor body lastEditedAt author { __typename login } editor { __typename login } ` +
	`first: userContentEdits(first: 10) { nodes { diff editor { __typename login } } } last: userContentEdits(last: 10) { nodes { diff editor { __typename login } } } } } }`

// actor is an account. An App and a user may have the same login.
type actor struct {
	Type  string `json:"__typename"`
	Login string `json:"login"`
}

type edits struct {
	Nodes []*struct {
		Diff   *string `json:"diff"`
		Editor *actor  `json:"editor"` // null for a deleted account
	} `json:"nodes"`
}

// node is a comment in GraphQL.
type node struct {
	ID     string  `json:"id"`
	Mine   bool    `json:"viewerDidAuthor"`
	Body   string  `json:"body"`
	Edited *string `json:"lastEditedAt"` // null if never edited
	Author *actor  `json:"author"`
	Editor *actor  `json:"editor"` // of the last edit
	First  *edits  `json:"first"`
	Last   *edits  `json:"last"`
}

type nodesResponse struct {
	Data *struct {
		Nodes []*node `json:"nodes"`
	} `json:"data"`
}

// maxNodes is GraphQL's limit of nodes in a query.
const maxNodes = 100

// ours returns the comments that this token wrote and whose stamps still have the key.
func (a *authorship) ours(ctx context.Context, marked []*github.IssueComment, key string) ([]ownComment, error) {
	var all []ownComment
	for some := range slices.Chunk(marked, maxNodes) {
		if !a.noGraphQL {
			answer, err := a.ask(ctx, some)
			if err != nil {
				return nil, err
			}
			a.noGraphQL = answer == nil
			all = append(all, answer.ownComments(some, key)...)
		}
		if a.noGraphQL {
			all = append(all, a.guess(some)...)
		}
	}
	return all, nil
}

// ask queries the authors of comments. It returns nil without support in GraphQL, and an error if a retry may help.
func (a *authorship) ask(ctx context.Context, marked []*github.IssueComment) (*nodesResponse, error) {
	ids := make([]string, len(marked))
	for i, c := range marked {
		ids[i] = c.GetNodeID()
	}
	return a.nodes(ctx, authorsQuery, ids)
}

// issueQuery reads whether this token opened an issue. It finds no pull requests.
const issueQuery = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Issue { id viewerDidAuthor body } } }`

// openedIssue reports whether this token opened an issue whose text begins with a mark.
func (a *authorship) openedIssue(ctx context.Context, i *github.Issue, mark string) (bool, error) {
	if i.IsPullRequest() || !strings.HasPrefix(i.GetBody(), mark) {
		return false, nil
	}
	answer, err := a.nodes(ctx, issueQuery, []string{i.GetNodeID()})
	switch {
	case err != nil:
		return false, err
	case answer == nil:
		return isActions(i.User), nil
	}
	n := answer.Data.Nodes[0]
	return n != nil && n.ID == i.GetNodeID() && n.Mine, nil
}

// isActions reports whether who is github-actions[bot], the account that workflows' tokens belong to.
func isActions(who *github.User) bool {
	return who.GetType() == "Bot" && who.GetLogin() == workflowsLogin
}

// nodes queries nodes by their ids. Like ask, it returns nil if GraphQL does not support the query, and an error if a
// retry may help.
func (a *authorship) nodes(ctx context.Context, query string, ids []string) (*nodesResponse, error) {
	body := map[string]any{"query": query, "variables": map[string]any{"ids": ids}}
	path := "graphql" // api.github.com has it below the root, GitHub Enterprise Server beside /api/v3
	if strings.HasSuffix(a.client.BaseURL.Path, "/api/v3/") {
		path = "../graphql"
	}
	request, err := a.client.NewRequest(http.MethodPost, path, body)
	if err != nil {
		return nil, err
	}
	var answer nodesResponse
	_, err = a.client.Do(context.WithValue(ctx, readKey{}, true), request, &answer)
	_, lost := errors.AsType[*url.Error](err)
	switch {
	case lost, StatusOf(err) >= 500, isRateLimited(err), ctx.Err() != nil:
		return nil, err
	case err != nil, answer.Data == nil, len(answer.Data.Nodes) != len(ids):
		return nil, nil
	}
	return &answer, nil
}

// ownComments returns the comments that this token wrote and whose stamps still have the key.
func (l *nodesResponse) ownComments(marked []*github.IssueComment, key string) (all []ownComment) {
	if l == nil {
		return nil
	}
	byID := map[string]*github.IssueComment{}
	for _, c := range marked {
		byID[c.GetNodeID()] = c
	}
	for _, n := range l.Data.Nodes {
		if n == nil || !n.Mine || byID[n.ID] == nil { // null: deleted since the list was read
			continue
		}
		if st, ok := parseStamp(n.Body); ok && st.key == key {
			c := byID[n.ID]
			all = append(all, ownComment{id: c.GetID(), url: c.GetHTMLURL(), stamp: st,
				text: n.Body, versions: n.ownTexts()})
		}
	}
	return all
}

// ownTexts returns the versions of a comment's text that the comment's author wrote.
func (n *node) ownTexts() (all []string) {
	if n.Edited == nil || n.isAuthor(n.Editor) {
		all = append(all, n.Body)
	}
	for _, e := range []*edits{n.First, n.Last} {
		if e == nil {
			continue
		}
		for _, edit := range e.Nodes {
			if edit != nil && edit.Diff != nil && n.isAuthor(edit.Editor) {
				all = append(all, *edit.Diff)
			}
		}
	}
	return all
}

// isAuthor reports whether editor, who made an edit, is the comment's author.
func (n *node) isAuthor(editor *actor) bool {
	return editor != nil && n.Author != nil && *editor == *n.Author
}

// guess returns the comments in marked that seem to be ours. Without GraphQL, it cannot tell who edited one.
func (a *authorship) guess(marked []*github.IssueComment) (all []ownComment) {
	for _, c := range marked {
		author := c.GetUser()
		if author.GetID() == a.selfID && a.selfID != 0 || a.selfID == 0 && isActions(author) {
			st, _ := parseStamp(c.GetBody())
			all = append(all, ownComment{id: c.GetID(), url: c.GetHTMLURL(), stamp: st, text: c.GetBody(),
				versions: []string{c.GetBody()}})
		}
	}
	return all
}
