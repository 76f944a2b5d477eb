// Package junit reads results in JUnit XML, which pytest and others write.
package junit

import (
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/results/rows"
)

// Fits reports whether the first element of a file is one of JUnit XML. XML without a readable first element
// fits too, so that Read reports the error.
func Fits(s rows.Shape) bool {
	return s.XML && (s.Root == "" || isSuite(s.Root))
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

// suite is a testsuites or testsuite element that is being read.
type suite struct {
	title        string // a hash of the names of the testsuite elements that it is and that are around it, or ""
	tests, fails int    // how many tests, and how many failures and errors, its attributes count
	seen, failed int    // how many are in it
}

// Read reads the tests of a file. The pattern runs matches the part of a test's name with the number of a case's run.
// The notes say which suite counts more tests than it holds, and how many failures a rerun excused.
func Read(data []byte, runs *regexp.Regexp, take func(rows.Row) error) (notes []string, err error) {
	r := reader{runs: runs, take: take}
	err = rows.EachToken(data, func(token xml.Token) error {
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
	if r.reduced != "" {
		notes = append(notes, r.reduced)
	}
	if r.flaky > 0 {
		notes = append(notes, fmt.Sprintf("tests failed and passed when run again, which counts as passed; such failures: %d", r.flaky))
	}
	return notes, err
}

// reader reads one file.
type reader struct {
	runs     *regexp.Regexp
	take     func(rows.Row) error
	suites   []suite // those around the current element
	reduced  string  // says that a suite counts more tests than it holds; of the outermost one
	flaky    int     // the number of elements flakyFailure and flakyError
	count    int     // the number of tests so far
	current  *test   // nil between tests
	previous *test   // the test before current
}

func (r *reader) start(e xml.StartElement) error {
	name := e.Name.Local
	fails := name == "failure" || name == "error"
	switch {
	case len(r.suites) == 0 && !isSuite(name):
		return fmt.Errorf("its first element is %q; expected testsuites or testsuite", name)
	case r.current == nil && fails:
		return fmt.Errorf("after row %d: %s stands in no test; expected each in a testcase", r.count, name)
	case r.current == nil && isSuite(name):
		return r.startSuite(e)
	case name == "testcase" && r.current != nil:
		return fmt.Errorf("row %d: a test stands in another", r.count)
	case name == "testcase":
		r.count++
		r.current = newTest(e, r.count)
		r.current.row.Title = r.innermost().title + "\n" + attribute(e, "file")
		r.innermost().seen++
	case r.current != nil:
		switch name {
		case "failure", "error":
			r.innermost().failed++
		case "flakyFailure", "flakyError":
			r.flaky++
		}
		if err := r.current.addElement(e); err != nil {
			return fmt.Errorf("row %d: %w", r.count, err)
		}
	}
	return nil
}

func (r *reader) end(name string) error {
	ended := r.current
	switch {
	case ended == nil && isSuite(name):
		return r.endSuite()
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

func isSuite(name string) bool { return name == "testsuites" || name == "testsuite" }

func (r *reader) innermost() *suite { return &r.suites[len(r.suites)-1] }

func (r *reader) startSuite(e xml.StartElement) error {
	var err error
	count := func(name string) int {
		written := strings.TrimSpace(attribute(e, name))
		n, wrong := strconv.Atoi(cmp.Or(written, "0"))
		if wrong != nil {
			err = fmt.Errorf("a suite behind row %d counts %s=%q; expected a whole number", r.count, name, written)
		}
		return max(n, 0)
	}
	one := suite{fails: count("failures") + count("errors")}
	one.tests, _ = strconv.Atoi(attribute(e, "tests")) // 0 if it is not a number: nothing but a note depends on it
	if len(r.suites) > 0 {
		one.title = r.innermost().title
	}
	if e.Name.Local == "testsuite" {
		sum := sha256.Sum256([]byte(one.title + attribute(e, "name") + "\n" + attribute(e, "file")))
		one.title = string(sum[:])
	}
	r.suites = append(r.suites, one)
	return err
}

// endSuite returns an error if the suite counts more failures than it holds. If it counts more tests, endSuite notes
// it, because some runners count parts of a test as tests. A suite may hold more than it counts.
func (r *reader) endSuite() error {
	ended := *r.innermost()
	r.suites = r.suites[:len(r.suites)-1]
	if len(r.suites) > 0 {
		r.innermost().seen += ended.seen
		r.innermost().failed += ended.failed
	}
	if ended.failed < ended.fails {
		return fmt.Errorf("a suite that ends after row %d counts %d failures and errors, and its tests hold %d: "+
			"results are missing; expected the file as its runner wrote it", r.count, ended.fails, ended.failed)
	}
	if ended.seen < ended.tests {
		r.reduced = fmt.Sprintf("a suite that ends after row %d counts %d tests and holds %d: some may be missing",
			r.count, ended.tests, ended.seen)
	}
	return nil
}

// attribute returns the value of an attribute, or "" if the element lacks it.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func newTest(e xml.StartElement, n int) *test {
	t := &test{row: rows.Row{At: fmt.Sprintf("row %d", n)}, class: attribute(e, "classname"), name: attribute(e, "name")}
	if file := attribute(e, "file"); fs.ValidPath(file) {
		t.row.Path = file
	}
	switch strings.ToLower(attribute(e, "status")) { // some runners write no element
	case "notrun", "disabled", "skipped":
		t.skipped = true
	case "fail", "failed", "failure":
		t.failed = true
	case "error":
		t.row.NoAnswer = true
	}
	t.row.Line, _ = strconv.Atoi(attribute(e, "line")) // 0 if it is not a number
	if t.row.Path == "" || t.row.Line < 1 || t.row.Line > 1<<24 {
		t.row.Line = 0
	}
	return t
}

// isRedundant reports whether a test adds no result, because pytest lists a failed test again for a later error.
func (t *test) isRedundant(previous *test) bool {
	again := previous != nil && previous.failed && previous.class == t.class && previous.name == t.name
	return !t.failed && t.row.NoAnswer && again
}

// addElement reads an element inside a test.
func (t *test) addElement(e xml.StartElement) error {
	switch e.Name.Local {
	case "skipped":
		t.skipped = true
	case "failure", "error":
		t.failed = t.failed || e.Name.Local == "failure"
		t.row.NoAnswer = t.row.NoAnswer || e.Name.Local == "error"
		t.row.Reason = cmp.Or(t.row.Reason, attribute(e, "message"))
		t.text = &strings.Builder{}
	case "property":
		switch value := attribute(e, "value"); attribute(e, "name") {
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
	t.row.Skipped = t.skipped && !t.failed && !t.row.NoAnswer
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
