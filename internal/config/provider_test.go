package config

import (
	"testing"

	"github.com/failproof/failproof/internal/expect"
)

func TestWhatAProviderCanDo(t *testing.T) {
	usage := HTTP{Answer: Answer{Usage: &expect.Extract{}}}
	for _, c := range []struct {
		of                          Target
		live, tellsCost, takesTools bool
		mostOut                     int
	}{
		{Target{}, false, false, true, 0},
		{Target{Provider: "recorded"}, false, false, true, 0},
		{Target{Provider: "echo"}, false, false, true, 0},
		{Target{Provider: "openai"}, true, false, true, 0},
		{Target{Provider: "anthropic"}, true, false, true, 4096},
		{Target{Provider: "http"}, true, false, false, 0},
		{Target{Provider: "http", HTTP: usage}, true, true, false, 0},
		{Target{Provider: "exec"}, true, true, false, 0},
	} {
		name := c.of.Provider
		if c.of.Live() != c.live || c.of.StatesCost() != c.tellsCost || c.of.Toolless() == c.takesTools || MaxOutputTokens(name) != c.mostOut {
			t.Errorf("%q: live %v, tells cost %v, takes no tools %v, at most %d tokens out; want %+v",
				name, c.of.Live(), c.of.StatesCost(), c.of.Toolless(), MaxOutputTokens(name), c)
		}
	}
}
