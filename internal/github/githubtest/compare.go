package githubtest

import (
	"net/http"
	"slices"
)

const someDay = "2026-01-01T00:00:00Z"

// ancestors returns a commit and everything before it, nearest first.
func (s *Server) ancestors(of *commit) []string {
	queue, seen := []string{of.sha}, map[string]bool{of.sha: true}
	for i := 0; i < len(queue); i++ {
		c := s.commits[queue[i]]
		if c == nil {
			continue
		}
		for _, p := range c.parents {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return queue
}

// mergeBase is the nearest common ancestor that is not an ancestor of another one; nil if there is none.
func (s *Server) mergeBase(base, head *commit) *commit {
	reached := s.ancestors(base)
	var common []string
	for _, sha := range s.ancestors(head) {
		if slices.Contains(reached, sha) && s.commits[sha] != nil {
			common = append(common, sha)
		}
	}
	for _, candidate := range common {
		best := !slices.ContainsFunc(common, func(other string) bool {
			return other != candidate && slices.Contains(s.ancestors(s.commits[other]), candidate)
		})
		if best {
			return s.commits[candidate]
		}
	}
	return nil
}

// only returns what the one history has and the other has not.
func (s *Server) only(of, without *commit) (out []string) {
	known := s.ancestors(without)
	for _, sha := range s.ancestors(of) {
		if !slices.Contains(known, sha) && s.commits[sha] != nil {
			out = append(out, sha)
		}
	}
	return out
}

func (s *Server) compare(c call) answer {
	base, head := s.resolve(c.args[0]), s.resolve(c.args[1])
	if base == nil || head == nil {
		return notFound()
	}
	meet := s.mergeBase(base, head)
	if meet == nil {
		return problem(http.StatusNotFound, "No common ancestor between %s and %s.", c.args[0], c.args[1])
	}
	ahead, behind := s.only(head, base), s.only(base, head)
	slices.Reverse(ahead) // oldest first
	commits, header := page(c, ahead, func(sha string) map[string]any { return s.commitJSON(s.commits[sha]) })
	at := "compare/" + c.args[0] + "..." + c.args[1]
	return answer{http.StatusOK, map[string]any{
		"url": s.url(at), "html_url": s.html(at), "permalink_url": s.html(at), "diff_url": s.html(at + ".diff"), "patch_url": s.html(at + ".patch"),
		"base_commit": s.commitJSON(base), "merge_base_commit": s.commitJSON(meet), "status": status(len(ahead), len(behind)),
		"ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead), "commits": commits, "files": []any{},
	}, header}
}

func status(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}

func (s *Server) getGitCommit(c call) answer {
	found := s.commits[c.args[0]]
	if found == nil {
		return notFound()
	}
	body := s.gitCommitJSON(found)
	body["sha"], body["node_id"], body["parents"] = found.sha, "C_"+found.sha[:8], s.parentsJSON(found)
	body["html_url"] = s.html("commit/" + found.sha)
	return ok(body)
}

func (s *Server) commitJSON(c *commit) map[string]any {
	return map[string]any{
		"url": s.url("commits/" + c.sha), "sha": c.sha, "node_id": "C_" + c.sha[:8], "html_url": s.html("commit/" + c.sha),
		"comments_url": s.url("commits/" + c.sha + "/comments"), "author": nil, "committer": nil, "parents": s.parentsJSON(c),
		"commit": s.gitCommitJSON(c),
	}
}

func (s *Server) gitCommitJSON(c *commit) map[string]any {
	person := map[string]any{"name": "Octo Cat", "email": "octocat@example.com", "date": someDay}
	return map[string]any{
		"url": s.url("git/commits/" + c.sha), "author": person, "committer": person, "message": "change", "comment_count": 0,
		"tree":         map[string]any{"sha": c.tree, "url": s.url("git/trees/" + c.tree)},
		"verification": map[string]any{"verified": false, "reason": "unsigned", "payload": nil, "signature": nil, "verified_at": nil},
	}
}

func (s *Server) parentsJSON(c *commit) []any {
	out := []any{}
	for _, p := range c.parents {
		out = append(out, map[string]any{"sha": p, "url": s.url("commits/" + p), "html_url": s.html("commit/" + p)})
	}
	return out
}
