package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
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
			base, head := sides(t, c.lines...)
			compare.Join(base, head)
			got := map[string]string{}
			for _, s := range base.Suites {
				if s.As != "" {
					got[s.ID] = s.As
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Join (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARegressionIsFoundInARenamedSuite(t *testing.T) {
	base, head := sides(t, "old/a pass -", "new/a - fail")
	compare.Join(base, head)
	if got := compare.Sides(base, head).Counts[report.Regressed]; got != 1 {
		t.Errorf("%d regressions, want 1", got)
	}
}
