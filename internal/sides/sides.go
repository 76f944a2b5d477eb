// Package sides reads both revisions of a run and the rules that apply to them.
package sides

import (
	"cmp"
	"errors"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// Sides holds both revisions of a run and the rules that apply to them.
type Sides struct {
	Inputs     Inputs
	Rules      *config.Config  // the effective configuration; nil after errors in files
	Changes    []config.Change // the head's differing settings
	Ruling     *source.Tree    // the tree of Rules
	Standing   judge.Standing
	BaseState  string // one of report.BaseStates; "" before the base is read
	BaseFaults []BaseFault
	Live       *live.Targets
	Base       *Side // nil: no base
	Head       *Side
	Scope      suite.Selection
	Asked      map[suite.Side][]*suite.Suite // suites to run
	Joined     Pairs                         // all suites
	own        *config.Config                // the head's own

	Judge    model.Client          // client of the judge; nil: no case has criteria
	Faults   []document.Diagnostic // of the head and the configuration; after an error nothing is run
	Warnings []report.Warning
}

func (r *Sides) at(at suite.Side) *Side {
	if at == suite.Base {
		return r.Base
	}
	return r.Head
}

// Read reads both sides and determines the rules, the suites to run and the judge. Faults has the errors in files;
// after one of them, nothing must be run. It returns a fault.Unreachable if a tree cannot be read.
func Read(in Inputs) (*Sides, error) {
	configs := readConfigs(in)
	if configs.wantResults(in) {
		return readRules(in, configs)
	}
	s, n := &Sides{Inputs: in, BaseFaults: configs.before}, notes{in.Warnings, configs.faults}
	if !document.HasErrors(n.faults) {
		s, n = readSides(in, configs, n)
	}
	if !document.HasErrors(n.faults) {
		s.own = configs.head
		some, more, err := s.narrowed()
		if err != nil {
			return s, err
		}
		n = n.and(some, more...)
	}
	document.Sort(n.faults)
	s.Faults, s.Warnings = n.faults, n.warnings
	if s.BaseState == "" {
		s.BaseState = Unread(in).BaseState
	}
	if err := errors.Join(in.Head.Err(), in.Base.Err(), in.Rules.Err(), in.Fallback.Err()); err != nil {
		return s, fault.Unreachable{Err: err}
	}
	return s, nil
}

// WithRecordings returns the sides with the recordings in head, a tree with otherwise unchanged files.
func (s *Sides) WithRecordings(head *source.Tree) (*Sides, error) {
	again := *s
	again.Inputs.Head = head
	var faults []document.Diagnostic
	again.Head, faults = OpenSide(head, s.Rules, s.Head.Suites, s.Live)
	_, more, err := again.narrowed()
	again.Faults = append(faults, more...)
	return &again, errors.Join(err, head.Err())
}

// narrowed determines the suites to run, binds their recordings and opens the judge.
func (s *Sides) narrowed() (some []report.Warning, faults []document.Diagnostic, err error) {
	s.inScope()
	if some, err = s.narrow(); err != nil {
		return nil, nil, err
	}
	s.bindRecordings(s.own)
	s.Judge, faults = s.OpenJudge(s.Asked[suite.Head], s.Asked[suite.Base])
	return some, append(faults, s.Head.spareAnswers()...), nil
}

// Unread returns the sides before any file is read.
func Unread(in Inputs) *Sides {
	s := &Sides{Inputs: in, BaseState: report.BaseCompared}
	if in.BaseRevision() == nil {
		s.BaseState = report.BaseNone
	}
	return s
}

// notes collects the warnings and diagnostics of reading.
type notes struct {
	warnings []report.Warning
	faults   []document.Diagnostic
}

func (n notes) and(warnings []report.Warning, faults ...document.Diagnostic) notes {
	return notes{slices.Concat(n.warnings, warnings), slices.Concat(n.faults, faults)}
}

// readSides determines the rules, reads both sides' suites, applies the base's rules to the head's, and opens their
// targets.
func readSides(in Inputs, configs configs, n notes) (*Sides, notes) {
	force := configs.resolve(in)
	rules, changes := in.cheaper(force.config), force.changes
	if n = n.and(nil, force.faults...); document.HasErrors(n.faults) {
		return &Sides{Inputs: in, Rules: rules, Changes: changes, BaseFaults: configs.before}, n.and(force.warnings)
	}
	var before baseFiles
	var suites []*suite.Suite
	var faults []document.Diagnostic
	readHead := func() { suites, faults = suite.Load(in.Head, rules, in.SuiteGlobs(rules.Suites)) }
	if in.Fork { // a fork's prompt files are limited by what the base uses
		before = readBase(in, configs, rules)
		rules = rules.Bounding(suite.BoundsOf(rules, before.suites))
		readHead()
	} else {
		together.Do(readHead, func() { before = readBase(in, configs, rules) })
	}
	// first run: the head's own rules apply, which the verdict mentions
	if before.state == report.BaseFirst {
		force = configs.adjust(in, effectiveConfig{config: config.Own(configs.head, in.newTargets())})
		rules, changes = in.cheaper(force.config), force.changes
		readHead()
	}
	held, more := before.applyBase(in, suites, rules)
	n, changes = n.and(force.warnings, more...), append(changes, held...)
	baseFaults := slices.Concat(configs.before, before.faults)
	if before.exists() {
		faults, warnings := configs.holdToRules(in, before.suites, suites)
		baseFaults, n = append(baseFaults, faults...), n.and(warnings)
	}
	in.setTrials(suites, rules)
	ruling := configs.ruling(in)
	changes = slices.Concat(changes, suite.IgnoredSettings(suites))

	live := NewTargets(in, rules)
	var head, base *Side
	var ofHead, ofBase []document.Diagnostic
	together.Do(func() { head, ofHead = OpenSide(in.Head, rules, suites, live) }, func() {
		if before.exists() {
			in.setTrials(before.suites, before.config)
			base, ofBase = OpenSide(in.Base, before.config, before.suites, live)
			base.Suites = base.withoutUnanswered(slices.Concat(before.diagnostics, ofBase))
		}
	})
	return &Sides{Inputs: in, Rules: rules, Changes: changes, Ruling: ruling, Standing: standingIn(ruling, rules),
			BaseState:  before.state,
			BaseFaults: append(baseFaults, faultsOf(in.Base, ofBase)...), Live: live, Base: base, Head: head},
		n.and(nil, slices.Concat(faults, ofHead)...)
}

// inScope determines the suites to run.
func (b *Sides) inScope() {
	scope := suite.Scope(b.Base.All(), b.Head.Suites, suite.Recordings{Answered: b.answeredOtherwise,
		Retargeted: b.retargeted(b.Rules)})
	if b.asksAll() {
		scope.LeftOut = 0
	}
	asked := map[suite.Side][]*suite.Suite{}
	for _, at := range []suite.Side{suite.Base, suite.Head} {
		for _, one := range b.at(at).All() {
			if b.asksAll() || scope.Has(at, one.ID) {
				asked[at] = append(asked[at], one)
			}
		}
	}
	b.Scope, b.Asked, b.Joined = scope, asked, b.Join()
}

// asksAll reports whether every suite runs, changed or not.
func (b *Sides) asksAll() bool { return b.Base == nil || b.Inputs.Scope == ScopeAll || b.Measuring() }

// Measuring reports whether the run measures noise: --trials is given, and both sides are one commit or one folder.
// Then all suites run, separately on each side.
func (b *Sides) Measuring() bool {
	if b.Inputs.Trials <= 0 || b.Base == nil {
		return false
	}
	base, head := b.Inputs.Base.Revision, b.Inputs.Head.Revision
	return base.SHA == head.SHA && (base.SHA != "" || base.Kind == head.Kind && base.Name == head.Name)
}

// setTrials sets the caller's number of trials for every live case.
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

// cheaper returns a configuration with the caller's limit of cost if that is lower.
func (in Inputs) cheaper(c *config.Config) *config.Config {
	if most := c.Limits.InForce().MaxCostUSD; in.MostCostUSD == 0 || in.MostCostUSD >= most {
		return c
	}
	lower := *c
	lower.Limits.MaxCostUSD = in.MostCostUSD
	return &lower
}
