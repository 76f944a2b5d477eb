package machine

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Suites made by failproof. A user's suite id cannot have brackets.
const (
	junitInput = "(input)" // errors of an invalid run
	junitGate  = "(gate)"  // failures that belong to no case
)

// JUnit returns the report as JUnit XML in UTF-8, with a testsuite for every suite and a testcase for every case. A
// regression or a wrong answer is a failure even if the gate passes, because JUnit has no "before". A missing answer is
// an error, and a removed case is skipped. Each reason that decided the verdict and that no such case shows has a
// testcase, and so has each error of an invalid run.
func JUnit(v *story.Story) []byte {
	text, _ := xml.MarshalIndent(junitOf(v), "", "  ") // its types always marshal
	return show.EscapeBrackets(slices.Concat([]byte(xml.Header), text, []byte("\n")), "&#x%X;")
}

// The output follows both common schemas of JUnit, windyroad's JUnit.xsd and junit-10.xsd of Jenkins' xUnit plugin.
// It has only the attributes and elements that both allow, in the order of the stricter one.

type junitReport struct {
	XMLName xml.Name      `xml:"testsuites"`
	Suites  []*junitSuite `xml:"testsuite"`
}

// junitSuite is a suite in JUnit XML. Without a Package, readers take the part of Name before its last dot as one.
type junitSuite struct {
	ID         int     `xml:"id,attr"`
	Package    string  `xml:"package,attr"`
	Name       string  `xml:"name,attr"`
	Timestamp  string  `xml:"timestamp,attr"`
	Hostname   string  `xml:"hostname,attr"`
	Tests      int     `xml:"tests,attr"`
	Failures   int     `xml:"failures,attr"`
	Errors     int     `xml:"errors,attr"`
	Skipped    int     `xml:"skipped,attr"`
	Time       seconds `xml:"time,attr"` // sum for the shown answers
	Properties struct {
		All []junitProperty `xml:"property"`
	} `xml:"properties"`
	Cases     []junitCase `xml:"testcase"`
	SystemOut string      `xml:"system-out"`
	SystemErr string      `xml:"system-err"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class  string       `xml:"classname,attr"`
	Name   string       `xml:"name,attr"`
	Time   seconds      `xml:"time,attr"` // of the shown answer; 0 if unknown
	Result *junitResult // nil for a passing case
}

// junitResult is a failure, error or skipped element.
type junitResult struct {
	XMLName xml.Name
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// The results of JUnit.
const junitFailure, junitError, junitSkipped = "failure", "error", "skipped"

// seconds is a time in milliseconds that is written as a decimal number of seconds.
type seconds int64

// MarshalText implements encoding.TextMarshaler.
func (s seconds) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%.3f", float64(s)/1000), nil }

// junitOf returns the suites of the report, and those made by failproof.
func junitOf(v *story.Story) junitReport {
	suites := junitSuites(v)
	if v.Report.Verdict == report.Invalid {
		suites = append(suites, junitErrors(v))
	}
	if v.Report.Verdict != report.Passed {
		reasons := decidingReasons(v)
		if !slices.ContainsFunc(suites, func(s *junitSuite) bool { return s.Failures+s.Errors > 0 }) &&
			len(reasons) == 0 {
			reasons = []report.Reason{{Code: "verdict", Message: v.Title}}
		}
		if len(reasons) > 0 {
			suites = append(suites, junitReasons(v, reasons))
		}
	}
	began, err := time.Parse(time.RFC3339, v.Report.Run.StartedAt)
	if err != nil { // the report was edited
		began = time.Unix(0, 0)
	}
	for i, s := range suites {
		s.ID, s.Package, s.Hostname = i, "failproof", "localhost"
		s.Timestamp = began.UTC().Format("2006-01-02T15:04:05")
	}
	return junitReport{Suites: suites}
}

// Lengths in JUnit, in runes. A case's id is never truncated, because it has at most 128 characters; a long suite id is
// shortened in its middle. junitAnswerRunes is also the limit of a wrong answer in the report.
const (
	junitNameRunes   = 400
	junitAnswerRunes = 1_200
	junitBaseRunes   = 400
)

// junitSuites returns the report's suites in its order, then those that only the base has.
func junitSuites(v *story.Story) (suites []*junitSuite) {
	byID := map[string]*junitSuite{}
	suiteByID := func(id string) *junitSuite {
		if byID[id] == nil {
			byID[id] = &junitSuite{Name: junitName(id)}
			suites = append(suites, byID[id])
		}
		return byID[id]
	}
	for _, s := range v.Report.Suites {
		suiteByID(s.SuiteID).Properties.All = suiteProperties(v, s)
	}
	for _, c := range v.Report.Changes {
		suiteByID(c.SuiteID).add(caseOf(v, c))
	}
	return suites
}

// add adds a case and counts its result.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	s.Time += c.Time
	if c.Result != nil {
		*map[string]*int{junitFailure: &s.Failures, junitError: &s.Errors,
			junitSkipped: &s.Skipped}[c.Result.XMLName.Local]++
	}
}

func junitPath(v *story.Story, path string) string {
	return show.When(path != "", show.ShortName(v.Links.Path(path), junitNameRunes))
}

func caseOf(v *story.Story, c report.Change) junitCase {
	out := junitCase{Class: junitName(c.SuiteID), Name: junitName(c.CaseID)}
	if c.Head != nil && c.Head.LatencyMS != nil {
		out.Time = seconds(max(*c.Head.LatencyMS, 0))
	}
	switch rule := caseRule(c); {
	case slices.Contains(wrongAnswer, rule), rule == ruleNoAnswer:
		out.Result = newJUnitResult(show.If(rule == ruleNoAnswer, junitError, junitFailure),
			junitType(string(c.Head.Primary)),
			show.When(rule == ruleRegressed, "regressed: ")+caseSummary(v, c), junitText(v, c))
	case rule == ruleRemoved:
		out.Result = newJUnitResult(junitSkipped, "", "removed; before: "+show.Excerpt(show.PlainOutcome(c.Base), 200),
			"")
	}
	return out
}

func newJUnitResult(kind, typ, message, text string) *junitResult {
	return &junitResult{xml.Name{Local: kind}, typ, message, text}
}

// junitName returns a name that is not empty, as the schemas require. Only an edited report has an empty one.
func junitName(name string) string { return cmp.Or(show.ShortName(name, junitNameRunes), "unnamed") }

func junitType(name string) string { return cmp.Or(show.Excerpt(name, show.NameRunes), "unnamed") }

// junitText returns the place of the case, its question, the expectation, and the answer now and before.
func junitText(v *story.Story, c report.Change) string {
	parts := []string{show.Join(", ", junitPath(v, c.Path)+show.When(c.Line > 0, ":"+strconv.Itoa(c.Line)),
		show.When(c.Severity != "", "severity "+show.Excerpt(c.Severity, show.NameRunes)), show.When(c.MustPass, "must pass"))}
	if c.Input != "" {
		parts = append(parts, "Asked:\n"+excerptLines(string(c.Input), junitBaseRunes))
	}
	if label, missed := v.MissedExpectation(c); len(missed) > 0 {
		parts = append(parts, label+":\n"+missed.Plain(show.SentenceRunes))
	}
	if v.Compared && c.Base != nil && c.Base.Excerpt != "" {
		parts = append(parts, "Before:\n"+excerptLines(string(c.Base.Excerpt), junitBaseRunes))
	}
	if c.Head.Excerpt != "" {
		parts = append(parts, fmt.Sprintf("Now (answer %d of %d):\n%s", c.Head.Trial, c.Head.Trials,
			excerptLines(string(c.Head.Excerpt), junitAnswerRunes)))
	}
	return strings.Join(parts, "\n\n")
}

func suiteProperties(v *story.Story, s report.SuiteSummary) (all []junitProperty) {
	if path := junitPath(v, s.Path); path != "" {
		all = append(all, junitProperty{"file", show.Excerpt(path, junitNameRunes)})
	}
	for i, score := range []*float64{s.Score, s.BaseScore, s.MinScore} {
		if score != nil {
			all = append(all, junitProperty{[]string{"score", "base_score", "min_score"}[i], text.Decimal(*score)})
		}
	}
	return all
}

// junitErrors returns the errors that stopped the run. SARIF has the warnings too.
func junitErrors(v *story.Story) *junitSuite {
	s := &junitSuite{Name: junitInput}
	for _, d := range story.FileErrors(v) {
		path, rule := junitPath(v, d.Path), show.Excerpt(d.Rule, show.NameRunes)
		s.add(junitCase{Class: cmp.Or(path, junitInput), Name: d.Pos().WithPath(path) + " " + rule,
			Result: newJUnitResult(junitError, cmp.Or(rule, "fault"), show.Excerpt(d.Message, show.SentenceRunes), "")})
	}
	return s
}

// junitReasons returns the suite of reasons. Each reason is a failure, or an error if there is no verdict.
func junitReasons(v *story.Story, reasons []report.Reason) *junitSuite {
	s := &junitSuite{Name: junitGate}
	kind := show.If(v.Report.Verdict == report.Failed, junitFailure, junitError)
	for _, r := range reasons {
		s.add(junitCase{Class: junitGate,
			Name: junitName(r.Code) + show.When(r.SuiteID != "", " "+show.ShortName(r.SuiteID, junitNameRunes)),
			Result: newJUnitResult(kind, junitType(string(v.Report.Verdict)),
				show.Excerpt(r.Message, show.SentenceRunes),
				"")})
	}
	return s
}
