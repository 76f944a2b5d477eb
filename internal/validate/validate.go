// Package validate checks the files of a repository without asking anybody.
package validate

import (
	"fmt"
	"io"
	"maps"
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

// Checked is what configuration and suites hold, and what is wrong with them.
type Checked struct {
	Folder string // that it was read in, below the one that was named; "" for that one
	Suites []*suite.Suite
	Config *config.Config
	Faults []document.Diagnostic // by file and place
}

// Folders checks a folder; where it has no configuration and names none, as the root of a repository of several
// services, each folder below that has one. Paths begin in dir.
func Folders(dir, configPath string, globs []string) (all []Checked, err error) {
	folders := []string{""}
	if configPath == "" && len(globs) == 0 {
		if folders, err = servicesIn(dir); err != nil {
			return nil, err
		}
	}
	for _, folder := range folders {
		c, err := Folder(filepath.Join(dir, filepath.FromSlash(folder)), configPath, globs)
		if err != nil {
			return nil, err
		}
		c.Folder = folder
		for i := range c.Faults {
			c.Faults[i].Path = path.Join(folder, c.Faults[i].Path)
		}
		all = append(all, c)
	}
	return all, nil
}

// servicesIn are the folders below dir that hold a configuration, where dir has none; else dir itself.
func servicesIn(dir string) (folders []string, err error) {
	tree, err := sides.OpenHead(dir, "")
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	if !sides.HasConfig(tree, "") && config.Misnamed(tree) == "" {
		folders = sides.ServicesBelow(tree)
	}
	if len(folders) == 0 {
		folders = []string{""}
	}
	return folders, nil
}

// Folder reads the configuration and the suites of the working tree; globs stand in place of the configuration's.
// Nothing is asked and no recording is read.
func Folder(dir, configPath string, globs []string) (c Checked, err error) {
	tree, err := sides.OpenHead(dir, "")
	if err != nil {
		return c, err
	}
	defer tree.Close()
	for _, name := range globs {
		if strings.HasPrefix(path.Base(name), "promptfooconfig.") {
			return Checked{Faults: []document.Diagnostic{{Path: name, Severity: document.Error, Rule: "promptfoo",
				Message: "this is a configuration of promptfoo and no suite: `failproof import promptfoo " + name +
					"` takes it over"}}}, nil
		}
	}
	own, faults := sides.RequireConfig(tree, configPath)
	if own == nil {
		return Checked{Faults: faults}, nil
	}
	effective := config.Own(own, config.AskNew)
	if len(globs) == 0 {
		globs = effective.Suites
	}
	suites, more := suite.Load(tree, effective, globs)
	faults = append(faults, more...)
	document.Sort(faults)
	return Checked{Suites: suites, Config: effective, Faults: faults}, nil
}

// String counts suites and cases as they are written, and those with each of their targets where there are several.
func (c Checked) String() string {
	if c.Config != nil && len(c.Config.Results) > 0 {
		return "results of " + text.Count(len(c.Config.Results), "runner")
	}
	written, each := suite.AsWritten(c.Suites), ""
	if len(written) < len(c.Suites) {
		each = fmt.Sprintf(" (%d with each of their targets)", sides.CountCases(c.Suites))
	}
	return text.Count(len(written), "suite") + ", " + text.Count(sides.CountCases(written), "case") + each + criteriaOf(written)
}

// criteriaOf counts the criteria that a judge grades answers by; "" for none.
func criteriaOf(suites []*suite.Suite) string {
	n := 0
	for _, s := range suites {
		for c := range s.Cases.All() {
			n += c.Criteria()
		}
	}
	if n == 0 {
		return ""
	}
	return ", " + text.Count(n, "criterion", "criteria")
}

// First is the first case, and the file that its answer is recorded in; "" where all suites ask live targets. It is
// false without a case.
func (c Checked) First() (file, suiteID, caseID string, ok bool) {
	for _, s := range c.Suites {
		if t := c.Config.Targets[s.Target]; s.Cases.Len() > 0 && t.Provider == model.Recorded {
			return recorded.Path(t.Path, s.ID), suiteid.AuthorID(s.ID), s.Cases.At(0).ID, true
		}
	}
	return "", "", "", len(c.Suites) > 0
}

// UncheckedCases counts the cases that whatever is answered passes, and tells where the first one is.
func (checked Checked) UncheckedCases() (n int, first string) {
	for _, s := range suite.AsWritten(checked.Suites) {
		for c := range s.Cases.All() {
			if c.Unheld() {
				if n++; n == 1 {
					first = fmt.Sprintf("%s/%s (%s:%d)", suiteid.AuthorID(s.ID), c.ID,
						document.Line(path.Join(checked.Folder, c.Path)), c.Pos.Line)
				}
			}
		}
	}
	return n, first
}

type checkedSuite struct {
	Folder  string        `json:"folder,omitempty"` // of a service, whose suite ids are its own
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

// WriteJSON writes suites, their cases, the keys that recordings carry, and faults, of all folders that were checked.
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
			for c := range s.Cases.All() {
				keys := c.Keys()
				one.Cases = append(one.Cases, checkedCase{c.ID, c.Pos.Line, keys.RequestKey.String(),
					keys.ExpectationKey.String()})
			}
			out.Suites = append(out.Suites, one)
		}
	}
	return show.WriteJSON(w, out)
}

// ReadSetup looks at the head's configuration, suites and recordings for what keeps the gate from working, and leaves
// out what stands elsewhere in the repository. Nothing is asked.
func ReadSetup(in sides.Inputs) (doctor.Setup, error) {
	setup := doctor.Setup{Files: in.Head}
	setup.Config, setup.Faults = sides.RequireConfig(in.Head, in.Config)
	if in.Config == "" && !sides.HasConfig(in.Head, "") && config.Misnamed(in.Head) == "" {
		if setup.Services = sides.ServicesBelow(in.Head); len(setup.Services) > 0 {
			setup.Faults = nil // there is a configuration, and more than one
		}
	}
	if setup.Config == nil {
		return setup, nil
	}
	effective := config.Own(setup.Config, config.AskNew)
	suites, faults := suite.Load(in.Head, effective, in.SuiteGlobs(effective.Suites))
	setup.Faults = append(setup.Faults, faults...)
	setup.Agents = agentsIn(in.Head, suites)
	asked := map[string]bool{}
	for _, s := range suites {
		if effective.Targets[s.Target].Live() {
			asked[s.Target] = true
		}
	}
	setup.Asked = slices.Sorted(maps.Keys(asked))
	if s := setup.Config.Semantic; s.Provider == config.ProviderStatic || s.Provider == config.ProviderBERT {
		if _, err := meaning.OpenEmbedder(in, s, in.Head, ""); err != nil {
			setup.Words = err.Error()
		}
	}
	if document.HasErrors(setup.Faults) {
		return setup, nil
	}
	stamps, faults, err := record.ReadStamps(record.Inputs{Inputs: in})
	setup.Faults = append(setup.Faults, faults...)
	unbound := map[string]int{} // answers, by file
	for _, u := range stamps.Unstamped {
		unbound[u.File]++
	}
	for _, file := range slices.Sorted(maps.Keys(unbound)) {
		setup.Keyless = append(setup.Keyless, doctor.Keyless{Path: file, Answers: unbound[file]})
	}
	return setup, err
}
