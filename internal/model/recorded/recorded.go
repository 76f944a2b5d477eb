// Package recorded reads answers from recordings: JSON lines in the tree, one answer a line. A recording that is
// missing, or made for another request or by another target, is a failure of its case, and never a silent pass. The
// caller's Binding decides which lines apply.
package recorded

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/together"
)

// Client answers from the recordings of one target in one tree.
type Client struct {
	path         string // the target's, with {suite}
	suites       map[string]*suiteEntries
	files        []string
	targets      map[string]*Target // targets in lines, by their JSON, each stored once
	missingFiles map[string]bool    // by name: the file does not exist
	mu           sync.Mutex         // guards targets and missingFiles while files are read
	binding      Binding
	unusedIDs    sync.Map // by suite: recorded ids that no case has
}

// record is one line. Unknown fields are ignored, so results.jsonl can serve as a recording. Optional fields are not
// written if they are empty.
type record struct {
	SuiteID      string           `json:"suite_id"`
	CaseID       string           `json:"case_id"`
	Trial        *int             `json:"trial"`
	RequestKey   string           `json:"request_key"`
	Target       *Target          `json:"target,omitempty"`
	HandWritten  bool             `json:"by_hand,omitempty"`
	RerunSide    string           `json:"fresh,omitempty"`
	BaseKey      string           `json:"base_key,omitempty"`
	Samples      *int             `json:"draws,omitempty"`
	RawResponse  *string          `json:"raw_response"`
	ToolCalls    []model.ToolCall `json:"tool_calls,omitempty"`
	Error        *string          `json:"error,omitempty"`
	LimitSeconds float64          `json:"limit_seconds,omitempty"`
	Refusal      string           `json:"refusal,omitempty"`
	FinishReason string           `json:"finish_reason,omitempty"`
	StopReason   string           `json:"stop_reason,omitempty"`
	ModelID      string           `json:"model_id,omitempty"`
	LatencyMS    float64          `json:"latency_ms,omitempty"`
	Tokens       *model.Tokens    `json:"tokens,omitempty"`
	CostUSD      *float64         `json:"cost_usd,omitempty"`

	Verdicts []model.Verdict `json:"verdicts,omitempty"`

	Place `json:"-"`
}

// Load reads the recordings of suites from fsys. {suite} in path is replaced by the suite id as its author wrote it,
// slashes included. A missing file is no error here, but Answer then fails for its cases. Invalid lines are errors.
func Load(fsys fs.FS, path string, suites []string) (*Client, []document.Diagnostic) {
	c := &Client{path: path, files: Files(path, suites), suites: map[string]*suiteEntries{},
		targets: map[string]*Target{}, missingFiles: map[string]bool{}}
	readers := make([]fileReader, len(c.files))
	together.Each(len(readers), runtime.GOMAXPROCS(0), func(i int) {
		readers[i] = fileReader{client: c, file: int32(i), suites: map[string]*suiteEntries{}}
		readers[i].faults = readers[i].readFile(fsys, c.files[i])
	})
	var faults []document.Diagnostic
	for _, r := range readers {
		faults = append(faults, r.faults...)
		for id, entries := range r.suites {
			c.suites[id] = c.suites[id].merge(entries)
		}
	}
	faults = append(faults, sortLines(c)...)
	document.Sort(faults)
	return c, faults
}

// Files returns the files that may have recordings of the suites, sorted. path may contain {suite}.
func Files(path string, suites []string) []string {
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

// fileReader reads one file. Files are read concurrently.
type fileReader struct {
	client *Client
	file   int32                    // index in Client.files
	suites map[string]*suiteEntries // suites with answers in it
	faults []document.Diagnostic
}

// addLine adds one line and returns its error, or "".
func (f *fileReader) addLine(text string, number int) string {
	r, why := parse(text, number)
	if why != "" {
		return why
	}
	side, trial := slices.Index(rerunSides[:], r.RerunSide), *cmp.Or(r.Trial, new(1))
	if why := r.problem(side, trial); why != "" {
		return why
	}
	suite := f.suites[r.SuiteID]
	if suite == nil {
		suite = &suiteEntries{files: []int32{f.file}}
		f.suites[r.SuiteID] = suite
	}
	suite.entries = append(suite.entries, entry{id: r.CaseID, text: text, target: internTarget(f.client, r.Target),
		file: f.file, line: int32(number), resampled: r.samples() > 1, entryName: entryName{int32(trial), rerunSide(side)}})
	return ""
}

// problem returns why a line is invalid, or "". side is the index of the line's side in rerunSides, or negative if the
// side is unknown.
func (r record) problem(side, trial int) string {
	switch t := r.Target; {
	case r.SuiteID == "" || r.CaseID == "":
		return "suite_id and case_id are required"
	case r.RawResponse == nil && len(r.ToolCalls) == 0 && *cmp.Or(r.Error, new("")) == "":
		return "neither raw_response nor error is given; a recording needs one of them"
	case t != nil && (t.Name == "" || t.Provider == ""):
		return "target has no name or provider; leave target out if no target gave the answer"
	case side < 0:
		return fmt.Sprintf("fresh is %s; expected %s or %s", document.Quote(r.RerunSide), RerunOnBase, RerunOnHead)
	case trial < 0:
		return fmt.Sprintf("trial is %d; the first trial is 1", trial)
	case r.samples() < 1:
		return fmt.Sprintf("draws is %d; the first answer is draw 1", r.samples())
	case trial > math.MaxInt32:
		return fmt.Sprintf("trial is %d; at most %d are counted", trial, math.MaxInt32)
	}
	return ""
}

// internTarget returns the one Target that the client keeps for all targets equal to t. It returns nil if t is nil.
func internTarget(c *Client, t *Target) *Target {
	if t == nil {
		return nil
	}
	name, _ := json.Marshal(t) // made from JSON
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.targets[string(name)]
	if known == nil {
		known = t
		c.targets[string(name)] = t
	}
	return known
}

// record parses the line of an entry.
func (c *Client) record(e entry) record {
	r, why := parse(e.text, int(e.line))
	if why != "" {
		panic("recorded: a line that was kept: " + why) // it was parsed before
	}
	r.Place = Place{c.files[e.file], int(e.line)}
	return r
}

// Answer returns the recorded answer of r's case and trial. If there is none, or a stale one that does not count, it
// returns a response with a failure.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, err
	}
	if r.Rerun > 0 {
		return rerunAnswer(c, r), nil
	}
	rec, ok := lookup(c, r.SuiteID, r.CaseID, r.Trial)
	if !ok {
		return model.FailedResponse(model.ReasonUnrecorded, "%s", missingMessage(c, r)), nil
	}
	base := c.binding.baseCase(r)
	why := c.binding.staleReason(rec, r, base)
	if why != "" && !c.binding.AllowStale {
		return model.FailedResponse(model.ReasonStale, "%s", why), nil
	}
	out := rec.response()
	// a model gave a sampled answer, so another call may differ
	out.Stale, out.Sampled = why != "", !rec.HandWritten && rec.answeringTarget(base.Answers) != nil
	out.Unchanged = c.binding.isUnchanged(rec, r, base)
	return out, nil
}

// lookup returns the record of a trial.
func lookup(c *Client, suite, id string, trial int) (record, bool) {
	e, ok := findEntry(c, suite, id, trial)
	if !ok {
		return record{}, false
	}
	return c.record(e), true
}

// findEntry returns the entry of a trial.
func findEntry(c *Client, suite, id string, trial int) (entry, bool) {
	number := c.Number(suite, id, trial)
	for _, e := range firstAnswers(c.entriesOf(suite, id)) {
		if int(e.trial) == number {
			return e, true
		}
	}
	return entry{}, false
}

// Number returns the number that a trial has in the lines of a case. Trials count from 1, even if the lines count from
// 0.
func (c *Client) Number(suite, id string, trial int) int {
	if countsFromZero(firstAnswers(c.entriesOf(suite, id))) {
		return trial - 1
	}
	return trial
}

// countsFromZero reports whether recordings count trials from 0.
func countsFromZero(trials []entry) bool {
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
	out.Verdicts = r.Verdicts
	return out
}

// maxLine is the length of the longest recorded answer, in bytes. The tree limits the length of the file.
const maxLine = 16 << 20

// maxFaults is the number of errors after which reading a file stops.
const maxFaults = 100

// multiLineStart matches the first line of a JSON value that extends over several lines, or of a merge conflict. The
// lines after it are invalid too.
var multiLineStart = regexp.MustCompile(`^([{[]$|<{7})`)

// readFile reads the lines of a file and returns its errors. A missing file has none.
func (r *fileReader) readFile(fsys fs.FS, name string) []document.Diagnostic {
	text, err := readText(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.client.mu.Lock()
		defer r.client.mu.Unlock()
		r.client.missingFiles[name] = true
		return nil
	case document.IsElsewhere(err):
		return []document.Diagnostic{newDiagnostic(name, 0, document.RuleElsewhere, err.Error())}
	case err != nil:
		return []document.Diagnostic{newDiagnostic(name, 0, "unreadable", err.Error())}
	}
	var faults []document.Diagnostic
	sawText, number := false, 0 // sawText: a line that is not blank was read
	for whole := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		number++
		line := strings.TrimSpace(whole)
		switch {
		case line == "":
			continue
		case !sawText && document.IsLFSPointer([]byte(line)):
			return []document.Diagnostic{newDiagnostic(name, number, document.RulePointer, document.PointerMessage)}
		case len(whole) > maxLine:
			faults = append(faults, newDiagnostic(name, number, "recording", fmt.Sprintf(
				"the line is %.1f MiB long; a recorded answer may be at most %d MiB: shorten it, or leave the case "+
					"out", float64(len(whole))/(1<<20), maxLine>>20)))
		default:
			if why := r.addLine(line, number); why != "" {
				faults = append(faults, newDiagnostic(name, number, "recording", why))
				if multiLineStart.MatchString(line) {
					return faults
				}
			}
		}
		sawText = true
		if len(faults) == maxFaults {
			return append(faults, newDiagnostic(name, number, "too-many-faults",
				"the following lines were not read: there are too many errors before"))
		}
	}
	return faults
}

// readText returns the content of a file. It is made as one string, since the lines of all files are kept.
func readText(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var out strings.Builder
	if info, err := f.Stat(); err == nil && info.Size() <= MaxBytes {
		out.Grow(int(info.Size()))
	}
	_, err = io.Copy(&out, f)
	return out.String(), err
}

func newDiagnostic(name string, line int, rule, message string) document.Diagnostic {
	d := document.Diagnostic{Severity: document.Error, Path: name, Line: line, Rule: rule, Message: message}
	if line > 0 {
		d.Column = 1
	}
	return d
}

// MaxBytes limits all recordings of a revision together, in bytes. The tree limits each file, but not their number.
const MaxBytes = 2 << 30

// CheckSize returns an error if the files have more than limit bytes together, otherwise nil. It adds up their sizes in
// name order, and the error names the file that exceeds the limit.
func CheckSize(fsys fs.FS, files []string, limit int64) []document.Diagnostic {
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	var total int64
	for i, name := range files {
		info, err := fs.Stat(fsys, name)
		if err != nil || !info.Mode().IsRegular() {
			continue // reading it reports the error
		}
		if total += info.Size(); total > limit {
			return []document.Diagnostic{newDiagnostic(name, 0, "size", fmt.Sprintf(
				"the recordings up to this file hold %.1f MiB, and %d more follow; expected at most %d MiB in all: "+
					"run fewer suites, or record fewer answers",
				float64(total)/(1<<20), len(files)-1-i, limit>>20))}
		}
	}
	return nil
}
