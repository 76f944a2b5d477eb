package machine

import (
	"strings"
	"testing"
)

func TestEveryRuleExplainsItself(t *testing.T) {
	for _, r := range rulesOf(nil) {
		for _, text := range []string{r.Short.Text, r.Full.Text, r.Help.Text} {
			if len(text) < 10 || len(text) > 1_024 || !strings.HasPrefix(r.HelpURI, "https://") {
				t.Errorf("rule %s says %q, at %s", r.ID, text, r.HelpURI)
			}
		}
	}
}
