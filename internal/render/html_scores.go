package render

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// figure is a number at the head of the page.
type figure struct{ Label, Value, Note, Class string }

func (v *view) figures() (out []figure) {
	r := v.r
	add := func(ok bool, f figure) {
		if ok {
			out = append(out, f)
		}
	}
	run := figure{Label: "Run score", Value: against(r.RunScore, r.Scoring.MinRunScore), Note: "no bar"}
	if need := r.Scoring.MinRunScore; need != nil {
		run.Note, run.Class = "needs "+bar(need), v.barClass()
	}
	add(true, run)
	add(v.compared && r.Delta != nil, figure{"Against the base", moved(r.Delta), "like for like, " + count(r.DeltaCases, "case"), signClass(r.Delta)})
	add(v.compared, figure{"Regressions", grouped(len(v.regressed)), criticalNote(v.regressed), classIf(len(v.regressed) > 0, "bad")})
	add(v.compared, figure{"Fixed", grouped(r.Counts[report.Fixed]), "", classIf(r.Counts[report.Fixed] > 0, "good")})
	add(true, figure{"Cases passed", grouped(r.PassedCases), "of " + grouped(r.Cases), ""})
	add(r.Unscored > 0, figure{"No answer", grouped(r.Unscored), "of " + count(max(r.Trials, r.Unscored), "answer"), "wait"})
	add(r.OverallScore != nil, figure{"Overall score", percentOr(r.OverallScore), v.overallNote(), ""})
	return out
}

// barClass colours the run score. Of an undecided run it would blame the prompts for an outage.
func (v *view) barClass() string {
	need, got := v.r.Scoring.MinRunScore, v.r.RunScore
	switch {
	case need == nil:
		return ""
	case v.r.Verdict == report.Undecided:
		return "wait"
	case got != nil && !v.belowRunBar():
		return "good"
	}
	return "bad"
}

func (v *view) overallNote() string {
	if v.compared && v.r.BaseOverall != nil {
		return "base " + percent(*v.r.BaseOverall)
	}
	return "of the metrics"
}

func criticalNote(list []report.Change) string {
	n := 0
	for _, c := range list {
		if c.Severity == "critical" {
			n++
		}
	}
	return counted(n, "critical")
}

func classIf(really bool, class string) string {
	if really {
		return class
	}
	return ""
}

func signClass(d *float64) string {
	switch text := moved(d); {
	case strings.HasPrefix(text, "▲"):
		return "good"
	case strings.HasPrefix(text, "▼"):
		return "bad"
	}
	return ""
}

// scoreBar draws a score on a line, with the base's and the bar where there are any.
type scoreBar struct {
	ScoreX, BaseX, NeedX       int // in units of the drawing
	HasScore, HasBase, HasNeed bool
	Class                      string // good, bad or ""
	Label                      string // the drawing in words
}

// The line of a scoreBar: where it begins, and its length, in units of its drawing.
const lineStart, lineLength = 8, 304

// along is where a share of the line ends, and false for what is no share.
func along(v *float64, length int) (int, bool) {
	if v == nil || !(*v >= 0 && *v <= 1) {
		return 0, false
	}
	return int(*v*float64(length) + 0.5), true
}

func newScoreBar(now, base, need *float64) (b scoreBar) {
	b.ScoreX, b.HasScore = along(now, lineLength)
	b.BaseX, b.HasBase = along(base, lineLength)
	b.NeedX, b.HasNeed = along(need, lineLength)
	b.ScoreX, b.BaseX, b.NeedX = b.ScoreX+lineStart, b.BaseX+lineStart, b.NeedX+lineStart
	switch {
	case b.HasScore && b.HasNeed && !score.Meets(*now, *need):
		b.Class = "bad"
	case b.HasScore && b.HasNeed:
		b.Class = "good"
	}
	return b
}

func (v *view) runBar() *scoreBar {
	if v.r.RunScore == nil {
		return nil
	}
	b := newScoreBar(v.r.RunScore, v.baseScore(v.r.BaseRunScore), v.r.Scoring.MinRunScore)
	b.Class = v.barClass()
	b.Label = "Run score " + against(v.r.RunScore, v.r.Scoring.MinRunScore)
	if b.HasBase {
		b.Label += ", base " + percentOr(v.r.BaseRunScore)
	}
	if b.HasNeed {
		b.Label += ", needs " + bar(v.r.Scoring.MinRunScore)
	}
	return &b
}

func (v *view) baseScore(s *float64) *float64 {
	if !v.compared {
		return nil
	}
	return s
}

// scoreTable is the table of suites.
type scoreTable struct {
	Rows    []scoreRow
	Left    int
	Run     scoreRow
	Overall bool
	Notes   string
}

// scoreRow is one suite, or the run.
type scoreRow struct {
	Suite                                             place
	Score, Base, Delta, Overall, Passed, Cases, Needs string
	DeltaClass, Class, State                          string
	Bar                                               scoreBar
	HasBase, HasOverall                               bool
}

const scoreRows = 1_000

func (v *view) scoreTable() scoreTable {
	t := scoreTable{Notes: v.scoreNotes(), Overall: v.r.OverallScore != nil, Run: v.runRow()}
	for _, s := range v.suites[:min(len(v.suites), scoreRows)] {
		t.Rows = append(t.Rows, v.suiteScore(s))
	}
	t.Left = len(v.suites) - len(t.Rows)
	return t
}

func (v *view) suiteScore(s row) scoreRow {
	_, state := v.suiteState(s)
	return scoreRow{
		Suite: place{named(ends(s.SuiteID, nameRunes)), v.l.file(v.l.HeadSHA, s.Path, max(s.Line, 1))},
		Score: against(s.Score, s.MinScore), Base: percentOr(s.BaseScore), Delta: moved(s.Delta), DeltaClass: signClass(s.Delta),
		Overall: percentOr(s.OverallScore), Passed: grouped(s.Passed), Cases: grouped(s.Cases), Needs: bar(s.MinScore),
		State: state, Class: suiteClass(s), Bar: newScoreBar(s.Score, v.baseScore(s.BaseScore), s.MinScore),
		HasBase: v.compared, HasOverall: v.r.OverallScore != nil,
	}
}

func suiteClass(s row) string {
	switch {
	case s.belowBar, s.mustPass > 0, s.regressed > 0, s.worse:
		return "bad"
	case s.Unscored > 0:
		return "wait"
	case s.Passed == s.Cases && s.Cases > 0:
		return "good"
	}
	return ""
}

func (v *view) runRow() scoreRow {
	r := v.r
	_, state := v.runState()
	out := scoreRow{
		Suite: place{Name: "Run"}, Score: against(r.RunScore, r.Scoring.MinRunScore), Base: percentOr(r.BaseRunScore), Delta: moved(r.Delta),
		DeltaClass: signClass(r.Delta), Overall: percentOr(r.OverallScore), Passed: grouped(r.PassedCases), Cases: grouped(r.Cases),
		Needs: bar(r.Scoring.MinRunScore), State: state, Bar: newScoreBar(r.RunScore, v.baseScore(r.BaseRunScore), r.Scoring.MinRunScore),
		HasBase: v.compared, HasOverall: r.OverallScore != nil, Class: v.barClass(),
	}
	out.Bar.Class = out.Class
	return out
}

// Share is the part of cases that passed, in words.
func (r scoreRow) Share() string { return fmt.Sprintf("%s/%s", r.Passed, r.Cases) }
