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
	Changes    []config.Change // the settings in which the head differs from the rules
	Ruling     *source.Tree    // the tree that Rules was read from
	Standing   judge.Standing
	BaseState  string // one of report.BaseStates; "" before the base is read
	BaseFaults []BaseFault
	Live       *live.Targets
	Base       *Side // nil: no base
	Head       *Side
	Scope      suite.Selection
	Asked      map[suite.Side][]*suite.Suite // the suites to run, by side
	Joined     Pairs                         // the pairs of cases of all suites
	own        *config.Config                // the head's own configuration

	Judge    model.Client          // client of the judge; nil: no case has criteria
	Faults   []document.Diagnostic // of the head and the configuration; after an error nothing is run
	Warnings []report.Warning
}

// Read reads both sides and determines the rules, the suites to run and the judge. Errors in files are in Faults; after
// an error, nothing must be run. Read returns a fault.Unreachable if a tree cannot be read.
func Read(in Inputs) (*Sides, error) {
	c, s := readConfigs(in), Unread(in)
	s.BaseFaults, s.Faults, s.Warnings = c.before, c.faults, slices.Clip(in.Warnings)
	if c.wantResults() {
		readRules(s, c)
	} else if err := readSuites(s, c); err != nil {
		return s, err
	}
	document.Sort(s.Faults)
	if err := errors.Join(in.Head.Err(), in.Base.Err(), in.Rules.Err(), in.Fallback.Err()); err != nil {
		return s, fault.Unreachable{Err: err}
	}
	return s, nil
}

// readSuites reads both sides' suites and determines which of them run. If the files have errors, it stops and leaves
// the errors in s.Faults.
func readSuites(s *Sides, c configs) error {
	if !document.HasErrors(s.Faults) {
		s.own = c.head
		readSides(s, c)
	}
	if document.HasErrors(s.Faults) {
		return nil
	}
	some, faults, err := narrowed(s)
	s.Warnings, s.Faults = append(s.Warnings, some...), append(s.Faults, faults...)
	return err
}

// WithRecordings returns a copy of the sides that reads the head's recordings from head. All other files of that tree
// must be unchanged.
func (s *Sides) WithRecordings(head *source.Tree) (*Sides, error) {
	again := *s
	again.Inputs.Head = head
	var faults []document.Diagnostic
	again.Head, faults = OpenSide(head, s.Rules, s.Head.Suites, s.Live)
	_, more, err := narrowed(&again)
	again.Faults = append(faults, more...)
	return &again, errors.Join(err, head.Err())
}

// narrowed determines the suites and cases to run, binds the recordings and opens the judge.
func narrowed(s *Sides) (some []report.Warning, faults []document.Diagnostic, err error) {
	inScope(s)
	if some, err = narrow(s); err != nil {
		return nil, nil, err
	}
	bindRecordings(s, s.own)
	s.Judge, faults = s.OpenJudge(s.Asked[suite.Head], s.Asked[suite.Base])
	return some, append(faults, s.Head.spareAnswers()...), nil
}

// Unread returns the sides as they are before any file is read.
func Unread(in Inputs) *Sides {
	s := &Sides{Inputs: in, BaseState: report.BaseCompared}
	if in.BaseRevision() == nil {
		s.BaseState = report.BaseNone
	}
	return s
}

// readSides determines the rules and reads both sides' suites. It applies the base's rules to the head's suites, and
// opens the targets of both sides.
func readSides(s *Sides, c configs) {
	in, force := s.Inputs, c.resolve()
	s.Rules, s.Changes, s.Faults = in.cheaper(force.config), force.changes, append(s.Faults, force.faults...)
	if document.HasErrors(s.Faults) {
		s.Warnings = append(s.Warnings, force.warnings...)
		return
	}
	var before baseFiles
	var suites []*suite.Suite
	var ofSuites, ofHead, ofBase []document.Diagnostic
	readHead := func() { suites, ofSuites = suite.Load(in.Head, s.Rules, in.SuiteGlobs(s.Rules.Suites)) }
	if in.Fork { // a fork's prompt files may request only what the base uses
		before = readBase(c, s.Rules)
		s.Rules = s.Rules.Bounding(suite.BoundsOf(s.Rules, before.suites))
		readHead()
	} else {
		together.Do(readHead, func() { before = readBase(c, s.Rules) })
	}
	// In a first run the head's own rules apply, and the verdict says so.
	if s.BaseState = before.state; s.BaseState == report.BaseFirst {
		force = c.ownRules()
		s.Rules, s.Changes = in.cheaper(force.config), force.changes
		readHead()
	}
	rules, more := before.applyBase(in, suites, s.Rules)
	s.Warnings, s.Faults = append(s.Warnings, force.warnings...), append(s.Faults, more...)
	s.BaseFaults = slices.Concat(c.before, before.faults)
	if before.exists() {
		faults, warnings := c.holdToRules(before.suites, suites)
		s.BaseFaults, s.Warnings = append(s.BaseFaults, faults...), append(s.Warnings, warnings...)
	}
	in.setTrials(suites, s.Rules)
	s.Ruling = c.ruling()
	s.Standing = standingIn(s.Ruling, s.Rules)
	s.Changes = slices.Concat(s.Changes, rules, suite.IgnoredSettings(suites))

	s.Live = NewTargets(in, s.Rules)
	together.Do(func() { s.Head, ofHead = OpenSide(in.Head, s.Rules, suites, s.Live) }, func() {
		if before.exists() {
			in.setTrials(before.suites, before.config)
			s.Base, ofBase = OpenSide(in.Base, before.config, before.suites, s.Live)
			s.Base.Suites = s.Base.withoutUnanswered(slices.Concat(before.diagnostics, ofBase))
		}
	})
	s.BaseFaults = append(s.BaseFaults, faultsOf(in.Base, ofBase)...)
	s.Faults = slices.Concat(s.Faults, ofSuites, ofHead)
}

// inScope determines the suites to run. Usually these are the suites that the change affects. All suites run if there
// is no base, if the caller asks for all, or if the run measures noise.
func inScope(s *Sides) {
	s.Joined = s.Join()
	s.Scope = suite.Scope(s.Base.All(), s.Head.Suites, recordings(s))
	all := s.Base == nil || s.Inputs.Scope == ScopeAll || s.Measuring()
	if all {
		s.Scope.LeftOut = 0
	}
	s.Asked = map[suite.Side][]*suite.Suite{}
	for at, side := range map[suite.Side]*Side{suite.Base: s.Base, suite.Head: s.Head} {
		for _, one := range side.All() {
			if all || s.Scope.Has(at, one.ID) {
				s.Asked[at] = append(s.Asked[at], one)
			}
		}
	}
}

// Measuring reports whether the run measures noise. It does if --trials is given and both sides are the same commit or
// the same folder. Then all suites run, separately on each side.
func (b *Sides) Measuring() bool {
	if b.Inputs.Trials <= 0 || b.Base == nil {
		return false
	}
	base, head := b.Inputs.Base.Revision, b.Inputs.Head.Revision
	return base.SHA == head.SHA && (base.SHA != "" || base.Kind == head.Kind && base.Name == head.Name)
}

// setTrials sets the number of trials of every live case to the caller's number, within the caller's limit.
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
			for _, c := range one.Cases {
				c.Trials = wanted(c.Trials)
			}
		}
	}
}

// cheaper returns c with the caller's limit of cost if that is below the configured limit. Otherwise it returns c
// itself.
func (in Inputs) cheaper(c *config.Config) *config.Config {
	if limit := c.Limits.InForce().MaxCostUSD; in.MostCostUSD == 0 || in.MostCostUSD >= limit {
		return c
	}
	lower := *c
	lower.Limits.MaxCostUSD = in.MostCostUSD
	return &lower
}
