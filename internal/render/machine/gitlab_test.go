package machine

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
)

// TestGitLabReadsEveryState checks that the report of every state has the fields that GitLab requires, and no two equal
// entries.
func TestGitLabReadsEveryState(t *testing.T) {
	entries := 0
	for _, state := range rendertest.States {
		name, v := state.Name, storyOf(state.Run(), show.Links{Dir: "apps/shop"})
		text := GitLab(v)
		var issues []struct {
			Description, Fingerprint, Severity string
			CheckName                          string `json:"check_name"`
			Location                           struct {
				Path  string
				Lines struct{ Begin int }
			}
		}
		if err := json.Unmarshal(text, &issues); err != nil || issues == nil {
			t.Fatalf("%s: %v in %s", name, err, text)
		}
		if remarks := len(Annotations(v)); len(issues) != remarks {
			t.Errorf("%s: %d entries for %d remarks", name, len(issues), remarks)
		}
		prints := map[string]bool{}
		for _, i := range issues {
			if i.Description == "" || i.CheckName == "" || i.Fingerprint == "" || prints[i.Fingerprint] || i.Location.Path == "" || i.Location.Lines.Begin < 1 ||
				!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
				t.Errorf("%s: %+v", name, i)
			}
			prints[i.Fingerprint] = true
			entries++
		}
	}
	if entries < 10 {
		t.Errorf("only %d entries in all states", entries)
	}
}
