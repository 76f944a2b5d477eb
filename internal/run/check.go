package run

import (
	"fmt"
	"io"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Checked is what configuration and suites hold, and what is wrong with them.
type Checked struct {
	suites []*suite.Suite
	Faults []document.Diagnostic // by file and place
}

// Check reads the configuration and the suites of the working tree; globs stand in place of the configuration's. Nothing is asked and no recording is read.
func Check(dir, configPath string, globs []string) (c Checked, err error) {
	tree, err := OpenHead(dir, "")
	if err != nil {
		return c, err
	}
	defer tree.Close()
	own, faults := RequireConfig(tree, configPath)
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
	return Checked{suites, faults}, nil
}

// String counts suites and cases as they are written, and those with each of their targets where there are several.
func (c Checked) String() string {
	written, each := suite.AsWritten(c.suites), ""
	if len(written) < len(c.suites) {
		each = fmt.Sprintf(" (%d with each of their targets)", cases(c.suites))
	}
	return text.Count(len(written), "suite") + ", " + text.Count(cases(written), "case") + each
}

// Unheld counts the cases that whatever is answered passes, and tells where the first one is.
func (c Checked) Unheld() (n int, first string) {
	for _, s := range suite.AsWritten(c.suites) {
		for c := range s.Cases.All() {
			if c.Unheld() {
				if n++; n == 1 {
					first = fmt.Sprintf("%s/%s (%s:%d)", suiteid.Written(s.ID), c.ID, document.Line(c.Path), c.Pos.Line)
				}
			}
		}
	}
	return n, first
}

type checkedSuite struct {
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

// WriteJSON writes suites, their cases, the keys that recordings carry, and faults.
func (c Checked) WriteJSON(w io.Writer) error {
	out := struct {
		Suites      []checkedSuite        `json:"suites"`
		Diagnostics []document.Diagnostic `json:"diagnostics"`
	}{[]checkedSuite{}, append([]document.Diagnostic{}, c.Faults...)}
	for _, s := range c.suites {
		one := checkedSuite{SuiteID: s.ID, Target: s.Target, Path: s.Path}
		for c := range s.Cases.All() {
			keys := c.Keys()
			one.Cases = append(one.Cases, checkedCase{c.ID, c.Pos.Line, keys.RequestKey.String(), keys.ExpectationKey.String()})
		}
		out.Suites = append(out.Suites, one)
	}
	return show.WriteJSON(w, out)
}
