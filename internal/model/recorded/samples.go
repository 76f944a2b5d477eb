package recorded

import (
	"cmp"
	"reflect"
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
	for _, e := range a {
		if !e.resampled {
			continue
		}
		r := e.record()
		known := slices.ContainsFunc(base, func(b entry) bool {
			baseRecord := b.record()
			return b.trial == e.trial && baseRecord.isSampleFor(r.RequestKey, r.Target) &&
				baseRecord.samples() >= r.samples()
		})
		if !known {
			largest = max(largest, r.samples())
		}
	}
	return largest
}

// Edited compares the answers to a case with the base's to the same trials and requests, which a live target of the
// configuration gave. changed reports whether one is another answer: it is edited, or sampled again. unnamed reports
// whether one no longer names its target. An answer that counts as a further sample, or names another target, does not
// count. key is the key of the case's request, for lines without one.
func (c *Client) Edited(answers, base Answers, key string) (changed, unnamed bool) {
	for _, e := range answers {
		for _, old := range base {
			if e.trial != old.trial || e.text == old.text || old.target == nil {
				continue
			}
			now, was := e.record(), old.record()
			if !c.binding.recordable(was) || cmp.Or(now.RequestKey, key) != was.RequestKey ||
				now.Target != nil && !now.Target.Equals(*was.Target) || now.samples() > was.samples() {
				continue
			}
			changed = changed || !reflect.DeepEqual(now.answer(), was.answer())
			unnamed = unnamed || now.Target == nil
		}
	}
	return changed, unnamed
}

// Lacks reports whether a has fewer answers than other, or lacks the words of one.
func (a Answers) Lacks(other Answers) bool {
	return len(a) < len(other) || slices.ContainsFunc(other, func(e entry) bool { return !a.contains(e.record()) })
}

func (r record) samples() int { return *cmp.Or(r.Samples, new(1)) }

func (r record) isSampleFor(key string, target *Target) bool {
	return r.RequestKey == key && r.Target != nil && target != nil && r.Target.Equals(*target)
}
