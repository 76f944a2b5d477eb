package story

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// statisticsSection returns a section that says how a change was distinguished from chance, and what the run could have
// found. covered has reasons that other sections give without figures. The sections of cases say what reruns showed.
func statisticsSection(v *Story, covered []Line) Section {
	p := Section{Title: "Statistics"}
	for _, line := range covered {
		p.Items = append(p.Items, show.Phrasef("%v %v", line.Mark.Icon(), line.Text))
	}
	s := v.Report.Statistics
	switch {
	case s == nil:
		return p
	case s.Measured != nil:
		p.Text = measuredNoise(s.Measured)
		return p
	}
	if n := noise(v); n != nil && n.Overall != nil {
		p.Text = show.NonEmpty(firstAnswers(v, n), recheckSummary(n), movedScore(v), sensitivity(n))
	}
	if s.RecordedReruns != nil && len(s.RecordedReruns.Files) > 0 {
		p.Text = append(p.Text, show.Phrasef("The reruns of recorded cases are recorded in %v, and are their author’s word.",
			quotedList(s.RecordedReruns.Files)))
	}
	return p
}

// Limits of what sentences name and of what they advise.
const (
	maxCaseNames     = 5  // cases that a sentence names
	minPlanningCases = 20 // cases from which on planning is advised; fewer cannot show a small drop of all cases
)

// sensitivity returns sentences on how small a change the first answers of this run could show. A run that finds
// nothing does not prove that nothing changed.
func sensitivity(n *report.Noise) show.Phrase {
	p := n.Planning
	if p == nil || p.Cases < minPlanningCases {
		return nil
	}
	return show.LiteralPhrase(found(p.Detectable) + fmt.Sprintf(" To find %s points, plan about %s on each side.",
		wholePoints(p.Drop), show.Count(p.Needed, "answer")))
}

// found says from how large a drop on, as a share of the score, the first answers of a run find it.
func found(detectable float64) string {
	return show.If(detectable < 1, "The first answers find a drop of every case alike from about "+wholePoints(detectable)+
		" points on.",
		"A drop of every case alike is out of reach of the first answers.")
}

func wholePoints(v float64) string { return score.FormatDecimals(100*v, 0, 0, 100) }

// measuredNoise returns sentences that say how noisy the one measured revision is, and which settings suit this noise.
func measuredNoise(m *report.MeasuredNoise) []show.Phrase {
	if m.Cases == 0 {
		return sentences("Nothing was measured: no case has two answers.")
	}
	out := sentences(fmt.Sprintf("%s to %s of one revision: two answers to a case are judged differently in %s of 100 pairs.",
		show.Count(m.Answers, "answer"), show.Count(m.Cases, "case"), score.FormatDecimals(100*m.Flake, 1, 0, 100)))
	if m.Mixed > 0 {
		named := show.MapPhrases(m.MostMixed[:min(len(m.MostMixed), text.Named(m.Mixed, maxCaseNames))], func(c report.MixedCase) show.Phrase {
			return show.Phrasef("%v %v", show.Quote(show.Case(c.SuiteID, c.CaseID)), fraction(c.Passed, c.Trials))
		})
		more := m.Mixed - len(named)
		out = append(out, show.Phrasef("%v answered now right and now wrong: %v%v.", show.Count(m.Mixed, "case"),
			show.JoinPhrases(", ", named), show.When(more > 0, " and "+show.WithCommas(more)+" more")))
	}
	a := m.Advice
	return append(out, show.Phrasef("Advised: `trials: %v`, `confirm: %v`, `recheck: %v`.", a.Trials, a.Confirm, a.Recheck),
		show.Phrasef("%v For 10 points set `trials: %v`. Single broken cases are found by asking them again.", found(a.Detectable), a.TrialsForTen))
}

// noise returns the report's statistics on the noise of live models, or nil if there are none or nothing was compared.
func noise(v *Story) *report.Noise {
	if v.Report.Statistics == nil || !v.Compared {
		return nil
	}
	return v.Report.Statistics.Noise
}

// firstAnswers returns in words how many cases fell and rose by the first answers. If no single case is proven broken,
// it adds how often chance alone does that.
func firstAnswers(v *Story, n *report.Noise) show.Phrase {
	all := leastLikely(n.Overall, n.Suites)
	if all.Worse == 0 {
		return nil
	}
	said := fmt.Sprintf("By the first answers, %s of %s%s got worse, %s better.", show.WithCommas(all.Worse),
		show.Count(all.Cases, "case"), ofSuite(all), countOrNone(all.Better))
	if len(v.Regressed) > 0 {
		return show.LiteralPhrase(said)
	}
	said += " If nothing changed, a result at least this bad happens " + inRuns(all.PWorse)
	switch {
	case all.PWorse <= n.AlphaPerTest:
		said += "."
	case possibleDrop(v):
		said += ", which is suspicious; the gate blocks from " + text.Odds(n.AlphaPerTest, "of") + " on."
	default:
		said += ", so by itself it proves nothing."
	}
	return show.LiteralPhrase(said)
}

func countOrNone(n int) string {
	return show.If(n == 0, "none", show.WithCommas(n))
}

// inRuns formats the probability p as a share of runs, such as "in 1 of 8 runs".
func inRuns(p float64) string {
	return show.If(p > 0.5, "in more than half of all runs", "in "+text.Odds(p, "of")+" runs")
}

// recheckSummary returns in words what asking every case again showed, or nil if there was no such recheck.
func recheckSummary(n *report.Noise) show.Phrase {
	again := n.Recheck
	switch {
	case again == nil, again.Skipped == "" && !again.Triggered:
		return nil
	case again.Skipped != "":
		return show.Phrasef("The suites that fell were not asked again: %v. What the first answers show stands.",
			show.Message(again.Skipped))
	}
	text := "Every case of the suites that fell was asked " + show.Count(max(again.Asked, 1), "time") + " more on both sides: "
	switch all := again.Overall; {
	case !again.Complete || all == nil:
		return show.LiteralPhrase(text + "too many of those answers are missing to say.")
	case all.Delta >= 0:
		return show.LiteralPhrase(text + "the drop did not come back.")
	default:
		return show.LiteralPhrase(fmt.Sprintf("%s%s worse, %s better. That happens %s if nothing changed.", text,
			show.Count(all.Worse, "case"), countOrNone(all.Better), inRuns(all.PWorse)))
	}
}

// movedScore returns a sentence with the change of the score, and between which bounds chance would put it. The base's
// score limits how far it can fall and rise. It returns nil if an answer is proven broken, since that is no chance.
func movedScore(v *Story) show.Phrase {
	all := decidingScope(v)
	if all.Worse == 0 && all.Delta == 0 || len(v.Regressed) > 0 {
		return nil
	}
	low, high, before := all.Interval.Low, all.Interval.High, v.Report.BaseRunScore
	for _, s := range v.Report.Suites {
		if s.SuiteID == all.SuiteID {
			before = s.BaseScore
		}
	}
	if before != nil {
		low, high = min(all.Delta, max(low, -*before)), max(all.Delta, min(high, 1-*before))
	}
	return show.LiteralPhrase(breakableSpaces(fmt.Sprintf("The score%s moved by %s; repeated, it would move by %s to %s in 95 of "+
		"100 runs.", ofSuite(all), show.Points(all.Delta), show.Points(low), show.Points(high))))
}

func candidates(v *Story) []report.Candidate {
	if n := noise(v); n != nil && n.Confirm != nil {
		return n.Confirm.Candidates
	}
	return nil
}

// unprovenRecordedFlips returns the flips of sampled recorded answers with too few reruns to prove anything.
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

// missWithinNoise reports whether the run misses a default threshold and only warns, because the miss may be noise.
func missWithinNoise(v *Story) bool {
	return v.Report.Gate != nil && v.Report.Gate.Setting(config.MinRunScore).Level == config.Err &&
		v.Has(gate.RunScore.Code, report.LevelWarn)
}

func possibleDrop(v *Story) bool { return applies(v, gate.PossibleDrop) }

// breakableSpaces returns text with ordinary spaces in place of non-breaking ones, which only tables need.
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

// leastLikely returns, of all and of several suites that got worse, the change that is least likely by chance.
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
