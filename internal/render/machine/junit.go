package machine

import (
	"bufio"
	"cmp"
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
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Suites made by failproof. A user's suite id cannot have brackets.
const (
	junitInput = "(input)" // errors of an invalid run
	junitGate  = "(gate)"  // failures that belong to no case
)

// JUnit writes the report as JUnit XML in UTF-8, with a testsuite for every suite and a testcase for every case. A
// regression or a wrong answer is a failure even if the gate passes, because JUnit has no "before". A missing answer is
// an error, and a removed case is skipped. Other reasons, and the errors of an invalid run, have a testcase each, so
// that the file never looks like a success.
func JUnit(w io.Writer, v *story.Story) error {
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

// The output follows both common schemas of JUnit, windyroad's JUnit.xsd and junit-10.xsd of Jenkins' xUnit plugin.
// It has only the attributes and elements that both allow, in the order of the stricter one.

func (v printer) writeJUnit(x *xmlWriter) {
	x.begin("testsuites")
	for i, s := range v.junit() {
		x.begin("testsuite", "id", strconv.Itoa(i), "package", "failproof", "name", s.Name, "timestamp",
			v.junitTimestamp(), "hostname", "localhost",
			"tests", strconv.Itoa(s.Tests), "failures", strconv.Itoa(s.Counts[failure]), "errors",
			strconv.Itoa(s.Counts[fault]),
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

// junitSuite is written inside of a package named failproof, so that suite names with dots stay complete.
type junitSuite struct {
	Name       string
	Tests      int
	Counts     map[string]int // number of cases by result
	Time       seconds        // sum for the shown answers
	Properties []struct{ Name, Value string }
	Cases      iter.Seq[junitCase] // made while writing
}

// junitCase is a case and the name of its result element, "" for a passing case.
type junitCase struct {
	Class, Name   string
	Time          seconds // of the shown answer; 0 if unknown
	Result        string
	Type, Message string
	Text          string
}

// The results of JUnit.
const failure, fault, skipped = "failure", "error", "skipped"

// seconds is a time that is written as a decimal number of seconds.
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

// junit returns the suites of the report, and those made by failproof.
func (v printer) junit() []*junitSuite {
	suites := v.junitSuites()
	if v.Report.Verdict == report.Invalid {
		suites = append(suites, v.junitFaults())
	}
	if v.Report.Verdict != report.Passed && !slices.ContainsFunc(suites, func(s *junitSuite) bool {
		return s.Counts[failure]+s.Counts[fault] > 0
	}) {
		suites = append(suites, v.junitReasons())
	}
	return suites
}

func (v printer) junitTimestamp() string {
	began, err := time.Parse(time.RFC3339, v.Report.Run.StartedAt)
	if err != nil { // the report was edited
		began = time.Unix(0, 0)
	}
	return began.UTC().Format("2006-01-02T15:04:05")
}

func listed(name string, cases []junitCase) *junitSuite {
	s := &junitSuite{Name: name, Tests: len(cases), Counts: map[string]int{}, Cases: slices.Values(cases)}
	for _, c := range cases {
		s.Counts[c.Result]++
	}
	return s
}

// Lengths in JUnit, in runes. An id is never truncated: a case's has at most 128 characters, and a suite's consists
// of such parts. The report does not have more of an answer.
const (
	junitNameRunes   = 400
	junitAnswerRunes = 1_200
	junitBaseRunes   = 400
)

// junitSuites returns the report's suites in its order, then those that only the base has.
func (v printer) junitSuites() (suites []*junitSuite) {
	at := map[string]*junitSuite{}
	of := func(id string) *junitSuite {
		if at[id] == nil {
			at[id] = &junitSuite{Name: junitName(id), Counts: map[string]int{}}
			suites = append(suites, at[id])
		}
		return at[id]
	}
	for _, s := range v.Report.Suites {
		of(s.SuiteID).Properties = v.suiteProperties(s)
	}
	cases := map[*junitSuite][]int{} // indices of the report's changes
	for i, c := range v.Report.Changes {
		suite := of(c.SuiteID)
		cases[suite] = append(cases[suite], i)
		suite.Tests++
		suite.Time += took(c)
		suite.Counts[junitResults[standingOf(c)]]++
	}
	for _, suite := range suites {
		suite.Cases = func(yield func(junitCase) bool) {
			for _, i := range cases[suite] {
				if !yield(v.junitCase(v.Report.Changes[i])) {
					return
				}
			}
		}
	}
	return suites
}

func (v printer) junitPath(path string) string {
	return show.When(path != "", show.Ends(v.Links.Path(path), junitNameRunes))
}

var junitResults = map[standing]string{regresses: failure, wrong: failure, lacking: fault, gone: skipped}

func (v printer) junitCase(c report.Change) junitCase {
	at := standingOf(c)
	out := junitCase{Class: junitName(c.SuiteID), Name: junitName(c.CaseID), Time: took(c), Result: junitResults[at]}
	switch at {
	case regresses, wrong, lacking:
		out.Type, out.Message, out.Text = junitType(string(c.Head.Primary)),
			show.When(at == regresses, "regressed: ")+v.account(c), v.junitText(c)
	case gone:
		out.Message = "removed; before: " + show.Lead(show.PlainOutcome(c.Base), 200)
	}
	return out
}

// junitName returns a name that is not empty, as the schemas require. Only an edited report has an empty one.
func junitName(name string) string { return cmp.Or(show.Ends(name, junitNameRunes), "unnamed") }

func junitType(name string) string { return cmp.Or(show.Lead(name, show.NameRunes), "unnamed") }

func took(c report.Change) seconds {
	if c.Head == nil || c.Head.LatencyMS == nil {
		return 0
	}
	return seconds(max(*c.Head.LatencyMS, 0))
}

// junitText returns the place of the case, its question, the expectation, and the answer now and before.
func (v printer) junitText(c report.Change) string {
	parts := []string{v.junitPlace(c)}
	if c.Asked != "" {
		parts = append(parts, "Asked:\n"+block(string(c.Asked), junitBaseRunes))
	}
	if label, missed := view.Expectation(c); len(missed) > 0 {
		parts = append(parts, label+":\n"+missed.Plain(show.SentenceRunes))
	}
	if v.Compared && c.Base != nil && c.Base.Excerpt != "" {
		parts = append(parts, "Before:\n"+block(string(c.Base.Excerpt), junitBaseRunes))
	}
	if c.Head.Excerpt != "" {
		parts = append(parts, fmt.Sprintf("Now (answer %d of %d):\n%s", c.Head.Trial, c.Head.Trials,
			block(string(c.Head.Excerpt), junitAnswerRunes)))
	}
	return strings.Join(parts, "\n\n")
}

func (v printer) junitPlace(c report.Change) string {
	return v.junitPath(c.Path) + show.When(c.Line > 0, ":"+strconv.Itoa(c.Line)) +
		show.When(c.Severity != "", ", severity "+show.Lead(c.Severity, show.NameRunes)) +
		show.When(c.MustPass, ", must pass")
}

func (v printer) suiteProperties(s report.SuiteSummary) (all []struct{ Name, Value string }) {
	put := func(name, value string) {
		if value != "" {
			all = append(all, struct{ Name, Value string }{name, show.Lead(value, junitNameRunes)})
		}
	}
	put("file", v.junitPath(s.Path))
	for i, score := range []*float64{s.Score, s.BaseScore, s.MinScore} {
		if score != nil {
			put([]string{"score", "base_score", "min_score"}[i], text.Decimal(*score))
		}
	}
	return all
}

// junitFaults returns the errors that stopped the run. SARIF has the warnings too.
func (v printer) junitFaults() *junitSuite {
	var cases []junitCase
	for _, d := range story.FileErrors(v.View) {
		path := v.junitPath(d.Path)
		place := d.At().In(path)
		cases = append(cases, junitCase{Class: cmp.Or(path, junitInput), Name: place + " " +
			show.Lead(d.Rule, show.NameRunes),
			Result: fault, Type: cmp.Or(show.Lead(d.Rule, show.NameRunes), "fault"),
			Message: show.Lead(d.Message, show.SentenceRunes)})
	}
	return listed(junitInput, cases)
}

// junitReasons returns the reasons of a failed or undecided verdict if no case failed.
func (v printer) junitReasons() *junitSuite {
	var cases []junitCase
	for _, r := range v.Report.Reasons {
		if r.Level == report.LevelError {
			name := junitName(r.Code) + show.When(r.SuiteID != "", " "+show.Ends(r.SuiteID, junitNameRunes))
			cases = append(cases, v.junitReason(name, show.Lead(r.Message, show.SentenceRunes)))
		}
	}
	if len(cases) == 0 {
		cases = append(cases, v.junitReason("verdict", v.Title))
	}
	return listed(junitGate, cases)
}

// junitReason returns a failure if the gate failed, or an error if there is no verdict.
func (v printer) junitReason(name, message string) junitCase {
	return junitCase{Class: junitGate, Name: name, Result: show.If(v.Report.Verdict == report.Failed, failure, fault),
		Type:    junitType(string(v.Report.Verdict)),
		Message: message}
}

// xmlWriter writes indented XML, one element a line. It keeps the first error in err.
type xmlWriter struct {
	w     io.Writer
	err   error
	line  []byte   // being written
	names []string // of the open elements
	bare  bool     // the last open element is empty so far
}

// begin opens an element with attributes, given as names and values. An attribute whose name ends in ? is omitted if
// its value is empty.
func (x *xmlWriter) begin(name string, attributes ...string) {
	x.feed()
	x.line = append(append(x.line, '<'), name...)
	for i := 0; i < len(attributes); i += 2 {
		if key, optional := strings.CutSuffix(attributes[i], "?"); !optional || attributes[i+1] != "" {
			x.line = append(append(append(x.line, ' '), key...), `="`...)
			x.text(attributes[i+1])
			x.line = append(x.line, '"')
		}
	}
	x.line = append(x.line, '>')
	x.names, x.bare = append(x.names, name), true
}

func (x *xmlWriter) end() {
	last := len(x.names) - 1
	name := x.names[last]
	x.names = x.names[:last]
	if !x.bare {
		x.feed()
	}
	x.line = append(append(append(x.line, "</"...), name...), '>')
	x.bare = false
}

// text writes escaped text. Line feeds become references, so that no line of the file begins with foreign text.
func (x *xmlWriter) text(text string) {
	if strings.IndexFunc(text, needsEscape) < 0 {
		x.line = append(x.line, text...)
		return
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // into memory, which cannot fail
	x.line = append(x.line, b.String()...)
}

// needsEscape reports whether XML forbids a character or allows it only in some places.
func needsEscape(r rune) bool {
	return r < ' ' || r > '~' || r == '<' || r == '>' || r == '&' || r == '"' || r == '\''
}

func (x *xmlWriter) feed() {
	x.line = append(x.line, '\n')
	if x.err == nil {
		_, x.err = x.w.Write(x.line)
	}
	x.line = x.line[:0]
	for range x.names {
		x.line = append(x.line, "  "...)
	}
}
