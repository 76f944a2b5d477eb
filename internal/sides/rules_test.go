package sides_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// gated is shop with these lines in its configuration.
func gated(lines string) runtest.Files {
	return shop.Merge(runtest.Files{"failproof.yml": shop["failproof.yml"] + lines})
}

// broken is shop with a configuration that cannot be read at all.
var broken = shop.Merge(runtest.Files{"failproof.yml": "{\n"})

func TestOfAFaultyGateTheStricterOfTheDefaultAndTheHeadsSettingApplies(t *testing.T) {
	for _, c := range []struct {
		rule, base, head string // lines of the configurations
		files            runtest.Files
		score            float64
		drop             float64
		said             []string
	}{
		{"an entry with an error, and a stricter one", "gate: { min_run_score: no }\n", "gate: { min_run_score: 0.95, max_drop: 0.001 }\n", nil, 0.95, 0.02, []string{"now gate.min_run_score", "later gate.max_drop"}},
		{"an entry with an error, and a laxer one", "gate: { min_run_score: no }\n", "gate: { min_run_score: 0.5 }\n", nil, 0.85, 0.02, []string{"later gate.min_run_score"}},
		{"no error, and a stricter one", "", "gate: { min_run_score: 0.95 }\n", nil, 0.85, 0.02, []string{"later gate.min_run_score"}},
		{"nothing can be read", "", "gate: { min_run_score: 0.95, max_drop: 0.001 }\n", broken, 0.95, 0.001, []string{"later configuration"}},
		{"nothing can be read, and the head is laxer", "", "gate: { min_run_score: 0.5, max_drop: 0.9 }\n", broken, 0.85, 0.02, []string{"later configuration"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base := c.files
			if base == nil {
				base = gated(c.base)
			}
			s := readTrees(t, gated(c.head), base)
			score, drop := s.Rules.Gate.Setting(config.MinRunScore).Value, s.Rules.Gate.Setting(config.MaxDrop).Value
			var said []string
			for _, change := range s.Changes {
				said = append(said, map[bool]string{true: "now ", false: "later "}[change.Effective]+change.Key)
			}
			slices.Sort(said)
			slices.Sort(c.said)
			if score != c.score || drop != c.drop || !slices.Equal(said, c.said) {
				t.Errorf("min_run_score %v, max_drop %v, %q, want %v, %v, %q", score, drop, said, c.score, c.drop, c.said)
			}
		})
	}
}

func TestABaseThatCannotBeReadFailsByErrors(t *testing.T) {
	lax := "gate: { fail_on: never }\n"
	for rule, c := range map[string]struct {
		head, base runtest.Files
		want       string
	}{
		"of the base":                   {shop, gated(lax), "never"},
		"of the head alone":             {gated(lax), nil, "never"},
		"of a head, and a broken base":  {gated(lax), broken, "error"},
		"of a first head":               {gated(lax), runtest.Files{}, "error"},
		"of a head beside bare suites":  {gated(lax), shopWith(runtest.Files{"failproof.yml": ""}), "error"},
		"of a head that proposes it":    {gated(lax), shop, "error"},
		"of a base, for another's head": {gated("gate: { fail_on: error }\n"), gated(lax), "never"},
	} {
		if got := readTrees(t, c.head, c.base).Rules.Gate.FailOn; string(got) != c.want {
			t.Errorf("%s: fail_on is %s, want %s", rule, got, c.want)
		}
	}
}

func TestTheCallerMayLowerTheCostAndSetPhaseAndScore(t *testing.T) {
	for _, c := range []struct {
		rule, config string
		cost         float64
		want         float64
	}{
		{"without one of the configuration it is below the default", "", 0.001, 0.001},
		{"a lower one applies", "limits: { max_cost_usd: 2 }\n", 1, 1},
		{"a higher one does not", "limits: { max_cost_usd: 2 }\n", 3, 2},
		{"none", "limits: { max_cost_usd: 2 }\n", 0, 2},
	} {
		in := runtest.Inputs(t, gated(c.config), gated(c.config), nil)
		in.MaxCostUSD = c.cost
		s := mustRead(t, in)
		if rules, base := s.Rules.Limits.MaxCostUSD, s.Base.Config.Limits.MaxCostUSD; rules != c.want || base != c.want {
			t.Errorf("%s: %v and %v on the base, want %v", c.rule, rules, base, c.want)
		}
	}
}

func TestAnExpiredQuarantineIsSaidWithItsCaseAndPlace(t *testing.T) {
	in := runtest.Inputs(t, gated("gate: { quarantine: [{ id: a/b/c, reason: flaky, expires: \"2020-01-01\" }, { id: e/d, reason: odd, expires: \"2020-01-02\" }] }\n"), nil, nil)
	in.Now = func() time.Time { return time.Date(2020, 1, 2, 1, 0, 0, 0, time.UTC) }
	w := mustRead(t, in).Warnings
	if len(w) != 1 || w[0].SuiteID != "a/b" || w[0].CaseID != "c" || w[0].Path != "failproof.yml" || w[0].Line != 7 ||
		w[0].Message != "the quarantine of a/b/c ended on 2020-01-01 (flaky); the case is judged again" {
		t.Errorf("warnings %+v", w)
	}
	in.Now = func() time.Time { return time.Date(2020, 1, 3, 1, 0, 0, 0, time.UTC) }
	if w = mustRead(t, in).Warnings; len(w) != 2 || w[1].SuiteID != "e" || w[1].CaseID != "d" {
		t.Errorf("warnings %+v", w)
	}
}

// The tip of the base branch may have other rules than the merge base, from which the head's cases come.
func TestTheRulesOfTheTipApplyToBothSides(t *testing.T) {
	tip := with(gated("phase: baseline\n"), "t.yaml", "id: c,", "id: c, must_pass: true,")
	tip["t.yaml"] = strings.Replace(tip["t.yaml"], "prompt:", "weight: 3\ntrials: 2\nprompt:", 1)
	head := shop.Merge(runtest.Files{"p.md": "What is {{ q }}?\n"})
	in := runtest.Inputs(t, head, shop, nil)
	in.Rules = folder(t, tip)
	in.Rules.Revision.Name = "main"
	s := mustRead(t, in)
	for side, of := range map[string]*sides.Side{"base": s.Base, "head": s.Head} {
		one := of.Find("t")
		if c := one.Cases[0]; one.Weight != 3 || c.Trials != 2 || !c.MustPass {
			t.Errorf("%s: weight %v, %d trials, must_pass %v", side, one.Weight, c.Trials, c.MustPass)
		}
	}
	const differ = "the rules are those of main, and other than at the merge base with it: phase, "
	if len(s.Warnings) != 1 || !strings.HasPrefix(s.Warnings[0].Message, differ) ||
		!strings.Contains(s.Warnings[0].Message, "must_pass") {
		t.Errorf("warnings %v", s.Warnings)
	}
	if len(s.Changes) != 0 {
		t.Errorf("the head did not make the changes %v", s.Changes)
	}
	in.Rules = folder(t, tip.Merge(runtest.Files{"s.yaml": "cases: 1\n"}))
	s = mustRead(t, in)
	isOfRules := func(f sides.BaseFault) bool { return f.Path == "s.yaml" && f.Tree == in.Rules }
	if !slices.ContainsFunc(s.BaseFaults, isOfRules) {
		t.Errorf("faults of the rules: %v", s.BaseFaults)
	}
	in.Rules = folder(t, shop)
	if s = mustRead(t, in); len(s.Warnings) > 0 || s.RulesTree != in.Rules {
		t.Errorf("equal rules: %v", s.Warnings)
	}
}

func TestChangedRulesAreThoseOfTheConfigurationAndOfSuites(t *testing.T) {
	bare := shopWith(runtest.Files{"failproof.yml": ""})
	for _, c := range []struct {
		rule     string
		old, now runtest.Files
		want     []string
	}{
		{"equal trees", shop, shop, nil},
		{"a comment and a prompt", shop, gated("# a comment\n").Merge(runtest.Files{"p.md": "other"}), nil},
		{"a case more", shop, shopWith(runtest.Files{"s.yaml": "+  - { id: d, vars: { q: D }, expected_response: \"yes\" }\n"}), nil},
		{"settings, of either side", gated("phase: baseline\n"), gated("gate: { max_drop: 0.01 }\n"), []string{"gate.max_drop", "phase"}},
		{"weights", shop, with(shop, "s.yaml", "prompt:", "weight: 2\nprompt:"), []string{"suites.s.weight"}},
		{"no configuration any more", shop, bare, []string{"configuration"}},
		{"a first one", bare, shop, []string{"configuration"}},
		{"never any", bare, bare, nil},
	} {
		if got := sides.ChangedRules(sides.Inputs{}, folder(t, c.old), folder(t, c.now)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
	in, heavy := sides.Inputs{Suites: []string{"t.yaml"}}, with(shop, "s.yaml", "prompt:", "weight: 2\nprompt:")
	if got := sides.ChangedRules(in, folder(t, shop), folder(t, heavy)); len(got) > 0 {
		t.Errorf("of suites that the caller leaves out: %q", got)
	}
}

func TestATreeThatCannotBeReachedEndsTheRun(t *testing.T) {
	c := newClone(t)
	sha := c.commit(shop)
	lost := c.inputs(sha)
	c.loseFile(sha, "s.yaml")
	if _, err := sides.Read(lost); err == nil || !errors.As(err, new(fault.Unreachable)) {
		t.Errorf("the head: %v", err)
	}
	for name, set := range map[string]func(in *sides.Inputs, tree *source.Tree){
		"the base":  func(in *sides.Inputs, tree *source.Tree) { in.Base = tree },
		"the rules": func(in *sides.Inputs, tree *source.Tree) { in.Rules = tree },
	} {
		in := runtest.Inputs(t, shop, shop, nil)
		tree, err := source.Git(c.dir, sha)
		if err != nil {
			t.Fatal(err)
		}
		set(&in, tree)
		if _, err := sides.Read(in); !errors.As(err, new(fault.Unreachable)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := runtest.Inputs(t, shop, shop, nil).TreeError(); err != nil {
		t.Errorf("trees that can be read: %v", err)
	}
}

func TestTheLimitsOfARunCountWhatItsShardsUsed(t *testing.T) {
	in := runtest.Inputs(t, gated("limits: { max_calls: 10 }\n"), nil, nil)
	in.Shards = &shard.Answers{Spent: schedule.Usage{Calls: 7}}
	if got := mustRead(t, in).Live.Run.Usage().Calls; got != 7 {
		t.Errorf("%d calls are used, want 7", got)
	}
	in.Shards = nil
	if got := mustRead(t, in).Live.Run.Usage().Calls; got != 0 {
		t.Errorf("%d calls are used, want 0", got)
	}
}

func TestARunThatACommentRequestedExecutesNoCommand(t *testing.T) {
	files := with(shop, "failproof.yml", "  live: {", "  live: { provider: exec, command: [cat] }\n  own: {")
	in := runtest.Inputs(t, files, nil, nil)
	for _, byComment := range []bool{true, false} {
		in.ByComment = byComment
		s := mustRead(t, in)
		if got := len(s.Live.Callable) == 0; got != byComment {
			t.Errorf("by a comment %v: targets %v", byComment, s.Live.Callable)
		}
	}
}

func TestFaultsAreSortedByTheirPlaces(t *testing.T) {
	files := shop.Merge(runtest.Files{"t.yaml": "cases: 1\n", "s.yaml": "cases: 1\n"})
	s, err := sides.Read(runtest.Inputs(t, files, nil, nil))
	byPlace := func(a, b document.Diagnostic) int { return strings.Compare(a.Path, b.Path) }
	if err != nil || len(s.Faults) < 4 || !slices.IsSortedFunc(s.Faults, byPlace) || s.Head == nil {
		t.Errorf("%v, %v", s.Faults, err)
	}
}
