package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// reworded counts the passing cases that are answered in other words; nil where none is. Whoever reads answers by a program breaks on words that
// every criterion passes. The error is that an answer could not be read back.
func (c Comparison) reworded(base, head *report.Side) (*report.Reworded, error) {
	var out report.Reworded
	var first casePair
	for s, p := range c.all() {
		if p.status() != report.StillPassing || p.quarantined || p.base.Tally() != p.head.Tally() {
			continue
		}
		if out.Passing++; p.base.AnswerKey == p.head.AnswerKey {
			continue
		}
		if out.Changed++; out.Changed == 1 {
			out.SuiteID, out.CaseID, first = s.id, s.name(p), p
		}
	}
	if out.Changed == 0 {
		return nil, nil
	}
	was, err := base.Texts(first.base)
	if err != nil {
		return nil, fmt.Errorf("read the answer to case %s back: %w", out.CaseID, err)
	}
	is, err := head.Texts(first.head)
	if err != nil {
		return nil, fmt.Errorf("read the answer to case %s back: %w", out.CaseID, err)
	}
	if first.base.Tally().Trials == 1 { // else the answers that are shown may be the same
		out.Before, out.Now = model.Untrusted(was.Excerpt), model.Untrusted(is.Excerpt)
	}
	return &out, nil
}
