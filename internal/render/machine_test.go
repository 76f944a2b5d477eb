package render

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// tb is what tests, fuzzing and drawn tests share.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// machineStates are the goldens of JUnit and SARIF: the states of the gate, without those that are only long.
func machineStates() (names []string, runs map[string]func() *report.Report) {
	runs = map[string]func() *report.Report{}
	for _, s := range states {
		if s.name != "300-regressions" && s.name != "40-suites" {
			names, runs[s.name] = append(names, s.name), s.run
		}
	}
	return names, runs
}

// checkInert holds the bytes of a document to what a log and a reader may take.
func checkInert(t tb, text []byte) {
	t.Helper()
	if !utf8.Valid(text) || !bytes.HasSuffix(text, []byte("\n")) {
		t.Errorf("not UTF-8, or no line feed at the end")
	}
	for _, r := range string(text) {
		if hidden(r) {
			t.Errorf("invisible character %U", r)
		}
	}
	for _, line := range runnerLines(string(text)) {
		if isCommand(line) {
			t.Errorf("the runner takes %q for a command", line)
		}
	}
}

func checkMachines(t tb, r *report.Report) {
	t.Helper()
	for _, l := range []Links{links(), {Dir: r.Suites[0].Path}} {
		checkJUnit(t, r, junit(t, r, l))
		checkSARIF(t, sarif(t, r, l))
	}
}

func TestHostileTextIsInertForMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := hostileRun(rapid.SliceOfN(hostileText(), 2, 9).Draw(t, "texts")...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		checkMachines(t, r)
	})
}

func FuzzMachines(f *testing.F) {
	for _, text := range append(hostileTexts, "]]>", "##[error]", "#\u0301[", "＃［x]", "\ufffe\uffff\ud7ff\x0b", "a](b)") {
		f.Add(text, "x", uint8(1))
	}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		r := plainRun() // one case: a hostile run has too many to try many
		r.Verdict = report.Verdicts[int(n)%len(report.Verdicts)]
		texts := []string{a, b}
		next := func() string { texts = []string{texts[1], texts[0]}; return texts[1] }
		status := report.Statuses[int(n)%len(report.Statuses)]
		c := add(r, status, next(), hostileOutcome(int(n), next), hostileOutcome(int(n/8), next))
		c.SuiteID, c.Path, c.Severity, c.MustPass = next(), next(), next(), n%2 == 0
		r.Reasons = []report.Reason{{Code: next(), Level: report.LevelError, Message: next()}, reason("min_score", next())}
		r.Diagnostics = []document.Diagnostic{{Severity: document.Error, Path: next(), Line: int(n), Rule: next(), Message: next()}}
		checkMachines(t, r)
	})
}
