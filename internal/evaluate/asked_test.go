package evaluate

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/suite"
)

func TestWhatACaseAsks(t *testing.T) {
	const key = "sk-live-0123456789abcdefghij"
	messages := []model.Message{{Role: "system", Content: "Be kind."}, {Role: "user", Content: "Policy: 30 days.\n\nWhere is my kettle?"}}
	for _, c := range []struct {
		rule   string
		shared string // prompt key
		vars   map[string]string
		want   string
	}{
		{"the one variable of a shared prompt, not the prompt", "p", map[string]string{"message": " Where is my kettle?\n"}, "Where is my kettle?"},
		{"several variables by name", "p", map[string]string{"b": "2", "a": "1"}, "a: 1\nb: 2"},
		{"a question before the passages that it is about", "p", map[string]string{"passages": strings.Repeat("x", 900), "question": "May I?"},
			"question: May I?\npassages: " + strings.Repeat("x", maxInputBytes-len("question: May I?\npassages: ")) + "…"},
		{"a prompt of its own, as the model got it", "", map[string]string{"b": "2"}, "Policy: 30 days.\n\nWhere is my kettle?"},
		{"without variables the last message", "p", nil, "Policy: 30 days.\n\nWhere is my kettle?"},
		{"a secret is hidden", "p", map[string]string{"m": "my key is " + key}, "my key is " + redact.Mark},
		{"and never cut in two", "p", map[string]string{"m": strings.Repeat("x", maxInputBytes-5) + key}, strings.Repeat("x", maxInputBytes-5) + redact.Mark[:3] + "…"},
		{"a long text is cut between characters", "p", map[string]string{"m": strings.Repeat("語", 400)}, strings.Repeat("語", 266) + "…"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := resultRedactor{redact.New([]string{key}, nil)}.redactBeginning(caseInput(sideCase{suite: &suite.Suite{PromptKey: c.shared},
				c: &suite.Case{Body: &suite.Body{Vars: c.vars, SentVars: c.vars, Prompt: model.Request{Messages: messages}}}}, c.vars))
			if string(got) != c.want && !(strings.Contains(c.rule, "cut in two") && !strings.Contains(string(got), "sk-")) {
				t.Errorf("asked = %q, want %q", got, c.want)
			}
		})
	}
}
