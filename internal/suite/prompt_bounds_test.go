package suite

import (
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
			s := &Suite{ID: c.base, promptFile: true}
			k := Case{ID: "a", Body: &Body{}}
			k.Prompt.Model, k.Prompt.Parameters.MaxTokens = "mini", &few
			s.Cases.Add(k)
			b := NewPromptBounds(&config.Config{}, []*Suite{s})
			got := AllowedRequest(b, c.head, config.PromptRequest{Model: "o9", MaxTokens: &many}, config.Target{Model: "target"})
			if got.Model != "mini" || got.MaxTokens == nil || *got.MaxTokens != few {
				t.Errorf("Bound(%s) = %+v, want the base's model and tokens", c.head, got)
			}
		})
	}
}
