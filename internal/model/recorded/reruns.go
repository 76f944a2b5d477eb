package recorded

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/model"
)

// The sides of a rerun.
const (
	RerunOnBase = "base"
	RerunOnHead = "head"
)

// Pair is a case on both sides, with the requests that its recorded reruns must match.
type Pair struct {
	BaseKey, HeadKey         string
	BaseTargets, HeadTargets map[string]Target // live targets of each side's configuration, by name
}

// Reruns returns the recorded reruns of both sides for a flipped case, by round. A round counts if both answers are
// current for both requests and come from a model. Hand-written answers and answers of another comparison are left out.
func (c *Client) Reruns(suiteID, caseID string, p Pair) (base, head Answers) {
	all := c.entriesOf(suiteID, caseID)
	ofHead := all.ofSide(RerunOnHead)
	for _, e := range all.ofSide(RerunOnBase) {
		i, ok := slices.BinarySearchFunc(ofHead, e.trial, func(e entry, trial int32) int { return cmp.Compare(e.trial, trial) })
		if !ok {
			continue
		}
		b, h := e.record(), ofHead[i].record()
		if b.BaseKey == p.BaseKey && h.BaseKey == p.BaseKey && b.isRerunFor(p.HeadKey, p.BaseTargets) &&
			h.isRerunFor(p.HeadKey, p.HeadTargets) {
			base, head = append(base, e), append(head, ofHead[i])
		}
	}
	return base, head
}

// OwnReruns returns the recorded reruns of a case that sent the request with the given key when that request was new.
// targets are the live targets of the recording's configuration, by name.
func (c *Client) OwnReruns(suiteID, caseID, key string, targets map[string]Target) (out Answers) {
	for _, e := range c.entriesOf(suiteID, caseID).ofSide(RerunOnHead) {
		if e.record().isRerunFor(key, targets) {
			out = append(out, e)
		}
	}
	return out
}

// HaveForeign reports whether one of the reruns a is of a request that is neither the one with the given key nor the
// one of a rerun of base. Such a rerun is ignored until a change makes its request.
func (a Answers) HaveForeign(key string, base Answers) bool {
	return slices.ContainsFunc(a, func(e entry) bool {
		now := e.record().RequestKey
		return now != key && !slices.ContainsFunc(base, func(b entry) bool { return b.record().RequestKey == now })
	})
}

// isRerunFor reports whether a model, by its present settings in targets, gave the answer in a rerun of the head's
// request with the given key.
func (r record) isRerunFor(key string, targets map[string]Target) bool {
	if r.Target == nil || r.HandWritten || r.RequestKey != key {
		return false
	}
	now, known := targets[r.Target.Name]
	return !known || r.Target.Equals(now)
}

// File returns the file with the first answer, or "" if there are no answers.
func (a Answers) File() string {
	if len(a) == 0 {
		return ""
	}
	return a[0].file
}

// Samples returns the answers as samples of a model.
func (a Answers) Samples() (out []model.Response) {
	for _, e := range a {
		out = append(out, e.record().sample())
	}
	return out
}

func (r record) sample() model.Response {
	out := r.response()
	out.Sampled = true
	return out
}

// SameTarget reports whether no answer of other names another target than the first of a.
func (a Answers) SameTarget(other Answers) bool {
	return !slices.ContainsFunc(other, func(e entry) bool {
		return e.target != nil && len(a) > 0 && !e.target.Equals(*a[0].target)
	})
}

func rerunAnswer(c *Client, q model.Request) model.Response {
	var answers Answers
	if c.binding.Reruns != nil {
		answers = c.binding.Reruns(q.SuiteID, q.CaseID)
	}
	if q.Rerun > answers.Len() {
		return model.FailedResponse(model.ReasonUnrecorded, "no recording: %s has no rerun %d of case %s",
			Path(c.path, q.SuiteID), q.Rerun, q.CaseID)
	}
	return answers[q.Rerun-1].record().sample()
}
