package report

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
)

// Criterion is what a judge said of an answer and one criterion of its case.
type Criterion struct {
	Criterion string          `json:"criterion"`
	Fact      string          `json:"fact,omitempty"`    // the key fact that it stands for
	Met       *bool           `json:"met"`               // null: the judge said neither
	Against   int             `json:"against,omitempty"` // votes of the judge for the opposite
	Why       model.Untrusted `json:"why,omitempty"`
	Severity  string          `json:"severity"`
	Optional  bool            `json:"optional,omitempty"`
	Verdict   string          `json:"verdict"`             // the key of the question and of who was asked; equal keys, one verdict
	NeedsRun  bool            `json:"needs_run,omitempty"` // the text of an answer cannot show it: it counts neither way
	Lost      string          `json:"lost,omitempty"`      // why there is no verdict: no_verdict, stale_verdict, auth, …
}

// JudgeUse is what the verdicts on one answer took, and whose they are.
type JudgeUse struct {
	Judge string `json:"judge"` // fingerprint; verdicts of different ones are not compared
	// all verdicts are recorded: no judge may say otherwise the next time
	Recorded  bool     `json:"recorded,omitempty"`
	Calls     int      `json:"calls"`            // attempts
	Cached    int      `json:"cached,omitempty"` // verdicts that were there already
	Tokens    *Tokens  `json:"tokens,omitempty"`
	CostUSD   *float64 `json:"cost_usd"`
	Estimated bool     `json:"estimated,omitempty"`
}

// JudgeInfo is who graded the answers of a run, and what that took.
type JudgeInfo struct {
	Target      string `json:"target"`
	Model       string `json:"model"`
	Version     string `json:"version"` // of the question's template
	Votes       int    `json:"votes"`
	Fingerprint string `json:"fingerprint"`
	Counts      bool   `json:"counts"`           // else criteria that are not met only warn
	Labels      int    `json:"labels,omitempty"` // of people, on which it was checked as it is now; 0: it was not
	Agreed      int    `json:"agreed,omitempty"` // of them, those on which it says the same
	Standing    string `json:"standing"`         // how far it agrees with people, in words
	Calls       Calls  `json:"calls"`            // both sides together; cached are verdicts that were there already
}

// Criteria are the criteria of a case over its first answers.
type Criteria struct {
	Judge string // fingerprint
	Each  []CriterionTally
}

// CriterionTally counts the verdicts on one criterion.
type CriterionTally struct {
	Text       string
	Met, Unmet int
	NeedsRun   int
}

// Of is the tally of a criterion; zero where there is none.
func (c *Criteria) Of(text string) CriterionTally {
	if c != nil {
		for _, t := range c.Each {
			if t.Text == text {
				return t
			}
		}
	}
	return CriterionTally{Text: text}
}

// grade counts the verdicts of a first answer.
func (c *Case) grade(r Result) {
	if r.Judge == nil {
		return
	}
	if c.Criteria == nil {
		c.Criteria = &Criteria{Judge: r.Judge.Judge}
	}
	all := c.Criteria
	for _, one := range r.Criteria {
		at := slices.IndexFunc(all.Each, func(t CriterionTally) bool { return t.Text == one.Criterion })
		if at < 0 {
			at, all.Each = len(all.Each), append(all.Each, CriterionTally{Text: one.Criterion})
		}
		switch {
		case one.NeedsRun:
			all.Each[at].NeedsRun++
		case one.Met == nil:
		case *one.Met:
			all.Each[at].Met++
		default:
			all.Each[at].Unmet++
		}
	}
}

// CriteriaCount counts criteria of cases, of which some need a run.
type CriteriaCount struct {
	All    int `json:"all"`
	Judged int `json:"judged"` // that text shows
	// the others, at most criteriaListed of them, by suite and in the order of the cases
	NotJudged []NotJudged `json:"not_judged,omitempty"`
}

// NotJudged is a criterion that needs a run.
type NotJudged struct {
	SuiteID   string   `json:"suite_id"`
	Criterion string   `json:"criterion"` // its beginning
	Cases     []string `json:"cases"`     // of the suite, that have it
}

const criteriaListed = 100

// list adds a criterion of a case to those that are not judged.
func (n *CriteriaCount) list(suite, caseID, criterion string) {
	criterion = cut(criterion)
	at := slices.IndexFunc(n.NotJudged, func(one NotJudged) bool { return one.Criterion == criterion })
	switch {
	case at >= 0:
		n.NotJudged[at].Cases = append(n.NotJudged[at].Cases, caseID)
	case len(n.NotJudged) < criteriaListed:
		n.NotJudged = append(n.NotJudged, NotJudged{suite, criterion, []string{caseID}})
	}
}

// NeedRun are the criteria that were not judged.
func (n CriteriaCount) NeedRun() int { return n.All - n.Judged }

// Criteria counts the criteria of the suite's cases. If none of a case's criteria is judged, its other checks count as
// one.
func (s *SuiteSide) Criteria() (n CriteriaCount) {
	for _, c := range s.Cases {
		if c.Criteria == nil {
			continue
		}
		before := n.Judged
		for _, t := range c.Criteria.Each {
			if n.All++; t.NeedsRun == 0 {
				n.Judged++
			} else {
				n.list(s.ID, c.ID, t.Text)
			}
		}
		if n.Judged == before && !c.Unverified {
			n.All, n.Judged = n.All+1, n.Judged+1
		}
	}
	return n
}

// Criteria counts the criteria of the suites in which some need a run; nil without any.
func (s *Side) Criteria() *CriteriaCount {
	var out CriteriaCount
	for _, suite := range s.Suites {
		if n := suite.Criteria(); n.NeedRun() > 0 {
			out.All, out.Judged = out.All+n.All, out.Judged+n.Judged
			out.NotJudged = append(out.NotJudged, n.NotJudged...)
		}
	}
	if out.All == 0 {
		return nil
	}
	out.NotJudged = out.NotJudged[:min(len(out.NotJudged), criteriaListed)]
	return &out
}
