// Package sides reads both revisions of a run and the rules that apply to them.
package sides

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
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
	RulesTree  *source.Tree    // the tree that Rules was read from
	Standing   judge.Standing
	BaseState  string // one of report.BaseStates; "" before the base is read
	BaseFaults []BaseFault
	Live       *live.Targets
	Base       *Side // nil: no base
	Head       *Side
	Scope      suite.Selection
	Selected   map[suite.Side][]*suite.Suite // the suites to run, by side
	Pairs      Pairs                         // the pairs of cases of all suites
	Results    []Results                     // of another runner, judged instead of suites; see HasResults
	headConfig *config.Config                // the head's own configuration

	Judge    model.Client          // client of the judge; nil: no case has criteria
	Faults   []document.Diagnostic // of the head and the configuration; after an error nothing is run
	Warnings []report.Warning
}

// Read reads both sides and determines the rules, the suites to run and the judge. Errors in files are in Faults; after
// an error, nothing must be run. Read returns a fault.Unreachable if a tree cannot be read, and a fault.Input if
// results of another runner cannot be opened.
func Read(in Inputs) (*Sides, error) {
	c, s := readConfigs(in), New(in)
	s.BaseFaults, s.Faults, s.Warnings = c.baseFaults, c.faults, slices.Clip(in.Warnings)
	if !document.HasErrors(s.Faults) {
		s.setRules(c.resolve())
	}
	read := readSuites
	if s.HasResults() {
		read = readResults
	}
	if err := read(s, c); err != nil {
		return s, err
	}
	document.Sort(s.Faults)
	return s, in.TreeError()
}

// TreeError returns a fault.Unreachable if a tree could not be read so far.
func (in Inputs) TreeError() error {
	if err := errors.Join(in.Head.Err(), in.Base.Err(), in.Rules.Err(), in.Fallback.Err()); err != nil {
		return fault.Unreachable{Err: err}
	}
	return nil
}

// readSuites reads both sides' suites and determines which of them run. If the files have errors, it stops and leaves
// the errors in s.Faults.
func readSuites(s *Sides, c configs) error {
	if document.HasErrors(s.Faults) {
		return nil
	}
	s.headConfig = c.head
	if readSides(s, c); document.HasErrors(s.Faults) {
		return nil
	}
	some, faults, err := selectAndBind(s)
	s.Warnings, s.Faults = append(s.Warnings, some...), append(s.Faults, faults...)
	isLive := func(one *suite.Suite) bool { return s.Head.IsLive(one.Target) }
	if s.Inputs.Trials > 0 && !slices.ContainsFunc(s.Selected[suite.Head], isLive) {
		s.Warnings = append(s.Warnings, report.Warning{Code: "trials_unused",
			Message: "--trials has no effect: it is for suites with a live target, and none of them runs"})
	}
	return err
}

// WithRecordings returns a copy of the sides that reads the head's recordings from head. All other files of that tree
// must be unchanged.
func (s *Sides) WithRecordings(head *source.Tree) (*Sides, error) {
	again := *s
	again.Inputs.Head = head
	var faults []document.Diagnostic
	again.Head, faults = OpenSide(head, s.Rules, s.Head.Suites, s.Live, s.Head)
	_, more, err := selectAndBind(&again)
	again.Faults = append(faults, more...)
	return &again, errors.Join(err, head.Err())
}

// selectAndBind determines the suites and cases to run, binds the recordings and opens the judge.
func selectAndBind(s *Sides) (some []report.Warning, faults []document.Diagnostic, err error) {
	setScope(s)
	if some, err = selectCases(s); err != nil {
		return nil, nil, err
	}
	bindRecordings(s, s.headConfig)
	s.Judge, faults = s.OpenJudge(s.Selected[suite.Head], s.Selected[suite.Base])
	return some, append(faults, s.Head.unusedAnswers()...), nil
}

// New returns the sides as they are before any file is read.
func New(in Inputs) *Sides {
	s := &Sides{Inputs: in, BaseState: report.BaseCompared}
	if in.baseRevision() == nil {
		s.BaseState = report.BaseNone
	}
	return s
}

// readSides reads both sides' suites, and determines the rules of a first run. It applies the base's rules to the
// head's suites, and opens the targets of both sides.
func readSides(s *Sides, c configs) {
	in := s.Inputs
	var base baseFiles
	var suites []*suite.Suite
	var suiteFaults, headFaults, baseFaults []document.Diagnostic
	lines := new(suite.LineFiles)
	readHead := func() { suites, suiteFaults = lines.Load(in.Head, s.Rules, in.SuiteGlobs(s.Rules.Suites)) }
	if in.Fork { // a fork's prompt files may request only what the base uses
		base = readBase(c, s.Rules, lines)
		bounded := *s.Rules
		bounded.PromptBounds = suite.NewPromptBounds(s.Rules, base.suites)
		s.Rules = &bounded
		readHead()
	} else {
		together.Do(readHead, func() { base = readBase(c, s.Rules, lines) })
	}
	lacksSuite := func(d document.Diagnostic) bool { return d.Rule == suite.RuleNoSuites && d.Severity == document.Error }
	if c.base != nil && c.head == c.rules.config && slices.ContainsFunc(suiteFaults, lacksSuite) {
		suiteFaults = append(slices.DeleteFunc(suiteFaults, lacksSuite), olderError(c.rules.from))
	}
	// In a first run the head's own rules apply, and the verdict says so.
	if s.BaseState = base.state; s.BaseState == report.BaseFirst {
		s.setRules(c.firstRunRules())
		readHead()
	}
	both := suite.Join(base.suites, suites)
	baseChanges, more := base.applyBase(in, both, s.Rules)
	s.Faults = append(s.Faults, more...)
	s.BaseFaults = slices.Concat(c.baseFaults, base.faults)
	if base.exists() {
		faults, warnings := c.applyRules(both)
		s.BaseFaults, s.Warnings = append(s.BaseFaults, faults...), append(s.Warnings, warnings...)
	}
	in.setTrials(suites, s.Rules)
	s.RulesTree = c.rulesTree()
	s.Standing = readStanding(s.RulesTree, s.Rules)
	s.Changes = slices.Concat(s.Changes, baseChanges, suite.IgnoredSettings(suites))

	s.Live = NewTargets(in, s.Rules)
	if base.exists() {
		in.setTrials(base.suites, base.config)
		s.Base, baseFaults = OpenSide(in.Base, base.config, base.suites, s.Live, nil)
		s.Base.Suites = s.Base.withoutUnanswered(slices.Concat(base.diagnostics, baseFaults))
	}
	s.Head, headFaults = OpenSide(in.Head, s.Rules, suites, s.Live, s.Base)
	s.BaseFaults = append(s.BaseFaults, faultsOf(in.Base, baseFaults)...)
	s.Faults = slices.Concat(s.Faults, suiteFaults, headFaults)
	s.Pairs = NewPairs(both.Matches, s.Base, s.Head)
}

// setScope determines the suites to run. Usually these are the suites that the change affects. All suites run if there
// is no base, if the caller asks for all, or if the run measures noise.
func setScope(s *Sides) {
	both := suite.Pairing{Matches: s.Pairs.Matches, Bases: s.Base.All(), Heads: s.Head.Suites}
	s.Scope = suite.Scope(both, recordings(s.Base, s.Head))
	all := s.Base == nil || s.Inputs.Scope == ScopeAll || s.MeasuresNoise()
	if all {
		s.Scope.OutOfScope = 0
	}
	s.Selected = map[suite.Side][]*suite.Suite{}
	for at, side := range map[suite.Side]*Side{suite.Base: s.Base, suite.Head: s.Head} {
		for _, one := range side.All() {
			if all || s.Scope.Has(at, one.ID) {
				s.Selected[at] = append(s.Selected[at], one)
			}
		}
	}
}

// MeasuresNoise reports whether the run measures noise. It does if --trials is given and both sides are the same commit
// or the same folder. Then all suites run, separately on each side.
func (s *Sides) MeasuresNoise() bool {
	if s.Inputs.Trials <= 0 || s.Base == nil {
		return false
	}
	base, head := s.Inputs.Base.Revision, s.Inputs.Head.Revision
	return base.SHA == head.SHA && (base.SHA != "" || base.Kind == head.Kind && base.Name == head.Name)
}

// setTrials sets the number of trials of every live case to the caller's number, within the caller's limit.
func (in Inputs) setTrials(suites []*suite.Suite, c *config.Config) {
	wanted := func(trials int) int {
		if trials = cmp.Or(in.Trials, trials); in.MaxTrials > 0 {
			return min(trials, in.MaxTrials)
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

// setRules sets the rules that apply, and adds the errors and warnings about them.
func (s *Sides) setRules(e effectiveConfig) {
	s.Rules, s.Changes = e.config, e.changes
	s.Faults, s.Warnings = append(s.Faults, e.faults...), append(s.Warnings, e.warnings...)
}

// NewReport returns a report of the compared revisions, still without results. It records the current time as the end
// of the run.
func (s *Sides) NewReport(started time.Time) *report.Report {
	return &report.Report{
		SchemaVersion: report.SchemaVersion,
		Tool:          report.Tool{Name: "failproof", Version: s.Inputs.Version},
		Run: report.Run{
			ID: s.Inputs.RunID, StartedAt: Timestamp(started), FinishedAt: Timestamp(s.Inputs.Time()),
			Scope: s.Inputs.Scope, BaseState: s.BaseState,
			Head: Revision(s.Inputs.Head.Revision), Base: s.Inputs.baseRevision(),
		},
		PolicyChanges: s.Changes,
		Warnings:      slices.Clone(s.Warnings),
		Diagnostics:   s.Faults,
	}
}

// Redactor returns a redactor that hides the run's secrets and what the configured patterns match.
func (s *Sides) Redactor() *redact.Redactor {
	if s.Rules == nil {
		return redact.New(s.Inputs.Secrets, nil)
	}
	hide := redact.New(s.Secrets(), s.Rules.RedactPatterns)
	if s.Live == nil {
		return hide
	}
	return hide.WithLearned(s.Live.LearnedKeys)
}

// Secrets returns the values that no output may contain: the caller's secrets, and the keys of targets and embeddings.
// The base's targets may have other keys than those of the rules, which can be newer.
func (s *Sides) Secrets() []string {
	values := append([]string{}, s.Inputs.Secrets...)
	variables, configs := s.Rules.Semantic.AsTarget().EnvVars(), []*config.Config{s.Rules}
	if s.Base != nil {
		configs = append(configs, s.Base.Config)
	}
	for _, c := range configs {
		for _, name := range slices.Sorted(maps.Keys(c.Targets)) {
			variables = append(variables, c.Targets[name].EnvVars()...)
		}
	}
	for _, variable := range variables {
		values = append(values, strings.TrimSpace(s.Inputs.Getenv(variable)))
	}
	return values
}
