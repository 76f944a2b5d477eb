package expect

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/script"
)

func TestAScriptIsAnAssertion(t *testing.T) {
	half := 0.5
	for _, c := range []struct {
		negative     bool
		script       Script
		answer, want string // want: why it is not met; "" where it is
	}{
		{false, Script{Script: script.Script{Source: "output.includes('a')"}}, "banana", ""},
		{false, Script{Script: script.Script{Source: "output.includes('z')"}}, "banana", "not true"},
		{true, Script{Script: script.Script{Source: "output.includes('z')"}}, "banana", ""},
		{true, Script{Script: script.Script{Source: "output.includes('a')"}}, "banana", "true"},
		{false, Script{Script: script.Script{Source: "0.25", Threshold: &half}}, "banana", "the score is 0.25"},
		{false, Script{Script: script.Script{Source: "return { pass: false, score: 0, reason: 'too\\n short' }"}}, "banana", "the score is 0: too short"},
		{false, Script{Script: script.Script{Source: "output.a.b"}}, "banana", "could not be evaluated: TypeError: cannot read property 'b' of undefined (line 1 of the script)"},
		{true, Script{Script: script.Script{Source: "output.a.b"}}, "banana", "could not be evaluated: TypeError: cannot read property 'b' of undefined (line 1 of the script)"},
		{true, Script{Script: script.Script{Source: "for (;;);"}}, "banana", "could not be evaluated: it takes more steps than a script may"},
		{false, Script{Script: script.Script{Source: "output.a === 1", Transform: "JSON.parse(output)"}}, `{"a": 1}`, ""},
		{false, Script{Script: script.Script{Source: "output.a === 1 && typeof output.b === 'object'"}, JSON: true}, "```json\n{\"a\": 1, \"b\": []}\n```", ""},
		{true, Script{Script: script.Script{Source: "output.a === 1"}, JSON: true}, "banana", "could not be evaluated: the answer is no JSON: "},
		{false, Script{Script: script.Script{Source: "output.length > context.vars.least"}}, "banana", ""},
	} {
		as, err := CompileScript(c.negative, c.script)
		if err != nil {
			t.Fatal(err)
		}
		if why := as.mismatch(withVars(answerOf(c.answer), map[string]string{"least": "3"})); !strings.HasPrefix(why, c.want) || c.want == "" && why != "" {
			t.Errorf("%s: %q; want %q", as.Expected, why, c.want)
		}
	}
}

func TestAScriptSeesCallsOfToolsWhereThereIsNoText(t *testing.T) {
	as, err := CompileScript(false, Script{Script: script.Script{Source: "output[0].function.name === 'refund' && JSON.parse(output[0].function.arguments).order === 'A-1'"}})
	if err != nil {
		t.Fatal(err)
	}
	a := answerOf("")
	a.ToolCalls = []model.ToolCall{{Name: "refund", Arguments: `{"order": "A-1"}`}, {Name: "close"}}
	if why := as.mismatch(a); why != "" {
		t.Error(why)
	}
	as, _ = CompileScript(false, Script{Script: script.Script{Source: "JSON.stringify(JSON.parse(output[1].function.arguments)) === '{}'"}})
	if why := as.mismatch(a); why != "" {
		t.Error(why)
	}
	a.Text = "I shall."
	as, _ = CompileScript(false, Script{Script: script.Script{Source: "output === 'I shall.'"}})
	if why := as.mismatch(a); why != "" {
		t.Error(why)
	}
}

// What an answer that was cut does not say proves nothing, as for every other assertion with not_.
func TestAScriptOfACutAnswer(t *testing.T) {
	as, _ := CompileScript(true, Script{Script: script.Script{Source: "output.includes('z')"}})
	a := answerOf("banana")
	a.Truncated = true
	if why := as.mismatch(a); !strings.Contains(why, "is truncated") {
		t.Errorf("%q", why)
	}
}

func TestAScriptIsItsWholeText(t *testing.T) {
	half := 0.5
	seen := map[string]bool{}
	for _, s := range []Script{
		{Script: script.Script{Source: "a"}}, {Script: script.Script{Source: "b"}}, {Script: script.Script{Source: "a", Transform: "b"}},
		{Script: script.Script{Source: "a", Threshold: &half}}, {Script: script.Script{Source: "a"}, JSON: true},
	} {
		for _, negative := range []bool{false, true} {
			as, err := CompileScript(negative, s)
			if err != nil || seen[as.Expected] {
				t.Errorf("%v is like another: %v", as, err)
			}
			seen[as.Expected] = true
		}
	}
	if _, err := CompileScript(false, Script{Script: script.Script{Source: strings.Repeat(" ", script.MaxSource+1)}}); err == nil {
		t.Error("a long script is taken")
	}
}
