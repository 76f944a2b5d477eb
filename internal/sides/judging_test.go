package sides_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// graded is a tree with a judge, an ungraded case a of suite s and a graded case b of suite t.
var graded = runtest.Files{
	"failproof.yml": "version: 1\nsuites: [s.yaml, t.yaml]\ntargets:\n  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" +
		"  grader: { provider: openai, model: j, base_url: \"http://127.0.0.1:1\", api_key_env: JUDGE_KEY }\n" +
		"judges: { default: { target: grader, labeled: labels.jsonl } }\n",
	"s.yaml":       "version: 1\nid: s\ntarget: kept\nprompt: p.md\ncases:\n  - { id: a, vars: { q: A }, expected_response: \"yes\" }\n",
	"t.yaml":       "version: 1\nid: t\ntarget: kept\nprompt: p.md\ncases:\n  - { id: b, vars: { q: B }, rubric: [It is polite] }\n",
	"p.md":         "Is it {{ q }}?\n",
	"labels.jsonl": "",
}

// with returns the tree with a word of a file replaced.
func with(files runtest.Files, name, old, new string) runtest.Files {
	return files.Merge(runtest.Files{name: strings.Replace(files[name], old, new, 1)})
}

// mustRead reads both sides, which have no faults.
func mustRead(t *testing.T, in sides.Inputs) *sides.Sides {
	t.Helper()
	s, err := sides.Read(in)
	if err != nil || len(s.Faults) > 0 {
		t.Fatal(err, s.Faults)
	}
	return s
}

func readTrees(t *testing.T, head, base runtest.Files) *sides.Sides {
	t.Helper()
	return mustRead(t, runtest.Inputs(t, head, base, map[string]string{"JUDGE_KEY": "k", "KEY": "k"}))
}

func TestTheJudgeIsTheBasesAndAnotherOneOfTheHeadIsProposed(t *testing.T) {
	none := with(graded, "failproof.yml", "judges:", "#")
	none = with(none, "t.yaml", "rubric: [It is polite]", `expected_response: "x"`)
	for _, c := range []struct {
		rule           string
		base, head     runtest.Files
		judge, propose string // the models and votes
	}{
		{"equal", graded, graded, "j 1", ""},
		{"another model", graded, with(graded, "failproof.yml", "model: j", "model: k"), "j 1", "k 1"},
		{"more votes", graded, with(graded, "failproof.yml", "target: grader,", "target: grader, votes: 3,"), "j 1", "j 3"},
		{"other labels are no other judge", graded, with(graded, "failproof.yml", "labels.jsonl", "more.jsonl"), "j 1", ""},
		{"the head has none", graded, none, "j 1", ""},
		{"only the head has one", none, with(graded, "t.yaml", "rubric: [It is polite]", `expected_response: "x"`), "", ""},
		{"neither has one", none, none, "", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := readTrees(t, c.head, c.base)
			got := ""
			if s.Rules.Judge != nil {
				got = describeJudge(sides.NewJudge(s.Rules))
			}
			proposed, found := s.ProposedJudge()
			said := ""
			if found {
				said = describeJudge(proposed)
			}
			if got != c.judge || said != c.propose {
				t.Errorf("judge %q, proposed %q, want %q and %q", got, said, c.judge, c.propose)
			}
		})
	}
}

func describeJudge(j judge.Judge) string {
	return j.Target.Model + " " + map[int]string{1: "1", 3: "3"}[j.Votes]
}

func TestAJudgeIsOpenedIfACaseOfEitherSideHasCriteria(t *testing.T) {
	ungraded := with(graded, "t.yaml", "rubric: [It is polite]", `expected_response: "x"`)
	for _, c := range []struct {
		rule       string
		head, base runtest.Files
		only       string // the case that runs; "": all
		want       bool
	}{
		{"of the head", graded, nil, "", true},
		{"of the base", ungraded, graded, "", true},
		{"of none", ungraded, ungraded, "", false},
		{"of one that does not run", graded, nil, "a", false},
		{"of one that runs", graded, nil, "b", true},
	} {
		in := runtest.Inputs(t, c.head, c.base, nil)
		if c.only != "" {
			in.Filter.Cases = []string{c.only}
		}
		s := mustRead(t, in)
		if got := s.Judge != nil; got != c.want {
			t.Errorf("%s: judge %v, want %v", c.rule, got, c.want)
		}
		if isGraded := c.head["t.yaml"] == graded["t.yaml"]; sides.AnyGraded(s.Head.Suites) != isGraded {
			t.Errorf("%s: graded %v", c.rule, !isGraded)
		}
	}
}

func TestTheStandingOfTheJudgeIsReadFromTheTreeOfTheRules(t *testing.T) {
	s := readTrees(t, graded, nil)
	counts := func(n int) judge.AgreementCounts { return judge.AgreementCounts{Labels: n, Agreed: n} }
	agreement := judge.Agreement{Judge: sides.NewJudge(s.Rules).Fingerprint(), Labels: judge.Digest(nil),
		Met: counts(60), Unmet: counts(60)}
	agreed := graded.Merge(runtest.Files{"labels.agreement.json": string(agreement.JSON())})
	unlabeled := with(graded, "failproof.yml", ", labeled: labels.jsonl", "")
	without := graded.Merge(nil)
	delete(without, "labels.jsonl")
	for _, c := range []struct {
		rule       string
		head, base runtest.Files
		counts     bool
		want       string
	}{
		{"the base's agreement counts", graded, agreed, true, "agreed with people on 120 of 120"},
		{"the head's does not", agreed, graded, false, "not yet checked: run"},
		{"without a base it does", agreed, nil, true, "agreed with people on 120 of 120"},
		{"without labels none is needed", unlabeled, unlabeled, judge.UncheckedStanding().Counts, judge.UncheckedStanding().Description},
		{"labels that are not there", graded, without, false, "not checked: labels.jsonl cannot be read"},
	} {
		got := readTrees(t, c.head, c.base).Standing
		if got.Counts != c.counts || !strings.HasPrefix(got.Description, c.want) {
			t.Errorf("%s: %+v, want %v, %q", c.rule, got, c.counts, c.want)
		}
	}
}

func TestTheFirstCaseThatIsComparedByMeaningIsOneThatRuns(t *testing.T) {
	meant := with(graded, "s.yaml", "cases:", "strategy: reasoning\ncases:")
	for _, c := range []struct {
		rule       string
		head, base runtest.Files
		scope      string
		want       string
	}{
		{"of the head", meant, nil, sides.ScopeAll, "s/a"},
		{"of the base", graded, meant, sides.ScopeAll, "s/a"},
		{"of none", graded, nil, sides.ScopeAll, ""},
		{"of none that runs", meant, meant, sides.ScopeChanged, ""},
	} {
		in := runtest.Inputs(t, c.head, c.base, nil)
		in.Scope = c.scope
		got := ""
		if of, found := mustRead(t, in).FirstSemantic(); found != nil {
			got = of.ID + "/" + found.ID
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

// The effective configuration of validate and record is that of a run.
func TestTheEffectiveRulesAreThoseOfARun(t *testing.T) {
	strict := with(shop, "failproof.yml", "version: 1\n", "version: 1\nphase: baseline\n")
	in := runtest.Inputs(t, strict, shop, nil)
	rules, tree, faults := sides.Effective(in)
	if phase := mustRead(t, in).Rules.Phase; rules.Phase != phase || phase != config.Deployment || tree != in.Base ||
		len(faults) > 0 {
		t.Errorf("phase %s, want %s; %v", rules.Phase, phase, faults)
	}
	in = runtest.Inputs(t, shop, nil, nil)
	if rules, tree, faults = sides.Effective(in); tree != in.Head || rules == nil || len(faults) > 0 {
		t.Errorf("without a base: %v, %v", tree, faults)
	}
	in = runtest.Inputs(t, runtest.Files{}, shop, nil)
	if rules, tree, faults = sides.Effective(in); rules != nil || tree != nil || len(faults) != 1 {
		t.Errorf("without the head's configuration: %v, %v, %v", rules, tree, faults)
	}
	added := with(shop, "failproof.yml", "default_target: kept\ntargets:", "default_target: own\ntargets:\n  own: { provider: echo }")
	in = runtest.Inputs(t, added, shop, nil)
	if rules, _, faults = sides.Effective(in); rules == nil || len(faults) == 0 {
		t.Errorf("a default target that only the head has: %v, %v", rules, faults)
	}
}

func TestTheSuitesOfASideAreFoundByTheirIDs(t *testing.T) {
	s := readTrees(t, shop, nil)
	if got := s.Head.Find("t"); got == nil || got.ID != "t" {
		t.Errorf("t is %v", got)
	}
	if got := s.Head.Find("gone"); got != nil || s.Base.Find("s") != nil || s.Base.All() != nil {
		t.Errorf("a suite that is not there is %v", got)
	}
	if got := strings.Join(s.Head.CaseIDs("s"), " "); got != "a b" || s.Head.CaseIDs("gone") != nil {
		t.Errorf("cases %q", got)
	}
	if !s.Head.IsLive("live") || s.Head.IsLive("kept") || s.Head.IsLive("gone") {
		t.Error("live is the live target")
	}
	if n := sides.CountCases(s.Selected[suite.Head]); n != 3 {
		t.Errorf("%d cases, want 3", n)
	}
}
