package machine

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// goldens are the states whose JUnit and SARIF are in testdata, one of each kind that these formats distinguish. Other
// tests check the form of all states, and the comment's goldens check their words.
var goldens = []string{"failed", "hostile", "invalid", "undecided", "announced", "noisy-lost", "targets"}

// eachGolden calls f with the states that have goldens.
func eachGolden(t *testing.T, f func(t *testing.T, name string, r *report.Report)) {
	t.Helper()
	left := len(goldens)
	for _, s := range rendertest.States {
		if slices.Contains(goldens, s.Name) {
			left--
			t.Run(s.Name, func(t *testing.T) { f(t, s.Name, s.Run()) })
		}
	}
	if left != 0 {
		t.Errorf("%d goldens are of no state", left)
	}
}

func checkMachines(t rendertest.TB, r *report.Report) {
	t.Helper()
	for _, l := range []show.Links{rendertest.Links(), {Dir: r.Suites[0].Path}} {
		checkJUnit(t, r, junit(t, r, l))
		checkSARIF(t, sarif(t, r, l))
	}
}

func TestHostileTextIsInertForMachines(t *testing.T) {
	rendertest.CheckHostileRuns(t, func(t *rapid.T, r *report.Report) { checkMachines(t, r) })
}

func FuzzMachines(f *testing.F) {
	for _, text := range append(rendertest.HostileTexts, "]]>", "##[error]", "#\u0301[", "＃［x]", "\ufffe\uffff\ud7ff\x0b", "a](b)") {
		f.Add(text, "x", uint8(1))
	}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		r := rendertest.PassedRun() // one case: a hostile run has too many to try many
		verdicts := []report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid}
		r.Verdict = verdicts[int(n)%len(verdicts)]
		texts := []string{a, b}
		next := func() string { texts = []string{texts[1], texts[0]}; return texts[1] }
		status := report.Statuses[int(n)%len(report.Statuses)]
		c := rendertest.AddChange(r, status, next(), rendertest.HostileOutcome(int(n), next), rendertest.HostileOutcome(int(n/8), next))
		c.SuiteID, c.Path, c.Severity, c.MustPass = next(), next(), next(), n%2 == 0
		r.Reasons = []report.Reason{{Code: next(), Level: report.LevelError, Message: next()}, rendertest.Reason("min_score", next())}
		r.Diagnostics = []document.Diagnostic{{Severity: document.Error, Path: next(), Line: int(n), Rule: next(), Message: next()}}
		checkMachines(t, r)
	})
}

// checkInert checks that a document is valid UTF-8 and safe in a log.
func checkInert(t rendertest.TB, document []byte) {
	t.Helper()
	if !utf8.Valid(document) || !bytes.HasSuffix(document, []byte("\n")) {
		t.Errorf("not UTF-8, or no line feed at the end")
	}
	if s := string(document); text.EscapeHidden(s) != s {
		t.Errorf("invisible characters")
	}
	for _, line := range rendertest.RunnerLines(string(document)) {
		if rendertest.IsCommand(line) {
			t.Errorf("the runner takes %q for a command", line)
		}
	}
}

// storyOf returns the story of a report whose changes have no kinds yet.
func storyOf(r *report.Report, l show.Links) *story.Story {
	return story.New(rendertest.SortChanges(r), l)
}
