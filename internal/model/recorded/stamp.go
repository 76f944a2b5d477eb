package recorded

import (
	"bytes"
	"encoding/json"
	"slices"
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
	var out []byte
	number := 0
	for l := range bytes.Lines(text) {
		number++
		if key, ok := keys[number]; ok {
			l = stamped(l, key)
		}
		out = append(out, l...)
	}
	return out
}

// stamped sets request_key and by_hand in an object, which Load has read, and takes its target away.
func stamped(line []byte, key string) []byte {
	start, end := bytes.IndexByte(line, '{'), bytes.LastIndexByte(line, '}')+1
	comma, colon := separators(line)
	stamp := []string{`"request_key"` + colon + `"` + key + `"`, `"by_hand"` + colon + "true"}
	var fields []string
	dec := json.NewDecoder(bytes.NewReader(line[start:end]))
	_, _ = dec.Token() // the brace
	for dec.More() {
		name, value := member(dec)
		switch strings.ToLower(name) { // as Load reads names
		case "request_key", "by_hand", "target":
			continue
		case "raw_response", "error":
			fields, stamp = append(fields, stamp...), nil
		}
		fields = append(fields, quoted(name)+colon+string(value))
	}
	text := "{" + strings.Join(append(fields, stamp...), comma) + "}"
	return slices.Concat(line[:start], []byte(text), line[end:])
}

// separators are those between and in the members of a line: with a space as people and Python write them, or without.
func separators(line []byte) (comma, colon string) {
	if bytes.Contains(line, []byte(`": `)) {
		return ", ", ": "
	}
	return ",", ":"
}

// member returns the next member of an object, its value as it is written.
func member(dec *json.Decoder) (name string, value json.RawMessage) {
	token, _ := dec.Token() // Load has read the line, so there are no faults
	name, _ = token.(string)
	_ = dec.Decode(&value)
	return name, value
}

func quoted(name string) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(name) // a string always marshals
	return strings.TrimRight(text.String(), "\n")
}
