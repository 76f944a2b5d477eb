package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

func untrusted(text string) model.Untrusted { return model.Untrusted(text) }

// optional turns a value that may be missing into a pointer, as the documents have it.
func optional(value float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &value
}

// summary is the row of a suite in the score table. A suite that only the base has keeps its base score.
func summary(s *suitePair, delta *float64) report.SuiteSummary {
	row := report.SuiteSummary{SuiteID: s.id, Delta: delta, InScope: true, NotAsked: s.head.NotAsked() + s.base.NotAsked()}
	if s.base != nil {
		row.BaseScore = optional(s.base.Score())
		row.Path, row.Line, row.Weight, row.MinScore = s.base.Path, s.base.Line, s.base.Weight, s.base.MinScore
	}
	row.Metrics, row.OptIns = report.Breakdown(s.head, s.base), report.OptInsOf(s.head, s.base)
	if s.base != nil {
		row.BaseOverall = optional(s.base.OverallScore())
	}
	if s.head == nil {
		row.Histogram = (&report.SuiteSide{}).Histogram()
		return row
	}
	row.Path, row.Line, row.Weight, row.MinScore = s.head.Path, s.head.Line, s.head.Weight, s.head.MinScore
	row.Score = optional(s.head.Score())
	row.OverallScore = optional(s.head.OverallScore())
	row.Cases, row.Passed = len(s.head.Cases), s.head.Passed()
	row.Unverified, row.Unscored = s.head.Unverified(), s.head.Unscored()
	row.Histogram = s.head.Histogram()
	return row
}

// Fill writes what was found into rep: scores, tables, changes, counts and the warnings of the head's results. What a
// run knows of itself, and the verdict, are the caller's to add.
func (c Comparison) Fill(rep *report.Report, base, head *report.Side) {
	rep.RunScore = optional(head.RunScore())
	rep.MicroScore = optional(head.MicroScore())
	rep.AnsweredScore = optional(head.AnsweredScore())
	rep.OverallScore = optional(head.OverallScore())
	rep.Metrics, rep.OptIns = report.RunBreakdown(head, base), report.RunOptIns(head, base)
	rep.Histogram = head.Histogram()
	rep.Cases, rep.PassedCases = head.Cases(), head.Passed()
	rep.Trials, rep.Unscored, rep.Unverified = head.Trials(), head.Unscored(), head.Unverified()
	rep.ExpectedFail = head.ExpectedFail()
	rep.Risk, rep.BaseRisk = head.Risk(), nil
	rep.Warnings = withWarnings(rep.Warnings, head.Warnings())
	rep.Delta, rep.DeltaCases = c.Delta, c.DeltaCases
	rep.Suites, rep.Changes, rep.Counts = c.Suites, c.Changes, c.Counts
	rep.Statistics = c.statistics()
	rep.Calls = head.Calls
	rep.BaseRunScore, rep.BaseOverall, rep.BaseHistogram = nil, nil, nil
	if base != nil {
		rep.BaseRunScore = optional(base.RunScore())
		rep.BaseOverall = optional(base.OverallScore())
		rep.BaseHistogram = base.Histogram()
		rep.BaseRisk = base.Risk()
		rep.Calls = head.Calls.Plus(base.Calls)
	}
}

func (c Comparison) statistics() *report.Statistics {
	if !c.Noisy {
		return &report.Statistics{Mode: report.ModeStrict}
	}
	out := &report.Statistics{Mode: report.ModeNoisy}
	if c.Noise != nil {
		out.Noise = &c.Noise.Numbers
	}
	return out
}

// withWarnings adds counted warnings to those that are there; a count of the same kind is replaced, so that a stored
// report can be filled again.
func withWarnings(have, counted []report.Warning) []report.Warning {
	out := []report.Warning{}
	for _, w := range have {
		again := slices.ContainsFunc(counted, func(c report.Warning) bool { return c.Code == w.Code })
		if !again || w.Path != "" || w.SuiteID != "" {
			out = append(out, w)
		}
	}
	return append(out, counted...)
}
