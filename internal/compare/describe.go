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
	base, head  *report.Side
	passingLeft [2]int // bytes of passing answers that may still be shown, on the base and on the head
	excerptLeft int    // bytes of results that may still be read to cut answers around their difference
}

// Limits of the answers that are shown.
const (
	passingRunes = 400
	passingBytes = 16 << 20 // all passing answers of a side
	excerptBytes = 8 << 20  // all results whose answers are cut around their difference
)

func newDescriber(base, head *report.Side) *describer {
	return &describer{base: base, head: head, passingLeft: [2]int{passingBytes, passingBytes},
		excerptLeft: excerptBytes}
}

// describe returns one change for each case. The status of every case must be decided already. describe fails if a
// result cannot be read back.
func describe(pairs []*suitePair, base, head *report.Side) (changes []report.Change, err error) {
	d, n := newDescriber(base, head), 0
	for _, s := range pairs {
		n += len(s.cases)
	}
	changes = make([]report.Change, 0, n)
	for _, s := range pairs {
		for _, p := range s.cases {
			c, err := d.change(p)
			if err != nil {
				return nil, err
			}
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// change returns the report's entry for case p. The entry of a removed or redefined case has the texts of both sides.
func (d *describer) change(p *Case) (c report.Change, err error) {
	showPassing := worthShowing(p)
	moved := p.Status == report.Removed || p.Status == report.Redefined
	base, err := d.read(d.base, 0, p.Base, moved || isShown(p.Base, p.Head, showPassing))
	if err != nil {
		return c, err
	}
	head, err := d.read(d.head, 1, p.Head, moved || isShown(p.Head, p.Base, showPassing))
	if err != nil {
		return c, err
	}
	shown, result := p.Head, head
	if shown == nil {
		shown, result = p.Base, base
	}
	baseExcerpt, headExcerpt := d.excerpts(p, showPassing, base, head)
	c = report.Change{SuiteID: p.SuiteID(), CaseID: p.ID(), Change: p.Status, Path: shown.Path, Line: shown.Line, Severity: shown.Severity, Tags: shown.Tags, MustPass: shown.MustPass,
		Base: outcome(p.Base, baseExcerpt), Head: outcome(p.Head, headExcerpt), BaseCase: p.Base, HeadCase: p.Head}
	c.Input, c.Expected = result.Input, result.Expected // empty unless the answer is shown
	c.Quarantined, c.Noisy, c.Sampled, c.Truncated = p.Quarantined, p.DecidedByReruns(), anySampled(p),
		p.NewlyTruncated()
	c.KeptByHand = p.Head != nil && p.Head.KeptByHand
	c.Reworded = isReworded(p)
	c.BaseName = p.OldName()
	if p.Redefined() {
		c.BaseVersion = oldDefinition(p, base, head)
		if under := p.Head.UnderBase; under.Trials > 0 {
			c.Head.UnderBase = &under.Primary
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
func (p *Case) OldName() string {
	if p.Base == nil || p.Head == nil || p.Base.ID == p.Head.ID && !isMoved(p) {
		return ""
	}
	return p.baseSuite.ID + "/" + p.Base.ID
}

// outcome completes the outcome of the case's shown trial with the case's counts and the given excerpt of its answer,
// and returns it as the report's entry for that side. It returns nil if the side lacks the case.
func outcome(c *report.Case, excerpt string) *report.Outcome {
	if c == nil {
		return nil
	}
	out := &c.Shown.Outcome
	out.Passed, out.Trials, out.Unscored = c.Tally.Passed, c.Tally.Trials, c.Tally.Unscored
	out.Excerpt = model.Untrusted(excerpt)
	return out
}

// worthShowing reports whether to show the answers to p even if they pass. It is true if the head's answer is
// unverified, hand-written, newly truncated or worse than before. It is also true if the input changed, or if the old
// expectation fails the answer.
func worthShowing(p *Case) bool {
	switch {
	case p.Head == nil:
		return false
	case p.NewlyTruncated(), p.FailsOldExpectation(), p.HasNewInput(), p.Head.KeptByHand,
		p.Head.Shown.Details.Unjudged():
		return true
	}
	return p.Base != nil && report.GotWorse(p.Base.Shown.OverallScore, p.Head.Shown.OverallScore)
}

// isShown reports whether to show the answer of c, which is a case on one side. other is the same case on the other
// side. The answer is shown if showPassing is set or if the answer of c or of other fails.
func isShown(c, other *report.Case, showPassing bool) bool {
	return c != nil && (showPassing || c.Shown.Primary != classify.Pass || other != nil && !other.Passes())
}

// runesOf returns how many characters of the answer of c may be shown.
func runesOf(c *report.Case) int {
	if c.Shown.Primary == classify.Pass {
		return passingRunes
	}
	return report.FailingRunes
}

// read returns the result of case c on one side. i is 0 for the base and 1 for the head. read returns the zero result
// if wanted is false or the side has no result. It also does so for a passing answer if the side's limit for passing
// answers is used up.
func (d *describer) read(side *report.Side, i int, c *report.Case, wanted bool) (r report.Result, err error) {
	passes := c != nil && c.Shown.Primary == classify.Pass
	if c == nil || !wanted || c.LeftOut || passes && d.passingLeft[i] <= 0 {
		return r, nil
	}
	if r, err = side.ShownResult(c); err != nil {
		return r, fmt.Errorf("read the answer to case %s back: %w", c.ID, err)
	}
	if passes {
		d.passingLeft[i] -= len(r.Excerpt(passingRunes)) + len(r.Input)
	}
	return r, nil
}

// excerpts returns the answers to show, truncated. If both sides have one and at least one is truncated, both are cut
// around their difference. That needs both whole results, and is skipped if their length exceeds d.excerptLeft.
func (d *describer) excerpts(p *Case, showPassing bool, base, head report.Result) (before, now string) {
	if isShown(p.Base, p.Head, showPassing) {
		before = base.Excerpt(runesOf(p.Base))
	}
	if isShown(p.Head, p.Base, showPassing) {
		now = head.Excerpt(runesOf(p.Head))
	}
	was, is := string(base.ShownAnswer()), string(head.ShownAnswer())
	if before == "" || now == "" || before == was && now == is || p.Base.Shown.Ref.Len+
		p.Head.Shown.Ref.Len > d.excerptLeft {
		return before, now
	}
	d.excerptLeft -= p.Base.Shown.Ref.Len + p.Head.Shown.Ref.Len
	before, now = worddiff.ShortenAround(was, is, runesOf(p.Base), runesOf(p.Head))
	return strings.Clone(before), strings.Clone(now) // so that the whole answers can be freed
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
		if p.Status != report.StillPassing || p.Quarantined || p.Base.Tally != p.Head.Tally {
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
	if first.Base.Tally.Trials == 1 { // of several answers, the shown ones may be equal
		out.Before, out.Now = model.Untrusted(was.Excerpt(passingRunes)), model.Untrusted(now.Excerpt(passingRunes))
	}
	return &out, nil
}

// shownResults reads the results of the shown trials of p on both sides back.
func shownResults(p *Case, base, head *report.Side) (was, now report.Result, err error) {
	was, baseErr := base.ShownResult(p.Base)
	now, err = head.ShownResult(p.Head)
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
		if delete(reported, nameOf(p)); !ok {
			p.Status = report.StillPassing
			var err error
			if c, err = d.change(p); err != nil {
				return err
			}
		}
		c.BaseCase, c.HeadCase = p.Base, p.Head
		all = append(all, c)
	}
	if len(reported) == 0 { // otherwise the results are another run's
		rep.Changes = all
	}
	return nil
}
