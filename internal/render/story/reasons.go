package story

import (
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// reasons returns a line for each reason that the gate gave, errors first. covered has the reasons that the title, the
// summary or another section already gives in words. Readers may still want their figures. uncovered has all others.
func reasons(v *Story) (uncovered, covered []Line) {
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		for _, r := range v.Report.Reasons {
			// Story.Stands says that there is no base.
			if r.Level != level || r.Code == gate.NoBase.Code || repeatsUnscored(v, r) {
				continue
			}
			line := Line{Mark: Bad, Text: show.Phrase{show.Message(r.Message)}}
			switch {
			case level == report.LevelWarn:
				line.Mark = Warn
			case v.Report.Verdict == report.Undecided || r.Suspends:
				line.Mark = Wait
			}
			if c, ok := v.Find(r.SuiteID, r.CaseID); ok && r.CaseID != "" {
				line.Case = &c
			}
			if isCovered := coveredElsewhere[r.Code]; isCovered != nil && isCovered(v, r) {
				covered = append(covered, line)
			} else {
				uncovered = append(uncovered, line)
			}
		}
	}
	if comparedNothing(v) && v.Report.Verdict == report.Passed {
		uncovered = append(uncovered, Line{Mark: Warn, Text: show.LiteralPhrase(
			"No case has an answer on both sides that the base’s expectation judges, so nothing shows whether one broke.")})
	}
	if p := mustMissing(v); len(p) > 0 {
		uncovered = append(uncovered, Line{Mark: Wait, Text: p})
	}
	return uncovered, covered
}

// coveredElsewhere maps the code of a rule to a function. The function reports whether another section of the story
// already gives a reason of the rule in words. Rules without a function have no such section.
var coveredElsewhere = map[string]func(*Story, report.Reason) bool{
	gate.Unscored.Code: followsFromLoss,
	gate.RunScore.Code: func(v *Story, r report.Reason) bool {
		return followsFromLoss(v, r) || r.Level == report.LevelWarn && missWithinNoise(v) || causedFailure(v, r) && v.Report.RunScore != nil && !meetsOnlyWithNew(v)
	},
	gate.UnsettledFlips.Code:    flipsShown,
	gate.ConfirmIncomplete.Code: flipsShown,
	gate.KeptByHand.Code:        func(v *Story, _ report.Reason) bool { return len(v.Review) > 0 },
	gate.ParseRepairs.Code: func(v *Story, _ report.Reason) bool { // a failed run has worse to say
		return v.Report.Verdict == report.Failed
	},
	gate.Regressions.Code: func(v *Story, r report.Reason) bool { return causedFailure(v, r) && len(v.Regressed) > 0 },
	gate.MustPass.Code: func(v *Story, r report.Reason) bool {
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return followsFromLoss(v, r) && c.Kind == report.KindMissing || causedFailure(v, r) && ok && (c.Kind == report.KindRegressed || c.Kind == report.KindFailing)
	},
	gate.Drop.Code: func(v *Story, r report.Reason) bool {
		return causedFailure(v, r) && jointDropTitle(v)+brokenTitle(v) != ""
	},
	gate.Pooled.Code: func(v *Story, r report.Reason) bool { return causedFailure(v, r) && failedPooledTest(v) != nil },
	gate.SuiteScore.Code: func(v *Story, r report.Reason) bool { // the table of suites shows it
		return followsFromLoss(v, r) || causedFailure(v, r)
	},
	// the title says it, and the statistics how likely it is
	gate.PossibleDrop.Code: func(v *Story, r report.Reason) bool {
		return r.Level == report.LevelWarn && noise(v) != nil
	},
}

// followsFromLoss reports whether the reason r, which leaves the verdict open, only repeats that answers are missing.
func followsFromLoss(v *Story, r report.Reason) bool {
	return (v.Report.Verdict == report.Undecided || r.Suspends) && r.Level == report.LevelError && v.Report.Unscored > 0
}

// repeatsUnscored reports whether the reason r is about a score in which too many answers are missing, which the rule
// gate.Unscored says. The table of scores hides such a score, so nobody takes it for one of the prompt.
func repeatsUnscored(v *Story, r report.Reason) bool {
	return followsFromLoss(v, r) && v.Has(gate.Unscored.Code, report.LevelError) &&
		(r.Code == gate.RunScore.Code || r.Code == gate.SuiteScore.Code)
}

// flipsShown reports whether the run is undecided and has unresolved flips, which the story then shows.
func flipsShown(v *Story, _ report.Reason) bool {
	return v.Report.Verdict == report.Undecided && len(v.UnresolvedFlips()) > 0
}

// causedFailure reports whether the reason r failed the run.
func causedFailure(v *Story, r report.Reason) bool {
	return v.Report.Verdict == report.Failed && r.Level == report.LevelError && !r.Suspends
}

func diagnostic(v *Story, d document.Diagnostic) (p show.Phrase) {
	if d.Path != "" {
		p = show.Phrasef("%v ", v.Links.Place(v.Links.HeadSHA, d.Path, d.Line, d.Column))
	}
	p = append(p, show.Message(d.Message))
	if d.Rule != "" {
		p = show.Phrasef("%v (rule %v)", p, show.Quote(d.Rule))
	}
	return p
}

// notes returns a section that lists the warnings that do not affect the verdict.
func notes(v *Story) (p Section) {
	for _, d := range v.Report.Diagnostics {
		if d.Severity == document.Warning {
			p.Items = append(p.Items, diagnostic(v, d))
		}
	}
	for _, w := range v.Report.Warnings {
		if w.Code == report.WarnOnlySome {
			continue // the summary says it
		}
		text := show.Phrase{show.Message(w.Message)}
		if w.Count > 1 {
			text = show.Phrasef("%v × %v", show.WithCommas(w.Count), text)
		}
		if w.Path != "" {
			text = show.Phrasef("%v (%v)", text, v.Links.Place(v.Links.HeadSHA, w.Path, w.Line, 0))
		}
		p.Items = append(p.Items, text)
	}
	if len(p.Items) > 0 {
		p.Title = show.Count(len(p.Items), "note")
	}
	return p
}

// changedSettings returns a section that lists the settings that the change touches. It says of each setting whether it
// is in effect now or after the merge.
func changedSettings(v *Story) (p Section) {
	all := v.Report.PolicyChanges
	p.Title = show.Count(len(all), "changed setting")
	for _, c := range all {
		item := show.Phrasef("%v: %v", settingChange(c, show.SentenceRunes),
			show.If(c.Effective, "in effect now", "proposed, in effect after the merge"))
		if len(c.FailingCases) > 0 {
			item = show.Phrasef("%v; then it will catch the answers to %v", item, quotedList(c.FailingCases))
		}
		if c.Missed != "" {
			item = show.Phrasef("%v; then the score of this run, %v, would miss it", item, show.Message(c.Missed))
		}
		stale := func(n int, noun string) {
			if n > 0 {
				item = show.Phrasef("%v; then %v%v stale", item, show.Count(n, noun), show.Agree(n, " is", " are"))
			}
		}
		stale(c.StaleAnswers, "recorded answer")
		stale(c.StaleVerdicts, "recorded verdict")
		if c.Path != "" {
			item = show.Phrasef("%v (%v)", item, v.Links.Place(v.Links.HeadSHA, c.Path, 0, 0))
		}
		p.Items = append(p.Items, item)
	}
	return p
}
