package acceptance_test

import "maps"

func init() {
	maps.Copy(verbs, map[string]func(*scene, []string){
		"permit": func(s *scene, w []string) { s.permissions[w[0]] = w[1] },
		"review": (*scene).review,
		"pushed": func(s *scene, w []string) { s.pushedBy = w[0] },
		"wrote":  func(s *scene, w []string) { s.wroteBy = w[0] },
		"job":    (*scene).job,
		"second": func(s *scene, w []string) { s.second = w[0] },
	})
}

// review WHO STATE is a review of the pull request's head commit.
func (s *scene) review(w []string) {
	s.Helper()
	s.ready()
	s.hub.AddReview(pullNumber, identities[w[0]], w[1], s.commits["head"])
}

// job CONCLUSION is GitHub's own check run of the last run's job; before the first run, of another workflow's.
func (s *scene) job(w []string) {
	s.Helper()
	s.ready()
	s.hub.AddJob("gate", s.commits["head"], int64(100+s.runs), w[0])
}

// group makes the candidate of the merge queue: the pull request, and behind it the second one, if there is one.
func (s *scene) group() {
	s.Helper()
	s.ready()
	group := s.commits["merge"]
	if s.second != "" {
		other := s.commit("second", s.commits["base"])
		s.hub.SetPull(pullNumber+1, s.commits["base"], other, s.second == "fork")
		group = s.repo.merge(group, other)
	}
	s.commits["group"] = group
	s.repo.serve(s.hub)
	s.workspace = s.newWorkspace()
}
