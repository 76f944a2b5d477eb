// Package validate checks the files of a repository. It makes no calls.
package validate

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/doctor"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Checked is the configuration and suites of a folder, with their errors.
type Checked struct {
	Folder string // relative to the checked folder, "" for that folder itself
	Suites []*suite.Suite
	Config *config.Config
	Faults []document.Diagnostic // by file and place
	below  []string              // folders below that have their own configurations, which are not checked here
}

// Folders checks the folder dir. If dir has no configuration, it may hold several services. Folders then checks each
// folder below dir that has a configuration, if configPath and globs are empty. Paths are relative to dir.
func Folders(dir, configPath string, globs []string) (all []Checked, err error) {
	folders, below := []string{""}, []string(nil)
	if configPath == "" && len(globs) == 0 {
		tree, err := sides.OpenHead(dir, "")
		if err != nil {
			return nil, err
		}
		services, alone := config.Services(tree)
		tree.Close() // opened for reading only
		if below = services; alone {
			folders, below = services, nil
		}
	}
	for _, folder := range folders {
		c, err := Folder(filepath.Join(dir, filepath.FromSlash(folder)), configPath, globs)
		if err != nil {
			return nil, err
		}
		c.Folder, c.below = folder, below
		for i := range c.Faults {
			c.Faults[i].Path = path.Join(folder, c.Faults[i].Path)
		}
		all = append(all, c)
	}
	return all, nil
}

// Folder reads the configuration and the suites in the folder dir of the working tree. globs replace the
// configuration's patterns of suites. Folder reads no recordings.
func Folder(dir, configPath string, globs []string) (c Checked, err error) {
	tree, err := sides.OpenHead(dir, "")
	if err != nil {
		return c, err
	}
	defer tree.Close()
	for _, name := range globs {
		if strings.HasPrefix(path.Base(name), "promptfooconfig.") {
			return Checked{Faults: []document.Diagnostic{{Path: name, Severity: document.Error, Rule: "promptfoo",
				Message: "this is a configuration of promptfoo and no suite: `" +
					text.Command("failproof import promptfoo", name) +
					"` takes it over"}}}, nil
		}
	}
	own, faults := sides.RequireConfig(dir, tree, configPath)
	if own == nil {
		return Checked{Faults: faults}, nil
	}
	effective := config.ResolveAlone(own, config.CallNew)
	all := len(globs) == 0
	if all {
		globs = effective.Suites
	}
	suites, more := suite.Load(tree, effective, globs)
	faults = append(faults, more...)
	if all && len(effective.Results) == 0 && !document.HasErrors(faults) {
		faults = append(faults, unusedQuarantines(effective, suites)...)
	}
	targets := sides.NewTargets(sides.Inputs{Dir: dir, Getenv: func(string) string { return "" }}, effective)
	defer targets.Close()
	for _, name := range liveTargets(effective, suites) {
		_, more := targets.Client(effective, name) // it calls nobody
		faults = append(faults, more...)
	}
	document.Sort(faults)
	return Checked{Suites: suites, Config: effective, Faults: faults}, nil
}

// liveTargets returns the names of the live targets that suites use, sorted.
func liveTargets(c *config.Config, suites []*suite.Suite) (names []string) {
	for _, s := range suites {
		if c.Targets[s.Target].Live() {
			names = append(names, s.Target)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// placeOf returns the name of a case, with its file and line.
func (c Checked) placeOf(s *suite.Suite, one *suite.Case) string {
	return fmt.Sprintf("%s/%s (%s:%d)", suiteid.AuthorID(s.ID), one.ID, document.Line(path.Join(c.Folder, one.Path)), one.Pos.Line)
}

// unusedQuarantines returns a warning for each quarantine of a case that no suite has.
func unusedQuarantines(c *config.Config, suites []*suite.Suite) []document.Diagnostic {
	d := document.Diagnostics{Path: c.Path}
	for _, q := range c.Gate.UnusedQuarantines(func(yield func(suiteID, caseID string)) {
		for s, one := range suite.EachCase(suites) {
			yield(s.ID, one.ID)
		}
	}) {
		d.WarnAt(q.Pos, "quarantine", "%s", q.UnusedText())
	}
	return d.All()
}

// String returns the numbers of suites, cases and criteria. It counts a suite once, even if it has several targets.
func (c Checked) String() string {
	if c.Config != nil && len(c.Config.Results) > 0 {
		return "results of " + text.Count(len(c.Config.Results), "runner")
	}
	written, each := suite.FirstTargets(c.Suites), ""
	if len(written) < len(c.Suites) {
		each = fmt.Sprintf(" (%d with each of their targets)", sides.CountCases(c.Suites))
	}
	return text.Count(len(written), "suite") + ", " + text.Count(sides.CountCases(written), "case") + each + criteriaOf(written)
}

// criteriaOf says how many criteria the judge has to grade. It returns "" if there are none.
func criteriaOf(suites []*suite.Suite) string {
	n := 0
	for _, c := range suite.EachCase(suites) {
		n += c.CriteriaCount()
	}
	if n == 0 {
		return ""
	}
	return ", " + text.Count(n, "criterion", "criteria")
}

// FirstRecorded returns the first case of the first suite with a recorded target, and the file for its recordings. The
// names are "" if no suite has a recorded target. ok is false if there is no suite at all.
func (c Checked) FirstRecorded() (file, suiteID, caseID string, ok bool) {
	for _, s := range c.Suites {
		if t := c.Config.Targets[s.Target]; len(s.Cases) > 0 && t.Provider == model.Recorded {
			return recorded.Path(t.Path, s.ID), suiteid.AuthorID(s.ID), s.Cases[0].ID, true
		}
	}
	return "", "", "", len(c.Suites) > 0
}

// UncheckedCases returns the number of cases that pass with any answer. first is the name and place of the first such
// case.
func (c Checked) UncheckedCases() (n int, first string) {
	for s, of := range suite.EachCase(suite.FirstTargets(c.Suites)) {
		if of.Unverified() {
			if n++; n == 1 {
				first = c.placeOf(s, of)
			}
		}
	}
	return n, first
}

type checkedSuite struct {
	Folder  string        `json:"folder,omitempty"` // the service's folder; suite ids are unique within it
	SuiteID string        `json:"suite_id"`
	Target  string        `json:"target"`
	Path    string        `json:"path"`
	Cases   []checkedCase `json:"cases"`
}

type checkedCase struct {
	CaseID         string `json:"case_id"`
	Line           int    `json:"line"`
	RequestKey     string `json:"request_key"`
	ExpectationKey string `json:"expectation_key"`
}

// WriteJSON writes the suites, their cases with the keys that recordings need, and the errors of all checked folders.
func WriteJSON(w io.Writer, all []Checked) error {
	out := struct {
		Suites      []checkedSuite        `json:"suites"`
		Diagnostics []document.Diagnostic `json:"diagnostics"`
	}{[]checkedSuite{}, []document.Diagnostic{}}
	for _, checked := range all {
		out.Diagnostics = append(out.Diagnostics, checked.Faults...)
		for _, s := range checked.Suites {
			one := checkedSuite{Folder: checked.Folder, SuiteID: s.ID, Target: s.Target,
				Path: path.Join(checked.Folder, s.Path)}
			for _, c := range s.Cases {
				keys := c.Keys()
				one.Cases = append(one.Cases, checkedCase{c.ID, c.Pos.Line, keys.RequestKey.String(),
					keys.ExpectationKey.String()})
			}
			out.Suites = append(out.Suites, one)
		}
	}
	return show.WriteJSON(w, out)
}

// ReadSetup reads the head's configuration, suites and recordings for doctor. It leaves Guard unset, because only
// GitHub knows it.
func ReadSetup(in sides.Inputs) (doctor.Setup, error) {
	setup := doctor.Setup{Files: in.Head}
	setup.Config, setup.Faults = sides.RequireConfig(in.Dir, in.Head, in.Config)
	if in.Config == "" {
		var alone bool
		if setup.Services, alone = config.Services(in.Head); alone {
			setup.Faults = nil // each service has a configuration
		}
	}
	if setup.Config == nil {
		return setup, nil
	}
	effective := config.ResolveAlone(setup.Config, config.CallNew)
	suites, faults := suite.Load(in.Head, effective, in.SuiteGlobs(effective.Suites))
	setup.Faults = append(setup.Faults, faults...)
	setup.Agents = unjudgedAgents(in.Head, suites)
	for _, s := range suites {
		setup.SuitePaths = append(setup.SuitePaths, s.Path)
	}
	slices.Sort(setup.SuitePaths)
	setup.SuitePaths = slices.Compact(setup.SuitePaths) // a suite may have several targets
	setup.LiveTargets = liveTargets(effective, suites)
	if s := setup.Config.Semantic; s.Provider == config.ProviderStatic || s.Provider == config.ProviderBERT {
		if _, err := meaning.OpenEmbedder(in, s, in.Head, ""); err != nil {
			setup.NoEmbedderReason = err.Error()
		}
	}
	if document.HasErrors(setup.Faults) {
		return setup, nil
	}
	stamps, err := record.ReadStamps(record.Inputs{Inputs: in})
	if faults, ok := errors.AsType[document.Faults](err); ok {
		setup.Faults, err = append(setup.Faults, faults...), nil
	}
	setup.UnboundAnswers = map[string]int{}
	for _, u := range stamps.Unstamped {
		setup.UnboundAnswers[u.File]++
	}
	return setup, err
}
