package sides_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

func TestCasesAreSelectedByPatternTargetAndFailure(t *testing.T) {
	failed := map[suiteid.Name]bool{{Suite: "s", Case: "b"}: true, {Suite: "t", Case: "c"}: true}
	for _, c := range []struct {
		only  sides.CaseFilter
		want  string // the cases; or the error
		flags string
	}{
		{sides.CaseFilter{}, "a b c", ""},
		{sides.CaseFilter{Cases: []string{"a"}}, "a", "--case a"},
		{sides.CaseFilter{Cases: []string{"s/*"}}, "a b", "--case s/*"},
		{sides.CaseFilter{Cases: []string{"a", "t/c"}}, "a c", "--case a --case t/c"},
		{sides.CaseFilter{Targets: []string{"live", "kept"}}, "a b c", "--target live --target kept"},
		{sides.CaseFilter{Cases: []string{"*"}, Targets: []string{"kept"}, Failed: failed}, "b", "--case * --target kept --failed"},
		{sides.CaseFilter{Failed: failed}, "b c", "--failed"},
		{sides.CaseFilter{Cases: []string{"."}}, "--case .: none of 3 cases is left to run; expected names of cases or targets of the suites, such as --case \"a\" or --target \"kept\"", "--case ."},
		{sides.CaseFilter{Cases: []string{"\xff"}}, "none of 3 cases is left to run", "--case \xff"},
		{sides.CaseFilter{Failed: map[suiteid.Name]bool{}}, "none of 3 cases is left to run", "--failed"},
	} {
		in := runtest.Inputs(t, shop, nil, nil)
		in.Filter = c.only
		s, err := sides.Read(in)
		if got := c.only.Flags(); got != c.flags {
			t.Errorf("flags %q, want %q", got, c.flags)
		}
		var ran []string
		for _, one := range s.Selected[suite.Head] {
			for _, k := range one.Cases {
				ran = append(ran, k.ID)
			}
		}
		if err != nil {
			wantInputError(t, err, c.want)
		} else if got := strings.Join(ran, " "); got != c.want {
			t.Errorf("%s: ran %q, want %q", c.flags, got, c.want)
		}
		for _, w := range s.Warnings {
			if want := "only " + string(rune('0'+len(ran))) + " of 3 cases ran, by " + c.flags; w.Message != want {
				t.Errorf("warning %q, want %q", w.Message, want)
			}
		}
		if (len(s.Warnings) > 0) != (c.flags != "" && err == nil) {
			t.Errorf("%s: warnings %v", c.flags, s.Warnings)
		}
	}
}

func TestNoCaseIsSelectedIfNoneIsInScope(t *testing.T) {
	in := runtest.Inputs(t, shop, shop, nil)
	in.Scope, in.Filter.Cases = sides.ScopeChanged, []string{"none"}
	if s := mustRead(t, in); len(s.Warnings) > 0 || s.Scope.OutOfScope != 2 {
		t.Errorf("warnings %v, %d suites out of scope", s.Warnings, s.Scope.OutOfScope)
	}
	in.Scope = sides.ScopeAll
	if _, err := sides.Read(in); err == nil {
		t.Error("if all are in scope, a pattern must match one")
	}
	in.Filter.Cases = nil
	if s := mustRead(t, in); s.Scope.OutOfScope != 0 {
		t.Errorf("%d suites out of scope, and all ran", s.Scope.OutOfScope)
	}
}

func TestAPatternThatSelectsNothingNamesTheCaseThatIsMostLikeIt(t *testing.T) {
	files := shopWith(runtest.Files{"t.yaml": strings.Replace(shop["t.yaml"], "id: c,", "id: Late-refund,", 1)})
	for pattern, want := range map[string]string{"refund": "Late-refund", "t/late-refnd": "Late-refund", "*REFUND": "Late-refund", "other": "a"} {
		in := runtest.Inputs(t, files, nil, nil)
		in.Filter = sides.CaseFilter{Cases: []string{pattern}}
		_, err := sides.Read(in)
		wantInputError(t, err, "such as --case \""+want+"\"")
	}
}
