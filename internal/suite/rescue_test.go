package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFaultyBaseIsReadCaseByCase(t *testing.T) {
	const text = `version: 1
id: s
prompt: ../prompts/p.md
weight: 3
min_score: 0.5
defaults: { severity: high }
cases:
  - id: a
    expected_response: yes it is
  - id: b
    expected_response: "/[0-9]+/"
    policies: [no-promises]
  - id: c
    must_pass: true
`
	const whole = "s[a b c] weight 3 bar 0.5"
	about := func(suites []*Suite) string {
		var out []string
		for _, s := range suites {
			var ids []string
			for _, c := range s.Cases {
				if c.Keys().RequestKey == (Key{}) || c.Keys().ExpectationKey == (Key{}) {
					t.Errorf("case %s has no key", c.ID)
				}
				ids = append(ids, c.ID)
			}
			bar := format(s.MinScore)
			if s.ThresholdInvalid {
				bar = "unknown"
			}
			out = append(out, fmt.Sprintf("%s[%s] weight %v bar %s", s.ID, strings.Join(ids, " "), s.Weight, bar))
		}
		return strings.Join(out, "; ")
	}
	for _, c := range []struct {
		rule, old, new string
		suites, lost   string
	}{
		{"without a fault it is whole", "", "", whole, ""},
		{"a pattern that does not compile costs its case", "[0-9]+", "[0-9", "s[a c] weight 3 bar 0.5", ""},
		{"an unknown policy costs the case that names it", "no-promises", "no-names", "s[a c] weight 3 bar 0.5", ""},
		{"a key of a case", "must_pass: true", "must_pas: true", "s[a b] weight 3 bar 0.5", ""},
		{"an id that is there twice costs the second", "id: c", "id: a", "s[a b] weight 3 bar 0.5", ""},
		{"a key that is there twice costs its case", "must_pass: true", "must_pass: true\n    must_pass: false", "s[a b] weight 3 bar 0.5", ""},
		{"two faults of one case cost it alone", "policies: [no-promises]", "policies: [no-names, no-more]\n    must_pas: true", "s[a c] weight 3 bar 0.5", ""},
		{"several cases", "id: a\n    expected_response", "id: a\n    expect", "s[b c] weight 3 bar 0.5", ""},
		{"a weight falls to its default", "weight: 3", "weight: heavy", "s[a b c] weight 1 bar 0.5", ""},
		{"of a bar nothing is known", "min_score: 0.5", "min_score: 5", "s[a b c] weight 3 bar unknown", ""},
		{"a prompt that is not there costs the suite", "p.md", "q.md", "", "s[] weight 3 bar 0.5"},
		{"so do its defaults", "severity: high }", "severity: higher }", "", "s[] weight 3 bar 0.5"},
		{"a target that is not there costs the suite, and its weight can be told", "weight: 3", "weight: 3\ntarget: nobody", "", "s[] weight 3 bar 0.5"},
		{"of one that does not parse nothing can be told", "version: 1", "version: [", "", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if !strings.Contains(text, c.old) {
				t.Fatal("nothing to replace")
			}
			files := map[string]string{"suites/s.yaml": strings.Replace(text, c.old, c.new, 1), "prompts/p.md": "Say it"}
			suites, lost, ds := LoadBase(tree(files), settings(), settings().Suites)
			if got := about(suites); got != c.suites {
				t.Errorf("suites %s, want %s; %v", got, c.suites, lines(ds))
			}
			if got := about(lost); got != c.lost {
				t.Errorf("lost %s, want %s; %v", got, c.lost, lines(ds))
			}
			_, all := Load(tree(files), settings(), settings().Suites)
			if diff := cmp.Diff(lines(all), lines(ds)); diff != "" {
				t.Errorf("the faults are not those of Load (-Load +LoadBase):\n%s", diff)
			}
		})
	}
}

func TestAFaultyBaseOfLinesIsReadLineByLine(t *testing.T) {
	files := map[string]string{
		"prompts/p.md": "",
		"suites/f.jsonl": `{"case_id":"a","suite_id":"f","prompt":"p","expected_response":"x"}` + "\n" + `{"case_id":"b","suite_id":"f"` + "\n" +
			`{"case_id":"c","suite_id":"f","prompt":"p","expected_response":""}` + "\n" + `{"case_id":"d","suite_id":"f","prompt":"p"}` + "\n",
		// Rows are identified by their number, so leaving one out would change the others.
		"suites/m.prompt.yml": "messages: [{ role: user, content: \"{{ q }}\" }]\ntestData:\n  - { q: 1 }\n  - [x]\n  - { q: 2 }\n",
	}
	suites, lost, ds := LoadBase(tree(files), settings(), settings().Suites)
	if len(suites) != 1 || len(lost) != 1 || lost[0].ID != "m" || len(suites[0].Cases) != 2 {
		t.Fatalf("suites %+v, lost %v, %v", suites, lost, lines(ds))
	}
	if ids := suites[0].Cases[0].ID + suites[0].Cases[1].ID; ids != "ad" {
		t.Errorf("cases %s are left of the lines, want a and d", ids)
	}
}

func TestWhatIsKnownOfALostSuiteHoldsForTheHead(t *testing.T) {
	base := []*Suite{{ID: "a", Weight: 2, MinScore: ref(0.9)}, {ID: "b", Weight: 1}}
	head := []*Suite{made("a", "x r e"), made("b", "x r e"), made("c", "x r e")}
	head[0].Weight, head[0].MinScore, head[1].Weight, head[1].MinScore, head[2].Weight = 9, ref(0.1), 9, ref(0.4), 9
	var told []string
	for _, c := range ApplyLost(base, head) {
		told = append(told, c.Key)
	}
	want := []string{"suites.a.weight", "suites.a.min_score", "suites.b.weight"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if head[0].Weight != 2 || *head[0].MinScore != 0.9 || head[1].Weight != 1 || *head[1].MinScore != 0.4 || head[2].Weight != 9 {
		t.Errorf("head: %+v %+v %+v", head[0], head[1], head[2])
	}
	faulty, own := made("a", "x r e"), made("a", "x r e")
	faulty.ThresholdInvalid, own.MinScore = true, ref(0.4)
	if changes := ApplyBase(Join([]*Suite{faulty}, []*Suite{own})); len(changes) != 0 || *own.MinScore != 0.4 {
		t.Errorf("a head may hold itself to a bar where the base's cannot be told: %v, %v", changes, own.MinScore)
	}
}

func TestAFaultyLastRowOfABaseIsLeftOutWithoutALineEnd(t *testing.T) {
	cfg := settings()
	for _, rows := range []string{"id,q\na,x\nb c,y\n", "id,q\na,x\nb c,y", "id,q\na,x\nb c,\"y\nz\"", "id,q\na,x\na,y"} {
		suites, _, ds := LoadBase(tree(map[string]string{"suites/cases.csv": rows,
			"suites/s.yaml": "version: 1\nmessages: [{ role: user, content: \"{{ q }}\" }]\ncases: { file: cases.csv }\n"}), cfg, cfg.Suites)
		if len(suites) != 1 || len(suites[0].Cases) != 1 || suites[0].Cases[0].Keys().RequestKey == (Key{}) {
			t.Errorf("%q: not one case with a request key; %s", rows, lines(ds))
		}
	}
}
