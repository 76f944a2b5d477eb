// Package doctor finds settings of a repository that let a change past the gate, or stop the gate from working. It
// looks at workflows, owners, branch settings, configuration and recordings. It reads only what it is given and calls
// nobody.
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

// Setup is what could be seen of a repository.
type Setup struct {
	Files  fs.FS  // the repository, from its root
	Folder string // where the configuration's paths begin, "." for the root

	Services []string // folders below with configurations of their own, where this one has none

	Config  *config.Config // nil where there is none or it cannot be read
	Faults  []document.Diagnostic
	Asked   []string // the live targets that suites are answered by, in name order
	Agents  Agents
	Keyless []Keyless // files of recorded answers that do not say what they answer
	Words   string    // why likeness is measured by words and not by the embedder that is wanted; "" where it is not

	Guard  *github.Guard // what the default branch requires; nil where GitHub was not asked or did not tell
	Unseen string        // why Guard is nil

	edited map[string]string // workflows as patches leave them
}

// Keyless is a file of recorded answers some of which have no valid request key.
type Keyless struct {
	Path    string
	Answers int
}

// Finding is one thing that should be otherwise.
type Finding struct {
	// Open tells that somebody could get a change past the gate by it, or that the gate does not work with it; else it
	// is worth knowing.
	Open   bool   `json:"open"`
	Rule   string `json:"rule"`
	Path   string `json:"path,omitempty"` // "" for what stands in no file
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	What   string `json:"what"`
	Why    string `json:"why"` // what a stranger could do, or what does not work
	Do     string `json:"do"`
}

// Place is where the finding stands, path:line:column, as far as there is one.
func (f Finding) Place() string { return document.Position{Line: f.Line, Column: f.Column}.In(f.Path) }

type examination struct {
	Setup
	workflows []*workflow
	gates     []gateStep
	foreign   []call // jobs that call a workflow of another repository
	followed  int    // calls of local workflows
	found     []Finding
}

// Examine returns what is found, the open first, then by file and line.
func Examine(s Setup) []Finding {
	e := &examination{Setup: s}
	e.readWorkflows()
	e.checkWorkflows()
	checkTrusted(e)
	checkNames(e)
	checkRuns(e)
	checkOwners(e)
	checkBranch(e)
	checkConfig(e)
	checkAgents(e)
	checkFolders(e)
	order := map[bool]int{true: 0, false: 1}
	slices.SortStableFunc(e.found, func(a, b Finding) int {
		return cmp.Or(order[a.Open]-order[b.Open], cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.Compact(e.found)
}

// nowhere is the place of what is said of a whole file, or of none.
var nowhere document.Position

// open notes what a change could use, or what does not work.
func (e *examination) open(path string, at document.Position, rule, what, why, do string) {
	e.found = append(e.found, Finding{true, rule, path, at.Line, at.Column, what, why, do})
}

// note notes what is worth knowing.
func (e *examination) note(path string, at document.Position, rule, what, why, do string) {
	e.found = append(e.found, Finding{false, rule, path, at.Line, at.Column, what, why, do})
}

// WriteJSON writes the findings as JSON.
func WriteJSON(w io.Writer, findings []Finding) error {
	return show.WriteJSON(w, struct {
		Findings []Finding `json:"findings"`
		Answer   string    `json:"answer"`
	}{append([]Finding{}, findings...), Answer(findings)})
}

// Print prints the findings, each with what is so, why it matters and what to do, then their number and what a stranger
// could do. Findings quote files, so each line is made inert.
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
		_, err := fmt.Fprintf(w, "%s  [%s]\n      %s\n      %s\n      %s\n\n", show.Log(level), f.Rule,
			show.Log(f.What), show.Log(f.Why), show.Log("→ "+f.Do))
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d open, %s.\n%s\n", open, text.Count(len(findings)-open, "note"), Answer(findings))
	return err
}
