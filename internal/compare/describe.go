package compare

import (
	"errors"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/worddiff"
)

// describer describes the changes of cases. It reads the answers to show back from the logs, within limits.
type describer struct {
	sides       [2]*report.Side // base and head
	passingLeft [2]int          // bytes of passing answers that may still be shown, on the base and on the head
	excerptLeft int             // bytes of results that may still be read to cut answers around their difference
}

// Limits of the answers that are shown.
const (
	passingRunes = 400
	passingBytes = 16 << 20 // all passing answers of a side
	excerptBytes = 8 << 20  // all results whose answers are cut around their difference
)

func newDescriber(base, head *report.Side) *describer {
	return &describer{[2]*report.Side{base, head}, [2]int{passingBytes, passingBytes}, excerptBytes}
}

// describe returns one change for each case. The status of every case must be decided already. describe fails if a
// result cannot be read back.
func describe(c Comparison, base, head *report.Side) ([]report.Change, error) {
	d := newDescriber(base, head)
	changes := make([]report.Change, 0, c.Count(func(*Case) bool { return true }))
	for p := range c.All() {
		one, err := d.change(p)
		if err != nil {
			return nil, err
		}
		changes = append(changes, one)
	}
	return changes, nil
}

// change returns the report's entry for case p. The entry of a removed or redefined case has the texts of both sides.
func (d *describer) change(p *Case) (c report.Change, err error) {
	was, now := outcomesOf(p)
	showPassing := worthShowing(p)
	moved := p.Status == report.Removed || p.Status == report.Redefined
	showBase, showHead := isShown(was, now, showPassing), isShown(now, was, showPassing)
	base, err := d.read(0, p.Base, was, moved || showBase)
	if err != nil {
		return c, err
	}
	head, err := d.read(1, p.Head, now, moved || showHead)
	if err != nil {
		return c, err
	}
	shown, result := p.Head, head
	if shown == nil {
		shown, result = p.Base, base
	}
	var excerpts [2]string
	if showBase {
		excerpts[0] = base.Excerpt(runesOf(was))
	}
	if showHead {
		excerpts[1] = head.Excerpt(runesOf(now))
	}
	if excerpts[0] != "" && excerpts[1] != "" {
		excerpts = d.aroundDifference(was, now, excerpts, base.ShownAnswer(), head.ShownAnswer())
	}
	c = report.Change{
		SuiteID: p.SuiteID(), CaseID: p.ID(), BaseName: OldName(p), Change: p.Status,
		Base: withExcerpt(was, excerpts[0]), Head: withExcerpt(now, excerpts[1]),
		Input: result.Input, Expected: result.Expected, // empty unless the answer is shown
		Path: shown.Path, Line: shown.Line, Severity: shown.Severity, MustPass: shown.MustPass, Tags: shown.Tags,
		Quarantined: p.Quarantined, Noisy: p.DecidedByReruns(), Sampled: anySampled(p), Truncated: p.NewlyTruncated(),
		KeptByHand: p.Head != nil && p.Head.KeptByHand, Reworded: isReworded(p),
	}
	if p.Redefined() {
		c.BaseVersion = oldDefinition(p, base, head)
		if under := p.Head.UnderBase; under != nil {
			shown := *c.Head
			shown.UnderBase, c.Head = &under.Primary, &shown
		}
	}
	return c, nil
}

// oldDefinition returns the old input and expectation of a redefined case. It returns nil if the input is the same and
// the result does not hold the old expectation.
func oldDefinition(p *Case, base, head report.Result) *report.BaseVersion {
	b := report.BaseVersion{InputChanged: p.Base.InputKey != p.Head.InputKey, Expected: head.ExpectedBefore}
	if b.InputChanged {
		b.Input = base.Input
	} else if len(b.Expected) == 0 {
		return nil
	}
	return &b
}

// OldName returns the case's name on the base, as SUITE/CASE, if the case's id changed or the case moved to another
// suite. Otherwise it returns "". A new id of the whole suite does not count.
func OldName(p *Case) string {
	if p.Base == nil || p.Head == nil || p.Base.ID == p.Head.ID && !isMoved(p) {
		return ""
	}
	return p.baseSuite.ID + "/" + p.Base.ID
}

// withExcerpt returns o with the given excerpt of the shown trial's answer, or o itself if the excerpt is empty.
func withExcerpt(o *report.Outcome, excerpt string) *report.Outcome {
	if excerpt == "" {
		return o
	}
	shown := *o
	shown.Excerpt = model.Untrusted(excerpt)
	return &shown
}

// worthShowing reports whether to show the answers to p even if they pass. It is true if the head's answer is
// unverified, hand-written, newly truncated or worse than before. It is also true if the input changed, or if the old
// expectation fails the answer.
func worthShowing(p *Case) bool {
	switch {
	case p.Head == nil:
		return false
	case p.NewlyTruncated(), p.FailsOldExpectation(), p.HasNewInput(), p.Head.KeptByHand,
		p.Head.Outcome.Details.Unjudged():
		return true
	}
	was, now := outcomesOf(p)
	return report.GotWorse(was.Overall(), now.Overall())
}

// isShown reports whether to show the answer of o, the outcome of a case on one side. other is its outcome on the other
// side. The answer is shown if showPassing is set or if the answer of o or of other fails.
func isShown(o, other *report.Outcome, showPassing bool) bool {
	return o != nil && (showPassing || o.Primary != classify.Pass || other != nil && !other.Right())
}

// runesOf returns how many characters of the answer of o may be shown.
func runesOf(o *report.Outcome) int {
	if o.Primary == classify.Pass {
		return passingRunes
	}
	return report.FailingRunes
}

// read returns the result that o shows, which is the outcome of case c on one side: 0 is the base and 1 the head. read
// returns the zero result if wanted is false or the side has no result. It also does so for a passing answer if the
// side's limit for passing answers is used up.
func (d *describer) read(side int, c *report.Case, o *report.Outcome, wanted bool) (r report.Result, err error) {
	passes := c != nil && o.Primary == classify.Pass
	if c == nil || !wanted || c.LeftOut || passes && d.passingLeft[side] <= 0 {
		return r, nil
	}
	if r, err = d.sides[side].ShownResult(o); err != nil {
		return r, fmt.Errorf("read the answer to case %s back: %w", c.ID, err)
	}
	if passes {
		d.passingLeft[side] -= len(r.Excerpt(passingRunes)) + len(r.Input)
	}
	return r, nil
}

// aroundDifference returns the answers was and is of both sides, cut around their difference, if one of their excerpts
// is truncated. base and head are the outcomes that show them. Both whole answers are needed, so it returns the
// excerpts if the results are longer than d.excerptLeft.
func (d *describer) aroundDifference(base, head *report.Outcome, excerpts [2]string,
	was, is model.Untrusted) [2]string {
	read := base.Ref.Len + head.Ref.Len
	if excerpts == [2]string{string(was), string(is)} || read > d.excerptLeft {
		return excerpts
	}
	d.excerptLeft -= read
	before, now := worddiff.ShortenAround(string(was), string(is), runesOf(base), runesOf(head))
	return [2]string{strings.Clone(before), strings.Clone(now)} // so that the whole answers can be freed
}

// isReworded reports whether the answers to an equal input differ.
func isReworded(p *Case) bool {
	return p.Base != nil && p.Head != nil && p.Base.AnswerKey != p.Head.AnswerKey && p.Base.InputKey == p.Head.InputKey &&
		p.Base.ShowsAnswers() && p.Head.ShowsAnswers()
}

// countReworded counts the passing cases whose answers changed. It returns nil if there are none. A program that reads
// such answers may break although they meet every criterion. countReworded fails if an answer cannot be read back.
func countReworded(c Comparison, base, head *report.Side) (*report.Reworded, error) {
	var out report.Reworded
	var first *Case
	for p := range c.All() {
		if p.Status != report.StillPassing || p.Quarantined || CountsOf(p.Base) != CountsOf(p.Head) {
			continue
		}
		if out.Passing++; !isReworded(p) {
			continue
		}
		if out.Changed++; out.Changed == 1 {
			out.SuiteID, out.CaseID, first = p.SuiteID(), p.ID(), p
		}
	}
	if out.Changed == 0 {
		return nil, nil
	}
	was, now, err := shownResults(first, base, head)
	if err != nil {
		return nil, err
	}
	if first.Base.Outcome.Trials == 1 { // of several answers, the shown ones may be equal
		out.Before, out.Now = model.Untrusted(was.Excerpt(passingRunes)), model.Untrusted(now.Excerpt(passingRunes))
	}
	return &out, nil
}

// shownResults reads the results of the shown trials of p on both sides back.
func shownResults(p *Case, base, head *report.Side) (was, now report.Result, err error) {
	baseOutcome, headOutcome := outcomesOf(p)
	was, baseErr := base.ShownResult(baseOutcome)
	now, err = head.ShownResult(headOutcome)
	if err = errors.Join(baseErr, err); err != nil {
		err = fmt.Errorf("read the answer to case %s back: %w", p.ID(), err)
	}
	return was, now, err
}

// Restore adds the cases that still pass to rep, a stored report, because a stored report leaves them out. It orders
// all cases as in a new report. The sides must be joined; see JoinCases. Restore fails if a result cannot be read back.
func Restore(rep *report.Report, base, head *report.Side) error {
	reported := map[suiteid.Name]report.Change{}
	for _, c := range rep.Changes {
		reported[c.Name()] = c
	}
	d := newDescriber(base, head)
	var all []report.Change
	for p := range pairCases(base, head, rep.GateOr(config.Gate{})).All() {
		c, ok := reported[nameOf(p)]
		if delete(reported, nameOf(p)); ok {
			was, now := outcomesOf(p)
			c.Base, c.Head = c.Base.At(was), c.Head.At(now)
		} else {
			p.Status = report.StillPassing
			var err error
			if c, err = d.change(p); err != nil {
				return err
			}
		}
		all = append(all, c)
	}
	if len(reported) == 0 { // otherwise the results are another run's
		rep.Changes = all
	}
	return nil
}
