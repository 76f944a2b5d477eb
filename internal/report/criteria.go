package report

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
)

// Criterion is the judge's verdict on one criterion of an answer.
type Criterion struct {
	Criterion    string          `json:"criterion"`
	Fact         string          `json:"fact,omitempty"`    // the key fact that the criterion was made from
	Met          *bool           `json:"met"`               // null if the judge decided neither way
	VotesAgainst int             `json:"against,omitempty"` // votes against the verdict
	Why          model.Untrusted `json:"why,omitempty"`
	Severity     string          `json:"severity"`
	Optional     bool            `json:"optional,omitempty"`
	// hash of the question and the judge: equal keys have equal verdicts
	Verdict string `json:"verdict"`
	// only a run can show it, not the text of an answer; it is not counted
	NeedsRun bool `json:"needs_run,omitempty"`
	// why there is no verdict: no_verdict, stale_verdict, auth, …
	MissingReason string `json:"lost,omitempty"`
}

// JudgeUse is the cost of the verdicts on one answer, and their judge.
type JudgeUse struct {
	Judge string `json:"judge"` // fingerprint; verdicts of different judges are not compared
	// all verdicts are recorded, so they cannot change between runs
	Recorded  bool          `json:"recorded,omitempty"`
	Calls     int           `json:"calls"`            // attempts
	Cached    int           `json:"cached,omitempty"` // verdicts from the response cache
	Tokens    *model.Tokens `json:"tokens,omitempty"`
	CostUSD   *float64      `json:"cost_usd"`
	Estimated bool          `json:"estimated,omitempty"`
}

// JudgeInfo describes the judge of a run: its settings, its agreement with people, and its calls.
type JudgeInfo struct {
	Target      string `json:"target"`
	Model       string `json:"model"`
	Version     string `json:"version"` // of the question template
	Votes       int    `json:"votes"`
	Fingerprint string `json:"fingerprint"`
	Decides     bool   `json:"counts"` // an unmet criterion fails the case; otherwise it only warns
	// human labels that these judge settings were checked against; 0: not checked
	Labels   int    `json:"labels,omitempty"`
	Agreed   int    `json:"agreed,omitempty"` // labels that the judge agrees with
	Standing string `json:"standing"`         // the agreement in words
	Calls    Calls  `json:"calls"`            // of both sides; Cached counts verdicts from the response cache
}

// Criteria counts the verdicts on a case's first answers, by criterion.
type Criteria struct {
	Judge   string // fingerprint
	Tallies []CriterionTally
}

// CriterionTally counts the verdicts on one criterion.
type CriterionTally struct {
	Text       string
	Met, Unmet int
	NeedsRun   int
}

// Tally returns the tally of a criterion; a zero tally if there is none.
func (c *Criteria) Tally(text string) CriterionTally {
	if c != nil {
		for _, t := range c.Tallies {
			if t.Text == text {
				return t
			}
		}
	}
	return CriterionTally{Text: text}
}

// addVerdicts adds the verdicts of a first answer.
func (c *Case) addVerdicts(r Result) {
	if r.Judge == nil {
		return
	}
	if c.Criteria == nil {
		c.Criteria = &Criteria{Judge: r.Judge.Judge}
	}
	all := c.Criteria
	for _, one := range r.Criteria {
		at := slices.IndexFunc(all.Tallies, func(t CriterionTally) bool { return t.Text == one.Criterion })
		if at < 0 {
			at, all.Tallies = len(all.Tallies), append(all.Tallies, CriterionTally{Text: one.Criterion})
		}
		switch {
		case one.NeedsRun:
			all.Tallies[at].NeedsRun++
		case one.Met == nil:
		case *one.Met:
			all.Tallies[at].Met++
		default:
			all.Tallies[at].Unmet++
		}
	}
}

// CriteriaCount counts the criteria of cases and how many of them the judge could judge.
type CriteriaCount struct {
	All    int `json:"all"`
	Judged int `json:"judged"` // those that do not need a run
	// cases that count in no score, because nothing but criteria that need a run looks at their answers
	UncountedCases int `json:"uncounted_cases,omitempty"`
	// the others by suite and case, at most criteriaListed
	NotJudged []NotJudged `json:"not_judged,omitempty"`
}

// NotJudged is a criterion that needs a run, and the cases of one suite that have this criterion.
type NotJudged struct {
	SuiteID   string   `json:"suite_id"`
	Criterion string   `json:"criterion"` // its first 600 characters
	Cases     []string `json:"cases"`
}

const criteriaListed = 100

// addNotJudged adds a criterion to NotJudged.
func (c *CriteriaCount) addNotJudged(suite, caseID, criterion string) {
	criterion = cut(criterion)
	at := slices.IndexFunc(c.NotJudged, func(one NotJudged) bool { return one.Criterion == criterion })
	switch {
	case at >= 0:
		c.NotJudged[at].Cases = append(c.NotJudged[at].Cases, caseID)
	case len(c.NotJudged) < criteriaListed:
		c.NotJudged = append(c.NotJudged, NotJudged{suite, criterion, []string{caseID}})
	}
}

// countsNeitherWay reports whether the case passes because only a run could show what its criteria ask for.
func (c *Case) countsNeitherWay() bool {
	return c.Unverified && c.Outcome.Right() && c.Criteria != nil && len(c.Criteria.Tallies) > 0 &&
		!slices.ContainsFunc(c.Criteria.Tallies, func(t CriterionTally) bool { return t.NeedsRun == 0 })
}

// NotJudgedCount returns the number of criteria that were not judged.
func (c CriteriaCount) NotJudgedCount() int { return c.All - c.Judged }

// Criteria counts the criteria of the suite's cases. If no criterion of a case was judged but its other checks look at
// the answers, these checks count as one judged criterion.
func (s *SuiteSide) Criteria() (n CriteriaCount) {
	for _, c := range s.Cases {
		if c.Criteria == nil {
			continue
		}
		before := n.Judged
		for _, t := range c.Criteria.Tallies {
			if n.All++; t.NeedsRun == 0 {
				n.Judged++
			} else {
				n.addNotJudged(s.ID, c.ID, t.Text)
			}
		}
		switch {
		case c.countsNeitherWay():
			n.UncountedCases++
		case n.Judged == before && !c.Unverified:
			n.All, n.Judged = n.All+1, n.Judged+1
		}
	}
	return n
}

// Criteria counts the criteria of the suites that have a criterion which needs a run; nil if there are no such suites.
func (s *Side) Criteria() *CriteriaCount {
	var out CriteriaCount
	for _, suite := range s.Suites {
		if n := suite.Criteria(); n.NotJudgedCount() > 0 {
			out.All, out.Judged, out.UncountedCases = out.All+n.All, out.Judged+n.Judged, out.UncountedCases+n.UncountedCases
			out.NotJudged = append(out.NotJudged, n.NotJudged...)
		}
	}
	if out.All == 0 {
		return nil
	}
	out.NotJudged = out.NotJudged[:min(len(out.NotJudged), criteriaListed)]
	return &out
}
