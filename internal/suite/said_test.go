package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/suiteid"
)

func TestWhatASuitesFileSaysAsAPrompt(t *testing.T) {
	const shop = "version: 1\nmessages: [{ role: system, content: Be exact. }, { role: user, content: \"{{ q }}\" }]\ncases:\n"
	hours, place := "  - { id: hours, vars: { q: When? }", "  - { id: place, vars: { q: Where? }"
	hint := func(text string) string { return ", messages: [{ role: system, content: " + text + " }]" }
	lines := func(prompt string) string {
		return fmt.Sprintf(`{"suite_id":"s","case_id":"a","prompt":"%[1]s a"}`+"\n"+`{"suite_id":"s","case_id":"b","prompt":"%[1]s b"}`, prompt)
	}
	turns := func(all ...string) string { return ", messages: [{ role: " + strings.Join(all, " }, { role: ") + " }]" }
	const toolsText = `[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{}}}}]`
	const one = "cases:\n  - { id: a, assert: [\"response.text == 'x'\"] }\n"
	asked := func(messages string) string { return "version: 1\nmessages: [" + messages + "]\n" + one }
	for _, c := range []struct{ rule, name, base, head, want string }{
		{"the suite's messages", "s.yaml", shop + hours + " }", strings.ReplaceAll(shop, "exact", "brief") + hours + " }", "all: system:|  Be exact.|user:|  {{ q }}| > system:|  Be brief.|user:|  {{ q }}|"},
		{"a turn of the system that one case has", "s.yaml", shop + hours + " }\n" + place + " }", shop + hours + hint("Nine.") + " }\n" + place + " }", "hours:  > system:|  Nine.|"},
		{"equal ones together", "s.yaml", shop + hours + hint("A") + " }\n" + place + hint("A") + " }", shop + hours + hint("B") + " }\n" + place + hint("B") + " }", "all: system:|  A| > system:|  B|"},
		{"a case's own turns of the user are its input", "s.yaml", shop + hours + " }", shop + hours + ", messages: [{ role: user, content: Now? }] }", ""},
		{"another variable is no other prompt", "s.yaml", shop + hours + " }", shop + strings.ReplaceAll(hours, "When?", "Why?") + " }", ""},
		{"the order of a case's own turns is the prompt's where one of them is the system's", "s.yaml", shop + hours + turns("system, content: A", "user, content: Now?") + " }", shop + hours + turns("user, content: Now?", "system, content: A") + " }", "all: system:|  A|user: …| > user: …|system:|  A|"},
		{"a file that is read no more", "s.yaml", asked("{ role: system, file: p.md }, { role: user, content: Hi }"), asked("{ role: user, content: Hi }"), "all: system:|  Never promise.|  user:|  Twice.|user:|  Hi| > user:|  Hi|"},
		{"a file by another role", "s.yaml", asked("{ role: system, file: p.md }"), asked("{ role: user, file: p.md }"), `all: system: "suites/p.md"| > user: "suites/p.md"|`},
		{"files in another order", "s.yaml", asked("{ role: user, file: p.md }, { role: user, file: q.md }"), asked("{ role: user, file: q.md }, { role: user, file: p.md }"), `all: user: "suites/p.md"|user: "suites/q.md"| > user: "suites/q.md"|user: "suites/p.md"|`},
		{"a file that takes the place of another is told of the file", "s.yaml", asked("{ role: user, file: p.md }"), asked("{ role: user, file: q.md }"), ""},
		{"a file of messages that is read no more", "s.yaml", "version: 1\nprompt: chat.json\n" + one, asked("{ role: user, content: Hi }"), "all: system:|  Calm.|user:|  Hi| > user:|  Hi|"},
		{"what a file of messages says is told of the file", "s.yaml", "version: 1\nprompt: chat.json\n" + one, "version: 1\nprompt: q.md\n" + one, `all: "suites/q.md"| > user: "suites/q.md"|`},
		{"a text that looks like two messages", "s.yaml", asked("{ role: system, content: Never. }, { role: user, content: Hi }"), asked(`{ role: system, content: "Never.\nuser:\nHi" }`), "all: system:|  Never.|user:|  Hi| > system:|  Never.|  user:|  Hi|"},
		{"a text that looks like a file", "s.yaml", asked("{ role: user, file: p.md }, { role: user, file: p.md }"), asked(`{ role: user, file: p.md }, { role: user, content: '"suites/p.md"' }`), `all: user: "suites/p.md"|user: "suites/p.md"| > user: "suites/p.md"|user:|  "suites/p.md"|`},
		{"tools that are offered no more", "s.yaml", "tools: t.json\n" + asked("{ role: user, content: Hi }"), asked("{ role: user, content: Hi }"), "all: tools:|  " + toolsText + "|user:|  Hi| > user:|  Hi|"},
		{"lines with a prompt each", "s.jsonl", lines("Tell"), strings.Replace(lines("Tell"), "Tell b", "Say b", 1), "b: user:|  Tell b| > user:|  Say b|"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			one := func(text string) *Suite {
				all, _ := loaded(map[string]string{"suites/" + c.name: text, "suites/p.md": "Never promise.\nuser:\nTwice.", "suites/q.md": "Hello.",
					"suites/chat.json": `[{"role":"system","content":"Calm."},{"role":"user","content":"Hi"}]`, "suites/t.json": toolsText})
				if len(all) != 1 {
					t.Fatalf("%d suites in %s", len(all), text)
				}
				return all[0]
			}
			var got []string
			for _, p := range ChangedMessages(suiteid.Matches{}, one(c.base), one(c.head), 9) {
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

func TestACaseOfAnotherSuiteIsAnotherEvenWithTheSameID(t *testing.T) {
	load := func(id, prompt string) *Suite {
		all, _ := loaded(map[string]string{"suites/s.jsonl": fmt.Sprintf(`{"suite_id":%q,"case_id":"a","prompt":%q}`, id, prompt)})
		return all[0]
	}
	base, head := load("s", "Tell a"), load("new", "Say a")
	if got := ChangedMessages(suiteid.Matches{}, base, head, 9); len(got) > 0 {
		t.Errorf("changed: %+v, want nothing", got)
	}
	if got := ChangedMessages(suiteid.Matches{SuiteIDs: map[string]string{"s": "new"}}, base, head, 9); len(got) != 1 {
		t.Errorf("in a renamed suite: %+v, want one change", got)
	}
}

func TestACaseThatMovedBringsItsOwnMessages(t *testing.T) {
	load := func(text string) *Suite {
		all, _ := loaded(one(text + "cases: [{ id: a, vars: { q: x }, messages: [{ role: system, content: Calm. }] }, { id: b, vars: { q: y } }]\n"))
		return all[0]
	}
	base, head := load("messages: [{ role: user, content: 'Tell {{ q }}' }]\n"), load("messages: [{ role: user, content: 'Say {{ q }}' }]\n")
	var moved []Pair
	for i := range len(base.Cases) {
		moved = append(moved, Pair{BaseSuite: base, Base: base.Cases[i], HeadSuite: head, Head: head.Cases[i]})
	}
	for limit, want := range []string{
		"[]",
		`["user:\n  Tell {{ q }}\nsystem:\n  Calm.\n" "user:\n  Say {{ q }}\nsystem:\n  Calm.\n" ["a"]]`,
		`["user:\n  Tell {{ q }}\nsystem:\n  Calm.\n" "user:\n  Say {{ q }}\nsystem:\n  Calm.\n" ["a"] "user:\n  Tell {{ q }}\n" "user:\n  Say {{ q }}\n" ["b"]]`,
	} {
		var got []any
		for _, m := range MovedMessages(moved, head, limit) {
			got = append(got, m.Base, m.Head, m.Cases)
		}
		if text := fmt.Sprintf("%q", got); text != want {
			t.Errorf("of at most %d: %s, want %s", limit, text, want)
		}
	}
}
