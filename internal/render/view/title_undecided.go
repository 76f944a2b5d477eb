package view

import (
	"fmt"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func (v *View) baseFaultPart() string {
	for _, r := range v.Report.Reasons {
		if r.Code != gate.BaseFault.Code || r.Path == "" {
			continue
		}
		place := "the base’s " + show.Lead(r.Path, show.NameRunes) + show.When(r.Line > 0, fmt.Sprintf(":%d", r.Line))
		return show.If(r.Level == report.LevelError, place+" has a fault", "mends "+place)
	}
	return ""
}

func (v *View) undecidedTitle() []string {
	switch {
	case v.Has(gate.NoMerge.Code, report.LevelError), v.Has(gate.BaseMoved.Code, report.LevelError):
		return []string{v.titleOf(gate.NoMerge, report.LevelError) + v.titleOf(gate.BaseMoved, report.LevelError)}
	case v.Has(gate.BaseFault.Code, report.LevelError):
		return []string{v.baseFaultPart(), "not a prompt failure"}
	}
	switch n := v.NotAsked(); {
	case n > 0 && v.Has(model.ReasonCancelled, report.LevelError):
		return []string{"cancelled", show.Count(n, "answer") + " not asked for", "not a prompt failure"}
	case v.Has(model.ReasonCancelled, report.LevelError):
		return []string{"cancelled", "no verdict on the prompt"}
	case v.otherShards():
		return []string{"the shards are of another run", "not a prompt failure"}
	case v.Has(model.ReasonShard, report.LevelError):
		return []string{"shards of the run are missing", "not a prompt failure"}
	case n > 0:
		if p := v.Report.Plan; v.Report.Calls.Provider == 0 && p != nil && p.Calls > 0 {
			return []string{"nothing was asked: the run needs " + show.Count(p.Calls, "call") + ", more than a limit allows", "not a prompt failure"}
		}
		return []string{"a limit was used up", show.Count(n, "answer") + " not judged", "not a prompt failure"}
	}
	if n := v.lost(); n > 0 {
		return []string{show.Count(n, "case") + " without an answer now, answered before", "no score of the prompt"}
	}
	if v.Report.Unscored == 0 {
		if v.Has(gate.ConfirmIncomplete.Code, report.LevelError) {
			return []string{"cases that flipped could not be asked again", "no verdict on the prompt"}
		}
		return []string{"this is not a prompt failure"}
	}
	if n := v.missingFor(model.ReasonStale); n > 0 && n == len(v.Missing) {
		return []string{"the recorded answers of " + show.Count(n, "case") + " are stale", "make them anew"}
	}
	return []string{show.Grouped(v.Report.Unscored) + " of " + show.Count(max(v.Report.Trials, v.Report.Unscored), "answer") + " missing", "not a prompt failure"}
}

func (v *View) invalidTitle() []string {
	faults, files := v.Faults(), map[string]bool{}
	for _, d := range faults {
		files[d.Path] = true
	}
	return []string{show.Count(len(faults), "fault") + " in " + show.Count(len(files), "file")}
}

// Faults are what is wrong with the files, and FileWarnings what is only worth saying of them.
func (v *View) Faults() []document.Diagnostic {
	return show.Those(v.Report.Diagnostics, func(d document.Diagnostic) bool { return !isWarning(d) })
}

func (v *View) FileWarnings() []document.Diagnostic {
	return show.Those(v.Report.Diagnostics, isWarning)
}

func isWarning(d document.Diagnostic) bool { return d.Severity == document.Warning }

// Unasked are the suites of which the end of the run left answers unasked.
func (v *View) Unasked() []report.SuiteSummary {
	return show.Those(v.Report.Suites, func(s report.SuiteSummary) bool { return s.NotAsked != 0 })
}

// NotAsked counts the answers of both sides that the end of the run left unasked.
func (v *View) NotAsked() (n int) {
	for _, s := range v.Report.Suites {
		n += s.NotAsked
	}
	return n
}
