package model_test

import (
	"crypto/sha256"
	"testing"

	"github.com/failproof/failproof/internal/model"
)

// The body that a key is of must not change: recordings are bound by it.
func TestAKeyIsTheHashOfTheRequestAsJSON(t *testing.T) {
	warm, most := 0.7, 5
	for _, c := range []struct {
		request model.Request
		body    string
	}{
		{model.Request{}, `{"provider":"","model":"","messages":null,"parameters":{}}`},
		{model.Request{Provider: "openai", Model: "gpt-5-mini", Messages: []model.Message{}, SuiteID: "s", CaseID: "c", Trial: 2},
			`{"provider":"openai","model":"gpt-5-mini","messages":[],"parameters":{}}`},
		{model.Request{Messages: []model.Message{{Role: model.RoleUser, Content: "Say \"<a> & é\"\n\u2028"}}},
			`{"provider":"","model":"","messages":[{"role":"user","content":"Say \"\u003ca\u003e \u0026 é\"\n\u2028"}],"parameters":{}}`},
		{model.Request{Provider: model.Recorded, Parameters: model.Parameters{Temperature: &warm, MaxTokens: &most, JSONSchema: "{}"},
			Vars: map[string]string{"b": "2", "a": "1"}, AnswerSchema: "true", Tools: "[]", Settings: map[string]string{"seed": "7"}},
			`{"provider":"","model":"","messages":null,"parameters":{"temperature":0.7,"max_tokens":5,"json_schema":"{}"},` +
				`"vars":{"a":"1","b":"2"},"answer_schema":"true","tools":"[]","settings":{"seed":"7"}}`},
	} {
		if got, want := c.request.Sum(), sha256.Sum256([]byte(c.body)); got != want {
			t.Errorf("the key of %+v is not the hash of %s", c.request, c.body)
		}
	}
}
