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
	"github.com/failproof/failproof/internal/report"
)

func TestTableOfEachState(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) { rendertest.Golden(t, s.Name+".txt", table(t, s.Run(), TableOptions{Width: 80})) })
	}
}

func table(t *testing.T, r *report.Report, o TableOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Table(&b, rendertest.View(r, show.Links{}), o); err != nil {
		t.Fatalf("Table: %v", err)
	}
	return b.String()
}

func TestFixedCasesAreNamedUpToALimit(t *testing.T) {
	r := rendertest.PlainRun()
	for i := range fixedShown + 2 {
		rendertest.Add(r, report.Fixed, fmt.Sprintf("mended-%d", i), rendertest.FailOutcome("a refund", "a voucher"), rendertest.PassOutcome("a refund")).Kind = report.KindFixed
	}
	got := table(t, r, TableOptions{})
	if !strings.Contains(got, "Fixed (12)\n") || !strings.Contains(got, "mended-9, fail → pass\n  … and 2 more\n") || strings.Contains(got, "mended-10") {
		t.Errorf("fixed cases:\n%s", got)
	}
}

func TestTheTableIsPlainWithinItsWidth(t *testing.T) {
	for _, s := range rendertest.States {
		if s.Name == "hostile" {
			continue
		}
		for _, line := range strings.Split(table(t, s.Run(), TableOptions{Width: 80}), "\n") {
			long := utf8.RuneCountInString(line) > 80
			if long && !strings.Contains("❌✅⚠️⏸️🚫", string([]rune(line)[:1])) && s.Name != "invalid" && s.Name != "300-regressions" {
				t.Errorf("%s: %d columns: %s", s.Name, utf8.RuneCountInString(line), line)
			}
		}
	}
}

func TestTheTableHoldsNoCommandOfTheRunner(t *testing.T) {
	rendertest.HostileRuns(t, func(t *rapid.T, r *report.Report) {
		var b bytes.Buffer
		if err := Table(&b, rendertest.View(r, show.Links{}), TableOptions{Color: rapid.Bool().Draw(t, "color")}); err != nil {
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
	if plain := table(t, rendertest.FailedRun(), TableOptions{}); strings.Contains(plain, "\x1b") {
		t.Errorf("Table without colour holds escape sequences: %q", plain)
	}
	if coloured := table(t, rendertest.FailedRun(), TableOptions{Color: true}); !strings.Contains(coloured, "\x1b[31m❌ This prompt change breaks 2 of 45 cases") {
		t.Errorf("Table with colour = %q", coloured)
	} else if !strings.Contains(coloured, "\x1b[31m81%\x1b[0m     85%        17/21  \x1b[31mbelow bar\x1b[0m") {
		t.Errorf("a score has the colour of its suite's state, and stands in its column: %q", coloured)
	}
}
