package sides

import (
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// baseFiles holds the base's files, before its targets are opened.
type baseFiles struct {
	state       string         // one of report.BaseStates
	config      *config.Config // for reading the base's files; nil: no base, or a stored report
	suites      []*suite.Suite
	unreadable  []*suite.Suite // suites without a readable case
	diagnostics []document.Diagnostic
	faults      []BaseFault // the errors among diagnostics
}

func (b baseFiles) exists() bool { return b.config != nil }

// readBase reads the suites of the base, by the base's configuration within the limits of effective. The run is the
// first run if the base has no suites, and neither the base nor the default branch has a configuration; see
// mayBeFirstRun. lines has what both sides read.
func readBase(c configs, effective *config.Config, lines *suite.LineFiles) baseFiles {
	in := c.inputs
	switch {
	case in.Stored != nil:
		return baseFiles{state: report.BaseCompared}
	case in.Base == nil:
		return baseFiles{state: report.BaseNone}
	}
	b := baseFiles{state: report.BaseCompared, config: c.baseConfig(effective)}
	b.suites, b.unreadable, b.diagnostics = lines.LoadBase(in.Base, b.config, in.SuiteGlobs(b.config.Suites))
	b.faults = faultsOf(in.Base, b.diagnostics)
	var usual []*suite.Suite
	if c.rules.config == nil {
		// Without a configuration, also look in the usual folders. Nobody declared files there to be suites, so other
		// files are no errors.
		usual, _ = suite.Load(in.Base, b.config, slices.Concat(b.config.Suites, config.DefaultSuites))
	}
	if len(in.Suites) == 0 {
		b.suites = addUnknown(b.suites, usual)
	}
	switch {
	case len(b.suites) > 0 || len(b.faults) > 0: // a file with an error is not absent
		return b
	case mayBeFirstRun(c) && len(usual) == 0:
		return baseFiles{state: report.BaseFirst}
	}
	return baseFiles{state: report.BaseMissing}
}

// addUnknown returns suites together with each suite of others whose id and path are both new. The result is sorted by
// id.
func addUnknown(suites, others []*suite.Suite) []*suite.Suite {
	known := map[string]bool{}
	for _, one := range suites {
		known[suiteid.AuthorID(one.ID)], known[one.Path] = true, true
	}
	for _, one := range others {
		if !known[suiteid.AuthorID(one.ID)] && !known[one.Path] {
			suites = append(suites, one)
		}
	}
	suite.Sort(suites)
	return suites
}

// applyBase applies the base's rules to the head's suites. It returns the settings in which the head differs, and an
// error for each suite that the head may not answer with an echo target.
func (b baseFiles) applyBase(in Inputs, both suite.Pairing,
	effective *config.Config) ([]config.Change, []document.Diagnostic) {
	if in.Stored != nil {
		both = suite.Join(in.Stored.Suites(both.Heads), both.Heads)
	} else if !b.exists() {
		return nil, nil
	}
	changes := append(suite.ApplyBase(both), suite.QuarantineChanges(both, effective.Gate)...)
	if in.Stored != nil {
		return changes, nil
	}
	faults := suite.EchoErrors(both, b.config.Targets, effective.Targets)
	changes = append(changes, suite.ApplyLost(b.unreadable, both.Heads)...)
	return append(changes, suite.RequestChanges(both)...), faults
}

// BaseFault is an error in a file of the base, or of another tree whose rules judge the head.
type BaseFault struct {
	document.Diagnostic
	Tree *source.Tree
}

// faultsOf returns the errors among faults, which are about files of tree. An error about a missing file is left out,
// because the base may have no suites yet.
func faultsOf(tree *source.Tree, faults []document.Diagnostic) (out []BaseFault) {
	for _, f := range faults {
		if f.Severity == document.Error && f.Rule != suite.RuleNoSuites && config.Exists(tree, f.Path) {
			out = append(out, BaseFault{f, tree})
		}
	}
	return out
}
