package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestAnswersThatAChangeCutsAreHeldWhereSomethingIsForbidden(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       []string // the reasons that decide or warn, as code level
	}{
		{"whole before, cut now, and something is forbidden", "s/a pass pass cut-head forbids recorded", []string{"answers_cut error"}},
		{"nothing is forbidden: that is said", "s/a pass pass cut-head recorded", []string{"answers_cut warn"}},
		{"cut on both sides: it is no change", "s/a pass pass cut-head cut-base forbids recorded", nil},
		{"cut before, whole now", "s/a pass pass cut-base forbids recorded", nil},
		{"a case that is new cuts nothing", "s/a - pass cut-head forbids recorded", nil},
		{"one that must pass", "s/a pass pass cut-head forbids must recorded", []string{"on_must_pass_change error", "answers_cut error"}},
		{"one that must pass, and that nothing is forbidden to", "s/a pass pass cut-head must recorded", []string{"answers_cut warn"}},
		{"whose expectation changed, and either forbids something", "s/a pass pass cut-head forbids old:pass recorded", []string{"answers_cut error"}},
		{"whose expectation changed, and neither forbids anything", "s/a pass pass cut-head old:pass recorded", []string{"answers_cut warn"}},
		{"whose expectation changed, and nobody held it to the old one", "s/a pass pass cut-head redefined recorded", []string{"answers_cut error"}},
		{"a wrong answer is a regression, however long", "s/a pass fail cut-head forbids recorded", []string{"max_regressions error"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := comparetest.Sides(t, c.line)
			policy := comparetest.Gate()
			policy.Settings[config.OnPolicyChange].Level = config.Err
			found, err := settled(policy, gate.Run{Base: base, Head: head, BaseState: report.BaseCompared}, base, compare.Asker{})
			if err != nil {
				t.Fatal(err)
			}
			_, reasons := gate.Decide(policy, gate.Run{Base: base, Head: head, BaseState: report.BaseCompared, Comparison: found})
			var got []string
			for _, r := range reasons {
				if strings.Contains("answers_cut on_must_pass_change max_regressions", r.Code) {
					got = append(got, r.Code+" "+string(r.Level))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("reasons %v, want %v", reasons, c.want)
			}
		})
	}
}
