package cli

import (
	"github.com/spf13/pflag"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stored"
	"github.com/failproof/failproof/internal/suiteid"
)

// filterFlags are the flags that restrict a run to some cases.
type filterFlags struct {
	cases, targets []string
	failed         bool
}

func (f *filterFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.cases, "case", nil, "run only the cases whose id or suite/id matches the `pattern`; "+
		"* matches any text; can be repeated")
	flags.StringArrayVar(&f.targets, "target", nil, "run only this `target`'s suites; can be repeated")
	flags.BoolVar(&f.failed, "failed", false, "run only the cases that did not pass in the last run, whose "+
		"report is in --out")
}

// isSet reports whether the run is restricted.
func (f filterFlags) isSet() bool { return f.failed || len(f.cases)+len(f.targets) > 0 }

// filter returns the cases that the flags restrict a run to. out is the folder with the last report.
func (f filterFlags) filter(out string) (sides.CaseFilter, error) {
	only := sides.CaseFilter{Cases: f.cases, Targets: f.targets}
	if !f.failed {
		return only, nil
	}
	last, err := stored.ReadAll(out)
	if err != nil {
		return only, fault.Inputf("--failed reads the last run, so run once without it: %w", err)
	}
	only.Failed = map[suiteid.Name]bool{}
	for _, one := range last.Head.Suites {
		for _, c := range one.Cases {
			if !c.Outcome.Right() {
				only.Failed[suiteid.Name{Suite: one.ID, Case: c.ID}] = true
			}
		}
	}
	if len(only.Failed) == 0 {
		return only, fault.Inputf("--failed: every case passed in the last run (%s in %s); run without --failed", output.ReportFile, out)
	}
	return only, nil
}
