package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestRemovedCasesAreNamedIfTheyPassed(t *testing.T) {
	g := with(config.OnRemoved, err)
	says(t, gate.Removed, g, runOf(t, "s/a pass pass"))
	says(t, gate.Removed, g, runOf(t, "s/a pass -", "s/b pass pass"), "error: 1 case that passed before was removed: s/a")
	says(t, gate.Removed, g, runOf(t, "s/a pass -", "s/b fail -", "s/c pass -"), "error: 3 cases were removed, 2 of them passed before: s/a, s/c")
	says(t, gate.Removed, g, runOf(t, "s/a fail -", "s/b pass pass"), "warn: 1 case was removed") // it hides nothing
	says(t, gate.Removed, with(config.OnRemoved, warn), runOf(t, "s/a pass -"), "warn: 1 case that passed before was removed: s/a")
	says(t, gate.Removed, with(config.OnRemoved, off), runOf(t, "s/a pass -"))
	if got := reasonsOf(gate.Removed, comparetest.GateWithoutReruns(), runOf(t, "s/a - pass")); got != nil {
		t.Errorf("a new case is no removed one: %q", got)
	}
}

func TestTheTitleOfRemovedCasesSaysWhetherOnePassed(t *testing.T) {
	right, wrong := &report.Outcome{Trials: 1, Passed: 1}, &report.Outcome{Trials: 1}
	kept := report.Change{Change: report.StillPassing, Base: right, Head: right}
	for base, want := range map[*report.Outcome]string{right: "passing cases were removed", wrong: "cases were removed"} {
		rep := &report.Report{Changes: []report.Change{kept, {Change: report.Removed, Base: base}}}
		if got := gate.Removed.Title(gate.TitleInput{Report: rep}); got != want {
			t.Errorf("%d right answers before: title %q, want %q", base.Passed, got, want)
		}
	}
}

// TestAFailingCaseInPlaceOfAPassingOneBlocksForAnotherRunner checks results that show no questions, so that a renamed
// case cannot be recognized.
func TestAFailingCaseInPlaceOfAPassingOneBlocksForAnotherRunner(t *testing.T) {
	run := func(lines ...string) gate.Run {
		in := runOf(t, append(lines, "s/c pass pass", "s/d pass pass")...)
		in.Pairing = gate.Pairing{BaseCases: 3, PairedCases: 2}
		return in
	}
	byDefault := config.Default().Gate
	const named = "1 case that passed before was removed: s/a"
	const renamed = named + "; 1 new case fails, and may be of these under another name"
	says(t, gate.Removed, byDefault, run("s/a pass -", "s/b - fail"), "error: "+renamed)
	says(t, gate.Removed, byDefault, run("s/a pass -", "s/b - pass"), "warn: "+named)
	says(t, gate.Removed, byDefault, run("s/a fail -", "s/b - fail"), "warn: 1 case was removed")
	says(t, gate.Removed, byDefault, runOf(t, "s/a pass -", "s/b - fail"), "warn: "+named)
	says(t, gate.Removed, with(config.OnRemoved, config.Setting{Level: config.Warn, Set: true}), run("s/a pass -", "s/b - fail"), "warn: "+renamed)
}
