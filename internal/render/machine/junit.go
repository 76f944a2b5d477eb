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
	"strings"
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
	x := &xmlWriter{w: lines, line: []byte(strings.TrimSpace(xml.Header))}
	printer{v}.junit().write(x)
	x.feed()
	if err := errors.Join(x.err, lines.Flush(), out.Flush()); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

// What follows keeps to both schemas that readers of JUnit are held to, windyroad's JUnit.xsd and junit-10.xsd of Jenkins' xUnit plugin: each
// knows attributes and elements that the other refuses, so there are only those of both, in the order of the stricter one.

type junitSuites struct{ Suites []*junitSuite }

func (d junitSuites) write(x *xmlWriter) {
	x.begin("testsuites")
	for _, s := range d.Suites {
		x.begin("testsuite", append(append([]string{"id", strconv.Itoa(s.ID), "package", s.Package, "name", s.Name, "timestamp", s.Timestamp,
			"hostname", s.Hostname}, s.attributes()...), "time", s.Time.String())...)
		s.Properties.write(x)
		for c := range s.Cases {
			c.write(x)
		}
		for _, empty := range []string{"system-out", "system-err"} {
			x.begin(empty)
			x.end()
		}
		x.end()
	}
	x.end()
}

type junitTotals struct{ Tests, Failures, Errors, Skipped int }

func (t junitTotals) attributes() []string {
	return []string{"tests", strconv.Itoa(t.Tests), "failures", strconv.Itoa(t.Failures), "errors", strconv.Itoa(t.Errors), "skipped", strconv.Itoa(t.Skipped)}
}

type junitSuite struct {
	ID        int    // from 0
	Package   string // of all suites the same: their names are whole
	Name      string
	Timestamp string // UTC, without a zone
	Hostname  string
	junitTotals
	Time       seconds // of the shown answers together
	Properties junitProperties
	Cases      iter.Seq[junitCase] // made as they are written
}

type junitCase struct {
	Class, Name             string
	Time                    seconds // that the shown answer took; 0 where that is not known
	Skipped, Error, Failure *junitResult
}

// seconds are written as a plain decimal number of milliseconds' precision.
type seconds int64 // milliseconds

func (s seconds) String() string { return strconv.FormatFloat(float64(s)/1000, 'f', 3, 64) }

func (c junitCase) write(x *xmlWriter) {
	x.begin("testcase", "classname", c.Class, "name", c.Name, "time", c.Time.String())
	c.Skipped.write(x, "skipped")
	c.Error.write(x, "error")
	c.Failure.write(x, "failure")
	x.end()
}

type junitProperties []struct{ Name, Value string }

func (p junitProperties) write(x *xmlWriter) {
	x.begin("properties")
	for _, one := range p {
		x.begin("property", "name", one.Name, "value", one.Value)
		x.end()
	}
	x.end()
}

type junitResult struct{ Type, Message, Text string }

func (r *junitResult) write(x *xmlWriter, name string) {
	if r != nil {
		x.begin(name, "type?", r.Type, "message", r.Message)
		x.text(r.Text)
		x.end()
	}
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
	s.Cases, s.Tests = slices.Values(cases), len(cases)
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
