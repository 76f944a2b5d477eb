package acceptance_test

import (
	"strings"

	"github.com/failproof/failproof/internal/github/githubtest"
)

// where are the variables that say what a run runs on.
func (s *scene) where() map[string]string {
	switch s.event {
	case "pull_request", "pull_request_target":
		return map[string]string{
			"GITHUB_SHA": s.runCommit(), "GITHUB_REF": "refs/pull/7/merge", "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "change", "GITHUB_BASE_REF": s.into,
		}
	case "merge_group":
		ref := s.groupRef()
		return map[string]string{"GITHUB_SHA": s.commits["group"], "GITHUB_REF": ref, "GITHUB_REF_NAME": strings.TrimPrefix(ref, "refs/heads/")}
	case "issue_comment", "schedule":
		return map[string]string{"GITHUB_SHA": s.commits["base"], "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main"}
	default:
		return map[string]string{"GITHUB_SHA": s.commits["head"], "GITHUB_REF": "refs/heads/change", "GITHUB_REF_NAME": "change"}
	}
}

// runCommit is GITHUB_SHA of a pull request: the merge result, else one that was made for an earlier head.
func (s *scene) runCommit() string {
	if s.commits["merge"] == "" {
		return s.commits["base"]
	}
	return s.commits["merge"]
}

func (s *scene) groupRef() string {
	return "refs/heads/gh-readonly-queue/" + s.into + "/pr-7-" + s.commits["base"]
}

// payload is the event as GitHub sends it, cut to what an action reads.
func (s *scene) payload() map[string]any {
	event := map[string]any{"repository": homeRepository(), "sender": account("octocat", 583231, "User")}
	zero := strings.Repeat("0", 40)
	switch s.event {
	case "pull_request", "pull_request_target":
		event["action"], event["number"], event["pull_request"] = "synchronize", pullNumber, s.pullPayload()
		event["before"], event["after"], event["sender"] = s.commits["base"], s.commits["head"], accountOf(s.pusher())
	case "push":
		event["ref"], event["before"], event["after"], event["created"] = "refs/heads/change", zero, s.commits["head"], true
	case "merge_group":
		event["action"] = "checks_requested"
		event["merge_group"] = map[string]any{
			"head_sha": s.commits["group"], "head_ref": s.groupRef(), "base_sha": s.commits["base"], "base_ref": "refs/heads/" + s.into,
			"head_commit": map[string]any{"id": s.commits["group"]},
		}
	case "workflow_dispatch":
		event["ref"], event["inputs"], event["workflow"] = "refs/heads/change", nil, ".github/workflows/prompts.yml"
	case "workflow_run":
		event["action"], event["workflow_run"] = "completed", map[string]any{"id": 1, "head_sha": s.commits["head"], "head_branch": "change", "pull_requests": []any{}}
	case "issue_comment":
		event["action"] = "created"
		event["issue"] = map[string]any{"number": pullNumber, "pull_request": map[string]any{"url": s.api + "/repos/octo/prompts/pulls/7"}}
		event["comment"] = s.commentPayload()
	}
	return event
}

func (s *scene) pullPayload() map[string]any {
	author := accountOf(s.author())
	head := any(homeRepository())
	switch s.who {
	case "fork":
		head = map[string]any{"id": 2000, "full_name": "mallory/prompts", "name": "prompts", "fork": true, "owner": author, "default_branch": "main"}
	case "gone":
		head = nil
	}
	merge := any(nil)
	if s.commits["merge"] != "" {
		merge = s.commits["merge"]
	}
	return map[string]any{
		"number": pullNumber, "state": "open", "draft": false, "merged": false, "mergeable": nil, "merge_commit_sha": merge, "user": author, "title": "change",
		"base": map[string]any{"sha": s.eventBase(), "ref": s.into, "label": "octo:" + s.into, "repo": homeRepository()},
		"head": map[string]any{"sha": s.commits["head"], "ref": "change", "label": author["login"].(string) + ":change", "repo": head, "user": author},
	}
}

// commentPayload is the last comment of a person.
func (s *scene) commentPayload() (comment map[string]any) {
	for _, c := range s.hub.Comments(pullNumber) {
		if c.Author != githubtest.Actions {
			comment = map[string]any{"id": c.ID, "body": c.Body, "created_at": c.TextTimes[0], "author_association": "NONE", "user": accountOf(c.Author)}
		}
	}
	return comment
}

// eventBase is where the base branch stood when the event was made, which may be before the merge result's first
// parent.
func (s *scene) eventBase() string {
	if then, is := s.commits["then"]; is {
		return then
	}
	return s.commits["base"]
}

func homeRepository() map[string]any {
	return map[string]any{
		"id": 1000, "full_name": "octo/prompts", "name": "prompts", "fork": false, "private": false, "default_branch": "main",
		"owner": account("octo", 1, "Organization"), "html_url": "https://github.com/octo/prompts", "url": "https://api.github.com/repos/octo/prompts",
	}
}

func accountOf(who githubtest.Identity) map[string]any {
	return account(who.Login, who.ID, map[bool]string{false: "User", true: "Bot"}[who.Bot])
}

func account(login string, id int64, kind string) map[string]any {
	return map[string]any{"login": login, "id": id, "type": kind}
}
