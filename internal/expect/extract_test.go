package expect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/expect"
)

func TestAnExpressionTakesTheAnswerOutOfAReply(t *testing.T) {
	reply := expect.Reply{Body: []byte(`{"data":{"reply":"Hi","parts":[{"text":"a"},{"text":"b"}],"n":7,"share":0.5,"none":null}}`),
		Status: 200, Headers: map[string]string{"x-model": "m-1"}}
	for _, c := range []struct {
		source string
		want   any
	}{
		{"response.json.data.reply", "Hi"},
		{`join(map(response.json.data.parts, #.text), "")`, "ab"},
		{"response.json.data.n", 7},
		{"response.json.data.share", 0.5},
		{"response.json.data.none", nil},
		{"response.json.data.missing", nil},
		{"response.json.missing?.reply", nil},
		{"response.json.missing?.reply ?? response.json.data.reply", "Hi"},
		{`response.headers["x-model"]`, "m-1"},
		{`response.status == 200 ? "fine" : "not"`, "fine"},
		{`"Answer: " + response.json.data.reply`, "Answer: Hi"},
		{`{"input_tokens": response.json.data.n}`, map[string]any{"input_tokens": 7}},
	} {
		t.Run(c.source, func(t *testing.T) {
			x, err := expect.CompileExtract(c.source)
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Eval(reply)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("Of = %v, %v (-want +got):\n%s", got, err, diff)
			}
		})
	}
}

func TestAReplyThatIsNoJSONHasNoAnswer(t *testing.T) {
	x, err := expect.CompileExtract("response.json.reply")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := x.Eval(expect.Reply{Body: []byte("<html>"), Status: 200}); got != nil || err == nil || !strings.Contains(err.Error(), "Unexpected token '<'") {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAnExpressionHasBounds(t *testing.T) {
	for _, c := range []struct{ rule, source, want string }{
		{"no name that is not there", "request.key", "unknown name request"},
		{"no clock", "now()", "unknown name now"},
		{"no way around the environment", `$env["response"]`, "unknown name $env"},
		{"not too long", strings.Repeat(" ", 5000) + "response.json", "at most"},
		{"no text of an assertion", "response.text", "response has no text; it has json, status, headers"},
	} {
		_, err := expect.CompileExtract(c.source)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "assertion") {
			t.Errorf("%s: %v, want %q", c.rule, err, c.want)
		}
	}
	x, err := expect.CompileExtract("sum(map(response.json, sum(map(response.json, #))))")
	if err != nil {
		t.Fatal(err)
	}
	many := []byte("[" + strings.Repeat("1,", 5000) + "1]")
	if _, err := x.Eval(expect.Reply{Body: many}); err == nil || !strings.Contains(err.Error(), "too much work") {
		t.Errorf("an expression without end: %v", err)
	}
	x, err = expect.CompileExtract("response.json.a.b")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := x.Eval(expect.Reply{Body: []byte(`{}`)}); err == nil {
		t.Errorf("a field of what is not there is %v", got)
	}
}
