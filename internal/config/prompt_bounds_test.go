package config

import "testing"

func TestAPromptFileOfAForkAsksForWhatTheBaseNames(t *testing.T) {
	few, some, many := 100, 300, 9999999
	b := &PromptBounds{Models: []string{"mini", "large"}, Suites: map[string]PromptAsk{"desk": {Model: "large", MaxTokens: &few}}}
	target := Target{Model: "mini", MaxTokens: &some}
	for _, c := range []struct {
		rule, suite string
		in          *PromptBounds
		wants, want PromptAsk
	}{
		{"nothing bounds a head of the same repository", "desk", nil, PromptAsk{"o9", &many}, PromptAsk{"o9", &many}},
		{"another model is the base's of that file", "desk", b, PromptAsk{"o9", &few}, PromptAsk{"large", &few}},
		{"or its target's", "new", b, PromptAsk{"o9", &few}, PromptAsk{"mini", &few}},
		{"one that the base names anywhere will do", "desk", b, PromptAsk{"mini", &few}, PromptAsk{"mini", &few}},
		{"more tokens are the base's of that file", "desk", b, PromptAsk{"large", &many}, PromptAsk{"large", &few}},
		{"or its target's, too", "new", b, PromptAsk{"mini", &many}, PromptAsk{"mini", &some}},
		{"no limit is more than any", "desk", b, PromptAsk{"large", nil}, PromptAsk{"large", &few}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := c.in.Bound(c.suite, c.wants, target)
			if got.Model != c.want.Model || (got.MaxTokens == nil) != (c.want.MaxTokens == nil) || got.MaxTokens != nil && *got.MaxTokens != *c.want.MaxTokens {
				t.Errorf("Bound(%+v) = %+v, want %+v", c.wants, got, c.want)
			}
		})
	}
	if got := b.Bound("new", PromptAsk{Model: "mini"}, Target{Model: "mini"}); got.MaxTokens != nil {
		t.Errorf("%d tokens where the base names no limit", *got.MaxTokens)
	}
	if got := b.Bound("new", PromptAsk{"mini", &few}, target); got.MaxTokens != &few {
		t.Error("fewer tokens are not the fork's to say")
	}
}
