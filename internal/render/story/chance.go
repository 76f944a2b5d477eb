package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// statisticsSection returns a section that says how a change was distinguished from chance, which cases were rerun, and
// what the run could have found. covered has reasons that other sections give without figures.
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
	p.Text = strictFlips(v, s)
	if n := noise(v); n != nil && n.Overall != nil {
		p.Text = append(p.Text, firstAnswers(v, n)...)
		p.Text = append(p.Text, show.NonEmpty(show.LiteralPhrase(conclusion(v, n)))...)
		if text := sensitivity(v); text != "" {
			cases := 0 // number in all suites of the statistics of noise
			for _, s := range n.Suites {
				cases += s.Cases
			}
			p.Text = append(p.Text, show.LiteralPhrase(text),
				show.Phrasef("Over %v of both sides: %v. %v again, the difference would be between %v and %v in 95 of 100 runs.",
					show.Count(cases, "case"), breakableSpaces(show.Points(n.Overall.Delta)), show.If(n.Repeats != nil, "Run", "Asked"),
					breakableSpaces(show.Points(n.Overall.Interval.Low)),
					breakableSpaces(show.Points(n.Overall.Interval.High))))
		}
	}
	p.Table = rerunTable(v)
	if s.RecordedReruns != nil && len(s.RecordedReruns.Files) > 0 {
		p.Text = append(p.Text, show.Phrasef("The reruns of recorded cases are recorded in %v, and are their author’s word.",
			quotedList(s.RecordedReruns.Files)))
	}
	return p
}

// strictFlips returns sentences that explain flips between answers that are not rerun, such as recorded answers. They
// also say what such flips cannot show.
func strictFlips(v *Story, s *report.Statistics) (out []show.Phrase) {
	if s.StrictLive > 0 {
		out = sentences("`mode: strict` takes the answers of live targets as they are: a flip may be noise, and is not asked again.")
	}
	shared := show.Filter(v.Report.Changes, func(c report.Change) bool {
		return !c.Noisy && !c.Quarantined && (c.Head == nil || c.Head.UnderBase == nil) // a redefined case is not shared
	})
	rose := show.CountFunc(shared, func(c report.Change) bool { return c.Change == report.Fixed })
	fallen := show.Filter(shared, func(c report.Change) bool { return c.Change == report.Regressed })
	if len(fallen) == 0 || !v.Compared {
		return out
	}
	once := show.Filter(fallen, func(c report.Change) bool { return HasOneTrial(c.Base) && HasOneTrial(c.Head) })
	unconfirmed := slices.ContainsFunc(once, func(c report.Change) bool {
		again := v.candidates[c.Name()]
		return c.Sampled && again.Rounds == 0
	})
	text := fmt.Sprintf("%s of %s %s right before and %s wrong now, %s went the other way.", show.WithCommas(len(fallen)),
		show.Count(s.Strict, show.If(s.Noisy > 0 && v.Report.Runner == "", "recorded case", "case")),
		show.Agree(len(fallen), "was", "were"), show.Agree(len(fallen), "is", "are"), countOrNone(rose))
	strict := v.Report.Gate != nil && v.Report.Gate.Mode == config.ModeStrict
	return append(out, show.LiteralPhrase(text+show.When(len(once) < len(fallen),
		show.If(v.Report.Runner != "", " Of a case with several runs, a smaller share that passes counts.", " If several answers are recorded, most of them decide."))+
		show.When(unconfirmed && strict, " `mode: strict` takes each draw as it is: a flip may be noise.")+
		show.When(unconfirmed && !strict, " What was recorded once a side from a model may flip by itself; `failproof record` asks such cases again.")))
}

// firstAnswers returns sentences that say what the first answers show, and what the recheck showed if there was one.
func firstAnswers(v *Story, n *report.Noise) (out []show.Phrase) {
	if n.Overall.Worse > 0 {
		out = sentences(firstAnswersSummary(v, n))
	}
	switch {
	case n.Recheck == nil:
	case n.Recheck.Skipped != "":
		out = append(out, show.Phrasef("The score had fallen, and the suites were not rechecked: %v. What the first answers show stands.",
			show.Message(n.Recheck.Skipped)))
	case n.Recheck.Triggered:
		out = append(out, show.LiteralPhrase(recheckSummary(n)))
	}
	return out
}

// rerunTable returns a table of the flipped cases that were to be rerun on both sides. The reruns alone decide them.
func rerunTable(v *Story) *Table {
	all := candidates(v)
	if v.Report.Runner != "" { // the cases of another runner are not rerun
		all = nil
	}
	if s := v.Report.Statistics; s.RecordedReruns != nil && v.Compared {
		all = slices.Concat(all, show.Filter(s.RecordedReruns.Candidates, func(s report.Candidate) bool { return s.Rounds > 0 }))
	}
	return &Table{Header: []string{"Asked again", "Right before", "Right now", ""}, Words: true, Noun: "case",
		Rows: rowsOf(all, func(s report.Candidate) Row {
			before, now := show.Absent, show.Absent
			if s.Rounds > 0 {
				before, now = fraction(s.BasePasses, s.Rounds), fraction(s.HeadPasses, s.Rounds)
			}
			return rowOf(linkTo(v, s.SuiteID, s.CaseID), before, now, rerunConclusion(s, failedPooledTest(v) != nil))
		})}
}

// rerunConclusion returns in words what the reruns of the case s prove. failedPooled is true if the run failed by a
// statistical test over several cases.
func rerunConclusion(s report.Candidate, failedPooled bool) string {
	result := map[string]string{report.CandidateConfirmed: "confirmed",
		report.CandidateCleared:    show.If(failedPooled, "not confirmed alone", "not confirmed"),
		report.CandidateIncomplete: "open: answers are missing",
		report.CandidateNotRerun:   "not asked again: too many flipped",
		report.CandidateUnprovable: "too few to prove anything", report.CandidateLost: "no answer any more"}[s.State]
	if s.Likely {
		result = "looks broken, not proven among so many"
	}
	if s.P != nil {
		result += ": " + text.Odds(*s.P, "in") + " if nothing changed"
	}
	return result + show.When(s.Stored && s.Rounds > 0, " (recorded answers)")
}

// Limits of what sentences name and of what they advise.
const (
	maxCaseNames     = 5   // cases that a sentence names
	mostTrials       = 100 // trials of a case, as in the schema of the configuration
	minPlanningCases = 20  // cases from which on planning is advised; fewer cannot show a small drop of all cases
)

// sensitivity returns a sentence on how small a change the first answers of this run could show. A run that finds
// nothing does not prove that nothing changed.
func sensitivity(v *Story) string {
	n := noise(v)
	if n == nil || n.Planning == nil || n.Planning.Cases < minPlanningCases || v.Report.Statistics.Measured != nil {
		return ""
	}
	p := n.Planning
	nothingFound := len(v.Regressed) == 0 && v.Report.Verdict == report.Passed && !possibleDrop(v) && len(likelyRegressions(v)) == 0
	finds := show.If(p.Detectable < 1, "the first answers find a drop of every case alike from about "+
		wholePoints(p.Detectable)+" points on",
		"a drop of every case alike is out of reach of the first answers") +
		show.When(n.Recheck != nil && n.Recheck.Skipped == "", ", and a recheck may find a smaller one")
	needed, how := p.Needed, ""
	if p.Needed > p.Trials && p.Cases > 0 {
		if trials := (p.Needed + p.Cases - 1) / p.Cases; trials <= mostTrials {
			needed, how = p.Cases*trials, fmt.Sprintf(" (%s × %s)", show.Count(p.Cases, "case"),
				show.Count(trials, "trial"))
		} else {
			how = ": that takes more cases"
		}
	}
	return show.When(nothingFound, "No regression found. ") + fmt.Sprintf("With %s and %s on each side, %s; %s. ",
		show.Count(p.Cases, "case"), show.Count(p.Trials, "answer"), finds, provableCases(n)) +
		fmt.Sprintf("To find %s points, plan about %s on each side%s.", wholePoints(p.Drop), show.Count(needed, "answer"), how)
}

func provableCases(n *report.Noise) string {
	test := n.Confirm
	switch {
	case n.Repeats != nil:
		return fmt.Sprintf("a single case is proven broken from %s a side on", show.Count(n.Repeats.Enough, "run"))
	case test == nil:
		return "single broken cases are not asked again (`confirm: 0`)"
	case test.Provable == 1:
		return "one broken case is usually found regardless, and no more at once"
	}
	return "single broken cases are usually found regardless" +
		show.When(len(test.Candidates) > test.Provable, ", up to "+show.WithCommas(test.Provable)+" at once")
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
		named := show.MapPhrases(m.MostMixed[:min(len(m.MostMixed), maxCaseNames)], func(c report.MixedCase) show.Phrase {
			return show.Phrasef("%v %v", show.Quote(show.Case(c.SuiteID, c.CaseID)), fraction(c.Passed, c.Trials))
		})
		more := m.Mixed - len(named)
		out = append(out, show.Phrasef("%v answered now right and now wrong: %v%v.", show.Count(m.Mixed, "case"),
			show.JoinPhrases(", ", named), show.When(more > 0, " and "+show.WithCommas(more)+" more")))
	}
	a := m.Advice
	finds := show.If(a.Detectable < 1, "The first answers of such a run find a drop of every case alike from about "+
		wholePoints(a.Detectable)+" points on",
		"A drop of every case alike is out of reach of such a run's first answers")
	return append(out,
		show.Phrasef("Advised: `trials: %v`, `confirm: %v`, `recheck: %v`.", a.Trials, a.Confirm, a.Recheck),
		show.Phrasef("%v; for 10 points set `trials: %v`. Single broken cases are found by asking them again.", finds, a.TrialsForTen))
}

// noise returns the report's statistics on the noise of live models, or nil if there are none or nothing was compared.
func noise(v *Story) *report.Noise {
	if v.Report.Statistics == nil || !v.Compared {
		return nil
	}
	return v.Report.Statistics.Noise
}

// firstAnswersSummary returns in words what the first answers show: how many cases fell and rose, and how often chance
// alone does that or, if that proves nothing, how many cases are confirmed.
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
