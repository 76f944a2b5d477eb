package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
)

const offered = `[{"type":"function","function":{"name":"refund","description":"Pays back","parameters":{"type":"object","properties":{"z":{},"a":{}}},"strict":true}},{"type":"function","function":{"name":"hang_up"}}]`

// helloWithTools offers tools.
var helloWithTools = model.Request{Model: "m", Messages: hello.Messages, Tools: offered}

func TestToolsAreOffered(t *testing.T) {
	for api, want := range map[string]string{
		"": offered,
		config.APIResponses: `[{"type":"function","name":"refund","description":"Pays back","parameters":{"type":"object","properties":{"z":{},"a":{}}},"strict":true},` +
			`{"type":"function","name":"hang_up","strict":false}]`,
	} {
		server := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("x")))
		ask(t, config.Target{BaseURL: server.URL, API: api}, helloWithTools)
		var sent struct{ Tools json.RawMessage }
		if err := json.Unmarshal(server.Requests()[0].Body, &sent); err != nil || string(sent.Tools) != want {
			t.Errorf("%s sends the tools\n%s\nwant\n%s", api, sent.Tools, want)
		}
	}
}

func TestACallOfAToolIsAnAnswerWhereToolsAreOffered(t *testing.T) {
	call := func(name, arguments string) string {
		return `{"id":"1","type":"function","function":{"name":"` + name + `","arguments":` + arguments + `}}`
	}
	chat := func(content, calls, finish string) string {
		return fmt.Sprintf(`{"model":"m","choices":[{"message":{"role":"assistant","content":%s,"tool_calls":[%s]},"finish_reason":%q}]}`, content, calls, finish)
	}
	responses := func(output string) string { return said("completed", output) }
	refund := []model.ToolCall{{Name: "refund", Arguments: `{"order":"A-1"}`}}
	for _, c := range []struct {
		rule, api, body string
		want            model.Response
		reason          string
	}{
		{"a call", "", chat("null", call("refund", `"{\"order\":\"A-1\"}"`), "tool_calls"), model.Response{ToolCalls: refund, Finish: "tool_calls"}, ""},
		{"arguments that are no text", "", chat(`""`, call("refund", `{"order":"A-1"}`), "stop"), model.Response{ToolCalls: refund, Finish: "stop"}, ""},
		{"a call beside words", "", chat(`"One moment."`, call("refund", `"{\"order\":\"A-1\"}"`), "tool_calls"), model.Response{Text: "One moment.", ToolCalls: refund, Finish: "tool_calls"}, ""},
		{"arguments that were cut", "", chat("null", call("refund", `"{\"ord"`), "length"), model.Response{ToolCalls: []model.ToolCall{{Name: "refund", Arguments: `{"ord`}}, Finish: "length"}, ""},
		{"a call without arguments", "", chat("null", call("hang_up", "null"), "tool_calls"), model.Response{ToolCalls: []model.ToolCall{{Name: "hang_up"}}, Finish: "tool_calls"}, ""},
		{"a call of nothing is none", "", chat("null", call("", `"{}"`), "tool_calls"), model.Response{}, model.ReasonUnreadable},
		{"an ending by a call without one is none", "", chat(`"x"`, "", "tool_calls"), model.Response{}, model.ReasonUnreadable},
		{"Responses: a call", config.APIResponses, responses(`{"type":"function_call","call_id":"1","name":"refund","arguments":"{\"order\":\"A-1\"}"}`), model.Response{ToolCalls: refund, Finish: "completed"}, ""},
		{"Responses: a call of an answer that is under way", config.APIResponses, said("in_progress", `{"type":"function_call","name":"refund","arguments":"{}"}`), model.Response{}, model.ReasonUnreadable},
		{"Responses: a part without a type", config.APIResponses, responses(spoken("x") + `,{}`), model.Response{}, model.ReasonUnreadable},
		{"Responses: a call beside words", config.APIResponses, responses(spoken("One moment.") + `,{"type":"function_call","name":"refund","arguments":"{\"order\":\"A-1\"}"}`),
			model.Response{Text: "One moment.", ToolCalls: refund, Finish: "completed"}, ""},
		{"Responses: a call of nothing is none", config.APIResponses, responses(`{"type":"function_call","arguments":"{}"}`), model.Response{}, model.ReasonUnreadable},
		{"Responses: a search is no call of ours", config.APIResponses, responses(`{"type":"web_search_call"},` + spoken("x")), model.Response{}, model.ReasonUnreadable},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := ask(t, config.Target{BaseURL: modeltest.Serve(t, modeltest.JSON(c.body)).URL, API: c.api}, helloWithTools)
			if got.Failure != nil {
				if got.Failure.Reason != c.reason {
					t.Errorf("failure is %s: %s, want %q", got.Failure.Reason, got.Failure.Message, c.reason)
				}
				return
			}
			got.Latency, got.Usage, got.Model = 0, model.Usage{}, ""
			if diff := cmp.Diff(c.want, got); diff != "" || c.reason != "" {
				t.Errorf("Answer (-want +got):\n%s", diff)
			}
			plain := ask(t, config.Target{BaseURL: modeltest.Serve(t, modeltest.JSON(c.body)).URL, API: c.api}, hello)
			if plain.Failure == nil || !strings.Contains(string(plain.Failure.Message), "tool") && !strings.Contains(string(plain.Failure.Message), "function_call") {
				if c.want.Finish != "length" { // which is an answer of nothing
					t.Errorf("without tools it is %+v", plain)
				}
			}
		})
	}
}
