package asking

import (
	"cmp"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// WhyMissing says why an answer did not come.
func WhyMissing(r report.Result) string {
	why := string(r.Classification.Details.ErrorDetails)
	if r.Classification.Loss() == classify.LossNotAsked {
		_, why, _ = strings.Cut(why, ": ") // behind "not asked" or "cut off"
	}
	return document.Line(cmp.Or(why, r.Classification.Word()))
}
