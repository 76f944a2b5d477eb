package story

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
)

// newStory returns a story of r that has the lists of cases, and no document yet.
func newStory(r *report.Report, l show.Links) *Story {
	v := &Story{Report: r, Links: l, Compared: r.HasBase(), changeIndex: map[suiteid.Name]int{},
		candidates: r.Candidates()}
	lists := map[report.Kind]*[]report.Change{report.KindRegressed: &v.Regressed, report.KindFell: &v.Fell,
		report.KindFailing: &v.Failing, report.KindMissing: &v.Missing, report.KindWorse: &v.Worse,
		report.KindReview: &v.Review, report.KindMayHide: &v.Redefined}
	for i, c := range slices.Backward(r.Changes) { // an edited report may have a case twice: the first counts
		v.changeIndex[c.Name()] = i
	}
	for _, c := range r.Changes {
		list := lists[c.Kind]
		switch {
		case c.Kind == report.KindPassing && !(v.Compared && c.Change == report.Errored):
			continue
		case c.Kind == report.KindMayHide && c.Head == nil:
			list = &v.Removed
		case list == nil:
			list = &v.Others
		}
		*list = append(*list, c)
	}
	for _, list := range [][]report.Change{v.Regressed, v.Fell, v.Failing, v.Missing, v.Review, v.Redefined, v.Removed} {
		slices.SortStableFunc(list, BySeverity)
	}
	slices.SortStableFunc(v.Fell, func(a, b report.Change) int { return cmp.Compare(lostShare(b), lostShare(a)) })
	slices.SortStableFunc(v.Worse, func(a, b report.Change) int { return cmp.Compare(lostScore(b), lostScore(a)) })
	v.Suites = suiteRows(v)
	return v
}

// lostShare returns by how much the share of right answers to the case c fell, from 0 to 1.
func lostShare(c report.Change) float64 { return c.Base.Share() - c.Head.Share() }

// lostScore returns by how much the overall score of the case c fell, from 0 to 1.
func lostScore(c report.Change) float64 { return *c.Base.Overall() - *c.Head.Overall() }

// BySeverity compares cases for sorting: must-pass cases come first, then the most severe ones.
func BySeverity(a, b report.Change) int {
	return risk.SortRank(b.Severity, b.MustPass) - risk.SortRank(a.Severity, a.MustPass)
}

// Find returns the change of the case with the given ids. If an edited report lacks it, the change has only the ids.
func (v *Story) Find(suiteID, caseID string) (c report.Change, known bool) {
	i, known := v.changeIndex[suiteid.Name{Suite: suiteID, Case: caseID}]
	if !known {
		return report.Change{SuiteID: suiteID, CaseID: caseID}, false
	}
	return v.Report.Changes[i], true
}

// ShaOf returns the commit that contains the case c: the base's for a removed case, and otherwise the head's.
func (v *Story) ShaOf(c report.Change) string {
	if c.Head == nil {
		return v.Links.BaseSHA
	}
	return v.Links.HeadSHA
}

// FileOf returns the address of the line at which the case c is defined, or "".
func (v *Story) FileOf(c report.Change) string { return v.Links.File(v.ShaOf(c), c.Path, c.Line) }

// NothingInScope reports whether no case was in scope and no suite was removed.
func (v *Story) NothingInScope() bool {
	return v.Report.Cases == 0 && v.Report.RunScore == nil && v.Report.Trials == 0 && len(v.Report.Changes) == 0
}

// Has reports whether the rule with the given code gave a reason at the given level.
func (v *Story) Has(code string, level report.Level) bool { return v.CountReasons(code, level) > 0 }

// CountReasons counts the reasons of the rule with the given code at the given level. The code "" stands for all rules.
func (v *Story) CountReasons(code string, level report.Level) int {
	return show.CountFunc(v.Report.Reasons, func(r report.Reason) bool {
		return r.Level == level && (code == "" || r.Code == code)
	})
}

// WrongOnBoth reports whether the answer to the case c is wrong on both sides, and counts as wrong on the base.
func (v *Story) WrongOnBoth(c report.Change) bool {
	_, flipped := v.candidates[c.Name()]
	return v.Compared && !flipped && c.Change != report.Regressed && c.Base.Wrong() && c.Head.Wrong()
}

// HidesScore reports whether to hide a score in which the given number of answers is missing. If too many are missing
// for a verdict, such a score would blame the prompt for an outage.
func (v *Story) HidesScore(unscored int) bool {
	return unscored > 0 && (v.Report.Verdict == report.Undecided || v.suspends(gate.Unscored))
}

// BelowThreshold reports whether the run misses its threshold, with all cases or without the new ones.
func (v *Story) BelowThreshold() bool {
	need := v.Report.Scoring.MinRunScore
	return !v.suspends(gate.Unscored) && (below(v.Report.RunScore, need) || below(v.Report.RunScoreWithoutNew, need))
}

// suspends reports whether the rule left the verdict open, which another rule may have decided.
func (v *Story) suspends(rule gate.Rule) bool {
	return slices.ContainsFunc(v.Report.Reasons, func(r report.Reason) bool { return r.Code == rule.Code && r.Suspends })
}

// below reports whether the score got misses the threshold need. It returns false if one of them is missing.
func below(got, need *float64) bool { return got != nil && need != nil && !score.Meets(*got, *need) }

// safeID matches a suite id and a case id, joined by a slash, that can be used unchanged in an address.
var safeID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/@-]*$`)

const maxAnchorBytes = 251

// CaseAnchor returns the anchor of a case on the page. It is the same in every report, so that links stay valid. Ids
// that are too long or have other characters are replaced by a digest; only an edited report has such ids.
func CaseAnchor(suiteID, caseID string) string {
	id := suiteID + "/" + caseID
	if len(id) > maxAnchorBytes || !safeID.MatchString(id) {
		id = fmt.Sprintf("%x", sha256.Sum256([]byte(id)))[:16]
	}
	return "case/" + id
}

// SuiteRow is a row of the table of scores: a suite.
type SuiteRow struct {
	report.SuiteSummary
	Kinds         map[report.Kind]int // number of cases of each kind
	PerhapsFixed  int                 // number of fixed cases whose fix may be chance; see the function PerhapsFixed
	PerhapsBroken int                 // number of flaky cases that may be broken; see perhapsBroken
	Removed       int                 // number of cases of report.KindMayHide that were removed
	MustPass      int                 // number of must-pass cases whose answers are wrong
	Edited        int                 // number of redefined cases whose result moved; see movedByEdit
	Worse         bool                // the suite got worse as a whole
	PossibleDrop  bool                // the score may have dropped; see gate.PossibleDrop
	Below         bool                // the score is below the suite's threshold
}

func suiteRows(v *Story) (rows []SuiteRow) {
	at := map[string]int{}
	for i, s := range v.Report.Suites {
		at[s.SuiteID] = i
		rows = append(rows, SuiteRow{SuiteSummary: s, Kinds: map[report.Kind]int{}, Worse: concerns(v, gate.Drop.Code, s),
			PossibleDrop: concerns(v, gate.PossibleDrop.Code, s),
			Below:        below(s.Score, s.MinScore) || below(s.ScoreWithoutNew, s.MinScore)})
	}
	for _, c := range v.Report.Changes {
		i, ok := at[c.SuiteID]
		if !ok {
			continue
		}
		s := &rows[i]
		s.Kinds[c.Kind]++
		if movedByEdit(c) {
			s.Edited++
		}
		switch {
		case c.Kind == report.KindFixed && PerhapsFixed(c):
			s.PerhapsFixed++
		case perhapsBroken(v, c):
			s.PerhapsBroken++
		case c.Kind == report.KindMayHide && c.Head == nil:
			s.Removed++
		case c.MustPass && (c.Kind == report.KindRegressed || c.Kind == report.KindFailing):
			s.MustPass++
		}
	}
	slices.SortStableFunc(rows, func(a, b SuiteRow) int { return a.rank() - b.rank() })
	return rows
}

// concerns reports whether the rule with the given code gave a reason that concerns the suite s. A reason about the
// whole run concerns each suite whose score fell.
func concerns(v *Story, code string, s report.SuiteSummary) bool {
	return v.Compared && slices.ContainsFunc(v.Report.Reasons, func(r report.Reason) bool {
		return r.Code == code && (r.SuiteID == s.SuiteID || r.SuiteID == "" && s.Delta != nil && *s.Delta < 0)
	})
}

// quietRank is the lowest rank of a suite that has nothing to report.
const quietRank = 4

// rank returns the place of the row in the table of scores. Rows that need a check have the lowest ranks.
func (s SuiteRow) rank() int {
	switch {
	case s.Below, s.MustPass > 0, s.Worse:
		return 0
	case s.Kinds[report.KindRegressed] > 0, s.PossibleDrop:
		return 1
	case s.Score == nil, s.Unscored > 0:
		return 2
	case s.Kinds[report.KindFixed]+s.Kinds[report.KindMayHide] > 0, s.Delta != nil && *s.Delta != 0:
		return 3
	case s.Passed < s.Cases:
		return quietRank
	}
	return quietRank + 1
}

// omitsPassing reports whether the report lacks the cases that still pass, as a stored report without its results does.
func omitsPassing(v *Story) bool {
	passes := func(c report.Change) bool { return c.Change == report.StillPassing }
	return v.Report.Counts[report.StillPassing] > show.CountFunc(v.Report.Changes, passes)
}
