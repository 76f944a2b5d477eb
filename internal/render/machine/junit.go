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
	x := &xmlWriter{w: lines, line: []byte(strings.TrimSpace(xml.Header))}
	printer{v}.junit().write(x)
	x.feed()
	if err := errors.Join(x.err, lines.Flush(), out.Flush()); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

type junitSuites struct {
	Name string
	junitTotals
	Suites []*junitSuite
}

func (d junitSuites) write(x *xmlWriter) {
	x.begin("testsuites", append([]string{"name", d.Name}, d.attributes()...)...)
	for _, s := range d.Suites {
		x.begin("testsuite", append(append([]string{"name", s.Name}, s.attributes()...), "file?", s.File)...)
		s.Properties.write(x)
		for c := range s.Cases {
			c.write(x)
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
	Name string
	junitTotals
	File       string
	Properties junitProperties
	Cases      iter.Seq[junitCase] // made as they are written
}

// junitCase has the attributes file and line of pytest's and others' JUnit, which readers link by.
type junitCase struct {
	Class, Name, File       string
	Line                    int    // 0: none
	Time                    string // seconds that the shown answer took; "" where that is not known
	Properties              junitProperties
	Skipped, Error, Failure *junitResult
}

func (c junitCase) write(x *xmlWriter) {
	line := ""
	if c.Line > 0 {
		line = strconv.Itoa(c.Line)
	}
	x.begin("testcase", "classname", c.Class, "name", c.Name, "file?", c.File, "line?", line, "time?", c.Time)
	c.Properties.write(x)
	c.Skipped.write(x, "skipped")
	c.Error.write(x, "error")
	c.Failure.write(x, "failure")
	x.end()
}

type junitProperties []struct{ Name, Value string }

func (p junitProperties) write(x *xmlWriter) {
	if len(p) == 0 {
		return
	}
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
	s.Cases, s.Tests = slices.Values(cases), len(cases)
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
