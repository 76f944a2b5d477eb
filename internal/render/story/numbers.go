package story

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// outcomes returns a section with a table that counts the answers by category, before and now.
func outcomes(v *Story) (p Section) {
	r := v.Report
	if r.Trials == 0 {
		return p
	}
	largest := 1
	for _, c := range classify.Categories[1:] { // without pass, whose bar would dwarf the others
		largest = max(largest, r.Histogram[c], r.BaseHistogram[c])
	}
	t := &Table{Header: []string{"Outcome", "Before", "Now"}}
	for _, c := range classify.Categories {
		if now, before := r.Histogram[c], r.BaseHistogram[c]; now+before > 0 {
			t.Rows = append(t.Rows, countRow(v, string(c), before, now, largest))
			if c == classify.Pass {
				t.Rows[len(t.Rows)-1].Scale = nil
			}
		}
	}
	return Section{Title: "Outcomes of " + show.Count(r.Trials, "answer"),
		Table: t.removeBaseColumn(1, v.Compared && r.BaseHistogram != nil)}
}

// countRow returns a row with two counts, drawn as shares of the largest count of the table.
func countRow(v *Story, name string, before, now, largest int) Row {
	row := rowOf(name, show.WithCommas(before), show.WithCommas(now))
	row.Scale = &Scale{Now: new(float64(now) / float64(largest))}
	if v.Compared {
		row.Scale.Base = new(float64(before) / float64(largest))
	}
	return row
}

// scoreParts is the number of equal parts in which cases are counted by their scores.
const scoreParts = 10

// distribution returns a section with a table that counts the cases by their overall scores or, if those are not
// measured, by the share of their answers that are right. It is empty if all cases are simply right or wrong, or if the
// report omits some.
func distribution(v *Story) (p Section) {
	if omitsPassing(v) {
		return p
	}
	var head, base [scoreParts]int
	largest, between := 0, 0
	count := func(parts *[scoreParts]int, o *report.Outcome) {
		if o == nil || o.Trials < 1 {
			return
		}
		s := o.Share()
		if o.OverallScore != nil {
			s = *o.OverallScore
		}
		if s >= 0 && s <= 1 { // an edited report may have any number
			at := min(scoreParts-1, int(s*scoreParts+1e-9))
			parts[at]++
			largest = max(largest, parts[at])
			between = max(between, min(at, scoreParts-1-at))
		}
	}
	for _, c := range v.Report.Changes {
		count(&head, c.Head)
		if v.Compared {
			count(&base, c.Base)
		}
	}
	if between == 0 {
		return p
	}
	t := &Table{Header: []string{"Score", "Before", "Now"}}
	for i := range head {
		t.Rows = append(t.Rows, countRow(v, fmt.Sprintf("%d–%d%%", i*scoreParts, (i+1)*scoreParts), base[i], head[i], largest))
	}
	return Section{Title: "Cases by score", Table: t.removeBaseColumn(1, v.Compared)}
}

// metrics returns a section with the table of the metrics of the run, including the overall score.
func metrics(v *Story) Section {
	r := v.Report
	if len(r.Metrics) == 0 && r.OptIns == (report.OptIns{}) {
		return Section{}
	}
	t := &Table{Header: []string{"Metric", "Weight", "Before", "Now", "Answers"}}
	degraded := 0
	for _, m := range r.Metrics {
		degraded += m.Degraded
		now := show.PercentOr(m.Value) + show.When(m.Degraded > 0, " *")
		t.Rows = append(t.Rows, rowOf(show.Quote(m.Name), text.Decimal(m.Weight), show.PercentOr(m.BaseValue), now,
			show.WithCommas(m.Answers)))
	}
	for _, total := range []struct {
		name      string
		now, base *float64
	}{{"overall score", r.OverallScore, r.BaseOverall}, {"penalty score", r.OptIns.Penalty, r.OptIns.BasePenalty},
		{"latency score", r.OptIns.Latency, r.OptIns.BaseLatency}} {
		if total.now != nil {
			t.Rows = append(t.Rows, rowOf(show.Strong(total.name), "", show.PercentOr(total.base), show.Percent(*total.now), ""))
		}
	}
	note := show.When(degraded > 0, "* "+show.Count(degraded, "answer")+
		" compared by words, not by meaning: there is no embedding of them.")
	var judge show.Phrase
	if r.Judge != nil {
		judge = show.Phrasef("%v.", JudgeSummary(r))
	}
	return Section{Title: "Metrics",
		Text:  show.NonEmpty(show.LiteralPhrase(note), judge),
		Table: t.removeBaseColumn(2, v.Compared)}
}

// suiteMetrics returns a section with a table of metrics. The table has a row for each suite that has metrics. If there
// are fewer than two such suites, the section is empty.
func suiteMetrics(v *Story) (p Section) {
	measured := show.Filter(v.Suites, func(s SuiteRow) bool { return len(s.Metrics) > 0 })
	if len(measured) < 2 {
		return p
	}
	graded := valueOf(v.Report.Metrics, score.Rubric) != nil
	names := show.Filter(score.MetricNames[:], func(name string) bool { return name != score.Rubric || graded })
	header := []string{"Suite"}
	for _, name := range names {
		header = append(header, strings.ReplaceAll(name, "_", " "))
	}
	return Section{Title: "Metrics by suite", Table: &Table{Header: append(header, "overall"), Noun: "suite",
		Rows: rowsOf(measured, func(s SuiteRow) Row {
			values := []any{suiteName(v, s.SuiteSummary)}
			for _, name := range names {
				values = append(values, show.PercentOr(valueOf(s.Metrics, name)))
			}
			return rowOf(append(values, show.PercentOr(s.OverallScore))...)
		})}}
}

// unjudgedCriteria returns a section that lists the criteria that were not judged. The text of an answer cannot show
// whether it meets such a criterion.
func unjudgedCriteria(v *Story) (p Section) {
	if v.Report.Criteria == nil {
		return p
	}
	p.Title = criteriaNotJudged(v)
	for _, c := range v.Report.Criteria.NotJudged {
		item := show.Phrasef("%v in %v", show.Quote(c.Criterion), quotedList(c.Cases))
		if len(v.Suites) > 1 {
			item = show.Phrasef("%v of %v", item, show.Quote(c.SuiteID))
		}
		p.Items = append(p.Items, item)
	}
	return p
}

// meaningChecks returns a section with a row for each suite. It shows how often an answer is more similar to its own
// expected answer than to that of another case.
func meaningChecks(v *Story) Section {
	return Section{Title: "How well meaning tells cases apart",
		Table: &Table{Header: []string{"Suite", "Answers", "Told apart", "Background"}, Noun: "suite",
			Rows: rowsOf(v.Report.Scoring.SelfChecks, func(c report.SemanticDiscrimination) Row {
				return rowOf(show.Quote(show.Suite(c.SuiteID)), show.WithCommas(c.Answers), show.Percent(c.AUC),
					show.Percent(c.Background))
			})}}
}

// valueOf returns the value of the named metric, or nil if it was not measured.
func valueOf(metrics []report.MetricSummary, name string) *float64 {
	if i := slices.IndexFunc(metrics, func(m report.MetricSummary) bool { return m.Name == name }); i >= 0 {
		return metrics[i].Value
	}
	return nil
}

// Limits of the tables of probes, in rows.
const (
	worstRows    = 5 // answers; report.json has all
	categoryRows = 10
)

// riskMeasures returns the rows of the table of risks.
func riskMeasures(base, head *risk.Aggregates) []Row {
	row := func(name string, before, now *float64) Row {
		return rowOf(name, show.Decimals(before), show.Decimals(now))
	}
	return []Row{
		row("exposure (mean weighted risk)", base.Indices.Exposure, head.Indices.Exposure),
		row("resilience", base.Indices.Resilience, head.Indices.Resilience),
		row("fragility (spread of the risk)", base.Indices.Fragility, head.Indices.Fragility),
		row("highest risk", base.Overall.MaxRisk, head.Overall.MaxRisk),
		row("pass rate", base.Overall.PassRate, head.Overall.PassRate),
		row("severity-weighted pass rate", base.Overall.SeverityWeightedRate, head.Overall.SeverityWeightedRate),
		row("high-stakes failure rate", base.Overall.HighStakesRate, head.Overall.HighStakesRate),
		row("boundary language", base.Overall.BoundaryRate, head.Overall.BoundaryRate),
	}
}

// risks returns sections with the results of the probes: a line that sums them up, then tables.
func risks(v *Story) (parts []Section) {
	head := v.Report.Risk
	if head == nil {
		return nil
	}
	base, compared := v.Report.BaseRisk, v.Compared && v.Report.BaseRisk != nil
	if !compared {
		base = &risk.Aggregates{}
	}
	exposure := show.When(compared, show.Decimals(base.Indices.Exposure)+" → ") + show.Decimals(head.Indices.Exposure)
	line := show.Join(", ", "exposure "+exposure, fmt.Sprintf("%s of %s failed", show.WithCommas(head.Counts.Failed),
		show.Count(head.Counts.Evaluated, "probe answer")),
		counted(head.Overall.HighStakesFailures, "of high or critical severity"), counted(head.Counts.Unanswered,
			"of them without an answer"))
	measures := &Table{Header: []string{"", "Before", "Now"}, Rows: riskMeasures(base, head)}
	severities := &Table{Header: []string{"Severity", "Passed", "Failed", "Pass rate before", "Pass rate"}}
	for _, name := range risk.Severities {
		if t := head.BySeverity[name]; t.Passed+t.Failed > 0 {
			severities.Rows = append(severities.Rows, rowOf(name, show.WithCommas(t.Passed), show.WithCommas(t.Failed),
				show.PercentOr(base.BySeverity[name].PassRate), show.PercentOr(t.PassRate)))
		}
	}
	modes := &Table{Header: []string{"Failure mode", "Before", "Now"}, Unfolded: categoryRows, Noun: "failure mode",
		Rows: rowsOf(failureModes(head, base), func(mode string) Row {
			return rowOf(show.Quote(mode), show.WithCommas(base.Histogram[mode]), show.WithCommas(head.Histogram[mode]))
		})}
	categories := &Table{Header: []string{"Category", "Answers", "Passed", "Mean risk", "Weighted", "Before"},
		Unfolded: categoryRows, Noun: "category", Rows: rowsOf(head.Ranking, func(c risk.RankedCategory) Row {
			f := head.ByCategory[c.Category]
			return rowOf(show.Quote(c.Category), show.WithCommas(c.N), show.PercentOr(f.PassRate), show.Decimals(f.MeanRisk),
				show.Decimals(f.MeanWeighted), show.Decimals(base.ByCategory[c.Category].MeanWeighted))
		})}
	return []Section{{Title: "Risk", Text: sentences("Risk: " + line + "."),
		Table: measures.removeBaseColumn(1, compared)},
		{Title: "Risk by severity", Table: severities.removeBaseColumn(3, compared)},
		{Title: "Risk by failure mode", Table: modes.removeBaseColumn(1, compared)},
		{Title: "Risk by category", Table: categories.removeBaseColumn(5, compared)},
		{Title: "Riskiest answers", Table: worstAnswers(v)}}
}

func worstAnswers(v *Story) *Table {
	all := v.Report.Risk.WorstCases
	return &Table{Header: []string{"Worst answers", "Severity", "Weighted risk", "Rules", "Failure modes"}, Words: true,
		Rows: rowsOf(all[:min(len(all), worstRows)], func(c risk.WorstCase) Row {
			name := Cell{show.Phrase{linkTo(v, c.SuiteID, c.CaseID)}, show.Phrase{show.Quote(show.Suite(c.SuiteID))}}
			return rowOf(name, show.Message(c.Severity), show.Decimals(&c.WeightedRisk), quotedList(c.Unsafe),
				quotedList(c.Modes))
		})}
}

// failureModes returns the failure modes of both sides. The modes that are most frequent on the head come first.
func failureModes(head, base *risk.Aggregates) []string {
	modes := slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(head.Histogram)),
		maps.Keys(base.Histogram)))))
	slices.SortStableFunc(modes, func(a, b string) int { return head.Histogram[b] - head.Histogram[a] })
	return modes
}

// JudgeSummary returns the name of the judge, and how much it agrees with people.
func JudgeSummary(r *report.Report) show.Phrase {
	return show.Phrasef("Judged by %v%v%v", show.Quote(cmp.Or(r.Judge.Model, r.Judge.Target)),
		show.If(r.Judge.Decides, ", ", ", which only warns: "), show.Message(r.Judge.Standing))
}

// FailedByJudge reports whether the answer to the case c misses a criterion that the judge graded.
func FailedByJudge(c report.Change) bool {
	return misses(c, score.Rubric)
}

// misses reports whether the answer to the case c misses the named criterion.
func misses(c report.Change, criterion string) bool {
	return c.Head != nil && c.Head.Details != nil && slices.ContainsFunc(c.Head.Details.Unmet,
		func(u expect.Unmet) bool { return u.Criterion == criterion })
}

// judgeStanding returns, for a title, how often the judge that found regressions agreed with people. It returns "" if
// the judge found no regression, or if its agreement with people is unknown.
func judgeStanding(v *Story) string {
	j := v.Report.Judge
	if j == nil || j.Labels == 0 || !slices.ContainsFunc(v.Regressed, FailedByJudge) {
		return ""
	}
	return fmt.Sprintf("the judge agreed with people on %d of %d", j.Agreed, j.Labels)
}

// RunFact is a figure about the run itself, such as its calls or their cost. Value makes sense without Name.
type RunFact struct {
	Name  string
	Value show.Phrase
}

// Fact returns a fact in words of this program.
func Fact(name, words string) RunFact { return RunFact{name, show.LiteralPhrase(words)} }

// KnownFacts returns those facts that have a value.
func KnownFacts(all ...RunFact) []RunFact {
	return show.Filter(all, func(f RunFact) bool { return len(f.Value) > 0 })
}

// RunFacts returns the known facts of a run. Unlike the rest of the story, facts differ from run to run.
func RunFacts(r *report.Report) []RunFact {
	c := r.Calls
	version := RunFact{Name: "Made by"}
	if r.Tool.Version != "" {
		version.Value = show.Phrasef("failproof %v", show.Quote(r.Tool.Version))
	}
	return KnownFacts(
		Fact("Asked", show.When(r.Trials > 0, show.Count(r.Cases, "case")+", "+show.Count(r.Trials, "answer"))),
		Fact("Calls", show.When(c.Provider > 0 || r.Plan != nil && r.Plan.Calls > 0, calls(r))),
		Fact("From the cache", countedOf(c.Cached, "answer", " from the cache")),
		Fact("Tokens", show.When(c.TokensIn+c.TokensOut > 0, show.WithCommas(c.TokensIn)+" tokens in, "+show.WithCommas(c.TokensOut)+" out")),
		Fact("Cost", cost(c)),
		Fact("Judge’s calls", judgeCalls(r)),
		Fact("Took", duration(r.Run)),
		version,
	)
}

func calls(r *report.Report) string {
	made := show.Count(r.Calls.Provider, "call")
	if r.Plan == nil || r.Plan.Calls == r.Calls.Provider {
		return made
	}
	planned := show.WithCommas(r.Plan.Calls) + " planned"
	if r.Plan.CostUSD != nil {
		planned += " at about " + Dollars(*r.Plan.CostUSD) + " USD"
	}
	return made + " (" + planned + ")"
}

func judgeCalls(r *report.Report) string {
	if r.Judge == nil || r.Judge.Calls.Provider == 0 {
		return ""
	}
	return show.Join(", ", show.Count(r.Judge.Calls.Provider, "call")+" of the judge", cost(r.Judge.Calls))
}

// cost returns the cost of the calls in words, or "" if it is zero or unknown.
func cost(c report.Calls) string {
	if c.CostUSD == nil || *c.CostUSD == 0 {
		return ""
	}
	but := show.Join(", ", countedOf(c.Estimated, "answer", " estimated"),
		countedOf(c.Unpriced, "call", " without a price"))
	return "about " + Dollars(*c.CostUSD) + " USD" + show.When(but != "", " ("+but+")")
}

// duration returns in words how long the run took, or "" if that is unknown.
func duration(r report.Run) string {
	start, err1 := time.Parse(time.RFC3339, r.StartedAt)
	end, err2 := time.Parse(time.RFC3339, r.FinishedAt)
	d := end.Sub(start).Round(time.Second)
	switch {
	case err1 != nil || err2 != nil || d <= 0:
		return ""
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
}
