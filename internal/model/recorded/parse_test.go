package recorded

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Lines that the short way must read, and others that it must leave to the long one, or read as it does.
var plainLines = []string{
	`{"suite_id":"s","case_id":"c","raw_response":"Yes, \"it\" does\n\u00e4\ud83d\ude00 é."}`,
	`{"suite_id": "s", "case_id": "c", "trial": 2, "error": "timeout", "limit_seconds": 1.5e1, "latency_ms": 0.25, "cost_usd": 0}`,
	`{"suite_id":"s","case_id":"c","raw_response":"","target":{"name":"t","provider":"openai","temperature":0.5},"tokens":{"in":1,"out":2},` +
		`"by_hand":true,"fresh":"base","base_key":"b","request_key":"r","refusal":"no","finish_reason":"stop","stop_reason":"end","model_id":"m"}`,
	`{}`,
}

var otherLines = []string{
	``, `null`, `[]`, `{"suite_id":null,"case_id":"c","raw_response":"x"}`, `{"Suite_id":"s"}`, `{"ſuite_id":"s"}`, `{"suite_id":"s","suite_id":"t"}`, `{"trial":01}`, `{"trial":-0}`, `{"trial":1.0}`,
	`{"trial":1e2}`, `{"trial":99999999999999999999}`, `{"latency_ms":1e999}`, `{"latency_ms":.5}`, `{"latency_ms":"5"}`, `{"by_hand":1}`, `{"by_hand":TRUE}`, `{"suite_id":"s",}`, `{,}`,
	`{"suite_id":"s"} x`, `{"suite_id" "s"}`, `{"a":1}`, `{"metrics":[{}]}`, `{"raw_response":"\x"}`, "{\"raw_response\":\"\xff\"}", "{\"raw_response\":\"a\tb\"}", `{"raw_response":"\ud800"}`,
	`{"target":{"name":"a}"}}`, `{"target":{"name":"a","Name":"b"}}`, `{"target":{"name":"a","name":"b"}}`, `{"target":[]}`, `{"target":null}`, `{"target":{"name":{}}}`, `{"tokens":{"in":"x"}}`, `{"tokens":{"in":1,"in":2}}`,
	`{"raw_response":"a`, `{"raw_response":"\`, `{"raw_response"`, `{"\u0073uite_id":"s"}`,
}

func TestPlainLinesAreReadTheShortWay(t *testing.T) {
	for _, text := range plainLines {
		if !short([]byte(text), &record{}) {
			t.Errorf("%s takes the long way", text)
		}
	}
}

func TestBothWaysReadTheSame(t *testing.T) {
	for _, text := range append(otherLines, plainLines...) {
		bothWays(t, []byte(text))
	}
}

// bothWays checks that what the short way reads is what the long one does.
func bothWays(t *testing.T, text []byte) {
	var got, want record
	if !short(text, &got) {
		return
	}
	if err := json.Unmarshal(text, &want); err != nil || ambiguous(text) != "" {
		t.Fatalf("the short way reads %q, which is faulty: %v, %s", text, err, ambiguous(text))
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("of %q the short way reads %+v, the long one %+v", text, got, want)
	}
}

func FuzzBothWaysReadTheSame(f *testing.F) {
	for _, text := range append(otherLines, plainLines...) {
		f.Add([]byte(text))
	}
	f.Fuzz(bothWays)
}
