package machine

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

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
// a wrong answer is a failure, whatever the gate makes of it, since JUnit knows no before; only where no answer came there is an error, and a
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

// What follows keeps to both schemas that readers of JUnit are held to, windyroad's JUnit.xsd and junit-10.xsd of Jenkins' xUnit plugin: each
// knows attributes and elements that the other refuses, so there are only those of both, in the order of the stricter one.

type junitSuites struct {
	XMLName xml.Name      `xml:"testsuites"`
	Suites  []*junitSuite `xml:"testsuite"`
}

type junitTotals struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitSuite struct {
	ID        int    `xml:"id,attr"`      // from 0
	Package   string `xml:"package,attr"` // of all suites the same: their names are whole
	Name      string `xml:"name,attr"`
	Timestamp string `xml:"timestamp,attr"` // UTC, without a zone
	Hostname  string `xml:"hostname,attr"`
	junitTotals
	Time       seconds         `xml:"time,attr"` // of the shown answers together
	Properties junitProperties `xml:"properties"`
	Cases      junitCases      `xml:"testcase"`
	Out        string          `xml:"system-out"`
	Err        string          `xml:"system-err"`
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

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Time    seconds      `xml:"time,attr"` // that the shown answer took; 0 where that is not known
	Skipped *junitResult `xml:"skipped"`
	Error   *junitResult `xml:"error"`
	Failure *junitResult `xml:"failure"`
}

// seconds are written as a plain decimal number of milliseconds' precision.
type seconds int64 // milliseconds

func (s seconds) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	return xml.Attr{Name: name, Value: strconv.FormatFloat(float64(s)/1000, 'f', 3, 64)}, nil
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"` // of a failure or an error
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"` // line feeds are references in it: no line of the file begins with foreign text
}

func (v printer) junit() junitSuites {
	doc := junitSuites{Suites: v.junitSuites()}
	if v.Report.Verdict == report.Invalid {
		doc.Suites = append(doc.Suites, v.junitFaults())
	}
	if v.Report.Verdict != report.Passed && !slices.ContainsFunc(doc.Suites, func(s *junitSuite) bool { return s.Failures+s.Errors > 0 }) {
		doc.Suites = append(doc.Suites, v.junitReasons())
	}
	for i, s := range doc.Suites {
		s.ID, s.Package, s.Timestamp, s.Hostname = i, "failproof", v.junitTimestamp(), "localhost"
	}
	return doc
}

// junitTimestamp is when the run began.
func (v printer) junitTimestamp() string {
	began, err := time.Parse(time.RFC3339, v.Report.Run.StartedAt)
	if err != nil { // somebody wrote the report by hand
		began = time.Unix(0, 0)
	}
	return began.UTC().Format("2006-01-02T15:04:05")
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

func one(r *junitResult) int {
	if r == nil {
		return 0
	}
	return 1
}
