package machine

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// Suites that are no user's: brackets cannot stand in a suite's id.
const (
	junitInput = "(input)" // the faults of a run that is invalid
	junitGate  = "(gate)"  // what failed, where it was no case
)

// JUnit writes the report as JUnit XML in UTF-8, each case as it is made: a testsuite for every suite, a testcase for every case. A regression or
// a wrong answer is a failure, whatever the gate makes of it, since JUnit knows no base; a missing answer is an error, a
// removed case is skipped. An invalid run gives its faults as errors, and a verdict that no case explains is one testcase
// for each of its reasons, so that the file never reads as a success when the verdict is none.
func JUnit(w io.Writer, v *view.View) error {
	out := bufio.NewWriterSize(w, 64<<10)
	lines := show.NewLineWriter(out, func(line []byte) []byte { return show.Spelled(line, "&#x%X;") })
	enc := xml.NewEncoder(lines)
	enc.Indent("", "  ")
	_, err := io.WriteString(lines, xml.Header)
	if err = errors.Join(err, enc.Encode(printer{v}.junit())); err == nil {
		_, err = io.WriteString(lines, "\n")
	}
	if err = errors.Join(err, lines.Flush(), out.Flush()); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitTotals
	Suites []*junitSuite `xml:"testsuite"`
}

type junitTotals struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitTotals
	File       string           `xml:"file,attr,omitempty"`
	Properties *junitProperties `xml:"properties"`
	Cases      junitCases       `xml:"testcase"`
}

// junitCases are testcases that are made as they are written.
type junitCases iter.Seq[junitCase]

// MarshalXML writes one element for each.
func (c junitCases) MarshalXML(enc *xml.Encoder, start xml.StartElement) error {
	for one := range c {
		if err := enc.EncodeElement(one, start); err != nil {
			return err
		}
	}
	return nil
}

// junitCase has the attributes file and line of pytest's and others' JUnit, which readers link by.
type junitCase struct {
	Class      string           `xml:"classname,attr"`
	Name       string           `xml:"name,attr"`
	File       string           `xml:"file,attr,omitempty"`
	Line       int              `xml:"line,attr,omitempty"`
	Time       string           `xml:"time,attr,omitempty"` // seconds that the shown answer took, where that is known
	Properties *junitProperties `xml:"properties"`
	Skipped    *junitResult     `xml:"skipped"`
	Error      *junitResult     `xml:"error"`
	Failure    *junitResult     `xml:"failure"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"` // line feeds are references in it: no line of the file begins with foreign text
}

func (v printer) junit() junitSuites {
	doc := junitSuites{Name: "failproof", Suites: v.junitSuites()}
	if v.Report.Verdict == report.Invalid {
		doc.Suites = append(doc.Suites, v.junitFaults())
	}
	if doc.add(); v.Report.Verdict != report.Passed && doc.Failures+doc.Errors == 0 {
		doc.Suites = append(doc.Suites, v.junitReasons())
		doc.add()
	}
	return doc
}

// listed makes a suite of these cases.
func (s *junitSuite) listed(cases []junitCase) *junitSuite {
	s.Cases, s.Tests = junitCases(slices.Values(cases)), len(cases)
	for _, c := range cases {
		s.Failures += one(c.Failure)
		s.Errors += one(c.Error)
	}
	return s
}

// add adds the suites up anew.
func (d *junitSuites) add() {
	d.junitTotals = junitTotals{}
	for _, s := range d.Suites {
		d.Tests += s.Tests
		d.Failures += s.Failures
		d.Errors += s.Errors
		d.Skipped += s.Skipped
	}
}

func one(r *junitResult) int {
	if r == nil {
		return 0
	}
	return 1
}
