package recorded

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/model"
)

// Samples returns how many answers to the request with the given key were sampled for the trial of q, up to and
// including the recorded one. It returns 0 if the recorded answer is missing or hand-written, answers another request,
// or is from a target with other settings.
func (c *Client) Samples(q model.Request, key string, target Target) int {
	r, ok := lookup(c, q.SuiteID, q.CaseID, q.Trial)
	if !ok || !r.isDrawFor(key, &target) {
		return 0
	}
	return r.samples()
}

// MostSamples returns how often the most-sampled answer was sampled. An answer counts only if it was sampled more than
// once, and more often than the base's answer to the same trial and request. Without such an answer it returns 0.
func (a Answers) MostSamples(base Answers) (largest int) {
	for i, e := range a.entries {
		if !e.redrawn {
			continue
		}
		r := a.record(i)
		known := slices.ContainsFunc(base.entries, func(b entry) bool {
			was := base.client.record(b)
			return b.trial == e.trial && was.isDrawFor(r.RequestKey, r.Target) && was.samples() >= r.samples()
		})
		if !known {
			largest = max(largest, r.samples())
		}
	}
	return largest
}

func (r record) samples() int { return *cmp.Or(r.Samples, new(1)) }

func (r record) isDrawFor(key string, from *Target) bool {
	return r.RequestKey == key && r.Target != nil && from != nil && r.Target.Equals(*from)
}
