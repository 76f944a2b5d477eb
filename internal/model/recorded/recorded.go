// Package recorded answers from recordings: JSON lines in the tree, one answer a line.
// A recording that is missing, or that was made for another request or by another target, is a failure of its case, never a
// silent pass. It reads and writes lines; which of them hold is settled by the Binding that its caller gives.
package recorded

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/scratch"
)

// Client answers from the recordings of one target in one tree. Of a line it keeps the place in the tree's scratch store.
type Client struct {
	path     string // of the target, with {suite}
	lines    *scratch.Store
	entries  []entry
	suites   map[string]map[string]caseEntries // by suite and case
	unsorted map[caseKey]map[entryName]bool    // while lines are read: cases whose lines are not sorted, with the names of all where they are many
	files    []string
	targets  []*Target        // of which the first is nil
	named    map[string]int32 // while lines are read: their places, by what they are
	absent   map[string]bool  // files that are not there
	binding  Binding
}

type caseKey struct{ suite, id string }

// entry is one line.
type entry struct {
	entryName
	at         scratch.Ref
	target     int32 // whom the answer was recorded from, in Client.targets; 0: it does not say
	next       int32 // the case's entry with the next greater name; -1: none
	file, line int32
}

// entryName tells the answers to one case apart.
type entryName struct {
	fresh freshSide
	trial int32
}

func (n entryName) compare(other entryName) int {
	return cmp.Or(cmp.Compare(n.fresh, other.fresh), cmp.Compare(n.trial, other.trial))
}

// freshSide is the side that an answer of a flip was asked for again; 0 for an answer to a trial.
type freshSide uint8

var freshSides = [...]string{"", FreshBase, FreshHead}

// caseEntries are the entries of a case, from the first to the last: by name, once all are read.
type caseEntries struct{ first, last, count int32 }

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

	Verdicts []verdict `json:"verdicts,omitempty"`

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
	c := &Client{path: path, targets: []*Target{nil}, named: map[string]int32{}, lines: scratch.Of(fsys), suites: map[string]map[string]caseEntries{}, unsorted: map[caseKey]map[entryName]bool{},
		absent: map[string]bool{}}
	var faults []document.Diagnostic
	for _, name := range files(path, suites) {
		faults = append(faults, c.read(fsys, name)...)
	}
	c.sort()
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
func (c *Client) add(text []byte, line int) string {
	r, why := parse(text)
	if why != "" {
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
	side := slices.Index(freshSides[:], r.Fresh)
	if side < 0 {
		return fmt.Sprintf("fresh is %s; expected %s or %s", document.Quote(r.Fresh), FreshBase, FreshHead)
	}
	trial := 1
	if r.Trial != nil {
		trial = *r.Trial
	}
	switch {
	case trial < 0:
		return fmt.Sprintf("trial is %d; trials are counted from 1", trial)
	case trial > math.MaxInt32:
		return fmt.Sprintf("trial is %d; at most %d are counted", trial, math.MaxInt32)
	}
	e := entry{entryName: entryName{freshSide(side), int32(trial)}, target: c.target(r.Target), file: int32(len(c.files) - 1), line: int32(line)}
	if !c.insert(caseKey{r.SuiteID, r.CaseID}, e, text) {
		return fmt.Sprintf("case %s of suite %s, trial %d, is recorded twice; keep one of them", r.CaseID, r.SuiteID, trial)
	}
	return ""
}

// target returns the place of a target.
func (c *Client) target(t *Target) int32 {
	if t == nil {
		return 0
	}
	name, _ := json.Marshal(t) // it was made of JSON
	at, known := c.named[string(name)]
	if !known {
		at = int32(len(c.targets))
		c.targets, c.named[string(name)] = append(c.targets, t), at
	}
	return at
}

// insert appends an entry to those of its case, where there is none of its name.
func (c *Client) insert(k caseKey, e entry, text []byte) bool {
	of := c.suites[k.suite]
	if of == nil {
		of = map[string]caseEntries{}
		c.suites[strings.Clone(k.suite)] = of
	}
	at := int32(len(c.entries))
	e.next = -1
	all, known := of[k.id]
	switch {
	case !known:
		k.id = strings.Clone(k.id) // of its line
		all.first = at
	case c.has(k, all, e.entryName):
		return false
	default:
		c.entries[all.last].next = at
	}
	all.last = at
	all.count++
	e.at = c.lines.Keep(text)
	c.entries, of[k.id] = append(c.entries, e), all
	return true
}

// fewEntries is how many entries of a case are looked through for one.
const fewEntries = 64

// has reports whether a case has an entry of that name. While each is greater than those before, the last tells.
func (c *Client) has(k caseKey, all caseEntries, name entryName) bool {
	names, unsorted := c.unsorted[k]
	if !unsorted {
		if c.entries[all.last].compare(name) < 0 {
			return false
		}
		k = caseKey{strings.Clone(k.suite), strings.Clone(k.id)}
		c.unsorted[k] = nil
	}
	if all.count < fewEntries {
		for i := all.first; i >= 0; i = c.entries[i].next {
			if c.entries[i].entryName == name {
				return true
			}
		}
		return false
	}
	if names == nil {
		names = map[entryName]bool{}
		for i := all.first; i >= 0; i = c.entries[i].next {
			names[c.entries[i].entryName] = true
		}
		c.unsorted[k] = names
	}
	twice := names[name]
	names[name] = true
	return twice
}

// sort brings the entries of the cases whose lines came in another order into that of their names.
func (c *Client) sort() {
	for k := range c.unsorted {
		var all []int32
		of := c.suites[k.suite][k.id]
		for i := of.first; i >= 0; i = c.entries[i].next {
			all = append(all, i)
		}
		slices.SortFunc(all, func(a, b int32) int { return c.entries[a].compare(c.entries[b].entryName) })
		for i, at := range all[1:] {
			c.entries[all[i]].next = at
		}
		of.first, of.last = all[0], all[len(all)-1]
		c.entries[of.last].next = -1
		c.suites[k.suite][k.id] = of
	}
	c.unsorted, c.named = nil, nil
}

// of yields the entries of a case, in the order of their names.
func (c *Client) of(suite, id string) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		all, known := c.suites[suite][id]
		if !known {
			return
		}
		for i := all.first; i >= 0; i = c.entries[i].next {
			if !yield(&c.entries[i]) {
				return
			}
		}
	}
}

// trials yields the recorded trials of a case, ascending; counting begins at 1, or at 0 if there is a 0.
func (c *Client) trials(suite, id string) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for e := range c.of(suite, id) {
			if e.fresh != 0 || !yield(e) {
				return
			}
		}
	}
}

// Same reports whether the recorded answers to a case of one client are those to a case of the other, as their fingerprints have it.
func (c *Client) Same(suite, id string, other *Client, otherSuite, otherID string) bool {
	if c != nil && other != nil && c.literally(suite, id, other, otherSuite, otherID) {
		return true
	}
	return c.Fingerprint(suite, id) == other.Fingerprint(otherSuite, otherID)
}

// literally reports whether the lines of two cases are equal, letter by letter.
func (c *Client) literally(suite, id string, other *Client, otherSuite, otherID string) bool {
	ours, theirs := c.Answers(suite, id), other.Answers(otherSuite, otherID)
	return slices.EqualFunc(ours.entries, theirs.entries, func(a, b *entry) bool {
		return a.trial == b.trial && bytes.Equal(c.lines.Get(a.at, nil), other.lines.Get(b.at, nil))
	})
}

// record reads an entry back.
func (c *Client) record(e *entry) record {
	r, why := parse(c.lines.Get(e.at, nil))
	if why != "" {
		panic("recorded: a line that was kept: " + why) // it was read before
	}
	r.file, r.line = c.files[e.file], int(e.line)
	return r
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
	if c.fromZero(suite, id) {
		trial--
	}
	for e := range c.trials(suite, id) {
		if int(e.trial) == trial {
			return c.record(e), true
		}
	}
	return record{}, false
}

// fromZero reports a case whose recordings count their trials from 0.
func (c *Client) fromZero(suite, id string) bool {
	for e := range c.trials(suite, id) {
		return e.trial == 0
	}
	return false
}

// Fingerprint identifies the recorded answers of a case, so that a changed answer is seen; "" if there are none. What an answer is
// bound by is no part of it.
func (c *Client) Fingerprint(suite, id string) string {
	if c == nil {
		return ""
	}
	var sum hash.Hash
	var enc *json.Encoder
	fromZero := c.fromZero(suite, id)
	for e := range c.trials(suite, id) {
		if sum == nil {
			sum = sha256.New()
			enc = json.NewEncoder(sum)
		}
		rec, trial := c.record(e), int(e.trial)
		// Where the answer stands and how long it took change nothing that is judged; which trial it is does.
		rec.SuiteID, rec.CaseID, rec.LatencyMS, rec.CostUSD, rec.Tokens = "", "", 0, nil, nil
		rec.RequestKey, rec.Target, rec.ByHand = "", nil, false
		if rec.Trial = &trial; fromZero {
			trial++
		}
		if err := enc.Encode(rec); err != nil {
			panic("recorded: fingerprint: " + err.Error()) // decoded from JSON, so it encodes
		}
	}
	if sum == nil {
		return ""
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
	out.Verdicts = r.verdicts()
	return out
}

func failed(reason, why string) model.Response {
	return model.Response{Failure: &model.Failure{Message: model.Untrusted(why), Reason: reason}}
}
