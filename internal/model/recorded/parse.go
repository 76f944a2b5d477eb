package recorded

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// trees are readers of lines that nobody uses at the moment.
var trees = sync.Pool{New: func() any { return &document.Lines{OfPrograms: true} }}

// parse reads the line of that number, or says what is wrong with it.
func parse(text []byte, number int) (r record, wrong string) {
	lines := trees.Get().(*document.Lines)
	defer trees.Put(lines)
	root, faults := lines.Parse("", text, document.Position{Line: number, Column: 1})
	var f fields
	if len(faults) > 0 {
		f.wrong = faults[0].Message
	} else {
		f.each("it", root, recordFields, func(name string, v *document.Node) { f.record(&r, name, v) })
	}
	if f.wrong != "" {
		return r, "not a recording: " + f.wrong + "; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	return r, ""
}

// fields reads the fields of objects, and keeps the first thing that is wrong with them.
type fields struct{ wrong string }

var recordFields, targetFields, tokenFields = namesOf(record{}), namesOf(Target{}), namesOf(tokens{})

var callFields, verdictFields = namesOf(model.ToolCall{}), namesOf(verdict{})

// namesOf are the names of a struct's fields in JSON.
func namesOf(of any) (names []string) {
	for f := range reflect.TypeOf(of).Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// each calls read with every field that is not null. Unknown fields are passed over, but not one that people would take for a known one.
func (f *fields) each(what string, n *document.Node, known []string, read func(name string, v *document.Node)) {
	if n.Kind != document.Map {
		f.unfit(what, n)
		return
	}
	for i, key := range n.Keys {
		if slices.Contains(known, key.Text) {
			if n.Values[i].Kind != document.Null {
				read(key.Text, n.Values[i])
			}
			continue
		}
		for _, name := range known {
			if strings.EqualFold(key.Text, name) {
				f.fault("key %s is written %s", document.Quote(key.Text), name)
			}
		}
	}
}

func (f *fields) record(r *record, name string, v *document.Node) {
	switch name {
	case "suite_id":
		r.SuiteID = f.text(name, v)
	case "case_id":
		r.CaseID = f.text(name, v)
	case "request_key":
		r.RequestKey = f.text(name, v)
	case "fresh":
		r.Fresh = f.text(name, v)
	case "base_key":
		r.BaseKey = f.text(name, v)
	case "refusal":
		r.Refusal = f.text(name, v)
	case "finish_reason":
		r.FinishReason = f.text(name, v)
	case "stop_reason":
		r.StopReason = f.text(name, v)
	case "model_id":
		r.ModelID = f.text(name, v)
	case "raw_response":
		r.RawResponse = new(f.text(name, v))
	case "error":
		r.Error = new(f.text(name, v))
	case "trial":
		r.Trial = new(f.whole(name, v))
	case "by_hand":
		if r.ByHand = v.Text == "true"; v.Kind != document.Bool {
			f.unfit(name, v)
		}
	case "limit_seconds":
		r.LimitSeconds = f.number(name, v)
	case "latency_ms":
		r.LatencyMS = f.number(name, v)
	case "cost_usd":
		r.CostUSD = new(f.number(name, v))
	case "target":
		r.Target = &Target{}
		f.each(name, v, targetFields, func(name string, v *document.Node) { f.target(r.Target, name, v) })
	case "tokens":
		r.Tokens = &tokens{}
		f.each(name, v, tokenFields, func(name string, v *document.Node) {
			*map[string]*int{"in": &r.Tokens.In, "out": &r.Tokens.Out}[name] = f.whole(name, v)
		})
	case "tool_calls":
		f.list(name, v, func(one *document.Node) {
			var c model.ToolCall
			f.each("a call in tool_calls", one, callFields, func(name string, v *document.Node) { f.call(&c, name, v) })
			r.ToolCalls = append(r.ToolCalls, c)
		})
	case "verdicts":
		f.list(name, v, func(one *document.Node) {
			var said verdict
			f.each("a verdict in verdicts", one, verdictFields, func(name string, v *document.Node) { f.verdict(&said, name, v) })
			r.Verdicts = append(r.Verdicts, said)
		})
	}
}

// call reads arguments that are a text as they are written, and those that people write as the JSON itself.
func (f *fields) call(c *model.ToolCall, name string, v *document.Node) {
	switch {
	case name == "name":
		c.Name = model.Untrusted(f.text(name, v))
	case v.Kind == document.String:
		c.Arguments = model.Untrusted(v.Text)
	default:
		var text strings.Builder
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v.Value()); err != nil {
			f.fault("%s are no JSON: %v", name, err)
		}
		c.Arguments = model.Untrusted(strings.TrimSuffix(text.String(), "\n"))
	}
}

func (f *fields) verdict(of *verdict, name string, v *document.Node) {
	switch name {
	case "key":
		of.Key = f.text(name, v)
	case "criterion":
		of.Criterion = f.text(name, v)
	case "why":
		of.Why = f.text(name, v)
	case "met":
		if of.Met = v.Text == "true"; v.Kind != document.Bool {
			f.unfit(name, v)
		}
	}
}

func (f *fields) list(name string, v *document.Node, read func(*document.Node)) {
	if v.Kind != document.List {
		f.unfit(name, v)
		return
	}
	for _, one := range v.Items() {
		read(one)
	}
}

func (f *fields) target(t *Target, name string, v *document.Node) {
	switch name {
	case "name":
		t.Name = f.text(name, v)
	case "provider":
		t.Provider = f.text(name, v)
	case "model":
		t.Model = f.text(name, v)
	case "temperature":
		t.Temperature = new(f.number(name, v))
	case "top_p":
		t.TopP = new(f.number(name, v))
	case "max_tokens":
		t.MaxTokens = new(f.whole(name, v))
	case "settings":
		if v.Kind != document.Map {
			f.unfit(name, v)
			return
		}
		t.Settings = make(map[string]string, len(v.Keys))
		for i, key := range v.Keys {
			t.Settings[key.Text] = f.text(name, v.Values[i])
		}
	}
}

func (f *fields) fault(format string, args ...any) {
	if f.wrong == "" {
		f.wrong = fmt.Sprintf(format, args...)
	}
}

func (f *fields) unfit(name string, v *document.Node) {
	kinds := [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}
	f.fault("%s is %s, which does not fit", name, kinds[v.Kind])
}

func (f *fields) text(name string, v *document.Node) string {
	if v.Kind != document.String {
		f.unfit(name, v)
	}
	return v.Text
}

func (f *fields) number(name string, v *document.Node) float64 {
	n, err := strconv.ParseFloat(v.Text, 64)
	if v.Kind != document.Number {
		f.unfit(name, v)
	} else if err != nil {
		f.fault("%s is %s, which is no figure", name, v.Text)
	}
	return n
}

func (f *fields) whole(name string, v *document.Node) int {
	n, err := strconv.Atoi(v.Text)
	if v.Kind != document.Number {
		f.unfit(name, v)
	} else if err != nil {
		f.fault("%s is %s, which is no whole number", name, v.Text)
	}
	return n
}
