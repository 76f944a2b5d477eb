package accept

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/score"
)

// shortAnswer is the largest number of characters of an answer that may become the expected text.
const shortAnswer = 120

// Reasons for having no edit.
var (
	errUnknown  = errors.New("it is not known what the answer misses")
	errDefaults = errors.New("what the answer misses is expected of all cases of the suite")
	errPolicy   = errors.New("the answer breaks a policy, which only a maintainer can change")
	errForm     = errors.New("the answer has the wrong form, or there is none")
)

// obstacles says for each category why no edit makes its answers right; nil: an edit may.
var obstacles = map[classify.Category]error{
	classify.Pass: nil, classify.Fail: nil, classify.Refusal: nil, classify.PolicyViolation: errPolicy,
	classify.WrongFormat: errForm, classify.Error: errForm, classify.Timeout: errForm, classify.Crash: errForm,
}

// meetAll edits each expectation that the answer misses, so that the answer meets it.
func (e *editBuilder) meetAll() error {
	head := e.change.Head
	obstacle, known := obstacles[head.Primary]
	switch {
	case head.Details == nil || !known:
		return errUnknown
	case obstacle != nil:
		return obstacle
	}
	meet, unmet := e.meetCriterion, head.Details.Unmet
	if head.Primary == classify.Refusal {
		meet = e.meetRefusal
		_, unmet, _ = e.opened.Expect.Check(&expect.Answer{Text: e.answer}, e.opened.Vars)
		if err := e.file.expectOutcome(string(classify.Refusal)); err != nil {
			return err
		}
	}
	for _, u := range unmet {
		if err := meet(u); err != nil {
			return err
		}
	}
	return e.file.dropAll()
}

// meetCriterion edits one missed criterion.
func (e *editBuilder) meetCriterion(u expect.Unmet) error {
	switch u.Criterion {
	case "expected_classification":
		return e.file.expectOutcome(string(classify.Pass))
	case "expected_response", "semantic_threshold":
		return e.file.setResponse(e.answer)
	case "assert":
		return e.file.meetAssertion(u.Expected, e.answer)
	case "overall_score":
		return e.meetMetrics()
	}
	return fmt.Errorf("%s is best edited by hand", u.Criterion)
}

// meetRefusal removes a criterion that a refusal misses. A refusal has no metrics to edit.
func (e *editBuilder) meetRefusal(u expect.Unmet) error {
	if u.Criterion == "expected_response" {
		return e.file.dropKey(u.Criterion)
	}
	return e.file.meetAssertion(u.Expected, "")
}

// meetMetrics edits the label and the key facts, or else the expected answer.
func (e *editBuilder) meetMetrics() error {
	m, c := e.opened.Measured.Measure(e.answer, score.Settings{}), e.file
	done := false
	if label := c.node.Get("expected_label"); label != nil && m.Label != "" && m.Label != label.AsText() {
		done = true
		if err := c.set(label, m.Label); err != nil {
			return err
		}
	}
	for _, x := range m.Metrics {
		for _, f := range x.Facts {
			if f.Outcome == score.FactSaid {
				continue
			}
			at := slices.IndexFunc(c.node.Get("key_facts").List(), func(n *document.Node) bool { return n.AsText() == f.Fact })
			if at < 0 {
				return errDefaults
			}
			done = true
			c.markDropped("key_facts", at)
		}
	}
	if done {
		return nil
	}
	return c.setResponse(e.answer)
}

// expectOutcome sets expected_classification.
func (c *caseText) expectOutcome(outcome string) error {
	switch at := c.node.Get("expected_classification"); {
	case at != nil:
		return c.set(at, outcome)
	case outcome == string(classify.Pass):
		return errDefaults
	}
	return c.add("expected_classification", outcome)
}

func (c *caseText) setResponse(answer string) error {
	at := c.node.Get("expected_response")
	switch {
	case at == nil:
		return errDefaults
	case c.node.Get("match").AsText() == "regex" || strings.HasPrefix(at.Text, "/"):
		return errors.New("expected_response is a regular expression; edit it by hand")
	}
	return c.set(at, answer)
}

// meetAssertion puts a short answer into an assertion as the text to find, and removes the assertion for a long or
// empty answer. It does not edit assertions that forbid or compute something.
func (c *caseText) meetAssertion(source, answer string) error {
	for i, item := range c.node.Get("assert").List() {
		for key, value := range item.Entries() {
			if !slices.Contains([]string{"contains", "icontains", "starts_with"}, key.Text) ||
				source != key.Text+" "+strconv.Quote(value.Text) {
				continue
			}
			if answer != "" && utf8.RuneCountInString(answer) <= shortAnswer && !strings.Contains(answer, "\n") {
				return c.set(value, answer)
			}
			c.markDropped("assert", i)
			return nil
		}
	}
	return fmt.Errorf("an assertion is best edited by hand: %s", document.Quote(source))
}

func (c *caseText) markDropped(key string, i int) {
	if c.drops == nil {
		c.drops = map[string][]int{}
	}
	c.drops[key] = append(c.drops[key], i)
}
