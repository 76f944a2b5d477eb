package recorded

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/model"
)

// Draws returns how many answers to a trial's request were sampled, up to and including the recorded one. It is 0 if
// the recorded answer is hand-written, or is for another request or from another target.
func (c *Client) Draws(q model.Request, key string, from Target) int {
	r, ok := lookup(c, q.SuiteID, q.CaseID, q.Trial)
	if !ok || !r.isDrawFor(key, &from) {
		return 0
	}
	return r.draws()
}

// Redrawn returns the largest number of samples behind an answer that was sampled more than once. It ignores an answer
// if the base's answer to the same trial and request was sampled at least as often. It is 0 if none is left.
func (a Answers) Redrawn(base Answers) (most int) {
	for i, e := range a.entries {
		if !e.redrawn {
			continue
		}
		r := a.record(i)
		known := slices.ContainsFunc(base.entries, func(b entry) bool {
			was := base.of.record(b)
			return b.trial == e.trial && was.isDrawFor(r.RequestKey, r.Target) && was.draws() >= r.draws()
		})
		if !known {
			most = max(most, r.draws())
		}
	}
	return most
}

func (r record) draws() int { return *cmp.Or(r.Draws, new(1)) }

func (r record) isDrawFor(key string, from *Target) bool {
	return r.RequestKey == key && r.Target != nil && from != nil && r.Target.Equals(*from)
}
