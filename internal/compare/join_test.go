package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/report"
)

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		rule  string
		lines []string
		want  map[string]string
	}{
		{"equal cases under another name are the same suite", []string{"old/a pass -", "old/b pass -", "new/b - fail", "new/a - fail"},
			map[string]string{"old": "new"}},
		{"a suite that is still there was not renamed", []string{"old/a pass pass", "new/a - pass"}, map[string]string{}},
		{"a suite that was there before is no new name", []string{"old/a pass -", "new/a pass pass"}, map[string]string{}},
		{"a suite that has all of its cases and more is the same", []string{"old/a pass -", "new/a - pass", "new/b - pass"}, map[string]string{"old": "new"}},
		{"another expectation makes another suite", []string{"old/a pass -", "new/a - pass redefined"}, map[string]string{}},
		{"each name is used once, in order", []string{"p/a pass -", "q/a pass -", "x/a - pass", "y/a - pass"}, map[string]string{"p": "x", "q": "y"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := comparetest.Sides(t, c.lines...)
			base = compare.JoinSuites(base, head)
			got := map[string]string{}
			for _, s := range base.Suites {
				if id := base.Matches.HeadID(s.ID); id != s.ID {
					got[s.ID] = id
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Join (-want +got):\n%s", diff)
			}
		})
	}
}

// TestACaseWithoutInputIsKnownByItsRequest tells cases apart that have no variables and differ in their prompt alone.
func TestACaseWithoutInputIsKnownByItsRequest(t *testing.T) {
	const none = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" // SHA-256 of {}
	side := func(id, request, input string) *report.Side {
		r := comparetest.Result("s", id, 1, "pass")
		r.RequestKey, r.InputKey = request, input
		return built(t, r).Side()
	}
	for _, c := range []struct{ rule, input, request, want string }{
		{"the same request", none, "q", "b"},
		{"another request", none, "other", "a"},
		{"an input of its own, and a changed prompt", "input", "other", "b"},
	} {
		base, head := side("a", "q", c.input), side("b", c.request, c.input)
		base = compare.JoinSuites(base, head)
		if got := base.Matches.HeadName("s", "a").Case; got != c.want {
			t.Errorf("%s: case a goes by %s in the head, want %s", c.rule, got, c.want)
		}
		was := map[string]string{"a": "", "b": "s/a"}[c.want]
		if got := comparetest.Compare(base, head).Changes[0]; got.CaseID != "b" || got.BaseName != was {
			t.Errorf("%s: the change of case %s says that it was %q, want %q", c.rule, got.CaseID, got.BaseName, was)
		}
	}
}

func TestARegressionIsFoundInARenamedSuite(t *testing.T) {
	base, head := comparetest.Sides(t, "old/a pass -", "new/a - fail")
	base = compare.JoinSuites(base, head)
	if got := comparetest.Compare(base, head).Counts[report.Regressed]; got != 1 {
		t.Errorf("%d regressions, want 1", got)
	}
}

func TestOfEqualSuitesUnderOtherNamesThoseThatAreSentTheSameAreOne(t *testing.T) {
	side := func(suites ...string) *report.Side {
		var all []report.Result
		for _, suite := range suites { // which end in what is sent
			r := comparetest.Result(suite, "a", 1, "pass")
			r.RequestKey = suite[len(suite)-1:]
			all = append(all, r)
		}
		return built(t, all...).Side()
	}
	base, head := side("p-1", "q-2"), side("x-2", "y-1")
	base = compare.JoinSuites(base, head)
	for id, want := range map[string]string{"p-1": "y-1", "q-2": "x-2"} {
		if got := base.Matches.HeadID(id); got != want {
			t.Errorf("suite %s goes by %s in the head, want %s", id, got, want)
		}
	}
}

func TestOfEqualCasesUnderOtherNamesThoseThatAreSentTheSameAreOne(t *testing.T) {
	side := func(ids ...string) *report.Side {
		var b report.Builder
		for _, id := range ids { // which end in what is sent
			r := comparetest.Result("s", id, 1, "pass")
			r.RequestKey, r.ExpectationKey = id[len(id)-1:], "e"
			if err := b.Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
		return b.Side()
	}
	base, head := side("a-1", "b-2"), side("y-2", "z-1")
	base = compare.JoinSuites(base, head)
	for id, want := range map[string]string{"a-1": "z-1", "b-2": "y-2"} {
		if got := base.Matches.HeadName("s", id).Case; got != want {
			t.Errorf("case %s goes by %s in the head, want %s", id, got, want)
		}
	}
}

func TestACaseThatAsksTheSameUnderAnotherNameIsRedefined(t *testing.T) {
	side := func(id, expectation, input, runner string) *report.Side {
		r := comparetest.Result("s", id, 1, "pass")
		r.ExpectationKey, r.InputKey, r.Runner = expectation, input, runner
		return built(t, r).Side()
	}
	for _, c := range []struct {
		rule, input, runner string
		want                report.Status
	}{
		{"the same input", "01", "", report.Redefined},
		{"another input", "02", "", report.New},
		{"a test of another runner", "01", "pytest", report.New},
	} {
		base, head := side("a", "e", "01", c.runner), side("b", "f", c.input, c.runner)
		base = compare.JoinSuites(base, head)
		if got := comparetest.Compare(base, head).Changes[0]; got.CaseID != "b" || got.Change != c.want {
			t.Errorf("%s: case %s is %s, want b and %s", c.rule, got.CaseID, got.Change, c.want)
		}
	}
}
