package recorded

import (
	"bytes"
	"encoding/json"
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
	var out []byte
	number := 0
	for l := range bytes.Lines(text) {
		number++
		if all, ok := of[number]; ok {
			l = graded(l, all)
		}
		out = append(out, l...)
	}
	return out
}

// graded sets the verdicts in an object, which Load has read.
func graded(line []byte, all []model.Verdict) []byte {
	start, end := bytes.IndexByte(line, '{'), bytes.LastIndexByte(line, '}')+1
	comma, colon := separators(line)
	var fields []string
	dec := json.NewDecoder(bytes.NewReader(line[start:end]))
	_, _ = dec.Token() // the brace
	for dec.More() {
		if name, value := member(dec); !strings.EqualFold(name, "verdicts") {
			fields = append(fields, quoted(name)+colon+string(value))
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(verdicts(all)); err != nil {
		panic("recorded: verdicts: " + err.Error()) // strings and booleans always marshal
	}
	fields = append(fields, `"verdicts"`+colon+strings.TrimSuffix(text.String(), "\n"))
	return slices.Concat(line[:start], []byte("{"+strings.Join(fields, comma)+"}"), line[end:])
}
