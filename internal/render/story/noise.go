package story

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// noise returns the report's statistics on the noise of live models. It returns nil if there are none or if nothing was
// compared.
func noise(v *Story) *report.Noise {
	if v.Report.Statistics == nil || !v.Compared {
		return nil
	}
	return v.Report.Statistics.Noise
}

// firstAnswersSummary returns in words what the first answers show: how many cases fell, how many rose, and how often
// chance alone does that. If that proves nothing and other answers confirmed cases, it counts these cases in place of
// the chance.
func firstAnswersSummary(v *Story, n *report.Noise) string {
	all := n.Overall
	if v.Has(gate.Drop.Code, report.LevelError) {
		all = leastLikely(all, n.Suites)
	}
	verb := show.If(n.Trials == 1, "flipped from pass to fail", "got worse")
	text := fmt.Sprintf("%s of %s%s %s, %s the other way", show.WithCommas(all.Worse), sharedCases(v, all.Cases),
		ofSuite(all), verb, countOrNone(all.Better))
	confirmed := show.CountFunc(candidates(v), func(s report.Candidate) bool {
		return s.State == report.CandidateConfirmed
	})
	if confirmed > 0 && all.PWorse > n.AlphaPerTest { // a weaker test of the same cases
		return text + fmt.Sprintf("; %s confirmed.", show.Agree(confirmed, "1 is", show.WithCommas(confirmed)+" are"))
	}
	return text + fmt.Sprintf(". If nothing changed, a result at least this bad happens %s", inRuns(all.PWorse)) +
		show.If(all.PWorse <= n.AlphaPerTest, ".", ", so by itself it proves nothing.")
}

// sharedCases returns cases, the number of compared cases, in words. If the title counts more cases, sharedCases adds
// which cases are compared.
func sharedCases(v *Story, cases int) string {
	return show.Count(cases, "case") + show.When(len(v.Regressed) > 0 && comparedCases(v) < answeredCases(v),
		" that both sides have unchanged and answered")
}

func countOrNone(n int) string {
	return show.If(n == 0, "none", show.WithCommas(n))
}

// inRuns formats the probability p as a share of runs, such as "in 1 of 8 runs".
func inRuns(p float64) string {
	return show.If(p > 0.5, "in more than half of all runs", "in "+text.Odds(p, "of")+" runs")
}

func recheckSummary(n *report.Noise) string {
	times := show.If(n.Recheck.Asked > 1, show.Count(n.Recheck.Asked, "time")+" more", "again")
	text := "The score had fallen, so every case of the suites that fell was asked " + times + " on both sides"
	all := n.Recheck.Overall
	switch {
	case !n.Recheck.Complete || all == nil:
		return text + "; too many of those answers are missing to say."
	case all.Delta < 0:
		return fmt.Sprintf("%s: %s, %s worse, %s better. That happens %s if nothing changed.",
			text, breakableSpaces(show.Points(all.Delta)), show.Count(all.Worse, "case"), countOrNone(all.Better),
			inRuns(all.PWorse))
	}
	return text + ", and the drop did not come back."
}

func conclusion(v *Story, n *report.Noise) string {
	all := decidingScope(v)
	text := breakableSpaces(fmt.Sprintf("Score%s %s (%s again, it would lie between %s and %s).", ofSuite(all),
		show.Points(all.Delta), show.If(n.Repeats != nil, "run", "asked"),
		show.Points(all.Interval.Low), show.Points(all.Interval.High)))
	switch dropped := v.Has(gate.Drop.Code, report.LevelError); {
	case dropped && len(v.Regressed) == 0:
		text = "No single case is clearly broken, but the suite as a whole got worse. " + text
	case dropped:
	case possibleDrop(v) && n.Repeats != nil:
		text += " Run each case more often to be sure."
	case possibleDrop(v) && n.Recheck == nil:
		text += " Add trials or set `recheck: 5` to be sure."
	case possibleDrop(v):
		text += " Add trials to be sure."
	default:
		return ""
	}
	return text
}

func candidates(v *Story) []report.Candidate {
	if n := noise(v); n != nil && n.Confirm != nil {
		return n.Confirm.Candidates
	}
	return nil
}

// unprovenRecordedFlips returns the flipped cases with sampled recorded answers that were never rerun, or too rarely to
// prove anything.
func unprovenRecordedFlips(v *Story) []report.Candidate {
	s := v.Report.Statistics
	if s == nil || s.RecordedReruns == nil {
		return nil
	}
	return show.Filter(s.RecordedReruns.Candidates, func(s report.Candidate) bool {
		c, _ := v.Find(s.SuiteID, s.CaseID)
		return s.State == report.CandidateUnprovable && c.Change == report.Flaky
	})
}

// lostCases counts the cases that have answers on the base, and lost every answer on the head.
func lostCases(v *Story) int {
	return show.CountFunc(candidates(v), func(s report.Candidate) bool { return s.State == report.CandidateLost })
}

// likelyRegressions returns the cases whose reruns would prove a regression if no other case had flipped. Because many
// cases flipped, the reruns prove none.
func likelyRegressions(v *Story) []report.Candidate {
	return show.Filter(candidates(v), func(s report.Candidate) bool { return s.Likely })
}

// missWithinNoise reports whether the run misses a default threshold and only warns of it, because the miss may be
// noise.
func missWithinNoise(v *Story) bool {
	return v.Report.Gate != nil && v.Report.Gate.Setting(config.MinRunScore).Level == config.Err &&
		v.Has(gate.RunScore.Code, report.LevelWarn)
}

func possibleDrop(v *Story) bool { return applies(v, gate.PossibleDrop) }

// breakableSpaces returns text with ordinary spaces in place of non-breaking ones. Tables need non-breaking spaces;
// running text does not.
func breakableSpaces(text string) string { return strings.ReplaceAll(text, show.NoBreakSpace, " ") }

// decidingScope returns the statistics of the cases that decide. If the recheck is complete, these are its statistics;
// otherwise they are those of the first answers.
func decidingScope(v *Story) *report.Scope {
	n := noise(v)
	if n.Recheck != nil && n.Recheck.Triggered && n.Recheck.Complete && n.Recheck.Overall != nil {
		return leastLikely(n.Recheck.Overall, n.Recheck.Suites)
	}
	return leastLikely(n.Overall, n.Suites)
}

// leastLikely returns, of all and of several suites that got worse, the one whose change is least likely if nothing
// changed.
func leastLikely(all *report.Scope, suites []report.Scope) *report.Scope {
	for i := range suites {
		if len(suites) > 1 && suites[i].Delta < 0 && suites[i].PWorse < all.PWorse {
			all = &suites[i]
		}
	}
	return all
}

// ofSuite names the suite of s, or returns "" if s is about all cases.
func ofSuite(s *report.Scope) string {
	return show.When(s.SuiteID != "", " of "+show.Suite(s.SuiteID))
}
