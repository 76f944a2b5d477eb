// Package noise distinguishes regressions from the noise of a model. From the trials of both sides it decides which
// cases to rerun, and what the answers prove. It calls no model: its caller reruns what Needs returns and passes the
// answers to Add. Equal answers give an equal finding.
package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// Settings are the settings of a Procedure. Levels, drops and shares are in [0, 1].
type Settings struct {
	Trials        int  // smallest planned number of first trials of a case on each side
	Confirm       int  // largest number of reruns of a candidate; 0: none
	MaxCandidates int  // largest number of candidates that are rerun
	Pooled        bool // candidates that are not proven one by one are tested together
	Recheck       int  // largest number of reruns of each case in a recheck; 0: no recheck
	// a recheck includes only suites that fell, and stops if its first answers do not confirm the drop
	SparingRecheck bool
	Alpha          float64 // accepted chance of a false alarm, over all tests
	WarnAlpha      float64 // chance up to which a drop is reported as possible
	MaxDrop        float64 // a smaller drop of a scope decides nothing
	MaxRegressions int     // largest accepted number of confirmed cases
	MaxErrored     float64 // largest accepted share of common cases without enough answers
	NoReruns       bool    // the first trials are all runs there are: nothing can be rerun, and none is missing
	AlreadyFailed  bool    // the run has failed already, so that a recheck would change nothing
}

// Suite is a suite with its cases on both sides.
type Suite struct {
	ID     string
	Weight float64 // 0 or more; a suite of weight 0 stays out of the overall scope
	Cases  []Case
}

// Case is a case on both sides.
type Case struct {
	ID         string
	Base, Head *Side // counts of the first trials; nil for a side that lacks the case
	Changed    bool  // the sides have different expectations, so that the case is not compared
	// for a changed case: an answer of the head passes by the old or the new expectation, and a flip makes the case a
	// candidate
	Either        bool
	Reused        bool          // one answer serves both sides: the case counts in the delta, but proves nothing
	Quarantined   bool          // the case is counted, but not judged
	FlipWithdrawn bool          // the judge withdrew the flip when it graded again, so that the case is no candidate
	MustPass      bool          // one wrong answer on the head makes the case a candidate
	Loss          classify.Loss // why the head lacks answers; with NoLoss, a case without answers is no candidate

	// set by the procedure
	suite         *Suite
	status        report.Status     // status by the first trials
	candidate     *candidate        // nil if the case is no candidate, or is beyond the limit
	recheckRounds [][2]report.Rerun // rounds of the recheck, each with the trials of base and head
}

// Procedure is one comparison in progress. It is not safe for concurrent use.
type Procedure struct {
	settings Settings
	suites   []*Suite
	members  []*Case // the cases of all suites
	byID     map[string]*Case
	first    allCasesTest
	confirm  *confirmation
	skipped  string // why there is no recheck; "" if there may be one
}

// New returns a procedure for suites with their first trials. Ids must be unique among the cases of a suite, and
// weights must be finite.
func New(s Settings, suites []Suite) *Procedure {
	p := &Procedure{settings: s, byID: map[string]*Case{}}
	for _, own := range suites {
		own.Cases = slices.Clone(own.Cases)
		for i := range own.Cases {
			m := &own.Cases[i]
			m.suite, m.status = &own, m.firstStatus()
			p.members, p.byID[key(own.ID, m.ID)] = append(p.members, m), m
		}
		p.suites = append(p.suites, &own)
	}
	p.first = testAllCases(p.suites, (*Case).firstTrials)
	p.confirm = newConfirmation(s, p.members)
	return p
}

// key returns the name of a case that is unique among all suites.
func key(suiteID, caseID string) string { return suiteID + "/" + caseID }

// Needs returns the reruns that are due, all for one reason. It returns nil if no further answer would change the
// finding. The caller calls Add for each rerun and then Needs again. If the caller stops earlier, the finding says what
// is missing.
func (p *Procedure) Needs() []report.RerunRequest {
	if asks := p.confirm.needs(); len(asks) > 0 {
		return asks
	}
	return p.recheckNeeds()
}

// Add adds the answers of one of the reruns that the last call of Needs returned.
func (p *Procedure) Add(reason report.RerunReason, suiteID, caseID string, base, head report.Rerun) {
	m := p.byID[key(suiteID, caseID)]
	if reason == report.RerunRecheck {
		m.recheckRounds = append(m.recheckRounds, [2]report.Rerun{base, head})
		return
	}
	m.candidate.addRound(base, head)
	p.confirm.stepDown()
}

// UseFirstTrials decides about the candidates by their first trials, because nothing can be rerun.
func (p *Procedure) UseFirstTrials() { p.confirm.useFirstTrials() }

// SkipAfterFailure prevents a recheck, because the run has already failed for another reason.
func (p *Procedure) SkipAfterFailure() { p.settings.AlreadyFailed = true }

func passes(t report.Rerun) bool { return t.Loss == classify.NoLoss && t.Passed }
