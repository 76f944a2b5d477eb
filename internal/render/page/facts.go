package page

import (
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// metricTable is the metric breakdown of the run, and of each suite where several are measured.
type metricTable struct {
	Rows     []metricRow
	Suites   []suiteMetrics
	Names    []string // of the suites' columns
	Left     int      // suites
	HasBase  bool
	Degraded string
	OptIns   string
	Checks   []checkRow // of the embedding model
}

// checkRow says whether likeness in meaning tells a suite's cases apart.
type checkRow struct{ Suite, Answers, Apart, Background string }

// metricRow is one metric, or the overall score.
type metricRow struct {
	Name, Weight, Base, Head, Answers string
	Degraded, Overall                 bool
	Bar                               scoreBar
}

type suiteMetrics struct {
	Name   string
	Values []string
}

const metricSuites = 200

// metricTable is nil where nothing was measured.
func (v printer) metricTable() *metricTable {
	if !v.Measured() {
		return nil
	}
	t := &metricTable{HasBase: v.Compared, OptIns: v.OptIns()}
	for _, m := range v.Report.Metrics {
		t.Rows = append(t.Rows, metricRow{Name: metricName(m.Name), Weight: strconv.FormatFloat(m.Weight, 'f', -1, 64), Base: show.PercentOr(m.BaseValue),
			Head: show.PercentOr(m.Value), Answers: show.Grouped(m.Answers), Degraded: m.Degraded > 0, Bar: newScoreBar(m.Value, v.baseScore(m.BaseValue), nil)})
	}
	if o := v.Report.OverallScore; o != nil {
		t.Rows = append(t.Rows, metricRow{Name: "overall score", Base: show.PercentOr(v.Report.BaseOverall), Head: show.Percent(*o), Overall: true,
			Bar: newScoreBar(o, v.baseScore(v.Report.BaseOverall), nil)})
	}
	if n := v.Degraded(); n > 0 {
		t.Degraded = show.Count(n, "answer") + " compared by words, not by meaning: there is no embedding of them."
	}
	t.addSuites(v)
	for _, c := range v.Report.Scoring.SelfChecks[:min(len(v.Report.Scoring.SelfChecks), metricSuites)] {
		t.Checks = append(t.Checks, checkRow{show.Named(show.Ends(show.Suite(c.SuiteID), show.NameRunes)), show.Grouped(c.Answers), show.Percent(c.AUC), show.Percent(c.Background)})
	}
	return t
}

func metricName(name string) string {
	return show.Lead(strings.ReplaceAll(name, "_", " "), show.NameRunes)
}

func (t *metricTable) addSuites(v printer) {
	names := view.MetricNames(v.Report)
	for _, name := range names {
		t.Names = append(t.Names, metricName(name))
	}
	for _, s := range v.Suites {
		if len(s.Metrics) == 0 {
			continue
		}
		if len(t.Suites) == metricSuites {
			t.Left++
			continue
		}
		row := suiteMetrics{Name: show.Named(show.Ends(show.Suite(s.SuiteID), show.NameRunes))}
		for _, name := range names {
			row.Values = append(row.Values, show.PercentOr(view.ValueOf(s.Metrics, name)))
		}
		row.Values = append(row.Values, show.PercentOr(s.OverallScore))
		t.Suites = append(t.Suites, row)
	}
	if len(t.Suites) < 2 {
		t.Suites = nil
	}
}

// noteLine is something that decided nothing.
type noteLine struct {
	Count string // "" for one
	Text  []show.Span
	Place place
}

const noteLines = 200

func (v printer) notes() (out []noteLine) {
	for _, x := range v.Report.Warnings[:min(len(v.Report.Warnings), noteLines)] {
		n := noteLine{Text: show.SentenceSpans(x.Message), Place: v.placeOf(v.Links.HeadSHA, x.Path, x.Line, 0)}
		if x.Count > 1 {
			n.Count = show.Grouped(x.Count)
		}
		out = append(out, n)
	}
	return out
}

// fact is one line of what is known of the run.
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
	add(r.Run.StartedAt != "", "Started", show.Lead(r.Run.StartedAt, show.NameRunes))
	add(r.Scoring.Phase != "", "Phase", v.phase())
	gate := gateWords(r.Gate)
	add(gate != "", "Gate", gate)
	add(r.Scoring.RulesVersion != "", "Rules", show.Lead(r.Scoring.RulesVersion, show.QuoteRunes))
	add(r.Scoring.Semantic != "", "Compared by meaning", semanticWords(r.Scoring.Semantic))
	add(r.Scoring.SemanticModel != "", "Embedding model", show.Ends(r.Scoring.SemanticModel, 2*show.NameRunes))
	add(r.Run.ID != "", "Run", show.Lead(r.Run.ID, show.NameRunes))
	add(r.Tool.Version != "", "Made by", "failproof "+show.Lead(r.Tool.Version, show.NameRunes))
	return out
}

func (v printer) scope() string {
	if n := v.Report.Run.LeftOut; n > 0 && v.Report.Verdict != report.Invalid {
		return show.Lead(v.Report.Run.Scope, show.NameRunes) + "; " + show.Count(n, "suite") + " left out: not touched by this change"
	}
	return show.Lead(v.Report.Run.Scope, show.NameRunes)
}

func (v printer) phase() string {
	return show.Lead(v.Report.Scoring.Phase, show.NameRunes) + ", run bar " + show.Bar(v.Report.Scoring.MinRunScore)
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
	return show.Lead(how, show.NameRunes)
}

// gateWords names the conditions that a run is held to, and leaves out those that are off.
func gateWords(g *config.Gate) string {
	if g == nil {
		return ""
	}
	var parts []string
	for _, x := range []struct {
		name    string
		rule    config.Rule
		unnamed string // what else the figure is where nobody named it
	}{{"min run score", g.MinRunScore, ""}, {"max regressions", g.MaxRegressions, ""}, {"max drop", g.MaxDrop, " but for cases recorded once"},
		{"max unanswered", g.MaxUnscored, " of live answers, 0 of recorded ones"}, {"max unverified", g.MaxUnverified, ""}, {"min cases", g.MinCases, ""},
		{"max exposure", g.MaxExposure, ""}, {"max high-stakes failures", g.MaxHighStakes, ""}, {"min severity-weighted pass rate", g.MinWeighted, ""}} {
		if x.rule.Set {
			x.unnamed = ""
		}
		if x.rule.Level != config.Off {
			parts = append(parts, x.name+" "+strconv.FormatFloat(x.rule.Value, 'f', -1, 64)+x.unnamed+" ("+show.Lead(string(x.rule.Level), show.NameRunes)+")")
		}
	}
	return strings.Join(parts, ", ")
}

// next says what to do now, a line each.
func (v printer) next() (out [][]show.Span) {
	for _, p := range v.Next() {
		out = append(out, p.Spans(show.NameRunes))
	}
	return out
}
