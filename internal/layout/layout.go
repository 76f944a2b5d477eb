// Package layout places the cases of a report on a map by the words of their texts. It chooses the cases and their
// texts, and package observe computes the map.
package layout

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// mostObserved is the largest number of cases in a layout. If the report has more cases, the layout shows a sample of
// them.
const mostObserved = observe.MaxDocuments / 2

// Limits of texts in a layout, in bytes: inputBytes limits the input of a case, and labelBytes limits the reason why an
// expectation is unmet.
const (
	inputBytes = 800
	labelBytes = 200
)

// observer makes the documents of a report's cases for package observe. It reads the results of both sides one by one.
// The report has only excerpts of answers, and all answers may be too large for memory.
type observer struct {
	changes []report.Change
	finder  CaseFinder
}

// warnMissing is the code of the warning that a bug of failproof prevented the layout.
const warnMissing = "observability_missing"

// CaseFinder finds the cases of a report by their ids. With the zero value, the texts of the cases are unknown.
type CaseFinder struct {
	Find   func(suiteID, caseID string) suite.Pair // takes the ids of the head
	Redact func(string) string
}

// Add adds the layout of the cases to rep. finder returns the finder of the cases; nil: there is none. No decision
// depends on the layout. If a bug of failproof prevents it, Add passes the bug to reportBug and adds a warning to rep.
func Add(rep *report.Report, answers report.ResultFinders, finder func() CaseFinder,
	reportBug func(*fault.Bug)) error {
	err := fault.CallRecovering("laying out the cases", func() (err error) {
		o := observer{changes: rep.Changes}
		if finder != nil {
			o.finder = finder()
		}
		rep.Observability, err = o.layout(answers)
		return err
	})
	if bug, ok := errors.AsType[*fault.Bug](err); ok {
		reportBug(bug)
		rep.Warnings = append(rep.Warnings, report.Warning{Code: warnMissing,
			Message: "the cases are not laid out: failproof broke on it; nothing that was decided hangs on that"})
		return nil
	}
	return err
}

// layout returns the layout, or nil if there are too few cases or if no case has a text.
func (o *observer) layout(answers report.ResultFinders) (*observe.Observability, error) {
	chosen, total := o.choose()
	if total < observe.MinCases {
		return nil, nil
	}
	var docs []observe.Document
	for _, side := range []suite.Side{suite.Head, suite.Base} {
		for _, i := range chosen {
			c := o.changes[i]
			find, outcome := answers.Head, c.Head
			if side == suite.Base {
				find, outcome = answers.Base, c.Base
			}
			if find == nil || !outcome.IsAnswered() {
				continue
			}
			switch r, found, err := find(c); {
			case err != nil:
				return nil, err
			case found:
				docs = append(docs, o.document(c, r, side, outcome))
			}
		}
	}
	return observe.Observe(docs, total), nil
}

// choose samples the cases that the head answered. chosen has the indexes of the sample in o.changes, and total is
// the number of answered cases.
func (o *observer) choose() (chosen []int, total int) {
	var fresh, answered []int // fresh has the indexes in answered of new failures
	for i, c := range o.changes {
		if !c.Head.IsAnswered() {
			continue
		}
		if c.IsNewFailure() {
			fresh = append(fresh, len(answered))
		}
		answered = append(answered, i)
	}
	chosen = observe.Sample(len(answered), fresh, mostObserved)
	for i, at := range chosen {
		chosen[i] = answered[at]
	}
	return chosen, len(answered)
}

func (o *observer) document(c report.Change, r report.Result, side suite.Side,
	outcome *report.Outcome) observe.Document {
	d := observe.Document{
		SuiteID: c.SuiteID, CaseID: c.CaseID, Category: c.SuiteID, Severity: r.Severity,
		Passed:       outcome.Passed == outcome.Trials,
		FailureModes: modes(r),
	}
	if side == suite.Base {
		d.Side = observe.Base
	} else {
		d.NewFailure, d.FailedOnBase = c.IsNewFailure(), c.Base.IsAnswered() && c.Base.Passed < c.Base.Trials
	}
	var pair suite.Pair
	if o.finder.Find != nil {
		pair = o.finder.Find(c.SuiteID, c.CaseID)
	}
	k, input := pair.Head, ""
	if side == suite.Base { // a stored base has answers but no cases, so the head's case is used
		k = cmp.Or(pair.Base, pair.Head)
	}
	switch {
	case r.Risk != nil:
		d.Category = cmp.Or(r.Risk.Category, d.Category)
		input = r.Risk.Task + "\n" + r.Risk.Input
	case k != nil:
		opened := k.Open()
		d.Category = cmp.Or(opened.Category, d.Category)
		input = o.finder.Redact(ownInput(opened.Body))
	}
	d.Content = strings.TrimSpace(firstWords(input, inputBytes) + "\n" +
		firstWords(string(r.ShownAnswer()), observe.TextBytes-inputBytes))
	d.Labels = labels(d, r)
	return d
}

// firstWords returns the first words of s, at most n bytes. A word that is cut would look like another one.
func firstWords(s string, n int) string {
	cut := text.FirstBytes(s, n)
	if end := strings.LastIndexFunc(cut, unicode.IsSpace); len(cut) < len(s) && end >= 0 {
		return cut[:end]
	}
	return cut
}

// ownInput returns the part of the input that is the case's own: its variables. Without variables, or if the case has
// turns of its own, the last message belongs to it too.
func ownInput(k *suite.Body) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(k.Vars)) {
		parts = append(parts, k.Vars[name])
	}
	if n := len(k.Prompt.Messages); n > 0 && (len(parts) == 0 || k.OwnTurns) {
		parts = append(parts, k.Prompt.Messages[n-1].Content)
	}
	return strings.Join(parts, "\n")
}

// modes returns the ways in which the answer failed, or nil for a plain pass or fail.
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

// labels returns words for the judgment on an answer, such as "outcome_pass". Package observe makes a second map, the
// field Labeled, from the texts with these words added.
func labels(d observe.Document, r report.Result) string {
	outcome, k := "fail", r.Classification
	if d.Passed {
		outcome = "pass"
	}
	words := []string{"category_" + d.Category, "severity_" + d.Severity, "outcome_" + outcome,
		"classification_" + string(k.Primary),
		k.Details.PolicyName}
	for _, u := range k.Details.Unmet {
		words = append(words, u.Criterion, text.FirstBytes(u.Reason, labelBytes))
	}
	if p := r.Risk; p != nil && p.RiskScore != nil {
		words = append(words, "risk_"+risk.LevelName(*p.RiskScore))
		words = append(words, slices.Concat(p.Safe, p.Unsafe, p.Modes)...)
	}
	return strings.Join(words, " ")
}
