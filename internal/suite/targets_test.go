package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
)

// several returns a configuration with live targets, and with targets that read their own recordings.
func several(defaults ...string) *config.Config {
	cfg := settings()
	cfg.DefaultTargets = defaults
	cfg.Targets["careful"] = config.Target{Name: "careful", Provider: "openai", Model: "gpt-5", Trials: 3}
	cfg.Targets["slow"] = config.Target{Name: "slow", Provider: "recorded", Path: "recordings/slow/{suite}.jsonl"}
	cfg.Targets["copy"] = config.Target{Name: "copy", Provider: "recorded", Path: "recordings/{suite}.jsonl"}
	return cfg
}

func ids(suites []*Suite) string {
	var out []string
	for _, s := range suites {
		out = append(out, fmt.Sprintf("%s:%s×%d", s.ID, s.Target, len(s.Cases)))
	}
	return strings.Join(out, " ")
}

func TestASuiteIsOneForEachOfItsTargets(t *testing.T) {
	const cases = hello + "cases: [{ id: a }, { id: b }]\n"
	for _, c := range []struct {
		rule, name, text string
		defaults         []string
		want             string
	}{
		{"in the order of the list", "suites/s.yaml", "version: 1\ntargets: [fast, careful]\n" + cases, []string{"replay"}, "s@fast:fast×2 s@careful:careful×2"},
		{"a list of one is that one", "suites/s.yaml", "version: 1\ntargets: [careful]\n" + cases, []string{"replay"}, "s:careful×2"},
		{"by default the configuration's", "suites/s.yaml", "version: 1\n" + cases, []string{"replay", "slow"}, "s@replay:replay×2 s@slow:slow×2"},
		{"its own one before these", "suites/s.yaml", "version: 1\ntarget: fast\n" + cases, []string{"replay", "slow"}, "s:fast×2"},
		{"and so with lines", "suites/s.jsonl", `{"suite_id": "x", "case_id": "a", "prompt": "hello"}` + "\n" + `{"suite_id": "y", "case_id": "a", "prompt": "hello"}` + "\n",
			[]string{"fast", "careful"}, "x@fast:fast×1 x@careful:careful×1 y@fast:fast×1 y@careful:careful×1"},
		{"and with prompt files", "suites/s.prompt.yml", "messages: [{ role: user, content: \"{{ q }}\" }]\ntestData: [{ q: 1 }]\n", []string{"fast", "careful"},
			"s@fast:fast×1 s@careful:careful×1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg := several(c.defaults...)
			cfg.Suites = []string{"suites/*"}
			got, ds := loadOpen(tree(map[string]string{c.name: c.text}), cfg, cfg.Suites)
			if len(ds) > 0 || ids(got) != c.want {
				t.Errorf("suites %s, want %s; diagnostics %v", ids(got), c.want, lines(ds))
			}
		})
	}
}

func TestTheTargetsOfASuiteDifferInWhatTheyAreAsked(t *testing.T) {
	cfg := several("replay")
	got, ds := loadOpen(tree(one("targets: [fast, careful]\n"+hello+"cases: [{ id: a, assert: [\"true\"] }]\n")), cfg, cfg.Suites)
	if len(got) != 2 {
		t.Fatalf("suites %s, diagnostics %v", ids(got), lines(ds))
	}
	fast, careful := got[0].Cases[0], got[1].Cases[0]
	if fast.Keys().RequestKey == careful.Keys().RequestKey || fast.Keys().ExpectationKey != careful.Keys().ExpectationKey || fast.InputKey() != careful.InputKey() {
		t.Errorf("the request keys have to differ, and the others not")
	}
	if fast.Open().Prompt.Model != "gpt-5-mini" || careful.Open().Prompt.Model != "gpt-5" {
		t.Errorf("asked %s and %s", fast.Open().Prompt.Model, careful.Open().Prompt.Model)
	}
	if fast.Trials != 1 || careful.Trials != 3 {
		t.Errorf("trials %d and %d, want those of each target", fast.Trials, careful.Trials)
	}
}

func TestTargetFaults(t *testing.T) {
	const cases = hello + "cases: [{ id: a }]\n"
	many := make([]string, 17)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	for _, c := range []struct {
		rule, text string
		want       []string
	}{
		{"one of them is said", "target: fast\ntargets: [fast, careful]\n" + cases, []string{"suites/s.yaml:3:10 target: both…keep `targets`"}},
		{"there is one at least", "targets: []\n" + cases, []string{"suites/s.yaml:2:10 length: "}},
		{"none is named twice", "targets: [fast, fast]\n" + cases, []string{"suites/s.yaml:2:"}},
		{"there are few", "targets: [" + strings.Join(many, ", ") + "]\n" + cases, append([]string{"suites/s.yaml:2:10 length: …16"}, make([]string, 17)...)}, // and that none of them is a target,
		{"each is one of the configuration", "targets: [fast, crefful]\n" + cases, []string{"suites/s.yaml:2:17 target: …did you mean \"careful\"?"}},
		{"a list is a list", "targets: fast\n" + cases, []string{"suites/s.yaml:2:10 type: "}},
		{"two do not read the same recordings", "targets: [replay, slow, copy]\n" + cases, []string{"suites/s.yaml:2:25 target: …targets \"replay\" and \"copy\" both read the recordings"}},
		{"what is wrong with the suite is said once", "targets: [fast, careful]\nprompt: p.md\ncases: [{ id: a, vars: { y: 1 } }]\n",
			[]string{"suites/p.md:1:5 undefined-variable: …of suite s;", "suites/s.yaml:4:26 warning unused-variable: …in suite s"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg := several("replay")
			_, ds := loadOpen(tree(one(c.text)), cfg, cfg.Suites)
			check(t, ds, c.want)
		})
	}
}

func TestWhatOneTargetIsSentIsUsed(t *testing.T) {
	cfg := several("replay")
	app := cfg.Targets["careful"]
	app.Inputs.Vars = []string{"y"}
	cfg.Targets["careful"] = app
	_, ds := loadOpen(tree(one("targets: [fast, careful]\nprompt: p.md\ncases: [{ id: a, vars: { x: 1, y: 2 }, assert: [\"response.text != ''\"] }]\n")), cfg, cfg.Suites)
	check(t, ds, nil)
}

func TestAnIdIsTheAuthorsWhoeverAnswers(t *testing.T) {
	cfg := several("replay")
	same := "version: 1\nid: s\n" + hello + "cases: [{ id: a }]\n"
	got, ds := loadOpen(tree(map[string]string{"suites/s.yaml": "version: 1\ntargets: [fast, careful]\n" + hello + "cases: [{ id: a }]\n", "suites/t.yaml": same}), cfg, cfg.Suites)
	check(t, ds, []string{`suites/s.yaml:1:1 duplicate-id: suite id "s" is also at suites/t.yaml`, `suites/t.yaml:2:5 duplicate-id: suite id "s" is also at suites/s.yaml`})
	if len(got) > 0 {
		t.Errorf("suites %s are kept", ids(got))
	}
}

// answeredBy returns a suite with a target.
func answeredBy(id, target string, lines ...string) *Suite {
	s := made(id, lines...)
	s.Target = target
	return s
}

func TestATargetMoreOrLessIsNoOtherSuite(t *testing.T) {
	fast, careful := answeredBy("a@fast", "fast", "x r e"), answeredBy("a@careful", "careful", "x q e")
	for _, c := range []struct {
		rule       string
		base, head []*Suite
		want       string
		changes    string
	}{
		{"a target more is asked what is new to it", []*Suite{answeredBy("a", "fast", "x r e")}, []*Suite{fast, careful}, "~a@careful [target added: x] left 1", "suites.a.targets fast → careful, fast"},
		{"a target less is not asked on the head", []*Suite{fast, careful}, []*Suite{answeredBy("a", "fast", "x r e")}, "a@careful~ [target removed: x] left 1",
			"suites.a.targets careful, fast → fast"},
		{"a target in place of another is one less and one more", []*Suite{fast, careful}, []*Suite{fast, answeredBy("a@lenient", "lenient", "x q e")},
			"a@careful~ [target removed: x] ~a@lenient [target added: x] left 1", "suites.a.targets careful, fast → fast, lenient"},
		{"the order is nothing", []*Suite{fast, careful}, []*Suite{careful, fast}, " left 2", ""},
		{"another target of the same id is another request", []*Suite{answeredBy("a", "fast", "x r e")}, []*Suite{answeredBy("a", "careful", "x q e")},
			"a~a [target changed: x] left 0", "suites.a.target fast → careful"},
		{"a target is one of a suite that was renamed", []*Suite{fast, careful}, []*Suite{answeredBy("b@fast", "fast", "x r e")}, "a@careful~ [target removed: x] left 1",
			"suites.b.targets careful, fast → fast"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			copies := func(suites []*Suite) (out []*Suite) {
				for _, s := range suites {
					one := *s
					out = append(out, &one)
				}
				return out
			}
			base, head := copies(c.base), copies(c.head)
			got := Scope(Join(base, head), Recordings{})
			var parts []string
			for _, s := range got.Suites {
				parts = append(parts, fmt.Sprintf("%s~%s %v", s.BaseID, s.HeadID, s.Reasons))
			}
			if text := fmt.Sprintf("%s left %d", strings.Join(parts, " "), got.OutOfScope); text != c.want {
				t.Errorf("scope %s, want %s", text, c.want)
			}
			var told []string
			for _, ch := range ApplyBase(Join(base, head)) {
				told = append(told, fmt.Sprintf("%s %s → %s", ch.Key, ch.Base, ch.Head))
				if !ch.Effective {
					t.Errorf("%s is not in force", ch.Key)
				}
			}
			if text := strings.Join(told, "; "); text != c.changes {
				t.Errorf("changes %s, want %s", text, c.changes)
			}
		})
	}
}

func TestATargetMoreIsHeldToWhatTheBaseSaysOfTheSuite(t *testing.T) {
	base := []*Suite{answeredBy("a", "fast", "x r e")}
	head := []*Suite{answeredBy("a@fast", "fast", "x r e"), answeredBy("a@careful", "careful", "x q e")}
	base[0].Weight, base[0].MinScore = 2, ref(0.85)
	base[0].Cases[0].Severity = "critical"
	for _, h := range head {
		h.Weight, h.MinScore, h.Path = 9, ref(0.1), "a.yaml"
		h.Cases[0].Severity = "low"
	}
	head[1].Trials = 7
	want := []config.Change{
		{Path: "a.yaml", Key: "suites.a.min_score", Base: "0.85", Head: "0.1"},
		{Path: "a.yaml", Key: "suites.a.targets", Base: "fast", Head: "careful, fast", Effective: true},
		{Path: "a.yaml", Key: "suites.a.weight", Base: "2", Head: "9"},
		{Path: "a.yaml", Key: "suites.a.x.severity", Base: "critical", Head: "low"},
	}
	if diff := cmp.Diff(want, ApplyBase(Join(base, head))); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	for _, h := range head {
		if h.Weight != 2 || *h.MinScore != 0.85 || h.Cases[0].Severity != "critical" {
			t.Errorf("%s: weight %v, bar %v, severity %s", h.ID, h.Weight, *h.MinScore, h.Cases[0].Severity)
		}
	}
	if head[1].Trials != 7 {
		t.Errorf("the new target has %d trials, want its own 7", head[1].Trials)
	}
}

// TestAnotherDefaultTargetIsNoSettingOfASuite checks that a suite's change is one of its own file. The configuration's
// own change names its default target.
func TestAnotherDefaultTargetIsNoSettingOfASuite(t *testing.T) {
	read := func(defaultTarget, text string) []*Suite {
		cfg := settings()
		slow := cfg.Targets["fast"]
		slow.Name, slow.Trials = "slow", 3
		cfg.Targets["slow"], cfg.DefaultTargets = slow, []string{defaultTarget}
		suites, ds := loadOpen(tree(one(text+hello+"cases: [{ id: a, expected_response: x }]\n")), cfg, cfg.Suites)
		check(t, ds, nil)
		return suites
	}
	for _, c := range []struct{ base, head, want string }{
		{"", "", ""},
		{"trials: 2\n", "trials: 3\n", "suites.s.trials 2 → 3"},
		{"", "target: slow\n", "suites.s.target fast → slow, suites.s.trials 1 → 3"},
		{"target: fast\n", "", "suites.s.target fast → slow, suites.s.trials 1 → 3"},
	} {
		var told []string
		for _, ch := range ApplyBase(Join(read("fast", c.base), read("slow", c.head))) {
			told = append(told, fmt.Sprintf("%s %s → %s", ch.Key, ch.Base, ch.Head))
		}
		if got := strings.Join(told, ", "); got != c.want {
			t.Errorf("of %q and %q the changes are %s, want %s", c.base, c.head, got, c.want)
		}
	}
}

func TestAnEchoIsNoTargetMore(t *testing.T) {
	targets := map[string]config.Target{"fast": {Provider: "openai"}, "parrot": {Provider: "echo"}}
	base := []*Suite{answeredBy("a", "fast", "x r e")}
	head := []*Suite{answeredBy("a@fast", "fast", "x r e"), answeredBy("a@parrot", "parrot", "x r e")}
	if got := EchoErrors(Join(base, head), targets, targets); len(got) != 1 {
		t.Errorf("Echoed = %v, want a fault", got)
	}
	if got := EchoErrors(Join(head, head), targets, targets); len(got) != 0 {
		t.Errorf("Echoed = %v of what the base echoes, want none", got)
	}
}

func TestWhoAnswersIsNoChangeWhereItIsNotKnown(t *testing.T) {
	for _, c := range [][2]string{{"", "fast"}, {"fast", ""}} {
		if got := ApplyBase(Join([]*Suite{answeredBy("a", c[0], "x r e")}, []*Suite{answeredBy("a", c[1], "x r e")})); len(got) > 0 {
			t.Errorf("from %q to %q: %v", c[0], c[1], got)
		}
	}
}

func TestASuiteWithoutATargetIsAFault(t *testing.T) {
	cfg := settings()
	cfg.DefaultTargets = nil
	_, ds := Load(tree(one(hello+"cases: [{ id: a }]\n")), cfg, cfg.Suites)
	check(t, ds, []string{"suites/s.yaml:1:1 target: the suite names no `target` and the configuration no `default_target`"})
}

func TestAFaultIsReportedOnceForAllTargets(t *testing.T) {
	cfg := settings()
	_, ds := Load(tree(map[string]string{"suites/s.yaml": "version: 1\ntargets: [fast, echo]\nmessages: [{ role: user, content: \"{{ ticket }}\" }]\n" +
		"cases: [{ id: a, vars: { tiket: x }, expected_response: x }]\n"}), cfg, cfg.Suites)
	check(t, ds, []string{`suites/s.yaml:3:36 undefined-variable: variable "ticket" is not defined in case a of suite s; ` +
		`vars has "tiket", which nothing reads: rename one of the two`})
}
