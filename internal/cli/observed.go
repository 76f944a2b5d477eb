package cli

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// mostObserved is how many cases are laid out; beyond it, a sample is. Base and head are laid out together.
const mostObserved = observe.MaxDocuments / 2

// inputBytes is how much of a case's input is read beside its answer, and labelBytes of one thing that was not met.
const (
	inputBytes = 800
	labelBytes = 200
)

// observer makes the documents of a report's cases from the results of both sides, which it reads once more: the report
// holds excerpts of answers only, and all answers may be too many to keep.
type observer struct {
	changes []report.Change
	renamed map[string]string                                                      // base id → head id of suites
	asked   func(suiteID, caseID string, at suite.Side) (_ suite.Case, known bool) // nil: the questions are not known
	redact  func(string) string
	docs    []observe.Document
	place   map[observe.CaseRef]int // of a chosen case in docs
	change  []int                   // of a place in docs, in changes
}

// observed lays the cases out by the words of their texts. It is nil where there are too few, or nothing is to be read.
func (o *observer) observed(answers render.Answers) (*observe.Observability, error) {
	of := o.choose()
	if of < observe.MinCases {
		return nil, nil
	}
	heads := o.docs
	if err := o.read(answers.Head, suite.Head, func(i int, d observe.Document) { heads[i] = d }); err != nil {
		return nil, err
	}
	bases := make([]observe.Document, len(heads))
	if err := o.read(answers.Base, suite.Base, func(i int, d observe.Document) { bases[i] = d }); err != nil {
		return nil, err
	}
	empty := func(d observe.Document) bool { return d.CaseID == "" }
	return observe.Observe(slices.DeleteFunc(append(heads, bases...), empty), of), nil
}

// choose picks the cases, of which at least the head is answered, and returns how many there are to pick from.
func (o *observer) choose() (of int) {
	var answered, fresh []int
	for i, c := range o.changes {
		if !isAnswered(c.Head) {
			continue
		}
		if newFailure(c) {
			fresh = append(fresh, len(answered))
		}
		answered = append(answered, i)
	}
	chosen := observe.Sample(len(answered), fresh, mostObserved)
	o.docs, o.change = make([]observe.Document, len(chosen)), make([]int, len(chosen))
	o.place = make(map[observe.CaseRef]int, len(chosen))
	for at, i := range chosen {
		c := o.changes[answered[i]]
		o.change[at] = answered[i]
		o.place[observe.CaseRef{SuiteID: c.SuiteID, CaseID: c.CaseID}] = at
	}
	return len(answered)
}

// isAnswered reports whether the shown trial of a side has an answer.
func isAnswered(o *report.Outcome) bool {
	return o != nil && o.Trials > 0 && (o.Trials > o.Passed+o.Unscored || o.Trials == o.Passed)
}

// newFailure reports a case that fails on the head and did not on the base, as far as there is one.
func newFailure(c report.Change) bool {
	fails := c.Head != nil && c.Head.Trials > c.Head.Passed+c.Head.Unscored
	switch c.Change {
	case report.Regressed, report.New:
		return fails
	case report.Redefined:
		return fails && c.Base != nil && c.Base.Passed == c.Base.Trials
	}
	return false
}

// read hands on the documents of one side, of the chosen cases' shown trials.
func (o *observer) read(results iter.Seq2[report.Result, error], at suite.Side, take func(i int, d observe.Document)) error {
	if results == nil {
		return nil
	}
	for r, err := range results {
		if err != nil {
			return err
		}
		if at == suite.Base {
			r.SuiteID = cmp.Or(o.renamed[r.SuiteID], r.SuiteID)
		}
		i, chosen := o.place[observe.CaseRef{SuiteID: r.SuiteID, CaseID: r.CaseID}]
		if !chosen {
			continue
		}
		c := o.changes[o.change[i]]
		side := c.Head
		if at == suite.Base {
			side = c.Base
		}
		if isAnswered(side) && r.Trial == max(side.Trial, 1) {
			take(i, o.document(c, r, at, side))
		}
	}
	return nil
}

func (o *observer) document(c report.Change, r report.Result, at suite.Side, side *report.Outcome) observe.Document {
	d := observe.Document{
		SuiteID: c.SuiteID, CaseID: c.CaseID, Category: c.SuiteID, Severity: r.Severity, Passed: side.Passed == side.Trials,
		Modes: modes(r),
	}
	if at == suite.Base {
		d.Side = observe.Base
	} else {
		d.New, d.FailedOnBase = newFailure(c), isAnswered(c.Base) && c.Base.Passed < c.Base.Trials
	}
	var input string
	switch k, known := o.questionOf(c, at); {
	case r.Risk != nil:
		d.Category = cmp.Or(r.Risk.Category, d.Category)
		input = r.Risk.Task + "\n" + r.Risk.Input
	case known:
		d.Category = cmp.Or(k.Category, d.Category)
		input = o.redact(inputOf(k))
	}
	d.Content = strings.TrimSpace(observe.CutText(input, inputBytes) + "\n" + observe.CutText(r.RawResponse, observe.TextBytes-inputBytes))
	d.Labels = labels(d, r)
	return d
}

// questionOf finds the case that was asked. A stored base knows its answers only: then the head's question stands for it.
func (o *observer) questionOf(c report.Change, at suite.Side) (k suite.Case, known bool) {
	if o.asked == nil {
		return suite.Case{}, false
	}
	if k, known = o.asked(c.SuiteID, c.CaseID, at); !known {
		k, known = o.asked(c.SuiteID, c.CaseID, suite.Head)
	}
	return k, known
}

// inputOf is what is a case's own in its question: its variables, else its last message.
func inputOf(k suite.Case) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(k.Vars)) {
		parts = append(parts, k.Vars[name])
	}
	if n := len(k.Prompt.Messages); len(parts) == 0 && n > 0 {
		parts = append(parts, k.Prompt.Messages[n-1].Content)
	}
	return strings.Join(parts, "\n")
}

// modes are in what way an answer failed, beyond that it did.
func modes(r report.Result) []string {
	switch p := r.Classification.Primary; {
	case r.Risk != nil && len(r.Risk.Modes) > 0:
		return r.Risk.Modes
	case p == classify.Pass || p == classify.Fail:
		return nil
	default:
		return []string{string(p)}
	}
}

// labels are the words that judge an answer: document 001 embeds them with the text.
func labels(d observe.Document, r report.Result) string {
	outcome, k := "fail", r.Classification
	if d.Passed {
		outcome = "pass"
	}
	words := []string{"category_" + d.Category, "severity_" + d.Severity, "outcome_" + outcome, "classification_" + string(k.Primary),
		k.Details.PolicyName}
	for _, u := range k.Details.Unmet {
		words = append(words, u.Criterion, observe.CutText(u.Reason, labelBytes))
	}
	if p := r.Risk; p != nil && p.RiskScore != nil {
		words = append(words, riskWord(*p.RiskScore))
		words = append(words, slices.Concat(p.Safe, p.Unsafe, p.Modes)...)
	}
	return strings.Join(words, " ")
}

// riskWord is a risk in a word, since no two numbers are alike.
func riskWord(v float64) string {
	switch {
	case v >= 0.75:
		return "risk_severe"
	case v >= 0.5:
		return "risk_elevated"
	case v >= 0.25:
		return "risk_moderate"
	}
	return "risk_low"
}
