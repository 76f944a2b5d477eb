package leak_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/checks/leak"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// files are a suite whose two cases expect 14 May and 30 April, with a prompt.
func files(prompt string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ntargets: { kept: { provider: recorded, path: \"{suite}.jsonl\" } }\n",
		"s.yaml": "version: 1\nid: s\nmessages: [{ role: user, content: \"" + prompt + "\" }]\ncases:\n" +
			"  - { id: a, vars: { m: May, d: 14, date: 14 May, mo: 14 M, n: ay }, expected_response: 14 May, match: contains }\n" +
			"  - { id: b, vars: { m: April, d: 30, date: 30 April, mo: 30 Ap, n: ril }, expected_response: 30 April, match: contains }\n",
		"s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "14 May"}` + "\n" + `{"suite_id": "s", "case_id": "b", "raw_response": "30 April"}` + "\n",
	}
}

func TestVariablesThatTellTheAnswerAloneOrTogether(t *testing.T) {
	for _, c := range []struct {
		rule, base, head string
		want             string
	}{
		{"one alone", "When?", "When? {{ date }}", "date"},
		{"one alone, beside another", "When?", "When? {{ m }} {{ date }}", "date"},
		{"a half", "When?", "When? {{ d }}", ""},
		{"two halves", "When?", "When? {{ d }} {{ m }}", "d and m"},
		{"two halves far apart", "When?", "{{ d }} When? {{ m }}", "d and m"},
		{"two halves that are sent in another order", "When?", "When? {{ m }} {{ d }}", ""},
		{"parts of a word", "When?", "When? {{ mo }}{{ n }}", "mo and n"},
		{"one half that was sent before", "When? {{ d }}", "When? {{ d }} {{ m }}", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s, err := sides.Read(runtest.Inputs(t, files(c.head), files(c.base), nil))
			if err != nil || s.Selected == nil {
				t.Fatalf("%v, faults %v", err, s.Faults)
			}
			var found gate.Run
			leak.New(s).Static(&found)
			var want []gate.Leak
			if c.want != "" {
				want = []gate.Leak{{Variable: c.want, Suite: "s", Cases: 2, Checked: 2}}
			}
			if diff := cmp.Diff(want, found.Leaks); diff != "" {
				t.Errorf("leaks (-want +got):\n%s", diff)
			}
		})
	}
}

// found returns the leaks of a change from base to head, as "suite/variable cases of checked".
func found(t *testing.T, head, base runtest.Files) (out []string) {
	t.Helper()
	s, err := sides.Read(runtest.Inputs(t, head, base, nil))
	if err != nil || s.Selected == nil {
		t.Fatalf("%v, faults %v", err, s.Faults)
	}
	var in gate.Run
	leak.New(s).Static(&in)
	for _, l := range in.Leaks {
		out = append(out, fmt.Sprintf("%s/%s %d of %d", l.Suite, l.Variable, l.Cases, l.Checked))
	}
	return out
}

// many returns n cases of which the first wrong ones have a date that is not the answer.
func many(prompt, id string, n, wrong int) runtest.Files {
	suite := "version: 1\nid: " + id + "\nmessages: [{ role: user, content: \"" + prompt + "\" }]\ncases:\n"
	for i := range n {
		date := fmt.Sprintf("%d May", 1000+i)
		if i < wrong {
			date = "never"
		}
		suite += fmt.Sprintf("  - { id: c%d, vars: { date: %s }, expected_response: %d May, match: contains }\n", i, date, 1000+i)
	}
	return runtest.Files{
		"failproof.yml": files("")["failproof.yml"],
		"s.yaml":        suite,
	}
}

// A variable leaks if it passes nine tenths of its cases. Of a large suite, at most 50 cases are tried, evenly.
func TestHowManyCasesAVariableMustPass(t *testing.T) {
	for _, c := range []struct {
		n, wrong int
		want     []string
	}{
		{10, 1, []string{"s/date 9 of 10"}},
		{10, 2, nil},
		{50, 0, []string{"s/date 50 of 50"}},
		{51, 0, []string{"s/date 26 of 26"}},
		{150, 0, []string{"s/date 50 of 50"}},
	} {
		got := found(t, many("When? {{ date }}", "s", c.n, c.wrong), many("When?", "s", c.n, c.wrong))
		if !cmp.Equal(got, c.want) {
			t.Errorf("%d cases, %d of them wrong: %q, want %q", c.n, c.wrong, got, c.want)
		}
	}
}

// A value of more than 200 bytes is a document, in which the answer may be found.
func TestADocumentIsNoLeak(t *testing.T) {
	for length, want := range map[int][]string{200: {"s/date 2 of 2"}, 201: nil} {
		text := strings.Repeat("x", length-len(" 14 May")) + " 14 May"
		of := func(prompt string) runtest.Files {
			f := files(prompt)
			f["s.yaml"] = strings.NewReplacer("date: 14 May", "date: "+text, "date: 30 April", "date: "+text,
				"expected_response: 30 April", "expected_response: 14 May").Replace(f["s.yaml"])
			return f
		}
		if got := found(t, of("When? {{ date }}"), of("When?")); !cmp.Equal(got, want) {
			t.Errorf("%d bytes: %q, want %q", length, got, want)
		}
	}
}

// A suite is named once for all its targets. A case that is new or as before has no part in it.
func TestWhichCasesAreLookedAt(t *testing.T) {
	edited := func(f runtest.Files, old, changed string) runtest.Files {
		return f.Merge(runtest.Files{"s.yaml": strings.Replace(f["s.yaml"], old, changed, 1)})
	}
	base, head := files("When?"), files("When? {{ date }}")
	twice := func(f runtest.Files) runtest.Files {
		f = edited(f, "date: 14 May", "date: 14 May, day: 14 May")
		return edited(f, "date: 30 April", "date: 30 April, day: 30 April")
	}
	two := func(f runtest.Files) runtest.Files {
		f = edited(f, "id: s\n", "id: s\ntargets: [kept, too]\n")
		f["failproof.yml"] = strings.Replace(f["failproof.yml"], "targets: {", "targets: { too: { provider: recorded, path: \"too.jsonl\" },", 1)
		return f
	}
	other := func(f runtest.Files, prompt string) runtest.Files {
		f = f.Merge(runtest.Files{"a.yaml": many(prompt, "a", 3, 0)["s.yaml"]})
		f["failproof.yml"] = strings.Replace(f["failproof.yml"], "[s.yaml]", "[s.yaml, a.yaml]", 1)
		return f
	}
	for _, c := range []struct {
		rule       string
		head, base runtest.Files
		want       []string
	}{
		{"two targets", two(head), two(base), []string{"s/date 2 of 2"}},
		{"two suites", other(head, "When? {{ date }}"), other(base, "When?"), []string{"a/date 3 of 3", "s/date 2 of 2"}},
		{"one suite as before", other(head, "When?"), other(base, "When?"), []string{"s/date 2 of 2"}},
		{"two variables", twice(files("When? {{ day }} {{ date }}")), twice(base), []string{"s/date 2 of 2", "s/day 2 of 2"}},
		{"a case that is new", edited(head, "id: a, vars: { m: May, d: 14,", "id: c, vars: { m: May, d: 15,"), base, []string{"s/date 1 of 1"}},
		{"no base", head, nil, nil},
	} {
		if got := found(t, c.head, c.base); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}
