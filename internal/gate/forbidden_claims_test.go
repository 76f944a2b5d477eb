package gate_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestWhatPassesAllTheSameIsNamed(t *testing.T) {
	const repaired = " JSON only after repairs (fenced block, trailing commas), which `strict: true` would fail, and needed none before: "
	const states = " what is forbidden, which a policy or `scoring.grounding.required` would fail: "
	for _, c := range []struct {
		rule  string
		lines []string
		want  []string
	}{
		{"JSON that needs repairs now", []string{"s/a pass pass repaired-head", "s/b pass pass repaired-head", "s/c pass pass"}, []string{"2 answers are" + repaired + "s/a, s/b"}},
		{"and did before", []string{"s/a pass pass repaired-head repaired-base"}, nil},
		{"and does no more", []string{"s/a pass pass repaired-base"}, nil},
		{"where nothing was right before", []string{"s/a fail pass repaired-head"}, nil},
		{"of another expectation", []string{"s/a pass pass redefined repaired-head"}, nil},
		{"of a new case", []string{"s/a - pass repaired-head"}, nil},
		{"a claim that is stated", []string{"s/a pass pass states-head", "s/b pass pass"}, []string{`1 answer passes and states` + states + `s/a ("it is free")`}},
		{"that was before, too", []string{"s/a pass pass states-head states-base"}, []string{`1 answer passes and states` + states + `s/a ("it is free")`}},
		{"by a new case", []string{"s/a - pass states-head"}, []string{`1 answer passes and states` + states + `s/a ("it is free")`}},
		{"before and no more", []string{"s/a pass pass states-base"}, nil},
		{"by one of several answers", []string{"s/a - pass,pass states-head"}, []string{`1 answer passes and states` + states + `s/a ("it is free")`}},
	} {
		base, head := comparetest.Sides(t, c.lines...)
		policy := config.Gate{}
		policy.Settings[config.MinRunScore].Level = config.Off
		found, err := settled(policy, gate.Run{Base: base, Head: head, BaseState: report.BaseCompared}, base, compare.Asker{})
		if err != nil {
			t.Fatal(err)
		}
		_, reasons := gate.Decide(policy, gate.Run{Base: base, Head: head, BaseState: report.BaseCompared, Comparison: found})
		var got []string
		for _, r := range reasons {
			if r.Code == gate.ForbiddenClaims.Code || r.Code == gate.ParseRepairs.Code {
				got = append(got, r.Message)
				if r.Level != report.LevelWarn {
					t.Errorf("%s: level %s", c.rule, r.Level)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
	_, head := comparetest.Sides(t, "s/a - pass states-head")
	if _, reasons := gate.Decide(config.Default().Gate, gate.Run{Head: head}); !slices.ContainsFunc(reasons, func(r report.Reason) bool { return r.Code == gate.ForbiddenClaims.Code }) {
		t.Errorf("without a base: %v", reasons)
	}
}
