package report

import (
	"cmp"
	"slices"
)

// Efforts are the times and costs of an answer on both sides: medians over the cases that have them on both.
type Efforts struct {
	Base Effort `json:"base"`
	Head Effort `json:"head"`
}

// Effort is the time and cost of an answer. A figure of fewer than effortCases cases is nil.
type Effort struct {
	LatencyMS *int64   `json:"latency_ms,omitempty"`
	CostUSD   *float64 `json:"cost_usd,omitempty"` // above 0
}

// effortCases is how many cases with a figure on both sides tell a trend.
const effortCases = 5

// EffortsOf returns the efforts of the shown answers of some cases; nil if too few cases have any.
func EffortsOf(changes []Change) *Efforts {
	var e Efforts
	e.Base.LatencyMS, e.Head.LatencyMS = medians(changes, func(o *Outcome) *int64 { return o.LatencyMS })
	e.Base.CostUSD, e.Head.CostUSD = medians(changes, func(o *Outcome) *float64 {
		if o.CostUSD == nil || *o.CostUSD == 0 { // nobody named a price
			return nil
		}
		return o.CostUSD
	})
	if e == (Efforts{}) {
		return nil
	}
	return &e
}

func medians[T cmp.Ordered](changes []Change, of func(*Outcome) *T) (base, head *T) {
	var before, now []T
	for _, c := range changes {
		if c.Base == nil || c.Head == nil || c.Quarantined {
			continue
		}
		if b, h := of(c.Base), of(c.Head); b != nil && h != nil {
			before, now = append(before, *b), append(now, *h)
		}
	}
	if len(before) < effortCases {
		return nil, nil
	}
	slices.Sort(before)
	slices.Sort(now)
	return &before[len(before)/2], &now[len(now)/2]
}
