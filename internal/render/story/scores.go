package story

import (
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// scoreDecides reports whether scores failed a run without regressions, or caused a warning.
func scoreDecides(v *Story) bool {
	if v.Report.Verdict == report.Failed {
		return len(v.Regressed) == 0 && (scoreTooLow(v) || jointDropTitle(v) != "")
	}
	return missWithinNoise(v) || possibleDrop(v)
}

// scoreTooLow reports whether the run or a suite is below its threshold.
func scoreTooLow(v *Story) bool {
	return v.BelowThreshold() || v.Has(gate.SuiteScore.Code, report.LevelError)
}

// scores returns a section with the table of scores. It has a row for each suite, worst first, and one for the run.
func scores(v *Story) Section {
	t := &Table{Header: []string{"Suite", show.If(v.Compared, "Before → now", "Score"), "Needed"}, Noun: "suite",
		Rows: rowsOf(v.Suites, func(s SuiteRow) Row {
			mark, state := suiteState(v, s)
			return scoreRow(v, mark, show.Phrase{suiteName(v, s.SuiteSummary)}, s.SuiteSummary, state)
		})}
	for t.Unfolded < len(v.Suites) && v.Suites[t.Unfolded].rank() < quietRank {
		t.Unfolded++
	}
	mark, state := runState(v)
	r := v.Report
	total := report.SuiteSummary{Score: r.RunScore, BaseScore: r.BaseRunScore, MinScore: r.Scoring.MinRunScore, Cases: r.Cases,
		Passed: r.PassedCases, Unscored: r.Unscored, Unverified: r.Unverified, KeptByHand: r.KeptByHand}
	t.Last = new(scoreRow(v, mark, show.Phrase{show.Strong("All")}, total, state))
	p := Section{Title: "Scores by suite", Table: t}
	if len(v.Suites) > 1 && v.Report.RunScore != nil {
		p.Text = sentences("The score of all is the mean over the suites, by weight.")
	}
	return p
}

func suiteName(v *Story, s report.SuiteSummary) show.Part {
	return show.Name(show.Suite(s.SuiteID), v.Links.File(v.Links.HeadSHA, s.Path, max(s.Line, 1)))
}

// scoreRow returns a row of the table of scores. The counts of cases are below the name, because a telephone would cut
// off more columns.
func scoreRow(v *Story, mark Mark, name show.Phrase, s report.SuiteSummary, state string) Row {
	n := max(s.Unverified-s.KeptByHand, 0)
	r := v.Report
	below := show.When(s.Cases > 0 && (r.Unscored == 0 || r.Unscored < r.Trials), // otherwise no answer is right or wrong
		show.WithCommas(s.Passed-n)+" of "+show.WithCommas(s.Cases)+" right")
	below = show.Join("; ", show.Join(", ", below, counted(n, "not judged"), counted(s.KeptByHand, "kept by hand")),
		state)
	now, drawn := show.Absent, &Scale{Need: s.MinScore}
	if v.Compared {
		drawn.Base = s.BaseScore
	}
	if !v.HidesScore(s.Unscored) {
		now, drawn.Now = show.PercentAgainst(s.Score, s.MinScore, r.Scoring.MinRunScore), s.Score
	}
	note := show.LiteralPhrase(below)
	if s.Sent != "" {
		note = show.Phrasef("%v; sent %v", note, show.Message(s.Sent))
	}
	before := show.When(v.Compared, show.PercentOr(s.BaseScore)+" →"+show.NoBreakSpace)
	row := rowOf(Cell{name, note}, before+now, show.Threshold(s.MinScore))
	row.Mark, row.Scale = mark, drawn
	return row
}

// suiteState returns the mark of the suite s. state says in words what the figures of the suite do not show. A suite
// that lost or weakened something is never marked good.
func suiteState(v *Story, s SuiteRow) (mark Mark, state string) {
	var texts []string
	note := func(ok bool, m Mark, text string) {
		if ok {
			texts = append(texts, text)
			if mark == NoMark || m == Bad {
				mark = m
			}
		}
	}
	count := func(n int, m Mark, what string) { note(n > 0, m, show.WithCommas(n)+what) }
	note(s.Below && !v.HidesScore(s.Unscored), ruleMark(v, gate.SuiteScore), "below its threshold")
	note(s.Worse, ruleMark(v, gate.Drop), "got worse as a whole")
	note(s.PossibleDrop && !s.Worse, Warn, "perhaps worse")
	note(s.MustPass > 0, ruleMark(v, gate.MustPass), "")
	count(s.Kinds[report.KindRegressed], ruleMark(v, gate.Regressions), " broke")
	count(s.PerhapsBroken, NoMark, " perhaps broken")
	count(s.MustPass, ruleMark(v, gate.MustPass), " must never break")
	count(s.Unscored, Wait, " without a score")
	count(s.Removed, ruleMark(v, gate.Removed), " removed")
	redefined := s.Kinds[report.KindMayHide] - s.Removed
	count(redefined, ruleMark(v, gate.Redefined), " redefined")
	count(s.Kinds[report.KindWorse], Warn, " right, but worse")
	count(s.Kinds[report.KindFixed]-s.PerhapsFixed, NoMark, " fixed")
	count(s.PerhapsFixed, NoMark, " perhaps fixed")
	count(s.Quarantined, NoMark, " in quarantine")
	note(s.Edited > 0 && redefined == 0, NoMark, "moved by "+show.Count(s.Edited, "redefined case"))
	note(s.KeptByHand > 0, Warn, "")
	lower := s.Delta != nil && *s.Delta < 0 || isLower(s.BaseScore, s.Score) // a new case that is wrong lowers it too
	switch {
	case mark != NoMark:
	case s.Cases == 0:
		texts = append(texts, "no case is judged")
	case !lower && s.Unverified == 0 && s.Passed > 0 && (v.Compared || s.MinScore != nil || s.Passed == s.Cases):
		mark = Good
	case lower && s.Edited == 0:
		texts = append(texts, "lower than before")
	}
	return mark, show.Join(", ", texts...)
}

// applies reports whether the rule failed the run or caused a warning.
func applies(v *Story, rule gate.Rule) bool {
	return v.Has(rule.Code, report.LevelError) || v.Has(rule.Code, report.LevelWarn)
}

// ruleMark returns Bad if the rule failed the run, and otherwise Warn.
func ruleMark(v *Story, rule gate.Rule) Mark {
	if v.Has(rule.Code, report.LevelError) {
		return Bad
	}
	return Warn
}

// runState returns the mark of the whole run, and in words how the score relates to its threshold and to the base.
func runState(v *Story) (mark Mark, state string) {
	need, got := v.Report.Scoring.MinRunScore, v.Report.RunScore
	weak := v.Report.Unverified > 0 || len(v.Worse)+len(v.Redefined)+len(v.Removed) > 0 || v.Compared &&
		isLower(v.Report.BaseRunScore, got)
	switch {
	case need == nil || got == nil:
	case v.Report.Verdict == report.Undecided:
		mark, state = Wait, "undecided"
	case v.BelowThreshold() && v.Has(gate.RunScore.Code, report.LevelError):
		mark, state = Bad, "below its threshold"
	case v.BelowThreshold():
		mark, state = Warn, "below its threshold"+show.When(missWithinNoise(v), ", perhaps by noise")
	case v.Report.Verdict == report.Failed || weak: // a failed run, or one with a doubt, is never marked good
	default:
		mark = Good
	}
	dropped := applies(v, gate.Drop)
	if mark != Bad && (dropped || possibleDrop(v)) {
		mark = ruleMark(v, gate.Drop)
	}
	return mark, show.Join(", ", show.When(dropped, "got worse as a whole"),
		show.When(!dropped && possibleDrop(v), "perhaps worse"), state)
}

// movedByEdit reports whether the redefined case c has another share of right answers than before. Its input, its
// expectation or its judge is another one, so the two shares measure different things. A missing answer is no result.
func movedByEdit(c report.Change) bool {
	both := c.Base != nil && c.Head != nil && c.Base.Unscored+c.Head.Unscored == 0
	return c.Change == report.Redefined && !c.Quarantined && both && c.Base.Share() != c.Head.Share()
}

// byEdits returns in words that redefined cases moved the score, alone or with others, or "" if none did.
func byEdits(v *Story) string {
	r := v.Report
	n := show.CountFunc(r.Changes, movedByEdit)
	if n == 0 {
		return ""
	}
	others := r.Counts[report.New] + r.Counts[report.Removed] + r.Counts[report.Regressed]
	alone := (r.Delta == nil || *r.Delta == 0) && others == 0
	return show.If(alone, " because ", " partly because ") + show.Count(n, "case") + show.Agree(n, " was", " were") + " redefined"
}

// isLower reports whether the score now is lower than the score was. It returns false if one of them is missing.
func isLower(was, now *float64) bool { return was != nil && now != nil && *now < *was }

// meetsOnlyWithNew reports whether the run score meets its threshold only with the cases that the head adds.
func meetsOnlyWithNew(v *Story) bool {
	old, all := v.Report.RunScoreWithoutNew, v.Report.RunScore
	need := v.Report.Scoring.MinRunScore
	return need != nil && old != nil && all != nil && !score.Meets(*old, *need) && score.Meets(*all, *need)
}
