package sides

import (
	"slices"
	"time"

	"github.com/failproof/failproof/internal/report"
)

// NewReport returns a report of the compared revisions, still without results. It records the current time as the end
// of the run.
func (s *Sides) NewReport(started time.Time) *report.Report {
	return &report.Report{
		SchemaVersion: report.SchemaVersion,
		Tool:          report.Tool{Name: "failproof", Version: s.Inputs.Version},
		Run: report.Run{
			ID: s.Inputs.RunID, StartedAt: Timestamp(started), FinishedAt: Timestamp(s.Inputs.Time()),
			Scope: s.Inputs.Scope, BaseState: s.BaseState,
			Head: Revision(s.Inputs.Head.Revision), Base: s.Inputs.BaseRevision(),
		},
		PolicyChanges: s.Changes,
		Warnings:      slices.Clone(s.Warnings),
		Diagnostics:   s.Faults,
	}
}
