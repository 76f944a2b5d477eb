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

// commentQuery reads whether this token's account wrote a comment, and the author of each version of its text. A mark
// proves nothing, because anyone can copy it. REST does not report the token's account: GET /user rejects the tokens of
// workflows and Apps, and logins without "[bot]" confuse the App x with the user x. The comment's author is not enough,
// because people with write access can edit our comments and add the stamp of a newer run. The query reads the edit
// history from both ends, because the order of edits is not documented. The field diff has the full text after an edit.
const commentQuery = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor body lastEditedAt author { __typename login } editor { __typename login } ` +
	`first: userContentEdits(first: 10) { nodes { diff editor { __typename login } } } last: userContentEdits(last: 10) { nodes { diff editor { __typename login } } } } } }`

// issueQuery reads whether this token opened an issue. It finds no pull requests.
const issueQuery = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Issue { id viewerDidAuthor body } } }`

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

// node is a comment or an issue in GraphQL.
type node struct {
	ID     string  `json:"id"`
	Mine   bool    `json:"viewerDidAuthor"`
	Body   string  `json:"body"`
	Edited *string `json:"lastEditedAt"` // null if never edited
	Author *actor  `json:"author"`
	Editor *actor  `json:"editor"` // of the last edit
	First  edits   `json:"first"`
	Last   edits   `json:"last"`
}

// maxNodes is GraphQL's limit of nodes in a query.
const maxNodes = 100

// commentNodes returns the node of each comment, or nil for a comment that was deleted since it was listed.
func commentNodes(ctx context.Context, client *github.Client, listed []*github.IssueComment) (all []*node, err error) {
	for some := range slices.Chunk(listed, maxNodes) {
		ids := make([]string, len(some))
		for i, c := range some {
			ids[i] = c.GetNodeID()
		}
		nodes, err := nodesOf(ctx, client, commentQuery, ids)
		if err != nil {
			return nil, err
		}
		all = append(all, nodes...)
	}
	return all, nil
}

// nodesOf returns the nodes with the ids, nil for those that do not exist.
func nodesOf(ctx context.Context, client *github.Client, query string, ids []string) ([]*node, error) {
	body := map[string]any{"query": query, "variables": map[string]any{"ids": ids}}
	path := "graphql" // api.github.com has it below the root, GitHub Enterprise Server beside /api/v3
	if strings.HasSuffix(client.BaseURL.Path, "/api/v3/") {
		path = "../graphql"
	}
	var answer struct{ Data struct{ Nodes []*node } }
	_, err := call(context.WithValue(ctx, readKey{}, true), client, http.MethodPost, path, body, &answer)
	_, lost := errors.AsType[*url.Error](err)
	switch {
	case lost, StatusOf(err) >= 500, isRateLimited(err), ctx.Err() != nil:
		return nil, err
	case err != nil, len(answer.Data.Nodes) != len(ids):
		return nil, finalError("GitHub's GraphQL API did not say who wrote it")
	}
	for i, n := range answer.Data.Nodes {
		if n != nil && n.ID != ids[i] {
			answer.Data.Nodes[i] = nil
		}
	}
	return answer.Data.Nodes, nil
}

// ownTexts returns the versions of a comment's text that the comment's author wrote.
func (n *node) ownTexts() (all []string) {
	isAuthor := func(editor *actor) bool { return editor != nil && n.Author != nil && *editor == *n.Author }
	if n.Edited == nil || isAuthor(n.Editor) {
		all = append(all, n.Body)
	}
	for _, edit := range slices.Concat(n.First.Nodes, n.Last.Nodes) {
		if edit != nil && edit.Diff != nil && isAuthor(edit.Editor) {
			all = append(all, *edit.Diff)
		}
	}
	return all
}
