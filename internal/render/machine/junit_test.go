package machine

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
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
	eachGolden(t, func(t *testing.T, name string, r *report.Report) {
		rendertest.Golden(t, name+".xml", string(junit(t, r, rendertest.Links())))
	})
}

func junit(_ rendertest.TB, r *report.Report, l show.Links) []byte { return JUnit(storyOf(r, l)) }

// element is an XML element as it is read.
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

func readJUnit(t rendertest.TB, text []byte) element {
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

// schema has the children of each JUnit element in order, and its attributes, of which ! marks the required ones. A
// child may occur often with *, is optional with ?, and | separates alternatives. forms are patterns of attribute
// values by name.
type schema struct {
	elements map[string]struct{ children, attrs string }
	forms    map[string]*regexp.Regexp
}

// windyroad is the JUnit.xsd of Apache Ant, and jenkins the junit-10.xsd of the xUnit plugin. Where these allow any
// order, we require ours.
var (
	windyroad = schema{map[string]struct{ children, attrs string }{
		"testsuites": {"testsuite*", ""},
		"testsuite": {"properties testcase* system-out system-err",
			"package! id! name! timestamp! hostname! tests! failures! errors! skipped time!"},
		"testcase":   {"skipped|error|failure", "name! classname! time!"},
		"properties": {"property*", ""},
		"property":   {"", "name! value!"},
		"skipped":    {"", "message"}, // its content may have any type
		"error":      {"", "type! message"},
		"failure":    {"", "type! message"},
		"system-out": {"", ""},
		"system-err": {"", ""},
	}, map[string]*regexp.Regexp{
		"timestamp": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`),
		"time":      regexp.MustCompile(`^\d+(\.\d+)?$`),
		"name":      regexp.MustCompile(`\S`),
		"hostname":  regexp.MustCompile(`\S`),
		"id":        regexp.MustCompile(`^\d{1,9}$`), "tests": regexp.MustCompile(`^\d{1,9}$`), "failures": regexp.MustCompile(`^\d{1,9}$`),
		"errors": regexp.MustCompile(`^\d{1,9}$`), "skipped": regexp.MustCompile(`^\d{1,9}$`),
	}}
	jenkins = schema{map[string]struct{ children, attrs string }{
		"testsuites": {"testsuite*", "name time tests failures errors"},
		"testsuite": {"properties testcase* system-out system-err",
			"name! tests! failures! errors! group time skipped timestamp hostname id package file log url"},
		"testcase":   {"skipped|error|failure", "name! time classname group"},
		"properties": {"property*", ""},
		"property":   {"", "name! value!"},
		"skipped":    {"", "type message"},
		"error":      {"", "type message"},
		"failure":    {"", "type message"},
		"system-out": {"", ""},
		"system-err": {"", ""},
	}, map[string]*regexp.Regexp{"time": regexp.MustCompile(`^\d+\.\d*$`)}}
)

func (s schema) check(t rendertest.TB, e element) {
	t.Helper()
	name := e.XMLName.Local
	rule, ok := s.elements[name]
	if !ok {
		t.Fatalf("the schema knows no element %s", name)
	}
	s.checkAttrs(t, e, rule.attrs)
	s.checkChildren(t, e, rule.children)
	for _, c := range e.Children {
		s.check(t, c)
	}
}

func (s schema) checkAttrs(t rendertest.TB, e element, rule string) {
	t.Helper()
	name, have := e.XMLName.Local, map[string]bool{}
	for _, a := range e.Attrs {
		if have[a.Name.Local] = true; !slices.Contains(strings.Fields(strings.ReplaceAll(rule, "!", "")), a.Name.Local) {
			t.Errorf("%s has the attribute %s", name, a.Name.Local)
		}
		if strings.ContainsAny(a.Value, "\n\r\t") || utf8.RuneCountInString(a.Value) > 2_000 {
			t.Errorf("%s %s is not one short line: %q", name, a.Name.Local, a.Value)
		}
		if form := s.forms[a.Name.Local]; form != nil && !form.MatchString(a.Value) {
			t.Errorf("%s %s is %q", name, a.Name.Local, a.Value)
		}
	}
	for _, want := range strings.Fields(rule) {
		if must, is := strings.CutSuffix(want, "!"); is && !have[must] {
			t.Errorf("%s lacks the attribute %s", name, must)
		}
	}
}

func (s schema) checkChildren(t rendertest.TB, e element, rule string) {
	t.Helper()
	left := e.Children
	next := func(names ...string) bool {
		if len(left) == 0 || !slices.Contains(names, left[0].XMLName.Local) {
			return false
		}
		left = left[1:]
		return true
	}
	for _, want := range strings.Fields(rule) {
		if many, is := strings.CutSuffix(want, "*"); is {
			for next(many) {
			}
		} else if choice := strings.Split(want, "|"); !next(choice...) && len(choice) == 1 {
			t.Errorf("%s lacks %s in its place", e.XMLName.Local, want)
		}
	}
	if len(left) > 0 {
		t.Errorf("%s holds %s where the schema has none", e.XMLName.Local, left[0].XMLName.Local)
	}
}

// checkJUnit checks a document against both schemas, its totals against its testcases, and its testcases against the
// report.
func checkJUnit(t rendertest.TB, r *report.Report, text []byte) {
	t.Helper()
	checkInert(t, text)
	root := readJUnit(t, text)
	windyroad.check(t, root)
	jenkins.check(t, root)
	if root.XMLName.Local != "testsuites" {
		t.Errorf("the root is %s", root.XMLName.Local)
	}
	var total counts
	users := 0
	for i, s := range root.named("testsuite") {
		var c counts
		for _, one := range s.named("testcase") {
			c.add(t, one)
		}
		if got := s.attr("id"); got != strconv.Itoa(i) {
			t.Errorf("testsuite %d has the id %s", i, got)
		}
		if got := countsOf(s); got != c {
			t.Errorf("testsuite %s says %v and holds %v", s.attr("name"), got, c)
		}
		total.plus(c)
		if name := s.attr("name"); name != junitInput && name != junitGate {
			users += c.tests
		}
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

func (c *counts) add(t rendertest.TB, testcase element) {
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
			"failure fail: fail → fail: expected “yes”, got “no” (wrong before as well)"},
		{"a new case that fails is a failure", report.New, nil, fail, false, "failure fail: – → fail: expected “yes”, got “no”"},
		{"a missing answer is an error", report.Errored, pass, lacks, false, "error timeout: pass → timeout: no answer within 30 s"},
		{"an answer that only the base lacks is no error", report.Errored, lacks, pass, false, ""},
		{"a removed case is skipped", report.Removed, pass, nil, false, "skipped : removed; before: pass"},
		{"a flaky case says nothing", report.Flaky, pass, wobbly, false, ""},
		{"a flaky case that must pass is a failure", report.Flaky, pass, wobbly, true, "failure fail: pass → right 4 of 5: a criterion is not met"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.PassedRun()
			r.Changes = nil
			rendertest.AddChange(r, c.status, "one", c.base, c.head).MustPass = c.mustPass
			suite := readJUnit(t, junit(t, r, rendertest.Links())).named("testsuite")[0]
			testcase := suite.named("testcase")[0]
			got := ""
			for _, e := range testcase.Children {
				got += e.XMLName.Local + " " + e.attr("type") + ": " + e.attr("message")
			}
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if name := testcase.attr("classname") + " " + testcase.attr("name"); name != "support/refund one" {
				t.Errorf("the testcase is %q", name)
			}
		})
	}
}

func TestAVerdictThatNoCaseExplainsIsATestcase(t *testing.T) {
	r := rendertest.PassedRun()
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

func TestAReasonIsATestcaseUnlessAFailingCaseShowsIt(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes, r.Verdict = nil, report.Failed
	fail, pass := rendertest.FailOutcome("yes", "no"), rendertest.PassOutcome("yes")
	rendertest.AddChange(r, report.StillFailing, "wrong", fail, fail)
	rendertest.AddChange(r, report.Removed, "gone", pass, nil)
	r.Reasons = []report.Reason{rendertest.Reason("max_drop", "the score fell"), rendertest.Warning("on_removed", "not this one")}
	for _, id := range []string{"wrong", "gone"} {
		r.Reasons = append(r.Reasons, report.Reason{Code: "must_pass", Level: report.LevelError, SuiteID: "support/refund", CaseID: id, Message: id})
	}
	var got []string
	suites := readJUnit(t, junit(t, r, show.Links{})).named("testsuite")
	for _, c := range suites[len(suites)-1].named("testcase") {
		got = append(got, c.attr("classname")+" "+c.attr("name")+": "+c.Children[0].attr("message"))
	}
	if diff := cmp.Diff([]string{"(gate) max_drop: the score fell", "(gate) must_pass support/refund: gone"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPathsInJUnitAreTheRepositorys(t *testing.T) {
	l := rendertest.Links()
	l.Dir = "team/prompts"
	r := rendertest.PassedRun()
	r.Changes = nil
	rendertest.AddChange(r, report.New, "one", nil, rendertest.FailOutcome("yes", "no"))
	suite := readJUnit(t, junit(t, r, l)).named("testsuite")[0]
	if file := suite.Children[0].Children[0]; file.attr("name") != "file" || file.attr("value") != "team/prompts/suites/support/refund.yaml" {
		t.Errorf("the suite's first property is %v", file.Attrs)
	}
	if text := suite.named("testcase")[0].Children[0].Text; !strings.HasPrefix(text, "team/prompts/suites/support/refund.yaml:12, severity medium\n") {
		t.Errorf("the failure holds %q", text)
	}
}

func TestTheTimeInJUnitIsTheLatencyOfAnswers(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	r.Run.StartedAt = "2026-03-01T23:30:00-02:00"
	for i, ms := range []int64{1_250, 3} {
		o := rendertest.PassOutcome("yes")
		o.LatencyMS = &ms
		rendertest.AddChange(r, report.StillPassing, []string{"slow", "fast"}[i], nil, o)
	}
	rendertest.AddChange(r, report.StillPassing, "unknown", nil, rendertest.PassOutcome("yes"))
	suite := readJUnit(t, junit(t, r, show.Links{})).named("testsuite")[0]
	got := suite.attr("timestamp") + " " + suite.attr("time")
	for _, c := range suite.named("testcase") {
		got += " " + c.attr("time")
	}
	if want := "2026-03-02T01:30:00 1.253 1.250 0.003 0.000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAFailureInJUnitSaysWhatWasAskedAndExpected(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	c := rendertest.AddChange(r, report.Regressed, "one", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
	c.Input = "Is it?\nSay yes or no."
	text := readJUnit(t, junit(t, r, show.Links{})).named("testsuite")[0].named("testcase")[0].Children[0].Text
	if want := "Asked:\nIs it?\nSay yes or no.\n\nExpected:\n“yes”"; !strings.Contains(text, want) {
		t.Errorf("the failure holds %q", text)
	}
}

func TestAnAnswerKeepsItsLinesInJUnit(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	rendertest.AddChange(r, report.New, "one", nil, rendertest.FailOutcome("x", "a ]]> b\n::error::c\n\x00##[d]<e>&amp;"))
	failure := readJUnit(t, junit(t, r, rendertest.Links())).named("testsuite")[0].named("testcase")[0].named("failure")[0]
	if want := "Now (answer 1 of 1):\na ]]> b\n::error::c\n\\u{0}##[d]<e>&amp;"; !strings.Contains(failure.Text, want) {
		t.Errorf("the failure holds %q, want %q in it", failure.Text, want)
	}
}
