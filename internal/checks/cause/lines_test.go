package cause_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
)

// Of two changed lines the one that breaks the case is named, by asking with each of them taken back.
func TestTheLineThatBrokeACaseIsNamed(t *testing.T) {
	server := modeltest.Serve(t, modeltest.Texts(func(last string) string {
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
	head := base.With(runtest.Files{"p.md": "You keep a large shop.\n\nBe brief.\n\nIs it open?\n"})
	done, err := runtest.Judge(t, runtest.Inputs(t, head, base, nil))
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
	if done.Report.Calls.Provider != len(server.Asked()) {
		t.Errorf("%d calls are counted, and %d were made", done.Report.Calls.Provider, len(server.Asked()))
	}
}
