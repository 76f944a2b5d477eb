package model

import (
	"encoding/json"
	"testing"
)

// The body that a key is of must not change: recordings are bound by it.
func TestARequestIsHashedAsTheStandardLibraryWritesIt(t *testing.T) {
	warm, most := 0.7, 5
	for _, r := range []Request{
		{},
		{Provider: "openai", Model: "gpt-5-mini", Messages: []Message{}},
		{Messages: []Message{{RoleUser, "Say \"<a> & é\"\n"}}},
		{Provider: "x\"y", Messages: []Message{{RoleSystem, ""}, {RoleUser, "a"}, {RoleAssistant, "\u2028"}}, Parameters: Parameters{Temperature: &warm, MaxTokens: &most, JSONSchema: "{}"}},
	} {
		want, err := json.Marshal(struct {
			Provider   string     `json:"provider"`
			Model      string     `json:"model"`
			Messages   []Message  `json:"messages"`
			Parameters Parameters `json:"parameters"`
		}{r.Provider, r.Model, r.Messages, r.Parameters})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.appendBody(nil)); got != string(want) {
			t.Errorf("hashed is %s, want %s", got, want)
		}
	}
}
