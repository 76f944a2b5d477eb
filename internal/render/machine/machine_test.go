package machine

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// machineStates are the goldens of JUnit and SARIF: the states of the gate, without those that are only long.
func machineStates() (names []string, runs map[string]func() *report.Report) {
	runs = map[string]func() *report.Report{}
	for _, s := range rendertest.States {
		if s.Name != "300-regressions" && s.Name != "40-suites" {
			names, runs[s.Name] = append(names, s.Name), s.Run
		}
	}
	return names, runs
}

func checkMachines(t rendertest.Tb, r *report.Report) {
	t.Helper()
	for _, l := range []show.Links{rendertest.Links(), {Dir: r.Suites[0].Path}} {
		checkJUnit(t, r, junit(t, r, l))
		checkSARIF(t, sarif(t, r, l))
	}
}

func TestHostileTextIsInertForMachines(t *testing.T) {
	rendertest.HostileRuns(t, func(t *rapid.T, r *report.Report) { checkMachines(t, r) })
}

func FuzzMachines(f *testing.F) {
	for _, text := range append(rendertest.HostileTexts, "]]>", "##[error]", "#\u0301[", "＃［x]", "\ufffe\uffff\ud7ff\x0b", "a](b)") {
		f.Add(text, "x", uint8(1))
	}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		r := rendertest.PlainRun() // one case: a hostile run has too many to try many
		r.Verdict = report.Verdicts[int(n)%len(report.Verdicts)]
		texts := []string{a, b}
		next := func() string { texts = []string{texts[1], texts[0]}; return texts[1] }
		status := report.Statuses[int(n)%len(report.Statuses)]
		c := rendertest.Add(r, status, next(), rendertest.HostileOutcome(int(n), next), rendertest.HostileOutcome(int(n/8), next))
		c.SuiteID, c.Path, c.Severity, c.MustPass = next(), next(), next(), n%2 == 0
		r.Reasons = []report.Reason{{Code: next(), Level: report.LevelError, Message: next()}, rendertest.Reason("min_score", next())}
		r.Diagnostics = []document.Diagnostic{{Severity: document.Error, Path: next(), Line: int(n), Rule: next(), Message: next()}}
		checkMachines(t, r)
	})
}
