// Package doctor finds settings of a repository that let a change past the gate, or stop the gate from working. It
// looks at workflows, owners, branch settings, configuration and recordings. It reads only what its callers pass and
// makes no call.
package doctor

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// Setup is the state of a repository, as far as it could be read.
type Setup struct {
	Files  fs.FS  // the files from the root of the repository
	Folder string // the folder of the configuration, "." for the root

	Services []string // folders below Folder with configurations

	Config         *config.Config // nil if it is missing or cannot be read
	Faults         []document.Diagnostic
	SuitePaths     []string // the suite files, in the folder
	LiveTargets    []string // the names of the live targets that suites use, sorted
	Agents         Agents
	UnboundAnswers map[string]int // by file: the number of recorded answers that have no valid request key
	// why similarity is measured by words although an embedder is configured, or ""
	NoEmbedderReason string

	Inputs     []string                       // the names of the action's inputs
	InputFault func(map[string]string) string // what is wrong with the inputs of a step, by name, or ""

	Guard        *github.Guard // the default branch's requirements; nil if they could not be read
	GuardProblem string        // the reason why Guard is nil

	patched map[string]string // the texts of patched workflows, by path
}

// Finding is a setting that should be changed.
type Finding struct {
	// Open reports whether the setting lets a change past the gate or keeps the gate from working. Any other finding is
	// a note.
	Open   bool   `json:"open"`
	Rule   string `json:"rule"`
	Path   string `json:"path,omitempty"` // "" for a finding outside of files
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	What   string `json:"what"`
	Why    string `json:"why"` // what a stranger could do, or what does not work
	Advice string `json:"do"`
}

// Place returns path:line:column, the path alone, or "".
func (f Finding) Place() string {
	return document.Position{Line: f.Line, Column: f.Column}.WithPath(f.Path)
}

type examination struct {
	Setup
	workflows     []*workflow
	gates         []gateStep
	externalCalls []call // jobs that call a workflow of another repository
	followedCalls int    // number of calls of local workflows that were followed
	findings      []Finding
}

// Examine returns the findings for s: the open ones first, then the notes, each by file and line.
func Examine(s Setup) []Finding {
	e := &examination{Setup: s}
	e.readWorkflows()
	e.checkWorkflows()
	checkPrivileged(e)
	checkNames(e)
	checkRuns(e)
	if len(e.gates) > 0 { // otherwise no-workflow is a finding
		checkOwners(e)
		checkBranch(e)
	}
	checkConfig(e)
	checkAgents(e)
	checkFolders(e)
	checkSuites(e)
	order := map[bool]int{true: 0, false: 1}
	slices.SortStableFunc(e.findings, func(a, b Finding) int {
		return cmp.Or(order[a.Open]-order[b.Open], cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.Compact(e.findings)
}

// noPosition is the zero position. It is for a finding that concerns a whole file or no file.
var noPosition document.Position

// addOpen adds an open finding.
func (e *examination) addOpen(path string, at document.Position, rule, what, why, do string) {
	e.findings = append(e.findings, Finding{true, rule, path, at.Line, at.Column, what, why, do})
}

// addNote adds a note.
func (e *examination) addNote(path string, at document.Position, rule, what, why, do string) {
	e.findings = append(e.findings, Finding{false, rule, path, at.Line, at.Column, what, why, do})
}

// WriteJSON writes the findings as JSON.
func WriteJSON(w io.Writer, findings []Finding) error {
	return show.WriteJSON(w, struct {
		Findings []Finding `json:"findings"`
		Answer   string    `json:"answer"`
	}{append([]Finding{}, findings...), Summary(findings)})
}

// Print prints the findings, their number and the sentence of Summary. Findings quote files, so every line is made safe
// for a log.
func Print(w io.Writer, findings []Finding) error {
	open := 0
	for _, f := range findings {
		level := "note"
		if f.Open {
			level, open = "open", open+1
		}
		if place := f.Place(); place != "" {
			level += "  " + place
		}
		_, err := fmt.Fprintf(w, "%s  [%s]\n      %s\n      %s\n      %s\n\n", show.LogLine(level), f.Rule,
			show.LogLine(f.What), show.LogLine(f.Why), show.LogLine("→ "+f.Advice))
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d open, %s.\n%s\n", open, text.Count(len(findings)-open, "note"), Summary(findings))
	return err
}
