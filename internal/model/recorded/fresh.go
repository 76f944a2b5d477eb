package recorded

import (
	"fmt"

	"github.com/failproof/failproof/internal/model"
)

// The sides of an answer that was asked for again.
const (
	FreshBase = "base"
	FreshHead = "head"
)

const (
	freshBase freshSide = iota + 1
	freshHead
)

// Pair is a case as both sides ask it, to which fresh answers are held.
type Pair struct {
	BaseKey, HeadKey         string
	BaseTargets, HeadTargets map[string]Target // the live targets of each side's configuration, by name
}

// Fresh returns the answers of both sides to a case that flipped, round by round: those rounds of which both answers hold. They
// are a model's, bound by both requests: one that a person wrote, or that was made for another comparison, is left out.
func (c *Client) Fresh(suiteID, caseID string, p Pair) (base, head Answers) {
	if c == nil {
		return base, head
	}
	base.of, head.of = c, c
	rounds := map[entryName]entry{}
	for _, e := range c.of(suiteID, caseID) {
		if e.fresh != 0 {
			rounds[e.entryName] = e
		}
	}
	for _, e := range c.of(suiteID, caseID) {
		other, both := rounds[entryName{e.trial, freshHead}]
		if e.fresh != freshBase || e.trial < 1 || !both {
			continue
		}
		if b, h := c.record(e), c.record(other); b.freshFor(p, p.BaseTargets) && h.freshFor(p, p.HeadTargets) {
			base.entries, head.entries = append(base.entries, e), append(head.entries, other)
		}
	}
	return base, head
}

func (r record) freshFor(p Pair, targets map[string]Target) bool {
	if r.Target == nil || r.ByHand || r.RequestKey != p.HeadKey || r.BaseKey != p.BaseKey {
		return false
	}
	now, known := targets[r.Target.Name]
	return !known || r.Target.Equals(now)
}

// File is where the answers stand; "" for none.
func (a Answers) File() string {
	if len(a.entries) == 0 {
		return ""
	}
	return a.of.files[a.entries[0].file]
}

func (c *Client) freshAnswer(q model.Request) model.Response {
	var all Answers
	if c.binding.Fresh != nil {
		all = c.binding.Fresh(q.SuiteID, q.CaseID)
	}
	if q.Fresh > all.Len() {
		return failed(model.ReasonUnrecorded, fmt.Sprintf("no recording: %s holds no fresh answer %d for case %s", Path(c.path, q.SuiteID), q.Fresh, q.CaseID))
	}
	out := all.record(q.Fresh - 1).response()
	out.Drawn = true
	return out
}
