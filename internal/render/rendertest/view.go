// Package rendertest holds what the tests of the printers share: a report of every state of the gate, texts that try to be more than text,
// and goldens.
package rendertest

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// View is the view of a report whose changes have no kind yet.
func View(r *report.Report, l show.Links) *view.View {
	compare.Sort(r)
	return view.New(r, l)
}
