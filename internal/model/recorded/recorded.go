// Package recorded answers from recordings: JSON lines in the tree, one answer a line.
// A recording that is missing, or that was made for another request or by another target, is a failure of its case, never a
// silent pass. It reads and writes lines; which of them hold is settled by the Binding that its caller gives.
package recorded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// Client answers from the recordings of one target in one tree.
type Client struct {
	path    string // of the target, with {suite}
	records map[key]record
	trials  map[caseKey][]int // the trials recorded for a case, ascending; counting begins at 1, or at 0 if there is a 0
	fresh   map[caseKey]int   // the last round that was asked again for a case
	absent  map[string]bool   // files that are not there
	binding Binding
}

type caseKey struct{ suite, id string }

type key struct {
	caseKey
	fresh string // "", or the side that an answer of a flip was asked for again
	trial int
}

// record is one line. Fields that failproof does not know are ignored, so that results.jsonl can serve as a recording.
type record struct {
	SuiteID      string   `json:"suite_id"`
	CaseID       string   `json:"case_id"`
	Trial        *int     `json:"trial"`
	RequestKey   string   `json:"request_key"`
	Target       *Target  `json:"target"`
	ByHand       bool     `json:"by_hand"`
	Fresh        string   `json:"fresh"`
	BaseKey      string   `json:"base_key"`
	RawResponse  *string  `json:"raw_response"`
	Error        *string  `json:"error"`
	LimitSeconds float64  `json:"limit_seconds"`
	Refusal      string   `json:"refusal"`
	FinishReason string   `json:"finish_reason"`
	StopReason   string   `json:"stop_reason"`
	ModelID      string   `json:"model_id"`
	LatencyMS    float64  `json:"latency_ms"`
	Tokens       *tokens  `json:"tokens"`
	CostUSD      *float64 `json:"cost_usd"`

	file string // where it stands
	line int
}

type tokens struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Load reads the recordings of suites from fsys. path may hold {suite}, which stands for the suite id with its slashes.
// A file that is missing is no fault here: its cases fail when they are asked for. Lines that cannot be used are.
func Load(fsys fs.FS, path string, suites []string) (*Client, []document.Diagnostic) {
	c := &Client{path: path, records: map[key]record{}, trials: map[caseKey][]int{}, fresh: map[caseKey]int{}, absent: map[string]bool{}}
	var faults []document.Diagnostic
	for _, name := range files(path, suites) {
		faults = append(faults, c.read(fsys, name)...)
	}
	return c, faults
}

func files(path string, suites []string) []string {
	if !strings.Contains(path, "{suite}") {
		return []string{path}
	}
	names := make([]string, 0, len(suites))
	for _, id := range suites {
		names = append(names, Path(path, id))
	}
	slices.Sort(names)
	return names
}

// add keeps one line and returns what is wrong with it, or "".
func (c *Client) add(text []byte, file string, line int) string {
	r := record{file: file, line: line}
	if err := json.Unmarshal(text, &r); err != nil {
		return "not a recording: " + plainJSONError(err) +
			"; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	if why := ambiguous(text); why != "" {
		return why
	}
	if r.SuiteID == "" || r.CaseID == "" {
		return "suite_id and case_id are required"
	}
	if r.RawResponse == nil && (r.Error == nil || *r.Error == "") {
		return "neither raw_response nor error is given; a recording holds one of them"
	}
	if t := r.Target; t != nil && (t.Name == "" || t.Provider == "") {
		return "target lacks its name or provider; leave it out of an answer that no target gave"
	}
	if r.Fresh != "" && r.Fresh != FreshBase && r.Fresh != FreshHead {
		return fmt.Sprintf("fresh is %s; expected %s or %s", document.Quote(r.Fresh), FreshBase, FreshHead)
	}
	trial := 1
	if r.Trial != nil {
		trial = *r.Trial
	}
	if trial < 0 {
		return fmt.Sprintf("trial is %d; trials are counted from 1", trial)
	}
	k := key{caseKey{r.SuiteID, r.CaseID}, r.Fresh, trial}
	if _, twice := c.records[k]; twice {
		return fmt.Sprintf("case %s of suite %s, trial %d, is recorded twice; keep one of them", r.CaseID, r.SuiteID, trial)
	}
	c.records[k] = r
	if r.Fresh != "" {
		c.fresh[k.caseKey] = max(c.fresh[k.caseKey], trial)
		return ""
	}
	at, _ := slices.BinarySearch(c.trials[k.caseKey], trial)
	c.trials[k.caseKey] = slices.Insert(c.trials[k.caseKey], at, trial)
	return ""
}

func plainJSONError(err error) string {
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return fmt.Sprintf("%s is a %s, which does not fit", wrongType.Field, wrongType.Value)
	}
	return err.Error()
}

// Answer returns the recording of r's case and trial, or the failure that there is none that holds.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, err
	}
	if r.Fresh > 0 {
		return c.freshAnswer(r), nil
	}
	rec, ok := c.lookup(r.SuiteID, r.CaseID, r.Trial)
	if !ok {
		return failed(model.ReasonUnrecorded, c.missing(r)), nil
	}
	was := c.before(r)
	why := c.stale(rec, r, was)
	if why != "" && !c.binding.Warn {
		return failed(model.ReasonStale, why), nil
	}
	out := rec.response()
	out.Stale, out.Drawn, out.Kept = why != "", rec.drawn(was), c.kept(rec, was)
	return out, nil
}

// missing says that there is no answer, beginning with what makes one.
func (c *Client) missing(r model.Request) string {
	mend := ""
	if c.binding.Mend != nil {
		mend = c.binding.Mend(r.SuiteID, Missing) + ": "
	}
	name := Path(c.path, r.SuiteID)
	if c.absent[name] {
		return fmt.Sprintf("%sno recording, there is no %s", mend, name)
	}
	return fmt.Sprintf("%sno recording, %s holds no answer for case %s, trial %d", mend, name, r.CaseID, r.Trial)
}

// lookup counts trials from 1, or from 0 for a case whose recordings begin there.
func (c *Client) lookup(suite, id string, trial int) (record, bool) {
	ck := caseKey{suite, id}
	if c.fromZero(ck) {
		trial--
	}
	rec, ok := c.records[key{caseKey: ck, trial: trial}]
	return rec, ok
}

// fromZero reports a case whose recordings count their trials from 0.
func (c *Client) fromZero(ck caseKey) bool { return len(c.trials[ck]) > 0 && c.trials[ck][0] == 0 }

// Fingerprint identifies the recorded answers of a case, so that a changed answer is seen; "" if there are none. What an answer is
// bound by is no part of it.
func (c *Client) Fingerprint(suite, id string) string {
	if c == nil {
		return ""
	}
	ck := caseKey{suite, id}
	if len(c.trials[ck]) == 0 {
		return ""
	}
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for _, trial := range c.trials[ck] {
		rec := c.records[key{caseKey: ck, trial: trial}]
		// Where the answer stands and how long it took change nothing that is judged; which trial it is does.
		rec.SuiteID, rec.CaseID, rec.LatencyMS, rec.CostUSD, rec.Tokens = "", "", 0, nil, nil
		rec.RequestKey, rec.Target, rec.ByHand = "", nil, false
		if rec.Trial = &trial; c.fromZero(ck) {
			trial++
		}
		if err := enc.Encode(rec); err != nil {
			panic("recorded: fingerprint: " + err.Error()) // decoded from JSON, so it encodes
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (r record) response() model.Response {
	out := model.Response{Model: r.ModelID, Refusal: model.Untrusted(r.Refusal), Finish: r.FinishReason,
		Latency: time.Duration(r.LatencyMS * float64(time.Millisecond))}
	if out.Finish == "" {
		out.Finish = r.StopReason
	}
	if r.Tokens != nil {
		out.Usage.TokensIn, out.Usage.TokensOut = r.Tokens.In, r.Tokens.Out
	}
	if r.CostUSD != nil {
		out.Usage.Cost = model.USD(*r.CostUSD)
	}
	if r.Error != nil && *r.Error != "" {
		out.Failure = &model.Failure{Message: model.Untrusted(*r.Error), LimitSeconds: r.LimitSeconds}
		return out
	}
	out.Text = model.Untrusted(*r.RawResponse)
	return out
}

func failed(reason, why string) model.Response {
	return model.Response{Failure: &model.Failure{Message: model.Untrusted(why), Reason: reason}}
}
