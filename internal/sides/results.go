package sides

import (
	"errors"
	"io/fs"
	"regexp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/report"
)

// Results are what another runner wrote of both sides.
type Results struct {
	Base, Head ResultFiles
	Format     string         // "": their content decides
	Runs       *regexp.Regexp // finds in a test's name which run of its case it is; nil: nothing does
	Made       string         // who made the head's, in a sentence; "" where that is not known
}

// ResultFiles are a file or a folder of results; no Tree: there are none.
type ResultFiles struct {
	Tree fs.FS
	Path string // in the tree
	Name string // for people
}

// ReadRules settles whose rules hold for results that another runner wrote. No suite is read.
func ReadRules(in Inputs) (*Sides, error) {
	configs := readConfigs(in)
	s := &Sides{Inputs: in, BaseFaults: configs.before, Faults: configs.faults, Warnings: in.Warnings, BaseState: report.BaseNone}
	if in.Results.Base.Tree != nil {
		s.BaseState = report.BaseCompared
	}
	if !document.HasErrors(s.Faults) {
		force := configs.resolve(in)
		if configs.rules != nil && configs.rules.own == nil && !configs.hasRules(in) { // nobody has agreed to any rules before
			force = configs.adjust(in, inForce{config: config.Own(configs.head, in.newTargets())})
		}
		s.Rules, s.Changes, s.Ruling = force.config, force.changes, configs.ruling(in)
		s.Faults, s.Warnings = append(s.Faults, force.faults...), append(s.Warnings, force.warnings...)
	}
	document.Sort(s.Faults)
	if err := errors.Join(in.Head.Err(), in.Base.Err(), in.Rules.Err(), in.Fallback.Err()); err != nil {
		return s, fault.Unreachable{Err: err}
	}
	return s, nil
}
