package page

import (
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// facts returns the figures of the run, followed by the settings by which the run was judged.
func facts(v *story.Story) []story.RunFact {
	r := v.Report
	more := []story.RunFact{
		{Name: "Scope", Value: show.LiteralPhrase(show.When(r.Run.Scope != "", scope(v)))},
		{Name: "Started", Value: show.LiteralPhrase(excerpt(r.Run.StartedAt))},
		{Name: "Phase", Value: show.LiteralPhrase(show.When(r.Scoring.Phase != "", excerpt(r.Scoring.Phase)+
			", run threshold "+show.Threshold(r.Scoring.MinRunScore)))},
		{Name: "Gate", Value: show.LiteralPhrase(gateWords(r.Gate))},
		{Name: "Rules", Value: show.LiteralPhrase(show.Excerpt(r.Scoring.RulesVersion, show.QuoteRunes))},
		{Name: "Compared by meaning", Value: show.LiteralPhrase(show.When(r.Scoring.Semantic != "",
			semanticWords(r.Scoring.Semantic)))},
		{Name: "Embedding model", Value: show.LiteralPhrase(show.ShortName(r.Scoring.SemanticModel, 2*show.NameRunes))},
		{Name: "Run", Value: show.LiteralPhrase(excerpt(r.Run.ID))},
	}
	if r.Judge != nil {
		more = append(more, story.RunFact{Name: "Judge", Value: story.JudgeSummary(r)})
	}
	return append(story.RunFacts(r), show.Filter(more, func(f story.RunFact) bool { return len(f.Value) > 0 })...)
}

func scope(v *story.Story) string {
	n := v.Report.Run.LeftOut
	return excerpt(v.Report.Run.Scope) + show.When(n > 0 && v.Report.Verdict != report.Invalid, "; "+
		show.Count(n, "suite")+" left out: not touched by this change")
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
	return excerpt(how)
}

// gateWords lists the thresholds of the gate that are not off, with their levels.
func gateWords(g *config.Gate) string {
	if g == nil {
		return ""
	}
	byDefault := map[config.Key]string{config.MaxDrop: " but for cases recorded once",
		config.MaxUnscored: " of live answers, 0 of recorded ones"}
	var parts []string
	for _, k := range config.Keys() {
		setting := g.Setting(k)
		if k.IsLevel() || setting.Level == config.Off {
			continue
		}
		parts = append(parts, strings.ReplaceAll(k.String(), "_", " ")+" "+text.Decimal(setting.Value)+
			show.When(!setting.Set, byDefault[k])+" ("+excerpt(string(setting.Level))+")")
	}
	return strings.Join(parts, ", ")
}
