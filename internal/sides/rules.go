package sides

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// configured is a tree from before the head with its configuration.
type configured struct {
	tree    *source.Tree
	own     *config.Config // nil: it has none that can be read
	dropped []string       // the entries that have a fault
}

// configs are the configurations of what is compared.
type configs struct {
	head   *config.Config // the head's own; nil: it has none
	base   *configured    // nil: there is no base
	rules  *configured    // whose rules hold: the base, unless another tree was named; nil: the head's own
	faults []document.Diagnostic
	before []BaseFault
}

// readConfigs reads the configurations. If the side whose rules hold has none it gets the default branch's. A base
// without one gets the rules', and so does a head whose base had none.
func readConfigs(in Inputs) (c configs) {
	c.head, c.faults = ReadConfig(in.Head, in.Config)
	c.readBefore(in)
	if c.head == nil && !document.HasErrors(c.faults) {
		c.inheritHead(in)
	}
	if in.Config == "" && c.rules != nil {
		if fault, found := config.Shadows(c.rules.tree, in.Head); found { // it would take the place of the base's
			c.faults = append(c.faults, fault)
		}
	}
	return c
}

// readBefore reads the configurations of the base and of the side whose rules hold.
func (c *configs) readBefore(in Inputs) {
	if in.Base != nil {
		base, faults := in.configBefore(in.Base)
		c.base, c.rules, c.before = &base, &base, faults
	}
	if in.Rules != nil {
		rules, faults := in.configBefore(in.Rules)
		c.rules, c.before = &rules, append(c.before, faults...)
	}
	if c.rules != nil && in.Fallback != nil && !HasConfig(c.rules.tree, in.Config) {
		read, faults := in.configBefore(in.Fallback)
		c.rules.own, c.rules.dropped, c.before = read.own, read.dropped, append(c.before, faults...)
	}
	if c.base != nil && !HasConfig(c.base.tree, in.Config) {
		c.base.own = c.rules.own
	}
}

// inheritHead gives a head without a configuration the one in force, or the usual settings if it only brings results.
// Otherwise its absence is a fault.
func (c *configs) inheritHead(in Inputs) {
	switch {
	case c.base != nil && c.rules.own != nil && !HasConfig(c.base.tree, in.Config):
		c.head = c.rules.own
	case in.Results != nil && (c.rules == nil || c.rules.own == nil):
		c.head = config.Default()
	default:
		c.faults = append(c.faults, c.missing(in))
	}
}

// configBefore reads the configuration of a tree that is not the head, entry by entry.
func (in Inputs) configBefore(tree *source.Tree) (configured, []BaseFault) {
	path, found := configIn(tree, in.Config)
	if !found {
		return configured{tree: tree}, nil
	}
	read := config.Salvage(tree, path)
	return configured{tree, read.Config, read.Dropped}, faultsOf(tree, read.Faults)
}

// missing is the fault of a head without a configuration.
func (c configs) missing(in Inputs) document.Diagnostic {
	if c.rules == nil {
		return notFound(in.Head, in.Config)
	}
	lost, had := configIn(c.rules.tree, in.Config) // be it one that does not parse
	if c.rules.own != nil {
		lost, had = c.rules.own.Path, true // or the default branch's
	}
	if !had {
		return notFound(in.Head, in.Config)
	}
	return noConfiguration(lost, "the base has this configuration and the head has none; a gate cannot be removed "+
		"by the change it judges: put the file back")
}

// ruling is the tree that the configuration in force stands in.
func (c configs) ruling(in Inputs) *source.Tree {
	switch {
	case c.rules == nil || c.rules.own == nil:
		return in.Head
	case !HasConfig(c.rules.tree, in.Config) && in.Fallback != nil:
		return in.Fallback
	}
	return c.rules.tree
}

// hasRules reports whether the side whose rules hold, or the default branch for it, has a configuration, even with
// faults.
func (c configs) hasRules(in Inputs) bool {
	return HasConfig(c.rules.tree, in.Config) || in.hasFallback()
}

func (in Inputs) hasFallback() bool { return in.Fallback != nil && HasConfig(in.Fallback, in.Config) }

// newTargets says whether live targets are asked that nothing but the head's configuration names.
func (in Inputs) newTargets() config.NewTargets {
	return config.NewTargets(in.Bootstrap && !in.Fork && !in.hasFallback())
}

// Effective returns the configuration that a run uses, and its tree; neither if the files have errors.
func Effective(in Inputs) (*config.Config, *source.Tree, []document.Diagnostic) {
	read := readConfigs(in)
	if document.HasErrors(read.faults) {
		return nil, nil, read.faults
	}
	force := read.resolve(in)
	return force.config, read.ruling(in), slices.Concat(read.faults, force.faults)
}

// inForce is the configuration that holds, and what the head wanted otherwise.
type inForce struct {
	config   *config.Config
	changes  []config.Change
	faults   []document.Diagnostic
	warnings []report.Warning
}

// resolve settles whose configuration is in force.
func (c configs) resolve(in Inputs) (r inForce) {
	switch {
	case c.rules == nil: // there is nothing that the head could have changed
		r.config = config.Own(c.head, in.newTargets())
	case c.rules.own == nil:
		r.config, r.changes = config.First(c.head, in.newTargets())
	default:
		r.config, r.changes, r.faults = config.Resolve(c.rules.own, c.head, in.Fork)
		// what the rules have become since is no wish of the head
		if c.rules != c.base && c.base != nil && c.base.own != nil {
			_, r.changes, _ = config.Resolve(c.base.own, c.head, in.Fork)
		}
		if in.Config == "" {
			r.changes = append(r.changes, config.PathChange(c.rules.tree, in.Head)...)
		}
	}
	if in.Stored != nil {
		r.config, r.changes = r.config.HeldTo(in.Stored.Rules())
	}
	return c.adjust(in, r)
}

// adjust adds the settings that depend on the change's author, the time, and the caller. It warns of expired
// quarantines.
func (c configs) adjust(in Inputs, r inForce) inForce {
	r = c.stricterWhereFaulty(in, r)
	r.config.Gate = r.config.Gate.For(in.Fork)
	if c.rules != nil && c.rules.own == nil { // nobody has agreed yet that nothing fails
		r.config.Gate.FailOn = config.FailOnError
	}
	in.override(r.config)
	r.warnings = in.endQuarantines(r.config)
	return r
}

// stricterWhereFaulty holds the head to its own gate if that is stricter than the default that replaces a faulty entry
// of the rules.
func (c configs) stricterWhereFaulty(in Inputs, r inForce) inForce {
	if c.rules == nil || c.head == nil {
		return r
	}
	dropped := c.rules.dropped
	if c.rules.own == nil && c.hasRules(in) { // nothing of them can be told
		dropped = nil
	} else if len(dropped) == 0 {
		return r
	}
	var taken []string
	r.config.Gate, taken = r.config.Gate.Stricter(c.head.Gate, dropped)
	for i, change := range r.changes {
		r.changes[i].InForce = change.InForce || slices.Contains(taken, change.Key)
	}
	return r
}

// override applies the settings of the run's caller, which no file of the change holds.
func (in Inputs) override(c *config.Config) {
	if in.Phase != "" {
		c.Phase = config.Phase(in.Phase)
		if !c.Gate.At(config.MinRunScore).Set {
			c.Gate.Settings[config.MinRunScore].Value = c.Phase.Bar()
		}
	}
	if in.MinScore != nil {
		c.Gate.Settings[config.MinRunScore] = config.Setting{Value: *in.MinScore, Level: config.Err, Set: true}
	}
}

// endQuarantines removes expired quarantines from the gate, with a warning.
func (in Inputs) endQuarantines(c *config.Config) (warnings []report.Warning) {
	var expired []config.Quarantine
	c.Gate, expired = c.Gate.On(in.Time().Format(time.DateOnly))
	for _, q := range expired {
		suiteID, caseID := "", q.ID
		if at := strings.LastIndexByte(q.ID, '/'); at > 0 {
			suiteID, caseID = q.ID[:at], q.ID[at+1:]
		}
		warnings = append(warnings, report.Warning{Code: "quarantine_expired", SuiteID: suiteID, CaseID: caseID,
			Path: c.Path, Line: q.Pos.Line,
			Message: fmt.Sprintf("the quarantine of %s ended on %s (%s); the case is judged again",
				q.ID, q.Expires, q.Reason)})
	}
	return warnings
}

// baseConfig returns the configuration that the base's files are read by: its own, judged by the rules in force.
func (c configs) baseConfig(in Inputs, effective *config.Config) *config.Config {
	own := effective
	if c.rules.own != nil && c.base.own != nil {
		own = c.base.own.JudgedBy(c.rules.own)
	}
	in.override(own)
	return own
}

// warnRules is the code of a warning that the compared commit and the one that sets the rules differ in their rules.
const warnRules = "rules_differ"

// holdToRules applies weights, thresholds, trials and must-pass marks of the tree whose rules are effective to the
// suites of both sides. If that tree is not the base and the base had other rules, it adds a warning.
func (c configs) holdToRules(in Inputs, base, head []*suite.Suite) ([]BaseFault, []report.Warning) {
	if c.rules == c.base || c.rules.own == nil {
		return nil, nil
	}
	rules, lost, faults := suite.LoadBase(c.rules.tree, c.rules.own, in.SuiteGlobs(c.rules.own.Suites))
	suite.ApplyBase(rules, head)
	suite.ApplyLost(lost, head)
	changes := append(configChanges(c.rules.own, c.base.own), suite.ApplyBase(rules, base)...)
	changes = append(changes, suite.MustPassBy(rules, base, head)...)
	lacking := faultsOf(c.rules.tree, faults)
	if len(changes) == 0 {
		return lacking, nil
	}
	return lacking, []report.Warning{{Code: warnRules,
		Message: fmt.Sprintf("the rules are those of %s, and other than at the merge base with it: %s",
			c.rules.tree.Revision.Name, strings.Join(keysOf(changes), ", "))}}
}

// configChanges lists in what two configurations differ, as far as it sets rules.
func configChanges(ours, theirs *config.Config) []config.Change {
	_, changes, _ := config.Resolve(ours, theirs, true) // as from a fork, of which nothing is taken over
	return slices.DeleteFunc(changes, func(c config.Change) bool { return c.InForce })
}

func keysOf(changes []config.Change) []string {
	keys := make([]string, len(changes))
	for i, c := range changes {
		keys[i] = c.Key
	}
	return keys
}

// RulesChanged lists the keys of rules in which two trees differ: the configuration and, of suites that both have,
// weight, threshold, trials and whatever else a head takes from its base. Comments, formatting and the cases themselves
// are no rules.
func RulesChanged(in Inputs, then, now *source.Tree) []string {
	before, _ := in.configBefore(then)
	after, _ := in.configBefore(now)
	if before.own == nil && after.own == nil {
		return nil
	}
	if before.own == nil || after.own == nil {
		return []string{"configuration"}
	}
	changes := append(configChanges(before.own, after.own), configChanges(after.own, before.own)...)
	ours, _, _ := suite.LoadBase(then, before.own, in.SuiteGlobs(before.own.Suites))
	theirs, _, _ := suite.LoadBase(now, after.own, in.SuiteGlobs(after.own.Suites))
	keys := keysOf(append(changes, suite.ApplyBase(ours, theirs)...))
	slices.Sort(keys)
	return slices.Compact(keys)
}
