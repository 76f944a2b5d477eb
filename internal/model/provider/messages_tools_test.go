package provider_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
)

func TestToolsAreOfferedAndTheirCallsAreAnswers(t *testing.T) {
	r := hello
	r.Tools = `[{"type":"function","function":{"name":"refund","description":"Pays back","parameters":{"type":"object","properties":{"z":{},"a":{}}}}},{"type":"function","function":{"name":"hang_up"}}]`
	message := func(content, stop string) string {
		return fmt.Sprintf(`{"type":"message","model":"m","content":%s,"stop_reason":%s}`, content, stop)
	}
	for _, c := range []struct {
		rule, body string
		want       model.Response
		reason     string
	}{
		{"a call", message(`[{"type":"tool_use","id":"1","name":"refund","input":{"order":"A-1"}}]`, `"tool_use"`),
			model.Response{ToolCalls: []model.ToolCall{{Name: "refund", Arguments: `{"order":"A-1"}`}}, Finish: "tool_use"}, ""},
		{"calls beside words", message(`[{"type":"text","text":"One moment."},{"type":"tool_use","id":"1","name":"refund","input":{}},{"type":"tool_use","id":"2","name":"hang_up","input":{}}]`, `"tool_use"`),
			model.Response{Text: "One moment.", ToolCalls: []model.ToolCall{{Name: "refund", Arguments: `{}`}, {Name: "hang_up", Arguments: `{}`}}, Finish: "tool_use"}, ""},
		{"a call of nothing is none", message(`[{"type":"tool_use","input":{}}]`, `"tool_use"`), model.Response{}, model.ReasonUnreadable},
		{"an ending by a call without one is none", message(`[{"type":"text","text":"x"}]`, `"tool_use"`), model.Response{}, model.ReasonUnreadable},
		{"a tool of the server is no call of ours", message(`[{"type":"server_tool_use","name":"web_search"}]`, `"end_turn"`), model.Response{}, model.ReasonUnreadable},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.JSON(c.body))
			got := askAnthropic(t, server.URL, r)
			var sent struct{ Tools json.RawMessage }
			if err := json.Unmarshal(server.Requests()[0].Body, &sent); err != nil || string(sent.Tools) !=
				`[{"name":"refund","description":"Pays back","input_schema":{"type":"object","properties":{"z":{},"a":{}}}},{"name":"hang_up","input_schema":{"type":"object"}}]` {
				t.Errorf("sent are the tools %s", sent.Tools)
			}
			if got.Failure != nil {
				if got.Failure.Reason != c.reason {
					t.Errorf("failure is %s: %s", got.Failure.Reason, got.Failure.Message)
				}
				return
			}
			got.Latency, got.Usage, got.Model = 0, model.Usage{}, ""
			if diff := cmp.Diff(c.want, got); diff != "" || c.reason != "" {
				t.Errorf("Answer (-want +got):\n%s", diff)
			}
		})
	}
}
