package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func writePage(t interface {
	Helper()
	Fatal(...any)
}, r *report.Report, l show.Links, a report.ResultFinders) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, story.New(rendertest.SortChanges(r), l), a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageOfEachState(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) {
			for _, l := range []show.Links{rendertest.Links(), {}} {
				page := writePage(t, s.Run(), l, report.ResultFinders{})
				for _, fault := range pageFaults(page) {
					t.Error(fault)
				}
				if again := writePage(t, s.Run(), l, report.ResultFinders{}); again != page {
					t.Error("the page differs when it is written again")
				}
			}
		})
	}
}

func TestPageInWords(t *testing.T) {
	for _, s := range rendertest.States {
		switch s.Name {
		case "failed", "invalid", "undecided", "measured":
			t.Run(s.Name, func(t *testing.T) {
				rendertest.Golden(t, s.Name+".html.txt", inWords(writePage(t, s.Run(), rendertest.Links(), report.ResultFinders{})))
			})
		}
	}
}

func TestNothingForeignIsMoreThanTextOnThePage(t *testing.T) {
	rendertest.CheckHostileRuns(t, func(t *rapid.T, r *report.Report) {
		for _, fault := range pageFaults(writePage(t, r, rendertest.Links(), report.ResultFinders{})) {
			t.Error(fault)
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, text := range rendertest.HostileTexts {
		f.Add(text, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, fault := range pageFaults(writePage(t, rendertest.HostileRun(a, b, "", a+b), rendertest.Links(), report.ResultFinders{})) {
			t.Error(fault)
		}
	})
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAFaultOfTheWriterIsReturned(t *testing.T) {
	if err := Write(fullDisk{}, story.New(rendertest.SortChanges(rendertest.FailedRun()), rendertest.Links()), report.ResultFinders{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("HTML = %v, want %v", err, io.ErrShortWrite)
	}
}

func TestThePageStaysSmall(t *testing.T) {
	cases := []struct {
		rule string
		run  func() (*report.Report, report.ResultFinders)
	}{
		{"at ten thousand cases as a team may have them", func() (*report.Report, report.ResultFinders) { return sampleRun(10_000) }},
		{"at ten thousand regressions with the longest answers", func() (*report.Report, report.ResultFinders) {
			return allRegressed(10_000, strings.Repeat(`"quoted" `, 2_000))
		}},
		{"at ten thousand regressions of words that differ one by one", func() (*report.Report, report.ResultFinders) {
			return allRegressed(10_000, strings.Repeat("a x ", 2_000))
		}},
		{"at thirty thousand cases", func() (*report.Report, report.ResultFinders) { return sampleRun(30_000) }},
	}
	for _, c := range cases[:fulltest.Count(2, len(cases))] {
		t.Run(c.rule, func(t *testing.T) {
			r, a := c.run()
			started := time.Now()
			page := writePage(t, r, rendertest.Links(), a)
			t.Logf("%d cases: %d bytes in %v", len(r.Changes), len(page), time.Since(started))
			if len(page) > 10_000_000 {
				t.Errorf("the page has %d bytes, want less than ten million", len(page))
			}
		})
	}
}

func allRegressed(n int, text string) (*report.Report, report.ResultFinders) {
	r := rendertest.PassedRun()
	r.Changes = nil
	for i := range n {
		rendertest.AddChange(r, report.Regressed, fmt.Sprintf("case-%d", i), rendertest.PassOutcome(""), rendertest.FailOutcome(text[:100], ""))
	}
	side := func(text string) report.ResultFinder { return says(func(report.Change) string { return text }) }
	return r, report.ResultFinders{Base: side(strings.ReplaceAll(text, "x", "y")), Head: side(text)}
}

// TestEveryKindHasAShapeOfItsOwn checks that kinds differ by shape in the map and by sign in the lists, and not only by
// colour.
func TestEveryKindHasAShapeOfItsOwn(t *testing.T) {
	shapes := map[string]report.Kind{}
	for _, k := range report.Kinds {
		shape := sign(k, 0, 0)
		if other, taken := shapes[shape]; taken {
			t.Errorf("%s is drawn as %s is", k, other)
		}
		shapes[shape] = k
		if k != report.KindPassing && !strings.Contains(style, ".m."+string(k)+"::before,") {
			t.Errorf("the style has no sign for %s", k)
		}
	}
}

func TestThePageSaysTheVerdictFirst(t *testing.T) {
	for _, s := range rendertest.States {
		r := s.Run()
		doc := parsePage(writePage(t, r, rendertest.Links(), report.ResultFinders{}))
		if h1 := find(doc, "h1"); len(h1) != 1 || textOf(h1[0]) != strings.ReplaceAll(story.New(rendertest.SortChanges(r), show.Links{}).Title, " pp", show.NoBreakSpace+"pp") {
			t.Errorf("%s: the heading is not the title %q", s.Name, story.New(rendertest.SortChanges(r), show.Links{}).Title)
		}
	}
}

func TestTheRunnerFindsNoCommandInThePage(t *testing.T) {
	for _, text := range rendertest.HostileTexts {
		r, a := pairRun("Base.", text+"\n::error::x\n \u00a0::warning::y\nx ##[error]z")
		for _, line := range rendertest.RunnerLines(writePage(t, r, rendertest.Links(), a)) {
			if rendertest.IsCommand(line) {
				t.Errorf("the runner takes %q for a command", line)
			}
		}
	}
}

func TestAFlipThatIsNotDecidedStandsOpenAboveTheOtherChanges(t *testing.T) {
	r := rendertest.PassedRun()
	c := rendertest.AddChange(r, report.Flaky, "wanders", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
	c.Kind = report.KindFlaky
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, RecordedReruns: &report.RecordedReruns{Flips: 1,
		Candidates: []report.Candidate{{SuiteID: c.SuiteID, CaseID: c.CaseID, State: report.CandidateUnprovable}}}}
	html := writePage(t, r, rendertest.Links(), report.ResultFinders{})
	if !strings.Contains(html, "1 answer that flipped") || strings.Contains(html, "1 other change") {
		t.Error("the flip has no section of its own")
	}
	r.Statistics = nil
	if html := writePage(t, r, rendertest.Links(), report.ResultFinders{}); strings.Contains(html, "1 answer that flipped") || !strings.Contains(html, "1 other change") {
		t.Error("a flaky case that reruns decided is no flip")
	}
}

func TestAPageOfAComparisonWithoutADelta(t *testing.T) {
	r := rendertest.PassedRun()
	r.Delta, r.DeltaCases, r.BaseRunScore = nil, 0, nil
	if text := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{})); !strings.Contains(text, "Run score | 93.1%") || strings.Contains(text, "\nChange | ") {
		t.Errorf("the page of such a run is\n%s", text)
	}
}

func TestThePageTellsASharedEditOnce(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	for i := range 30 {
		c := rendertest.AddChange(r, report.Redefined, fmt.Sprint("case-", i), rendertest.PassOutcome("a"), rendertest.PassOutcome("a"))
		c.Head.UnderBase, c.Expected = new(classify.Pass), []expect.Requirement{{Criterion: "labels", Expected: "a, b"}}
		c.BaseVersion = &report.BaseVersion{Expected: []expect.Requirement{{Criterion: "labels", Expected: "a"}}}
	}
	text := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{}))
	const want = "30 cases: redefined: passes the old expectation as well; Expected before: labels a; Expected now: labels a, b; pass → pass (case-0, case-1, case-2, case-3, case-4, and 25 more)"
	if shared, all := strings.Index(text, want), strings.Index(text, "Show 30 more"); shared < 0 || all < shared {
		t.Errorf("the page is without %q\n%s", want, text)
	}
}

func TestDistributionAndChartsInNumbers(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes, r.Counts[report.StillPassing] = nil, 0
	for i, passed := range []int{0, 1, 5, 10} {
		o := rendertest.PassOutcome("")
		o.Passed, o.Trials = passed, 10
		rendertest.AddChange(r, report.StillPassing, fmt.Sprint(i), rendertest.PassOutcome(""), o)
	}
	if text, want := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{})), "| 0–10% | 0 | 1 |\n| 10–20% | 0 | 1 |\n| 20–30% | 0 | 0 |"; !strings.Contains(text, want) ||
		!strings.Contains(text, "| 50–60% | 0 | 1 |") || !strings.Contains(text, "| 90–100% | 4 | 1 |") {
		t.Errorf("scores before and now are not\n%s\nin\n%s", want, text)
	}
	text := inWords(writePage(t, rendertest.FailedRun(), rendertest.Links(), report.ResultFinders{}))
	if want := "| pass | 42 | 42 |\n| fail | 3 | 3 |\n| wrong_format | 0 | 1 |\n| policy_violation | 0 | 1 |"; !strings.Contains(text, want) {
		t.Errorf("outcomes before and now are not\n%s\nin\n%s", want, text)
	}
}

// A hand-written report may have cases although GitHub has no merge commit.
func TestAPageWithoutAScoreTableHasNoFigures(t *testing.T) {
	r := rendertest.FailedRun()
	r.Reasons = []report.Reason{rendertest.Reason(gate.NoMerge.Code, "a conflict")}
	if doc := writePage(t, r, show.Links{}, report.ResultFinders{}); strings.Contains(doc, `class="figures"`) {
		t.Error("the page has figures")
	}
}

func TestTheRunScoreHasTheMarkOfItsRow(t *testing.T) {
	weakened := rendertest.PassedRun()
	rendertest.AddChange(weakened, report.Removed, "gone", rendertest.PassOutcome("yes"), nil)
	for want, r := range map[string]*report.Report{"good": rendertest.PassedRun(), "bad": rendertest.FailedRun(), "wait": rendertest.UndecidedRun(), "": weakened} {
		if got := figures(story.New(rendertest.SortChanges(r), show.Links{}))[0].Class; got != want {
			t.Errorf("%s: the class is %q, want %q", r.Verdict, got, want)
		}
	}
}
