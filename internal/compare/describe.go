package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// describer says what happened to cases, for people to read.
type describer struct {
	base, head *report.Side
	left       [2]int                       // bytes of passing answers that may still be read back, of the base and of the head
	plain      map[[2]int32]*report.Outcome // by trials and shown trial: one for all that say nothing but "all trials passed"
}

func newDescriber(base, head *report.Side) *describer {
	return &describer{base: base, head: head, left: [2]int{report.PassingBytes, report.PassingBytes}, plain: map[[2]int32]*report.Outcome{}}
}

func (d *describer) change(s *suitePair, p casePair) (c report.Change, err error) {
	look, moved := toLookAt(p), p.status == report.Removed || p.status == report.Redefined
	showBase, showHead := worthShowing(p.base, p.head, look), worthShowing(p.head, p.base, look)
	base, err := d.texts(d.base, 0, p.base, showBase || moved && p.head == nil)
	if err != nil {
		return c, err
	}
	head, err := d.texts(d.head, 1, p.head, showHead || moved)
	if err != nil {
		return c, err
	}
	at, own := p.head, head
	if at == nil {
		at, own = p.base, base
	}
	c = report.Change{SuiteID: s.id, CaseID: s.name(p), Change: p.status, Path: at.Path, Line: int(at.Line), Severity: at.Severity, MustPass: at.MustPass,
		Base: d.outcome(p.base, base, showBase), Head: d.outcome(p.head, head, showHead)}
	if moved || !at.Passes() || c.Base != nil && c.Base.Excerpt != "" || c.Head != nil && c.Head.Excerpt != "" {
		c.Asked, c.Expected = untrusted(own.Asked), own.Expected
	}
	c.Quarantined, c.Noisy = p.quarantined, p.isRedrawn()
	c.Drawn = p.base != nil && p.base.Drawn || p.head != nil && p.head.Drawn
	c.KeptByHand = p.head != nil && p.head.KeptByHand
	if p.redefined() {
		if under := p.head.UnderBase(); under.Trials > 0 {
			c.Head.UnderBase = &under.Primary
		}
	}
	return c, nil
}

// toLookAt reports a case that passes, and whose answers are worth showing all the same: nothing judged the head's, or it got worse, or is
// one to another prompt.
func toLookAt(p casePair) bool {
	switch {
	case p.head == nil || p.head.Shown == nil:
		return p.head != nil && p.head.KeptByHand
	case p.head.KeptByHand || p.head.Shown.Details.Unjudged():
		return true
	}
	return p.base != nil && p.base.Shown != nil && report.GotWorse(p.base.Shown.OverallScore, p.head.Shown.OverallScore)
}

// worthShowing reports a case whose answer people will want to see: one that does not pass, or that stands beside one, or that a person has
// to look at.
func worthShowing(c, other *report.Case, look bool) bool {
	return c != nil && (look || c.Primary() != classify.Pass || other != nil && !other.Passes())
}

// texts are those of a case of a side, if they are wanted: what passes is read back, as far as there is room for it.
func (d *describer) texts(side *report.Side, at int, c *report.Case, wanted bool) (report.Texts, error) {
	passes := c != nil && c.Primary() == classify.Pass
	if c == nil || !wanted || passes && d.left[at] <= 0 {
		return report.Texts{}, nil
	}
	texts, err := side.Texts(c)
	if err != nil {
		return texts, fmt.Errorf("read the answer to case %s back: %w", c.ID, err)
	}
	if passes {
		d.left[at] -= texts.Bytes()
	}
	return texts, nil
}

// outcome describes one side of a case; nil where it has none.
func (d *describer) outcome(c *report.Case, said report.Texts, shown bool) *report.Outcome {
	if c == nil {
		return nil
	}
	plain := c.Passes() && c.Shown == nil && c.UnderBase() == (report.UnderBase{}) && c.Trial == 1 && (!shown || said.Excerpt == "")
	key := [2]int32{int32(c.Tally.Trials), c.Trial}
	if known := d.plain[key]; plain && known != nil {
		return known
	}
	out := &report.Outcome{
		Primary: c.Primary(), Passed: c.Tally.Passed, Trials: c.Tally.Trials, Unscored: c.Tally.Unscored, Trial: int(c.Trial),
	}
	if c.Shown != nil {
		out.Details, out.OverallScore, out.LatencyMS = c.Shown.Details, c.Shown.OverallScore, c.Shown.LatencyMS
	}
	if shown {
		out.Excerpt = untrusted(said.Excerpt)
	}
	if plain {
		d.plain[key] = out
	}
	return out
}
