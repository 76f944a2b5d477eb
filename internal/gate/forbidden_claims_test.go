package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestWhatPassesAllTheSameIsNamed(t *testing.T) {
	const repaired = "warn: 2 answers are JSON only after repairs (fenced block, trailing commas), which `strict: true` would fail, " +
		"and needed none before: s/a, s/b"
	const states = "warn: 1 answer passes and makes forbidden claims, which a policy or `scoring.grounding.required` would fail: " +
		`s/a ("it is free")`
	for _, c := range []struct {
		rule  string
		is    gate.Rule
		lines []string
		want  []string
	}{
		{"JSON that needs repairs now", gate.ParseRepairs,
			[]string{"s/a pass pass repaired-head", "s/b pass pass repaired-head", "s/c pass pass"}, []string{repaired}},
		{"and did before", gate.ParseRepairs, []string{"s/a pass pass repaired-head repaired-base"}, nil},
		{"and does no more", gate.ParseRepairs, []string{"s/a pass pass repaired-base"}, nil},
		{"where nothing was right before", gate.ParseRepairs, []string{"s/a fail pass repaired-head"}, nil},
		{"of another expectation", gate.ParseRepairs, []string{"s/a pass pass redefined repaired-head"}, nil},
		{"of a new case", gate.ParseRepairs, []string{"s/a - pass repaired-head"}, nil},
		{"a claim that is stated", gate.ForbiddenClaims, []string{"s/a pass pass states-head", "s/b pass pass"}, []string{states}},
		{"that was before, too", gate.ForbiddenClaims, []string{"s/a pass pass states-head states-base"}, []string{states}},
		{"by a new case", gate.ForbiddenClaims, []string{"s/a - pass states-head"}, []string{states}},
		{"before and no more", gate.ForbiddenClaims, []string{"s/a pass pass states-base"}, nil},
		{"by one of several answers", gate.ForbiddenClaims, []string{"s/a - pass,pass states-head"}, []string{states}},
	} {
		t.Run(c.rule, func(t *testing.T) { says(t, c.is, config.Gate{}, runOf(t, c.lines...), c.want...) })
	}
	t.Run("without a base", func(t *testing.T) {
		in := gate.Run{Head: runOf(t, "s/a - pass states-head").Head}
		says(t, gate.ForbiddenClaims, config.Default().Gate, in, states)
	})
}
