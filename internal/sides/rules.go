package sides

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// treeConfig is a tree with its configuration. The tree is the base, or the tree whose rules apply.
type treeConfig struct {
	tree    *source.Tree
	path    string         // of the tree's own configuration, even with errors; "" if there is none
	config  *config.Config // nil: there is none, or it cannot be read
	from    *source.Tree   // the tree that config was read from
	dropped []string       // entries that were left out because of an error
}

// configs holds the configurations of the head, of the base, and of the tree whose rules apply.
type configs struct {
	inputs     Inputs
	head       *config.Config // nil: the head has none
	base       *treeConfig    // nil: no base
	rules      *treeConfig    // the base or Inputs.Rules; nil: the head's own rules apply
	faults     []document.Diagnostic
	baseFaults []BaseFault
}

// readConfigs reads the configurations of the head, of the base and of the tree of the rules. If the tree of the rules
// has none, the configuration of Inputs.Fallback, the default branch, stands in for it. If the base has none, the
// configuration of the rules applies to the base. If neither the base nor the head has one, that of the rules applies
// to the head too.
func readConfigs(in Inputs) configs {
	c := configs{inputs: in}
	c.head, c.faults = ReadConfig(in.Head, in.Config)
	c.readBaseAndRules()
	if c.head == nil && !document.HasErrors(c.faults) {
		c.inheritHead()
	}
	if in.Config == "" && c.rules != nil {
		// The file that the head adds would be read in place of the base's configuration.
		if fault, found := config.ShadowError(c.rules.tree, in.Head); found {
			c.faults = append(c.faults, fault)
		}
	}
	return c
}

// readBaseAndRules reads the configurations of the base and of the tree of the rules.
func (c *configs) readBaseAndRules() {
	in := c.inputs
	if in.Base != nil {
		c.base = c.salvage(in.Base)
		c.rules = c.base
	}
	if in.Rules != nil {
		c.rules = c.salvage(in.Rules)
	}
	if c.rules != nil && c.rules.path == "" && in.Fallback != nil {
		read := c.salvage(in.Fallback)
		c.rules.from, c.rules.config, c.rules.dropped = read.from, read.config, read.dropped
	}
	if c.base != nil && c.base.path == "" {
		c.base.config = c.rules.config
	}
}

// inheritHead sets the configuration of a head that has none. If the base has none either, the head gets the
// configuration of the rules. If the caller names another tool's results and the rules have no configuration, the head
// gets the defaults. In any other case, inheritHead adds an error.
func (c *configs) inheritHead() {
	switch {
	case c.base != nil && c.rules.config != nil && c.base.path == "":
		c.head = c.rules.config
	case c.inputs.Results != nil && (c.rules == nil || c.rules.config == nil):
		c.head = config.Default()
	default:
		c.faults = append(c.faults, c.missingConfigError())
	}
}

// salvage reads the configuration of the base or of the tree of the rules. It leaves out entries with an error, and
// adds the errors to c.
func (c *configs) salvage(tree *source.Tree) *treeConfig {
	path, found := findConfig(tree, c.inputs.Config)
	if !found {
		return &treeConfig{tree: tree, from: tree}
	}
	read := config.Salvage(tree, path)
	c.baseFaults = append(c.baseFaults, faultsOf(tree, read.Faults)...)
	return &treeConfig{tree, path, read.Config, tree, read.Dropped}
}

// missingConfigError returns the error for a head without a configuration. If the rules have one, the error says that
// the head must not remove it.
func (c configs) missingConfigError() document.Diagnostic {
	lost := ""
	if c.rules != nil {
		lost = c.rules.path
		if c.rules.config != nil {
			lost = c.rules.config.Path // perhaps the default branch's
		}
	}
	if lost == "" {
		return notFoundError(c.inputs.Dir, c.inputs.Head)
	}
	return configError(lost, "the base has this configuration and the head has none; a gate cannot be removed "+
		"by the change it judges: put the file back")
}

// rulesTree returns the tree from which the effective configuration was read.
func (c configs) rulesTree() *source.Tree {
	if c.rules == nil || c.rules.config == nil {
		return c.inputs.Head
	}
	return c.rules.from
}

// hasRules reports whether the tree of the rules, or the default branch, has a configuration, even with errors.
func (c configs) hasRules() bool { return c.rules.path != "" || c.hasFallback() }

// mayBeFirstRun reports whether the head may be judged by its own rules although there is a tree of the rules: no
// configuration was there before it. A change from a fork is never the first run.
func mayBeFirstRun(c configs) bool { return c.rules != nil && !c.hasRules() && !c.inputs.Fork }

func (c configs) hasFallback() bool {
	return c.inputs.Fallback != nil && HasConfig(c.inputs.Fallback, c.inputs.Config)
}

// newTargets reports whether to call live targets that only the head's configuration names.
func (c configs) newTargets() config.NewTargets {
	return config.NewTargets(c.inputs.Bootstrap && !c.inputs.Fork && !c.hasFallback())
}

// Effective returns the effective configuration and the tree that it was read from. Both are nil if the files have
// errors.
func Effective(in Inputs) (*config.Config, *source.Tree, []document.Diagnostic) {
	read := readConfigs(in)
	if document.HasErrors(read.faults) {
		return nil, nil, read.faults
	}
	force := read.resolve()
	return force.config, read.rulesTree(), slices.Concat(read.faults, force.faults)
}

// effectiveConfig is the effective configuration with the settings in which the head differs.
type effectiveConfig struct {
	config   *config.Config
	changes  []config.Change
	faults   []document.Diagnostic
	warnings []report.Warning
}

// resolve returns the effective configuration, which is made from the configurations of the rules and the head.
func (c configs) resolve() (r effectiveConfig) {
	in := c.inputs
	switch {
	case c.rules == nil: // the head's own rules apply
		r.config = config.ResolveAlone(c.head, c.newTargets())
	case c.rules.config == nil:
		r.config, r.changes = config.ResolveFirst(c.head, c.newTargets())
	default:
		r.config, r.changes, r.faults = config.Resolve(c.rules.config, c.head, in.Fork)
		// The rules may have changed since the merge base. The head did not make those changes, so compare it with the
		// merge base.
		if c.rules != c.base && c.base != nil && c.base.config != nil {
			_, r.changes, _ = config.Resolve(c.base.config, c.head, in.Fork)
		}
		if in.Config == "" {
			r.changes = append(r.changes, config.PathChange(c.rules.tree, in.Head)...)
		}
	}
	if in.Stored != nil {
		r.config, r.changes = r.config.WithRules(in.Stored.Rules())
	}
	return c.adjust(r)
}

// adjust applies to r the settings that depend on the author, the time and the caller. It adds warnings of expired
// quarantines.
func (c configs) adjust(r effectiveConfig) effectiveConfig {
	c.takeStricter(&r)
	r.config.Gate = r.config.Gate.ForHead(c.inputs.Fork)
	if c.rules != nil && c.rules.config == nil { // there is no `fail_on` on the base to rely on
		r.config.Gate.FailOn = config.FailOnError
	}
	c.inputs.override(r.config)
	r.warnings = c.endQuarantines(r.config)
	return r
}

// firstRunRules returns the effective configuration of a first run, which is the head's own configuration.
func (c configs) firstRunRules() effectiveConfig {
	return c.adjust(effectiveConfig{config: config.ResolveAlone(c.head, c.newTargets())})
}

// takeStricter handles faulty entries of the rules' gate, which defaults replace. Where the head's setting is stricter
// than the default, the head's setting applies.
func (c configs) takeStricter(r *effectiveConfig) {
	if c.rules == nil {
		return
	}
	unreadable := c.rules.config == nil && c.hasRules()
	if !unreadable && len(c.rules.dropped) == 0 {
		return
	}
	var taken []string
	// Nothing is dropped of unreadable rules, and then every key is considered.
	r.config.Gate, taken = r.config.Gate.WithStricter(c.head.Gate, c.rules.dropped)
	for i, change := range r.changes {
		r.changes[i].Effective = change.Effective || slices.Contains(taken, change.Key)
	}
}

// override sets in c the phase, the minimum score and a lower limit of cost that the caller gives.
func (in Inputs) override(c *config.Config) {
	if in.MaxCostUSD > 0 && in.MaxCostUSD < c.Limits.WithDefaults().MaxCostUSD {
		c.Limits.MaxCostUSD = in.MaxCostUSD
	}
	if in.Phase != "" {
		c.Phase = config.Phase(in.Phase)
		if !c.Gate.Setting(config.MinRunScore).Set {
			c.Gate.Settings[config.MinRunScore].Value = c.Phase.Threshold()
		}
	}
	if in.MinScore != nil {
		c.Gate.Settings[config.MinRunScore] = config.Setting{Value: *in.MinScore, Level: config.Err, Set: true}
	}
}

// endQuarantines removes expired quarantines from the gate of own and returns a warning of each.
func (c configs) endQuarantines(own *config.Config) (warnings []report.Warning) {
	var expired []config.Quarantine
	own.Gate, expired = own.Gate.ActiveOn(c.inputs.Time().Format(time.DateOnly))
	for _, q := range expired {
		suiteID, caseID := path.Split(q.ID)
		warnings = append(warnings, report.Warning{Code: "quarantine_expired",
			SuiteID: strings.TrimSuffix(suiteID, "/"), CaseID: caseID,
			Path: own.Path, Line: q.Pos.Line,
			Message: fmt.Sprintf("the quarantine of %s ended on %s (%s); the case is judged again",
				q.ID, q.Expires, q.Reason)})
	}
	return warnings
}

// baseConfig returns the configuration by which the base's files are read. It is the base's own configuration, limited
// by the rules that apply. If the base or the rules have no configuration, it is effective.
func (c configs) baseConfig(effective *config.Config) *config.Config {
	if c.rules.config == nil || c.base.config == nil {
		return effective
	}
	own := c.base.config.WithSettingsOf(c.rules.config)
	c.inputs.override(own)
	return own
}

// applyRules applies the weights, thresholds, trials and must_pass marks of the rules to the suites of both sides. It
// does so only if the rules are not those of the base. It returns errors in the files of the rules, and a warning if
// the base has other rules.
func (c configs) applyRules(both suite.Pairing) ([]BaseFault, []report.Warning) {
	if c.rules == c.base || c.rules.config == nil {
		return nil, nil
	}
	rules, lost, faults := suite.LoadBase(c.rules.tree, c.rules.config, c.inputs.SuiteGlobs(c.rules.config.Suites))
	changes := append(configChanges(c.rules.config, c.base.config), suite.ApplyRules(rules, both)...)
	suite.ApplyLost(lost, both.Heads)
	lacking := faultsOf(c.rules.tree, faults)
	if len(changes) == 0 {
		return lacking, nil
	}
	return lacking, []report.Warning{{Code: "rules_differ",
		Message: fmt.Sprintf("the rules are those of %s, and other than at the merge base with it: %s",
			c.rules.tree.Revision.Name, strings.Join(keysOf(changes), ", "))}}
}

// configChanges returns the rules in which the configuration theirs differs from ours.
func configChanges(ours, theirs *config.Config) []config.Change {
	_, changes, _ := config.Resolve(ours, theirs, true) // as from a fork, so that every change is listed
	return slices.DeleteFunc(changes, func(c config.Change) bool { return c.Effective })
}

func keysOf(changes []config.Change) []string {
	keys := make([]string, len(changes))
	for i, c := range changes {
		keys[i] = c.Key
	}
	return keys
}

// ChangedRules returns the keys of the rules in which oldTree and newTree differ. Rules are the settings of the
// configuration and those settings that a suite takes from its base. Comments, formatting and cases are no rules.
func ChangedRules(in Inputs, oldTree, newTree *source.Tree) []string {
	c := configs{inputs: in}
	before, after := c.salvage(oldTree), c.salvage(newTree)
	if before.config == nil && after.config == nil {
		return nil
	}
	if before.config == nil || after.config == nil {
		return []string{"configuration"}
	}
	changes := append(configChanges(before.config, after.config), configChanges(after.config, before.config)...)
	ours, _, _ := suite.LoadBase(oldTree, before.config, in.SuiteGlobs(before.config.Suites))
	theirs, _, _ := suite.LoadBase(newTree, after.config, in.SuiteGlobs(after.config.Suites))
	keys := keysOf(append(changes, suite.ApplyBase(suite.Join(ours, theirs))...))
	slices.Sort(keys)
	return slices.Compact(keys)
}
