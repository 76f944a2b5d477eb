package page

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// metricTable is the metric breakdown of the run, and of each suite where several are measured.
type metricTable struct {
	printer
	Suites []view.Row
	Names  []string // of the suites' columns
	Left   int      // suites
	Checks []report.SemanticDiscrimination
}

// metricTable is nil where nothing was measured.
func (v printer) metricTable() *metricTable {
	if !v.Measured() {
		return nil
	}
	t := &metricTable{printer: v, Names: view.MetricNames(v.Report), Checks: v.Report.Scoring.SelfChecks}
	t.Checks = t.Checks[:min(len(t.Checks), metricSuites)]
	t.Suites = show.Those(v.Suites, view.Row.IsMeasured)
	if len(t.Suites) < 2 {
		t.Suites = nil
	}
	t.Left = max(len(t.Suites)-metricSuites, 0)
	t.Suites = t.Suites[:len(t.Suites)-t.Left]
	return t
}

type fact struct{ Name, Value string }

func (v printer) facts() (out []fact) {
	r := v.Report
	add := func(ok bool, name, value string) {
		if ok {
			out = append(out, fact{name, value})
		}
	}
	add(r.Trials > 0, "Asked", show.Count(r.Cases, "case")+", "+show.Count(r.Trials, "answer"))
	add(r.Run.Scope != "", "Scope", v.scope())
	add(r.Calls.Provider > 0 || r.Plan != nil && r.Plan.Calls > 0, "Asked of providers", view.Calls(r))
	add(r.Calls.Cached > 0, "From the cache", show.Grouped(r.Calls.Cached))
	add(r.Calls.TokensIn+r.Calls.TokensOut > 0, "Tokens", show.Grouped(r.Calls.TokensIn)+" in, "+show.Grouped(r.Calls.TokensOut)+" out")
	cost, known := view.CostWords(r.Calls)
	add(known, "Cost", cost)
	add(r.Judge != nil, "Judge", view.Judge(r).Plain(show.QuoteRunes))
	add(r.Judge != nil && r.Judge.Calls.Provider > 0, "Asked of the judge", view.JudgeCalls(r))
	took, ok := view.Duration(r.Run)
	add(ok, "Took", took)
	add(r.Run.StartedAt != "", "Started", lead(r.Run.StartedAt))
	add(r.Scoring.Phase != "", "Phase", lead(r.Scoring.Phase)+", run bar "+show.Bar(r.Scoring.MinRunScore))
	gate := gateWords(r.Gate)
	add(gate != "", "Gate", gate)
	add(r.Scoring.RulesVersion != "", "Rules", show.Lead(r.Scoring.RulesVersion, show.QuoteRunes))
	add(r.Scoring.Semantic != "", "Compared by meaning", semanticWords(r.Scoring.Semantic))
	add(r.Scoring.SemanticModel != "", "Embedding model", show.Ends(r.Scoring.SemanticModel, 2*show.NameRunes))
	add(r.Run.ID != "", "Run", lead(r.Run.ID))
	add(r.Tool.Version != "", "Made by", "failproof "+lead(r.Tool.Version))
	return out
}

func (v printer) scope() string {
	n := v.Report.Run.LeftOut
	return lead(v.Report.Run.Scope) + show.When(n > 0 && v.Report.Verdict != report.Invalid, "; "+show.Count(n, "suite")+" left out: not touched by this change")
}

func semanticWords(how string) string {
	switch how {
	case report.SemanticNone:
		return "no"
	case score.MethodSemantic:
		return "yes"
	case score.MethodLexical:
		return "no, by words in its place"
	case report.SemanticMixed:
		return "some answers; others by words in its place"
	}
	return lead(how)
}

// gateWords names the conditions that a run is held to, and leaves out those that are off.
func gateWords(g *config.Gate) string {
	if g == nil {
		return ""
	}
	byDefault := map[config.Key]string{config.MaxDrop: " but for cases recorded once", config.MaxUnscored: " of live answers, 0 of recorded ones"}
	var parts []string
	for _, k := range config.Keys() {
		held := g.At(k)
		if k.IsLevel() || held.Level == config.Off {
			continue
		}
		parts = append(parts, strings.ReplaceAll(k.String(), "_", " ")+" "+text.Decimal(held.Value)+show.When(!held.Set, byDefault[k])+" ("+lead(string(held.Level))+")")
	}
	return strings.Join(parts, ", ")
}

// missingPart says what came in place of answers, so that an outage is not read as a worse prompt. It is empty unless that
// left the run undecided.
type missingPart struct {
	Came   []view.Cause
	Unsaid []report.SuiteSummary // of which nobody was asked for some answers
}

func (v printer) missingPart() (m missingPart) {
	if v.Report.Verdict != report.Undecided || v.Report.Unscored+v.NotAsked() == 0 {
		return m
	}
	m.Came = v.Came(func(o *report.Outcome) string { return missed(o).Plain(show.QuoteRunes) })
	m.Came = m.Came[:min(len(m.Came), missingLines)]
	m.Unsaid = v.Unasked()[:min(len(v.Unasked()), missingLines)]
	return m
}

func missed(o *report.Outcome) show.Phrase {
	return append(show.Phrase{show.Tell(show.WordOf(o)), show.Say(": ")}, show.Happened(o)...)
}

// riskPart is what the probes come to: the run's figures, then by category, severity and failure mode, and the answers of the highest risk.
type riskPart struct {
	printer
	Head, Base *risk.Aggregates
	HasBase    bool
	Severities []string // of which there are answers, the highest first
	Modes      []string // of failure, the most frequent first
	Categories []risk.RankedCategory
	Left       int // categories
	Worst      []risk.WorstCase
}

// riskPart is nil where nothing was probed.
func (v printer) riskPart() *riskPart {
	head := v.Report.Risk
	if head == nil {
		return nil
	}
	base, compared := v.BaseRisk()
	p := &riskPart{printer: v, Head: head, Base: base, HasBase: compared, Categories: head.Ranking[:min(len(head.Ranking), riskCategories)],
		Worst: head.WorstCases[:min(len(head.WorstCases), worstCases)]}
	p.Left = len(head.Ranking) - len(p.Categories)
	for _, s := range risk.Severities {
		if t := head.BySeverity[s]; t.Passed+t.Failed > 0 {
			p.Severities = append(p.Severities, s)
		}
	}
	p.Modes = slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(head.Histogram)), maps.Keys(p.Base.Histogram)))))
	slices.SortStableFunc(p.Modes, func(a, b string) int { return cmp.Compare(head.Histogram[b], head.Histogram[a]) })
	p.Modes = p.Modes[:min(len(p.Modes), riskModes)]
	return p
}

// CaseLink leads to the row of a case in the table of all cases, where it has one.
func (v printer) CaseLink(suiteID, caseID string) caseLink {
	link := caseLink{Name: name(caseID)}
	if c, ok := v.Find(suiteID, caseID); ok {
		link.Href = v.rowLink(c)
	}
	return link
}
