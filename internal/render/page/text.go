package page

import (
	"cmp"
	"html/template"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// functions are what the template writes figures and foreign texts by: each cuts a text and makes it visible.
var functions = template.FuncMap{
	"next": func(i int) int { return i + 1 }, "grouped": show.Grouped, "count": show.Count, "decimals": show.Decimals, "figure": score.Figure, "plain": plain,
	"percent": show.PercentOr, "bar": show.Bar, "share": show.Percent, "name": name, "suite": suiteName, "suiteOf": show.Suite, "metric": metricName,
	"ends": ends, "lead": lead, "quote": quote, "sentence": show.SentenceSpans, "label": kindLabel, "sign": sign, "value": view.ValueOf,
	"names":        func(all []string) string { return show.Some(all, 6, ", ", ", and ", ends) },
	"brief":        func(p show.Phrase) []show.Span { return p.Spans(show.NameRunes) },
	"full":         func(p show.Phrase) []show.Span { return p.Spans(show.QuoteRunes) },
	"missed":       func(c report.Change) []show.Span { return missed(c.Head).Spans(show.QuoteRunes) },
	"riskMeasures": func() any { return view.RiskMeasures }, "agreement": agreement,
}

// name is a name that can be seen: a link without one could not be read aloud.
func name(text string) string { return cmp.Or(show.Ends(text, show.NameRunes), "unnamed") }

func suiteName(id string) string { return name(show.Suite(id)) }

func ends(text string) string { return show.Ends(text, show.NameRunes) }
func lead(text string) string { return show.Lead(text, show.NameRunes) }

// quote is a text of which there may be none.
func quote(text string) string { return cmp.Or(show.Lead(text, show.QuoteRunes), show.Absent) }

// plain is a figure of a setting, with the digits that it has.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func metricName(name string) string {
	return show.Lead(strings.ReplaceAll(name, "_", " "), show.NameRunes)
}

// agreement is how far clusters agree with a label: 0 is chance, 1 agreement.
func agreement(a *observe.Association) string {
	if a == nil {
		return show.Absent
	}
	return show.Decimals(&a.Adjusted) + " (p " + show.Decimals(&a.PValue) + ")"
}

// place is a line of a file; URL is "" where it cannot be linked.
type place struct{ Name, URL string }

func (v printer) placeOf(sha, path string, line, column int) place {
	if path == "" {
		return place{}
	}
	return place{cmp.Or(show.PlaceName(v.Links.Path(path), line, column), "unnamed"), v.Links.File(sha, path, line)}
}

// At is a place of the head.
func (v printer) At(path string, line, column int) place {
	return v.placeOf(v.Links.HeadSHA, path, line, column)
}

// revisionOf names a commit by its first seven characters, and else by its name.
func (v printer) revisionOf(sha, name string) place {
	if show.ShaForm.MatchString(sha) {
		return place{sha[:7], v.Links.Commit(sha)}
	}
	return place{show.Ends(name, show.NameRunes), ""}
}
