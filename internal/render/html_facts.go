package render

import (
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
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
func (v *view) metricTable() *metricTable {
	if !v.measured() {
		return nil
	}
	t := &metricTable{HasBase: v.compared, OptIns: v.optIns()}
	for _, m := range v.r.Metrics {
		t.Rows = append(t.Rows, metricRow{Name: metricName(m.Name), Weight: strconv.FormatFloat(m.Weight, 'f', -1, 64), Base: percentOr(m.BaseValue),
			Head: percentOr(m.Value), Answers: grouped(m.Answers), Degraded: m.Degraded > 0, Bar: newScoreBar(m.Value, v.baseScore(m.BaseValue), nil)})
	}
	if o := v.r.OverallScore; o != nil {
		t.Rows = append(t.Rows, metricRow{Name: "overall score", Base: percentOr(v.r.BaseOverall), Head: percent(*o), Overall: true,
			Bar: newScoreBar(o, v.baseScore(v.r.BaseOverall), nil)})
	}
	if n := v.degraded(); n > 0 {
		t.Degraded = count(n, "answer") + " compared by words, not by meaning: there is no embedding of them."
	}
	t.addSuites(v)
	for _, c := range v.r.Scoring.SelfChecks[:min(len(v.r.Scoring.SelfChecks), metricSuites)] {
		t.Checks = append(t.Checks, checkRow{named(ends(c.SuiteID, nameRunes)), grouped(c.Answers), percent(c.AUC), percent(c.Background)})
	}
	return t
}

func metricName(name string) string { return lead(strings.ReplaceAll(name, "_", " "), nameRunes) }

func (t *metricTable) addSuites(v *view) {
	for _, name := range score.MetricNames {
		t.Names = append(t.Names, metricName(name))
	}
	for _, s := range v.suites {
		if len(s.Metrics) == 0 {
			continue
		}
		if len(t.Suites) == metricSuites {
			t.Left++
			continue
		}
		row := suiteMetrics{Name: named(ends(s.SuiteID, nameRunes))}
		for _, name := range score.MetricNames {
			row.Values = append(row.Values, percentOr(valueOf(s.Metrics, name)))
		}
		row.Values = append(row.Values, percentOr(s.OverallScore))
		t.Suites = append(t.Suites, row)
	}
	if len(t.Suites) < 2 {
		t.Suites = nil
	}
}

// noteLine is something that decided nothing.
type noteLine struct {
	Count string // "" for one
	Text  []textSpan
	Place place
}

const noteLines = 200

func (v *view) notes() (out []noteLine) {
	for _, x := range v.r.Warnings[:min(len(v.r.Warnings), noteLines)] {
		n := noteLine{Text: sentenceSpans(x.Message), Place: v.placeOf(v.l.HeadSHA, x.Path, x.Line, 0)}
		if x.Count > 1 {
			n.Count = grouped(x.Count)
		}
		out = append(out, n)
	}
	return out
}

// fact is one line of what is known of the run.
type fact struct{ Name, Value string }

func (v *view) facts() (out []fact) {
	r := v.r
	add := func(ok bool, name, value string) {
		if ok {
			out = append(out, fact{name, value})
		}
	}
	add(r.Trials > 0, "Asked", count(r.Cases, "case")+", "+count(r.Trials, "answer"))
	add(r.Run.Scope != "", "Scope", v.scope())
	add(r.Calls.Provider > 0 || r.Plan != nil && r.Plan.Calls > 0, "Asked of providers", calls(r))
	add(r.Calls.Cached > 0, "From the cache", grouped(r.Calls.Cached))
	add(r.Calls.TokensIn+r.Calls.TokensOut > 0, "Tokens", grouped(r.Calls.TokensIn)+" in, "+grouped(r.Calls.TokensOut)+" out")
	cost, known := costWords(r.Calls)
	add(known, "Cost", cost)
	took, ok := duration(r.Run)
	add(ok, "Took", took)
	add(r.Run.StartedAt != "", "Started", lead(r.Run.StartedAt, nameRunes))
	add(r.Scoring.Phase != "", "Phase", v.phase())
	gate := gateWords(r.Gate)
	add(gate != "", "Gate", gate)
	add(r.Scoring.RulesVersion != "", "Rules", lead(r.Scoring.RulesVersion, quoteRunes))
	add(r.Scoring.Semantic != "", "Compared by meaning", semanticWords(r.Scoring.Semantic))
	add(r.Scoring.SemanticModel != "", "Embedding model", ends(r.Scoring.SemanticModel, 2*nameRunes))
	add(r.Run.ID != "", "Run", lead(r.Run.ID, nameRunes))
	add(r.Tool.Version != "", "Made by", "failproof "+lead(r.Tool.Version, nameRunes))
	return out
}

func (v *view) scope() string {
	if n := v.r.Run.LeftOut; n > 0 && v.r.Verdict != report.Invalid {
		return lead(v.r.Run.Scope, nameRunes) + "; " + count(n, "suite") + " left out: not touched by this change"
	}
	return lead(v.r.Run.Scope, nameRunes)
}

func (v *view) phase() string {
	return lead(v.r.Scoring.Phase, nameRunes) + ", run bar " + bar(v.r.Scoring.MinRunScore)
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
	return lead(how, nameRunes)
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
			parts = append(parts, x.name+" "+strconv.FormatFloat(x.rule.Value, 'f', -1, 64)+x.unnamed+" ("+lead(string(x.rule.Level), nameRunes)+")")
		}
	}
	return strings.Join(parts, ", ")
}

// howToLines say how to accept a change that is meant.
func (v *view) howToLines() []string {
	switch {
	case v.r.Verdict != report.Failed:
		return nil
	case v.compared:
		return []string{"Is this change meant? Edit the expectation of the case: it is then shown as redefined, for a reviewer to see.",
			"The gate’s settings are read from the base branch and change when they are merged."}
	}
	return []string{"A case is met by a better prompt or a truer expectation; the bars stand in the configuration."}
}
