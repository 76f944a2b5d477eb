package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
)

func TestAPromptFileIsBoundWhoeverAnswersIt(t *testing.T) {
	few, many := 100, 9999999
	for _, c := range []struct{ rule, base, head string }{
		{"by the same target", "desk", "desk"},
		{"by several, where one did", "desk", "desk@fast"},
		{"by one, where several did", "desk@fast", "desk"},
		{"each by its own", "desk@fast", "desk@fast"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := &Suite{ID: c.base, PromptFile: true}
			k := Case{ID: "a", Body: &Body{}}
			k.Prompt.Model, k.Prompt.Parameters.MaxTokens = "mini", &few
			s.Cases.Add(k)
			b := NewPromptBounds(&config.Config{}, []*Suite{s})
			got := b.Limit(c.head, config.PromptRequest{Model: "o9", MaxTokens: &many}, config.Target{Model: "target"})
			if got.Model != "mini" || got.MaxTokens == nil || *got.MaxTokens != few {
				t.Errorf("Limit(%s) = %+v, want the base's model and tokens", c.head, got)
			}
		})
	}
}

func TestAnotherModelOrParameterOfAPromptFileIsAChangedSetting(t *testing.T) {
	const (
		rest = "messages: [{ role: user, content: \"{{q}}\" }]\ntestData: [{ q: a }, { q: b }]\n"
		mini = "model: gpt-5-mini\n"
	)
	more, half := 300, 0.5
	for _, c := range []struct {
		rule, base, head string
		target           config.Target // of the head; the base's has only the model gpt-5-mini
		want             []string
	}{
		{"another model", mini, "model: o9\n", config.Target{}, []string{"model gpt-5-mini o9"}},
		{"the parameters", mini + "modelParameters: { maxTokens: 30, topP: 1 }\n", mini + "modelParameters: { maxTokens: 9000, temperature: 0.5 }\n",
			config.Target{}, []string{"temperature  0.5", "top_p 1 ", "max_tokens 30 9000"}},
		{"the format", "responseFormat: json_object\n", "responseFormat: json_schema\njsonSchema: '{\"type\": \"object\"}'\n", config.Target{},
			[]string{"responseFormat json_object json_schema", `jsonSchema  {"type":"object"}`}},
		{"a model in place of the target's", "", "model: o9\n", config.Target{}, []string{"model gpt-5-mini o9"}},
		{"the target's in place of a model", "model: o9\n", "", config.Target{}, []string{"model o9 gpt-5-mini"}},
		{"written otherwise", mini + "modelParameters: { temperature: 0.50 }\n", "modelParameters: { temperature: 0.5 }\n", config.Target{}, nil},
		{"the target's own are the target's", "", "", config.Target{Model: "o9", MaxTokens: &more, Temperature: &half}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			load := func(text string, own config.Target) []*Suite {
				cfg := settings()
				if own.Provider = "openai"; own.Model == "" {
					own.Model = "gpt-5-mini"
				}
				cfg.Targets, cfg.DefaultTargets = map[string]config.Target{"fast": own}, []string{"fast"}
				suites, ds := loadOpen(tree(map[string]string{"desk.prompt.yml": text + rest}), cfg, []string{"*.prompt.yml"})
				check(t, ds, nil)
				return suites
			}
			base, head := load(c.base, config.Target{}), load(c.head, c.target)
			ApplyBase(Join(base, head))
			var got []string
			for _, one := range RequestChanges(Join(base, head)) {
				if !one.Effective || one.Path != "desk.prompt.yml" {
					t.Errorf("%+v: want a change of the prompt file that is in effect", one)
				}
				got = append(got, strings.TrimPrefix(one.Key, "suites.desk.")+" "+one.Base+" "+one.Head)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("changes %q, want %q", got, c.want)
			}
		})
	}
}
