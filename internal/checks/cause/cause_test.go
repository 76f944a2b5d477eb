package cause

import (
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
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
	if got.Explanation != nil || len(got.warnings) != 1 || got.warnings[0].Code != "unexplained" || len(to.Bugs.All) != 1 {
		t.Errorf("told %+v, warnings %+v, bugs %v", got.Explanation, got.warnings, to.Bugs.All)
	}
}

// If another model broke the cases, there is no line to look for, and nothing announces a search.
func TestNoLineIsLookedForWhereNoneChanged(t *testing.T) {
	to := asking.Sinks{Say: func(format string, args ...any) { t.Errorf("it says "+format, args...) }}
	if got := explainRegressed(t, "", &to); got.Explanation != nil || len(got.warnings)+len(to.Bugs.All) > 0 {
		t.Errorf("told %+v, warnings %+v, bugs %v", got.Explanation, got.warnings, to.Bugs.All)
	}
}

// explainRegressed looks for the line that broke the one case of a suite at the given path.
func explainRegressed(t *testing.T, path string, to *asking.Sinks) searchResult {
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
	return explainRegressions(t.Context(), p, evaluate.Plan{Base: &evaluate.Side{}}, found, *to)
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
	candidates = append(candidates, report.Candidate{SuiteID: "s", CaseID: "low", State: report.CandidateCleared, Rounds: 8, BasePasses: 8, HeadPasses: 8})
	p := &sides.Sides{Head: &sides.Side{Suites: []*suite.Suite{s}}, Base: &sides.Side{Suites: []*suite.Suite{s}}}
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
