package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

type shownCase struct {
	report.Change
	index int // in the report's changes
}

// shownCases returns the cases that the page shows with their answers, at most maxShownCases. It leaves out cases that
// simply pass, and sorts the rest by kind and then by severity, worst first.
func shownCases(v *story.Story) []shownCase {
	var out []shownCase
	for i, c := range v.Report.Changes {
		if c.Kind != report.KindPassing {
			out = append(out, shownCase{c, i})
		}
	}
	slices.SortStableFunc(out, func(a, b shownCase) int {
		return cmp.Or(cmp.Compare(slices.Index(report.Kinds[:], a.Kind), slices.Index(report.Kinds[:], b.Kind)),
			story.BySeverity(a.Change, b.Change))
	})
	return out[:min(len(out), maxShownCases)]
}

type caseGroup struct {
	ID, Nav, Heading, Lead string
	Items                  []show.Phrase // edits that several cases share
	First, More            []caseBlock   // More is folded
	MoreText               string
	Unlisted               string // how many are in the table only; "" for none
}

// caseLine is what both a case's card and its row in a table show.
type caseLine struct {
	Anchor, Name    string
	Kind            report.Kind
	Label, Severity string
	MustPass        bool
	Base, Head      sideOutcome // Base is empty without a base
	Why             []show.Span
}

// newCaseLine returns what a case's card and row show. If another element already has the anchor, it uses a longer
// anchor. Each foreign part of the reason is cut to the given number of runes.
func (p *printer) newCaseLine(c shownCase, anchor string, runes int) caseLine {
	l := caseLine{Anchor: anchor, Name: name(c.CaseID), Kind: c.Kind, Label: labelOf(p.story, c.Change),
		Severity: excerpt(c.Severity), MustPass: c.MustPass, Head: newSideOutcome(c.Head)}
	if p.anchors[anchor] { // only one element may have it
		l.Anchor += "~" + strconv.Itoa(c.index)
	}
	p.anchors[l.Anchor] = true
	if p.story.Compared {
		l.Base = newSideOutcome(c.Base)
	}
	why := p.story.ResultReason(c.Change)
	if c.Quarantined {
		why = show.Phrasef("in quarantine; %v", why)
	}
	l.Why = why.Spans(runes)
	return l
}

// caseBlock is one case with what both sides answered.
type caseBlock struct {
	caseLine
	Suite          string
	Href           string // link to this case, for sharing
	Place          place
	Input          string       // what the case itself said to the model
	Expected       []demandLine // all expectations of the answer, unmet ones first
	InputBefore    string       // the former input, if a redefined case asks something else
	ExpectedBefore []demandLine // the former expectations of a redefined case
	Open           bool
	Answers        []answerBlock
	Note           string // a note on the comparison of the answers
	Effort         string // time and cost of the answers, before and now
	Edit           *edit
}

// edit is the patch that makes the new answer of a case right, or why there is none.
type edit struct{ Patch, Refused string }

type sideOutcome struct {
	Category string
	Trials   string // 4/5; "" if there is only one
	Class    string // of the colour: pass, bad, wait, none
}

func newSideOutcome(o *report.Outcome) sideOutcome {
	if o == nil {
		return sideOutcome{Category: "absent", Class: "none"}
	}
	s := sideOutcome{Category: excerpt(o.CategoryWord()), Class: "bad"}
	if o.Trials > 1 {
		s.Trials = fmt.Sprintf("%d/%d", o.Passed, o.Trials)
	}
	switch o.Primary {
	case classify.Pass:
		s.Class = "pass"
	case classify.Error, classify.Timeout, classify.Crash:
		if o.Details == nil || !o.Details.CausedByPromptOrModel {
			s.Class = "wait"
		}
	}
	return s
}

func (p *printer) newCaseBlock(i int, c shownCase) caseBlock {
	b := caseBlock{caseLine: p.newCaseLine(c, story.CaseAnchor(c.SuiteID, c.CaseID), show.SentenceRunes),
		Place: placeOf(p.story, p.story.ShaOf(c.Change), c.Path, c.Line, 0),
		Input: strings.TrimSpace(show.Visible(string(c.Input))), Expected: demands(p.story, c.Change)}
	b.Href, p.cards[c.index] = "#"+b.Anchor, true
	if len(p.story.Report.Suites) > 1 {
		b.Suite = shortName(show.Suite(c.SuiteID))
	}
	if was := c.BaseVersion; was != nil {
		b.InputBefore = show.When(was.InputChanged && was.Input != c.Input,
			strings.TrimSpace(show.Visible(string(was.Input))))
		for _, d := range changedFirst(was.Expected, c.Expected) {
			b.ExpectedBefore = append(b.ExpectedBefore,
				demandLine{"open", story.DemandText(d).Spans(2 * show.QuoteRunes)})
		}
	}
	b.Effort = story.Effort(c.Head)
	if before := story.Effort(c.Base); p.story.Compared && before != "" && b.Effort != "" {
		b.Effort = before + " before; " + b.Effort + " now"
	}
	if c.Edit != nil {
		b.Edit = &edit{show.CutEnd(show.Visible(string(c.Edit.Patch)), longestAnswer), show.Excerpt(c.Edit.Refused, show.SentenceRunes)}
	}
	base, head := p.answer("base", c.Change, c.Base), p.answer("head", c.Change, c.Head)
	b.Answers, b.Note = answerBlocks(p.story, c.Change, base, head)
	b.Open = (slices.Contains(unfoldedKinds, c.Kind) || p.story.IsUnresolvedFlip(c.Change)) && i < openCases && len(b.Answers) > 0
	return b
}

// kindsToCheck are the kinds of cases that a person must check. The first cases of unfoldedKinds are unfolded.
var (
	kindsToCheck = []report.Kind{report.KindRegressed, report.KindMayHide, report.KindFailing, report.KindMissing,
		report.KindReview}
	unfoldedKinds = kindsToCheck[:3]
)

// rowAnchor returns the anchor of a case's row in the table of all cases.
func rowAnchor(c report.Change) string { return "all/" + story.CaseAnchor(c.SuiteID, c.CaseID) }

// labelOf returns a case's label: its kind, or its change, such as removed, if the case may hide a failure.
func labelOf(v *story.Story, c report.Change) string {
	switch k := c.Kind; {
	case k == report.KindMayHide: // a hand-written report may have any change
		return show.Excerpt(strings.ReplaceAll(string(c.Change), "_", " "), show.NameRunes)
	case v.IsUnresolvedFlip(c):
		return "flipped"
	case k == report.KindFailing && v.WrongOnBoth(c):
		return "still failing"
	case k == report.KindFailing && v.Compared && c.Change == report.New:
		return "new, failing"
	}
	return kindLabel(c.Kind)
}

// demandLine is one expectation of an answer.
type demandLine struct {
	Class string // missed, met, or open if it is unknown which
	Text  []show.Span
}

// demands returns what the answer misses, then its other expectations. Whether the answer meets the other expectations
// is known only if it was judged completely.
func demands(v *story.Story, c report.Change) (out []demandLine) {
	o := c.Head
	if o == nil || len(c.Expected) == 0 {
		return nil
	}
	var before []expect.Requirement
	if c.BaseVersion != nil {
		before = c.BaseVersion.Expected
	}
	rest := "open"
	missed := map[expect.Requirement]bool{}
	if o.Primary == classify.Pass && !o.Details.Unjudged() {
		rest = "met"
	} else if o.Primary == classify.Fail && o.Details != nil {
		rest = "met"
		for _, u := range o.Details.Unmet {
			missed[expect.Requirement{Criterion: u.Criterion, Expected: u.Expected}] = true
			out = append(out, demandLine{"missed", show.UnmetPhrase(u).Spans(2 * show.QuoteRunes)})
		}
	} else if _, p := v.MissedExpectation(c); len(p) > 0 && (o.Primary == classify.WrongFormat || o.Primary == classify.PolicyViolation) {
		out = append(out, demandLine{"missed", p.Spans(2 * show.QuoteRunes)})
	}
	for _, d := range changedFirst(c.Expected, before) {
		if !missed[d] && !categoryImplies(c, d) {
			line := demandLine{rest, story.DemandText(d).Spans(2 * show.QuoteRunes)}
			if (slices.Contains(measured, d.Criterion) || story.IsVariable(d)) && o.Primary != classify.Pass {
				line.Class = "open"
			}
			out = append(out, line)
		}
	}
	return out[:min(len(out), demandRows)]
}

// measured are the expectations that an answer has one score for, or that say how another one is checked.
var measured = []string{"allowed_terms", "asked", "case_threshold", "context", "expected_label", "failure_modes",
	"forbidden_claims", "key_facts", "label_in", "labels", "match", "reference", "strategy", "unclear_facts"}

// changedFirst returns the first expectations of one side. Those that the other side lacks come before all others.
func changedFirst(one, other []expect.Requirement) []expect.Requirement {
	common := show.Filter(one, func(d expect.Requirement) bool { return slices.Contains(other, d) })
	all := append(story.Only(one, other), common...)
	return all[:min(len(all), demandRows)]
}

// categoryImplies reports whether the category of a case's answer already says that the answer misses the demand d.
func categoryImplies(c report.Change, d expect.Requirement) bool {
	switch o := c.Head; o.Primary {
	case classify.WrongFormat:
		return d.Criterion == "expected_format"
	case classify.PolicyViolation:
		policies := show.CountFunc(c.Expected, func(d expect.Requirement) bool { return d.Criterion == "policy" })
		return d.Criterion == "policy" && o.Details != nil && (policies == 1 || d.Expected == o.Details.PolicyName)
	}
	return false
}

func kindLabel(k report.Kind) string {
	switch k {
	case report.KindMayHide:
		return "may hide a failure"
	case report.KindMissing:
		return "no score"
	case report.KindWorse:
		return "passes, got worse"
	case report.KindReview:
		return "to review"
	}
	return string(k)
}
