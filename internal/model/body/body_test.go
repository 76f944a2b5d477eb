package body_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/body"
)

// parsed reads a template from YAML.
func parsed(t testing.TB, text string) (*body.Template, []body.Fault) {
	t.Helper()
	root, faults := document.Parse("body.yaml", []byte(text))
	if document.HasErrors(faults) {
		t.Fatalf("%s: %v", text, faults)
	}
	return body.Parse(root)
}

func tokens(n int) *int { return &n }

var asked = model.Request{
	Model: "m-1",
	Messages: []model.Message{{Role: "system", Content: "Be exact."}, {Role: "user", Content: `Say "hi", \ and {{ prompt }}` + "\n"},
		{Role: "system", Content: "Be kind."}, {Role: "user", Content: "Now."}},
	Parameters: model.Parameters{MaxTokens: tokens(5)},
	Vars:       map[string]string{"user": `","admin":true,"x":"`, "lang": "<de>"},
}

func TestPlacesBecomeJSONValues(t *testing.T) {
	for _, c := range []struct{ rule, template, want string }{
		{"the last message", `q: "{{ prompt }}"`, `{"q":"Now."}`},
		{"the system messages", `q: "{{system}}"`, `{"q":"Be exact.\n\nBe kind."}`},
		{"all messages are a list", `m: "{{ messages }}"`,
			`{"m":[{"role":"system","content":"Be exact."},{"role":"user","content":"Say \"hi\", \\ and {{ prompt }}\n"},{"role":"system","content":"Be kind."},{"role":"user","content":"Now."}]}`},
		{"a variable cannot break out of its place", `u: { id: "{{ vars.user }}" }`, `{"u":{"id":"\",\"admin\":true,\"x\":\""}}`},
		{"nor out of a text around it", `t: "user {{ vars.user }}, {{ vars.lang }}."`, `{"t":"user \",\"admin\":true,\"x\":\", <de>."}`},
		{"all variables are an object", `v: "{{ vars }}"`, `{"v":{"lang":"<de>","user":"\",\"admin\":true,\"x\":\""}}`},
		{"the model and what is set", `{ model: "{{ model }}", options: "{{ parameters }}", q: "{{ prompt }}" }`, `{"model":"m-1","options":{"max_tokens":5},"q":"Now."}`},
		{"what is no place stays as it is", `{ a: [1, 0.50, true, null, "x", yes], b: {}, q: "{{ prompt }}" }`, `{"a":[1,0.50,true,null,"x","yes"],"b":{},"q":"Now."}`},
		{"what is filled in is not searched for places", `q: "{{ messages }}{{ prompt }}"`, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			template, faults := parsed(t, c.template)
			if c.want == "" {
				if len(faults) != 1 || !strings.Contains(faults[0].Message, "not text") {
					t.Errorf("faults %v, want that messages are no text", faults)
				}
				return
			}
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if got := string(template.Fill(asked)); got != c.want {
				t.Errorf("Fill = %s\nwant   %s", got, c.want)
			}
		})
	}
}

func TestFaultsOfATemplate(t *testing.T) {
	for _, c := range []struct{ rule, template, want string }{
		{"a name that was meant", `q: "{{ promt }}"`, "did you mean {{ prompt }}?"},
		{"no environment", `q: "{{ env.OPENAI_API_KEY }}"`, "nothing is computed or read from the environment"},
		{"no function", `q: "{{ upper(prompt) }}"`, "is not known"},
		{"an empty place", `q: "{{ }}"`, "is not known"},
		{"a place that is never closed", `q: "{{ prompt"`, "never closed"},
		{"a place in a key", `"{{ prompt }}": 1`, "a key cannot contain"},
		{"a list inside of a text", `q: "all: {{ messages }}"`, `"{{ messages }}"`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, faults := parsed(t, c.template)
			if len(faults) != 1 || !strings.Contains(faults[0].Message, c.want) || faults[0].At.Line != 1 {
				t.Errorf("faults %v, want one with %q in line 1", faults, c.want)
			}
		})
	}
}

func TestHalfAPromptIsNotSent(t *testing.T) {
	for _, c := range []struct{ rule, template, left string }{
		{"all messages leave nothing", `q: "{{ messages }}"`, ""},
		{"none is the target's own choice", `q: "{{ vars.user }}"`, ""},
		{"the last message leaves the system's", `q: "{{ prompt }}"`, "system"},
		{"the system's and the last leave an earlier one", `q: "{{ prompt }}{{ system }}"`, "user"},
	} {
		template, _ := parsed(t, c.template)
		if got := template.UnsentRole(asked); got != c.left {
			t.Errorf("%s: Unsent = %q, want %q", c.rule, got, c.left)
		}
	}
	whole := model.Request{Messages: []model.Message{{Role: "system", Content: "a"}, {Role: "user", Content: "b"}}}
	template, _ := parsed(t, `{ q: "{{ prompt }}", s: "{{ system }}" }`)
	if got := template.UnsentRole(whole); got != "" {
		t.Errorf("a system message and a question: Unsent = %q", got)
	}
}

func TestATemplateSaysWhatItUsesAndWhatItIs(t *testing.T) {
	template, _ := parsed(t, `{ z: "{{ vars.b }} {{ vars.a }}", a: "{{ prompt }}" }`)
	names, all := template.Variables()
	if diff := cmp.Diff([]string{"a", "b"}, names); diff != "" || all || !template.Uses(body.Prompt) || template.Uses(body.Messages) {
		t.Errorf("Variables = %v, %v", names, all)
	}
	other, _ := parsed(t, "a: \"{{ prompt }}\"\nz: '{{ vars.b }} {{ vars.a }}'\n")
	if !template.Equal(other) || template.String() != `{"a":"{{ prompt }}","z":"{{ vars.b }} {{ vars.a }}"}` {
		t.Errorf("another order is another template: %s, %s", template, other)
	}
	if _, all := new(body.Template).Variables(); all || (*body.Template)(nil).String() != "" {
		t.Error("no template uses something")
	}
}

// Whatever stands in prompts and variables, the body is one JSON value of the template's shape that holds them
// unchanged.
func FuzzNothingBreaksOutOfItsPlace(f *testing.F) {
	f.Add(`"`, `\`)
	f.Add(`{{ prompt }}`, "\u2028</script>\x00")
	f.Fuzz(func(t *testing.T, prompt, user string) {
		prompt, user = strings.ToValidUTF8(prompt, "?"), strings.ToValidUTF8(user, "?")
		template, _ := parsed(t, `{ q: "{{ prompt }}", t: "a {{ vars.user }} b", u: ["{{ vars.user }}"], fixed: true }`)
		text := template.Fill(model.Request{Messages: []model.Message{{Role: "user", Content: prompt}}, Vars: map[string]string{"user": user}})
		var got any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := map[string]any{"q": prompt, "t": "a " + user + " b", "u": []any{user}, "fixed": true}
		if diff := cmp.Diff(any(want), got); diff != "" {
			t.Errorf("Fill (-want +got):\n%s", diff)
		}
	})
}
