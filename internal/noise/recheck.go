package noise

import (
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// recheckTrigger is the chance of the overall score's drop up to which every case is asked again.
const recheckTrigger = 0.15

// recheckDue reports a run that is not blocked, and whose score fell by enough and not quite by chance.
func (p *Procedure) recheckDue() bool {
	all := p.first.overall
	return p.settings.Recheck > 0 && !p.settings.Failed && all != nil && all.Informative > 0 &&
		stats.Reaches(all.PWorse, recheckTrigger) && p.fell(all.Delta) && !p.blocked()
}

// fell reports a drop that is large enough to matter.
func (p *Procedure) fell(delta float64) bool {
	return delta <= -p.settings.MaxDrop+stats.SlackProbability
}

// recheckNeeds asks every case that is compared.
func (p *Procedure) recheckNeeds() (asks []Ask) {
	if !p.recheckDue() {
		return nil
	}
	for _, s := range p.scopes {
		for _, m := range s.members {
			if left := p.recheckLeft(m); left > 0 {
				asks = append(asks, Ask{Look: report.LookRecheck, SuiteID: s.id, CaseID: m.ID, Rounds: left})
			}
		}
	}
	return asks
}

// recheckLeft is how many rounds of the recheck a case still wants.
func (p *Procedure) recheckLeft(m *member) int {
	if !m.fresh() {
		return 0
	}
	return p.settings.Recheck - len(m.again[0]) - m.lost[0]
}

func (m *member) keep(side int, t Trial) {
	if t.Lost {
		m.lost[side]++
		return
	}
	m.again[side] = append(m.again[side], t.Value)
}

// secondTrials are the case's values in the recheck: the fresh ones alone.
func (p *Procedure) secondTrials(m *member) pair {
	switch {
	case !m.eligible():
		return pair{}
	case m.Reused:
		return m.firstTrials()
	case p.lacking(m):
		return pair{}
	}
	return pair{stats.Pair{Base: m.again[0], Head: m.again[1]}, true, true}
}

// lacking reports a case of the recheck with answers to fewer than half of its trials on a side.
func (p *Procedure) lacking(m *member) bool {
	for _, values := range m.again {
		if (Side{Count: stats.Count{Trials: len(values)}, Planned: p.settings.Recheck}).Lacking() {
			return true
		}
	}
	return false
}

// recheckComplete reports that no more cases lack answers than the gate accepts.
func (p *Procedure) recheckComplete() bool {
	asked, lacking := 0, 0
	for _, s := range p.scopes {
		for _, m := range s.members {
			if m.fresh() {
				asked++
				if p.lacking(m) {
					lacking++
				}
			}
		}
	}
	return asked > lacking && !beyond(lacking, asked, p.settings.MaxErrored)
}

func (p *Procedure) recheckLook() *report.RecheckLook {
	if p.settings.Recheck == 0 {
		return nil
	}
	look := &report.RecheckLook{Trials: p.settings.Recheck, Triggered: p.recheckDue(), Suites: []report.Scope{}}
	if look.Triggered {
		look.Complete = p.recheckComplete()
		f := p.figures(p.secondTrials)
		look.Overall, look.Suites = f.overall, append(look.Suites, f.suites...)
	}
	return look
}
