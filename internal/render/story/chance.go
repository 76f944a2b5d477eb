package story

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// statisticsSection returns a section that says how a change was distinguished from chance, which cases were rerun, and
// what the run could have found. covered has the reasons that other sections give in words without figures. These
// reasons come first.
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
	n := countFlips(v)
	if n.fell == 0 || !v.Compared {
		return out
	}
	text := fmt.Sprintf("%s of %s %s right before and %s wrong now, %s went the other way.", show.WithCommas(n.fell),
		show.Count(s.Strict, show.If(s.Noisy > 0 && v.Report.Runner == "", "recorded case", "case")),
		show.Agree(n.fell, "was", "were"), show.Agree(n.fell, "is", "are"), countOrNone(n.rose))
	strict := v.Report.Gate != nil && v.Report.Gate.Mode == config.ModeStrict
	return append(out, show.LiteralPhrase(text+show.When(n.repeated > 0,
		show.If(v.Report.Runner != "", " If a case has several runs, most of them decide.", " If several answers are recorded, most of them decide."))+
		show.When(n.unconfirmed > 0 && strict, " `mode: strict` takes each draw as it is: a flip may be noise.")+
		show.When(n.unconfirmed > 0 && !strict, " What was recorded once a side from a model may flip by itself; `failproof record` asks such cases again.")))
}

// flipCounts counts the shared cases whose result flipped. The result of a case on a side is its one answer, or the
// majority of several answers.
type flipCounts struct {
	fell, rose  int
	repeated    int // fallen cases with several answers on a side
	unconfirmed int // fallen cases with one answer a side that was sampled from a model and not rerun
}

func countFlips(v *Story) (n flipCounts) {
	for _, c := range v.Report.Changes {
		switch {
		case c.Noisy || c.Quarantined || c.Head != nil && c.Head.UnderBase != nil: // a redefined case is not shared
		case c.Change == report.Fixed:
			n.rose++
		case c.Change != report.Regressed:
		case !HasOneTrial(c.Base) || !HasOneTrial(c.Head):
			n.fell, n.repeated = n.fell+1, n.repeated+1
		default:
			n.fell++
			if again, ok := v.Report.Candidate(c.SuiteID, c.CaseID); c.Sampled && !(ok && again.Rounds > 0) {
				n.unconfirmed++
			}
		}
	}
	return n
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

// rerunTable returns a table with a row for each flipped case that was to be rerun on both sides. The reruns alone
// decide such a case.
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
