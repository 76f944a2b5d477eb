// Package view sorts a report by what a reader looks for, and says in words what every output says of it: the verdict, how each suite
// stands, how noise was told from a regression. Its printers are comment, page, machine and terminal; none of them imports another.
package view

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// View is a report sorted by what a reader looks for.
type View struct {
	Report   *report.Report
	Links    show.Links
	Compared bool // with a base; otherwise every failing case is listed as such

	Regressed []report.Change
	Fell      []report.Change // fewer answers are right than on the base, where the score fell as a whole
	Failing   []report.Change // wrong answers that are no regression
	Missing   []report.Change // without an answer to judge
	Worse     []report.Change // pass on both sides, with a lower overall score
	Review    []report.Change // pass, and a person has to look: nothing judged what they say
	Disguised []report.Change // redefined, and fails the base's expectation or asks something else
	Dropped   []report.Change // removed, and passed on the base
	Others    []report.Change // fixed, new, flaky, removed, redefined, with nothing to worry about
	Suites    []Row           // worst first
}

// Row is a line of the score table.
type Row struct {
	report.SuiteSummary
	Regressed, fixed, MustPass int  // mustPass: of those that failed
	perhaps                    int  // that were asked once, of a model whose answers differ
	Inside                     int  // cases that pass, and got worse
	Worse, Suspected           bool // the suite as a whole got worse, or seems to have
	BelowBar                   bool
}

// New sorts a report whose changes have their kinds. l says where its files lie.
func New(r *report.Report, l show.Links) *View {
	v := &View{Report: r, Links: l, Compared: r.Compared()}
	lists := map[report.Kind]*[]report.Change{report.KindRegressed: &v.Regressed, report.KindFell: &v.Fell, report.KindFailing: &v.Failing,
		report.KindMissing: &v.Missing, report.KindWorse: &v.Worse, report.KindReview: &v.Review, report.KindHidden: &v.Disguised}
	for _, c := range r.Changes {
		list := lists[c.Kind]
		switch {
		case c.Kind == report.KindPassing && !(v.Compared && c.Change == report.Errored):
			continue
		case c.Kind == report.KindHidden && c.Head == nil:
			list = &v.Dropped
		case list == nil:
			list = &v.Others
		}
		*list = append(*list, c)
	}
	for _, list := range [][]report.Change{v.Regressed, v.Fell, v.Failing, v.Missing, v.Review, v.Disguised, v.Dropped} {
		slices.SortStableFunc(list, BySeverity)
	}
	slices.SortStableFunc(v.Fell, func(a, b report.Change) int { return cmp.Compare(lostShare(b), lostShare(a)) })
	slices.SortStableFunc(v.Worse, func(a, b report.Change) int { return cmp.Compare(lostScore(b), lostScore(a)) })
	v.countSuites()
	return v
}

// lostShare is by how much a case fell, in [0, 1].
func lostShare(c report.Change) float64 { return c.Base.Share() - c.Head.Share() }

// lostScore is by how much the overall score of a case that got worse fell, in [0, 1].
func lostScore(c report.Change) float64 { return *c.Base.Overall() - *c.Head.Overall() }

// ReviewParts are the answers that a person has to look at: those that were kept by hand although what is asked changed, those that are cut where
// they were whole, and those that nothing judged.
func (v *View) ReviewParts() (kept, cut, loose []report.Change) {
	for _, c := range v.Review {
		switch {
		case c.KeptByHand:
			kept = append(kept, c)
		case c.Cut:
			cut = append(cut, c)
		default:
			loose = append(loose, c)
		}
	}
	return kept, cut, loose
}

// PlainOutcomes is "pass (right 5 of 5) → fail (right 0 of 5)", or the head's outcome alone where nothing was compared.
func (v *View) PlainOutcomes(c report.Change) string {
	return show.When(v.Compared, show.PlainOutcome(c.Base)+" → ") + show.PlainOutcome(c.Head)
}

// FailingNoun names the wrong answers that are no regression.
func (v *View) FailingNoun() string {
	return show.If(v.Compared && len(v.Regressed) > 0, "other wrong answer", "wrong answer")
}

// Numbers are the figures beside the run score.
func (v *View) Numbers() string {
	var parts []string
	add := func(name string, v *float64) {
		if v != nil {
			parts = append(parts, name+" "+show.Percent(*v))
		}
	}
	add("Run score", v.Report.RunScore)
	if v.Compared {
		add("before", v.Report.BaseRunScore)
	}
	add("mean over all cases", v.Report.MicroScore)
	if v.Report.Unscored > 0 {
		add("over the answers that came", v.Report.AnsweredScore)
	}
	if a := v.Report.ExpectedFail; a != nil {
		parts = append(parts, fmt.Sprintf("an expected fail came true for %d of %d answers", a.Agreed, a.Expected))
	}
	return strings.Join(parts, " · ")
}

// Measured reports whether any answer was measured, or scored by more than its accuracy.
func (v *View) Measured() bool {
	return len(v.Report.Metrics) > 0 || v.Report.OptIns != (report.OptIns{})
}

// Degraded counts the answers that were compared by words, for want of an embedding.
func (v *View) Degraded() (n int) {
	for _, m := range v.Report.Metrics {
		n += m.Degraded
	}
	return n
}

// ValueOf is a metric of a suite by its name; nil where it was not measured.
func ValueOf(metrics []report.MetricSummary, name string) *float64 {
	if i := slices.IndexFunc(metrics, func(m report.MetricSummary) bool { return m.Name == name }); i >= 0 {
		return metrics[i].Value
	}
	return nil
}

// MetricNames are the metrics that a table of suites has a column for. That of criteria is there where answers were graded by some.
func MetricNames(r *report.Report) []string {
	graded := ValueOf(r.Metrics, score.Rubric) != nil
	return show.Those(score.MetricNames[:], func(name string) bool { return name != score.Rubric || graded })
}

// OptIns are document 000's further scores, where the configuration asks for them.
func (v *View) OptIns() string {
	var parts []string
	add := func(name string, now, base *float64) {
		if now == nil {
			return
		}
		text := name + " " + show.Percent(*now)
		if v.Compared && base != nil {
			text += " (before " + show.Percent(*base) + ")"
		}
		parts = append(parts, text)
	}
	o := v.Report.OptIns
	add("Penalty score", o.Penalty, o.BasePenalty)
	add("latency score", o.Latency, o.BaseLatency)
	return strings.Join(parts, " · ")
}

// AlsoOnBase reports a wrong answer where the base had one too.
func (v *View) AlsoOnBase(c report.Change) bool {
	return v.Compared && c.Change != report.Regressed && c.Base.Wrong() && c.Head.Wrong()
}

// AsBefore reports that all of the wrong answers were wrong on the base as well.
func (v *View) AsBefore(cases []report.Change) bool {
	return show.Tally(cases, v.AlsoOnBase) == len(cases)
}

// ShaOf is the commit that holds a case: the base's for a removed one.
func (v *View) ShaOf(c report.Change) string {
	if c.Head == nil {
		return v.Links.BaseSHA
	}
	return v.Links.HeadSHA
}

// BySeverity puts must-pass cases first, then the most severe.
func BySeverity(a, b report.Change) int {
	return risk.Weight(b.Severity, b.MustPass) - risk.Weight(a.Severity, a.MustPass)
}

func (v *View) countSuites() {
	at := map[string]int{}
	for i, s := range v.Report.Suites {
		at[s.SuiteID] = i
		v.Suites = append(v.Suites, Row{SuiteSummary: s, Worse: v.told(gate.Drop.Code, s), Suspected: v.told(gate.Inconclusive.Code, s),
			BelowBar: misses(s.Score, s.MinScore) || misses(s.HeldScore, s.MinScore)})
	}
	for _, c := range v.Report.Changes {
		if c.Kind == report.KindPassing {
			continue
		}
		i, ok := at[c.SuiteID]
		if !ok {
			continue
		}
		switch c.Kind {
		case report.KindRegressed:
			v.Suites[i].Regressed++
		case report.KindFixed:
			if v.PerhapsFixed(c) {
				v.Suites[i].perhaps++
			} else {
				v.Suites[i].fixed++
			}
		case report.KindWorse:
			v.Suites[i].Inside++
		}
		if c.MustPass && (c.Kind == report.KindRegressed || c.Kind == report.KindFailing) {
			v.Suites[i].MustPass++
		}
	}
	slices.SortStableFunc(v.Suites, func(a, b Row) int { return a.rank() - b.rank() })
}

// Run is the whole run as a row of the score table.
func (v *View) Run() report.SuiteSummary {
	r := v.Report
	return report.SuiteSummary{Score: r.RunScore, BaseScore: r.BaseRunScore, Delta: r.Delta, OverallScore: r.OverallScore, MinScore: r.Scoring.MinRunScore,
		Cases: r.Cases, Passed: r.PassedCases, Unscored: r.Unscored, Unverified: r.Unverified, KeptByHand: r.KeptByHand}
}

// rank orders the score table: what needs a look comes first, what has nothing to say last.
func (s Row) rank() int {
	switch {
	case s.BelowBar, s.MustPass > 0, s.Worse:
		return 0
	case s.Regressed > 0, s.Suspected:
		return 1
	case s.Score == nil, s.Unscored > 0:
		return 2
	case s.fixed+s.perhaps > 0, s.Delta != nil && *s.Delta != 0:
		return 3
	case s.Passed < s.Cases:
		return quietRank
	}
	return quietRank + 1
}

const quietRank = 4

// IsMeasured reports a suite whose answers are measured by more than right and wrong.
func (s Row) IsMeasured() bool { return len(s.Metrics) > 0 }

// Quiet reports a suite with nothing to say.
func (s Row) Quiet() bool { return s.rank() >= quietRank }

// Has reports whether a reason of that code and level was given.
func (v *View) Has(code string, level report.Level) bool { return v.countReasons(code, level) > 0 }

// ruleTexts returns a text of each rule that gave a reason of a level, in the order of the rules; "" is none, equal texts are one.
func (v *View) ruleTexts(level report.Level, text func(gate.Rule) string) (out []string) {
	for _, rule := range gate.Rules {
		if said := text(rule); said != "" && v.Has(rule.Code, level) && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}

// countReasons counts the reasons of a level, of one code, or of all for "".
func (v *View) countReasons(code string, level report.Level) int {
	return show.Tally(v.Report.Reasons, func(r report.Reason) bool { return r.Level == level && (code == "" || r.Code == code) })
}

// Warned counts the warnings that make a pass worth a second look; to have nothing to compare with is none.
func (v *View) Warned() int {
	return v.countReasons("", report.LevelWarn) - v.countReasons(gate.NoBase.Code, report.LevelWarn)
}

// Find returns the change of a case, or false.
func (v *View) Find(suiteID, caseID string) (report.Change, bool) {
	for _, c := range v.Report.Changes {
		if c.SuiteID == suiteID && c.CaseID == caseID {
			return c, true
		}
	}
	return report.Change{}, false
}

// Nothing reports that no case was in scope. A change that only removes suites is not nothing.
func (v *View) Nothing() bool {
	return v.Report.Cases == 0 && v.Report.RunScore == nil && v.Report.Trials == 0 && len(v.Report.Changes) == 0
}

// plainIDs are a suite and a case that can stand in an address as they are, where they are no longer than maxIDs.
var plainIDs = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/@-]*$`)

const maxIDs = 251 // bytes

// CaseAnchor is where the page shows a case: the same in every report, so that a link stays true. Whatever is no id, in a report that
// somebody wrote by hand, goes by its digest.
func CaseAnchor(suiteID, caseID string) string {
	id := suiteID + "/" + caseID
	if len(id) > maxIDs || !plainIDs.MatchString(id) {
		id = fmt.Sprintf("%x", sha256.Sum256([]byte(id)))[:16]
	}
	return "case/" + id
}

// Expectation says what the answer misses, all of it, under a word for what that is; nothing where there is no answer.
func Expectation(c report.Change) (label string, p show.Phrase) {
	o := c.Head
	if o == nil || c.Kind == report.KindWorse || c.Kind == report.KindReview || c.Kind == report.KindHidden {
		return "", nil
	}
	label, p = show.LabelOf(o.Primary), show.Missed(o)
	if at := slices.IndexFunc(c.Expected, func(d expect.Demand) bool { return d.Criterion == "expected_format" }); at >= 0 && o.Primary == classify.WrongFormat {
		p = append(show.Phrase{show.Quote(c.Expected[at].Expected), show.Say(" is expected: ")}, p...)
	}
	if d := o.Details; len(p) > 0 && o.Primary != classify.Fail && d != nil && slices.Contains(d.AlsoMatched, classify.Fail) {
		p = append(p, show.Say("; and a criterion is not met either"))
	}
	if c.Change == report.Regressed && o.UnderBase != nil {
		p = append(p, show.Say("; the expectation was edited, and the answer meets neither the new one nor the old"))
	}
	return label, p
}
