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
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// Plan is what a run asks and how it judges. Read makes it in three steps, and each adds what it finds out to the value of the one before: bothSides,
// inScope, Plan. Where an error among the faults leaves nothing to go on with, what follows is not known.
type Plan struct {
	inScope
	Faults   []document.Diagnostic // of the head and the configuration; where one is an error nothing is asked
	Warnings []report.Warning

	desertedPrompts []string                 // prompts that the change edits and takes its suites away from
	unaskedPrompts  []string                 // prompts that the change edits or adds, and no suite asks
	telling         []gate.Leak              // variables that the change begins to send, and that tell the answer
	redrawn         compare.Redrawn          // fresh answers in the head's recordings
	stale           map[[2]string]*staleCase // recorded cases that are asked live, by suite and case
	judgeClient     model.Client             // asks the judge; nil: no case has criteria
}

// inScope are the suites of both sides that are run.
type inScope struct {
	bothSides
	scope  suite.Selection
	asked  map[suite.Side][]*suite.Suite
	joined pairs // all suites, run or not
}

// bothSides are the two sides as their files say, and the rules that hold for them.
type bothSides struct {
	Inputs
	rules      *config.Config  // in force; nil where the files left that open
	changes    []config.Change // that the head wants of them
	ruling     *source.Tree    // in which they stand
	standing   judge.Standing
	baseState  string // one of report.BaseStates; "" before the base is read
	baseFaults []beforeFault
	live       *live
	revisions
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
	configs := readConfigs(in)
	sides, n := bothSides{Inputs: in, baseFaults: configs.before}, notes{in.Warnings, configs.faults}
	if !document.HasErrors(n.faults) {
		sides, n = readSides(in, configs, n)
	}
	if document.HasErrors(n.faults) {
		document.Sort(n.faults)
		p := unread(sides)
		p.Faults, p.Warnings = n.faults, n.warnings
		return p
	}
	return sides.inScope().plan(configs.head, n)
}

// unread is a plan of which no more is known. What there would be to compare with, the inputs say.
func unread(b bothSides) Plan {
	if b.baseState == "" && b.baseRevision() == nil {
		b.baseState = report.BaseNone
	} else if b.baseState == "" {
		b.baseState = report.BaseCompared
	}
	return Plan{inScope: inScope{bothSides: b}}
}

// notes are what is said of the files on the way.
type notes struct {
	warnings []report.Warning
	faults   []document.Diagnostic
}

func (n notes) and(warnings []report.Warning, faults ...document.Diagnostic) notes {
	return notes{slices.Concat(n.warnings, warnings), slices.Concat(n.faults, faults)}
}

// readSides settles whose rules hold, reads both sides' suites, holds the head's to the base's rules, and opens who answers them.
func readSides(in Inputs, configs configs, n notes) (bothSides, notes) {
	force := configs.resolve(in)
	rules, changes := in.cheaper(force.config), force.changes
	if n = n.and(nil, force.faults...); document.HasErrors(n.faults) {
		return bothSides{Inputs: in, rules: rules, changes: changes, baseFaults: configs.before}, n.and(force.warnings)
	}
	var before before
	var suites []*suite.Suite
	var faults []document.Diagnostic
	readHead := func() { suites, faults = suite.Load(in.Head, rules, in.globs(rules.Suites)) }
	if in.Fork { // whose prompt files ask for what the base names
		before = readBase(in, configs, rules)
		rules = rules.Bounding(suite.BoundsOf(rules, before.suites))
		readHead()
	} else {
		together.Do(readHead, func() { before = readBase(in, configs, rules) })
	}
	if before.state == report.BaseFirst { // nobody has agreed to any rules before, which is said with the verdict: the head's own hold
		force = configs.settle(in, inForce{config: config.Own(configs.head, in.newTargets())})
		rules, changes = in.cheaper(force.config), force.changes
		readHead()
	}
	held, more := before.hold(in, suites, rules)
	n, changes = n.and(force.warnings, more...), append(changes, held...)
	baseFaults := slices.Concat(configs.before, before.faults)
	if before.exists() {
		faults, warnings := configs.holdToRules(in, before.suites, suites)
		baseFaults, n = append(baseFaults, faults...), n.and(warnings)
	}
	in.setTrials(suites, rules)
	ruling := configs.ruling(in)
	changes = slices.Concat(changes, suite.Held(suites), in.modelChanges(rules, ruling))

	live := newLive(in, rules)
	var head, base *side
	var ofHead, ofBase []document.Diagnostic
	together.Do(func() { head, ofHead = open(in.Head, rules, suites, live) }, func() {
		if before.exists() {
			in.setTrials(before.suites, before.config)
			base, ofBase = open(in.Base, before.config, before.suites, live)
			base.suites = base.withoutUnanswered(slices.Concat(before.diagnostics, ofBase))
		}
	})
	return bothSides{Inputs: in, rules: rules, changes: changes, ruling: ruling, standing: standingIn(ruling, rules), baseState: before.state,
		baseFaults: append(baseFaults, faultsOf(in.Base, ofBase)...), live: live, revisions: revisions{base, head}}, n.and(nil, slices.Concat(faults, ofHead)...)
}

// inScope settles which suites are run.
func (b bothSides) inScope() inScope {
	scope := suite.Scope(b.base.all(), b.head.suites, suite.Recordings{Answered: b.answeredOtherwise, Retargeted: b.retargeted(b.rules)})
	if b.asksAll() {
		scope.LeftOut = 0
	}
	asked := map[suite.Side][]*suite.Suite{}
	for _, at := range []suite.Side{suite.Base, suite.Head} {
		for _, one := range b.at(at).all() {
			if b.asksAll() || scope.Has(at, one.ID) {
				asked[at] = append(asked[at], one)
			}
		}
	}
	return inScope{b, scope, asked, b.pairs()}
}

// plan settles which cases are asked live, and who judges, and looks for what the suites do not judge. own is the head's configuration.
func (s inScope) plan(own *config.Config, n notes) Plan {
	deserted, left := s.deserted()
	unasked, telling := s.unasked(), s.told()
	redrawn := s.bindRecordings(own)
	gone := s.gone()
	stale, sides, notAsked, recorded := s.askRecorded()
	judge, faults := s.openJudge(s.asked[suite.Head], s.asked[suite.Base])
	n = n.and(slices.Concat(left, gone, notAsked), slices.Concat(recorded, faults)...)
	document.Sort(n.faults)
	s.revisions = sides
	return Plan{inScope: s, Faults: n.faults, Warnings: n.warnings, desertedPrompts: deserted, unaskedPrompts: unasked, telling: telling, redrawn: redrawn,
		stale: stale, judgeClient: judge}
}

// asksAll reports whether every suite is run, touched or not.
func (b bothSides) asksAll() bool { return b.base == nil || b.Scope == ScopeAll || b.measuring() }

// measuring reports a run that compares a revision with itself to learn how noisy its targets are: --trials is given, and
// both sides are one commit or one folder. Then all suites are asked, and each side for itself.
func (b bothSides) measuring() bool {
	if b.Trials <= 0 || b.base == nil {
		return false
	}
	base, head := b.Base.Revision, b.Head.Revision
	return base.SHA == head.SHA && (base.SHA != "" || base.Kind == head.Kind && base.Name == head.Name)
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
