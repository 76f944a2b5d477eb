package judge_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
)

func TestAReplyIsOneObject(t *testing.T) {
	for _, c := range []struct {
		rule, text, finish string
		want               string // met, unmet, or how the error begins
	}{
		{"met", `{"why": "It does.", "met": true}`, "stop", "met"},
		{"unmet, the other way round, with space", "\n {\"met\":false,\"why\":\"\"} \n", "end_turn", "unmet"},
		{"in a fence", "```json\n{\"why\": \"x\", \"met\": true}\n```", "stop", "met"},
		{"in a fence without a word", "```\n{\"why\": \"x\", \"met\": true}\n```\n", "", "met"},
		{"a fence of something else", "```yaml\n{\"why\": \"x\", \"met\": true}\n```", "stop", "the reply is no JSON object"},
		{"a fence that is not closed", "```json\n{\"why\": \"x\", \"met\": true}", "stop", "the reply is no JSON object"},
		{"words around a fence", "Here:\n```json\n{\"why\": \"x\", \"met\": true}\n```", "stop", "the reply is no JSON object"},
		{"a reason that quotes a fence", "```json\n{\"why\": \"it ends in ```\", \"met\": true}\n```", "stop", "met"},
		{"two fences", "```json\n{\"why\":\"x\",\"met\":false}\n```\n```json\n{\"why\":\"x\",\"met\":true}\n```", "stop", "the reply is no JSON object"},
		{"words behind", `{"why": "x", "met": true} Done.`, "stop", "the reply is no JSON object"},
		{"two objects", `{"why": "x", "met": true}{"why": "x", "met": false}`, "stop", "the reply is no JSON object"},
		{"a list", `[{"why": "x", "met": true}]`, "stop", "the reply is no JSON object"},
		{"null", `null`, "stop", "the reply is no JSON object"},
		{"true", `true`, "stop", "the reply is no JSON object"},
		{"nothing", ``, "stop", "the reply is no JSON object"},
		{"half", `{"why": "x", "met": tr`, "stop", "the reply is no JSON object"},
		{"cut off, and yet whole", `{"why": "x", "met": true}`, "length", "the reply was cut"},
		{"filtered", `{"why": "x", "met": true}`, "content_filter", "the judge refused"},
		{"a key twice", `{"why": "x", "met": false, "met": true}`, "stop", "the reply is no JSON object"},
		{"a key twice, by an escape", `{"why": "x", "met": false, "m\u0065t": true}`, "stop", "the reply is no JSON object"},
		{"another key", `{"why": "x", "met": true, "score": 1}`, "stop", "the reply is no JSON object with a text why"},
		{"a key in capitals", `{"why": "x", "MET": true}`, "stop", "the reply is no JSON object with a text why"},
		{"a letter that only looks so", `{"why": "x", "m\u0435t": true}`, "stop", "the reply is no JSON object with a text why"},
		{"no reason", `{"met": true}`, "stop", "the reply is no JSON object with a text why"},
		{"a reason that is no text", `{"why": null, "met": true}`, "stop", "the reply is no JSON object with a text why"},
		{"a text for a boolean", `{"why": "x", "met": "true"}`, "stop", "the reply is no JSON object with a text why"},
		{"a number for a boolean", `{"why": "x", "met": 1}`, "stop", "the reply is no JSON object with a text why"},
		{"null for a boolean", `{"why": "x", "met": null}`, "stop", "the reply is no JSON object with a text why"},
		{"bytes that are no text", "{\"why\": \"\xff\", \"met\": true}", "stop", "the reply is no JSON object"},
		{"as deep as a well", strings.Repeat("[", 20_000), "stop", "the reply is no JSON object"},
	} {
		got, err := judge.ParseReply(model.Response{Text: model.Untrusted(c.text), Finish: c.finish})
		is := map[bool]string{true: "met", false: "unmet"}[got.Met]
		if err != nil {
			is = err.Error()
		}
		if !strings.HasPrefix(is, c.want) || err == nil && is != c.want {
			t.Errorf("%s: %s, want %s", c.rule, is, c.want)
		}
	}
	if _, err := judge.ParseReply(model.Response{Refusal: "no", Text: `{"why": "x", "met": true}`}); err == nil {
		t.Error("a refusal is a verdict")
	}
}

func TestAReasonIsBounded(t *testing.T) {
	got, err := judge.ParseReply(model.Response{Text: model.Untrusted(`{"why": "` + strings.Repeat("é", 5000) + `", "met": true}`)})
	if n := len([]rune(string(got.Why))); err != nil || n != 300 || !strings.HasSuffix(string(got.Why), "…") {
		t.Errorf("%d runes kept, %v", n, err)
	}
}

func TestMostVotesDecide(t *testing.T) {
	yes, no := judge.Reply{Met: true}, judge.Reply{}
	for _, c := range []struct {
		votes   int
		replies []judge.Reply
		met, ok bool
	}{
		{1, []judge.Reply{yes}, true, true},
		{3, []judge.Reply{yes}, false, false},
		{3, []judge.Reply{yes, no}, false, false},
		{3, []judge.Reply{no, no}, false, true},
		{3, []judge.Reply{yes, no, yes}, true, true},
		{5, []judge.Reply{yes, no, yes, no}, false, false}, // a vote that was lost decides nothing
	} {
		if got, ok := judge.Majority(c.replies, c.votes); ok != c.ok || got.Met != c.met {
			t.Errorf("%d votes, %v: %v, %v", c.votes, c.replies, got, ok)
		}
	}
}
