package suite

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatCasesRepeatIsCountedBeforeItIsMade loads small files whose cases would take gigabytes of memory.
func TestWhatCasesRepeatIsCountedBeforeItIsMade(t *testing.T) {
	cases := func(n int, each string) string {
		var b strings.Builder
		b.WriteString("cases:\n")
		for i := range n {
			fmt.Fprintf(&b, "- {id: c%d%s}\n", i, each)
		}
		return b.String()
	}
	const head = "version: 1\nprompt: ../prompts/p.md\n"
	long := strings.Repeat("y", 200_000)
	for _, c := range []struct{ rule, prompt, suite, want string }{
		{"a prompt that repeats a long variable", strings.Repeat("{{x}}", 50), head + cases(1, ", vars: {x: "+long+"}"),
			`suites/s.yaml:4:3: the prompt of case "c0" is 9 MiB long with its variables filled in; at most 8 MiB are sent`},
		{"a long variable of every case", "{{x}}", head + "defaults: {vars: {x: " + long + "}}\n" + cases(5000, ""), "suites/s.yaml:5:1: "},
		{"a long prompt of every case", long + "{{x}}", head + cases(5000, ", vars: {x: 1}"), "suites/s.yaml:4:1: "},
		{"many assertions of every case", "Hi", head + "defaults: {assert: [" + strings.Repeat("\"response.text != ''\", ", 3000) + "\"true\"]}\n" + cases(5000, ""), "suites/s.yaml:5:1: "},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loaded(map[string]string{"suites/s.yaml": c.suite, "prompts/p.md": c.prompt})
			if len(ds) == 0 || !strings.HasPrefix(ds[0].Location()+": "+ds[0].Message, c.want) || ds[0].Rule != "too-large" {
				t.Errorf("faults = %v, want first %s… [too-large]", ds, c.want)
			}
		})
	}
}
