// Package accept proposes, for each regressed case, the edit of the suite file that accepts the new answer. It shows
// an edit only if the answer passes the edited case. It does not affect the verdict.
package accept

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Limits: cases that get an edit, and bytes of a suite file, of an answer and of a patch.
const (
	mostCases  = 20
	mostSource = 256 << 10
	mostAnswer = 4 << 10
	mostPatch  = 16 << 10
)

// New returns the check that writes the edits of regressed cases, most severe first.
func New(s *sides.Sides) checks.Check {
	return checks.Check{After: func(ctx context.Context, run checks.Run, in *gate.Run) error {
		var regressed []*report.Change
		for i := range in.Comparison.Changes {
			if c := &in.Comparison.Changes[i]; c.Change == report.Regressed && !c.Quarantined {
				regressed = append(regressed, c)
			}
		}
		slices.SortStableFunc(regressed, func(a, b *report.Change) int {
			return slices.Index(risk.Severities[:], b.Severity) - slices.Index(risk.Severities[:], a.Severity)
		})
		rules := asking.RuleEvaluator(s) // an edit must not cause calls
		for _, c := range regressed[:min(len(regressed), mostCases)] {
			r, err := run.Head.ShownResult(c.Head)
			if err != nil {
				return err
			}
			e := editBuilder{sides: s, judge: rules, change: c, answer: strings.TrimSpace(string(r.RawResponse))}
			if patch, err := e.patch(ctx); err != nil {
				c.Edit = &report.Edit{Refused: err.Error()}
			} else {
				c.Edit = &report.Edit{Patch: model.Untrusted(patch)}
			}
		}
		return nil
	}}
}

// editBuilder builds the edit of one case for an answer.
type editBuilder struct {
	sides  *sides.Sides
	judge  *evaluate.Evaluator
	change *report.Change
	answer string
	opened *suite.Case
	file   *caseText
}

var errNoEdit = errors.New("no simple edit lets the answer pass and still expects something of it")

// plainPath matches paths that every tool for patches can read.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/-]*$`)

// patch returns the edit as a unified diff. Its error is a sentence for the reader.
func (e *editBuilder) patch(ctx context.Context) (string, error) {
	pair := e.sides.Pairs.Find(e.change.SuiteID, e.change.CaseID)
	if err := e.open(pair); err != nil {
		return "", err
	}
	before, err := e.read()
	if err != nil {
		return "", err
	}
	if err := e.meetAll(); err != nil {
		return "", err
	}
	after := e.file.edited()
	if !onlyEditableDiffer(before, after, e.change) {
		return "", errNoEdit
	}
	if err := e.checkEdited(ctx, pair, after); err != nil {
		return "", err
	}
	patch := text.Patch(e.change.Path, before, after, 1) // so that patches of adjacent cases apply together
	if len(patch) > mostPatch || e.sides.Redactor().Text(patch) != patch || text.EscapeHidden(patch) != patch || strings.Contains(patch, "\r") {
		return "", errors.New("the edit is too long to show, or holds characters that cannot be seen")
	}
	return patch, nil
}

// open opens the case. It returns an error if no edit can make the case accept the answer.
func (e *editBuilder) open(pair suite.Pair) error {
	switch {
	case suiteid.AuthorID(pair.HeadSuite.ID) != pair.HeadSuite.ID:
		return errors.New("several targets answer the case, and the edit would apply to all of them")
	case e.change.Head.Passed > 0:
		return errors.New("its answers differ from try to try, and the edit would fit only one")
	case len(e.answer) > mostAnswer:
		return errors.New("the answer is too long")
	case strings.Contains(e.answer, redact.Mark):
		return errors.New("a part of the answer is hidden as a secret")
	}
	opened := pair.Head.Open()
	e.opened = &opened
	switch {
	case opened.Graded():
		return errors.New("a judge grades the case by criteria; edit them by hand")
	case opened.Probe != nil:
		return errors.New("the case is a red-team probe, and such an answer is never made right by an edit")
	}
	return nil
}

// read reads the file of the case and locates the case in it.
func (e *editBuilder) read() (string, error) {
	path := e.change.Path
	lower := strings.ToLower(path)
	if strings.HasSuffix(lower, ".csv") || !plainPath.MatchString(path) {
		return "", errors.New("only cases of YAML and JSON files are edited")
	}
	data, faults := document.ReadText(e.sides.Inputs.Head, path, mostSource)
	if len(faults) > 0 {
		return "", errors.New("the file of the case is too large")
	}
	_, at := locate(string(data), e.change)
	if at == nil {
		return "", errors.New("the case cannot be told from others of its file")
	}
	e.file = &caseText{text: string(data), node: at}
	return string(data), nil
}

// checkEdited returns an error unless the answer passes the case in the edited file, and the gate would take the edit.
func (e *editBuilder) checkEdited(ctx context.Context, pair suite.Pair, edited string) error {
	head := e.sides.Inputs.Head
	tree := source.Overlay(head, head, map[string]string{e.change.Path: edited})
	suites, faults := suite.Load(tree, e.sides.Rules, []string{suite.GlobOf(pair.HeadSuite.Path)})
	if document.HasErrors(faults) {
		return errNoEdit
	}
	id := pair.HeadSuite.ID
	for s, c := range suite.EachCase(suites) {
		if s.ID != id || c.ID != e.change.CaseID {
			continue
		}
		opened := c.Open()
		if opened.Unverified() || !e.judge.PassesAs(ctx, &opened, e.answer) {
			return errNoEdit
		}
		pair.HeadSuite, pair.Head = s, c
		if e.judge.Loosens(pair) {
			return errors.New("without what the answer misses, the case would accept unrelated answers; " +
				"expect a few words of the new answer instead")
		}
		return nil
	}
	return errNoEdit
}
