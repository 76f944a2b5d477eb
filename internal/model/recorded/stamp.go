package recorded

import (
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// Unstamped is an answer that does not say that it answers the request as it is now.
type Unstamped struct {
	SuiteID, CaseID string
	File            string
	Line            int
	Key             string // the request's
	Kept            bool   // what is asked changed and the answer did not, or nobody can tell whether it did
}

// Unstamped lists the recorded answers to a request that lack its key, were recorded from a target that is asked otherwise, or
// name neither a target nor a hand that wrote them.
func (c *Client) Unstamped(q model.Request) (out []Unstamped) {
	was := c.before(q)
	for _, e := range c.trials(q.SuiteID, q.CaseID) {
		r, now := c.record(e), q.Key()
		asked := r.RequestKey != "" && r.RequestKey != now || r.RequestKey == "" && was.Changed || c.retargeted(r.from(was.Answers))
		if r.RequestKey == now && (r.ByHand || r.Target != nil) && !asked {
			continue
		}
		out = append(out, Unstamped{SuiteID: q.SuiteID, CaseID: q.CaseID, File: r.file, Line: r.line, Key: now,
			Kept: asked && (c.binding.Before == nil || was.Answers.have(r))})
	}
	return out
}

// Name is what a line calls the case that it answers.
type Name struct{ SuiteID, CaseID string }

// Renamed is an answer to a case that is called otherwise by now.
type Renamed struct {
	File string
	Line int
	To   Name
}

// Renamed are the answers as those of a case of another name.
func (a Answers) Renamed(to Name) (out []Renamed) {
	for i := range a.entries {
		r := a.record(i)
		out = append(out, Renamed{r.file, r.line, to})
	}
	return out
}

// Rename writes into the lines of a recording, counted from 1, what the cases that they answer are called. All else stays as it is.
func Rename(text []byte, names map[int]Name) []byte {
	return rewrite(text, names, func(old []member, to Name) []member {
		for i, m := range old {
			switch strings.ToLower(m.name) { // as Load reads names
			case "suite_id":
				old[i].value = written(to.SuiteID)
			case "case_id":
				old[i].value = written(to.CaseID)
			}
		}
		return old
	})
}

// have reports whether one of the answers is r's.
func (a Answers) have(r record) bool {
	for i := range a.entries {
		if r.says(a.record(i)) {
			return true
		}
	}
	return false
}

// Stamp writes into the lines of a recording, counted from 1, that somebody wrote them for the request with that key. All else,
// other lines included, stays as it is.
func Stamp(text []byte, keys map[int]string) []byte {
	return rewrite(text, keys, stamped)
}

// stamped sets request_key and by_hand, before the answer where there is one, and takes the target away.
func stamped(old []member, key string) (out []member) {
	stamp := []member{{"request_key", written(key)}, {"by_hand", "true"}}
	for _, m := range old {
		switch strings.ToLower(m.name) { // as Load reads names
		case "request_key", "by_hand", "target":
			continue
		case "raw_response", "error":
			out, stamp = append(out, stamp...), nil
		}
		out = append(out, m)
	}
	return append(out, stamp...)
}
