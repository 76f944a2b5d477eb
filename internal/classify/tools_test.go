package classify

import (
	"regexp"
	"testing"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

func TestACallOfAToolIsAnAnswer(t *testing.T) {
	c := New(refusal.New(nil))
	called := model.Response{Finish: "tool_calls", ToolCalls: []model.ToolCall{{Name: "refund", Arguments: `{"note":"we will refund"}`}}}
	held := Case{Expect: &expect.Expectation{Criteria: []*expect.Criterion{expect.CompileTools([]expect.ExpectedCall{{Name: "refund"}})}}}
	other := Case{Expect: &expect.Expectation{Criteria: []*expect.Criterion{expect.CompileTools(nil)}}}
	promises := Case{Policies: []*expect.Policy{expect.CompilePolicy("no-promises", "", []*regexp.Regexp{regexp.MustCompile("we will refund")})}}
	for _, x := range []struct {
		rule string
		k    Case
		r    model.Response
		want Category
	}{
		{"the call that is expected passes, without a word", held, called, Pass},
		{"one that is not fails", other, called, Fail},
		{"a policy is kept in what a tool is told", promises, called, PolicyViolation},
		{"an answer without words and calls is none", held, model.Response{Finish: "stop"}, Crash},
	} {
		if got := c.Classify(x.k, x.r, nil); got.Primary != x.want {
			t.Errorf("%s: %s, want %s", x.rule, got.Primary, x.want)
		}
	}
}
