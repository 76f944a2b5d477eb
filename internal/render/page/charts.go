package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// distribution is a histogram of the cases' scores on both sides, in ten equal parts of [0, 1]. Lengths are units of
// its drawing.
type distribution struct {
	What     string // that is counted
	Bars     []distributionBar
	Need     int // where the bar stands
	NeedText string
	HasNeed  bool
	HasBase  bool
	Label    string
}

type distributionBar struct {
	Range, Head, Base  string
	X, Middle          int
	HeadX, HeadY       int
	HeadHigh, BaseHigh int
	BaseY, TextY       int
	Below              bool // all of it lies below the bar
}

// Units of the drawing: ten parts of 32, and 120 for the highest bar.
const (
	scoreParts = 10
	partWide   = 32
	barsHigh   = 120
)

// newDistribution returns the histogram of the cases' scores. It is nil if no case has a score. It is also nil if no
// score lies in between and no case has several trials.
func newDistribution(v *story.Story) *distribution {
	measured := v.Report.OverallScore != nil
	head, base, several := tally(v.Report.Changes, measured)
	if !v.Compared {
		base = [scoreParts]int{}
	}
	most := 0
	for i := range head {
		most = max(most, head[i], base[i])
	}
	if most == 0 || !several && !between(head) && !between(base) { // right and wrong are counted beside it
		return nil
	}
	d := &distribution{What: scoreOfCases(measured, several), HasBase: v.Compared}
	need := needOfCases(v, measured)
	d.Need, d.HasNeed = along(need, scoreParts*partWide)
	d.NeedText = show.Bar(need)
	for i := range head {
		d.Bars = append(d.Bars, d.part(i, head[i], base[i], most))
	}
	d.Label = d.describe(head)
	return d
}

func (d *distribution) part(i, head, base, most int) distributionBar {
	x, now, was := i*partWide, barHigh(head, most), barHigh(base, most)
	return distributionBar{
		Range: fmt.Sprintf("%d–%d%%", i*scoreParts, (i+1)*scoreParts), Head: show.Grouped(head),
		Base: show.Grouped(base),
		X:    x, Middle: x + partWide/2, HeadX: x + 3, HeadY: barsHigh - now, HeadHigh: now, BaseHigh: was,
		BaseY: barsHigh - was,
		TextY: barsHigh - max(now, was) - 4, Below: d.HasNeed && x+partWide <= d.Need,
	}
}

// tally counts the cases of each side by the part of [0, 1] that their score is in. several reports whether a case of
// the head has several trials.
func tally(changes []report.Change, measured bool) (head, base [scoreParts]int, several bool) {
	for _, c := range changes {
		if s, ok := caseScore(c.Head, measured); ok {
			head[partOf(s)]++
			several = several || c.Head.Trials > 1
		}
		if s, ok := caseScore(c.Base, measured); ok {
			base[partOf(s)]++
		}
	}
	return head, base, several
}

func partOf(score float64) int { return min(scoreParts-1, int(score*scoreParts+1e-9)) }

// between reports whether any part other than the first and the last has a case.
func between(parts [scoreParts]int) bool {
	return slices.ContainsFunc(parts[1:scoreParts-1], func(n int) bool { return n > 0 })
}

// caseScore returns a case's overall score if scores are measured, and otherwise the share of its trials that passed.
func caseScore(o *report.Outcome, measured bool) (float64, bool) {
	switch {
	case o == nil || o.Trials < 1:
		return 0, false
	case measured && o.OverallScore != nil:
		return *o.OverallScore, *o.OverallScore >= 0 && *o.OverallScore <= 1
	}
	s := float64(o.Passed) / float64(o.Trials)
	return s, s >= 0 && s <= 1
}

func scoreOfCases(measured, several bool) string {
	switch {
	case measured:
		return "Cases by overall score"
	case several:
		return "Cases by the share of their answers that are right"
	}
	return "Cases by score: 0% failed, 100% passed"
}

// needOfCases returns the threshold of a case if scores are measured, and otherwise that of the run.
func needOfCases(v *story.Story, measured bool) *float64 {
	if measured && v.Report.Scoring.Phase != "" {
		return new(config.Phase(v.Report.Scoring.Phase).Bar())
	}
	return v.Report.Scoring.MinRunScore
}

// barHigh returns the height of the bar for n cases, if the highest bar is for most. It is at least 2 unless n is 0.
func barHigh(n, most int) int {
	if n == 0 {
		return 0
	}
	return max(2, n*barsHigh/most)
}

func (d *distribution) describe(head [scoreParts]int) string {
	var parts []string
	for i, n := range head {
		if n > 0 {
			parts = append(parts, show.Count(n, "case")+" at "+d.Bars[i].Range)
		}
	}
	return d.What + ": " + strings.Join(parts, ", ") + show.When(d.HasNeed, "; the bar stands at "+d.NeedText)
}
