package expect

import (
	"slices"
	"testing"
)

func TestAFieldOfAnAnswer(t *testing.T) {
	for _, c := range []struct {
		rule, text, path string
		want             []string
	}{
		{"a key", `{"severity": "high", "confidence": "low"}`, "severity", []string{"high"}},
		{"in a fence, with a trailing comma", "Here:\n```json\n{\"severity\": \"high\",}\n```", "severity", []string{"high"}},
		{"keys and indices", `{"results": [{"label": "a"}, {"label": "b"}]}`, "results.1.label", []string{"b"}},
		{"a key with dots of its own", `{"a.b": {"c": "x"}}`, "a.b.c", []string{"x"}},
		{"a key with dots beside its first part", `{"a": {"x": "y"}, "a.b": {"c": "x"}}`, "a.b.c", []string{"x"}},
		{"a number as it is written", `{"score": -1}`, "score", []string{"-1"}},
		{"a boolean", `{"safe": true}`, "safe", []string{"true"}},
		{"an array is each of its values", `{"labels": ["a", 2]}`, "labels", []string{"a", "2"}},
		{"an answer that is an array", `["a", "b"]`, "0", []string{"a"}},
		{"an object is no value", `{"a": {"b": "c"}}`, "a", nil},
		{"null is none", `{"a": null}`, "a", nil},
		{"no such key", `{"a": "b"}`, "b", nil},
		{"an index out of range", `["a"]`, "7", nil},
		{"letter case counts", `{"Severity": "high"}`, "severity", nil},
		{"two blocks that differ", "```json\n{\"a\": \"x\"}\n```\nOn second thought:\n```json\n{\"a\": \"y\"}\n```", "a", []string{"x", "y"}},
		{"two that agree", "{\"a\": \"x\"} and {\"a\": \"x\"}", "a", []string{"x"}},
		{"an object in another counts once", "So {\"a\": \"x\", \"b\": {\"a\": \"y\"}}", "a", []string{"x"}},
		{"a thought before it", `<think>{"a": "x"}?</think>{"a": "y"}`, "a", []string{"x", "y"}},
		{"no JSON", "severity: high", "severity", nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := JSONFieldValues(c.text, c.path); !slices.Equal(got, c.want) {
				t.Errorf("JSONFieldValues(%s, %s) = %q, want %q", c.text, c.path, got, c.want)
			}
		})
	}
}
