// Package recorded reads answers from recordings: JSON lines in the tree, one answer a line. A recording that is
// missing, or made for another request or by another target, is a failure of its case, and never a silent pass. The
// caller's Binding decides which lines apply.
package recorded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"reflect"
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
	path         string              // the target's, with {suite}
	suites       map[string]Answers  // by suite, sorted by case, side and trial
	missingFiles map[string]bool     // by name: the file does not exist
	suitesOf     map[string][]string // by file: the sorted ids of the suites that have answers in it
	binding      Binding
	unusedIDs    sync.Map // by suite: recorded ids that no case has
}

// record is one line. Unknown fields are ignored, so results.jsonl can serve as a recording. Optional fields are not
// written if they are empty.
type record struct {
	SuiteID      string           `json:"suite_id"`
	CaseID       string           `json:"case_id"`
	Trial        int              `json:"trial"` // 0 stands for 1
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
	ModelID      string           `json:"model_id,omitempty"`
	LatencyMS    float64          `json:"latency_ms,omitempty"`
	Tokens       *model.Tokens    `json:"tokens,omitempty"`
	CostUSD      *float64         `json:"cost_usd,omitempty"`

	Verdicts []model.Verdict `json:"verdicts,omitempty"`

	Place `json:"-"`
}

// Load reads the recordings of suites from fsys. {suite} in path is replaced by the suite id as its author wrote it,
// slashes included. A missing file is no error here, but Answer then fails for its cases. Invalid lines are errors.
// Lines that other has in the same file are taken from it, and not read again; other may be nil.
func Load(fsys fs.FS, path string, suites []string, other *Client) (c *Client, faults []document.Diagnostic) {
	c = &Client{path: path, suites: map[string]Answers{}, missingFiles: map[string]bool{},
		suitesOf: map[string][]string{}}
	files := Files(path, suites)
	readers, ofFile := make([]fileReader, len(files)), map[string]*document.Diagnostics{}
	together.Each(len(files), runtime.GOMAXPROCS(0), func(i int) {
		readers[i] = fileReader{name: files[i], suites: map[string]Answers{}, faults: document.NewDiagnostics(files[i]),
			known: other.linesOf(files[i])}
		readers[i].read(fsys)
		readers[i].known = nil // frees it while other files are read
	})
	for _, r := range readers {
		ofFile[r.name], c.missingFiles[r.name] = r.faults, r.missing
		c.suitesOf[r.name] = slices.Sorted(maps.Keys(r.suites))
		for id, entries := range r.suites {
			if c.suites[id] != nil {
				entries = append(c.suites[id], entries...)
			}
			c.suites[id] = entries
		}
	}
	c.sortEntries(ofFile)
	for _, name := range files {
		faults = append(faults, ofFile[name].All()...)
	}
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
	name    string
	missing bool               // the file does not exist
	suites  map[string]Answers // by suite
	faults  *document.Diagnostics
	known   map[string]knownLine // lines that another client has in the file, by their text
}

// knownLine is a line that another client has, and the suite that it names.
type knownLine struct {
	suite string
	*entry
}

// linesOf returns the lines that a client has in a file, by their text. A nil client has none.
func (c *Client) linesOf(file string) map[string]knownLine {
	if c == nil {
		return nil
	}
	out := map[string]knownLine{}
	for _, suite := range c.suitesOf[file] {
		for i := range c.suites[suite] {
			if e := &c.suites[suite][i]; e.file == file {
				out[e.text] = knownLine{suite, e}
			}
		}
	}
	return out
}

// originReach is how many lines back an equal origin is looked for. Reruns alternate between the two sides.
const originReach = 2

// addLine adds one line and returns its error, or "".
func (f *fileReader) addLine(text string, number int) string {
	if same, known := f.known[text]; known {
		e := *same.entry
		e.line = int32(number)
		f.suites[same.suite] = append(f.suites[same.suite], e)
		return ""
	}
	if len(f.known) > 0 { // the few other lines do not keep the file's text in memory
		text = strings.Clone(text)
	}
	r, why := parse(text, number)
	if why == "" {
		why = r.problem()
	}
	if why != "" {
		return why
	}
	e := entry{id: r.CaseID, text: text, line: int32(number), trial: int32(r.trial()),
		origin: &origin{f.name, r.RerunSide, r.samples() > 1, r.Target}}
	if at := strings.Index(text, r.CaseID); at >= 0 { // needs no memory of its own
		e.id = text[at : at+len(r.CaseID)]
	}
	all := f.suites[r.SuiteID]
	for _, last := range all[max(len(all)-originReach, 0):] {
		if reflect.DeepEqual(last.origin, e.origin) {
			e.origin = last.origin
		}
	}
	f.suites[r.SuiteID] = append(all, e)
	return ""
}

// problem returns why a line is invalid, or "".
func (r record) problem() string {
	switch t := r.Target; {
	case r.SuiteID == "" || r.CaseID == "":
		return "suite_id and case_id are required"
	case r.RawResponse == nil && len(r.ToolCalls) == 0 && *cmp.Or(r.Error, new("")) == "":
		return "neither raw_response nor error is given; a recording needs one of them"
	case t != nil && (t.Name == "" || t.Provider == ""):
		return "target has no name or provider; leave target out if no target gave the answer"
	case !slices.Contains([]string{"", RerunOnBase, RerunOnHead}, r.RerunSide):
		return fmt.Sprintf("fresh is %s; expected %s or %s", document.Quote(r.RerunSide), RerunOnBase, RerunOnHead)
	case r.Trial < 0 || r.Trial > math.MaxInt32:
		return fmt.Sprintf("trial is %d; expected 1 to %d", r.Trial, math.MaxInt32)
	case r.samples() < 1:
		return fmt.Sprintf("draws is %d; the first answer is draw 1", r.samples())
	}
	return ""
}

func (r record) trial() int { return max(r.Trial, 1) }

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
	return e.record(), ok // without an entry, an empty record
}

// findEntry returns the entry of a trial.
func findEntry(c *Client, suite, id string, trial int) (entry, bool) {
	all := c.Answers(suite, id)
	if i := slices.IndexFunc(all, func(e entry) bool { return int(e.trial) == trial }); i >= 0 {
		return all[i], true
	}
	return entry{origin: &origin{}}, false
}

func (r record) response() model.Response {
	out := model.Response{Model: r.ModelID, Refusal: model.Untrusted(r.Refusal), Finish: r.FinishReason,
		Latency: time.Duration(r.LatencyMS * float64(time.Millisecond))}
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

// multiLineStart matches the first line of a JSON value that extends over several lines, or of a merge conflict. The
// lines after it are invalid too.
var multiLineStart = regexp.MustCompile(`^([{[]$|<{7})`)

// read reads the lines of the file. A missing file is no error.
func (f *fileReader) read(fsys fs.FS) {
	text, err := readText(fsys, f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.missing = true
	case document.IsElsewhere(err):
		f.faults.ErrorAt(document.Position{}, document.RuleElsewhere, "%v", err)
	case err != nil:
		f.faults.ErrorAt(document.Position{}, "unreadable", "%v", err)
	case document.IsUTF16(text):
		f.faults.ErrorAt(document.Position{Line: 1, Column: 1}, "encoding", document.UTF16Message)
		return
	}
	sawText, number := false, 0 // sawText: a line that is not blank was read
	for whole := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		number++
		line, at := strings.TrimSpace(whole), document.Position{Line: number, Column: 1}
		switch {
		case line == "" || err != nil:
			continue
		case !sawText && document.IsLFSPointer([]byte(line)):
			f.faults.ErrorAt(at, document.RulePointer, document.PointerMessage)
			return
		case len(whole) > maxLine:
			f.faults.ErrorAt(at, "recording", "the line is %.1f MiB long; a recorded answer may be at most %d MiB: "+
				"shorten it, or leave the case out", float64(len(whole))/(1<<20), maxLine>>20)
		default:
			if why := f.addLine(line, number); why != "" {
				f.faults.ErrorAt(at, "recording", "%s", why)
				if multiLineStart.MatchString(line) {
					return
				}
			}
		}
		sawText = true
	}
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
			return []document.Diagnostic{document.NewError(name, document.Position{}, "size",
				"the recordings up to this file hold %.1f MiB, and %d more follow; expected at most %d MiB in all: "+
					"run fewer suites, or record fewer answers",
				float64(total)/(1<<20), len(files)-1-i, limit>>20)}
		}
	}
	return nil
}
