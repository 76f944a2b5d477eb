package cause_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
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

// shop is a repository whose model at the address answers a case right, unless the prompt says to be brief.
func shop(address string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: live\ntargets:\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", patience: 1ms }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n  - { id: a, expected_response: open, match: contains }\n",
		"p.md":   "You keep a shop.\n\nAnswer kindly.\n\nIs it open?\n",
	}
}

const brief = "You keep a large shop.\n\nBe brief.\n\nIs it open?\n"

// unlessBrief answers wrong if the prompt says to be brief. The prompt may be the system's, a message before the last.
func unlessBrief(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	answer := "it is open"
	if strings.Contains(string(body), "Be brief") {
		answer = "no"
	}
	modeltest.JSON(modeltest.Completion(answer))(w, r)
}

func edited(files runtest.Files, name, old, changed string) runtest.Files {
	return files.Merge(runtest.Files{name: strings.Replace(files[name], old, changed, 1)})
}

// blamed describes what an explanation says of its first case: the outcome and the places of the lines.
func blamed(e *report.Explanation) string {
	if e == nil {
		return "nothing"
	}
	out := e.Cases[0].Outcome
	for _, c := range e.Cases[0].Causes {
		for _, part := range c.Parts {
			for _, hunk := range part.Hunks {
				for _, r := range e.Hunks[hunk].Regions {
					out += fmt.Sprintf(" %s:%d-%d", r.Path, r.First, r.Last)
				}
			}
		}
	}
	return out
}

// The line is named wherever it is: in a prompt or in the suite, of a file or case that moves, for one target of two.
func TestWhereTheLineMayBe(t *testing.T) {
	named := func(f runtest.Files) runtest.Files { // a case that is known by its input
		return edited(edited(f, "s.yaml", "id: a,", "id: a, vars: { q: shop },"), "p.md", "it", "the {{ q }}")
	}
	for _, c := range []struct {
		rule         string
		base, change func(runtest.Files) runtest.Files
		want         string
	}{
		{"in the prompt", nil, nil, "told p.md:3-3"},
		{"in a prompt that moves", nil, func(f runtest.Files) runtest.Files {
			f = edited(f, "s.yaml", "p.md", "q.md").Merge(runtest.Files{"q.md": f["p.md"]})
			delete(f, "p.md")
			return f
		}, "told q.md:3-3"},
		{"in the suite", nil, func(f runtest.Files) runtest.Files {
			return edited(f, "s.yaml", "prompt: p.md", "messages: [{ role: user, file: p.md }, { role: assistant, content: Be brief }, { role: user, content: Well? }]").
				Merge(runtest.Files{"p.md": "You keep a large shop.\n\nAnswer well.\n\nIs it open?\n"})
		}, "told s.yaml:3-3"},
		{"in the prompt of a case with another name", named, func(f runtest.Files) runtest.Files {
			return edited(edited(f, "s.yaml", "id: a,", "id: b,"), "p.md", "it", "the {{ q }}")
		}, "told p.md:3-3"},
		{"in the prompt of a case whose former name another case has", named, func(f runtest.Files) runtest.Files {
			f = edited(f, "s.yaml", "id: a,", "id: b,")
			f = edited(f, "s.yaml", "cases:\n", "cases:\n  - { id: a, vars: { q: door }, expected_response: 'no', match: contains }\n")
			return edited(f, "p.md", "it", "the {{ q }}")
		}, "told p.md:3-3"},
		{"in the prompt of a suite with another name", nil, func(f runtest.Files) runtest.Files {
			return edited(f, "s.yaml", "id: s\n", "id: t\n")
		}, "told p.md:3-3"},
		{"in the prompt that one of two targets gets", func(f runtest.Files) runtest.Files {
			f["failproof.yml"] += "  other: { provider: openai, model: large, base_url: \"ADDRESS\" }\n"
			return edited(f, "s.yaml", "id: s\n", "id: s\ntargets: [live, other]\n")
		}, nil, "told p.md:3-3"},
		{"in the prompt of a suite that moves and gets a name", func(f runtest.Files) runtest.Files {
			return edited(edited(f, "s.yaml", "id: s\n", ""), "failproof.yml", "[s.yaml]", "['*.yaml']")
		}, func(f runtest.Files) runtest.Files {
			f["t.yaml"] = strings.Replace(f["s.yaml"], "version: 1\n", "version: 1\nid: u\n", 1)
			delete(f, "s.yaml")
			return f
		}, "told p.md:3-3"},
		{"in the file of the cases", func(f runtest.Files) runtest.Files {
			f["rows.csv"] = "id,kind,size,expected_response\na,kind,small,open\n"
			f["s.yaml"] = "version: 1\nid: s\nprompt: p.md\ndefaults: { match: contains }\ncases: { file: rows.csv }\n"
			return edited(edited(f, "p.md", "kindly", "{{ kind }}"), "p.md", "shop", "{{ size }} shop")
		}, func(f runtest.Files) runtest.Files {
			f["p.md"] = "You keep a {{ size }} shop, yes.\n\nAnswer {{ kind }}.\n\nIs it open?\n"
			return edited(f, "rows.csv", "a,kind,", "a,Be brief,")
		}, "told rows.csv:2-2"},
		{"in a suite below a folder, for two targets", func(f runtest.Files) runtest.Files {
			f["failproof.yml"] += "  other: { provider: openai, model: large, base_url: \"ADDRESS\" }\n"
			f["suites/shop/s.yaml"] = strings.Replace(f["s.yaml"], "id: s\nprompt: p.md", "targets: [live, other]\nprompt: ../../p.md", 1)
			delete(f, "s.yaml")
			return edited(f, "failproof.yml", "[s.yaml]", "['suites/**/*.yaml']")
		}, nil, "told p.md:3-3"},
		{"in a folder whose name looks like a pattern", func(f runtest.Files) runtest.Files {
			f["[shop]/s.yaml"] = strings.Replace(f["s.yaml"], "prompt: p.md", "prompt: ../p.md", 1)
			delete(f, "s.yaml")
			return edited(f, "failproof.yml", "[s.yaml]", "['**/s.yaml']")
		}, nil, "told p.md:3-3"},
	} {
		server := modeltest.Serve(t, unlessBrief)
		base := shop(server.URL)
		if c.base != nil {
			base = c.base(base)
			base["failproof.yml"] = strings.ReplaceAll(base["failproof.yml"], "ADDRESS", server.URL)
		}
		head := base.Merge(runtest.Files{"p.md": brief})
		if c.change != nil {
			head = c.change(head)
		}
		done, err := runtest.Run(t, runtest.Inputs(t, head, base, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := blamed(done.Report.Explanation); got != c.want {
			t.Errorf("%s: %s, want %s; %s %v", c.rule, got, c.want, done.Report.Verdict, done.Report.Reasons)
			continue
		}
		for _, one := range done.Report.Explanation.Cases {
			if one.Outcome != report.ExplainFound {
				t.Errorf("%s: %s/%s is %s", c.rule, one.SuiteID, one.CaseID, one.Outcome)
			}
		}
		if done.Report.Calls.Provider != len(server.Requests()) {
			t.Errorf("%s: %d calls are counted, and %d were made", c.rule, done.Report.Calls.Provider, len(server.Requests()))
		}
	}
}

// What ends the search is told, and changes no verdict.
func TestWhatEndsTheSearch(t *testing.T) {
	down := modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"no","code":"invalid_api_key"}}`)
	for _, c := range []struct {
		rule, rules string
		answered    int
		ended       string
		outcome     string
	}{
		{"nothing", "", 1000, "", "told"},
		{"the budget of the run", "limits: { max_calls: 20 }\n", 1000, "limits.max_calls (20) is used up", "untold"},
		{"the budget of the search", "explain: { max_calls: 16 }\n", 1000, "", "untold"},
		{"the model goes down", "", 20, "HTTP 401", "untold"},
		{"no search is wanted", "explain: off\n", 1000, "", ""},
	} {
		steps := slices.Repeat([]modeltest.Step{unlessBrief}, c.answered)
		base := shop(modeltest.Serve(t, append(steps, down)...).URL)
		base["failproof.yml"] += c.rules
		done, err := runtest.Run(t, runtest.Inputs(t, base.Merge(runtest.Files{"p.md": brief}), base, nil))
		if err != nil {
			t.Fatal(err)
		}
		e := done.Report.Explanation
		if says := strings.Contains(done.Messages, "tell which line did it"); says != (c.outcome != "") {
			t.Errorf("%s: it says %q", c.rule, done.Messages)
		}
		if c.outcome == "" && e == nil && done.Report.Verdict == report.Failed {
			continue
		}
		if e == nil || done.Report.Verdict != report.Failed || !strings.HasPrefix(e.Ended, c.ended) || (e.Ended == "") != (c.ended == "") || e.Cases[0].Outcome != c.outcome {
			t.Errorf("%s: %s %v, %+v", c.rule, done.Report.Verdict, done.Report.Reasons, e)
		}
	}
}

// Of one changed line, and of a recorded case, nothing is asked: the first is known to have done it, and the second has
// no model to ask.
func TestWhereNothingIsAskedToFindTheLine(t *testing.T) {
	for _, c := range []struct{ rule, prompt, suite, want string }{
		{"one line", strings.Replace(brief, "a large", "a", 1), "", "whole p.md:3-3"},
		{"a recorded case", brief, "target: kept\n", "nothing"},
	} {
		server := modeltest.Serve(t, unlessBrief)
		base := edited(shop(server.URL), "s.yaml", "id: s\n", "id: s\n"+c.suite)
		base["failproof.yml"] += "  kept: { provider: recorded, path: r.jsonl }\n"
		base["r.jsonl"] = `{"suite_id": "s", "case_id": "a", "raw_response": "it is open"}` + "\n"
		head := base.Merge(runtest.Files{"p.md": c.prompt, "r.jsonl": strings.Replace(base["r.jsonl"], "open", "shut", 1)})
		done, err := runtest.Run(t, runtest.Inputs(t, head, base, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := blamed(done.Report.Explanation); got != c.want || strings.Contains(done.Messages, "tell which line did it") {
			t.Errorf("%s: %s, %s %v; it says %q", c.rule, got, done.Report.Verdict, done.Report.Reasons, done.Messages)
		}
		if e := done.Report.Explanation; e != nil && e.Answers > 0 {
			t.Errorf("%s: %d answers", c.rule, e.Answers)
		}
	}
}
