package page

import (
	"math"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/text"
)

type figure struct{ Label, Value, Note, Class string }

func figures(v *story.Story) (out []figure) {
	r := v.Report
	add := func(ok bool, f figure) {
		if ok {
			out = append(out, f)
		}
	}
	run := figure{Label: "Run score", Value: show.PercentAgainst(r.RunScore, r.Scoring.MinRunScore), Note: "no bar"}
	if need := r.Scoring.MinRunScore; need != nil {
		run.Note, run.Class = "needs "+show.Threshold(need), string(v.Scores.Table.Last.Mark)
	}
	withheld := v.HidesScore(r.Unscored)
	if withheld {
		run.Value, run.Note = show.Absent, "scores are missing"
	}
	add(true, run)
	if v.Compared && r.Delta != nil && !withheld {
		add(true, figure{"Change", show.Points(*r.Delta), movedNote(v), signClass(*r.Delta)})
	}
	critical := show.CountFunc(v.Regressed, func(c report.Change) bool { return c.Severity == risk.Critical })
	add(v.Compared, figure{"Regressions", show.WithCommas(len(v.Regressed)),
		show.When(critical > 0, show.WithCommas(critical)+" critical"), show.When(len(v.Regressed) > 0, "bad")})
	add(v.Compared, figure{"Fixed", show.WithCommas(r.Counts[report.Fixed]), "", show.When(r.Counts[report.Fixed] > 0,
		"good")})
	open := story.NotJudged(v)
	add(true, figure{"Cases right", show.WithCommas(r.PassedCases - open), "of " + show.WithCommas(r.Cases) +
		show.When(open > 0, ", "+show.WithCommas(open)+" not judged"), ""})
	add(r.Unscored > 0, figure{"No score", show.WithCommas(r.Unscored), "of " + show.Count(max(r.Trials, r.Unscored),
		"answer"), "wait"})
	if e := r.Effort; e != nil && v.Compared && e.Head.LatencyMS != nil {
		add(true, figure{"Time of an answer", story.Milliseconds(*e.Head.LatencyMS),
			story.Milliseconds(*e.Base.LatencyMS) + " before", ""})
	}
	if e := r.Effort; e != nil && v.Compared && e.Head.CostUSD != nil {
		add(true, figure{"Cost of an answer", "$" + story.Dollars(*e.Head.CostUSD),
			"$" + story.Dollars(*e.Base.CostUSD) + " before", ""})
	}
	add(r.OverallScore != nil, figure{"Mean of the metrics", show.PercentOr(r.OverallScore),
		show.When(v.Compared && r.BaseOverall != nil, show.PercentOr(r.BaseOverall)+" before"), ""})
	return out
}

// movedNote returns the note below the change of the score. If the score before plus the change is the score now, the
// note gives the score before. Otherwise it gives the number of compared cases.
func movedNote(v *story.Story) string {
	r := v.Report
	if r.Delta != nil && r.BaseRunScore != nil && r.RunScore != nil && math.Abs(*r.BaseRunScore+*r.Delta-*r.RunScore) < 1e-9 {
		return "from " + show.Percent(*r.BaseRunScore)
	}
	return "over " + show.Count(r.DeltaCases, "case") + " of both sides"
}

// signClass returns the class of a change of the score, by its sign as it is shown.
func signClass(d float64) string {
	shown := math.Round(d * 1_000)
	return show.If(shown > 0, "good", show.When(shown < 0, "bad"))
}

// scoreBar draws a score on a line, with the base's and the threshold if there are any.
type scoreBar struct {
	ScoreX, BaseX, NeedX       int // in units of the drawing
	HasScore, HasBase, HasNeed bool
	Class                      string // the mark of the row
}

// The line of a scoreBar: where it begins, and its length, in units of its drawing.
const lineStart, lineLength = 8, 304

// position returns the position of the share v on the line, or false if v is nil or no share.
func position(v *float64) (int, bool) {
	if v == nil || !(*v >= 0 && *v <= 1) {
		return 0, false
	}
	return lineStart + int(*v*lineLength+0.5), true
}

func newScoreBar(s *story.Scale, mark story.Mark) *scoreBar {
	if s == nil {
		return nil
	}
	b := &scoreBar{Class: string(mark)}
	b.ScoreX, b.HasScore = position(s.Now)
	b.BaseX, b.HasBase = position(s.Base)
	b.NeedX, b.HasNeed = position(s.Need)
	return b
}

// facts returns the figures of the run, followed by the settings by which the run was judged.
func facts(v *story.Story) []story.RunFact {
	r := v.Report
	judge := story.RunFact{Name: "Judge"}
	if r.Judge != nil {
		judge.Value = story.JudgeSummary(r)
	}
	return append(story.RunFacts(r), story.KnownFacts(
		story.Fact("Scope", show.When(r.Run.Scope != "", scope(v))),
		story.Fact("Started", excerpt(r.Run.StartedAt)),
		story.Fact("Phase", show.When(r.Scoring.Phase != "", excerpt(r.Scoring.Phase)+", run threshold "+show.Threshold(r.Scoring.MinRunScore))),
		story.Fact("Gate", gateWords(r.Gate)),
		story.Fact("Rules", show.Excerpt(r.Scoring.RulesVersion, show.QuoteRunes)),
		story.Fact("Similarity", excerpt(r.Scoring.Semantic)),
		story.Fact("Embedding model", show.ShortName(r.Scoring.SemanticModel, 2*show.NameRunes)),
		story.Fact("Run", excerpt(r.Run.ID)),
		judge)...)
}

func scope(v *story.Story) string {
	n := v.Report.Run.LeftOut
	return excerpt(v.Report.Run.Scope) + show.When(n > 0 && v.Report.Verdict != report.Invalid, "; "+
		show.Count(n, "suite")+" left out: not touched by this change")
}

// gateWords lists the thresholds of the gate that are not off, with their levels.
func gateWords(g *config.Gate) string {
	if g == nil {
		return ""
	}
	byDefault := map[config.Key]string{config.MaxDrop: " but for cases recorded once",
		config.MaxUnscored: " of noisy cases, 0 of strict ones"}
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
