// Package recorded answers from recordings: JSON lines in the tree, one answer a line.
// A recording that is missing, or that was made for another request or by another target, is a failure of its case, never a
// silent pass. It reads and writes lines; which of them hold is settled by the Binding that its caller gives.
package recorded

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/lookup"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/scratch"
	"github.com/failproof/failproof/internal/suiteid"
)

// Client answers from the recordings of one target in one tree. Of a line it keeps the place in the tree's scratch store.
type Client struct {
	path    string // of the target, with {suite}
	lines   *scratch.Store
	suites  map[string]*answered
	files   []string
	targets []*Target        // of which the first is nil
	named   map[string]int32 // while lines are read: their places, by what they are
	absent  map[string]bool  // files that are not there
	binding Binding
	spares  spares
}

// answered are the lines of one suite.
type answered struct {
	entries []entry      // in the order of compare
	texts   string       // of the ids
	reading []byte       // of them while lines are read
	ids     lookup.Table // of the cases: the places of their first entries
}

// entry is one line. A run has one for each answer that is recorded.
type entry struct {
	at         scratch.Ref
	id         uint32 // where that of the case begins in answered.texts: its length in lengthBytes, and then it
	target     int32  // whom the answer was recorded from, in Client.targets; 0: it does not say
	file, line int32
	entryName
}

// lengthBytes hold the length of an id, which is shorter than a line.
const lengthBytes = 3

// addID keeps an id, once where the line before has it as well, and returns its place; false where the suite's take more than 4 GiB.
func (a *answered) addID(id string) (place uint32, ok bool) {
	if n := len(a.entries); n > 0 {
		if last := a.entries[n-1].id; string(a.reading[last+lengthBytes:]) == id {
			return last, true
		}
	}
	place = uint32(len(a.reading))
	if int64(len(a.reading)+lengthBytes+len(id)) > math.MaxUint32 {
		return 0, false
	}
	a.reading = append(a.reading, byte(len(id)), byte(len(id)>>8), byte(len(id)>>16))
	a.reading = append(a.reading, id...)
	return place, true
}

// idOf is the id of an entry's case.
func (a *answered) idOf(e *entry) string {
	begin := int(e.id) + lengthBytes
	n := a.texts[e.id:begin]
	return a.texts[begin : begin+int(n[0])|int(n[1])<<8|int(n[2])<<16]
}

// entryName tells the answers to one case apart.
type entryName struct {
	trial int32
	fresh freshSide
}

// freshSide is the side that an answer of a flip was asked for again; 0 for an answer to a trial.
type freshSide uint8

var freshSides = [...]string{"", FreshBase, FreshHead}

// compare orders entries by case and name, and those of one name as they were read.
func (a *answered) compare(e, o *entry) int {
	return cmp.Or(cmp.Compare(a.idOf(e), a.idOf(o)), cmp.Compare(e.fresh, o.fresh), cmp.Compare(e.trial, o.trial), cmp.Compare(e.file, o.file), cmp.Compare(e.line, o.line))
}

// record is one line. Fields that failproof does not know are ignored, so that results.jsonl can serve as a recording.
type record struct {
	SuiteID      string           `json:"suite_id"`
	CaseID       string           `json:"case_id"`
	Trial        *int             `json:"trial"`
	RequestKey   string           `json:"request_key"`
	Target       *Target          `json:"target"`
	ByHand       bool             `json:"by_hand"`
	Fresh        string           `json:"fresh"`
	BaseKey      string           `json:"base_key"`
	RawResponse  *string          `json:"raw_response"`
	ToolCalls    []model.ToolCall `json:"tool_calls,omitempty"`
	Error        *string          `json:"error"`
	LimitSeconds float64          `json:"limit_seconds"`
	Refusal      string           `json:"refusal"`
	FinishReason string           `json:"finish_reason"`
	StopReason   string           `json:"stop_reason"`
	ModelID      string           `json:"model_id"`
	LatencyMS    float64          `json:"latency_ms"`
	Tokens       *tokens          `json:"tokens"`
	CostUSD      *float64         `json:"cost_usd"`

	Verdicts []verdict `json:"verdicts,omitempty"`

	file string // where it stands
	line int
}

type tokens struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Load reads the recordings of suites from fsys. path may hold {suite}, which stands for the suite id with its slashes, as its author wrote
// it: whose answers they are, of the several targets of a suite, is told by the path alone.
// A file that is missing is no fault here: its cases fail when they are asked for. Lines that cannot be used are.
func Load(fsys fs.FS, path string, suites []string) (*Client, []document.Diagnostic) {
	c := &Client{path: path, targets: []*Target{nil}, named: map[string]int32{}, lines: scratch.Of(fsys), suites: map[string]*answered{}, absent: map[string]bool{}}
	var faults []document.Diagnostic
	for _, name := range files(path, suites) {
		faults = append(faults, c.read(fsys, name)...)
	}
	faults = append(faults, c.sort()...)
	document.Sort(faults)
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
	r, why := parse(text, line)
	if why != "" {
		return why
	}
	if r.SuiteID == "" || r.CaseID == "" {
		return "suite_id and case_id are required"
	}
	if r.RawResponse == nil && len(r.ToolCalls) == 0 && (r.Error == nil || *r.Error == "") {
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
	suite := c.suites[r.SuiteID]
	if suite == nil {
		suite = &answered{}
		c.suites[strings.Clone(r.SuiteID)] = suite // of its line
	}
	id, ok := suite.addID(r.CaseID)
	if !ok {
		return "the ids of the suite's cases take more than 4 GiB"
	}
	suite.entries = append(suite.entries, entry{id: id, at: c.lines.Keep(text), target: c.target(r.Target),
		file: int32(len(c.files) - 1), line: int32(line), entryName: entryName{int32(trial), freshSide(side)}})
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

// sort brings the entries into their order, and returns those that were read twice.
func (c *Client) sort() (faults []document.Diagnostic) {
	c.named = nil
	for name, suite := range c.suites {
		suite.texts, suite.reading = string(suite.reading), nil
		slices.SortFunc(suite.entries, func(a, b entry) int { return suite.compare(&a, &b) })
		kept := suite.entries[:0]
		for _, e := range suite.entries {
			n := len(kept)
			switch {
			case n == 0 || suite.idOf(&kept[n-1]) != suite.idOf(&e):
				suite.ids.Add(suite.idOf(&e), n, suite.id)
			case kept[n-1].entryName == e.entryName:
				faults = append(faults, fault(c.files[e.file], int(e.line), "recording",
					fmt.Sprintf("case %s of suite %s, trial %d, is recorded twice; keep one of them", suite.idOf(&e), name, e.trial)))
				continue
			}
			kept = append(kept, e)
		}
		suite.entries = slices.Clone(kept) // without the room that they grew by
	}
	return faults
}

func (a *answered) id(i int) string { return a.idOf(&a.entries[i]) }

// of returns the entries of a case, in the order of their names.
func (c *Client) of(suite, id string) []entry {
	all := c.suites[suiteid.Written(suite)]
	if all == nil {
		return nil
	}
	first, found := all.ids.Find(id, all.id)
	if !found {
		return nil
	}
	last := first + 1
	for last < len(all.entries) && all.id(last) == id {
		last++
	}
	return all.entries[first:last]
}

// trials returns the recorded trials of a case, ascending; counting begins at 1, or at 0 if there is a 0.
func (c *Client) trials(suite, id string) []entry {
	all := c.of(suite, id)
	for i := range all {
		if all[i].fresh != 0 {
			return all[:i]
		}
	}
	return all
}

// record reads an entry back.
func (c *Client) record(e entry) record {
	r, why := parse(c.lines.Get(e.at, nil), int(e.line))
	if why != "" {
		panic("recorded: a line that was kept: " + why) // it was read before
	}
	r.file, r.line = c.files[e.file], int(e.line)
	return r
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

// lookup counts trials from 1, or from 0 for a case whose recordings begin there.
func (c *Client) lookup(suite, id string, trial int) (record, bool) {
	all := c.trials(suite, id)
	if fromZero(all) {
		trial--
	}
	for _, e := range all {
		if int(e.trial) == trial {
			return c.record(e), true
		}
	}
	return record{}, false
}

// fromZero reports recordings that count their trials from 0.
func fromZero(trials []entry) bool {
	return len(trials) > 0 && trials[0].trial == 0
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
	if out.ToolCalls = r.ToolCalls; r.RawResponse != nil {
		out.Text = model.Untrusted(*r.RawResponse)
	}
	out.Verdicts = r.verdicts()
	return out
}

func failed(reason, why string) model.Response {
	return model.Response{Failure: &model.Failure{Message: model.Untrusted(why), Reason: reason}}
}
