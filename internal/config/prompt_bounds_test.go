package config

import "testing"

func TestAPromptFileOfAForkAsksForWhatTheBaseNames(t *testing.T) {
	few, some, many := 100, 300, 9999999
	b := &PromptBounds{Models: []string{"mini", "large"}, Suites: map[string]PromptRequest{"desk": {Model: "large", MaxTokens: &few}}}
	target := Target{Model: "mini", MaxTokens: &some}
	for _, c := range []struct {
		rule, suite string
		in          *PromptBounds
		wants, want PromptRequest
	}{
		{"nothing bounds a head of the same repository", "desk", nil, PromptRequest{"o9", &many}, PromptRequest{"o9", &many}},
		{"another model is the base's of that file", "desk", b, PromptRequest{"o9", &few}, PromptRequest{"large", &few}},
		{"or its target's", "new", b, PromptRequest{"o9", &few}, PromptRequest{"mini", &few}},
		{"one that the base names anywhere will do", "desk", b, PromptRequest{"mini", &few}, PromptRequest{"mini", &few}},
		{"more tokens are the base's of that file", "desk", b, PromptRequest{"large", &many}, PromptRequest{"large", &few}},
		{"or its target's, too", "new", b, PromptRequest{"mini", &many}, PromptRequest{"mini", &some}},
		{"no limit is more than any", "desk", b, PromptRequest{"large", nil}, PromptRequest{"large", &few}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := c.in.Limit(c.suite, c.wants, target)
			if got.Model != c.want.Model || (got.MaxTokens == nil) != (c.want.MaxTokens == nil) || got.MaxTokens != nil && *got.MaxTokens != *c.want.MaxTokens {
				t.Errorf("Limit(%+v) = %+v, want %+v", c.wants, got, c.want)
			}
		})
	}
	if got := b.Limit("new", PromptRequest{Model: "mini"}, Target{Model: "mini"}); got.MaxTokens != nil {
		t.Errorf("%d tokens where the base names no limit", *got.MaxTokens)
	}
	if got := b.Limit("new", PromptRequest{"mini", &few}, target); got.MaxTokens != &few {
		t.Error("fewer tokens are not the fork's to say")
	}
}
