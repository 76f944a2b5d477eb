package recorded

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// Bound is what an answer that is written is bound by.
type Bound struct {
	Key     string // that the request has where it is answered from the recording; of a fresh answer, that the head's has
	From    Target
	Fresh   string // FreshBase or FreshHead, of an answer to a case that flipped; else ""
	BaseKey string // of a fresh answer, that the base's request has
}

// Line writes the answer of a target to q as one line of a recording, with its line break.
func Line(q model.Request, b Bound, r model.Response) []byte {
	out := record{
		SuiteID: suiteid.Written(q.SuiteID), CaseID: q.CaseID, Trial: &q.Trial, RequestKey: b.Key, Target: &b.From, Fresh: b.Fresh, BaseKey: b.BaseKey,
		RawResponse: new(string(r.Text)), ToolCalls: r.ToolCalls, Refusal: string(r.Refusal),
		FinishReason: r.Finish, ModelID: r.Model, LatencyMS: float64(r.Latency.Round(time.Millisecond)) / float64(time.Millisecond),
	}
	if r.Usage.TokensIn > 0 || r.Usage.TokensOut > 0 {
		out.Tokens = &tokens{In: r.Usage.TokensIn, Out: r.Usage.TokensOut}
	}
	out.CostUSD, out.Verdicts = r.Usage.Cost.Dollars(), verdicts(r.Verdicts)
	return []byte(written(out) + "\n")
}

func verdicts(all []model.Verdict) (out []verdict) {
	for _, v := range all {
		out = append(out, verdict{v.Key, v.Criterion, v.Met, string(v.Why)})
	}
	return out
}

// Path is the file that holds the recordings of a suite under a target's path.
func Path(path, suiteID string) string {
	return strings.ReplaceAll(path, "{suite}", suiteid.Written(suiteID))
}

// IsRecording reports that the first line of a text is an answer to a case, or that there is none.
func IsRecording(text []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff"))), []byte("\n"))
	var line struct {
		Case   json.RawMessage `json:"case_id"`
		Prompt json.RawMessage `json:"prompt"` // a row of a suite has one
	}
	return len(first) == 0 || json.Unmarshal(first, &line) == nil && line.Case != nil && line.Prompt == nil
}

// Others returns the lines of a recording that are not of these suites, so that they can be written again beside new ones. A
// line that is no recording is among them.
func Others(text []byte, suites []string) []byte {
	var out []byte
	ours := map[string]bool{}
	for _, id := range suites {
		ours[suiteid.Written(id)] = true
	}
	for l := range bytes.Lines(text) {
		var r struct {
			SuiteID string `json:"suite_id"`
		}
		if trimmed := bytes.TrimSpace(l); len(trimmed) == 0 || json.Unmarshal(trimmed, &r) == nil && ours[r.SuiteID] {
			continue
		}
		out = append(append(out, bytes.TrimRight(l, "\r\n")...), '\n')
	}
	return out
}
