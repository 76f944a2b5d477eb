package expect

import "github.com/failproof/failproof/internal/model"

// Answer is a response under judgement. What is costly (reading JSON) is done once, when first asked for; an Answer is
// therefore used by one goroutine at a time.
type Answer struct {
	Text      string
	Truncated bool // the provider cut it at its length limit: what it does not say proves nothing

	ToolCalls []model.ToolCall
	LatencyMS *int64   // how long it took; nil: not known
	CostUSD   *float64 // what it cost; nil: not known
	Finish    string   // finish or stop reason as the provider wrote it; "": not known

	read    []toolCall   // ToolCalls; nil until asked for
	lenient *jsonReading // by the heuristics; nil until asked for
}

// NewAnswer returns an answer that was not cut.
func NewAnswer(text string) *Answer { return &Answer{Text: text} }

// json reads the answer as JSON by the heuristics.
func (a *Answer) json() jsonReading {
	if a.lenient == nil {
		r := readJSON(a.Text)
		a.lenient = &r
	}
	return *a.lenient
}

// repairs names the heuristics that reading the answer as JSON took, if it was read so.
func (a *Answer) repairs() []string {
	if a.lenient == nil || a.lenient.fault != "" {
		return nil
	}
	return a.lenient.repairs
}
