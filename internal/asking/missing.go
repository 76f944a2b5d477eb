package asking

import (
	"cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// WhyMissing returns, in words, why r has no answer.
func WhyMissing(r report.Result) string {
	c, ended := r.Classification, ""
	if c.End != nil {
		ended = c.End.Why
	}
	return document.Line(cmp.Or(ended, string(c.Details.ErrorDetails), c.DisplayName()))
}
