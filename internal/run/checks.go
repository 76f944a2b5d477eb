package run

import "github.com/failproof/failproof/internal/checks"

// list holds the checks of a run, in the order in which they look and ask. To leave one out is to delete its line and its file.
var list = []checks.New{
	newCoverage,
	newLeak,
	newControls,
	newAnnounced,
	newStale,
	newVerify,
	newDrift,
	newCause,
}
