// Package noise tells a regression from a model's noise: the trials of both sides × settings → which cases to
// ask again, and in the end what is proven, what is only suspected, and what cannot be said. It asks nobody itself: its
// caller asks what Needs names and brings the answers to Add. Equal answers give an equal finding.
package noise

import (
	"fmt"
	"math"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// Settings of the procedure. Levels, drops and shares are in [0, 1].
type Settings struct {
	Trials      int  // planned first trials of a case and side, at least
	Confirm     int  // fresh rounds a suspect is asked, at most; 0: no confirm look
	MaxSuspects int  // suspects that are asked again
	Pooled      bool // what fresh answers prove of no single suspect is tested over all of them together
	Recheck     int  // fresh trials of every case in the recheck look; 0: none
	// the recheck asks the suites that fell alone, and stops where its first answers do not bear the drop out
	Sparing        bool
	Alpha          float64 // the chance of a false alarm, all looks together
	WarnAlpha      float64 // what is suspicious
	MaxDrop        float64 // a smaller drop of a scope decides nothing
	MaxRegressions int     // confirmed cases that are accepted
	MaxErrored     float64 // share of common cases without answers
	Repeats        bool    // the trials are all runs that there are: nobody can be asked, and none is missing
	Failed         bool    // the run has failed already: a recheck would decide nothing more
}

// Suite is one suite on both sides.
type Suite struct {
	ID     string
	Weight float64 // 0 or more; a suite of weight 0 stays out of the overall scope
	Cases  []Case
}

// Case is one case; a nil side has no such case.
type Case struct {
	ID         string
	Base, Head *Trials
	Bar        float64 // a value of at least this passes
	Changed    bool    // its expectation differs: it is not compared
	// of a changed case: a value of its head passes that meets one of both expectations; a fall makes it a suspect
	Either      bool
	Reused      bool // one answer serves both sides: it counts in the delta, and proves nothing
	Quarantined bool // shown and not judged
	// another look at its first answers says that they do not differ: a fall of it makes no suspect
	Acquitted bool
	MustPass  bool          // one wrong answer on the head already makes it a suspect
	Loss      classify.Loss // why the head has too few answers, where it has; NoLoss: such a case is no suspect
}

// Trials are the first answers of one side.
type Trials struct {
	Values []float64 // in [0, 1]
	Lost   int       // trials without an answer to judge
}

// Ask is a request to ask a case afresh: Rounds times on the base and on the head, back to back.
type Ask struct {
	Look            report.Look
	SuiteID, CaseID string
	Rounds          int
	Once            bool // whether an answer comes is what is asked: a failure is not asked again
}

// Trial is one fresh answer.
type Trial struct {
	Value float64       // in [0, 1]; meaningless without an answer
	Loss  classify.Loss // why none came; NoLoss: one did
}

// Procedure is one comparison under way. It is for one goroutine.
type Procedure struct {
	settings Settings
	scopes   []*scope
	members  []*member // of all scopes
	byID     map[string]*member
	first    figures
	confirm  *confirmation
	open     map[*member]int // rounds of the recheck that were asked for last and are not answered
	skipped  string          // why there is no recheck; ""
}

// scope is a suite under way.
type scope struct {
	id      string
	weight  float64
	members []*member
}

// member is a case under way.
type member struct {
	Case
	scope      *scope
	base, head Side // by the first trials
	status     report.Status
	suspect    *suspect   // nil: none, or beyond the cap
	again      [][2]Trial // rounds of the recheck: base, head
}

// New decides what the first trials decide. The error names an input that the caller should have rejected.
func New(s Settings, suites []Suite) (*Procedure, error) {
	p := &Procedure{settings: s, byID: map[string]*member{}}
	for _, in := range suites {
		if !(in.Weight >= 0) || math.IsInf(in.Weight, 0) {
			return nil, fmt.Errorf("suite %s: weight %v is no weight", in.ID, in.Weight)
		}
		to := &scope{id: in.ID, weight: in.Weight}
		for _, c := range in.Cases {
			m, err := newMember(s, to, c)
			if err != nil {
				return nil, err
			}
			id := key(to.id, c.ID)
			if p.byID[id] != nil {
				return nil, fmt.Errorf("case %s is there twice", id)
			}
			to.members, p.members, p.byID[id] = append(to.members, m), append(p.members, m), m
		}
		p.scopes = append(p.scopes, to)
	}
	p.first = figuresOf(p.scopes, (*member).firstTrials)
	p.confirm = newConfirmation(s, p.members)
	return p, nil
}

func newMember(s Settings, to *scope, c Case) (*member, error) {
	id := key(to.id, c.ID)
	if !(c.Bar >= 0 && c.Bar <= 1) {
		return nil, fmt.Errorf("case %s: bar %v is not in 0 to 1", id, c.Bar)
	}
	for _, side := range []*Trials{c.Base, c.Head} {
		if side == nil {
			continue
		}
		for _, v := range side.Values {
			if err := checkValue(id, v); err != nil {
				return nil, err
			}
		}
	}
	m := &member{Case: c, scope: to, base: s.side(c, c.Base), head: s.side(c, c.Head)}
	m.status = m.byFirstTrials()
	return m, nil
}

func checkValue(id string, v float64) error {
	if !(v >= -stats.SlackValue && v <= 1+stats.SlackValue) {
		return fmt.Errorf("case %s: value %v is not in 0 to 1", id, v)
	}
	return nil
}

// key names a case among all; suite ids hold no white space.
func key(suiteID, caseID string) string { return suiteID + "/" + caseID }

// Needs returns what to ask now; nothing if no further answer would change the finding. All of it is for one look. The
// caller calls Add for each round and then Needs again. If it can bring no more rounds, it stops, and the finding says
// what is missing.
func (p *Procedure) Needs() []Ask {
	if asks := p.confirm.needs(); len(asks) > 0 {
		return asks
	}
	return p.recheckNeeds()
}

// Add adds the answers of one round: a fresh trial of the case on each side. An answer that was not asked for is an
// error.
func (p *Procedure) Add(look report.Look, suiteID, caseID string, base, head Trial) error {
	id := key(suiteID, caseID)
	m := p.byID[id]
	if m == nil {
		return fmt.Errorf("case %s was not asked", id)
	}
	for _, t := range []Trial{base, head} {
		if err := checkValue(id, t.Value); err != nil && t.Loss == classify.NoLoss {
			return err
		}
	}
	switch {
	case look == report.LookConfirm && m.suspect != nil && m.suspect.open:
		m.suspect.open = false
		m.suspect.round(base, head, m.passes)
		p.confirm.stepDown()
	case look == report.LookRecheck && p.open[m] > 0:
		p.open[m]--
		m.again = append(m.again, [2]Trial{base, head})
	default:
		return fmt.Errorf("case %s was not asked in the look %s", id, look)
	}
	return nil
}

// Stored tells that nobody can be asked again, so that the first trials must do.
func (p *Procedure) Stored() { p.confirm.useFirstTrials() }

// Fail tells that the run has failed for another reason, so that a recheck would decide nothing.
func (p *Procedure) Fail() { p.settings.Failed = true }

func (m *member) passes(t Trial) bool {
	return t.Loss == classify.NoLoss && t.Value >= m.Bar-stats.SlackValue
}
