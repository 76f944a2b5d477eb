package compare

import (
	"slices"

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

// Rerunner adds answers to both sides during the comparison. If no model can be called, its fields Rerun, RunOneSided
// and LimitReason are nil. Then only the answers that the sides already hold count.
type Rerunner struct {
	Rerun func([]report.RerunRequest) error // adds an answer or a failure for each requested rerun
	// adds the answers to cases that only one side has, after all reruns of flipped cases
	RunOneSided func() error
	// returns why the run's limits forbid the requested reruns, or ""
	LimitReason func([]report.RerunRequest) (why string)
	// reports whether the run fails whatever a recheck finds; nil: unknown
	HasFailed func(Comparison) bool
}

// RerunAndCompare compares base and head, and reruns noisy cases until no further answer would change the result. While
// the budget lasts, it first reruns flipped cases and then runs the cases that only one side has. If the budget still
// allows it, RerunAndCompare rechecks whole suites at the end.
func RerunAndCompare(g config.Gate, sides Sides, ask Rerunner) (Comparison, error) {
	if sides.Measuring {
		g.Confirm, g.Recheck = 0, new(0)
	}
	r := &comparer{gate: g, sides: sides, ask: ask, c: pairCases(sides.Base, sides.Head, g)}
	steps := []func() error{r.addEarlierReruns, r.regrade, r.addRecordedReruns, r.confirm, r.runOneSided, r.recheck}
	for _, step := range steps {
		if err := step(); err != nil {
			return Comparison{}, err
		}
	}
	return assemble(r.comparison(), sides.Base, sides.Head)
}

// sampledDrop tests whether the score of the strict cases that were sampled from a model fell beyond chance. It returns
// nil if there are no such cases. It uses the first answers alone. Cases that were sampled once a side can fail the run
// only if the gate names a max_drop; otherwise their drop is a possible one.
func sampledDrop(c Comparison, g config.Gate) *noise.Finding {
	once := func(p *Case) bool { return isStrictSampled(p) || isSampledOnce(p) }
	if g.DropSetting(false).Level != config.Off {
		return testSampled(c, g, once)
	}
	several := testSampled(c, g, isStrictSampled)
	if several != nil && (several.Drop || several.PossibleDrop) {
		return several
	}
	if all := testSampled(c, g, once); all != nil && (all.Drop || all.PossibleDrop) {
		all.Drop, all.PossibleDrop = false, true
		return all
	}
	return several
}

func testSampled(c Comparison, g config.Gate, filter func(*Case) bool) *noise.Finding {
	if c.Count(filter) == 0 {
		return nil
	}
	s := c.settings(g)
	s.Confirm, s.Recheck = 0, 0
	return new(newProcedure(c, s, filter).Finding())
}

// comparer is a comparison in progress.
type comparer struct {
	gate          config.Gate
	sides         Sides
	ask           Rerunner
	c             Comparison             // the cases that the sides have so far
	procedure     *noise.Procedure       // nil: no noisy case is on both sides
	cases         map[suiteid.Name]*Case // noisy cases on both sides
	recordedFiles []string               // the head's files of recorded reruns
}

// confirm begins the noise test and reruns its candidates.
func (r *comparer) confirm() error {
	r.cases = map[suiteid.Name]*Case{}
	for one := range r.c.All() {
		if isComparable(one) {
			one.roundsUsed = map[report.RerunReason]int{}
			r.cases[nameOf(one)] = one
		}
	}
	if len(r.cases) == 0 {
		return nil
	}
	r.procedure = newProcedure(r.c, r.c.settings(r.gate), isComparable)
	err := r.collectReruns(report.RerunConfirm)
	if r.ask.Rerun == nil {
		r.procedure.UseFirstTrials()
	}
	return err
}

// rerun adds the requested reruns to both sides, if any are requested and a model can be called.
func (r *comparer) rerun(wants []report.RerunRequest) error {
	if len(wants) == 0 || r.ask.Rerun == nil {
		return nil
	}
	return r.ask.Rerun(wants)
}

// runOneSided adds the cases that only one side has.
func (r *comparer) runOneSided() error {
	if r.ask.RunOneSided == nil {
		return nil
	}
	if err := r.ask.RunOneSided(); err != nil {
		return err
	}
	r.c.addCases(r.sides.Base, r.sides.Head, r.gate)
	return nil
}

// collectReruns reruns cases for the given reason. It ends when no more reruns are needed or possible, or when the run
// has ended.
func (r *comparer) collectReruns(reason report.RerunReason) error {
	for {
		wants := r.missingReruns(reason)
		ended := len(report.MergeEarlyEnds(r.sides.Head, r.sides.Base)) > 0
		if len(wants) == 0 || r.ask.Rerun == nil || ended {
			return nil
		}
		if err := r.ask.Rerun(wants); err != nil {
			return err
		}
	}
}

// missingReruns gives the procedure the answers that exist. It returns the reruns that are still needed for the given
// reason.
func (r *comparer) missingReruns(reason report.RerunReason) []report.RerunRequest {
	for {
		asks := r.procedure.Needs()
		if len(asks) == 0 || asks[0].Reason != reason {
			return nil
		}
		if !r.feed(asks) {
			return r.completeWants(asks)
		}
	}
}

// recheck reruns whole suites. It does nothing if the run has failed already or the run's limits forbid a recheck.
// Without a recheck, a possible drop stays unconfirmed.
func (r *comparer) recheck() error {
	if r.procedure == nil {
		return nil
	}
	if found := r.comparison(); r.ask.HasFailed != nil && r.ask.HasFailed(found) {
		r.procedure.SkipAfterFailure()
		return nil
	}
	if asks := r.procedure.Needs(); len(asks) > 0 && asks[0].Reason == report.RerunConfirm {
		r.procedure.Skip("flipped cases could not be rerun")
		return nil
	}
	wants := r.missingReruns(report.RerunRecheck)
	if len(wants) == 0 {
		return nil
	}
	if why := r.whyNoRecheck(wants); why != "" {
		r.procedure.Skip(why)
		return nil
	}
	if err := r.collectReruns(report.RerunRecheck); err != nil {
		return err
	}
	for _, e := range report.MergeEarlyEnds(r.sides.Head, r.sides.Base) {
		r.procedure.Skip(e.Why)
	}
	return nil
}

// whyNoRecheck returns why a recheck cannot begin. It returns "" if the recheck can begin, or if the sides already hold
// some of its answers.
func (r *comparer) whyNoRecheck(wants []report.RerunRequest) string {
	begun := r.c.Count(func(p *Case) bool { return p.roundsUsed[report.RerunRecheck] > 0 })
	switch {
	case begun > 0:
		return ""
	case r.ask.Rerun == nil:
		return "no model could be called"
	case r.ask.LimitReason == nil:
		return ""
	}
	whole, rounds := slices.Clone(wants), r.c.settings(r.gate).Recheck
	for i := range whole {
		whole[i].Rounds = rounds
	}
	return r.ask.LimitReason(whole)
}

// feed gives the procedure the requested answers that the sides already have. fed reports whether there were any.
func (r *comparer) feed(asks []report.RerunRequest) (fed bool) {
	for _, ask := range asks {
		p := r.cases[ask.Name()]
		left := rerunPairs(p, ask.Reason)[p.roundsUsed[ask.Reason]:]
		for _, round := range left[:min(len(left), ask.Rounds)] {
			fed = true
			p.roundsUsed[ask.Reason]++
			r.procedure.Add(ask.Reason, ask.SuiteID, ask.CaseID, round[0], round[1])
		}
	}
	return fed
}

// completeWants fills in the remaining fields of wants, which are requests for reruns.
func (r *comparer) completeWants(wants []report.RerunRequest) []report.RerunRequest {
	for i := range wants {
		w := &wants[i]
		p := r.cases[w.Name()]
		w.FirstNumber, w.Regrade = nextTrial(p), graded(p)
		if w.Reason == report.RerunConfirm && !p.Redefined() {
			w.Criteria = flippedCriteria(p)
		}
	}
	return wants
}

// comparison returns the result of the answers so far, without the changes and the score table.
func (r *comparer) comparison() Comparison {
	c := r.c
	c.Ended = report.MergeEarlyEnds(r.sides.Head, r.sides.Base)
	if r.sides.Base == nil {
		return c
	}
	c = applyRecordedReruns(c, r.gate, r.recordedFiles)
	if c.SampledTest = sampledDrop(c, r.gate); r.procedure == nil {
		return c
	}
	finding := r.procedure.Finding()
	c.NoiseTest = &finding
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
	for p := range c.All() {
		if !isComparable(p) {
			continue
		}
		p.Status = noisyStatus(r.procedure, p)
		if recheck := finding.Numbers.Recheck; finding.RecheckIncomplete && recheck.Reason == "" {
			recheck.LossReason = whyIncomplete(p, report.RerunRecheck)
		}
	}
	return c
}

// noisyStatus returns the status of the noisy case p. A flipped case is regressed only if reruns confirm it; otherwise
// it is flaky.
func noisyStatus(procedure *noise.Procedure, p *Case) report.Status {
	status := procedure.Status(p.SuiteID(), p.ID())
	if status == report.Regressed && (p.Candidate == nil || p.Candidate.State != report.CandidateConfirmed) {
		return report.Flaky
	}
	return status
}
