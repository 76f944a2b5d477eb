package githubtest

import (
	"net/http"
	"strconv"
)

// pull is a pull request.
type pull struct {
	number     int
	base, head string
	fork       bool
}

// Pull opens a pull request from one commit to another, or moves the ends of one that exists. A fork's head is in
// another repository.
func (s *Server) Pull(number int, base, head string, fork bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulls[number] = &pull{number, base, head, fork}
}

func (s *Server) getPull(c call) answer {
	p := s.pulls[int(c.number(0))]
	if p == nil {
		return problem(http.StatusNotFound, "Not Found")
	}
	at := strconv.Itoa(p.number)
	head, id := s.owner, 1000
	if p.fork {
		head, id = Mallory.Login, 2000
	}
	body := map[string]any{
		"id": 5000 + p.number, "node_id": "PR_" + at, "number": p.number, "state": "open", "locked": false, "title": "change",
		"user": user(Octocat), "body": nil, "labels": []any{}, "milestone": nil, "assignee": nil, "author_association": "MEMBER",
		"created_at": someDay, "updated_at": someDay, "closed_at": nil, "merged_at": nil, "merge_commit_sha": nil, "auto_merge": nil,
		"merged": false, "mergeable": true, "mergeable_state": "clean", "merged_by": nil, "maintainer_can_modify": false,
		"comments": 0, "review_comments": 0, "commits": 1, "additions": 1, "deletions": 1, "changed_files": 1,
		"base": s.end("main", p.base, s.owner, 1000), "head": s.end("change", p.head, head, id),
		"url": s.url("pulls/" + at), "html_url": s.html("pull/" + at), "diff_url": s.html("pull/" + at + ".diff"), "patch_url": s.html("pull/" + at + ".patch"),
		"issue_url": s.url("issues/" + at), "commits_url": s.url("pulls/" + at + "/commits"), "review_comments_url": s.url("pulls/" + at + "/comments"),
		"review_comment_url": s.url("pulls/comments{/number}"), "comments_url": s.url("issues/" + at + "/comments"), "statuses_url": s.url("statuses/" + p.head),
	}
	links := map[string]any{}
	for _, name := range []string{"comments", "commits", "statuses", "html", "issue", "review_comments", "review_comment", "self"} {
		links[name] = map[string]any{"href": s.url("pulls/" + at)}
	}
	body["_links"] = links
	return ok(body)
}

// end is one side of a pull request.
func (s *Server) end(ref, sha, owner string, id int) map[string]any {
	return map[string]any{"label": owner + ":" + ref, "ref": ref, "sha": sha, "user": user(Octocat), "repo": repository(owner, s.repo, id)}
}

// repository is one with all the fields that GitHub's description requires.
func repository(owner, name string, id int) map[string]any {
	full := owner + "/" + name
	url := "https://api.github.com/repos/" + full
	body := map[string]any{
		"id": id, "node_id": "R_" + strconv.Itoa(id), "name": name, "full_name": full, "owner": user(Octocat), "private": false,
		"description": nil, "fork": owner == Mallory.Login, "url": url, "html_url": "https://github.com/" + full, "homepage": nil, "language": nil,
		"license": nil, "mirror_url": nil, "default_branch": "main", "archived": false, "disabled": false,
		"has_downloads": true, "has_issues": true, "has_projects": true, "has_wiki": true, "has_pages": false,
		"forks": 0, "forks_count": 0, "open_issues": 0, "open_issues_count": 0, "size": 1, "stargazers_count": 0, "watchers": 0, "watchers_count": 0,
		"created_at": someDay, "updated_at": someDay, "pushed_at": someDay,
		"clone_url": "https://github.com/" + full + ".git", "git_url": "git://github.com/" + full + ".git", "ssh_url": "git@github.com:" + full + ".git", "svn_url": "https://github.com/" + full,
	}
	for _, part := range []string{
		"archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents", "contributors", "deployments",
		"downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks", "issue_comment", "issue_events", "issues", "keys", "labels",
		"languages", "merges", "milestones", "notifications", "pulls", "releases", "stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees",
	} {
		body[part+"_url"] = url + "/" + part
	}
	return body
}

// user is an account with all the fields that GitHub's description requires.
func user(who Identity) map[string]any {
	url := "https://api.github.com/users/" + who.Login
	body := map[string]any{
		"login": who.Login, "id": who.ID, "node_id": "U_" + strconv.FormatInt(who.ID, 10), "gravatar_id": "", "type": "User", "site_admin": false,
		"avatar_url": "https://avatars.githubusercontent.com/u/1", "url": url, "html_url": "https://github.com/" + who.Login,
	}
	if who.Bot {
		body["type"] = "Bot"
	}
	for _, part := range []string{"followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events", "received_events"} {
		body[part+"_url"] = url + "/" + part
	}
	return body
}

// getUser answers who a token is, to users only.
func (s *Server) getUser(c call) answer {
	switch who := c.grant.who; {
	case who == Identity{}:
		return problem(http.StatusUnauthorized, "Requires authentication")
	case who.Bot:
		return forbidden("")
	default:
		body := user(who)
		for _, name := range []string{"name", "company", "blog", "location", "email", "hireable", "bio"} {
			body[name] = nil
		}
		for _, name := range []string{"public_repos", "public_gists", "followers", "following"} {
			body[name] = 0
		}
		body["created_at"], body["updated_at"], body["user_view_type"] = someDay, someDay, "public"
		return ok(body)
	}
}
