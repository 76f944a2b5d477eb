package recorded

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
)

// The sides of a rerun.
const (
	RerunOnBase = "base"
	RerunOnHead = "head"
)

const (
	rerunBase rerunSide = iota + 1
	rerunHead
)

// Pair is a case on both sides, with the requests that its recorded reruns must match.
type Pair struct {
	BaseKey, HeadKey         string
	BaseTargets, HeadTargets map[string]Target // live targets of each side's configuration, by name
}

// Reruns returns the recorded reruns of both sides for a flipped case, by round. A round counts if both answers are
// current for both requests and come from a model. Hand-written answers and answers of another comparison are left out.
func (c *Client) Reruns(suiteID, caseID string, p Pair) (base, head Answers) {
	if c == nil {
		return base, head
	}
	base.client, head.client = c, c
	rounds := map[entryName]entry{}
	for _, e := range c.entriesOf(suiteID, caseID) {
		if e.side != 0 {
			rounds[e.entryName] = e
		}
	}
	for _, e := range c.entriesOf(suiteID, caseID) {
		headEntry, onHead := rounds[entryName{e.trial, rerunHead}]
		if e.side != rerunBase || e.trial < 1 || !onHead {
			continue
		}
		b, h := c.record(e), c.record(headEntry)
		if b.BaseKey == p.BaseKey && h.BaseKey == p.BaseKey && b.isRerunFor(p.HeadKey, p.BaseTargets) &&
			h.isRerunFor(p.HeadKey, p.HeadTargets) {
			base.entries, head.entries = append(base.entries, e), append(head.entries, headEntry)
		}
	}
	return base, head
}

// OwnReruns returns the recorded reruns of a case that sent the request with the given key when that request was new.
// targets are the live targets of the recording's configuration, by name.
func (c *Client) OwnReruns(suiteID, caseID, key string, targets map[string]Target) Answers {
	if c == nil {
		return Answers{}
	}
	out := Answers{client: c}
	for _, e := range c.entriesOf(suiteID, caseID) {
		if e.side == rerunHead && c.record(e).isRerunFor(key, targets) {
			out.entries = append(out.entries, e)
		}
	}
	return out
}

// AllReruns returns the recorded reruns of a case, whether they fit or not.
func (c *Client) AllReruns(suiteID, caseID string) Answers {
	return Answers{client: c, entries: rerunsOf(c, suiteID, caseID)}
}

// HaveForeign reports whether one of the reruns a is of a request that is neither the one with the given key nor the
// one of a rerun of base. Such a rerun is ignored until a change makes its request.
func (a Answers) HaveForeign(key string, base Answers) bool {
	return slices.ContainsFunc(a.entries, func(e entry) bool {
		now := a.client.record(e).RequestKey
		return now != key && !slices.ContainsFunc(base.entries, func(b entry) bool {
			return base.client.record(b).RequestKey == now
		})
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
	if len(a.entries) == 0 {
		return ""
	}
	return a.client.files[a.entries[0].file]
}

// Samples returns the answers as samples of a model.
func (a Answers) Samples() (out []model.Response) {
	for i := range a.entries {
		out = append(out, a.record(i).sample())
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
	return !slices.ContainsFunc(other.entries, func(e entry) bool {
		return e.target != nil && len(a.entries) > 0 && !e.target.Equals(*a.target(0))
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
	return answers.record(q.Rerun - 1).sample()
}
