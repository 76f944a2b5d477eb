package githubtest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// isMergeCurrent reports whether the merge commit merges the head into the current commit of the base branch, or was
// set by FixMergeCommit.
func (s *Server) isMergeCurrent(p *pull) bool {
	c := s.commits[p.merge]
	return p.fixedMerge || c != nil && slices.Equal(c.parents, []string{s.baseTip(p), p.head})
}

// makeMerge merges the head into the current commit of the base branch. If they conflict, the old merge commit stays.
func (s *Server) makeMerge(p *pull) {
	files, ok := s.mergeFiles(s.baseTip(p), p.head)
	if p.conflict = !ok; ok {
		p.merge = s.commit(files, s.baseTip(p), p.head)
	}
}

// mergeFiles merges two commits, file by file. It returns false if both changed a file differently, or if they have no
// common ancestor.
func (s *Server) mergeFiles(ours, theirs string) (files map[string]string, ok bool) {
	a, b := s.commits[ours], s.commits[theirs]
	if a == nil || b == nil {
		return nil, false
	}
	ancestor := s.mergeBase(a, b)
	if ancestor == nil {
		return nil, false
	}
	old, left, right := s.files(ancestor), s.files(a), s.files(b)
	files = map[string]string{}
	for _, all := range []map[string]string{old, left, right} {
		for name := range all {
			o, inOld := old[name]
			l, inLeft := left[name]
			r, inRight := right[name]
			switch {
			case inLeft == inRight && l == r || inOld == inRight && o == r:
				if inLeft {
					files[name] = l
				}
			case inOld == inLeft && o == l:
				if inRight {
					files[name] = r
				}
			default:
				return nil, false
			}
		}
	}
	return files, true
}

func (s *Server) files(c *commit) map[string]string {
	out := map[string]string{}
	s.collectFiles("", c.tree, out)
	return out
}

func (s *Server) collectFiles(prefix, tree string, out map[string]string) {
	for _, e := range s.trees[tree] {
		if e.Mode == filemode.Dir {
			s.collectFiles(prefix+e.Name+"/", e.Hash.String(), out)
			continue
		}
		out[prefix+e.Name] = s.blobs[e.Hash.String()]
	}
}

// Merge merges a pull request into its branch, by a merge commit or squashed, and returns the branch's new commit.
func (s *Server) Merge(number int, squash bool) string {
	defer s.locked()()
	p := s.pulls[number]
	sha := s.commitMerge(p, s.baseTip(p), squash)
	for _, c := range s.commitsOnlyIn(s.commits[sha], s.commits[s.baseTip(p)]) {
		s.mergedBy[c] = append(s.mergedBy[c], number)
	}
	s.branches[p.baseBranch], p.merged, p.merge = sha, true, sha
	return sha
}

// commitMerge makes the commit that merges a pull request onto another commit.
func (s *Server) commitMerge(p *pull, onto string, squash bool) string {
	files, ok := s.mergeFiles(onto, p.head)
	if !ok {
		panic(fmt.Sprintf("githubtest: pull request %d cannot be merged", p.number))
	}
	if squash {
		return s.commit(files, onto)
	}
	return s.commit(files, onto, p.head)
}

// MergeGroup is a merge group, the candidate of a merge queue.
type MergeGroup struct{ Base, Head, HeadRef string }

// AddMergeGroup makes a merge group of some pull requests, in order.
func (s *Server) AddMergeGroup(squash bool, numbers ...int) MergeGroup {
	defer s.locked()()
	g := MergeGroup{Base: s.baseTip(s.pulls[numbers[0]])}
	g.Head = g.Base
	for _, n := range numbers {
		g.HeadRef = fmt.Sprintf("refs/heads/gh-readonly-queue/%s/pr-%d-%s", s.pulls[n].baseBranch, n, g.Head)
		g.Head = s.commitMerge(s.pulls[n], g.Head, squash)
	}
	return g
}

// listPulls lists the pull requests of a commit: the merged ones that added it to their branch, or else the open ones
// that contain it.
func (s *Server) listPulls(c call) response {
	sha := c.args[0]
	if s.commits[sha] == nil {
		return problem(http.StatusUnprocessableEntity, "No commit found for SHA: %s", sha)
	}
	numbers := s.mergedBy[sha]
	if len(numbers) == 0 {
		for _, n := range slices.Sorted(maps.Keys(s.pulls)) {
			p := s.pulls[n]
			if !p.merged && s.commits[p.head] != nil && slices.Contains(s.ancestors(s.commits[p.head]), sha) && !slices.Contains(s.ancestors(s.commits[s.baseTip(p)]), sha) {
				numbers = append(numbers, n)
			}
		}
	}
	return list(c, numbers, func(n int) map[string]any { return s.pullJSON(s.pulls[n]) })
}

// getRef returns the commit of a ref: a branch, or the merge commit of a pull request.
func (s *Server) getRef(c call) response {
	ref := c.args[0]
	sha := ""
	if name, found := strings.CutPrefix(ref, "heads/"); found {
		sha = s.branches[name]
	}
	var number int
	if n, _ := fmt.Sscanf(ref, "pull/%d/merge", &number); n == 1 && s.pulls[number] != nil {
		sha = s.pulls[number].merge
	}
	if sha == "" {
		return notFound()
	}
	return ok(map[string]any{"ref": "refs/" + ref, "node_id": "REF_" + sha[:8], "url": s.apiURL("git/refs/" + ref),
		"object": map[string]any{"type": "commit", "sha": sha, "url": s.apiURL("git/commits/" + sha)}})
}

const fixedTime = "2026-01-01T00:00:00Z"

// ancestors returns a commit and all its ancestors, nearest first.
func (s *Server) ancestors(tip *commit) []string {
	queue, seen := []string{tip.sha}, map[string]bool{tip.sha: true}
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

// mergeBase returns the nearest common ancestor that is not an ancestor of another one; nil if there is none.
func (s *Server) mergeBase(base, head *commit) *commit {
	reached := s.ancestors(base)
	common := slices.DeleteFunc(s.ancestors(head), func(sha string) bool { return !slices.Contains(reached, sha) || s.commits[sha] == nil })
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

// commitsOnlyIn returns the commits in the history of tip that are not in the history of without.
func (s *Server) commitsOnlyIn(tip, without *commit) []string {
	known := s.ancestors(without)
	return slices.DeleteFunc(s.ancestors(tip), func(sha string) bool { return slices.Contains(known, sha) || s.commits[sha] == nil })
}

func (s *Server) compare(c call) response {
	base, head := s.resolve(c.args[0]), s.resolve(c.args[1])
	if base == nil || head == nil {
		return notFound()
	}
	mergeBase := s.mergeBase(base, head)
	if mergeBase == nil {
		return problem(http.StatusNotFound, "No common ancestor between %s and %s.", c.args[0], c.args[1])
	}
	ahead, behind := s.commitsOnlyIn(head, base), s.commitsOnlyIn(base, head)
	slices.Reverse(ahead) // oldest first
	commits, header := page(c, ahead, func(sha string) map[string]any { return s.commitJSON(s.commits[sha]) })
	comparePath := "compare/" + c.args[0] + "..." + c.args[1]
	return response{http.StatusOK, map[string]any{
		"url": s.apiURL(comparePath), "html_url": s.pageURL(comparePath), "permalink_url": s.pageURL(comparePath), "diff_url": s.pageURL(comparePath + ".diff"), "patch_url": s.pageURL(comparePath + ".patch"),
		"base_commit": s.commitJSON(base), "merge_base_commit": s.commitJSON(mergeBase), "status": status(len(ahead), len(behind)),
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

func (s *Server) getGitCommit(c call) response {
	found := s.commits[c.args[0]]
	if found == nil {
		return notFound()
	}
	body := s.gitCommitJSON(found)
	body["sha"], body["node_id"], body["parents"] = found.sha, "C_"+found.sha[:8], s.parentsJSON(found)
	body["html_url"] = s.pageURL("commit/" + found.sha)
	return ok(body)
}

func (s *Server) commitJSON(c *commit) map[string]any {
	authors := []any{user(Octocat), user(Octocat)}
	for i, who := range c.authors {
		if authors[i] = user(who); who == (Identity{}) {
			authors[i] = nil
		}
	}
	return map[string]any{
		"url": s.apiURL("commits/" + c.sha), "sha": c.sha, "node_id": "C_" + c.sha[:8], "html_url": s.pageURL("commit/" + c.sha),
		"comments_url": s.apiURL("commits/" + c.sha + "/comments"), "author": authors[0], "committer": authors[1], "parents": s.parentsJSON(c),
		"commit": s.gitCommitJSON(c),
	}
}

func (s *Server) gitCommitJSON(c *commit) map[string]any {
	person := map[string]any{"name": "Octo Cat", "email": "octocat@example.com", "date": fixedTime}
	return map[string]any{
		"url": s.apiURL("git/commits/" + c.sha), "author": person, "committer": person, "message": "change", "comment_count": 0,
		"tree":         map[string]any{"sha": c.tree, "url": s.apiURL("git/trees/" + c.tree)},
		"verification": map[string]any{"verified": false, "reason": "unsigned", "payload": nil, "signature": nil, "verified_at": nil},
	}
}

func (s *Server) parentsJSON(c *commit) []any {
	out := []any{}
	for _, p := range c.parents {
		out = append(out,
			map[string]any{"sha": p, "url": s.apiURL("commits/" + p), "html_url": s.pageURL("commit/" + p)})
	}
	return out
}
