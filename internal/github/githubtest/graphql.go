package githubtest

import (
	"slices"
	"strings"
)

// graphql answers one kind of question: what comments say and said, and whether the asker wrote them.
func (s *Server) graphql(c call) answer {
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
		at := slices.IndexFunc(s.comments, func(k *Comment) bool { return nodeID(k) == id })
		if at < 0 {
			nodes = append(nodes, nil)
			problems = append(problems, map[string]any{"type": "NOT_FOUND", "message": "Could not resolve to a node with the global id of '" + id + "'."})
			continue
		}
		nodes = append(nodes, graphqlNode(s.comments[at], c.grant.who))
	}
	body := map[string]any{"data": map[string]any{"nodes": nodes}}
	if len(problems) > 0 {
		body["errors"] = problems
	}
	return ok(body)
}

// graphqlNode is a comment with its last texts, newest first. A comment that was never edited has no history.
func graphqlNode(c *Comment, who Identity) map[string]any {
	texts := []any{}
	body := map[string]any{"id": nodeID(c), "viewerDidAuthor": c.Author == who, "body": c.Body, "author": actor(c.Author), "editor": nil, "lastEditedAt": nil}
	if last := len(c.Past); last > 0 {
		for i, text := range append(slices.Clone(c.Past), c.Body) {
			texts = append([]any{map[string]any{"diff": text, "editor": actor(c.By[i])}}, texts...)
		}
		body["editor"], body["lastEditedAt"] = actor(c.By[last]), c.At[last]
	}
	body["first"] = map[string]any{"nodes": texts[:min(len(texts), 10)]}
	body["last"] = map[string]any{"nodes": texts[max(len(texts)-10, 0):]}
	return body
}

// actor is an account as GraphQL tells of it: an App's login has no brackets there.
func actor(who Identity) map[string]any {
	kind := "User"
	if who.Bot {
		kind = "Bot"
	}
	return map[string]any{"__typename": kind, "login": strings.TrimSuffix(who.Login, "[bot]")}
}
