package compare

import (
	"fmt"
	"reflect"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// describer reads the texts of changes, within limits.
type describer struct {
	base, head *report.Side
	left       [2]int // bytes of passing answers that may still be read back: base, head
	whole      int    // bytes of results that may still be read back to show answers around their difference
}

// wholeBytes limits the total length of the answers that are read whole, to show the parts around their difference.
// More would be too many for anybody to read.
const wholeBytes = 8 << 20

func newDescriber(base, head *report.Side) *describer {
	return &describer{base: base, head: head, left: [2]int{report.PassingBytes, report.PassingBytes}, whole: wholeBytes}
}

// describe returns the changes of decided pairs. It fails if a result cannot be read back.
func describe(pairs []*suitePair, base, head *report.Side) (changes []report.Change, err error) {
	d, n := newDescriber(base, head), 0
	for _, s := range pairs {
		n += len(s.decisions)
	}
	changes = make([]report.Change, 0, n)
	for _, s := range pairs {
		for p := range s.all() {
			base, head, err := d.texts(p)
			if err != nil {
				return nil, err
			}
			changes = append(changes, p.change(base, head))
		}
	}
	return changes, nil
}

// texts reads the texts of the answers that are shown. For a removed or redefined case, it reads those of both sides.
func (d *describer) texts(p Case) (base, head report.Result, err error) {
	showBase, showHead := sidesShown(p)
	moved := p.Status == report.Removed || p.Status == report.Redefined
	if base, err = d.sideTexts(d.base, 0, p.Base, showBase || moved); err != nil {
		return base, head, err
	}
	if head, err = d.sideTexts(d.head, 1, p.Head, showHead || moved); err != nil {
		return base, head, err
	}
	if showBase && showHead && (base.IsCut() || head.IsCut()) {
		err = d.around(p, &base, &head)
	}
	return base, head, err
}

// sidesShown reports for each side whether its answer is shown.
func sidesShown(p Case) (base, head bool) {
	always := worthShowing(p)
	return isShown(p.Base, p.Head, always), isShown(p.Head, p.Base, always)
}

// change returns the report's entry of a case, with the texts of both sides.
func (p Case) change(base, head report.Result) report.Change {
	showBase, showHead := sidesShown(p)
	at, own := p.Head, head
	if at == nil {
		at, own = p.Base, base
	}
	c := report.Change{SuiteID: p.SuiteID(), CaseID: p.ID(), Change: p.Status, Path: at.Path, Line: at.Line, Severity: at.Severity, Tags: at.Tags, MustPass: at.MustPass,
		Base: outcome(p.Base, base, showBase), Head: outcome(p.Head, head, showHead)}
	c.Asked, c.Expected = own.Asked, own.Expected // empty unless the answer is shown
	c.Quarantined, c.Noisy, c.Sampled, c.Cut = p.Quarantined, p.Rerun(), anySampled(p), p.CutShort()
	c.KeptByHand = p.Head != nil && p.Head.KeptByHand
	c.Reworded = p.Base != nil && p.Head != nil && p.Base.AnswerKey != p.Head.AnswerKey
	c.Was = was(p)
	if p.Redefined() {
		c.Before = beforeOf(p, base, head)
		if under := p.Head.UnderBase; under.Trials > 0 {
			c.Head.UnderBase = &under.Primary
		}
	}
	return c
}

// beforeOf returns the old input and expectation of a redefined case; nil if neither is known.
func beforeOf(p Case, base, head report.Result) *report.Before {
	b := report.Before{OtherInput: p.Base.InputKey != p.Head.InputKey, Expected: head.ExpectedBefore}
	if b.OtherInput {
		b.Asked = base.Asked
	} else if len(b.Expected) == 0 {
		return nil
	}
	return &b
}

// was returns the case's name on the base, as SUITE/CASE, if its id has changed or it moved to another suite; otherwise
// "". A new id of the whole suite does not count.
func was(p Case) string {
	if p.Base == nil || p.Head == nil || p.Base.ID == p.Head.ID && p.suite.from[p.Base] == nil {
		return ""
	}
	return home(p).ID + "/" + p.Base.ID
}

// passedOnce is the outcome of one right answer without details. Most cases of a large run share it; it is read-only.
var passedOnce = &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1}

// outcome describes one side of a case; nil if the side lacks the case.
func outcome(c *report.Case, texts report.Result, shown bool) *report.Outcome {
	if c == nil {
		return nil
	}
	if c.Passes() && c.Tally.Trials == 1 && c.Shown == nil && c.UnderBase == (report.UnderBase{}) && !shown {
		return passedOnce
	}
	out := &report.Outcome{
		Primary: c.Primary, Passed: c.Tally.Passed, Trials: c.Tally.Trials, Unscored: c.Tally.Unscored, Trial: c.Trial,
	}
	if shown {
		out.Excerpt = texts.RawResponse
	}
	if c.Shown != nil {
		out.OverallScore, out.LatencyMS, out.CostUSD = c.Shown.OverallScore, c.Shown.LatencyMS, c.Shown.CostUSD
		if d := &c.Shown.Classification.Details; !reflect.ValueOf(*d).IsZero() {
			out.Details = d
		}
	}
	return out
}

// worthShowing reports whether a passing answer is worth showing: it is unverified or hand-written, it got worse, it is
// newly truncated, its input changed, or the old expectation would fail it.
func worthShowing(p Case) bool {
	switch {
	case p.CutShort(), p.FailsOldExpectation(), p.AsksElse():
		return true
	case p.Head == nil || p.Head.Shown == nil:
		return p.Head != nil && p.Head.KeptByHand
	case p.Head.KeptByHand || p.Head.Shown.Classification.Details.Unjudged():
		return true
	}
	return p.Base != nil && p.Base.Shown != nil && report.GotWorse(p.Base.Shown.OverallScore, p.Head.Shown.OverallScore)
}

// isShown reports whether to show the answer of a side: it fails, the other side's answer fails, or always is set.
func isShown(c, other *report.Case, always bool) bool {
	return c != nil && (always || c.Primary != classify.Pass || other != nil && !other.Passes())
}

// sideTexts returns the texts of a side's case if they are wanted. Texts of passing cases are read back until the limit
// is reached.
func (d *describer) sideTexts(side *report.Side, at int, c *report.Case, wanted bool) (report.Result, error) {
	passes := c != nil && c.Primary == classify.Pass
	if c == nil || !wanted || passes && d.left[at] <= 0 {
		return report.Result{}, nil
	}
	texts, err := side.ShownTexts(c)
	if err != nil {
		return texts, fmt.Errorf("read the answer to case %s back: %w", c.ID, err)
	}
	if passes {
		d.left[at] -= texts.TextBytes()
	}
	return texts, nil
}

// around replaces both answers of a case by the parts around their difference. It does nothing if the answers have more
// bytes than remain in d.whole.
func (d *describer) around(p Case, base, head *report.Result) error {
	size := p.Base.At.Len + p.Head.At.Len
	if base.RawResponse == "" || head.RawResponse == "" || size > d.whole {
		return nil
	}
	d.whole -= size
	before, now, known, err := report.Around(d.base, p.Base, d.head, p.Head)
	if err != nil {
		return fmt.Errorf("read the answers to case %s back: %w", p.Head.ID, err)
	}
	if known {
		base.RawResponse, head.RawResponse = before, now
	}
	return nil
}

// reworded counts the passing cases whose answers changed; nil if there are none. A program that reads such answers may
// break although they meet every criterion. It is an error if an answer cannot be read back.
func reworded(c Comparison, base, head *report.Side) (*report.Reworded, error) {
	var out report.Reworded
	var first Case
	for p := range c.All() {
		if p.Status != report.StillPassing || p.Quarantined || p.Base.Tally != p.Head.Tally {
			continue
		}
		if out.Passing++; p.Base.AnswerKey == p.Head.AnswerKey {
			continue
		}
		if out.Changed++; out.Changed == 1 {
			out.SuiteID, out.CaseID, first = p.SuiteID(), p.ID(), p
		}
	}
	if out.Changed == 0 {
		return nil, nil
	}
	was, err := base.ShownTexts(first.Base)
	if err != nil {
		return nil, fmt.Errorf("read the answer to case %s back: %w", out.CaseID, err)
	}
	now, err := head.ShownTexts(first.Head)
	if err != nil {
		return nil, fmt.Errorf("read the answer to case %s back: %w", out.CaseID, err)
	}
	if first.Base.Tally.Trials == 1 { // of several answers, the shown ones may be equal
		out.Before, out.Now = was.RawResponse, now.RawResponse
	}
	return &out, nil
}

// Restore adds the cases that still pass to a stored report, which leaves them out, and keeps the order of cases. The
// sides must be joined; see JoinCases. Restore fails if a result cannot be read back.
func Restore(rep *report.Report, base, head *report.Side) error {
	type id struct{ suite, name string }
	reported := map[id]report.Change{}
	for _, c := range rep.Changes {
		reported[id{c.SuiteID, c.CaseID}] = c
	}
	d := newDescriber(base, head)
	var all []report.Change
	for p := range pair(base, head, rep.GateOr(config.Gate{})).All() {
		name := id{p.SuiteID(), p.ID()}
		c, ok := reported[name]
		if delete(reported, name); !ok {
			p.Status = report.StillPassing
			was, now, err := d.texts(p)
			if err != nil {
				return err
			}
			c = p.change(was, now)
		}
		all = append(all, c)
	}
	if len(reported) == 0 { // otherwise the results are another run's
		rep.Changes = all
	}
	return nil
}
