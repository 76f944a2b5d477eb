package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/report"
)

var update = flag.Bool("update", false, "write the golden files")

// states are the goldens: each is one glance at a state of the gate.
var states = []struct {
	name string
	run  func() *report.Report
}{
	{"passed", plainRun},
	{"passed-with-fixed", fixedRun},
	{"failed", failedRun},
	{"must-pass-failed", mustPassRun},
	{"undecided", undecidedRun},
	{"cancelled", cancelledRun},
	{"budget", budgetRun},
	{"invalid", invalidRun},
	{"first-run", firstRun},
	{"300-regressions", manyRegressions},
	{"40-suites", fortySuites},
	{"measured", measuredRun},
	{"probed", probedRun},
	{"alike", alikeRun},
	{"announced", announced},
	{"nothing-in-scope", nothingRun},
	{"noisy-passed", noisyRun},
	{"noisy-confirmed", confirmedRun},
	{"noisy-dropped", droppedRun},
	{"noisy-suspected", suspectedRun},
	{"noisy-lost", lostRun},
	{"noisy-mixed", mixedRun},
	{"noisy-bar", excusedRun},
	{"noisy-many", brokenAmongManyRun},
	{"noisy-rechecked", recheckedRun},
	{"noisy-open", openRun},
	{"noisy-must-pass", clearedMustPassRun},
	{"replayed", replayedRun},
	{"stale", staleRun},
	{"kept-by-hand", keptRun},
	{"merged", mergedRun},
	{"no-merge", noMergeRun},
	{"base-moved", baseMovedRun},
	{"acceptable", acceptableRun},
	{"accepted", acceptedRun},
	{"redrawn", redrawnRun},
	{"hostile", func() *report.Report { return hostileRun(hostileTexts...) }},
}

func TestCommentOfEachState(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) { golden(t, s.name+".md", Comment(s.run(), links())) })
	}
}

func TestCommentWithoutLinks(t *testing.T) {
	golden(t, "failed-without-links.md", Comment(failedRun(), Links{}))
}

func TestSummary(t *testing.T) { golden(t, "failed.summary.md", Summary(failedRun(), links())) }

func TestTableOfEachState(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) { golden(t, s.name+".txt", table(t, s.run(), TableOptions{Width: 80})) })
	}
}

func table(t *testing.T, r *report.Report, o TableOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Table(&b, r, o); err != nil {
		t.Fatalf("Table: %v", err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); -update writes it:\n%s", path, diff)
	}
}
