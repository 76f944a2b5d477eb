package cause

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// What breaks while it is told which line did it costs that and nothing else.
func TestABugInTellingTheLineIsAWarning(t *testing.T) {
	var to asking.Sinks
	got := explainRegressed(t, "s.yaml", &to) // neither side has a tree
	if got.Explanation != nil || len(got.Warnings) != 1 || got.Warnings[0].Code != "unexplained" || len(to.Bugs.All) != 1 {
		t.Errorf("told %+v, warnings %+v, bugs %v", got.Explanation, got.Warnings, to.Bugs.All)
	}
}

// If another model broke the cases, there is no line to look for, and nothing announces a search.
func TestNoLineIsLookedForWhereNoneChanged(t *testing.T) {
	to := asking.Sinks{Say: func(format string, args ...any) { t.Errorf("it says "+format, args...) }}
	if got := explainRegressed(t, "", &to); got.Explanation != nil || len(got.Warnings)+len(to.Bugs.All) > 0 {
		t.Errorf("told %+v, warnings %+v, bugs %v", got.Explanation, got.Warnings, to.Bugs.All)
	}
}

// explainRegressed returns the report of a check that looks for the line that broke the one case of a suite at a path.
func explainRegressed(t *testing.T, path string, to *asking.Sinks) (rep report.Report) {
	one := func() *suite.Suite {
		s := &suite.Suite{ID: "s", Path: path}
		s.Cases.Add(suite.Case{ID: "c", Body: &suite.Body{}})
		return s
	}
	p := &sides.Sides{Rules: config.Default(), Head: &sides.Side{Suites: []*suite.Suite{one()}}, Base: &sides.Side{Suites: []*suite.Suite{one()}}}
	p.Pairs = sides.NewPairs(suiteid.Matches{}, p.Base, p.Head)
	found := compare.Comparison{NoiseTest: &noise.Finding{Numbers: report.Noise{Confirm: &report.ConfirmTest{
		Candidates: []report.Candidate{{SuiteID: "s", CaseID: "c", State: report.CandidateConfirmed, Rounds: 8, BasePasses: 8}}}}}}
	to.Bugs = &fault.Bugs{}
	check := New(p)
	check.Last(t.Context(), checks.Run{Plan: evaluate.Plan{Base: &evaluate.Side{}}, Sinks: *to}, gate.Run{Head: &report.Side{}, Comparison: found})
	check.Report(&rep)
	return rep
}

func TestTheWorstCasesAreLookedAtFirst(t *testing.T) {
	s := &suite.Suite{ID: "s"}
	var candidates []report.Candidate
	for _, c := range []struct {
		id, severity string
		must         bool
		head         int
	}{{"low", "low", false, 0}, {"medium", "medium", false, 2}, {"worse", "medium", false, 0}, {"must", "low", true, 2}, {"critical", "critical", false, 2}, {"high", "high", false, 0}} {
		s.Cases.Add(suite.Case{ID: c.id, Severity: c.severity, MustPass: c.must, Body: &suite.Body{}})
		candidates = append(candidates, report.Candidate{SuiteID: "s", CaseID: c.id, State: report.CandidateConfirmed, Rounds: 8, BasePasses: 8, HeadPasses: c.head})
	}
	for _, c := range []report.Candidate{
		{State: report.CandidateCleared, CaseID: "low"}, {Stored: true, CaseID: "low"}, {Unanswered: true, CaseID: "low"}, {CaseID: "none"}, {CaseID: "new"}, {CaseID: "gone"},
	} {
		c.SuiteID, c.State, c.Rounds, c.BasePasses = "s", cmp.Or(c.State, report.CandidateConfirmed), 8, 8
		candidates = append(candidates, c)
	}
	before := &suite.Suite{ID: "s", Cases: slices.Clone(s.Cases)}
	before.Cases.Add(suite.Case{ID: "gone", Body: &suite.Body{}})
	s.Cases.Add(suite.Case{ID: "new", Body: &suite.Body{}})
	p := &sides.Sides{Head: &sides.Side{Suites: []*suite.Suite{s}}, Base: &sides.Side{Suites: []*suite.Suite{before}}}
	p.Pairs = sides.NewPairs(suiteid.Matches{}, p.Base, p.Head)
	all, beyond := confirmedRegressions(p, compare.Comparison{NoiseTest: &noise.Finding{Numbers: report.Noise{Confirm: &report.ConfirmTest{Candidates: candidates}}}})
	var got []string
	for _, one := range all {
		got = append(got, one.Head.ID)
	}
	if want := "[must critical high worse medium]"; fmt.Sprint(got) != want || beyond != 1 {
		t.Errorf("looked at %v and %d beyond, want %s and 1", got, beyond, want)
	}
}

// Without reruns no regression is confirmed.
func TestWithoutRerunsNoCaseIsLookedAt(t *testing.T) {
	for _, found := range []*noise.Finding{nil, {}} {
		if all, beyond := confirmedRegressions(nil, compare.Comparison{NoiseTest: found}); len(all)+beyond > 0 {
			t.Errorf("%+v: looked at %d cases and %d beyond", found, len(all), beyond)
		}
	}
}

// A command is told the head's name of a case, also where the change of its name is taken back.
func TestACaseHasTheNameOfTheHead(t *testing.T) {
	named := func(suiteID, caseID string) (*suite.Suite, *suite.Case) {
		s := &suite.Suite{ID: suiteID}
		s.Cases.Add(suite.Case{ID: caseID, Body: &suite.Body{Prompt: model.Request{SuiteID: suiteID, CaseID: caseID, Model: "of " + caseID}}})
		return s, s.Cases[0]
	}
	var both Case
	both.BaseSuite, both.Base = named("s", "a")
	both.HeadSuite, both.Head = named("t", "b")
	got := (&variants{}).caseOf(both, []*suite.Suite{both.BaseSuite})
	if q := got.Prompt; got.ID != "b" || q.SuiteID != "t" || q.CaseID != "b" || q.Model != "of a" {
		t.Errorf("%s: %+v", got.ID, q)
	}
}
