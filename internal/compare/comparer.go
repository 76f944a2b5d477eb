package compare

import (
	"iter"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Sides holds the results to compare.
type Sides struct {
	Head      *report.Side
	Base      *report.Side // nil: there is no base
	Measuring bool         // base and head are one revision, to measure its noise: nothing is rerun
	// returns how many recorded reruns the head has of a flipped recorded case on each side, and their file; nil: the
	// sides hold all of them
	RecordedReruns func(suiteID, caseID string) (rounds int, file string)
	// returns the base's answers to a case in the recorded reruns of the base's request, which were made when the case
	// flipped in the change that brought this request; nil: the sides hold all of them
	EarlierReruns func(suiteID, caseID string) []model.Response
}

// Comparer is a comparison in progress. Its caller makes the reruns that it needs and adds their answers to the sides,
// in this order: those of Reruns, the cases that only one side has, and after Settle those of Recheck. Each step may be
// left out; then the answers that the sides hold count.
type Comparer struct {
	gate          config.Gate
	sides         Sides
	c             Comparison       // the cases that the sides have so far
	procedure     *noise.Procedure // nil: not begun, or no noisy case is on both sides
	cases         noisyCases       // nil: the noise test has not begun
	recordedFiles []string         // the head's files of recorded reruns
	settled       bool
	rechecks      bool // a recheck is due, and its reruns can be made
}

// Begin pairs the cases of both sides.
func Begin(g config.Gate, sides Sides) *Comparer {
	if sides.Measuring {
		g.Confirm, g.Recheck = 0, new(0)
	}
	return &Comparer{gate: g, sides: sides, c: pairCases(sides.Base, sides.Head, g)}
}

// Reruns yields the reruns that decide the cases that flipped, all of one reason at a time. It ends when no further
// answer would change the result, or when the run has ended. It yields an error if an answer cannot be read back.
func (r *Comparer) Reruns() iter.Seq2[[]report.RerunRequest, error] {
	return func(yield func([]report.RerunRequest, error) bool) {
		if wants := r.earlierReruns(); len(wants) > 0 {
			if !yield(wants, nil) {
				return
			}
			for p := range r.c.All() {
				p.firstStatus = statusOf(p)
			}
		}
		wants, err := r.regrades()
		if (err != nil || len(wants) > 0) && !yield(wants, err) || err != nil {
			return
		}
		if wants := r.recordedReruns(); len(wants) > 0 && !yield(wants, nil) {
			return
		}
		r.beginNoiseTest()
		for wants := r.missingReruns(report.RerunConfirm); len(wants) > 0 && len(r.sides.ends()) == 0; wants = r.missingReruns(report.RerunConfirm) {
			if !yield(wants, nil) {
				return
			}
		}
	}
}

// Settle decides the status of every case that the sides have by now. Only a recheck can change the result that it
// returns. The result lacks the changes and the score table.
func (r *Comparer) Settle() Comparison {
	if countCases(r.sides.Base, r.sides.Head) != r.c.paired {
		r.c.addCases(r.sides.Base, r.sides.Head, r.gate)
	}
	if r.cases == nil { // Reruns was left out
		r.beginNoiseTest()
		r.missingReruns(report.RerunConfirm)
		if r.procedure != nil {
			r.procedure.UseFirstTrials()
		}
	}
	if r.sides.Base != nil {
		applyRecordedReruns(&r.c, r.gate, r.recordedFiles)
		r.c.SampledTest = sampledDrop(r.c, r.gate)
	}
	if r.procedure != nil {
		r.setNoiseTest()
	}
	for p := range r.c.All() {
		p.Status = r.status(p)
	}
	r.settled = true
	return r.c
}

// SkipAfterFailure prevents a recheck, because the run fails whatever it finds. There must be a noise test.
func (r *Comparer) SkipAfterFailure() { r.procedure.SkipAfterFailure() }

// PlannedRecheck returns all reruns that a recheck of whole suites may take. It returns none if no recheck is due, or
// if the sides already hold some of its answers.
func (r *Comparer) PlannedRecheck() []report.RerunRequest {
	wants := r.missingReruns(report.RerunRecheck)
	if r.cases.recheckBegun() {
		return nil
	}
	for i := range wants {
		wants[i].Rounds = r.c.settings(r.gate).Recheck
	}
	return wants
}

// SkipRecheck prevents a planned recheck. why is the reason that the report shows. A possible drop then stays
// unconfirmed.
func (r *Comparer) SkipRecheck(why string) { r.procedure.Skip(why) }

// Recheck yields the reruns of whole suites, round by round, if a recheck is due. It ends like Reruns.
func (r *Comparer) Recheck() iter.Seq[[]report.RerunRequest] {
	return func(yield func([]report.RerunRequest) bool) {
		for {
			wants := r.missingReruns(report.RerunRecheck)
			if len(wants) == 0 {
				return
			}
			r.rechecks = true
			if len(r.sides.ends()) > 0 || !yield(wants) {
				return
			}
		}
	}
}

// Comparison returns the result. It fails if an answer cannot be read back.
func (r *Comparer) Comparison() (Comparison, error) {
	if !r.settled {
		r.Settle()
	}
	if r.procedure != nil {
		r.endRecheck()
		r.setNoiseTest()
	}
	return assemble(r.c, r.sides.Base, r.sides.Head)
}

// beginNoiseTest begins the noise test of the noisy cases on both sides, if there are any.
func (r *Comparer) beginNoiseTest() {
	withdrawFlips(r.c, r.gate)
	r.cases = noisyCases{}
	for one := range r.c.All() {
		if isComparable(one) {
			one.roundsUsed = map[report.RerunReason]int{}
			r.cases[nameOf(one)] = one
		}
	}
	if len(r.cases) > 0 {
		r.procedure = newProcedure(r.c, r.c.settings(r.gate), isComparable)
	}
}

// missingReruns gives the noise test the answers that exist. It returns the reruns that it still needs for the given
// reason.
func (r *Comparer) missingReruns(reason report.RerunReason) []report.RerunRequest {
	for r.procedure != nil {
		asks := r.procedure.Needs()
		if len(asks) == 0 || asks[0].Reason != reason {
			return nil
		}
		if !r.cases.feed(r.procedure, asks) {
			return r.cases.completeWants(asks)
		}
	}
	return nil
}

// noisyCases are the noisy cases on both sides, by their names on the head.
type noisyCases map[suiteid.Name]*Case

// feed gives the procedure the requested answers that the sides already have. fed reports whether there were any.
func (n noisyCases) feed(procedure *noise.Procedure, asks []report.RerunRequest) (fed bool) {
	for _, ask := range asks {
		p := n[ask.Name()]
		left := rerunPairs(p, ask.Reason)[p.roundsUsed[ask.Reason]:]
		for _, round := range left[:min(len(left), ask.Rounds)] {
			fed = true
			p.roundsUsed[ask.Reason]++
			procedure.Add(ask.Reason, ask.SuiteID, ask.CaseID, round[0], round[1])
		}
	}
	return fed
}

// completeWants fills in the remaining fields of wants, which are requests for reruns.
func (n noisyCases) completeWants(wants []report.RerunRequest) []report.RerunRequest {
	for i := range wants {
		w := &wants[i]
		p := n[w.Name()]
		w.FirstNumber, w.Regrade = nextTrial(p), graded(p)
		if w.Reason == report.RerunConfirm && !p.Redefined() {
			w.Criteria = flippedCriteria(p)
		}
	}
	return wants
}

// setNoiseTest sets what the noise test finds by the answers so far.
func (r *Comparer) setNoiseTest() {
	finding := r.procedure.Finding()
	r.c.NoiseTest = &finding
	if test := finding.Numbers.Confirm; test != nil {
		for i := range test.Candidates {
			s := &test.Candidates[i]
			p := r.cases[s.Name()]
			if s.State == report.CandidateIncomplete {
				s.LossReason = whyIncomplete(p, report.RerunConfirm)
			}
			p.Candidate = s
		}
	}
	if recheck := finding.Numbers.Recheck; finding.RecheckIncomplete {
		for p := range r.c.All() {
			if isComparable(p) && recheck.Reason == "" {
				recheck.LossReason = whyIncomplete(p, report.RerunRecheck)
			}
		}
	}
}

// status returns the status of p after its reruns. A noisy case that flipped is regressed only if they confirm it, and
// a recorded case that flipped unless they clear it or its flip proves nothing. Otherwise the case is flaky.
func (r *Comparer) status(p *Case) report.Status {
	switch {
	case isComparable(p):
		status := r.procedure.Status(p.SuiteID(), p.ID())
		if status == report.Regressed && !p.IsCandidate(report.CandidateConfirmed) {
			return report.Flaky
		}
		return status
	case p.SampledFlip, p.IsCandidate(report.CandidateCleared):
		return report.Flaky
	}
	return p.firstStatus
}

// endRecheck gives the noise test the answers of a recheck that the sides have, and why others are missing.
func (r *Comparer) endRecheck() {
	wants, asks := r.missingReruns(report.RerunRecheck), r.procedure.Needs()
	switch {
	case len(asks) > 0 && asks[0].Reason == report.RerunConfirm:
		r.procedure.Skip("flipped cases could not be rerun")
	case r.rechecks || len(wants) > 0 && r.cases.recheckBegun():
		for _, e := range r.sides.ends() {
			r.procedure.Skip(e.Why)
		}
	case len(wants) > 0:
		r.procedure.Skip("no model could be called")
	}
}

// recheckBegun reports whether the sides hold answers of a recheck.
func (n noisyCases) recheckBegun() bool {
	for _, p := range n {
		if p.roundsUsed[report.RerunRecheck] > 0 {
			return true
		}
	}
	return false
}

// ends returns why trials of either side were not run.
func (s Sides) ends() []report.EarlyEnd { return report.MergeEarlyEnds(s.Head, s.Base) }
