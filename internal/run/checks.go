package run

import (
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/checks/accept"
	"github.com/failproof/failproof/internal/checks/announced"
	"github.com/failproof/failproof/internal/checks/cause"
	"github.com/failproof/failproof/internal/checks/controls"
	"github.com/failproof/failproof/internal/checks/coverage"
	"github.com/failproof/failproof/internal/checks/drift"
	"github.com/failproof/failproof/internal/checks/leak"
	"github.com/failproof/failproof/internal/checks/loosened"
	"github.com/failproof/failproof/internal/checks/stale"
	"github.com/failproof/failproof/internal/checks/verify"
)

// allChecks has the checks of a run, in the order in which they are called. To remove a check, delete its package and
// its line.
var allChecks = []checks.New{
	coverage.New,
	leak.New,
	loosened.New,
	controls.New,
	announced.New,
	stale.New,
	drift.New,
	verify.New,
	cause.New,
	accept.New,
}
