package report

import (
	"cmp"
	"slices"
)

// Efforts compares latency and cost of an answer: medians over the cases that have the figure on both sides.
type Efforts struct {
	Base Effort `json:"base"`
	Head Effort `json:"head"`
}

// Effort is the median latency and the median cost of one side. A figure is nil if fewer than effortCases cases have
// it.
type Effort struct {
	LatencyMS *int64   `json:"latency_ms,omitempty"`
	CostUSD   *float64 `json:"cost_usd,omitempty"` // above 0
}

// effortCases is the smallest number of cases that a median is shown for.
const effortCases = 5

// EffortsOf returns the medians over the shown answers of changes; nil if too few cases have a figure.
func EffortsOf(changes []Change) *Efforts {
	var e Efforts
	e.Base.LatencyMS, e.Head.LatencyMS = medians(changes, func(o *Outcome) *int64 { return o.LatencyMS })
	e.Base.CostUSD, e.Head.CostUSD = medians(changes, func(o *Outcome) *float64 {
		if o.CostUSD == nil || *o.CostUSD == 0 { // no price is set
			return nil
		}
		return o.CostUSD
	})
	if e == (Efforts{}) {
		return nil
	}
	return &e
}

func medians[T cmp.Ordered](changes []Change, value func(*Outcome) *T) (base, head *T) {
	var before, now []T
	for _, c := range changes {
		if c.Base == nil || c.Head == nil || c.Quarantined {
			continue
		}
		if b, h := value(c.Base), value(c.Head); b != nil && h != nil {
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
