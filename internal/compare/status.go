package compare

import (
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// statusOf returns the status of a case by its first answers. The first matching rule decides.
func statusOf(p *Case) report.Status {
	switch {
	case p.Base == nil:
		return report.New
	case p.Head == nil:
		return report.Removed
	case p.Redefined() && (p.kind == noisy || !worse(p)):
		return report.Redefined
	case p.kind == noisy:
		return noise.Status(SideOf(p.Base), SideOf(p.Head))
	}
	return noise.Strict(SideOf(p.Base), SideOf(p.Head))
}
