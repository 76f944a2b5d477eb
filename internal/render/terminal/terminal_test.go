package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestTableOfEachState(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) { rendertest.Golden(t, s.Name+".txt", table(t, s.Run(), Options{Width: 80})) })
	}
}

func table(t *testing.T, r *report.Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, story.New(rendertest.SortChanges(r), show.Links{}), o); err != nil {
		t.Fatalf("Table: %v", err)
	}
	return b.String()
}

func TestFixedCasesAreNamedUpToALimit(t *testing.T) {
	r := rendertest.PassedRun()
	for i := range rowsShown + 2 {
		rendertest.AddChange(r, report.Fixed, fmt.Sprintf("fixed-%02d", i), rendertest.FailOutcome("a refund", "a voucher"), rendertest.PassOutcome("a refund")).Kind = report.KindFixed
	}
	got := table(t, r, Options{})
	if !strings.Contains(got, "12 fixed\n") || !strings.Contains(got, "fixed-09") || strings.Contains(got, "fixed-10") || !strings.Contains(got, "\n  … and 2 more\n") {
		t.Errorf("fixed cases:\n%s", got)
	}
}

func TestTheTableIsPlainWithinItsWidth(t *testing.T) {
	for _, s := range rendertest.States {
		if s.Name == "hostile" {
			continue
		}
		for _, line := range strings.Split(table(t, s.Run(), Options{Width: 80}), "\n") {
			long := utf8.RuneCountInString(line) > 80
			if long && !strings.Contains("❌✅⚠️⏸️🚫", string([]rune(line)[:1])) && s.Name != "invalid" && s.Name != "300-regressions" {
				t.Errorf("%s: %d columns: %s", s.Name, utf8.RuneCountInString(line), line)
			}
		}
	}
}

func TestTheTableHoldsNoCommandOfTheRunner(t *testing.T) {
	rendertest.CheckHostileRuns(t, func(t *rapid.T, r *report.Report) {
		var b bytes.Buffer
		if err := Write(&b, story.New(rendertest.SortChanges(r), show.Links{}), Options{Color: rapid.Bool().Draw(t, "color")}); err != nil {
			t.Fatal(err)
		}
		for _, line := range rendertest.RunnerLines(b.String()) {
			if rendertest.IsCommand(line) {
				t.Errorf("the runner takes %q for a command", line)
			}
		}
	})
}

func TestColourIsForTerminalsThatShowIt(t *testing.T) {
	if plain := table(t, rendertest.FailedRun(), Options{}); strings.Contains(plain, "\x1b") {
		t.Errorf("Table without colour holds escape sequences: %q", plain)
	}
	if coloured := table(t, rendertest.FailedRun(), Options{Color: true}); !strings.Contains(coloured, "\x1b[31m❌ 2 of 45 cases broke") {
		t.Errorf("Table with colour = %q", coloured)
	} else if !strings.Contains(coloured, "\x1b[31m93% → 81%\x1b[0m     85%  17 of 21 right; below its thr") {
		t.Errorf("a score has the color of its suite's state, and stands in its column: %q", coloured)
	}
}

// A table holds so many rows at most; what was removed is listed all the same.
func TestRemovedCasesAreListedBesideMoreWeakenedOnesThanATableHolds(t *testing.T) {
	r := rendertest.PassedRun()
	for i := range 2_001 {
		rendertest.AddChange(r, report.Redefined, fmt.Sprint("edited-", i), rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes")).BaseVersion = &report.BaseVersion{InputChanged: true}
	}
	rendertest.AddChange(r, report.Removed, "gone", rendertest.PassOutcome("yes"), nil)
	if got := table(t, r, Options{}); !strings.Contains(got, "Removed, passed before\n  suites/support/refund.yaml:18030 gone, medium\n") {
		t.Errorf("the removed case is not listed:\n%s", got[max(0, len(got)-2_000):])
	}
}
