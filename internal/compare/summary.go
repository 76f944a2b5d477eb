package compare

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// baseScore returns a score of the base as score computes it. It returns nil if answered finds no answer, because a
// score of 0 would mean that the answers are wrong.
func baseScore(score, answered func() (float64, bool)) *float64 {
	if _, any := answered(); !any {
		return nil
	}
	return report.Optional(score())
}

// summary returns the row of suite s in the score table. Its scores ignore quarantined cases. The row of a removed
// suite has only the base's score.
func summary(s *suitePair, delta *float64) report.SuiteSummary {
	quarantined, cases := s.quarantined()
	head, base := s.head.Without(quarantined), s.base.Without(quarantined)
	shown := cmp.Or(head, base)
	row := report.SuiteSummary{
		SuiteID: s.id, Target: shown.Target, Path: shown.Path, Line: shown.Line, Weight: shown.Weight,
		MinScore: shown.MinScore, Delta: delta, InScope: true, NotAsked: s.head.NotAsked() + s.base.NotAsked(),
		Quarantined: cases, Histogram: report.NewHistogram(),
	}
	row.Metrics, row.OptIns = report.SummarizeMetrics([]*report.SuiteSide{head}, []*report.SuiteSide{base})
	if base != nil {
		row.BaseScore, row.BaseOverall = baseScore(base.Score, base.AnsweredScore), report.Optional(base.OverallScore())
		if base.ID != s.id {
			row.BaseSuiteID = base.ID
		}
	}
	if head != nil {
		n := head.Counts()
		row.Cases, row.Passed, row.Unscored = n.Cases, n.Passed, n.Unscored
		row.Unverified, row.KeptByHand = n.Unverified, n.KeptByHand
		row.Score, row.OverallScore = report.Optional(head.Score()), report.Optional(head.OverallScore())
		row.Histogram = report.NewHistogram(s.head)
	}
	return row
}

// Fill writes the comparison into rep: scores, tables, changes, counts and warnings. The caller adds the verdict and
// the run's data.
func (c Comparison) Fill(rep *report.Report, base, head *report.Side) {
	fillShown(c, rep, base, head)
	fillJudged(rep, c.WithoutQuarantined(base), c.WithoutQuarantined(head))
	rep.Delta, rep.DeltaCases = c.Delta, c.DeltaCases
	rep.Suites, rep.Changes, rep.Counts, rep.Reworded = c.Suites, c.Changes, c.Counts, c.Reworded
	rep.Effort = report.EffortsOf(c.Changes)
	fillWithoutNew(c, rep, head)
	rep.Statistics = statistics(c)
}

// fillShown sets the counts of all answers, including quarantined cases.
func fillShown(c Comparison, rep *report.Report, base, head *report.Side) {
	rep.Histogram, rep.Trials = report.NewHistogram(head.Suites...), head.Counts().Trials
	rep.Warnings = withWarnings(rep.Warnings, head.Warnings())
	rep.Calls, rep.BaseHistogram = head.Calls, nil
	if base != nil {
		rep.BaseHistogram = report.NewHistogram(base.Suites...)
		rep.Calls = head.Calls.Plus(base.Calls)
	}
	rep.Quarantined = c.Count(func(p *Case) bool { return p.Quarantined && p.Head != nil })
}

// fillJudged sets the scores and counts of the cases that are not quarantined.
func fillJudged(rep *report.Report, base, head *report.Side) {
	rep.RunScore = report.Optional(head.RunScore())
	rep.MicroScore = report.Optional(head.MicroScore())
	rep.AnsweredScore = report.Optional(head.AnsweredScore())
	rep.OverallScore = report.Optional(head.OverallScore())
	n := head.Counts()
	rep.Cases, rep.PassedCases, rep.Unscored, rep.Unverified, rep.KeptByHand = n.Cases, n.Passed, n.Unscored, n.Unverified, n.KeptByHand
	rep.ExpectedFail, rep.Criteria = head.ExpectedFail, head.Criteria()
	base = cmp.Or(base, &report.Side{})
	rep.Risk, rep.BaseRisk = head.Risk(), base.Risk()
	rep.Metrics, rep.OptIns = report.SummarizeMetrics(head.Suites, base.Suites)
	rep.BaseRunScore = baseScore(base.RunScore, base.AnsweredScore)
	rep.BaseOverall = report.Optional(base.OverallScore())
}

func statistics(c Comparison) *report.Statistics {
	out := &report.Statistics{Mode: report.ModeStrict}
	if c.Count((*Case).Noisy) > 0 {
		out.Mode = report.ModeNoisy
	}
	for p := range c.All() {
		switch {
		case !p.IsShared():
		case p.kind == noisy:
			out.Noisy++
		case p.Base.Live || p.Head.Live:
			out.StrictLive++
			out.Strict++
		default:
			out.Strict++
		}
	}
	if c.NoiseTest != nil {
		out.Noise = &c.NoiseTest.Numbers
	}
	out.RecordedReruns = c.RecordedReruns
	if c.SampledTest != nil {
		out.Samples = &c.SampledTest.Numbers
	}
	return out
}

// withWarnings appends counted to have, the warnings of a report. It first drops the warnings of have about the whole
// run whose code is in counted, so that a stored report can be summarized again.
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
