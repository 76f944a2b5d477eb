package recorded_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
)

func TestAStaleAnswerSaysThatNothingButWhiteSpaceOrTheModelDiffers(t *testing.T) {
	asking := func(texts ...string) model.Request {
		q := model.Request{SuiteID: "s", CaseID: "a", Trial: 1, Provider: model.Recorded}
		for _, text := range texts {
			q.Messages = append(q.Messages, model.Message{Role: model.RoleUser, Content: text})
		}
		return q
	}
	withModel := func(q model.Request) model.Request {
		q.Model = "m"
		return q
	}
	const atItsEnd, inside, another = "made for this prompt with other white space at its end", "made for this prompt with other white space (", "made for another prompt or input"
	for _, c := range []struct {
		rule     string
		was, now model.Request
		known    bool // the base is at hand
		want     string
	}{
		{"a line end more", asking("Help."), asking("Help.\n"), false, atItsEnd},
		{"a line end less", asking("Help.\n"), asking("Help."), false, atItsEnd},
		{"of the first of two messages", asking("Help.", "Why? "), asking("Help.\n", "Why? "), false, atItsEnd},
		{"of both", asking("Help.", "Why?"), asking("Help.\n", "Why?\n"), false, atItsEnd},
		{"within, beside the base", asking("Help me."), asking("Help  me."), true, inside},
		{"within, without a base", asking("Help me."), asking("Help  me."), false, another},
		{"another word", asking("Help me."), asking("Help us.\n"), true, another},
		{"another model alone", withModel(asking("Help me.")), asking("Help me."), true, "made with another model or other parameters of the prompt file ("},
		{"another model as well", withModel(asking("Help me.")), asking("Help  me."), true, another},
	} {
		client := load(t, line(`"request_key":"`+c.was.Key()+`","raw_response":"x"`))
		client.Bind(recorded.Binding{BaseCase: func(string, string) (b recorded.BaseCase) {
			if c.known {
				b.Request = func() model.Request { return c.was }
			}
			return b
		}})
		got, err := client.Answer(t.Context(), c.now)
		if err != nil || got.Failure == nil || !strings.Contains(string(got.Failure.Message), c.want) {
			t.Errorf("%s: %+v, %v, want %q", c.rule, got.Failure, err, c.want)
		}
	}
}
