package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
)

const labelled2 = hello + `defaults: { labels: [Critical, Low] }
cases:
  - { id: a, expected_label: Critical, label_in: { json: severity } }
  - { id: b, expected_label: Low, label_in: { line: "Severity:" } }
  - { id: c, expected_label: Low, label_in: { regex: "severity=(.*)" } }
  - { id: d, expected_label: Low }
`

func TestWhereALabelStandsIsRead(t *testing.T) {
	suites, ds := loadOpen(tree(one(labelled2)), settings(), settings().Suites)
	check(t, ds, nil)
	for i, answer := range []string{`{"severity": "Critical"}`, "Severity: Low", "severity=Low"} {
		in := suites[0].Cases[i].Measured.LabelPlace
		if in == nil || len(in.Extract(answer)) != 1 || in.Extract("Low") != nil {
			t.Errorf("case %d does not read its label where it stands", i)
		}
	}
	if suites[0].Cases[3].Measured.LabelPlace != nil {
		t.Error("a case that does not say where its label stands reads it in one place")
	}
}

func TestWhereALabelStandsEntersTheExpectationKey(t *testing.T) {
	text := hello + "cases: [{ id: a, expected_label: Low, labels: [Low, High], label_in: { json: severity } }]\n"
	_, before := keys(t, one(text), settings())
	for _, other := range []string{"{ json: level }", "{ line: severity }", "{ regex: '(severity)' }"} {
		if _, after := keys(t, one(strings.Replace(text, "{ json: severity }", other, 1)), settings()); after == before {
			t.Errorf("%s has the same expectation key", other)
		}
	}
	without := hello + "cases: [{ id: a, expected_label: Low, labels: [Low, High] }]\n"
	_, plain := keys(t, one(without), settings())
	if _, after := keys(t, one("defaults: { label_in: { json: severity } }\n"+without), settings()); after == plain || after != before {
		t.Error("defaults do not count like the case's own")
	}
}

func TestFaultsOfLabels(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"no label is expected", "cases: [{ id: a, expected_response: x, label_in: { json: a } }]\n", "suites/s.yaml:3:40: `label_in` says where the label stands, and no label is expected"},
		{"a regex without a group", "cases: [{ id: a, expected_label: L, labels: [L, M], label_in: { regex: a } }]\n", "3:72: label_in: the regular expression has 0 groups"},
		{"a line without a text", "cases: [{ id: a, expected_label: L, labels: [L, M], label_in: { line: ' ' } }]\n", "3:71: label_in: a line begins with"},
		{"labels that differ in letter case", "cases: [{ id: a, expected_label: L, labels: [L, M, l] }]\n", "3:52: the labels \"L\" and \"l\" are one to whoever reads an answer"},
		{"a label in another letter case", "cases: [{ id: a, expected_label: card, labels: [Card, loan] }]\n", "expected_label \"card\" is not one of the labels \"Card\", \"loan\"; did you mean `Card`?"},
		{"a label of nothing", "cases: [{ id: a, expected_label: ok, labels: [ok, ' '] }]\n", "3:51: the label \" \" holds nothing that could be found in an answer"},
		{"two places", "cases: [{ id: a, expected_label: L, labels: [L, M], label_in: { json: a, line: b } }]\n", "`label_in` has 2 keys"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := Load(tree(one(hello+c.text)), settings(), settings().Suites)
			var said []string
			for _, d := range ds {
				if d.Severity == document.Error {
					said = append(said, fmt.Sprintf("%s:%d:%d: %s", d.Path, d.Line, d.Column, d.Message))
				}
			}
			if len(said) != 1 || !strings.Contains(said[0], c.want) {
				t.Errorf("%q, want one fault with %q", said, c.want)
			}
		})
	}
}

func TestLabelsOfTheDefaultsAreFaultyOnce(t *testing.T) {
	_, ds := Load(tree(one(hello+"defaults: { labels: [A, a] }\ncases: [{ id: x, expected_label: A }, { id: y, expected_label: A }]\n")), settings(), settings().Suites)
	if len(ds) != 1 {
		t.Errorf("%d faults, want 1: %v", len(ds), ds)
	}
}
