package expect

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	asJSON, err := CompileFormat("json", false, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	strictly, err := CompileFormat("json", true, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	yes, err := CompileMatch("yes", "exact")
	if err != nil {
		t.Fatal(err)
	}
	long, err := CompileAssertion("response.length > 100")
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := CompileMatch("no", "prefix_fold")
	if err != nil {
		t.Fatal(err)
	}
	evaluator.Name = "starts with no"
	for _, c := range []struct {
		rule    string
		e       *Expectation
		answer  string
		format  string
		unmet   []Unmet
		repairs []string
	}{
		{"nothing is demanded of no expectation", nil, "x", "", nil, nil},
		{"nothing is demanded by an empty one", &Expectation{}, "x", "", nil, nil},
		{"all that is missed is told, criteria first, then assertions", &Expectation{Criteria: []*Criterion{yes, evaluator}, Assertions: []*Criterion{long}}, "x", "", []Unmet{
			{Criterion: "expected_response", Expected: "yes", Actual: "x", Reason: "differs at character 1: expected 'y', got 'x'"},
			{Criterion: "starts with no", Expected: "no", Actual: "x", Reason: "does not start with it"},
			{Criterion: "assert", Expected: "response.length > 100", Actual: "x", Reason: "not true"},
		}, nil},
		{"a format that is missed does not hide criteria", &Expectation{Format: asJSON, Criteria: []*Criterion{yes}}, "x",
			"Unexpected token 'x' in JSON at position 0",
			[]Unmet{{Criterion: "expected_response", Expected: "yes", Actual: "x", Reason: "differs at character 1: expected 'y', got 'x'"}}, nil},
		{"the repairs of a format are told", &Expectation{Format: asJSON}, "[1,]", "", nil, []string{"trailing_commas"}},
		{"the repairs of an answer that was not mended are not", &Expectation{Format: asJSON}, "[1,,]", "Unexpected token ',' in JSON at position 3", nil, nil},
		{"a strict format makes no repairs", &Expectation{Format: strictly}, "[1,]", "Unexpected token ']' in JSON at position 3", nil, nil},
		{"an answer that nobody reads as JSON is not repaired", &Expectation{Criteria: []*Criterion{yes}}, "yes", "", nil, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			format, unmet, repairs := c.e.Check(answerOf(c.answer), nil)
			if diff := cmp.Diff(c.format, format); diff != "" {
				t.Errorf("format (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.unmet, unmet); diff != "" {
				t.Errorf("unmet (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.repairs, repairs); diff != "" {
				t.Errorf("repairs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	p := CompilePolicy("no-promises", "No binding promises", []*regexp.Regexp{regexp.MustCompile(`(?i)guaranteed?`), regexp.MustCompile(`we promise.*`)})
	for _, c := range []struct {
		rule, text, evidence string
		ok                   bool
	}{
		{"the words that break it are the evidence", "It is Guaranteed.", "Guaranteed", true},
		{"the first pattern that matches wins", "we promise, guaranteed", "guaranteed", true},
		{"evidence is cut", "we promise" + strings.Repeat("!", 400), "we promise" + strings.Repeat("!", 289) + "…", true},
		{"a text that keeps it", "It is likely.", "", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if evidence, ok := p.FindViolation(answerOf(c.text)); evidence != c.evidence || ok != c.ok {
				t.Errorf("FindViolation(%q) = %q, %v; want %q, %v", truncate(c.text, 40), evidence, ok, c.evidence, c.ok)
			}
		})
	}
}

// check is what an answer misses of one criterion; nil for nothing.
func (c *Criterion) check(a *Answer) *Unmet {
	e := Expectation{Criteria: []*Criterion{c}}
	if _, unmet, _ := e.Check(a, nil); len(unmet) > 0 {
		return &unmet[0]
	}
	return nil
}
