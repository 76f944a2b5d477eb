package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

func writePage(t interface {
	Helper()
	Fatal(...any)
}, r *report.Report, l Links, a Answers) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r, l, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageOfEachState(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			for _, l := range []Links{links(), {}} {
				page := writePage(t, s.run(), l, Answers{})
				for _, fault := range pageFaults(page) {
					t.Error(fault)
				}
				if again := writePage(t, s.run(), l, Answers{}); again != page {
					t.Error("the page differs when it is written again")
				}
			}
		})
	}
}

func TestPageInWords(t *testing.T) {
	for _, s := range states {
		switch s.name {
		case "failed", "invalid", "undecided", "measured":
			t.Run(s.name, func(t *testing.T) { golden(t, s.name+".html.txt", inWords(writePage(t, s.run(), links(), Answers{}))) })
		}
	}
}

func TestNothingForeignIsMoreThanTextOnThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostileText(), 2, 5).Draw(t, "texts")
		r := hostileRun(texts...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		r.Run.BaseState = rapid.SampledFrom(report.BaseStates[:]).Draw(t, "base")
		for _, fault := range pageFaults(writePage(t, r, links(), Answers{})) {
			t.Error(fault)
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, fault := range pageFaults(writePage(t, hostileRun(a, b, "", a+b), links(), Answers{})) {
			t.Error(fault)
		}
	})
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAFaultOfTheWriterIsReturned(t *testing.T) {
	if err := HTML(fullDisk{}, failedRun(), links(), Answers{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("HTML = %v, want %v", err, io.ErrShortWrite)
	}
}

func TestThePageStaysSmall(t *testing.T) {
	cases := []struct {
		rule string
		run  func() (*report.Report, Answers)
	}{
		{"at ten thousand cases as a team may have them", func() (*report.Report, Answers) { return sampleRun(10_000) }},
		{"at ten thousand regressions with the longest answers", func() (*report.Report, Answers) { return allRegressed(10_000, strings.Repeat(`"quoted" `, 2_000)) }},
		{"at ten thousand regressions of words that differ one by one", func() (*report.Report, Answers) { return allRegressed(10_000, strings.Repeat("a x ", 2_000)) }},
		{"at thirty thousand cases", func() (*report.Report, Answers) { return sampleRun(30_000) }},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			r, a := c.run()
			started := time.Now()
			page := writePage(t, r, links(), a)
			t.Logf("%d cases: %d bytes in %v", len(r.Changes), len(page), time.Since(started))
			if len(page) > 10_000_000 {
				t.Errorf("the page has %d bytes, want less than ten million", len(page))
			}
		})
	}
}

func allRegressed(n int, text string) (*report.Report, Answers) {
	r := plainRun()
	r.Changes = nil
	for i := range n {
		add(r, report.Regressed, fmt.Sprintf("case-%d", i), passOutcome(""), failOutcome(text[:100], ""))
	}
	side := func(text string) Find { return says(func(report.Change) string { return text }) }
	return r, Answers{Base: side(strings.ReplaceAll(text, "x", "y")), Head: side(text)}
}

// Every kind has a shape of its own in the map and a sign of its own in the lists: colour alone says nothing.
func TestEveryKindHasAShapeOfItsOwn(t *testing.T) {
	shapes := map[string]caseKind{}
	for _, k := range caseKinds {
		shape := sign(k, 0, 0)
		if other, taken := shapes[shape]; taken {
			t.Errorf("%s is drawn as %s is", k, other)
		}
		shapes[shape] = k
		if k != kindPassing && !strings.Contains(style, ".m."+string(k)+"::before,") {
			t.Errorf("the style has no sign for %s", k)
		}
	}
}

func TestKindsAgreeWithTheListsOfTheComment(t *testing.T) {
	for _, s := range states {
		v := newView(s.run(), links())
		counts := map[caseKind]int{}
		for _, c := range v.r.Changes {
			counts[v.kindOf(c)]++
		}
		for _, x := range []struct {
			kind caseKind
			want int
		}{{kindRegressed, len(v.regressed)}, {kindHidden, len(v.disguised) + len(v.dropped)}, {kindFailing, len(v.failing)}, {kindMissing, len(v.missing)}} {
			if counts[x.kind] != x.want {
				t.Errorf("%s: %d cases are %s, the comment lists %d", s.name, counts[x.kind], x.kind, x.want)
			}
		}
	}
}

func TestThePageSaysTheVerdictFirst(t *testing.T) {
	for _, s := range states {
		r := s.run()
		doc := parsePage(writePage(t, r, links(), Answers{}))
		if h1 := find(doc, "h1"); len(h1) != 1 || textOf(h1[0]) != strings.ReplaceAll(Title(r), " pp", hard+"pp") {
			t.Errorf("%s: the heading is not the title %q", s.name, Title(r))
		}
	}
}

func TestTheRunnerFindsNoCommandInThePage(t *testing.T) {
	for _, text := range hostileTexts {
		r, a := pairRun("Base.", text+"\n::error::x\n \u00a0::warning::y\nx ##[error]z")
		for _, line := range runnerLines(writePage(t, r, links(), a)) {
			if isCommand(line) {
				t.Errorf("the runner takes %q for a command", line)
			}
		}
	}
}

func TestDistributionAndChartsInNumbers(t *testing.T) {
	r := plainRun()
	r.Changes = nil
	for i, passed := range []int{0, 1, 5, 10} {
		o := passOutcome("")
		o.Passed, o.Trials = passed, 10
		add(r, report.StillPassing, fmt.Sprint(i), passOutcome(""), o)
	}
	d := newView(r, links()).distribution()
	var got []string
	for _, b := range d.Bars {
		got = append(got, b.Base+"/"+b.Head)
	}
	if want := "0/1 0/1 0/0 0/0 0/0 0/1 0/0 0/0 0/0 4/1"; strings.Join(got, " ") != want {
		t.Errorf("distribution is %s, want %s (base/head of each tenth)", got, want)
	}
	if d.Need != 288 || d.NeedText != "90%" {
		t.Errorf("the bar stands at %d (%s), want 288 of 320 (90%%)", d.Need, d.NeedText)
	}
	o := newView(failedRun(), links()).outcomeChart()
	if len(o.Rows) != 4 || o.Rows[2].Category != "wrong_format" || o.Rows[2].Change != "+1" || o.Rows[2].Class != "bad" {
		t.Errorf("outcomes are %+v, want pass, fail, wrong_format (+1, bad) and policy violation", o.Rows)
	}
}

func TestWorstCasesComeByScoreThenSeverity(t *testing.T) {
	r := plainRun()
	r.Changes = nil
	for i, c := range []struct {
		passed   int
		severity string
	}{{1, "low"}, {0, "low"}, {0, "critical"}, {2, "critical"}, {3, "critical"}} {
		o := failOutcome("x", "y")
		o.Passed, o.Trials = c.passed, 3
		if c.passed == 3 {
			o.Primary = classify.Pass
		}
		add(r, report.StillFailing, fmt.Sprint(i), nil, o).Severity = c.severity
	}
	var got []string
	for _, w := range newView(r, links()).worst() {
		got = append(got, w.Name)
	}
	if want := []string{"2", "1", "0", "3"}; !slices.Equal(got, want) {
		t.Errorf("worst cases are %v, want %v", got, want)
	}
}
