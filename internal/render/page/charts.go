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
	What     string // what is counted
	Bars     []distributionBar
	Need     int // position of the threshold
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
	Below              bool // the whole part is below the threshold
}

// Units of the drawing: ten parts of 32, and 120 for the highest bar.
const (
	scoreParts = 10
	partWide   = 32
	barsHigh   = 120
)

// newDistribution returns the histogram of the cases' scores. It returns nil if no case has a score, or if no case has
// several trials and all scores are in the lowest or the highest part.
func newDistribution(v *story.Story) *distribution {
	measured := v.Report.OverallScore != nil
	var head, base [scoreParts]int
	largest, several := 0, false
	count := func(parts *[scoreParts]int, o *report.Outcome) {
		if s, ok := caseScore(o, measured); ok {
			at := min(scoreParts-1, int(s*scoreParts+1e-9))
			parts[at]++
			largest = max(largest, parts[at])
		}
	}
	for _, c := range v.Report.Changes {
		count(&head, c.Head)
		several = several || c.Head != nil && c.Head.Trials > 1
		if v.Compared {
			count(&base, c.Base)
		}
	}
	hasMiddle := func(parts [scoreParts]int) bool {
		return slices.ContainsFunc(parts[1:scoreParts-1], func(n int) bool { return n > 0 })
	}
	if largest == 0 || !several && !hasMiddle(head) && !hasMiddle(base) { // figures shows right and wrong cases
		return nil
	}
	need := caseThreshold(v, measured)
	d := &distribution{What: scoreOfCases(measured, several), NeedText: show.Threshold(need), HasBase: v.Compared}
	d.Need, d.HasNeed = position(need, scoreParts*partWide)
	var counted []string
	for i, n := range head {
		bar := d.newBar(i, n, base[i], largest)
		d.Bars = append(d.Bars, bar)
		if n > 0 {
			counted = append(counted, show.Count(n, "case")+" at "+bar.Range)
		}
	}
	d.Label = d.What + ": " + strings.Join(counted, ", ") + show.When(d.HasNeed, "; the bar stands at "+d.NeedText)
	return d
}

func (d *distribution) newBar(i, head, base, largest int) distributionBar {
	x, now, was := i*partWide, barHigh(head, largest), barHigh(base, largest)
	return distributionBar{
		Range: fmt.Sprintf("%d–%d%%", i*scoreParts, (i+1)*scoreParts), Head: show.WithCommas(head), Base: show.WithCommas(base),
		X: x, Middle: x + partWide/2, HeadX: x + 3, HeadY: barsHigh - now, HeadHigh: now, BaseHigh: was,
		BaseY: barsHigh - was, TextY: barsHigh - max(now, was) - 4, Below: d.HasNeed && x+partWide <= d.Need,
	}
}

// caseScore returns a case's overall score if scores are measured, and otherwise the share of its trials that passed.
// It returns false if there is no score from 0 to 1.
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

// caseThreshold returns the threshold of a case if scores are measured, and otherwise the threshold of the run.
func caseThreshold(v *story.Story, measured bool) *float64 {
	if measured && v.Report.Scoring.Phase != "" {
		return new(config.Phase(v.Report.Scoring.Phase).Threshold())
	}
	return v.Report.Scoring.MinRunScore
}

// barHigh returns the height of the bar for n cases. largest is the number of cases of the highest bar. The height is
// at least 2 unless n is 0.
func barHigh(n, largest int) int {
	if n == 0 {
		return 0
	}
	return max(2, n*barsHigh/largest)
}
