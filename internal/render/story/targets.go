package story

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// targetColumns is the largest number of targets that are shown side by side. A telephone has no room for more.
const targetColumns = 6

// targets returns sections that compare the targets of suites that name several. They show the scores of the targets,
// and the cases that one target answers right and another wrong.
func targets(v *Story) []Section {
	names, suites := groupByTarget(v.Report.Suites)
	if len(suites) == 0 {
		return nil
	}
	shown := min(len(names), targetColumns)
	more := show.LiteralPhrase(show.When(len(names) > shown, "… and "+show.Count(len(names)-shown, "more target")+"."))
	scores := rowsOf(suites, func(group []*report.SuiteSummary) Row {
		s := firstOf(group)
		name := show.Name(suiteid.AuthorID(s.SuiteID), v.Links.File(v.Links.HeadSHA, s.Path, max(s.Line, 1)))
		return targetRow(Cell{Text: show.Phrase{name}}, group[:shown], func(one report.SuiteSummary) any {
			return scoreRow(v, NoMark, nil, one, "").Cells[1]
		})
	})
	cases := differingCases(v, names, suites)
	answers := rowsOf(cases, func(group []*report.Change) Row {
		c := firstOf(group)
		name := Cell{Text: show.Phrase{show.Name(c.CaseID, v.FileOf(c))}}
		if len(suites) > 1 {
			name.Below = show.Phrase{show.Quote(suiteid.AuthorID(c.SuiteID))}
		}
		return targetRow(name, group[:shown], func(one report.Change) any { return targetOutcome(v, one) })
	})
	return []Section{{Title: "Targets side by side", Text: show.NonEmpty(more),
		Table: &Table{Header: append([]string{"Suite"}, names[:shown]...), Noun: "suite", Rows: scores}},
		{Title: "Different on " + show.Count(len(cases), "case"),
			Table: &Table{Header: append([]string{"Case"}, names[:shown]...), Noun: "case", Rows: answers}}}
}

// targetRow returns a row with a value for each target. If a target has no value, its cell is a dash.
func targetRow[T any](name Cell, group []*T, value func(T) any) Row {
	values := []any{name}
	for _, one := range group {
		if one == nil {
			values = append(values, show.Absent)
		} else {
			values = append(values, value(*one))
		}
	}
	return rowOf(values...)
}

func firstOf[T any](group []*T) T {
	return *group[slices.IndexFunc(group, func(one *T) bool { return one != nil })]
}

// targetOutcome returns what a target answers to the case c now, and what it answered before if that differs.
func targetOutcome(v *Story, c report.Change) show.Phrase {
	if !v.Compared || c.Base == nil || show.PlainOutcome(c.Base) == show.PlainOutcome(c.Head) {
		return outcomeOf(c.Head, true)
	}
	return outcomesOf(v, c)
}

// groupByTarget returns the names of the targets in the order of the report, and the suites that ran with several of
// them. A suite has a summary for each name, or nil if it did not run with that target.
func groupByTarget(all []report.SuiteSummary) (names []string, suites [][]*report.SuiteSummary) {
	summaries := map[string]*report.SuiteSummary{}
	var ids []string // as the authors wrote them
	for i, s := range all {
		id, target := suiteid.Split(s.SuiteID)
		if target == "" {
			continue
		}
		summaries[s.SuiteID] = &all[i]
		if !slices.Contains(names, target) {
			names = append(names, target)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		group, ran := make([]*report.SuiteSummary, len(names)), 0
		for i, target := range names {
			if group[i] = summaries[suiteid.ForTarget(id, target)]; group[i] != nil {
				ran++
			}
		}
		if ran > 1 {
			suites = append(suites, group)
		}
	}
	return names, suites
}

// differingCases returns the cases that one target answers right and another wrong. Each case is a list of its changes,
// one for each target. A change is nil if the target was not asked.
func differingCases(v *Story, names []string, suites [][]*report.SuiteSummary) (out [][]*report.Change) {
	group := map[string][]*report.SuiteSummary{}
	for _, s := range suites {
		group[suiteid.AuthorID(firstOf(s).SuiteID)] = s
	}
	known := map[[2]string]bool{}
	passed := report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1}
	passes := func(c report.Change) bool { return c.Change == report.StillPassing }
	// out of a stored report
	passingOmitted := v.Report.Counts[report.StillPassing] > show.CountFunc(v.Report.Changes, passes)
	for _, c := range v.Report.Changes {
		suite, target := suiteid.Split(c.SuiteID)
		name := [2]string{suite, c.CaseID}
		if group[suite] == nil || !slices.Contains(names, target) || known[name] {
			continue
		}
		known[name] = true
		changes := make([]*report.Change, len(names))
		for i, s := range group[suite] {
			targetChange, listed := v.Find(suiteid.ForTarget(suite, names[i]), c.CaseID)
			if !listed && passingOmitted && s != nil {
				targetChange.Change, targetChange.Base, targetChange.Head, targetChange.Path, targetChange.Line = report.StillPassing, &passed, &passed, s.Path, s.Line
			}
			if targetChange.Change != "" {
				changes[i] = &targetChange
			}
		}
		anyOutcome := func(match func(*report.Outcome) bool) bool {
			return slices.ContainsFunc(changes, func(c *report.Change) bool { return c != nil && match(c.Head) })
		}
		if anyOutcome((*report.Outcome).Right) && anyOutcome((*report.Outcome).Wrong) {
			out = append(out, changes)
		}
	}
	return out
}
