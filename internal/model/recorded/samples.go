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
	if !ok || !r.isSampleFor(key, &target) {
		return 0
	}
	return r.samples()
}

// MostSamples returns how often the most-sampled answer was sampled. An answer counts only if it was sampled more than
// once, and more often than the base's answer to the same trial and request. Without such an answer it returns 0.
func (a Answers) MostSamples(base Answers) (largest int) {
	for i, e := range a.entries {
		if !e.resampled {
			continue
		}
		r := a.record(i)
		known := slices.ContainsFunc(base.entries, func(b entry) bool {
			baseRecord := base.client.record(b)
			return b.trial == e.trial && baseRecord.isSampleFor(r.RequestKey, r.Target) &&
				baseRecord.samples() >= r.samples()
		})
		if !known {
			largest = max(largest, r.samples())
		}
	}
	return largest
}

// Replaces reports whether an answer differs from the base's to the same trial and request, which a live target of the
// configuration gave. The answer is then edited, or another sample of that target. An answer that counts as a further
// sample, or names another target, replaces none. key is the key of the case's request, for lines without one.
func (a Answers) Replaces(base Answers, key string) bool {
	return slices.ContainsFunc(a.entries, func(e entry) bool {
		return slices.ContainsFunc(base.entries, func(b entry) bool {
			if a.trial(e) != base.trial(b) || e.text == b.text || b.target == nil {
				return false
			}
			now, was := a.client.record(e), base.client.record(b)
			return a.client.binding.recordable(was) && cmp.Or(now.RequestKey, key) == was.RequestKey &&
				(now.Target == nil || now.Target.Equals(*was.Target)) && now.samples() <= was.samples() && !now.sameAnswer(was)
		})
	})
}

func (r record) samples() int { return *cmp.Or(r.Samples, new(1)) }

func (r record) isSampleFor(key string, target *Target) bool {
	return r.RequestKey == key && r.Target != nil && target != nil && r.Target.Equals(*target)
}
