package run

import (
	"cmp"
	"errors"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// Plan is what a run asks and how it judges: both sides as they were read, and the rules in force. Its fields stand in the order in
// which they become known; Read ends where an error among the faults leaves nothing to go on with, and what follows is not known then.
type Plan struct {
	Inputs
	Faults   []document.Diagnostic // of the head and the configuration; where one is an error nothing is asked
	Warnings []report.Warning

	// The configurations say (read), and the suites may add to it (readSuites).
	rules      *config.Config // in force; nil where the files left that open
	changes    []config.Change
	baseFaults []beforeFault

	// The suites of both sides say (readSuites).
	baseState string       // one of report.BaseStates; "" where nothing was compared yet
	ruling    *source.Tree // in which the rules stand
	standing  judge.Standing
	live      *live
	revisions

	// Both sides together say (settleAsked).
	scope           suite.Selection
	asked           map[suite.Side][]*suite.Suite // the suites that are run
	desertedPrompts []string                      // prompts that the change edits and takes its suites away from
	unaskedPrompts  []string                      // prompts that the change edits or adds, and no suite asks
	joined          pairs                         // the suites of both sides
	telling         []compare.Told                // variables that the change begins to send, and that tell the answer
	redrawn         compare.Redrawn               // fresh answers in the head's recordings
	stale           map[[2]string]*staleCase      // recorded cases that are asked live, by suite and case
	judgeClient     model.Client                  // asks the judge; nil: no case has criteria
}

// revisions are both sides of a comparison.
type revisions struct {
	base *side // nil: nothing to compare with
	head *side
}

func (r revisions) at(at suite.Side) *side {
	if at == suite.Base {
		return r.base
	}
	return r.head
}

// Read reads both sides and settles whose rules hold and what is asked. The error is fault.Unreachable where a tree could not be
// read; what is wrong in files is in the plan's Faults.
func Read(in Inputs) (Plan, error) {
	p := read(in)
	if err := errors.Join(in.Head.Err(), in.Base.Err(), in.Rules.Err(), in.Fallback.Err()); err != nil {
		return p, fault.Unreachable{Err: err}
	}
	return p, nil
}

func read(in Inputs) Plan {
	p := Plan{Inputs: in, Warnings: in.Warnings}
	configs := readConfigs(in)
	p.Faults, p.baseFaults = configs.faults, configs.before
	if document.HasErrors(p.Faults) {
		return p
	}
	force := configs.resolve(in)
	p.rules, p.changes, p.Faults = in.cheaper(force.config), force.changes, append(p.Faults, force.faults...)
	if document.HasErrors(p.Faults) {
		p.Warnings = slices.Concat(p.Warnings, force.warnings)
		return p
	}
	p.readSuites(configs, force)
	document.Sort(p.Faults)
	if !document.HasErrors(p.Faults) {
		p.settleAsked(configs)
		document.Sort(p.Faults)
	}
	return p
}

// readSuites reads both sides' suites, holds the head's to the base's rules, and opens who answers them.
func (p *Plan) readSuites(configs configs, force inForce) {
	in := p.Inputs
	var before before
	var suites []*suite.Suite
	var faults []document.Diagnostic
	readHead := func() { suites, faults = suite.Load(in.Head, p.rules, in.globs(p.rules.Suites)) }
	if in.Fork { // whose prompt files ask for what the base names
		before = readBase(in, configs, p.rules)
		p.rules = p.rules.Bounding(suite.BoundsOf(p.rules, before.suites))
		readHead()
	} else {
		together.Do(readHead, func() { before = readBase(in, configs, p.rules) })
	}
	p.baseState, p.baseFaults = before.state, append(p.baseFaults, before.faults...)
	if before.state == report.BaseFirst { // nobody has agreed to any rules before, which is said with the verdict: the head's own hold
		force = configs.settle(in, inForce{config: config.Own(configs.head, in.newTargets())})
		p.rules, p.changes = in.cheaper(force.config), force.changes
		readHead()
	}
	p.Warnings = slices.Concat(p.Warnings, force.warnings)
	changes, more := before.hold(in, suites, p.rules)
	p.changes, p.Faults = append(p.changes, changes...), append(p.Faults, more...)
	if before.exists() {
		more, warnings := configs.holdToRules(in, before.suites, suites)
		p.baseFaults, p.Warnings = append(p.baseFaults, more...), append(p.Warnings, warnings...)
	}
	in.setTrials(suites, p.rules)
	p.ruling = configs.ruling(in)
	p.standing = standingIn(p.ruling, p.rules)
	p.changes = slices.Concat(p.changes, suite.Held(suites), p.modelChanges())

	p.live = newLive(in, p.rules)
	if before.exists() {
		in.setTrials(before.suites, before.config)
		base, more := open(in.Base, before.config, before.suites, p.live)
		base.suites = base.withoutUnanswered(slices.Concat(before.diagnostics, more))
		p.base, p.baseFaults = base, append(p.baseFaults, faultsOf(in.Base, more)...)
	}
	p.head, more = open(in.Head, p.rules, suites, p.live)
	p.Faults = slices.Concat(p.Faults, faults, more)
}

// settleAsked settles which suites are asked, and which of their cases live.
func (p *Plan) settleAsked(configs configs) {
	p.scope = suite.Scope(p.base.all(), p.head.suites, suite.Recordings{Answered: p.answeredOtherwise, Retargeted: p.retargeted(p.rules)})
	if p.asksAll() {
		p.scope.LeftOut = 0
	}
	p.asked = p.inScope()
	var left []report.Warning
	p.desertedPrompts, left = p.deserted()
	p.Warnings = append(p.Warnings, left...)
	p.unaskedPrompts = p.unasked()
	p.joined = p.pairs()
	p.telling = p.told()
	p.redrawn = p.bindRecordings(configs.head)
	p.Warnings = append(p.Warnings, p.gone()...)
	var warnings []report.Warning
	var recorded, judge []document.Diagnostic
	p.stale, p.revisions, warnings, recorded = p.askRecorded()
	p.judgeClient, judge = p.openJudge(p.asked[suite.Head], p.asked[suite.Base])
	p.Warnings, p.Faults = append(p.Warnings, warnings...), slices.Concat(p.Faults, recorded, judge)
}

// asksAll reports whether every suite is run, touched or not.
func (p Plan) asksAll() bool { return p.base == nil || p.Scope == ScopeAll || p.measuring() }

// inScope are the suites that are run on each side.
func (p Plan) inScope() map[suite.Side][]*suite.Suite {
	out := map[suite.Side][]*suite.Suite{}
	for _, at := range []suite.Side{suite.Base, suite.Head} {
		for _, one := range p.at(at).all() {
			if p.asksAll() || p.scope.Has(at, one.ID) {
				out[at] = append(out[at], one)
			}
		}
	}
	return out
}

// measuring reports a run that compares a revision with itself to learn how noisy its targets are: --trials is given, and
// both sides are one commit or one folder. Then all suites are asked, and each side for itself.
func (p Plan) measuring() bool {
	if p.Trials <= 0 || p.base == nil {
		return false
	}
	a, b := p.Base.Revision, p.Head.Revision
	return a.SHA == b.SHA && (a.SHA != "" || a.Kind == b.Kind && a.Name == b.Name)
}

// apart makes equal questions of both sides two questions: what is measured is how unlike their answers are.
func apart(target func(name string) evaluate.Target) func(name string) evaluate.Target {
	return func(name string) evaluate.Target {
		t := target(name)
		t.Where = "the same revision again: " + t.Where
		return t
	}
}

// setTrials gives every case of a live target the number of answers that the caller wants.
func (in Inputs) setTrials(suites []*suite.Suite, c *config.Config) {
	wanted := func(trials int) int {
		if trials = cmp.Or(in.Trials, trials); in.MostTrials > 0 {
			return min(trials, in.MostTrials)
		}
		return trials
	}
	for _, one := range suites {
		if c.Targets[one.Target].Live() {
			one.Trials = wanted(one.Trials)
			for c := range one.Cases.All() {
				if n := wanted(c.Trials); n != c.Trials {
					c.Trials = n
					one.Cases.Set(c)
				}
			}
		}
	}
}

// cheaper is a configuration with the limit of cost that the caller wants, where that is the lower one.
func (in Inputs) cheaper(c *config.Config) *config.Config {
	if most := c.Limits.InForce().MaxCostUSD; in.MostCostUSD == 0 || in.MostCostUSD >= most {
		return c
	}
	lower := *c
	lower.Limits.MaxCostUSD = in.MostCostUSD
	return &lower
}
