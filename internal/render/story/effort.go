package story

import (
	"fmt"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// Times and costs are reported if they grow by more than the factor minGrowth. Smaller growth may be noise of the
// network or a longer word. A time must also grow by at least minSlowdownMS.
const (
	minGrowth     = 1.25
	minSlowdownMS = 200
)

// effortIncrease returns in words how much slower and how much dearer the answers became. A result is nil if that
// growth is not reported.
func effortIncrease(v *Story) (slower, dearer show.Phrase) {
	e := v.Report.Effort
	if e == nil || !v.Compared {
		return nil, nil
	}
	if before, now := e.Base.LatencyMS, e.Head.LatencyMS; before != nil && *now-*before >= minSlowdownMS {
		slower = times(float64(max(*before, 1)), float64(*now), "slower")
	}
	if e.Base.CostUSD != nil {
		dearer = times(*e.Base.CostUSD, *e.Head.CostUSD, "dearer")
	}
	return slower, dearer
}

func times(before, now float64, word string) show.Phrase {
	if now <= minGrowth*before {
		return nil
	}
	return show.LiteralPhrase(fmt.Sprintf("%.1f × %s", now/before, word))
}

// Effort returns in words the time and the cost of the answer that is shown for the side o. It returns "" if both are
// unknown.
func Effort(o *report.Outcome) string {
	if o == nil {
		return ""
	}
	took, cost := "", ""
	if o.LatencyMS != nil {
		took = Milliseconds(*o.LatencyMS)
	}
	if o.CostUSD != nil {
		cost = Dollars(*o.CostUSD) + " USD"
	}
	return show.Join(", ", took, cost)
}

// Milliseconds formats a time in milliseconds, such as "850 ms" or "1.2 s".
func Milliseconds(ms int64) string {
	if ms < 1_000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%.1f s", float64(ms)/1_000)
}

// Dollars formats v, a sum of US dollars, with enough digits for the cost of a single answer.
func Dollars(v float64) string {
	switch {
	case v == 0 || v >= 0.01:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.0001:
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprintf("%.7f", v)
}
