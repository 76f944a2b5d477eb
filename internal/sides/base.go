package sides

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// before is the base as its files say, before it is known who answers it.
type before struct {
	state       string         // one of report.BaseStates
	config      *config.Config // by which its files are read; nil: there is nothing to compare with, or a stored report
	suites      []*suite.Suite
	lost        []*suite.Suite // those of which no case can be told
	diagnostics []document.Diagnostic
	faults      []BaseFault // the errors among these
}

func (b before) exists() bool { return b.config != nil }

// readBase loads the base's suites, by the rules in force. If the base has neither configuration nor suites, this is
// the first run.
func readBase(in Inputs, c configs, effective *config.Config) before {
	switch {
	case in.Stored != nil:
		return before{state: report.BaseCompared}
	case in.Base == nil:
		return before{state: report.BaseNone}
	}
	b := before{state: report.BaseCompared, config: c.baseConfig(in, effective)}
	b.suites, b.lost, b.diagnostics = suite.LoadBase(in.Base, b.config, in.SuiteGlobs(b.config.Suites))
	b.faults = faultsOf(in.Base, b.diagnostics)
	var usual []*suite.Suite
	if c.rules.own == nil {
		// What the configuration names, and what lies where suites usually do, in a tree without a configuration
		// of its own. Nobody has said there that these files are suites, so that one that is none is no fault.
		usual, _ = suite.Load(in.Base, b.config, slices.Concat(b.config.Suites, config.DefaultSuites))
	}
	if len(in.Suites) == 0 {
		b.suites = withOthers(b.suites, usual)
	}
	switch {
	case len(b.suites) > 0 || len(b.faults) > 0: // a file with a fault is not absent
		return b
	case c.rules.own == nil && !c.hasRules(in) && !in.Fork && len(usual) == 0:
		return before{state: report.BaseFirst}
	}
	return before{state: report.BaseMissing}
}

// withOthers adds the suites that are missing, in the order of their ids.
func withOthers(suites, others []*suite.Suite) []*suite.Suite {
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

// applyBase gives the head's suites the base's rules, and returns the head's differing settings.
func (b before) applyBase(in Inputs, heads []*suite.Suite,
	effective *config.Config) ([]config.Change, []document.Diagnostic) {
	switch {
	case in.Stored != nil:
		return suite.ApplyBase(in.Stored.Suites(heads), heads), nil
	case !b.exists():
		return nil, nil
	}
	faults := suite.Echoed(b.suites, heads, b.config.Targets, effective.Targets)
	return append(suite.ApplyBase(b.suites, heads), suite.ApplyLost(b.lost, heads)...), faults
}

// BaseFault is a fault of a file from before the head.
type BaseFault struct {
	document.Diagnostic
	Tree *source.Tree
}

// faultsOf returns the errors of a tree from before the head. A base without suites yet may lack named files.
func faultsOf(tree *source.Tree, faults []document.Diagnostic) (out []BaseFault) {
	for _, f := range faults {
		_, err := fs.Stat(tree, f.Path)
		if f.Severity == document.Error && f.Rule != suite.RuleNoSuites && !errors.Is(err, fs.ErrNotExist) {
			out = append(out, BaseFault{f, tree})
		}
	}
	return out
}
