package githubtest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

type pull struct {
	number     int
	baseBranch string // the branch
	base       string // the branch's commit when the pull request was opened
	head       string
	fork       bool
	author     Identity

	merge           string // the commit of refs/pull/N/merge; "" for none
	conflict        bool   // head and branch conflict
	fixedMerge      bool   // the test set the merge commit, which is never renewed
	readsUntilMerge int    // reads until the merge commit is made; negative: it is never made
	merged          bool
	reviews         []review
}

// SetPull opens a pull request into main, or changes the base and the head of an existing one. A fork's head is in
// another repository. It makes the merge commit at once, unless there is a conflict.
func (s *Server) SetPull(number int, base, head string, fork bool) {
	defer s.locked()()
	p := s.pulls[number]
	if p == nil {
		p = &pull{number: number, baseBranch: "main", author: Octocat}
		s.pulls[number] = p
	}
	if p.head != head {
		s.addPush(p, p.head, head, p.author)
	}
	p.base, p.head, p.fork = base, head, fork
	s.makeMerge(p)
}

// push is one change of a pull request's branch.
type push struct {
	number        int
	before, after string
	account       Identity
	timestamp     string
}

func (s *Server) addPush(p *pull, before, after string, who Identity) {
	s.pushes = append(s.pushes, push{p.number, cmp.Or(before, strings.Repeat("0", 40)), after, who, fixedTime})
}

// AddPush records a push to a pull request's branch. Pull records pushes by the author.
func (s *Server) AddPush(number int, who Identity, before, after string) {
	defer s.locked()()
	s.addPush(s.pulls[number], before, after, who)
}

// ForgetPushes deletes the activity of all branches.
func (s *Server) ForgetPushes() {
	defer s.locked()()
	s.pushes = nil
}

// listActivity lists the changes of a branch, newest first, in this repository or in the fork that the path names.
func (s *Server) listActivity(c call) response {
	var all []push
	for _, one := range slices.Backward(s.pushes) {
		p := s.pulls[one.number]
		if "refs/heads/"+branch == c.URL.Query().Get("ref") && p.fork == (len(c.args) > 0) {
			all = append(all, one)
		}
	}
	return list(c, all, func(one push) map[string]any {
		who := any(user(one.account))
		if one.account == (Identity{}) {
			who = nil
		}
		return map[string]any{"id": 1, "node_id": "PSH_1", "before": one.before, "after": one.after, "ref": c.URL.Query().Get("ref"),
			"timestamp": one.timestamp, "activity_type": "push", "actor": who}
	})
}

// branch is the name of every pull request's branch.
const branch = "change"

// Retarget changes the base branch of a pull request. As on GitHub, the old merge commit stays for a while; here, until
// the pull request is read.
func (s *Server) Retarget(number int, branch string) {
	defer s.locked()()
	s.pulls[number].baseBranch = branch
}

// DelayMerge removes the merge commit of a pull request until the pull request has been read that many times. A
// negative number means forever.
func (s *Server) DelayMerge(number, times int) {
	defer s.locked()()
	s.pulls[number].merge, s.pulls[number].readsUntilMerge = "", times
}

// SetMergeCommit sets the commit of refs/pull/N/merge.
func (s *Server) SetMergeCommit(number int, sha string) {
	defer s.locked()()
	s.pulls[number].merge = sha
}

// MergeCommit returns the commit of refs/pull/N/merge, or "".
func (s *Server) MergeCommit(number int) string {
	defer s.locked()()
	return s.pulls[number].merge
}

// baseTip returns the current commit of a pull request's base branch.
func (s *Server) baseTip(p *pull) string {
	if sha, found := s.branches[p.baseBranch]; found {
		return sha
	}
	return p.base
}

// getPull returns a pull request with the state of its merge commit. As on GitHub, the read then renews an old merge
// commit.
func (s *Server) getPull(c call) response {
	p := s.pulls[int(c.number())]
	if p == nil {
		return notFound()
	}
	body := s.pullJSON(p)
	for _, name := range []string{"comments", "review_comments"} {
		body[name] = 0
	}
	for _, name := range []string{"commits", "additions", "deletions", "changed_files"} {
		body[name] = 1
	}
	body["merged"], body["merged_by"], body["maintainer_can_modify"] = p.merged, nil, false
	body["mergeable"], body["mergeable_state"] = nil, "unknown"
	switch {
	case p.readsUntilMerge != 0:
		if p.readsUntilMerge--; p.readsUntilMerge == 0 {
			s.makeMerge(p)
		}
	case p.conflict:
		body["mergeable"], body["mergeable_state"] = false, "dirty"
	case s.isMergeCurrent(p):
		body["mergeable"], body["mergeable_state"] = true, "clean"
	default:
		s.makeMerge(p)
	}
	return ok(body)
}

// pullJSON returns a pull request in the form that GitHub's lists have.
func (s *Server) pullJSON(p *pull) map[string]any {
	number := strconv.Itoa(p.number)
	head, id := s.owner, 1000
	if p.fork {
		head, id = Mallory.Login, 2000
	}
	body := map[string]any{
		"id": 5000 + p.number, "node_id": "PR_" + number, "number": p.number, "state": "open", "locked": false, "title": "change",
		"user": user(p.author), "body": nil, "labels": []any{}, "milestone": nil, "assignee": nil, "author_association": "MEMBER",
		"created_at": fixedTime, "updated_at": fixedTime, "closed_at": nil, "merged_at": nil, "merge_commit_sha": nil, "auto_merge": nil,
		"base": s.sideJSON(p.baseBranch, p.base, s.owner, 1000), "head": s.sideJSON(branch, p.head, head, id),
		"url": s.apiURL("pulls/" + number), "html_url": s.pageURL("pull/" + number), "diff_url": s.pageURL("pull/" + number + ".diff"), "patch_url": s.pageURL("pull/" + number + ".patch"),
		"issue_url": s.apiURL("issues/" + number), "commits_url": s.apiURL("pulls/" + number + "/commits"), "review_comments_url": s.apiURL("pulls/" + number + "/comments"),
		"review_comment_url": s.apiURL("pulls/comments{/number}"), "comments_url": s.apiURL("issues/" + number + "/comments"), "statuses_url": s.apiURL("statuses/" + p.head),
	}
	if p.merge != "" {
		body["merge_commit_sha"] = p.merge
	}
	if p.merged {
		body["state"], body["closed_at"], body["merged_at"] = "closed", fixedTime, fixedTime
	}
	links := map[string]any{}
	for _, name := range []string{"comments", "commits", "statuses", "html", "issue", "review_comments", "review_comment", "self"} {
		links[name] = map[string]any{"href": s.apiURL("pulls/" + number)}
	}
	body["_links"] = links
	return body
}

// sideJSON returns one side of a pull request.
func (s *Server) sideJSON(ref, sha, owner string, id int) map[string]any {
	return map[string]any{"label": owner + ":" + ref, "ref": ref, "sha": sha, "user": user(Octocat), "repo": repository(owner, s.repo, id)}
}

// repository returns a repository with all the fields that GitHub's description requires.
func repository(owner, name string, id int) map[string]any {
	full := owner + "/" + name
	url := "https://api.github.com/repos/" + full
	body := map[string]any{
		"id": id, "node_id": "R_" + strconv.Itoa(id), "name": name, "full_name": full, "owner": user(Octocat), "private": false,
		"description": nil, "fork": owner == Mallory.Login, "url": url, "html_url": "https://github.com/" + full, "homepage": nil, "language": nil,
		"license": nil, "mirror_url": nil, "default_branch": "main", "has_discussions": false, "network_count": 0, "subscribers_count": 0, "archived": false, "disabled": false,
		"has_downloads": true, "has_issues": true, "has_projects": true, "has_wiki": true, "has_pages": false,
		"forks": 0, "forks_count": 0, "open_issues": 0, "open_issues_count": 0, "size": 1, "stargazers_count": 0, "watchers": 0, "watchers_count": 0,
		"created_at": fixedTime, "updated_at": fixedTime, "pushed_at": fixedTime,
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

func (s *Server) getRepository(call) response { return ok(repository(s.owner, s.repo, 1000)) }

// user returns an account with all the fields that GitHub's description requires.
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

type review struct {
	id        int64
	author    Identity
	state     string
	sha       string
	submitted string
}

// AddReview adds a review of a pull request on a commit. state is APPROVED, CHANGES_REQUESTED, COMMENTED or DISMISSED.
func (s *Server) AddReview(number int, who Identity, state, sha string) {
	defer s.locked()()
	s.lastID++
	s.pulls[number].reviews = append(s.pulls[number].reviews, review{s.lastID, who, state, sha, s.tick()})
}

// SetPermission sets an account's permission in the repository: admin, write, read or none. The default is read.
func (s *Server) SetPermission(who Identity, permission string) {
	defer s.locked()()
	s.permissions[who.Login] = permission
}

// AddJob adds the check run that GitHub Actions makes for a completed job.
func (s *Server) AddJob(name, sha string, run int64, conclusion string) {
	defer s.locked()()
	s.lastID++
	s.checks = append(s.checks, &CheckRun{ID: s.lastID, Name: name, HeadSHA: sha, Status: "completed", Conclusion: conclusion, CreatedAt: s.tick(),
		DetailsURL: s.pageURL(fmt.Sprintf("actions/runs/%d/job/%d", run, s.lastID))})
}

// tick advances the clock by a second and returns the time.
func (s *Server) tick() string {
	s.clock++
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.clock) * time.Second).Format(time.RFC3339)
}

func (s *Server) listReviews(c call) response {
	p := s.pulls[int(c.number())]
	if p == nil {
		return notFound()
	}
	return list(c, p.reviews, func(r review) map[string]any {
		link := s.pageURL("pull/" + strconv.Itoa(p.number) + "#pullrequestreview-" + strconv.FormatInt(r.id, 10))
		return map[string]any{
			"id": r.id, "node_id": "PRR_" + strconv.FormatInt(r.id, 10), "user": user(r.author), "body": "", "state": r.state, "html_url": link,
			"pull_request_url": s.apiURL("pulls/" + strconv.Itoa(p.number)), "submitted_at": r.submitted, "commit_id": r.sha, "author_association": "MEMBER",
			"_links": map[string]any{"html": map[string]any{"href": link}, "pull_request": map[string]any{"href": s.apiURL("pulls/" + strconv.Itoa(p.number))}},
		}
	})
}

func (s *Server) getPermission(c call) response {
	permission, known := s.permissions[c.args[0]]
	if !known {
		permission = "read" // everybody has it in a public repository
	}
	return ok(map[string]any{"permission": permission, "role_name": permission, "user": nil})
}
