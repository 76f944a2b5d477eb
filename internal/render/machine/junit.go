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
	printer{v}.writeJUnit(x)
	x.feed()
	if err := errors.Join(x.err, lines.Flush(), out.Flush()); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

// What follows keeps to both schemas that readers of JUnit are held to, windyroad's JUnit.xsd and junit-10.xsd of Jenkins' xUnit plugin: each
// knows attributes and elements that the other refuses, so there are only those of both, in the order of the stricter one.

func (v printer) writeJUnit(x *xmlWriter) {
	x.begin("testsuites")
	for i, s := range v.junit() {
		x.begin("testsuite", "id", strconv.Itoa(i), "package", "failproof", "name", s.Name, "timestamp", v.junitTimestamp(), "hostname", "localhost",
			"tests", strconv.Itoa(s.Tests), "failures", strconv.Itoa(s.Counts[failure]), "errors", strconv.Itoa(s.Counts[fault]),
			"skipped", strconv.Itoa(s.Counts[skipped]), "time", s.Time.String())
		x.begin("properties")
		for _, p := range s.Properties {
			x.begin("property", "name", p.Name, "value", p.Value)
			x.end()
		}
		x.end()
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

// junitSuite is written as one of package failproof: the names of all suites are whole.
type junitSuite struct {
	Name       string
	Tests      int
	Counts     map[string]int // of cases, by their result
	Time       seconds        // of the shown answers together
	Properties []struct{ Name, Value string }
	Cases      iter.Seq[junitCase] // made as they are written
}

// junitCase is a case and its result, as an element of that name; none for one that passes.
type junitCase struct {
	Class, Name   string
	Time          seconds // that the shown answer took; 0 where that is not known
	Result        string
	Type, Message string
	Text          string
}

// The results that JUnit knows.
const failure, fault, skipped = "failure", "error", "skipped"

// seconds are written as a plain decimal number of milliseconds' precision.
type seconds int64 // milliseconds

func (s seconds) String() string { return strconv.FormatFloat(float64(s)/1000, 'f', 3, 64) }

func (c junitCase) write(x *xmlWriter) {
	x.begin("testcase", "classname", c.Class, "name", c.Name, "time", c.Time.String())
	if c.Result != "" {
		x.begin(c.Result, "type?", c.Type, "message", c.Message)
		x.text(c.Text)
		x.end()
	}
	x.end()
}

// junit are the suites of the report, and those that are no user's.
func (v printer) junit() []*junitSuite {
	suites := v.junitSuites()
	if v.Report.Verdict == report.Invalid {
		suites = append(suites, v.junitFaults())
	}
	if v.Report.Verdict != report.Passed && !slices.ContainsFunc(suites, func(s *junitSuite) bool { return s.Counts[failure]+s.Counts[fault] > 0 }) {
		suites = append(suites, v.junitReasons())
	}
	return suites
}

// junitTimestamp is when the run began.
func (v printer) junitTimestamp() string {
	began, err := time.Parse(time.RFC3339, v.Report.Run.StartedAt)
	if err != nil { // somebody wrote the report by hand
		began = time.Unix(0, 0)
	}
	return began.UTC().Format("2006-01-02T15:04:05")
}

// listed is a suite of these cases.
func listed(name string, cases []junitCase) *junitSuite {
	s := &junitSuite{Name: name, Tests: len(cases), Counts: map[string]int{}, Cases: slices.Values(cases)}
	for _, c := range cases {
		s.Counts[c.Result]++
	}
	return s
}
