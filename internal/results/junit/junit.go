// Package junit reads results in JUnit EachToken, which pytest and others write.
package junit

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/results/rows"
)

// Fits reports whether the first element of a file is one of JUnit EachToken. EachToken without a readable first
// element fits too, so that Read reports the error.
func Fits(s rows.Shape) bool {
	return s.XML && (s.Root == "" || s.Root == "testsuites" || s.Root == "testsuite")
}

// test is a testcase element that is being read.
type test struct {
	row     rows.Row
	class   string
	name    string
	skipped bool
	failed  bool
	text    *strings.Builder // the text of the current failure or error; nil outside of one
}

// Read reads the tests of a file. The pattern runs matches the part of a test's name with the number of a case's run.
// If runs is nil, each test is a case.
func Read(data []byte, runs *regexp.Regexp, take func(rows.Row) error) error {
	r := reader{runs: runs, take: take}
	return rows.EachToken(data, func(token xml.Token) error {
		switch v := token.(type) {
		case xml.StartElement:
			return r.start(v)
		case xml.CharData:
			if t := r.current; t != nil && t.text != nil && t.text.Len()+len(v) <= rows.MaxText {
				t.text.Write(v)
			}
		case xml.EndElement:
			return r.end(v.Name.Local)
		}
		return nil
	})
}

// reader reads one file.
type reader struct {
	runs     *regexp.Regexp
	take     func(rows.Row) error
	root     string // the name of the first element
	count    int    // the number of tests so far
	current  *test  // nil between tests
	previous *test  // the test before current
}

func (r *reader) start(e xml.StartElement) error {
	name := e.Name.Local
	if r.root == "" {
		if r.root = name; !Fits(rows.Shape{XML: true, Root: name}) {
			return fmt.Errorf("its first element is %q; expected testsuites or testsuite", name)
		}
	}
	switch {
	case r.current == nil && (name == "failure" || name == "error"):
		return fmt.Errorf("after row %d: %s stands in no test; expected each in a testcase", r.count, name)
	case name == "testcase" && r.current != nil:
		return fmt.Errorf("row %d: a test stands in another", r.count)
	case name == "testcase":
		r.count++
		r.current = newTest(e, r.count)
	case r.current != nil:
		if err := r.current.addElement(e); err != nil {
			return fmt.Errorf("row %d: %w", r.count, err)
		}
	}
	return nil
}

func (r *reader) end(name string) error {
	ended := r.current
	switch {
	case ended == nil:
	case name == "failure" || name == "error":
		ended.endText()
	case name == "testcase":
		repeats := ended.isRedundant(r.previous)
		r.current, r.previous = nil, ended
		if !repeats {
			return ended.end(r.runs, r.take)
		}
	}
	return nil
}

func newTest(e xml.StartElement, n int) *test {
	t := &test{row: rows.Row{At: fmt.Sprintf("row %d", n)}}
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "classname":
			t.class = a.Value
		case "name":
			t.name = a.Value
		case "file":
			if fs.ValidPath(a.Value) {
				t.row.Path = a.Value
			}
		case "line":
			t.row.Line, _ = strconv.Atoi(a.Value) // 0 if it is not a number
		}
	}
	if t.row.Path == "" || t.row.Line < 1 || t.row.Line > 1<<24 {
		t.row.Line = 0
	}
	return t
}

// isRedundant reports whether a test adds no result. That is so if it was skipped, or if pytest lists a failed test
// again because of a later error.
func (t *test) isRedundant(previous *test) bool {
	again := previous != nil && previous.failed && previous.class == t.class && previous.name == t.name
	return !t.failed && (t.skipped && !t.row.NoAnswer || t.row.NoAnswer && again)
}

// addElement reads an element inside a test.
func (t *test) addElement(e xml.StartElement) error {
	attr := func(name string) string {
		for _, a := range e.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	switch e.Name.Local {
	case "skipped":
		t.skipped = true
	case "failure", "error":
		t.failed = t.failed || e.Name.Local == "failure"
		t.row.NoAnswer = t.row.NoAnswer || e.Name.Local == "error"
		if t.row.Reason == "" {
			t.row.Reason = attr("message")
		}
		t.text = &strings.Builder{}
	case "property":
		switch value := attr("value"); attr("name") {
		case "input":
			t.row.Input = value
		case "output":
			t.row.Output = value
		case "score":
			score, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return fmt.Errorf("property score is %q; expected a number from 0 to 1", value)
			}
			t.row.Score = &score
			return rows.CheckScore(&score)
		}
	}
	return nil
}

// endText uses the text of a failure as the reason if there is no message.
func (t *test) endText() {
	if t.row.Reason == "" && t.text != nil {
		t.row.Reason = strings.TrimSpace(t.text.String())
	}
	t.text = nil
}

func (t *test) end(runs *regexp.Regexp, take func(rows.Row) error) error {
	name := t.name
	if name == "" {
		return fmt.Errorf("%s: the test has no name", t.row.At)
	}
	if runs != nil {
		name, t.row.Run = withoutRun(name, runs)
	}
	if t.class != "" {
		name = t.class + "::" + name
	}
	t.row.NoAnswer = t.row.NoAnswer && !t.failed // a failed test had an answer, even if there is an error too
	t.row.Case, t.row.Passed = name, new(!t.failed && !t.row.NoAnswer)
	return take(t.row)
}

// withoutRun removes the number of the run from a test's name: test[a-2] is run 2 of test[a]. The expression must have
// one group, which matches the number. withoutRun removes the match up to the end of the group. If the match has an
// opening bracket before the group, withoutRun removes the whole match.
func withoutRun(name string, runs *regexp.Regexp) (rest, run string) {
	m := runs.FindStringSubmatchIndex(name)
	if m == nil || m[2] < 0 {
		return name, ""
	}
	kept := name[m[3]:m[1]]
	if strings.ContainsAny(name[m[0]:m[2]], "[(") {
		kept = ""
	}
	return name[:m[0]] + kept + name[m[1]:], name[m[2]:m[3]]
}
