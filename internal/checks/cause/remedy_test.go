package cause_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks/cause"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

func readSides(t *testing.T, in sides.Inputs) *sides.Sides {
	t.Helper()
	plan, err := run.ReadPlan(in)
	if err != nil || document.HasErrors(plan.Sides.Faults) {
		t.Fatal(err, plan.Sides.Faults)
	}
	return plan.Sides
}

// explain finds the lines that broke some cases, and what comes of taking them back for these and for passing cases.
// Cases are named as suite/case.
func explain(t *testing.T, head, base runtest.Files, broken, passing []string) *report.Explanation {
	t.Helper()
	return explainIn(t, runtest.Inputs(t, head, base, nil), broken, passing)
}

func explainIn(t *testing.T, in sides.Inputs, broken, passing []string) *report.Explanation {
	t.Helper()
	p := readSides(t, in)
	session, _ := asking.OpenSession(p)
	defer session.Close()
	find := func(names []string) (out []cause.Case) {
		for _, name := range names {
			suiteID, caseID, _ := strings.Cut(name, "/")
			out = append(out, cause.Case{Pair: cause.OpenPair(p.Pairs.Find(suiteID, caseID))})
		}
		return out
	}
	e, _ := cause.ExplainCases(t.Context(), p, asking.NewPlan(p, nil, session), find(broken), find(passing))
	return e
}

// remedyIn describes the remedy of an explanation.
func remedyIn(e *report.Explanation) string {
	r := e.Remedy
	if r == nil {
		return "none"
	}
	return fmt.Sprintf("hunks %v, %d of %d mended, %d asked, worse %v", r.Hunks, r.Fixed, r.Broken, r.Asked, r.Worse)
}

// threeLines is a repository with suites s and t. Three lines of the prompt of both change, and one more of that of t.
func threeLines(address string) (head, base runtest.Files) {
	cases := "cases:\n"
	for _, id := range []string{"brief", "short", "tidy", "needs", "keen", "always", "never", "once"} {
		cases += "  - { id: " + id + ", vars: { q: " + id + " }, expected_response: 'yes', match: contains }\n"
	}
	base = runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml, t.yaml, u.yaml]\ndefault_target: live\ntargets:\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", concurrency: 1 }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\n" + cases,
		"p.md":   "One.\n\nTwo.\n\nThree.\n\n{{ q }}?\n",
		"t.yaml": "version: 1\nid: t\nprompt: t.md\n" + cases,
		"t.md":   "One.\n\n{{ q }}?\n",
		"u.yaml": "version: 1\nid: u\nprompt: p.md\ncases:\n  - { id: a, vars: { q: a }, expected_response: 'yes', match: contains }\n",
	}
	return base.Merge(runtest.Files{"p.md": "Be brief.\n\nBe short.\n\nBe tidy.\n\n{{ q }}?\n", "t.md": "Be new.\n\n{{ q }}?\n"}), base
}

// answerLines returns a model that answers the cases of threeLines by the lines of the prompt.
func answerLines() modeltest.Step {
	var asked atomic.Bool
	return modeltest.TextStep(func(prompt string) string {
		has := func(line string) bool { return strings.Contains(prompt, "Be "+line+".") }
		id := strings.TrimSuffix(strings.TrimSpace(prompt[strings.LastIndex(strings.TrimSpace(prompt), "\n"):]), "?")
		right := true
		switch id {
		case "brief", "short", "tidy":
			right = !has(id)
		case "needs": // "tidy" alone breaks it, too
			right = !has("brief") && (has("short") || !has("tidy"))
		case "keen": // "short" mended what "tidy" breaks
			right = has("short") || !has("tidy")
		case "never":
			right = false
		case "once": // the first answer without the line is wrong
			right = has("brief") || asked.Swap(true)
		}
		return map[bool]string{true: "yes", false: "no"}[right]
	})
}

func TestWhatARemedyCounts(t *testing.T) {
	for _, c := range []struct {
		rule            string
		broken, passing []string
		want            string
	}{
		{"what the search has proven needs no answer", []string{"s/brief"}, nil, "none"},
		{"nothing is left if every line broke a case", []string{"s/brief", "s/short", "s/tidy"}, []string{"s/always"}, "none"},
		{"each of two cases is mended", []string{"s/brief", "s/short"}, nil, "hunks [0 1], 2 of 2 mended, 0 asked, worse []"},
		{"a case that needs a line which broke another", []string{"s/needs", "s/short"}, nil, "hunks [0 1], 1 of 2 mended, 0 asked, worse []"},
		{"a case that no line broke", []string{"s/brief", "s/never"}, []string{"s/always"}, "hunks [0], 1 of 2 mended, 1 asked, worse []"},
		{"a case that is not broken", []string{"s/brief", "s/always"}, []string{"s/once"}, "hunks [0], 1 of 1 mended, 1 asked, worse []"},
		{"a passing case with one wrong answer", []string{"s/brief"}, []string{"s/once"}, "hunks [0], 1 of 1 mended, 1 asked, worse []"},
		{"a case that is wrong with the lines, too", []string{"s/brief"}, []string{"s/never"}, "hunks [0], 1 of 1 mended, 1 asked, worse []"},
		{"a case that gets worse", []string{"s/short"}, []string{"s/always", "s/keen"}, "hunks [1], 1 of 1 mended, 2 asked, worse [{s keen}]"},
		{"a passing case without the line", []string{"s/brief"}, []string{"t/always", "s/always"}, "hunks [0], 1 of 1 mended, 1 asked, worse []"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			head, base := threeLines(modeltest.Serve(t, answerLines()).URL)
			e := explain(t, head, base, c.broken, c.passing)
			if got := remedyIn(e); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A passing case whose prompt cannot be read without the guilty line is not asked.
func TestAPassingCaseWithoutAPromptIsNotAsked(t *testing.T) {
	head, base := threeLines(modeltest.Serve(t, answerLines()).URL)
	base["p.md"] = strings.Replace(base["p.md"], "One.", "{{ old }}.", 1)
	for _, f := range []runtest.Files{head, base} {
		f["s.yaml"] = strings.ReplaceAll(f["s.yaml"], "vars: {", "vars: { old: One,")
	}
	base["u.yaml"] = strings.Replace(base["u.yaml"], "vars: {", "vars: { old: One,", 1)
	e := explain(t, head, base, []string{"s/brief"}, []string{"u/a", "s/always"})
	if got, want := remedyIn(e), "hunks [0], 1 of 1 mended, 1 asked, worse []"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The budget is used to its last answer, and never exceeded.
func TestTheBudgetOfARemedy(t *testing.T) {
	asked := func(limit int) (answers, asked int) {
		server := modeltest.Serve(t, answerLines())
		head, base := threeLines(server.URL)
		for _, f := range []runtest.Files{head, base} {
			f["failproof.yml"] += fmt.Sprintf("explain: { max_calls: %d }\n", limit)
		}
		e := explain(t, head, base, []string{"s/brief"}, []string{"s/always", "s/tidy", "s/once"})
		if e.Remedy == nil || e.Answers > limit || len(server.Requests()) > limit {
			t.Fatalf("%+v; %d requests of %d", e, len(server.Requests()), limit)
		}
		return e.Answers, e.Remedy.Asked
	}
	enough, all := asked(1000)
	if answers, n := asked(enough); all != 3 || answers != enough || n != all {
		t.Errorf("with as many answers as needed: %d of %d, %d asked of %d", answers, enough, n, all)
	}
	if _, n := asked(enough - 1); n != all-1 {
		t.Errorf("with one answer fewer: %d asked of %d", n, all)
	}
}

// The prompts of a proof are asked in alternating order, so that a model that changes meanwhile favours none.
func TestAProofAlternates(t *testing.T) {
	server := modeltest.Serve(t, answerLines())
	head, base := threeLines(server.URL)
	explain(t, head, base, []string{"s/brief"}, nil)
	order := ""
	for _, r := range server.Requests() {
		order += map[bool]string{true: "1", false: "0"}[strings.Contains(string(r.Body), "Be brief")]
	}
	if !strings.HasSuffix(order, "0110011001100110") && !strings.HasSuffix(order, "1001100110011001") {
		t.Error(order)
	}
}

// A remedy is tried on live cases whose request changed and that the head answers right. Those that the base answers
// wrong come first.
func TestTheCasesOnWhichARemedyIsTried(t *testing.T) {
	head, base := threeLines(modeltest.UnusedURL)
	add := func(f runtest.Files, id string) {
		f["s.yaml"] += "  - { id: " + id + ", vars: { q: " + id + " }, expected_response: 'yes', match: contains }\n"
	}
	add(head, "new")
	for _, f := range []runtest.Files{head, base} {
		f["failproof.yml"] = strings.Replace(f["failproof.yml"], "u.yaml", "u.yaml, r.yaml", 1) +
			"  kept: { provider: recorded, path: r.jsonl }\n"
		f["r.jsonl"] = `{"suite_id":"r","case_id":"a","raw_response":"yes"}` + "\n"
		f["r.yaml"] = strings.Replace(f["u.yaml"], "id: u", "id: r\ntarget: kept", 1)
		f["t.md"] = base["t.md"]
	}
	p := readSides(t, runtest.Inputs(t, head, base, nil))
	var got []string
	for _, c := range cause.SelectPassing(p, func(both suite.Pair) (base, head bool) {
		return both.Head.ID != "once" && both.Head.ID != "needs" && both.Head.ID != "never", both.Head.ID != "never"
	}) {
		got = append(got, c.HeadSuite.ID+"/"+c.Head.ID)
	}
	if want := "[s/needs s/once s/brief s/short s/tidy s/keen s/always u/a]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	for i := range 80 {
		add(head, fmt.Sprint("many-", i))
		add(base, fmt.Sprint("many-", i))
	}
	gained := 0
	all := cause.SelectPassing(readSides(t, runtest.Inputs(t, head, base, nil)), func(both suite.Pair) (base, head bool) { return both.HeadSuite.ID != "u", true })
	for _, c := range all {
		if c.HeadSuite.ID == "u" {
			gained++
		}
	}
	if len(all) != 60 || gained != 1 {
		t.Errorf("%d cases, and %d of those that the base answers wrong", len(all), gained)
	}
}

// Of more than twelve changes, those without an effect on a request are dropped, and neighbours are joined.
func TestOfManyChangesTheLineIsNamed(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(prompt string) string {
		return map[bool]string{true: "no", false: "yes"}[strings.Contains(prompt, "Be 9.")]
	}))
	head, base := threeLines(server.URL)
	head["p.md"], base["p.md"] = "", ""
	for i := range 14 {
		head["p.md"] += fmt.Sprintf("Be %d.\n\nThis is paragraph %d.\n\n", i, i)
		base["p.md"] += fmt.Sprintf("Was %d.\n\nThis is paragraph %d.\n\n", i, i)
	}
	head["p.md"], base["p.md"] = head["p.md"]+"{{ q }}?\n", base["p.md"]+"{{ q }}?\n"
	head["s.yaml"] = strings.Replace(head["s.yaml"], "id: s\n", "id: s\ndescription: new\n", 1)
	e := explain(t, head, base, []string{"s/always"}, nil)
	if got, want := blamed(e), "told p.md:37-37"; got != want || len(e.Hunks) != 12 {
		t.Errorf("%s, want %s; %d hunks", got, want, len(e.Hunks))
	}
	for _, hunk := range e.Hunks {
		if r := hunk.Regions[0]; r.Path != "p.md" {
			t.Errorf("a hunk is at %s:%d", r.Path, r.First)
		}
	}
}

// A secret in a changed line is not told.
func TestASecretInALineIsRedacted(t *testing.T) {
	const secret = "sk-0123456789abcdef"
	head, base := threeLines(modeltest.Serve(t, answerLines()).URL)
	for _, f := range []runtest.Files{head, base} {
		f["failproof.yml"] = strings.Replace(f["failproof.yml"], "concurrency: 1", "concurrency: 1, api_key_env: KEY", 1)
	}
	base["p.md"] = "The key is " + secret + ".\n" + head["p.md"] // of a removed line the words are told
	in := runtest.Inputs(t, head, base, map[string]string{"KEY": secret})
	e := explainIn(t, in, []string{"s/never"}, nil)
	if words := string(e.Hunks[0].Regions[0].Words); !strings.HasPrefix(words, "The key is ") || strings.Contains(words, secret) {
		t.Errorf("told is %q", words)
	}
}

// The forecast counts the answers of a search for each live case that may break, if more than one line changed.
func TestTheForecastOfASearch(t *testing.T) {
	for _, c := range []struct {
		rule, suites, more string
		want               int
	}{
		{"one case", "u.yaml", "", 120},
		{"at most five cases", "s.yaml, t.yaml, u.yaml", "", 600},
		{"a recorded case needs none", "u.yaml, r.yaml", "", 120},
		{"no live case", "r.yaml", "", 0},
		{"a new suite needs none", "u.yaml, new.yaml", "", 120},
		{"one line", "t.yaml", "", 0},
		{"as many as the configuration says", "s.yaml, u.yaml", "explain: { max_calls: 50 }\n", 50},
		{"none are wanted", "u.yaml", "explain: off\n", 0},
	} {
		head, base := threeLines(modeltest.UnusedURL)
		head["new.yaml"] = strings.Replace(base["u.yaml"], "id: u", "id: new\ndescription: new", 1)
		for _, f := range []runtest.Files{head, base} {
			f["failproof.yml"] = strings.Replace(f["failproof.yml"], "s.yaml, t.yaml, u.yaml", c.suites, 1) +
				"  kept: { provider: recorded, path: r.jsonl }\n" + c.more
			f["r.jsonl"] = `{"suite_id":"r","case_id":"a","raw_response":"yes"}` + "\n"
			f["r.yaml"] = strings.Replace(base["u.yaml"], "id: u", "id: r\ntarget: kept", 1)
		}
		var extra forecast.ExtraCalls
		cause.New(readSides(t, runtest.Inputs(t, head, base, nil))).Cost(&extra)
		if extra.ExplainAnswers != c.want {
			t.Errorf("%s: %d answers, want %d", c.rule, extra.ExplainAnswers, c.want)
		}
	}
}
