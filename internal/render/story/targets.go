package story

import (
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// targetColumns is the largest number of targets that are shown side by side. A telephone has no room for more.
const targetColumns = 6

// targetsRan returns the names of all targets, in the order of the report, and for each suite the targets with which it
// ran.
func targetsRan(v *Story) (names []string, ran map[string]map[string]bool) {
	ran = map[string]map[string]bool{}
	for _, s := range v.Report.Suites {
		id, target := suiteid.Split(s.SuiteID)
		if target == "" {
			continue
		}
		if !slices.Contains(names, target) {
			names = append(names, target)
		}
		if ran[id] == nil {
			ran[id] = map[string]bool{}
		}
		ran[id][target] = true
	}
	return names, ran
}

// targets returns a section with a row for each case that one target of its suite answers right and another wrong.
func targets(v *Story) (p Section) {
	names, ran := targetsRan(v)
	omitted := omitsPassing(v)
	shown := names[:min(len(names), targetColumns)]
	t := &Table{Header: append([]string{"Case"}, shown...), Noun: "case"}
	known := map[[2]string]bool{}
	for _, c := range v.Report.Changes {
		suite := suiteid.AuthorID(c.SuiteID)
		if name := [2]string{suite, c.CaseID}; len(ran[suite]) > 1 && !known[name] {
			known[name] = true
			values := []any{Cell{show.Phrase{show.Name(c.CaseID, v.FileOf(c))}, show.Phrase{show.Quote(suite)}}}
			right, wrong := false, false
			for _, target := range names {
				one, listed := v.Find(suiteid.ForTarget(suite, target), c.CaseID)
				passed := !listed && omitted && ran[suite][target]
				right, wrong = right || passed || one.Head.Right(), wrong || one.Head.Wrong()
				values = append(values, show.If(passed, "pass", show.Absent))
				if listed {
					values[len(values)-1] = targetOutcome(v, one)
				}
			}
			if right && wrong {
				t.Rows = append(t.Rows, rowOf(values[:1+len(shown)]...))
			}
		}
	}
	if more := len(names) - len(shown); more > 0 && len(t.Rows) > 0 {
		p.Text = sentences("… and " + show.Count(more, "more target") + ".")
	}
	p.Title, p.Table = "Targets differ on "+show.Count(len(t.Rows), "case"), t
	return p
}

// targetOutcome returns what a target answers to the case c now, and what it answered before if that differs.
func targetOutcome(v *Story, c report.Change) show.Phrase {
	if !v.Compared || c.Base == nil || show.PlainOutcome(c.Base) == show.PlainOutcome(c.Head) {
		return outcomeOf(c.Head, true)
	}
	return outcomesOf(v, c)
}
