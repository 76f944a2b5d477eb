package recorded

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// verdict is what a judge said of the answer.
type verdict struct {
	Key       string `json:"key"`
	Criterion string `json:"criterion"`
	Met       bool   `json:"met"`
	Why       string `json:"why,omitempty"`
}

func (r record) verdicts() (out []model.Verdict) {
	for _, v := range r.Verdicts {
		out = append(out, model.Verdict{Key: v.Key, Criterion: v.Criterion, Met: v.Met, Why: model.Untrusted(v.Why)})
	}
	return out
}

// Place is where a recorded answer stands.
type Place struct {
	File string
	Line int // from 1
}

// Place is where the answer to a request's case and trial stands; false where none is recorded.
func (c *Client) Place(q model.Request) (Place, bool) {
	r, ok := c.lookup(q.SuiteID, q.CaseID, q.Trial)
	return Place{r.file, r.line}, ok
}

// Grade writes verdicts into the lines of a recording, counted from 1, in place of those that they had. All else stays as it is.
func Grade(text []byte, of map[int][]model.Verdict) []byte {
	return rewrite(text, of, func(old []member, all []model.Verdict) []member {
		kept := slices.DeleteFunc(old, func(m member) bool { return strings.EqualFold(m.name, "verdicts") })
		return append(kept, member{"verdicts", written(verdicts(all))})
	})
}
