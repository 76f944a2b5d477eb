// Package recorded answers from recordings: JSON lines in the tree, one answer a line.
// A recording that is missing, or whose request key no longer matches, is a failure of that case, never a silent pass.
package recorded

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// maxLine bounds one recorded answer, in bytes. The tree bounds the file.
const maxLine = 16 << 20

// Client answers from the recordings of one target in one tree.
type Client struct {
	path    string // of the target, with {suite}
	records map[key]record
	trials  map[caseKey][]int // the trials recorded for a case, ascending; counting begins at 1, or at 0 if there is a 0
}

type caseKey struct{ suite, id string }

type key struct {
	caseKey
	trial int
}

// record is one line. Fields that failproof does not know are ignored, so that results.jsonl can serve as a recording.
type record struct {
	SuiteID      string   `json:"suite_id"`
	CaseID       string   `json:"case_id"`
	Trial        *int     `json:"trial"`
	RequestKey   string   `json:"request_key"`
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
}

type tokens struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Load reads the recordings of suites from fsys. path may hold {suite}, which stands for the suite id with its slashes.
// A file that is missing is no fault here: its cases fail when they are asked for. Lines that cannot be used are.
func Load(fsys fs.FS, path string, suites []string) (*Client, []document.Diagnostic) {
	c := &Client{path: path, records: map[key]record{}, trials: map[caseKey][]int{}}
	var faults []document.Diagnostic
	for _, name := range files(path, suites) {
		faults = append(faults, c.read(fsys, name, strings.Contains(path, "{suite}"))...)
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
	sort.Strings(names)
	return names
}

func (c *Client) read(fsys fs.FS, name string, perSuite bool) []document.Diagnostic {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []document.Diagnostic{fault(name, 0, "unreadable", err.Error())}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	var faults []document.Diagnostic
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			continue
		}
		if why := c.add(line); why != "" {
			faults = append(faults, fault(name, number, "recording", why))
		}
	}
	if err := lines.Err(); err != nil {
		faults = append(faults, fault(name, number+1, "recording",
			fmt.Sprintf("unreadable: %v; an answer may be at most %d MiB", err, maxLine>>20)))
	}
	return faults
}

func fault(name string, line int, rule, message string) document.Diagnostic {
	d := document.Diagnostic{Severity: document.Error, Path: name, Line: line, Rule: rule, Message: message}
	if line > 0 {
		d.Column = 1
	}
	return d
}

// add keeps one line and returns what is wrong with it, or "".
func (c *Client) add(line []byte) string {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return "not a recording: " + plainJSONError(err) +
			"; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	if r.SuiteID == "" || r.CaseID == "" {
		return "suite_id and case_id are required"
	}
	if r.RawResponse == nil && (r.Error == nil || *r.Error == "") {
		return "neither raw_response nor error is given; a recording holds one of them"
	}
	trial := 1
	if r.Trial != nil {
		trial = *r.Trial
	}
	if trial < 0 {
		return fmt.Sprintf("trial is %d; trials are counted from 1", trial)
	}
	k := key{caseKey{r.SuiteID, r.CaseID}, trial}
	if _, twice := c.records[k]; twice {
		return fmt.Sprintf("case %s of suite %s, trial %d, is recorded twice; keep one of them", r.CaseID, r.SuiteID, trial)
	}
	c.records[k] = r
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

// Answer returns the recording of r's case and trial, or the failure that there is none that fits.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, err
	}
	rec, ok := c.lookup(r.SuiteID, r.CaseID, r.Trial)
	if !ok {
		return failed("missing_recording", fmt.Sprintf("no recording: %s holds no answer for case %s, trial %d",
			Path(c.path, r.SuiteID), r.CaseID, r.Trial)), nil
	}
	if want := r.Key(); rec.RequestKey != "" && rec.RequestKey != want {
		return failed("stale_recording", fmt.Sprintf("recording is stale: it was made for request key %s, the request is now %s; record the answer again",
			short(rec.RequestKey), want)), nil
	}
	return rec.response(), nil
}

// lookup counts trials from 1, or from 0 for a case whose recordings begin there.
func (c *Client) lookup(suite, id string, trial int) (record, bool) {
	ck := caseKey{suite, id}
	if c.fromZero(ck) {
		trial--
	}
	rec, ok := c.records[key{ck, trial}]
	return rec, ok
}

// Keyed reports whether every recorded answer of a case says which request it was made for.
func (c *Client) Keyed(suite, id string) bool {
	ck := caseKey{suite, id}
	for _, trial := range c.trials[ck] {
		if c.records[key{ck, trial}].RequestKey == "" {
			return false
		}
	}
	return len(c.trials[ck]) > 0
}

// fromZero reports a case whose recordings count their trials from 0.
func (c *Client) fromZero(ck caseKey) bool { return len(c.trials[ck]) > 0 && c.trials[ck][0] == 0 }

// Fingerprint identifies the recorded answers of a case, so that a changed answer is seen; "" if there are none.
func (c *Client) Fingerprint(suite, id string) string {
	ck := caseKey{suite, id}
	if len(c.trials[ck]) == 0 {
		return ""
	}
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for _, trial := range c.trials[ck] {
		rec := c.records[key{ck, trial}]
		// Where the answer stands and how long it took change nothing that is judged; which trial it is does.
		rec.SuiteID, rec.CaseID, rec.LatencyMS, rec.CostUSD, rec.Tokens = "", "", 0, nil, nil
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
		out.Usage.CostUSD = *r.CostUSD
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

func short(key string) string {
	if len(key) > 12 {
		return key[:12] + "…"
	}
	return key
}
