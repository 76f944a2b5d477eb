package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suiteid"
)

// made builds a suite from its id and "case request expectation" for each case.
func made(id string, cases ...string) *Suite {
	s := &Suite{ID: id, Path: id + ".yaml", Weight: 1}
	for _, text := range cases {
		part := strings.Fields(text)
		s.Cases.Add(Case{ID: part[0], Severity: "medium", Body: &Body{Keys: Keys{keyOf(part[1]), keyOf(part[2])}}})
	}
	return s
}

// asked gives every case of a suite a variable.
func asked(s *Suite) *Suite {
	for i := range len(s.Cases) {
		s.Cases[i].Vars = map[string]string{"question": "?"}
	}
	return s
}

// mustPass marks every case of a suite.
func mustPass(s *Suite) *Suite {
	for i := range len(s.Cases) {
		s.Cases[i].MustPass = true
	}
	return s
}

func TestScope(t *testing.T) {
	answers := func(changed ...string) func(Side, string, string) string {
		return func(side Side, suite, id string) string {
			for _, c := range changed {
				if c == suite+" "+id {
					return string(side)
				}
			}
			return "same"
		}
	}
	a, b := made("a", "x r e", "y r e"), made("b", "x r e")
	cases := []struct {
		rule       string
		base, head []*Suite
		answers    func(Side, string, string) string
		want       string
	}{
		{"nothing changed, nothing is in scope", []*Suite{a, b}, []*Suite{a, b}, nil, " left 2"},
		{"the order of cases is no change", []*Suite{a}, []*Suite{made("a", "y r e", "x r e")}, nil, " left 1"},
		{"a changed request brings its suite into scope", []*Suite{a, b}, []*Suite{made("a", "x q e", "y q e"), b}, nil,
			"a~a [request changed: 2 cases, first x] left 1"},
		{"a changed expectation brings its suite into scope", []*Suite{a, b}, []*Suite{made("a", "x r e", "y r f"), b}, nil,
			"a~a [expectation changed: y] left 1"},
		{"a case that need not pass any more brings its suite into scope", []*Suite{mustPass(made("b", "x r e")), a}, []*Suite{b, a}, nil,
			"b~b [must_pass changed: x] left 1"},
		{"a changed input is told apart from what is expected", []*Suite{a, b}, []*Suite{asked(made("a", "x q f", "y r e")), b}, nil,
			"a~a [input changed: x] left 1"},
		{"a changed recorded answer brings its suite into scope", []*Suite{a, b}, []*Suite{a, b}, answers("b x"),
			"b~b [recorded answer changed: x] left 1"},
		{"a case more brings its suite into scope", []*Suite{b}, []*Suite{made("b", "x r e", "z r e")}, nil, "b~b [case added: z] left 0"},
		{"a case less brings its suite into scope", []*Suite{a}, []*Suite{made("a", "y r e")}, nil, "a~a [case removed: x] left 0"},
		{"a renamed case is one, and unchanged", []*Suite{b}, []*Suite{made("b", "z r e")}, nil, " left 1"},
		{"a renamed case without input is known by its request", []*Suite{b}, []*Suite{made("b", "z q e")}, nil, "b~b [case added: z case removed: x] left 0"},
		{"a renamed case with another request is one, and changed", []*Suite{asked(made("b", "x r e"))}, []*Suite{asked(made("b", "z q e"))}, nil,
			"b~b [request changed: z] left 0"},
		{"a new suite is in scope", []*Suite{a}, []*Suite{a, b}, nil, "~b [new suite: x] left 1"},
		{"a removed suite is in scope", []*Suite{a, b}, []*Suite{b}, nil, "a~ [removed suite: 2 cases, first x] left 1"},
		{"without a base all is new", nil, []*Suite{b}, nil, "~b [new suite: x] left 0"},
		{"a renamed suite is one, and unchanged", []*Suite{a, b}, []*Suite{b, made("c", "y r e", "x r e")}, answers(), " left 2 renamed a→c"},
		{"a renamed suite with another answer is one, and changed", []*Suite{a}, []*Suite{made("c", "x r e", "y r e")}, answers("a x", "c x"),
			"a~c [recorded answer changed: x] left 0 renamed a→c"},
		{"a renamed suite with another request is one, and changed", []*Suite{b}, []*Suite{made("c", "x q e")}, nil,
			"b~c [request changed: x] left 0 renamed b→c"},
		{"a renamed suite with another expectation is one less and one more", []*Suite{b}, []*Suite{made("c", "x r f")}, nil,
			"b~ [removed suite: x] ~c [new suite: x] left 0"},
		{"a copy is no rename", []*Suite{b}, []*Suite{b, made("c", "x r e")}, nil, "~c [new suite: x] left 1"},
		{"equal suites are paired in order", []*Suite{made("m", "x r e"), made("n", "x r e")}, []*Suite{made("q", "x r e"), made("p", "x r e")}, nil,
			" left 2 renamed m→p n→q"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			both := Join(c.base, c.head)
			got := Scope(both, Recordings{Difference: func(p Pair) ReasonKind {
				if c.answers == nil || c.answers(Base, p.BaseSuite.ID, p.Base.ID) == c.answers(Head, p.HeadSuite.ID, p.Head.ID) {
					return ""
				}
				return AnswerChanged
			}})
			var parts []string
			for _, s := range got.Suites {
				parts = append(parts, fmt.Sprintf("%s~%s %v", s.BaseID, s.HeadID, s.Reasons))
				if !got.Has(Base, s.BaseID) && s.BaseID != "" || !got.Has(Head, s.HeadID) && s.HeadID != "" {
					t.Errorf("Has does not know %+v", s)
				}
			}
			text := fmt.Sprintf("%s left %d", strings.Join(parts, " "), got.OutOfScope)
			renames := ""
			for _, s := range c.base {
				if id := both.HeadID(s.ID); id != s.ID {
					renames += " " + s.ID + "→" + id
				}
			}
			if renames != "" {
				text += " renamed" + renames
			}
			if text != c.want {
				t.Errorf("scope:\n\t%s\nwant:\n\t%s", text, c.want)
			}
		})
	}
}

// String formats a reason for tests, such as "request changed: 3 cases, first over-limit".
func (r Reason) String() string {
	if r.Cases == 1 {
		return fmt.Sprintf("%s: %s", r.Kind, r.First)
	}
	return fmt.Sprintf("%s: %d cases, first %s", r.Kind, r.Cases, r.First)
}

func TestScopeKnowsOnlyItsSuites(t *testing.T) {
	got := Scope(Join([]*Suite{made("a", "x r e")}, []*Suite{made("a", "x r e"), made("b", "x r e")}), Recordings{})
	if got.Has(Head, "a") || got.Has(Base, "b") || got.Has(Base, "") || !got.Has(Head, "b") {
		t.Errorf("scope %+v: want the head's b alone", got)
	}
}

func TestATargetThatAnswersWereRecordedFromBringsTheirSuitesIntoScope(t *testing.T) {
	suites := []*Suite{made("a", "x r e", "y r e"), made("b", "x r e")}
	got := Scope(Join(suites, suites), Recordings{TargetDiffers: func(p Pair) bool { return p.HeadSuite.ID+p.Head.ID == "ay" }})
	if len(got.Suites) != 1 || got.Suites[0].HeadID != "a" || got.Suites[0].Reasons[0].String() != "target of the recording changed: y" {
		t.Errorf("scope %+v, want the case y of a alone", got)
	}
}

func TestAPromptIsAnotherOneIfAnyCaseIsSentSomethingElse(t *testing.T) {
	with := func(prompt string, s *Suite, vars ...map[string]string) *Suite {
		s.PromptKey = prompt
		for i := range vars {
			s.Cases[i].Vars = vars[i]
		}
		return s
	}
	v, w := map[string]string{"n": "1"}, map[string]string{"n": "2"}
	for _, c := range []struct {
		rule       string
		base, head *Suite
		want       bool
	}{
		{"without a base nothing changed", nil, made("a", "x r e"), false},
		{"equal requests are no change", made("a", "x r e"), made("a", "x r e"), false},
		{"the text that the cases share is the prompt", with("p", made("a", "x r e")), with("q", made("a", "z s e")), true},
		{"a request with the same variables is sent by another prompt", with("", made("a", "x r e"), v), with("", made("a", "x s e"), v), true},
		{"other variables are no other prompt", with("", made("a", "x r e"), v), with("", made("a", "x s e"), w), false},
		{"a case more is no other prompt", made("a", "x r e"), made("a", "x r e", "y s e"), false},
	} {
		if got := PromptChanged(suiteid.Matches{}, c.base, c.head); got != c.want {
			t.Errorf("%s: PromptChanged = %v", c.rule, got)
		}
	}
}

func TestTrialsAreTheBasesCaseByCase(t *testing.T) {
	with := func(s *Suite, trials int, own ...int) *Suite {
		s.Trials = trials
		for i := range len(s.Cases) {
			s.Cases[i].Trials = own[i]
		}
		return s
	}
	base := []*Suite{with(made("a", "x r e", "y r e", "z r e"), 3, 3, 5, 3)}
	head := []*Suite{with(made("a", "x r e", "y r e", "z r e", "new r e", "own r e"), 2, 2, 2, 1, 2, 7)}
	got := ApplyBase(Join(base, head))
	want := []config.Change{
		{Path: "a.yaml", Key: "suites.a.trials", Base: "3", Head: "2"},
		{Path: "a.yaml", Key: "suites.a.y.trials", Base: "5", Head: "2"},
		{Path: "a.yaml", Key: "suites.a.z.trials", Base: "3", Head: "1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	for i, trials := range []int{3, 5, 3, 3, 7} {
		if c := head[0].Cases[i]; c.Trials != trials {
			t.Errorf("case %s has %d trials, want %d", c.ID, c.Trials, trials)
		}
	}
}

func TestApplyBase(t *testing.T) {
	base := []*Suite{made("a", "x r e"), made("b", "x s e"), made("c", "x t e"), made("gone", "x u g")}
	head := []*Suite{made("a", "x q e"), made("b", "x s e"), made("d", "x t e"), made("new", "x v e")}
	base[0].Weight, base[0].MinScore, head[0].Weight = 2, ref(0.85), 0.5
	base[2].MinScore, head[2].MinScore = ref(0.5), ref(0.25)
	head[3].Weight, head[3].MinScore = 9, ref(1.0)
	base[1].Trials, head[1].Trials = 5, 1
	base[1].Target, head[1].Target = "live", "replay"
	got := ApplyBase(Join(base, head))
	want := []config.Change{
		{Path: "a.yaml", Key: "suites.a.min_score", Base: "0.85", Head: ""},
		{Path: "a.yaml", Key: "suites.a.weight", Base: "2", Head: "0.5"},
		{Path: "b.yaml", Key: "suites.b.target", Base: "live", Head: "replay", Effective: true},
		{Path: "b.yaml", Key: "suites.b.trials", Base: "5", Head: "1"},
		{Path: "d.yaml", Key: "suites.d.min_score", Base: "0.5", Head: "0.25"},
		{Path: "new.yaml", Key: "suites.new.weight", Base: "", Head: "9", Effective: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	for i, wanted := range []string{"2 0.85", "1 none", "1 0.5", "9 1"} {
		bar := "none"
		if head[i].MinScore != nil {
			bar = fmt.Sprint(*head[i].MinScore)
		}
		if got := fmt.Sprint(head[i].Weight, " ", bar); got != wanted {
			t.Errorf("head suite %s has weight and bar %s, want %s", head[i].ID, got, wanted)
		}
	}
	if head[1].Trials != 5 {
		t.Errorf("head suite b has %d trials, want the base's 5: fewer could leave out those that fail", head[1].Trials)
	}
}

func TestSeveritiesAreTheBasesAndANewCaseHasItsOwn(t *testing.T) {
	with := func(s *Suite, own ...string) *Suite {
		for i := range len(s.Cases) {
			s.Cases[i].Severity = own[i]
			s.Cases[i].Body = &Body{Judging: Judging{Probe: &risk.Probe{Severity: own[i]}}}
		}
		return s
	}
	base := []*Suite{with(made("a", "x r e", "y r e"), "critical", "low")}
	head := []*Suite{with(made("a", "x q e", "y r e", "new r e"), "low", "low", "high")}
	want := []config.Change{{Path: "a.yaml", Key: "suites.a.x.severity", Base: "critical", Head: "low"}}
	if diff := cmp.Diff(want, ApplyBase(Join(base, head))); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	for i, severity := range []string{"critical", "low", "high"} {
		if c := head[0].Cases[i].Open(); c.Severity != severity || c.Probe.Severity != severity {
			t.Errorf("case %s is of severity %s, its probe of %s; want %s", c.ID, c.Severity, c.Probe.Severity, severity)
		}
	}
}

func TestNoSuiteOfTheBaseIsEchoed(t *testing.T) {
	targets := map[string]config.Target{"replay": {Provider: "recorded"}, "fast": {Provider: "openai"}, "parrot": {Provider: "echo"}}
	asked := func(id, target string) *Suite {
		s := made(id, "x "+id+" e")
		s.Target, s.Pos.Line = target, 4
		return s
	}
	for _, c := range []struct {
		rule       string
		base, head []*Suite
		faults     int
	}{
		{"a recording may be asked live", []*Suite{asked("a", "replay")}, []*Suite{asked("a", "fast")}, 0},
		{"a recording may not be echoed", []*Suite{asked("a", "replay")}, []*Suite{asked("a", "parrot")}, 1},
		{"nor a live one under another name", []*Suite{asked("a", "fast")}, []*Suite{renamedTo("b", asked("a", "parrot"))}, 1},
		{"an echo stays one", []*Suite{asked("a", "parrot")}, []*Suite{asked("a", "parrot")}, 0},
		{"a new suite may be one", []*Suite{asked("a", "replay")}, []*Suite{asked("a", "replay"), asked("b", "parrot")}, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := EchoErrors(Join(c.base, c.head), targets, targets)
			if len(got) != c.faults {
				t.Errorf("Echoed = %v, want %d faults", got, c.faults)
			}
			for _, d := range got {
				if d.Line != 4 || d.Severity != document.Error || d.Path == "" {
					t.Errorf("the fault has no place: %+v", d)
				}
			}
		})
	}
}

func renamedTo(id string, s *Suite) *Suite {
	s.ID, s.Path = id, id+".yaml"
	return s
}
