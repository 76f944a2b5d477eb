package cause_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
)

// Of two changed lines the one that breaks the case is named, by asking with each of them taken back.
func TestTheLineThatBrokeACaseIsNamed(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(last string) string {
		if strings.Contains(last, "Be brief") {
			return "no"
		}
		return "it is open"
	}))
	base := runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: live\ntargets:\n" +
			"  live: { provider: openai, model: small, base_url: \"" + server.URL + "\" }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n  - { id: a, expected_response: open, match: contains }\n",
		"p.md":   "You keep a shop.\n\nAnswer kindly.\n\nIs it open?\n",
	}
	head := base.Merge(runtest.Files{"p.md": "You keep a large shop.\n\nBe brief.\n\nIs it open?\n"})
	done, err := runtest.Run(t, runtest.Inputs(t, head, base, nil))
	if err != nil {
		t.Fatal(err)
	}
	e := done.Report.Explanation
	if done.Report.Verdict != report.Failed || e == nil || len(e.Hunks) != 2 || len(e.Cases) != 1 {
		t.Fatalf("%s, %v, explanation %+v", done.Report.Verdict, done.Report.Reasons, e)
	}
	c := e.Cases[0]
	if c.CaseID != "a" || len(c.Causes) != 1 || len(c.Causes[0].Parts) != 1 || len(c.Causes[0].Parts[0].Hunks) != 1 {
		t.Fatalf("the cause: %+v", c)
	}
	if r := e.Hunks[c.Causes[0].Parts[0].Hunks[0]].Regions[0]; r.Path != "p.md" || r.First != 3 || r.Last != 3 {
		t.Errorf("blamed is %+v, want line 3 of p.md", r)
	}
	if done.Report.Calls.Provider != len(server.Requests()) {
		t.Errorf("%d calls are counted, and %d were made", done.Report.Calls.Provider, len(server.Requests()))
	}
}

// What comes of taking back the guilty lines is asked: of the broken cases, and of a few that pass.
func TestWhatComesOfTakingTheLinesBackIsAsked(t *testing.T) {
	const brief, short, tidy = "Be brief.", "Be short.", "Be tidy."
	for _, c := range []struct {
		rule  string
		right func(prompt string) bool
		want  string
	}{
		{"one line of three cases", func(p string) bool { return !(strings.Contains(p, brief) && strings.Contains(p, "sold")) },
			"hunks [0], 3 of 3 mended, 12 asked, worse []"},
		{"one line of the third case, another one of two", func(p string) bool {
			return !(strings.Contains(p, brief) && strings.Contains(p, "sold-2") || strings.Contains(p, tidy) && (strings.Contains(p, "sold-0") || strings.Contains(p, "sold-1")))
		}, "hunks [0 2], 3 of 3 mended, 12 asked, worse []"},
		{"a case that the line mended", func(p string) bool {
			return !(strings.Contains(p, brief) && strings.Contains(p, "sold")) && (strings.Contains(p, brief) || !strings.Contains(p, "open-07"))
		}, "hunks [0], 3 of 3 mended, 12 asked, worse [{s open-07}]"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.TextStep(func(last string) string {
				return map[bool]string{true: "yes", false: "no"}[c.right(last)]
			}))
			suite := "version: 1\nid: s\nprompt: p.md\ncases:\n"
			add := func(id string) {
				suite += fmt.Sprintf("  - { id: %s, vars: { q: %s }, expected_response: 'yes', match: contains }\n", id, id)
			}
			for i := range 3 {
				add(fmt.Sprintf("sold-%d", i))
			}
			for i := range 30 {
				add(fmt.Sprintf("open-%02d", i))
			}
			base := runtest.Files{
				"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: live\ntargets:\n" +
					"  live: { provider: openai, model: small, base_url: \"" + server.URL + "\" }\n",
				"s.yaml": suite,
				"p.md":   "One.\n\nTwo.\n\nThree.\n\n{{ q }}?\n",
			}
			head := base.Merge(runtest.Files{"p.md": brief + "\n\n" + short + "\n\n" + tidy + "\n\n{{ q }}?\n"})
			done, err := runtest.Run(t, runtest.Inputs(t, head, base, nil))
			if err != nil {
				t.Fatal(err)
			}
			e := done.Report.Explanation
			if e == nil || e.Remedy == nil {
				t.Fatalf("%s, explanation %+v", done.Report.Verdict, e)
			}
			r := e.Remedy
			if got := fmt.Sprintf("hunks %v, %d of %d mended, %d asked, worse %v", r.Hunks, r.Fixed, r.Broken, r.Asked, r.Worse); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if e.Answers > e.MaxAnswers || done.Report.Calls.Provider != len(server.Requests()) {
				t.Errorf("%d answers of %d, %d calls of %d", e.Answers, e.MaxAnswers, done.Report.Calls.Provider, len(server.Requests()))
			}
		})
	}
}
