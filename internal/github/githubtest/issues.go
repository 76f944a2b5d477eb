package githubtest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Issue is an issue, or a pull request in the form of an issue.
type Issue struct {
	Number      int `json:"-"`
	Title, Body string
	State       string   // open or closed
	Author      Identity `json:"-"`
	Pull        bool     `json:"-"`
}

// AddIssue adds an issue that exists before the test.
func (s *Server) AddIssue(i Issue) {
	defer s.locked()()
	s.issues = append(s.issues, &i)
}

// Issues returns the issues, oldest first.
func (s *Server) Issues() (out []Issue) {
	defer s.locked()()
	for _, i := range s.issues {
		out = append(out, *i)
	}
	return out
}

// CloseIssue closes an issue, as a person with write access would.
func (s *Server) CloseIssue(number int) {
	defer s.locked()()
	s.issue(number).State = "closed"
}

// DropIssue deletes an issue.
func (s *Server) DropIssue(number int) {
	defer s.locked()()
	s.issue(number).Number = -1
}

func (s *Server) issue(number int) *Issue {
	return find(s.issues, func(i *Issue) bool { return i.Number == number })
}

func (s *Server) createIssue(c call) response {
	i := &Issue{Number: 900 + len(s.issues), State: "open", Author: c.grant.account}
	if !c.decode(i) || i.Title == "" {
		return problem(http.StatusUnprocessableEntity, "Validation Failed")
	}
	s.issues = append(s.issues, i)
	return response{status: http.StatusCreated, body: i.json()}
}

func (s *Server) getIssue(c call) response {
	i := s.issue(int(c.number()))
	if i == nil {
		return notFound()
	}
	return ok(i.json())
}

// editIssue sets those fields of an issue that the request has.
func (s *Server) editIssue(c call) response {
	i := s.issue(int(c.number()))
	switch {
	case i == nil:
		return problem(http.StatusGone, "This issue was deleted")
	case !c.decode(i):
		return problem(http.StatusBadRequest, "Problems parsing JSON")
	}
	return ok(i.json())
}

// json returns an issue in the API's form, with only the fields that failproof reads.
func (i *Issue) json() map[string]any {
	out := map[string]any{"number": i.Number, "node_id": i.nodeID(), "title": i.Title, "body": i.Body, "state": i.State, "user": user(i.Author)}
	if i.Pull {
		out["pull_request"] = map[string]any{"url": "https://api.github.com/repos/octo/prompts/pulls/" + strconv.Itoa(i.Number)}
	}
	return out
}

func (i *Issue) nodeID() string { return "I_" + strconv.Itoa(i.Number) }

// maxBody is the limit of a comment, in UTF-16 units.
const maxBody = 65536

// Comment is a comment on a pull request.
type Comment struct {
	ID           int64
	PullNumber   int
	Author       Identity
	Body         string
	EarlierTexts []string   // earlier texts, oldest first
	Editors      []Identity // authors of the earlier texts and of the current one
	TextTimes    []string   // times of all texts

	Reactions []string // such as eyes or +1, oldest first
}

// AddComment adds a comment that exists before the test, and returns its id.
func (s *Server) AddComment(who Identity, number int, body string) int64 {
	defer s.locked()()
	return s.newComment(who, number, body).ID
}

// EditComment changes a comment, as a person with write access would.
func (s *Server) EditComment(who Identity, id int64, body string) {
	defer s.locked()()
	if c := s.comment(id); c != nil {
		s.addText(c, who, body)
	}
}

func (s *Server) addText(c *Comment, who Identity, body string) {
	c.EarlierTexts, c.Body = append(c.EarlierTexts, c.Body), body
	c.Editors, c.TextTimes = append(c.Editors, who), append(c.TextTimes, s.tick())
}

// Comments returns the comments of a pull request, oldest first.
func (s *Server) Comments(number int) (out []Comment) {
	defer s.locked()()
	for _, c := range s.comments {
		if c.PullNumber == number {
			out = append(out, *c)
		}
	}
	return out
}

func (s *Server) newComment(who Identity, number int, body string) *Comment {
	s.lastID++
	c := &Comment{ID: s.lastID, PullNumber: number, Author: who, Body: body, Editors: []Identity{who},
		TextTimes: []string{s.tick()}}
	s.comments = append(s.comments, c)
	return c
}

func (s *Server) comment(id int64) *Comment {
	return find(s.comments, func(c *Comment) bool { return c.ID == id })
}

func (s *Server) listComments(c call) response {
	if s.pulls[int(c.number())] == nil {
		return notFound()
	}
	var all []*Comment
	since := c.URL.Query().Get("since")
	for _, k := range s.comments {
		if k.PullNumber == int(c.number()) && k.TextTimes[len(k.TextTimes)-1] >= since { // all times have one form, so their texts sort by time
			all = append(all, k)
		}
	}
	return list(c, all, s.commentJSON)
}

func (s *Server) commentJSON(c *Comment) map[string]any {
	id := strconv.FormatInt(c.ID, 10)
	return map[string]any{
		"id": c.ID, "node_id": nodeID(c), "url": s.apiURL("issues/comments/" + id), "body": c.Body, "user": user(c.Author), "author_association": "NONE",
		"html_url":  s.pageURL("pull/" + strconv.Itoa(c.PullNumber) + "#issuecomment-" + id),
		"issue_url": s.apiURL("issues/" + strconv.Itoa(c.PullNumber)), "created_at": c.TextTimes[0],
		"updated_at": c.TextTimes[len(c.TextTimes)-1],
	}
}

func nodeID(c *Comment) string { return "IC_" + strconv.FormatInt(c.ID, 10) }

// commentBody returns a comment's text from a request, or the error response.
func commentBody(c call) (text string, refused response) {
	var in struct{ Body string }
	switch {
	case !c.decode(&in):
		refused = problem(http.StatusBadRequest, "Problems parsing JSON")
	case in.Body == "":
		refused = problem(http.StatusUnprocessableEntity, "Validation Failed")
	case len(utf16.Encode([]rune(in.Body))) > maxBody:
		refused = problem(http.StatusUnprocessableEntity, "Validation Failed: body is too long (maximum is %d characters)", maxBody)
	}
	return in.Body, refused
}

func (s *Server) createComment(c call) response {
	if s.pulls[int(c.number())] == nil {
		return notFound()
	}
	text, refused := commentBody(c)
	if refused.isSet() {
		return refused
	}
	return response{status: http.StatusCreated,
		body: s.commentJSON(s.newComment(c.grant.account, int(c.number()), text))}
}

// refuseEdit returns the error response if a token may not change a comment. A workflow's token may change any comment,
// and a user's token only its own.
func (s *Server) refuseEdit(c call, k *Comment) (refused response) {
	switch {
	case k == nil:
		return notFound()
	case !c.grant.account.Bot && k.Author != c.grant.account:
		return problem(http.StatusForbidden, "Must have admin rights to Repository.")
	}
	return response{}
}

func (s *Server) editComment(c call) response {
	k := s.comment(c.number())
	if refused := s.refuseEdit(c, k); refused.isSet() {
		return refused
	}
	text, refused := commentBody(c)
	if refused.isSet() {
		return refused
	}
	s.addText(k, c.grant.account, text)
	return ok(s.commentJSON(k))
}

func (s *Server) deleteComment(c call) response {
	k := s.comment(c.number())
	if refused := s.refuseEdit(c, k); refused.isSet() {
		return refused
	}
	s.comments = slices.DeleteFunc(s.comments, func(other *Comment) bool { return other == k })
	return response{status: http.StatusNoContent}
}

func (s *Server) createReaction(c call) response {
	k := s.comment(c.number())
	var in struct {
		Content string `json:"content"`
	}
	switch {
	case k == nil:
		return notFound()
	case !c.decode(&in) || !slices.Contains([]string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}, in.Content):
		return problem(http.StatusUnprocessableEntity, "Validation Failed")
	}
	k.Reactions = append(k.Reactions, in.Content)
	return response{status: http.StatusCreated, body: map[string]any{
		"id": len(k.Reactions), "node_id": "REA_1", "user": user(c.grant.account), "content": in.Content, "created_at": fixedTime}}
}

// graphql returns the texts and edits of comments and issues, and whether the token's account wrote them.
func (s *Server) graphql(c call) response {
	if s.noGraphQL {
		return notFound()
	}
	var in struct {
		Query     string `json:"query"`
		Variables struct {
			IDs []string `json:"ids"`
		} `json:"variables"`
	}
	if !c.decode(&in) || !strings.Contains(in.Query, "nodes(ids: $ids)") || !strings.Contains(in.Query, "viewerDidAuthor") {
		return ok(map[string]any{"errors": []any{map[string]any{"message": "Parse error"}}})
	}
	if len(in.Variables.IDs) > 100 {
		return ok(map[string]any{"errors": []any{map[string]any{"message": "You may not provide more than 100 node ids"}}})
	}
	nodes, problems := []any{}, []any{}
	for _, id := range in.Variables.IDs {
		if i := find(s.issues, func(i *Issue) bool { return i.nodeID() == id }); i != nil && strings.Contains(in.Query, "on Issue {") {
			node := map[string]any{} // an object of another type has no fields
			if !i.Pull {
				node = map[string]any{"id": id, "viewerDidAuthor": i.Author == c.grant.account, "body": i.Body}
			}
			nodes = append(nodes, node)
			continue
		}
		at := slices.IndexFunc(s.comments, func(k *Comment) bool { return nodeID(k) == id })
		if at < 0 {
			nodes = append(nodes, nil)
			problems = append(problems, map[string]any{"type": "NOT_FOUND", "message": "Could not resolve to a node with the global id of '" + id + "'."})
			continue
		}
		nodes = append(nodes, graphqlNode(s.comments[at], c.grant.account))
	}
	body := map[string]any{"data": map[string]any{"nodes": nodes}}
	if len(problems) > 0 {
		body["errors"] = problems
	}
	return ok(body)
}

// graphqlNode returns a comment with its ten newest and its ten oldest texts, newest first. A comment that was never
// edited has no texts.
func graphqlNode(c *Comment, who Identity) map[string]any {
	texts := []any{}
	body := map[string]any{"id": nodeID(c), "viewerDidAuthor": c.Author == who, "body": c.Body, "author": actor(c.Author), "editor": nil, "lastEditedAt": nil}
	if last := len(c.EarlierTexts); last > 0 {
		for i, text := range append(slices.Clone(c.EarlierTexts), c.Body) {
			texts = append([]any{map[string]any{"diff": text, "editor": actor(c.Editors[i])}}, texts...)
		}
		body["editor"], body["lastEditedAt"] = actor(c.Editors[last]), c.TextTimes[last]
	}
	body["first"] = map[string]any{"nodes": texts[:min(len(texts), 10)]}
	body["last"] = map[string]any{"nodes": texts[max(len(texts)-10, 0):]}
	return body
}

// actor returns an account as GraphQL does: an App's login has no brackets there.
func actor(who Identity) map[string]any {
	kind := "User"
	if who.Bot {
		kind = "Bot"
	}
	return map[string]any{"__typename": kind, "login": strings.TrimSuffix(who.Login, "[bot]")}
}
