package machine

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestJUnitOfEachState(t *testing.T) {
	names, runs := machineStates()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rendertest.Golden(t, name+".xml", string(junit(t, runs[name](), rendertest.Links())))
		})
	}
}

func junit(t rendertest.Tb, r *report.Report, l show.Links) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := JUnit(&out, rendertest.View(r, l)); err != nil {
		t.Fatalf("JUnit: %v", err)
	}
	return out.Bytes()
}

// element is an XML element as a reader sees it.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e element) named(name string) (out []element) {
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			out = append(out, c)
		}
	}
	return out
}

func readJUnit(t rendertest.Tb, text []byte) element {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(text))
	var root element
	if err := dec.Decode(&root); err != nil {
		t.Fatalf("JUnit is no XML: %v", err)
	}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if rest, ok := token.(xml.CharData); err != nil || !ok || strings.TrimSpace(string(rest)) != "" {
			t.Fatalf("after the root element: %v, %v", token, err)
		}
	}
}

// grammar is the JUnit that readers agree on: children and attributes by element; a ! marks what must be there.
var grammar = map[string]struct{ children, attrs string }{
	"testsuites": {"testsuite", "name! tests! failures! errors! skipped!"},
	"testsuite":  {"properties testcase", "name! tests! failures! errors! skipped! file"},
	"testcase":   {"properties skipped error failure", "classname! name! file line"},
	"properties": {"property", ""},
	"property":   {"", "name! value!"},
	"skipped":    {"", "message!"},
	"error":      {"", "type message!"},
	"failure":    {"", "type message!"},
}

func checkElement(t rendertest.Tb, e element) {
	t.Helper()
	name := e.XMLName.Local
	rule, ok := grammar[name]
	if !ok {
		t.Fatalf("JUnit knows no element %s", name)
	}
	known := " " + strings.ReplaceAll(rule.attrs, "!", "") + " "
	have := map[string]bool{}
	for _, a := range e.Attrs {
		if have[a.Name.Local] = true; !strings.Contains(known, " "+a.Name.Local+" ") {
			t.Errorf("%s has the attribute %s", name, a.Name.Local)
		}
		if strings.ContainsAny(a.Value, "\n\r\t") || utf8.RuneCountInString(a.Value) > 2_000 {
			t.Errorf("%s %s is not one short line: %q", name, a.Name.Local, a.Value)
		}
	}
	for _, want := range strings.Fields(rule.attrs) {
		if must, is := strings.CutSuffix(want, "!"); is && !have[must] {
			t.Errorf("%s lacks the attribute %s", name, must)
		}
	}
	for _, c := range e.Children {
		if !strings.Contains(" "+rule.children+" ", " "+c.XMLName.Local+" ") {
			t.Errorf("%s holds %s", name, c.XMLName.Local)
		}
		checkElement(t, c)
	}
}

// checkJUnit holds a document to the grammar, its totals to its testcases, and its testcases to the report.
func checkJUnit(t rendertest.Tb, r *report.Report, text []byte) {
	t.Helper()
	rendertest.CheckInert(t, text)
	root := readJUnit(t, text)
	checkElement(t, root)
	if root.XMLName.Local != "testsuites" {
		t.Errorf("the root is %s", root.XMLName.Local)
	}
	var total counts
	users := 0
	for _, s := range root.named("testsuite") {
		var c counts
		for _, one := range s.named("testcase") {
			c.add(t, one)
		}
		if got := countsOf(s); got != c {
			t.Errorf("testsuite %s says %v and holds %v", s.attr("name"), got, c)
		}
		total.plus(c)
		if name := s.attr("name"); name != junitInput && name != junitGate {
			users += c.tests
		}
	}
	if got := countsOf(root); got != total {
		t.Errorf("testsuites says %v and holds %v", got, total)
	}
	if users != len(r.Changes) {
		t.Errorf("%d testcases for %d cases", users, len(r.Changes))
	}
	if r.Verdict != report.Passed && total.failures+total.errors == 0 {
		t.Errorf("verdict %s reads as a success", r.Verdict)
	}
}

type counts struct{ tests, failures, errors, skipped int }

func (c *counts) plus(d counts) {
	*c = counts{c.tests + d.tests, c.failures + d.failures, c.errors + d.errors, c.skipped + d.skipped}
}

func (c *counts) add(t rendertest.Tb, testcase element) {
	d := counts{1, len(testcase.named("failure")), len(testcase.named("error")), len(testcase.named("skipped"))}
	if d.failures+d.errors+d.skipped > 1 {
		t.Errorf("testcase %s has %v", testcase.attr("name"), d)
	}
	c.plus(d)
}

func countsOf(e element) (c counts) {
	for name, to := range map[string]*int{"tests": &c.tests, "failures": &c.failures, "errors": &c.errors, "skipped": &c.skipped} {
		if _, err := fmt.Sscan(e.attr(name), to); err != nil {
			*to = -1
		}
	}
	return c
}

func TestJUnitIsWellFormedAndItsTotalsAreRight(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) {
			for _, l := range []show.Links{rendertest.Links(), {}} {
				text := junit(t, s.Run(), l)
				checkJUnit(t, s.Run(), text)
				if again := junit(t, s.Run(), l); !bytes.Equal(again, text) {
					t.Error("equal reports give unequal files")
				}
			}
		})
	}
}

func TestWhatAJUnitTestcaseSays(t *testing.T) {
	lacks := &report.Outcome{Primary: classify.Timeout, Trials: 1, Unscored: 1, Trial: 1, Details: &classify.Details{LimitSeconds: 30}}
	wobbly := &report.Outcome{Primary: classify.Fail, Passed: 4, Trials: 5, Trial: 3}
	fail, pass := rendertest.FailOutcome("yes", "no"), rendertest.PassOutcome("yes")
	for _, c := range []struct {
		rule       string
		status     report.Status
		base, head *report.Outcome
		mustPass   bool
		want       string // element, type and message
	}{
		{"a case that passes says nothing", report.StillPassing, pass, pass, false, ""},
		{"a fixed case says nothing", report.Fixed, fail, pass, false, ""},
		{"a regression is a failure", report.Regressed, pass, fail, false, "failure fail: regressed: pass → fail: expected “yes”, got “no”"},
		{"a case that fails on the base too is a failure that says so", report.StillFailing, fail, fail, false,
			"failure fail: fail → fail: expected “yes”, got “no” (also failing on the base)"},
		{"a new case that fails is a failure", report.New, nil, fail, false, "failure fail: – → fail: expected “yes”, got “no”"},
		{"a missing answer is an error", report.Errored, pass, lacks, false, "error timeout: pass → timeout: no answer within 30 s"},
		{"an answer that only the base lacks is no error", report.Errored, lacks, pass, false, ""},
		{"a removed case is skipped", report.Removed, pass, nil, false, "skipped : removed; on the base: pass"},
		{"a flaky case says nothing", report.Flaky, pass, wobbly, false, ""},
		{"a flaky case that must pass is a failure", report.Flaky, pass, wobbly, true, "failure fail: pass → fail 4/5: a criterion is not met"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.PlainRun()
			r.Changes = nil
			rendertest.Add(r, c.status, "one", c.base, c.head).MustPass = c.mustPass
			suite := readJUnit(t, junit(t, r, rendertest.Links())).named("testsuite")[0]
			testcase := suite.named("testcase")[0]
			got := ""
			for _, e := range testcase.Children {
				if e.XMLName.Local != "properties" {
					got += e.XMLName.Local + " " + e.attr("type") + ": " + e.attr("message")
				}
			}
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			place := testcase.attr("classname") + " " + testcase.attr("name") + " " + testcase.attr("file") + ":" + testcase.attr("line")
			if want := "support/refund one suites/support/refund.yaml:12"; place != want {
				t.Errorf("the testcase is %q, want %q", place, want)
			}
		})
	}
}

func TestAVerdictThatNoCaseExplainsIsATestcase(t *testing.T) {
	r := rendertest.PlainRun()
	r.Changes, r.Verdict = nil, report.Failed
	r.Reasons = []report.Reason{rendertest.Reason("min_cases", "1 case, min_cases is 2"), rendertest.Warning("on_removed", "not this one")}
	for verdict, want := range map[report.Verdict]string{
		report.Failed:    "failure (gate) min_cases: 1 case, min_cases is 2",
		report.Undecided: "error (gate) min_cases: 1 case, min_cases is 2",
		report.Passed:    "",
	} {
		r.Verdict = verdict
		got := ""
		for _, s := range readJUnit(t, junit(t, r, show.Links{})).named("testsuite") {
			for _, c := range s.named("testcase") {
				got += c.Children[0].XMLName.Local + " " + s.attr("name") + " " + c.attr("name") + ": " + c.Children[0].attr("message")
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", verdict, got, want)
		}
	}
}

func TestPathsInJUnitAreTheRepositorys(t *testing.T) {
	l := rendertest.Links()
	l.Dir = "team/prompts"
	first := readJUnit(t, junit(t, rendertest.PlainRun(), l)).named("testsuite")[0]
	if diff := cmp.Diff("team/prompts/suites/support/refund.yaml", first.named("testcase")[0].attr("file")); diff != "" {
		t.Error(diff)
	}
}

func TestAnAnswerKeepsItsLinesInJUnit(t *testing.T) {
	r := rendertest.PlainRun()
	r.Changes = nil
	rendertest.Add(r, report.New, "one", nil, rendertest.FailOutcome("x", "a ]]> b\n::error::c\n\x00##[d]<e>&amp;"))
	failure := readJUnit(t, junit(t, r, rendertest.Links())).named("testsuite")[0].named("testcase")[0].named("failure")[0]
	if want := "Answer (trial 1 of 1):\na ]]> b\n::error::c\n\\u{0}##[d]<e>&amp;"; !strings.Contains(failure.Text, want) {
		t.Errorf("the failure holds %q, want %q in it", failure.Text, want)
	}
}
