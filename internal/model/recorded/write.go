package recorded

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// LineFields holds the fields of a recorded line that do not come from the answer.
type LineFields struct {
	// the key of the recorded target's request; for a rerun, the key of the head's request
	Key       string
	Target    Target
	RerunSide string // of a rerun: RerunOnBase or RerunOnHead; else ""
	BaseKey   string // of a rerun: key of the base's request
	Samples   int    // how often this request was sampled for the answer; written if above 1
}

// Line returns a target's answer to q as one line of a recording, with its line end.
func Line(q model.Request, b LineFields, r model.Response) []byte {
	out := record{
		SuiteID: suiteid.AuthorID(q.SuiteID), CaseID: q.CaseID, Trial: q.Trial, RequestKey: b.Key, Target: &b.Target,
		RerunSide: b.RerunSide, BaseKey: b.BaseKey,
		RawResponse: new(string(r.Text)), ToolCalls: r.ToolCalls, Refusal: string(r.Refusal),
		FinishReason: r.Finish, ModelID: r.Model,
		LatencyMS: float64(r.Latency.Round(time.Millisecond)) / float64(time.Millisecond),
	}
	if b.Samples > 1 {
		out.Samples = &b.Samples
	}
	if r.Usage.TokensIn > 0 || r.Usage.TokensOut > 0 {
		out.Tokens = &model.Tokens{In: r.Usage.TokensIn, Out: r.Usage.TokensOut}
	}
	out.CostUSD, out.Verdicts = r.Usage.Cost.Dollars(), r.Verdicts
	return []byte(jsonText(out) + "\n")
}

// Path returns the path of a suite's recording file. path is the path of a target, with {suite} in place of the suite's
// id.
func Path(path, suiteID string) string {
	return strings.ReplaceAll(path, "{suite}", suiteid.AuthorID(suiteID))
}

// IsRecording reports whether the first line of a text is an answer to a case, or of a merge conflict, which reading
// the text reports. It returns true for a text without lines.
func IsRecording(text []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff"))), []byte("\n"))
	var line struct {
		Case   json.RawMessage `json:"case_id"`
		Prompt json.RawMessage `json:"prompt"` // a row of a suite has this key
	}
	return len(first) == 0 || bytes.HasPrefix(first, []byte("<<<<<<<")) ||
		json.Unmarshal(first, &line) == nil && line.Case != nil && line.Prompt == nil
}

// Replace replaces lines of a recording. suites maps the id of a suite, as its author wrote it, to the suite's new
// lines. These replace the suite's old lines at the place of the first one, or are appended if there are none. All
// other lines stay, even invalid ones. A blank line separates cases, because git merges two changes only if an
// unchanged line is between them.
func Replace(text []byte, suites map[string][]byte) (out []byte) {
	var last suiteid.Name
	appendLines := func(lines []byte) {
		for l := range bytes.Lines(lines) {
			if len(bytes.TrimSpace(l)) == 0 {
				continue
			}
			name, _ := nameOf(l)
			if len(out) > 0 && name != last {
				out = append(out, '\n')
			}
			out, last = appendLine(out, l), name
		}
	}
	pending := maps.Clone(suites)
	for l := range bytes.Lines(text) {
		name, _ := nameOf(l)
		if _, isReplaced := suites[name.Suite]; isReplaced {
			appendLines(pending[name.Suite])
			delete(pending, name.Suite)
		} else {
			appendLines(l)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(pending)) {
		appendLines(pending[id])
	}
	return out
}

// Lines returns a suite's lines in a recording, as written, by case: first answers and reruns.
func Lines(text []byte, suiteID string) (first, reruns map[string][]byte) {
	first, reruns = map[string][]byte{}, map[string][]byte{}
	for l := range bytes.Lines(text) {
		name, isRerun := nameOf(l)
		if name.Suite != suiteid.AuthorID(suiteID) {
			continue
		}
		byCase := first
		if isRerun {
			byCase = reruns
		}
		byCase[name.Case] = appendLine(byCase[name.Case], l)
	}
	return first, reruns
}

func appendLine(dst, line []byte) []byte {
	return append(append(dst, bytes.TrimRight(line, "\r\n")...), '\n')
}

// member is a key of a line with its value as written.
type member struct{ name, value string }

// rewrite changes lines of a recording, and keeps all other bytes. values has a value for the number of each line to
// change, counted from 1. change returns the new members of a line, given the old ones and the line's value. Load must
// have read the text without errors.
func rewrite[V any](text []byte, values map[int]V, change func([]member, V) []member) []byte {
	var out []byte
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if v, ok := values[number]; ok {
			start, end := bytes.IndexByte(line, '{'), bytes.LastIndexByte(line, '}')+1
			comma, colon := ",", ":"
			if bytes.Contains(line, []byte(`": `)) { // the style of people and Python
				comma, colon = ", ", ": "
			}
			var object []string
			for _, m := range change(members(line[start:end]), v) {
				object = append(object, jsonText(m.name)+colon+m.value)
			}
			line = slices.Concat(line[:start], []byte("{"+strings.Join(object, comma)+"}"), line[end:])
		}
		out = append(out, line...)
	}
	return out
}

func members(object []byte) (out []member) {
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token() // opening brace
	for dec.More() {
		token, _ := dec.Token()
		name, _ := token.(string)
		var value json.RawMessage
		_ = dec.Decode(&value)
		out = append(out, member{name, string(value)})
	}
	return out
}

// jsonText returns a value as JSON without escapes for HTML.
func jsonText(value any) string { return string(text.MustJSON(value)) }

// UnstampedAnswer is an answer in whose line nothing shows that it answers the current request.
type UnstampedAnswer struct {
	Place
	CaseID    string
	Key       string       // key of the current request
	Of        suiteid.Name // the other case whose current request was answered; zero: none
	Target    string       // the live target that gave the answer; "": a person, or a target that is gone
	Unchanged bool         // the request changed, and the answer did not change or the base's answer is unknown
	OnBase    bool         // the base has this answer with the current request's key
}

// UnstampedAnswers returns the recorded answers to a case in whose lines nothing shows that they answer q. Such a line
// lacks the key of q, has a target with other settings, or names neither a target nor a person. A line without a key
// counts as made for the request of the base's answer with the same words. Otherwise, writing the file anew would make
// its answers look new.
func (c *Client) UnstampedAnswers(q model.Request) (out []UnstampedAnswer) {
	base := c.binding.baseCase(q)
	for _, e := range c.Answers(q.SuiteID, q.CaseID) {
		r, key := e.record(), q.Key()
		target, made := r.answeringTarget(base.Answers), cmp.Or(r.RequestKey, base.Answers.keyOf(r))
		changed := made != "" && made != key || made == "" && base.RequestChanged ||
			c.binding.hasChangedTarget(target, q)
		if r.RequestKey == key && (r.HandWritten || r.Target != nil) && !changed {
			continue
		}
		one := UnstampedAnswer{Place: r.Place, CaseID: q.CaseID, Key: key, OnBase: r.RequestKey == "" && made == key}
		if target != nil && c.binding.Targets[target.Name].Name != "" {
			one.Target = target.Name
		}
		if r.RequestKey != "" && r.RequestKey != key {
			one.Of = c.binding.owners().byKey[r.RequestKey]
		}
		one.Unchanged = changed && (c.binding.BaseCase == nil || base.Answers.contains(r) ||
			c.binding.OnBase != nil && c.binding.OnBase(r.RequestKey).contains(r))
		out = append(out, one)
	}
	return out
}

// nameOf returns the case of a line, with the id of its suite as the author wrote it. rerun reports whether the line is
// a rerun. n is zero if the line is no recording.
func nameOf(line []byte) (n suiteid.Name, rerun bool) {
	var r struct {
		suiteid.Name
		Fresh string `json:"fresh"`
	}
	_ = json.Unmarshal(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("\ufeff")), &r)
	return r.Name, r.Fresh != ""
}

// RenamedAnswer is an answer to a case that has another name now.
type RenamedAnswer struct {
	Place
	OldName, NewName suiteid.Name
}

// Rename changes case names in a recording. names has the new names by line number, counted from 1. All else stays.
func Rename(text []byte, names map[int]suiteid.Name) []byte {
	return rewrite(text, names, func(old []member, to suiteid.Name) []member {
		for i, m := range old {
			switch strings.ToLower(m.name) { // ignoring case, as Load does
			case "suite_id":
				old[i].value = jsonText(to.Suite)
			case "case_id":
				old[i].value = jsonText(to.Case)
			}
		}
		return old
	})
}

// Stamp marks lines of a recording as hand-written. keys maps the number of each such line, from 1, to the key of its
// request. Other lines stay as they are.
func Stamp(text []byte, keys map[int]string) []byte {
	return rewrite(text, keys, stampMembers)
}

// stampMembers returns the members of a line with request_key and by_hand set, and without the target. The two come
// before the answer if the line has one.
func stampMembers(old []member, key string) (out []member) {
	stamp := []member{{"request_key", jsonText(key)}, {"by_hand", "true"}}
	for _, m := range old {
		switch strings.ToLower(m.name) { // ignoring case, as Load does
		case "request_key", "by_hand", "target":
			continue
		case "raw_response", "error":
			out, stamp = append(out, stamp...), nil
		}
		out = append(out, m)
	}
	return append(out, stamp...)
}

// Place is the place of a recorded answer.
type Place struct {
	File string
	Line int    // from 1
	Text string // of the line, without white space around it
}

// Place returns the place of the recorded answer to a case and trial. It returns false if there is no such answer.
func (c *Client) Place(q model.Request) (Place, bool) {
	e, ok := findEntry(c, q.SuiteID, q.CaseID, q.Trial)
	return e.place(), ok
}

// SetVerdicts replaces the verdicts in the lines of a recording with the given numbers, from 1. All else stays.
func SetVerdicts(text []byte, verdicts map[int][]model.Verdict) []byte {
	return rewrite(text, verdicts, func(old []member, all []model.Verdict) []member {
		members := slices.DeleteFunc(old, func(m member) bool { return strings.EqualFold(m.name, "verdicts") })
		return append(members, member{"verdicts", jsonText(all)})
	})
}
