package render

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// view is a report sorted by what a reader looks for.
type view struct {
	r        *report.Report
	l        Links
	compared bool // with a base; otherwise every failing case is listed as such

	regressed []report.Change
	fell      []report.Change // fewer answers are right than on the base, where the score fell as a whole
	failing   []report.Change // wrong answers that are no regression
	missing   []report.Change // without an answer to judge
	disguised []report.Change // redefined, and the base's expectation would have failed
	dropped   []report.Change // removed, and passed on the base
	others    []report.Change // fixed, new, flaky, removed, redefined, with nothing to worry about
	suites    []row           // worst first
}

// row is a line of the score table.
type row struct {
	report.SuiteSummary
	regressed, fixed, mustPass int  // mustPass: of those that failed
	worse, suspected           bool // the suite as a whole got worse, or seems to have
	belowBar                   bool
}

func newView(r *report.Report, l Links) *view {
	v := &view{r: r, l: l, compared: r.Run.BaseState == "compared"}
	if r.Run.BaseState == "" {
		v.compared = r.Run.Base != nil
	}
	for _, c := range r.Changes {
		v.sort(c)
	}
	for _, list := range [][]report.Change{v.regressed, v.fell, v.failing, v.missing, v.disguised, v.dropped} {
		slices.SortStableFunc(list, bySeverity)
	}
	v.countSuites()
	return v
}

func (v *view) sort(c report.Change) {
	switch {
	case c.Quarantined:
		v.others = append(v.others, c)
	case v.compared && c.Change == report.Regressed:
		v.regressed = append(v.regressed, c)
	case c.Change == report.Removed && passes(c.Base):
		v.dropped = append(v.dropped, c)
	case c.Change == report.Redefined && disguised(c):
		v.disguised = append(v.disguised, c)
	case v.hasFallen(c):
		v.fell = append(v.fell, c)
	case v.isWrong(c):
		v.failing = append(v.failing, c)
	case c.Head != nil && c.Head.Unscored > 0 && c.Change != report.Flaky:
		v.missing = append(v.missing, c)
	case v.compared && c.Change != report.StillPassing && c.Change != report.StillFailing:
		v.others = append(v.others, c)
	}
}

// isWrong reports a wrong answer that is told as such: of a flaky case only where it must pass, and not where fresh runs
// took it back.
func (v *view) isWrong(c report.Change) bool {
	return fails(c.Head) && (c.Change != report.Flaky || c.MustPass && !v.cleared(c))
}

// fails reports that an answer came, and a wrong one.
func fails(o *report.Outcome) bool { return o != nil && o.Trials-o.Passed-o.Unscored > 0 }

func passes(o *report.Outcome) bool { return o != nil && o.Trials > 0 && o.Passed == o.Trials }

func disguised(c report.Change) bool {
	return passes(c.Head) && c.Head.UnderBase != nil && *c.Head.UnderBase != classify.Pass
}

// bySeverity puts must-pass cases first, then the most severe.
func bySeverity(a, b report.Change) int { return weight(b) - weight(a) }

func weight(c report.Change) int {
	w := slices.Index(severities, c.Severity)
	if c.MustPass {
		w += len(severities) + 1
	}
	return w
}

var severities = []string{"low", "medium", "high", "critical"}

func (v *view) countSuites() {
	at := map[string]int{}
	for i, s := range v.r.Suites {
		at[s.SuiteID] = i
		v.suites = append(v.suites, row{SuiteSummary: s, worse: v.told(codeDrop, s), suspected: v.told(codeDoubt, s),
			belowBar: misses(s.Score, s.MinScore) || misses(s.HeldScore, s.MinScore)})
	}
	for _, c := range v.r.Changes {
		i, ok := at[c.SuiteID]
		if !ok {
			continue
		}
		switch {
		case c.Quarantined:
		case v.compared && c.Change == report.Regressed:
			v.suites[i].regressed++
		case c.Change == report.Fixed:
			v.suites[i].fixed++
		}
		if c.MustPass && fails(c.Head) && !v.cleared(c) {
			v.suites[i].mustPass++
		}
	}
	slices.SortStableFunc(v.suites, func(a, b row) int { return a.rank() - b.rank() })
}

// rank orders the score table: what needs a look comes first, what has nothing to say last.
func (s row) rank() int {
	switch {
	case s.belowBar, s.mustPass > 0, s.worse:
		return 0
	case s.regressed > 0, s.suspected:
		return 1
	case s.Score == nil, s.Unscored > 0:
		return 2
	case s.fixed > 0, s.Delta != nil && *s.Delta != 0:
		return 3
	case s.Passed < s.Cases:
		return quietRank
	}
	return quietRank + 1
}

const quietRank = 4

func (s row) quiet() bool { return s.rank() >= quietRank }

// has reports whether a reason of that code and level was given.
func (v *view) has(code string, level report.Level) bool { return v.countReasons(code, level) > 0 }

// countReasons counts the reasons of a level, of one code, or of all for "".
func (v *view) countReasons(code string, level report.Level) (n int) {
	for _, r := range v.r.Reasons {
		if r.Level == level && (code == "" || r.Code == code) {
			n++
		}
	}
	return n
}

// warned counts the warnings that make a pass worth a second look; to have nothing to compare with is none.
func (v *view) warned() int {
	return v.countReasons("", report.LevelWarn) - v.countReasons("no_base", report.LevelWarn)
}

// find returns the change of a case, or false.
func (v *view) find(suiteID, caseID string) (report.Change, bool) {
	i := slices.IndexFunc(v.r.Changes, func(c report.Change) bool { return c.SuiteID == suiteID && c.CaseID == caseID })
	if i < 0 {
		return report.Change{}, false
	}
	return v.r.Changes[i], true
}

// nothing reports that no case was in scope. A change that only removes suites is not nothing.
func (v *view) nothing() bool {
	return v.r.Cases == 0 && v.r.RunScore == nil && v.r.Trials == 0 && len(v.r.Changes) == 0
}
