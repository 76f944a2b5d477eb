package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// The settings of the procedure that no configuration changes (stats.md, section 6).
const (
	maxSuspects  = 20
	warnAlpha    = 0.05
	defaultAlpha = 0.01
	recheckFrom  = 50 // cases from which a recheck pays by itself
	recheckTimes = 5
)

// Want is a case of which further answers are wanted on both sides, and why. Ids are the head's; trials count on from those
// that there are.
type Want struct {
	Look            report.Look
	SuiteID, CaseID string
	First, Last     int
}

// Noisy reports whether answers of these sides may be otherwise the next time: the gate says so, or a live target was asked.
func Noisy(g config.Gate, base, head *report.Side) bool {
	switch g.Mode {
	case config.ModeStrict:
		return false
	case config.ModeNoisy:
		return true
	}
	return head.Live() || base != nil && base.Live()
}

// Settle compares base and head, and has cases asked again until nothing that may come would change what is found. ask
// brings the answers of its wants into both sides; nil if nobody can be asked: then only what the sides hold counts, and what
// is missing is said. base is nil if there is nothing to compare with. in lacks its Comparison, which is what is returned.
func Settle(p Policy, in Input, base *report.Side, renamed map[string]string, ask func([]Want) error) (Comparison, error) {
	c := pair(base, in.Head, renamed, p.Gate)
	if !Noisy(p.Gate, base, in.Head) {
		return c.assembled(), nil
	}
	c.Noisy = true
	if p = p.InForce(c); in.Measuring {
		none := 0
		p.Gate.Confirm, p.Gate.Recheck = 0, &none
	}
	if base == nil {
		return c.assembled(), nil
	}
	r, err := newRerun(p, in, base, c)
	if err != nil {
		return Comparison{}, err
	}
	for wants := r.wants(); len(wants) > 0 && ask != nil && !r.ended(); wants = r.wants() {
		if err := ask(wants); err != nil {
			return Comparison{}, err
		}
	}
	return r.comparison(), r.err
}

// rerun is a noisy comparison under way: the procedure, and the sides whose further trials it is fed with.
type rerun struct {
	policy    Policy
	in        Input
	base      *report.Side
	c         Comparison
	procedure *noise.Procedure
	cases     map[string]casePair
	fed       map[string]int // rounds of a look that the procedure has
	checked   bool           // whether the run has failed without a recheck
	err       error
}

func newRerun(p Policy, in Input, base *report.Side, c Comparison) (*rerun, error) {
	r := &rerun{policy: p, in: in, base: base, c: c, cases: map[string]casePair{}, fed: map[string]int{}}
	var suites []noise.Suite
	for _, s := range c.pairs {
		one := noise.Suite{ID: s.id, Weight: s.weight()}
		for _, pair := range s.cases {
			one.Cases = append(one.Cases, pair.noise())
			r.cases[s.id+"/"+pair.id()] = pair
		}
		suites = append(suites, one)
	}
	procedure, err := noise.New(c.settings(p.Gate), suites)
	if err != nil {
		return nil, fmt.Errorf("compare the sides: %w", err)
	}
	r.procedure = procedure
	return r, nil
}

func (s *suitePair) weight() float64 {
	if s.head == nil {
		return s.base.Weight
	}
	return s.head.Weight
}

func (p casePair) noise() noise.Case {
	return noise.Case{
		ID: p.id(), Base: trials(p.base), Head: trials(p.head), Bar: 0.5,
		Changed: p.status == report.Redefined, Reused: p.shared(), Quarantined: p.quarantined,
		MustPass: p.head != nil && p.head.MustPass,
	}
}

// shared reports that one answer serves both sides.
func (p casePair) shared() bool {
	return p.base != nil && p.head != nil && p.base.Shared && p.head.Shared
}

func trials(c *report.Case) *noise.Trials {
	if c == nil {
		return nil
	}
	t := &noise.Trials{Values: make([]float64, c.Tally.Trials-c.Tally.Unscored), Lost: c.Tally.Unscored}
	for i := range c.Tally.Passed {
		t.Values[i] = 1
	}
	return t
}

// settings are the procedure's, by the gate.
func (c Comparison) settings(g config.Gate) noise.Settings {
	s := noise.Settings{
		Trials: 1, Confirm: g.Confirm, MaxSuspects: maxSuspects, Recheck: c.recheckTrials(g), Alpha: g.Alpha, WarnAlpha: warnAlpha,
		MaxDrop: g.MaxDrop.Value, MaxErrored: g.MaxUnscored.Value, MaxRegressions: math.MaxInt32,
	}
	if s.Alpha == 0 {
		s.Alpha = defaultAlpha
	}
	if most := rule(g.MaxRegressions, config.Rule{Level: config.Err}); most.Level == config.Err {
		s.MaxRegressions = int(most.Value)
	}
	return s
}

// recheckTrials is the gate's figure; auto rechecks where there are enough cases for it to find something.
func (c Comparison) recheckTrials(g config.Gate) int {
	if g.Recheck != nil {
		return *g.Recheck
	}
	fresh := 0
	for _, p := range c.all() {
		if p.enters() && !p.shared() {
			fresh++
		}
	}
	if fresh < recheckFrom {
		return 0
	}
	return recheckTimes
}

// wants feeds the procedure with what the sides hold and returns what is missing.
func (r *rerun) wants() []Want {
	for r.err == nil {
		asks := r.procedure.Needs()
		if len(asks) > 0 && asks[0].Look == report.LookRecheck && !r.checked {
			r.checked = true
			if r.failed() {
				r.procedure.Fail()
				continue
			}
		}
		if !r.feed(asks) {
			return r.missing(asks)
		}
	}
	return nil
}

// failed reports a run that has failed whatever a recheck would find.
func (r *rerun) failed() bool {
	r.in.Comparison = r.comparison()
	verdict, _ := Decide(r.policy, r.in)
	return verdict == report.Failed
}

// ended reports that a limit is used up, or that the run was told to stop: nobody answers any more.
func (r *rerun) ended() bool { return len(report.EndedOf(r.in.Head, r.base)) > 0 }

// feed hands over the answers to asks that the sides hold, and reports whether there were any.
func (r *rerun) feed(asks []noise.Ask) (any bool) {
	for _, ask := range asks {
		p, id := r.cases[ask.SuiteID+"/"+ask.CaseID], ask.SuiteID+"/"+ask.CaseID
		at := string(ask.Look) + " " + id
		for _, round := range rounds(p, ask.Look, r.fed[at], ask.Rounds) {
			any = true
			r.fed[at]++
			if err := r.procedure.Add(ask.Look, ask.SuiteID, ask.CaseID, round[0], round[1]); err != nil {
				r.err = fmt.Errorf("take further answers: %w", err)
				return false
			}
		}
	}
	return any
}

// rounds are the trials of a look that both sides have, after the first `from` of them.
func rounds(p casePair, look report.Look, from, most int) (out [][2]noise.Trial) {
	heads := map[int]report.FreshTrial{}
	for _, t := range p.head.Fresh {
		if t.Look == look {
			heads[t.Trial] = t
		}
	}
	for _, t := range p.base.Fresh {
		head, ok := heads[t.Trial]
		if t.Look != look || !ok {
			continue
		}
		if from--; from < 0 && len(out) < most {
			out = append(out, [2]noise.Trial{freshTrial(t), freshTrial(head)})
		}
	}
	return out
}

func freshTrial(t report.FreshTrial) noise.Trial {
	if t.Passed {
		return noise.Trial{Value: 1, Lost: t.Lost}
	}
	return noise.Trial{Lost: t.Lost}
}

func (r *rerun) missing(asks []noise.Ask) (wants []Want) {
	for _, ask := range asks {
		p := r.cases[ask.SuiteID+"/"+ask.CaseID]
		next := max(p.base.Last(), p.head.Last()) + 1
		wants = append(wants, Want{Look: ask.Look, SuiteID: ask.SuiteID, CaseID: ask.CaseID, First: next, Last: next + ask.Rounds - 1})
	}
	return wants
}

// comparison is what the answers so far come to.
func (r *rerun) comparison() Comparison {
	c := r.c
	c.Ended = report.EndedOf(r.in.Head, r.base)
	finding := r.procedure.Finding()
	c.Noise = &finding
	c.suspects = map[string]report.Suspect{}
	if look := finding.Numbers.Confirm; look != nil {
		for _, s := range look.Suspects {
			c.suspects[s.SuiteID+"/"+s.CaseID] = s
		}
	}
	c.pairs = slices.Clone(c.pairs)
	for i, s := range c.pairs {
		told := *s
		told.cases = slices.Clone(s.cases)
		for k := range told.cases {
			told.cases[k].status = c.statusOf(r.procedure, s.id, told.cases[k].id())
		}
		c.pairs[i] = &told
	}
	return c.assembled()
}

// statusOf is what happened to a case. Only fresh answers make one regressed: what nobody could ask again is noise so far.
func (c Comparison) statusOf(p *noise.Procedure, suiteID, caseID string) report.Status {
	status := p.Status(suiteID, caseID)
	if status == report.Regressed && c.suspects[suiteID+"/"+caseID].State != report.SuspectConfirmed {
		return report.Flaky
	}
	return status
}
