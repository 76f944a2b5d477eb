package promptfoo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	results "github.com/failproof/failproof/internal/results/promptfoo"
	"github.com/failproof/failproof/internal/text"
)

// Answer is an answer to a case that promptfoo stored.
type Answer struct {
	File         string // path of the suite's file
	Case         string
	Target       string // the name of the live target that gave the answer
	ReplayTarget string // the name of the recorded target that replays the answer
	Trial        int    // 1, 2, …
	Response     model.Response
	Passed       bool // promptfoo's verdict
	Unconverted  bool // whether an assertion of the case was not converted
}

// assignAnswers assigns each stored answer to its case, and reports the answers that have none.
func (im *importer) assignAnswers() {
	if im.in.Results == nil {
		return
	}
	origin := node{&document.Node{}, im.in.ResultsName, im.src}
	var rows []results.Row
	err := results.EachRow(im.in.Results, func(_ string, r results.Row) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil || len(rows) == 0 {
		addFinding(ToDo, origin, "the results",
			"they have no answers in the form that `promptfoo eval -o output.json` writes")
		return
	}
	cases, used, skipped := casesByRequest(im.suites), map[string]int{}, map[string]int{}
	for _, r := range rows {
		if a, why := im.readAnswer(r, cases, used); why != "" {
			skipped[why]++
		} else {
			im.answers = append(im.answers, a)
		}
	}
	for why, n := range skipped { // findings are sorted later
		addFinding(ToDo, origin, text.Count(n, "answer"), why, "`failproof record` records what is missing")
	}
	if len(im.answers) > 0 && im.hasRubric {
		addFinding(LeftOut, origin, "the verdicts of promptfoo's grader",
			"failproof calls its judge once, and `failproof record` saves its verdicts")
	}
}

// casesByRequest returns the cases of the suites by request. A request is the name of a target and a prompt with all
// variables filled in.
func casesByRequest(suites []*suite) map[string][]*testCase {
	out := map[string][]*testCase{}
	for _, s := range suites {
		for _, k := range s.cases {
			texts := textsOf(k.values)
			var prompt strings.Builder
			for _, m := range s.prompt.messages {
				prompt.WriteString(messageKey(m.role, template{text: m.text}.fill(texts)))
			}
			for _, t := range s.targets {
				key := t.name + prompt.String()
				out[key] = append(out[key], k)
			}
		}
	}
	return out
}

// readAnswer returns the answer in the row r. If it is not imported, why is the reason. cases is the result of
// casesByRequest. used counts the rows of each request.
func (im *importer) readAnswer(r results.Row, cases map[string][]*testCase, used map[string]int) (a Answer, why string) {
	if r.Response == nil || r.Response.Error != "" || len(r.Response.Output) == 0 || string(r.Response.Output) == "null" {
		return a, "it has an error instead of an answer"
	}
	targets := im.targets.matching(r.Provider)
	if len(targets) == 0 {
		return a, "it is from a provider that is not in the configuration"
	}
	for _, target := range targets {
		key := target.name + promptKey(r.Prompt.Raw)
		if same := cases[key]; len(same) > 0 {
			k, trial := same[used[key]%len(same)], 1+used[key]/len(same)
			if used[key]++; k.expect.transform.code != "" {
				return a, "it is the result of a transform, not the stored answer"
			}
			return Answer{"suites/" + k.suite.id + ".yaml", k.id, target.name, im.targets.replayNameOf(target), trial,
				newResponse(r, k.suite.like.tools != ""), r.Success != nil && *r.Success, k.unconverted}, ""
		}
	}
	return a, "no case has this input: the prompt or the variables changed since"
}

// promptKey returns the filled-in prompt raw in the form that casesByRequest uses. For a chat, raw is JSON.
func promptKey(raw string) string {
	var messages []struct{ Role, Content string }
	if json.Unmarshal([]byte(raw), &messages) != nil || len(messages) == 0 {
		return messageKey("user", raw)
	}
	var key strings.Builder
	for _, m := range messages {
		if m.Role == "developer" {
			m.Role = "system"
		}
		key.WriteString(messageKey(m.Role, m.Content))
	}
	return key.String()
}

func messageKey(role, text string) string { return "\n\n" + role + "\n" + strings.TrimSpace(text) }

// matching returns the targets from which a row may come. raw is the provider of the row. A label names one target, and
// an id may name several.
func (ts *targets) matching(raw json.RawMessage) (matches []*target) {
	var provider struct{ ID, Label string }
	if json.Unmarshal(raw, &provider.ID) != nil && json.Unmarshal(raw, &provider) != nil {
		return nil
	}
	for _, t := range ts.list {
		if t.label != "" && t.label == provider.Label || t.label == provider.ID && provider.ID != "" {
			return []*target{t}
		}
		if t.id == provider.ID {
			matches = append(matches, t)
		}
	}
	return matches
}

func newResponse(r results.Row, tools bool) model.Response {
	used := r.Response.TokenUsage
	a := model.Response{Finish: r.Response.FinishReason,
		Latency: time.Duration(plausible(r.LatencyMS) * float64(time.Millisecond)),
		Usage:   model.Usage{TokensIn: int(plausible(used.Prompt)), TokensOut: int(plausible(used.Completion))}}
	if cost := cmp.Or(r.Response.Cost, r.Cost); cost != nil && *cost >= 0 && !math.IsInf(*cost, 0) {
		a.Usage.Cost = model.USD(*cost)
	}
	if json.Unmarshal(r.Response.Output, &a.Text) == nil {
		return a
	}
	if a.ToolCalls = toolCalls(r.Response.Output); !tools || len(a.ToolCalls) == 0 {
		var compact bytes.Buffer
		_ = json.Compact(&compact, r.Response.Output) // it was read as JSON
		a.Text, a.ToolCalls = model.Untrusted(compact.String()), nil
	}
	return a
}

// plausible returns v, or 0 if v can be neither a time in milliseconds nor a number of tokens.
func plausible(v float64) float64 {
	if !(v > 0 && v < 1e9) {
		return 0
	}
	return v
}

// toolCalls returns the tool calls in raw, an answer in OpenAI's form. It returns nil if raw has another form.
func toolCalls(raw json.RawMessage) (out []model.ToolCall) {
	var all []struct {
		Function *model.ToolCall `json:"function"`
	}
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for _, one := range all {
		if one.Function == nil {
			return nil
		}
		out = append(out, *one.Function)
	}
	return out
}
