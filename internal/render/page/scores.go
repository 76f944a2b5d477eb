package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
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
		run.Note, run.Class = "needs "+show.Threshold(need), barClass(v)
	}
	withheld := v.HidesScore(r.Unscored)
	if withheld {
		run.Value, run.Note = show.Absent, "scores are missing"
	}
	add(true, run)
	add(v.Compared && r.Delta != nil && !withheld, figure{"Change", show.ArrowPoints(r.Delta), movedNote(v),
		signClass(r.Delta)})
	critical := show.CountFunc(v.Regressed, func(c report.Change) bool { return c.Severity == risk.Critical })
	add(v.Compared, figure{"Regressions", show.WithCommas(len(v.Regressed)),
		show.When(critical > 0, show.WithCommas(critical)+" critical"), show.When(len(v.Regressed) > 0, "bad")})
	add(v.Compared, figure{"Fixed", show.WithCommas(r.Counts[report.Fixed]), "", show.When(r.Counts[report.Fixed] > 0,
		"good")})
	open := r.Unverified - r.KeptByHand
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
	add(r.OverallScore != nil, figure{"Overall score", show.PercentOr(r.OverallScore),
		show.If(v.Compared && r.BaseOverall != nil, show.PercentOr(r.BaseOverall)+" before", "of the metrics"), ""})
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

// barClass returns the class that colours the run score. An undecided run looks neither good nor bad, because that
// would blame the prompts for an outage.
func barClass(v *story.Story) string {
	need, got := v.Report.Scoring.MinRunScore, v.Report.RunScore
	switch {
	case need == nil:
		return ""
	case v.Report.Verdict == report.Undecided:
		return "wait"
	case got != nil && !v.BelowThreshold():
		return "good"
	}
	return "bad"
}

func signClass(d *float64) string {
	switch text := show.ArrowPoints(d); {
	case strings.HasPrefix(text, "▲"):
		return "good"
	case strings.HasPrefix(text, "▼"):
		return "bad"
	}
	return ""
}

// scoreBar draws a score on a line, with the base's and the threshold if there are any.
type scoreBar struct {
	ScoreX, BaseX, NeedX       int // in units of the drawing
	HasScore, HasBase, HasNeed bool
	Class                      string // good, bad or ""
	Label                      string // the drawing in words
}

// The line of a scoreBar: where it begins, and its length, in units of its drawing.
const lineStart, lineLength = 8, 304

// position returns the position of the share v on a line of the given length, or false if v is nil or no share.
func position(v *float64, length int) (int, bool) {
	if v == nil || !(*v >= 0 && *v <= 1) {
		return 0, false
	}
	return int(*v*float64(length) + 0.5), true
}

func newScoreBar(now, base, need *float64) (b scoreBar) {
	b.ScoreX, b.HasScore = position(now, lineLength)
	b.BaseX, b.HasBase = position(base, lineLength)
	b.NeedX, b.HasNeed = position(need, lineLength)
	b.ScoreX, b.BaseX, b.NeedX = b.ScoreX+lineStart, b.BaseX+lineStart, b.NeedX+lineStart
	switch {
	case b.HasScore && b.HasNeed && !score.Meets(*now, *need):
		b.Class = "bad"
	case b.HasScore && b.HasNeed:
		b.Class = "good"
	}
	return b
}

func newRunBar(v *story.Story) *scoreBar {
	r := v.Report
	if r.RunScore == nil || v.HidesScore(r.Unscored) {
		return nil
	}
	base := r.BaseRunScore
	if !v.Compared {
		base = nil
	}
	b := newScoreBar(r.RunScore, base, r.Scoring.MinRunScore)
	b.Class = barClass(v)
	b.Label = "Run score " + show.PercentAgainst(r.RunScore, r.Scoring.MinRunScore) +
		show.When(b.HasBase, ", before "+show.PercentOr(base)) +
		show.When(b.HasNeed, ", needs "+show.Threshold(r.Scoring.MinRunScore))
	return &b
}

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

// distribution is a histogram of the cases' scores on both sides, in ten equal parts. Lengths are units of its drawing.
type distribution struct {
	What     string // what is counted
	Bars     []distributionBar
	Need     int // position of the threshold
	NeedText string
	HasNeed  bool
	HasBase  bool
	Label    string
}

type distributionBar struct {
	Range, Head, Base  string
	X, Middle          int
	HeadX, HeadY       int
	HeadHigh, BaseHigh int
	BaseY, TextY       int
	Below              bool // the whole part is below the threshold
}

// Units of the drawing: ten parts of 32, and 120 for the highest bar.
const (
	scoreParts = 10
	partWide   = 32
	barsHigh   = 120
)

// newDistribution returns the histogram of the cases' scores. It returns nil if no case has a score, or if no case has
// several trials and all scores are in the lowest or the highest part.
func newDistribution(v *story.Story) *distribution {
	measured := v.Report.OverallScore != nil
	var head, base [scoreParts]int
	largest, several := 0, false
	count := func(parts *[scoreParts]int, o *report.Outcome) {
		if s, ok := caseScore(o, measured); ok {
			at := min(scoreParts-1, int(s*scoreParts+1e-9))
			parts[at]++
			largest = max(largest, parts[at])
		}
	}
	for _, c := range v.Report.Changes {
		count(&head, c.Head)
		several = several || c.Head != nil && c.Head.Trials > 1
		if v.Compared {
			count(&base, c.Base)
		}
	}
	hasMiddle := func(parts [scoreParts]int) bool {
		return slices.ContainsFunc(parts[1:scoreParts-1], func(n int) bool { return n > 0 })
	}
	if largest == 0 || !several && !hasMiddle(head) && !hasMiddle(base) { // figures shows right and wrong cases
		return nil
	}
	need := caseThreshold(v, measured)
	d := &distribution{What: scoreOfCases(measured, several), NeedText: show.Threshold(need), HasBase: v.Compared}
	d.Need, d.HasNeed = position(need, scoreParts*partWide)
	var counted []string
	for i, n := range head {
		bar := d.newBar(i, n, base[i], largest)
		d.Bars = append(d.Bars, bar)
		if n > 0 {
			counted = append(counted, show.Count(n, "case")+" at "+bar.Range)
		}
	}
	d.Label = d.What + ": " + strings.Join(counted, ", ") + show.When(d.HasNeed, "; the bar stands at "+d.NeedText)
	return d
}

func (d *distribution) newBar(i, head, base, largest int) distributionBar {
	x, now, was := i*partWide, barHigh(head, largest), barHigh(base, largest)
	return distributionBar{
		Range: fmt.Sprintf("%d–%d%%", i*scoreParts, (i+1)*scoreParts), Head: show.WithCommas(head), Base: show.WithCommas(base),
		X: x, Middle: x + partWide/2, HeadX: x + 3, HeadY: barsHigh - now, HeadHigh: now, BaseHigh: was,
		BaseY: barsHigh - was, TextY: barsHigh - max(now, was) - 4, Below: d.HasNeed && x+partWide <= d.Need,
	}
}

// caseScore returns a case's overall score if scores are measured, and otherwise the share of its trials that passed.
// It returns false if there is no score from 0 to 1.
func caseScore(o *report.Outcome, measured bool) (float64, bool) {
	switch {
	case o == nil || o.Trials < 1:
		return 0, false
	case measured && o.OverallScore != nil:
		return *o.OverallScore, *o.OverallScore >= 0 && *o.OverallScore <= 1
	}
	s := float64(o.Passed) / float64(o.Trials)
	return s, s >= 0 && s <= 1
}

func scoreOfCases(measured, several bool) string {
	switch {
	case measured:
		return "Cases by overall score"
	case several:
		return "Cases by the share of their answers that are right"
	}
	return "Cases by score: 0% failed, 100% passed"
}

// caseThreshold returns the threshold of a case if scores are measured, and otherwise the threshold of the run.
func caseThreshold(v *story.Story, measured bool) *float64 {
	if measured && v.Report.Scoring.Phase != "" {
		return new(config.Phase(v.Report.Scoring.Phase).Threshold())
	}
	return v.Report.Scoring.MinRunScore
}

// barHigh returns the height of the bar for n of the largest number of cases. It is at least 2 unless n is 0.
func barHigh(n, largest int) int {
	if n == 0 {
		return 0
	}
	return max(2, n*barsHigh/largest)
}
