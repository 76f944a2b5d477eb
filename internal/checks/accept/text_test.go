package accept

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

func TestEditsOfACase(t *testing.T) {
	drop := func(key string, i ...int) func(*caseText) error {
		return func(c *caseText) error {
			for _, at := range i {
				c.markDropped(key, at)
			}
			return c.dropAll()
		}
	}
	refuse := func(c *caseText) error { return c.expectOutcome("refusal") }
	respond := func(c *caseText) error { return c.setResponse("New.") }
	for _, c := range []struct {
		rule, path, text string
		edit             func(*caseText) error
		want             string // "": errNotPlain
	}{
		{"the first of a list on one line", "s.yaml", "- { id: a, key_facts: [\"b\", c, d] }\n", drop("key_facts", 0), "- { id: a, key_facts: [c, d] }\n"},
		{"the last", "s.yaml", "- { id: a, key_facts: [\"b\", c, d] }\n", drop("key_facts", 2), "- { id: a, key_facts: [\"b\", c] }\n"},
		{"one of several lines", "s.yaml", "- id: a\n  key_facts:\n    - b\n    - c\n", drop("key_facts", 0), "- id: a\n  key_facts:\n    - c\n"},
		{"all of them", "s.yaml", "- id: a\n  key_facts: [b, c]\n  severity: low\n", drop("key_facts", 0, 1), "- id: a\n  severity: low\n"},
		{"all of a case on one line", "s.yaml", "- { id: a, key_facts: [b] }\n", drop("key_facts", 0), ""},
		{"a map on one line", "s.yaml", "- { id: a, assert: [{ contains: b }, { contains: c }] }\n", drop("assert", 0), ""},
		{"an outcome", "s.yaml", "- id: a\n  severity: low\n", refuse, "- id: a\n  expected_classification: refusal\n  severity: low\n"},
		{"an outcome of a case on one line", "s.yaml", "- { id: a }\n", refuse, "- { \"expected_classification\": \"refusal\", id: a }\n"},
		{"an outcome of a line of JSON", "r.jsonl", "{\"case_id\": \"a\"}\n", refuse, "{ \"expected_classification\": \"refusal\",\"case_id\": \"a\"}\n"},
		{"a plain text", "s.yaml", "- { id: a, expected_response: Old }\n", respond, "- { id: a, expected_response: \"New.\" }\n"},
		{"a plain text over two lines", "s.yaml", "- id: a\n  expected_response: Old\n    text\n", respond, ""},
		{"a block", "s.yaml", "- id: a\n  expected_response: |\n    Old\n    text\n  severity: low\n", respond, "- id: a\n  expected_response: \"New.\"\n  severity: low\n"},
	} {
		change := &report.Change{Path: c.path, Line: 1, CaseID: "a"}
		_, node := locate(c.text, change)
		one := &caseText{text: c.text, node: node}
		err := c.edit(one)
		if got := one.edited(); c.want == "" && err != errNotPlain || c.want != "" && (err != nil || got != c.want) {
			t.Errorf("%s: %v, %q; want %q", c.rule, err, got, c.want)
		} else if c.want != "" && !onlyEditableDiffer(c.text, got, change) {
			t.Errorf("%s: more than the case's expectation differs", c.rule)
		}
	}
	if onlyEditableDiffer("- { id: a }\n", strings.Replace("- { id: a }\n", "}", ", severity: low }", 1), &report.Change{Path: "s.yaml", Line: 1, CaseID: "a"}) {
		t.Error("another severity is an edit")
	}
}

func TestEveryCategoryIsAnObstacleOrNone(t *testing.T) {
	for _, c := range classify.Categories {
		if _, known := obstacles[c]; !known {
			t.Errorf("obstacles in meet.go does not say whether an edit makes the answers of category %s right", c)
		}
	}
}
