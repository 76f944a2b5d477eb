package suite

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhatASuitesFileSaysAsAPrompt(t *testing.T) {
	const shop = "version: 1\nmessages: [{ role: system, content: Be exact. }, { role: user, content: \"{{ q }}\" }]\ncases:\n"
	hours, place := "  - { id: hours, vars: { q: When? }", "  - { id: place, vars: { q: Where? }"
	hint := func(text string) string { return ", messages: [{ role: system, content: " + text + " }]" }
	lines := func(prompt string) string {
		return fmt.Sprintf(`{"suite_id":"s","case_id":"a","prompt":"%[1]s a"}`+"\n"+`{"suite_id":"s","case_id":"b","prompt":"%[1]s b"}`, prompt)
	}
	for _, c := range []struct{ rule, name, base, head, want string }{
		{"the suite's messages", "s.yaml", shop + hours + " }", strings.ReplaceAll(shop, "exact", "brief") + hours + " }", "all: system:|Be exact.|user:|{{ q }}| > system:|Be brief.|user:|{{ q }}|"},
		{"a turn of the system that one case has", "s.yaml", shop + hours + " }\n" + place + " }", shop + hours + hint("Nine.") + " }\n" + place + " }", "hours:  > system:|Nine.|"},
		{"equal ones together", "s.yaml", shop + hours + hint("A") + " }\n" + place + hint("A") + " }", shop + hours + hint("B") + " }\n" + place + hint("B") + " }", "all: system:|A| > system:|B|"},
		{"a case's own turns of the user are its input", "s.yaml", shop + hours + " }", shop + hours + ", messages: [{ role: user, content: Now? }] }", ""},
		{"another variable is no other prompt", "s.yaml", shop + hours + " }", shop + strings.ReplaceAll(hours, "When?", "Why?") + " }", ""},
		{"lines with a prompt each", "s.jsonl", lines("Tell"), strings.Replace(lines("Tell"), "Tell b", "Say b", 1), "b: user:|Tell b| > user:|Say b|"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			one := func(text string) *Suite {
				all, _ := loaded(map[string]string{"suites/" + c.name: text})
				if len(all) != 1 {
					t.Fatalf("%d suites in %s", len(all), text)
				}
				return all[0]
			}
			var got []string
			for _, p := range ChangedSayings(one(c.base), one(c.head), 9) {
				who := strings.Join(p.Cases, ",")
				if p.Cases == nil {
					who = "all"
				}
				got = append(got, strings.ReplaceAll(who+": "+p.Base+" > "+p.Head, "\n", "|"))
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("changed: %q, want %q", text, c.want)
			}
		})
	}
}
