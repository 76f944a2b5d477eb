// Package rendertest has what the tests of the printers share: a report for every state of the gate, dangerous texts,
// and the comparison with golden files.
package rendertest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// SortChanges sorts the changes of r into their kinds, and returns r.
func SortChanges(r *report.Report) *report.Report {
	gate.SetChangeKinds(r)
	return r
}

// FailureGroupsRun returns the report of a failed run in which five of six new failures have the same cause.
func FailureGroupsRun() *report.Report {
	r := FailedRun()
	ref := func(id string) observe.CaseRef { return observe.CaseRef{SuiteID: "support/refund", CaseID: id} }
	newFailures, otherFailures := []observe.CaseRef{ref("angry-customer")}, []observe.CaseRef{ref("known-issue")}
	points := []observe.Point{{CaseID: "angry-customer", NewFailure: true}}
	for i := range 4 {
		parcel := fmt.Sprint("angry-parcel-", i)
		AddChange(r, report.Regressed, parcel, PassOutcome("{}"), FailOutcome("a parcel", "Sure, here is the JSON"))
		newFailures, otherFailures = append(newFailures, ref(parcel)),
			append(otherFailures, ref(fmt.Sprint("known-", i)))
		points = append(points, observe.Point{CaseID: parcel, NewFailure: true})
	}
	r.Observability = &observe.Observability{
		Cases: 45, Total: 45,
		Points: append(points, observe.Point{CaseID: "refund-over-limit", NewFailure: true},
			observe.Point{CaseID: "known-issue"}, observe.Point{CaseID: "late-parcel", Passed: true}),
		FailureGroups: []observe.FailureGroup{{
			Terms: []model.Untrusted{"json", "sure", "complaint", "urgency"}, FailureMode: "wrong_format", Example: ref("angry-customer"),
			HeadFailures: len(newFailures), New: newFailures,
		}, {
			Terms: []model.Untrusted{"voucher"}, Example: ref("known-issue"), HeadFailures: len(otherFailures), BaseFailures: len(otherFailures),
			StillFailing: otherFailures,
		}},
		Neighbours: []observe.Neighbour{{Failure: ref("angry-customer"), Passing: ref("late-parcel"), Similarity: 0.4, SameCategory: true}},
	}
	return r
}

// States are the reports that have golden files, one for each state of the gate.
var States = []struct {
	Name string
	Run  func() *report.Report
}{
	{"passed", PassedRun},
	{"passed-with-fixed", fixedRun},
	{"failed", FailedRun},
	{"must-pass-failed", MustPassRun},
	{"undecided", UndecidedRun},
	{"cancelled", func() *report.Report { return endedEarlyRun(model.ReasonCancelled, "the run was canceled") }},
	{"budget", func() *report.Report { return endedEarlyRun(model.ReasonBudget, "limits.max_calls (84) is used up") }},
	{"invalid", InvalidRun},
	{"first-run", FirstRun},
	{"300-regressions", ManyRegressions},
	{"40-suites", fortySuites},
	{"measured", MeasuredRun},
	{"to-look-at", ReviewRun},
	{"probed", ProbedRun},
	{"alike", FailureGroupsRun},
	{"announced", proposedRun},
	{"nothing-in-scope", EmptyScopeRun},
	{"noisy-passed", NoisyRun},
	{"noisy-confirmed", ConfirmedRun},
	{"noisy-explained", ExplainedRun},
	{"noisy-dropped", ScoreDropRun},
	{"noisy-lost", LostAnswersRun},
	{"noisy-mixed", MixedRun},
	{"noisy-bar", WithinNoiseRun},
	{"noisy-many", BrokenAmongManyRun},
	{"noisy-rechecked", RecheckedRun},
	{"noisy-open", IncompleteRerunsRun},
	{"noisy-must-pass", clearedMustPassRun},
	{"replayed", RecordedRun},
	{"stale", StaleRun},
	{"kept-by-hand", UnchangedRun},
	{"cut", TruncatedRun},
	{"merged", mergedRun},
	{"no-merge", noMergeRun},
	{"base-moved", baseMovedRun},
	{"acceptable", acceptableRun},
	{"accepted", acceptedRun},
	{"redrawn", recordedRerunsRun},
	{"targets", TargetsRun},
	{"hostile", func() *report.Report { return HostileRun(HostileTexts...) }},
}

// probeAggregates returns the aggregates of probes with the given risks and with hostile words. A probe fails if its
// risk is 0.5 or more.
func probeAggregates(risks ...float64) *risk.Aggregates {
	var all []risk.Scored
	for i, v := range risks {
		s := risk.CaseScore{Severity: risk.High, Weight: 1.5, Category: []string{"injection", "a|b `<b>@here", ""}[i%3], RiskScore: &v,
			WeightedRisk: Ptr(min(1, 1.5*v)), Passed: v < 0.5, Boundary: v == 0}
		if v > 0 {
			s.Unsafe, s.Modes, s.UnsafeHits = []string{"secret_stated"}, []string{"secret_leak", "<img src=x>|"}, 1
		}
		all = append(all, risk.Scored{SuiteID: "safety/probes", CaseID: "probe-" + string(rune('a'+i)), Trial: 1, CaseScore: s})
	}
	return risk.Aggregate(all)
}

func ProbedRun() *report.Report {
	r := setVerdict(FailedRun(), report.Failed, Reason("max_exposure", "exposure 0.633 is above max_exposure 0.400 (before 0.333)"))
	r.Risk, r.BaseRisk = probeAggregates(0.6, 0.7, 0), probeAggregates(0, 0.7, 0)
	return r
}

func Untrusted(text string) model.Untrusted { return model.Untrusted(text) }

func fixedRun() *report.Report {
	r := PassedRun()
	r.PassedCases, r.Delta = 43, Ptr(0.022)
	r.Suites[0] = SuiteRow("support/refund", 0.952, 0.047, 21, 20, 0.85)
	AddChange(r, report.Fixed, "late-parcel", FailOutcome("yes", "no"), PassOutcome("yes"))
	return r
}

// MeasuredRun returns the report of a run of two suites with metrics. One suite was measured without an embedding
// model.
func MeasuredRun() *report.Report {
	r := PassedRun()
	r.OverallScore, r.BaseOverall = Ptr(0.842), Ptr(0.861)
	r.Metrics = []report.MetricSummary{
		{Name: "accuracy", Weight: 1, Value: Ptr(0.81), BaseValue: Ptr(0.85), Answers: 45, Degraded: 24},
		{Name: "completeness", Weight: 0.8, Value: Ptr(0.9), Answers: 21},
		{Name: "diagnostic_jaccard", Value: Ptr(0.4), BaseValue: Ptr(0.41), Answers: 24},
	}
	for i := range r.Suites {
		r.Suites[i].OverallScore, r.Suites[i].Metrics = Ptr(0.842), r.Metrics[i:2+i]
	}
	r.OptIns = report.OptIns{Penalty: Ptr(0.95), BasePenalty: Ptr(0.94), Latency: Ptr(0.7)}
	r.Unverified = 24
	r.Warnings = []report.Warning{{Code: "needs_review", Message: "the answer needs a review", Count: 24}}
	return r
}

func EmptyScopeRun() *report.Report {
	r := PassedRun()
	return &report.Report{Run: report.Run{Head: r.Run.Head, Base: r.Run.Base, BaseState: "compared", LeftOut: 9}, Verdict: report.Passed}
}

// ManyRegressions returns a report with three hundred more regressed cases, which have long answers.
func ManyRegressions() *report.Report {
	r := FailedRun()
	for i := range 300 {
		c := AddChange(r, report.Regressed, fmt.Sprintf("generated-case-with-a-rather-long-name-that-is-cut-in-its-middle-%03d", i), PassOutcome("yes"),
			FailOutcome("yes", strings.Repeat("No, that is not how refunds work here. ", 30)))
		c.Severity = risk.Severities[3-i%3]
	}
	r.Reasons[1].Message = "302 regressions, max_regressions is 0"
	return r
}

func fortySuites() *report.Report {
	r := FailedRun()
	for i := range 38 {
		s := SuiteRow(fmt.Sprintf("team-%02d/intents", i), 1, 0, 10, 10, 0.85)
		if i%9 == 4 {
			s = SuiteRow(s.SuiteID, 0.9, 0.1, 10, 9, 0.85)
		}
		r.Suites = append(r.Suites, s)
	}
	return r
}

// proposedRun returns the report of a passed run that a reviewer has to check. The change edits an expectation and
// settings, and removes a case.
func proposedRun() *report.Report {
	r := PassedRun()
	r.Reasons = []report.Reason{
		Warning("on_removed", "1 case that passed before was removed: support/refund/duplicate-charge"),
		Warning("on_redefined", "1 redefined case would have failed by the old expectation: support/refund/angry-customer"),
		Warning("on_policy_change", "this change edits 3 settings, in effect after the merge: gate.min_run_score, policies.no-promises, policies.no-hours (it would catch the answers to 6 cases)"),
	}
	AddChange(r, report.Removed, "duplicate-charge", PassOutcome("yes"), nil)
	head := PassOutcome("Calm down.")
	head.UnderBase = Ptr(classify.WrongFormat)
	c := AddChange(r, report.Redefined, "angry-customer", PassOutcome("{}"), head)
	c.Input = "You lost my parcel!"
	c.Expected = []expect.Requirement{{Criterion: "assert", Expected: `contains "calm"`}}
	c.BaseVersion = &report.BaseVersion{Expected: []expect.Requirement{{Criterion: "expected_format",
		Expected: "json"}}}
	c = AddChange(r, report.Redefined, "opening-hours", PassOutcome("Nine to five."), PassOutcome("We are open."))
	c.Head.UnderBase = Ptr(classify.Pass)
	r.Reworded = &report.Reworded{Passing: 21, Changed: 3, SuiteID: c.SuiteID, CaseID: c.CaseID, Before: "card_lost", Now: "**Card Lost**"}
	c.Input, c.BaseVersion = "Are you open?", &report.BaseVersion{InputChanged: true, Input: "When are you open?"}
	for _, id := range []string{"label-lost", "label-late"} { // an edit of the suite's labels
		c = AddChange(r, report.Redefined, id, PassOutcome("lost"), PassOutcome("lost"))
		c.Head.UnderBase, c.Expected = Ptr(classify.Pass), []expect.Requirement{{Criterion: "labels", Expected: "lost, late, other"}}
		c.BaseVersion = &report.BaseVersion{Expected: []expect.Requirement{{Criterion: "labels", Expected: "lost, late"}}}
	}
	r.PolicyChanges = []config.Change{
		{Path: ".github/failproof.yml", Key: "gate.min_run_score", Base: "0.9", Head: "0.5"},
		{Path: ".github/failproof.yml", Key: "policies.no-promises", Base: "(?i)we will (fully )?refund"},
		{Path: ".github/failproof.yml", Key: "policies.no-hours", Head: "{patterns: [nine], apply: all}",
			FailingCases: []string{"shop/hours", "shop/place", "a/1", "a/2", "a/3", "a/4"}},
		{Path: "suites/new.yaml", Key: "suites.new.weight", Head: "1000", Effective: true},
	}
	return r
}

// HostileTexts are texts as a model, a file or a fork may write them. They would be markup or commands if they were
// printed unchanged.
var HostileTexts = []string{
	"@acme/everyone fixes #1, GH-2, acme/prompts#3 and a1b2c3d4",
	"![x](https://evil.example/p.png?s=1) [Approve](https://evil.example) <https://evil.example> www.evil.example a@evil.example",
	"<img src=x onerror=alert(1)><script>alert(1)</script></td></tr></table></details></pre><!-- failproof:comment v=1 -->",
	"```\n</details>\n~~~\n````\n## ✅ Prompt gate passed\n| a | b |\n|---|---|\n",
	"a|b \\| c \\\\| d ` e `` f ``` g |",
	"::error::x\r::add-mask::true\n##[set-output name=passed]true\u2028::stop-commands::t",
	"\u202eevil\u202c \u200b@\u2060acme \U000e0061\x1b[31mred\x1b[0m\x00\xff\xfe",
	":tada: &#64;acme &lt;b&gt; [ref]: https://evil.example \"t\"\n[ref]\n\n    code\n- [x] done\n1. one\n===\n---",
	"$\\unicode{x202e}$ $$x$$ \\(x\\) **bold** _it_ ~~s~~ https://evil.example/?a|b smb://evil file:///etc/passwd",
	"`" + strings.Repeat("`|", 30), "\\", "|", "`", " ", "\n", "1.", "-", "#", "[", "](", "<", "&", "…",
}

// HostileRun returns a report that has one of texts in every field for untrusted text.
func HostileRun(texts ...string) *report.Report {
	i := 0
	next := func() string { i++; return texts[i%len(texts)] }
	r := FailedRun()
	r.Tool.Version, r.Run.Head.Name, r.Run.Base.Name, r.Run.Base.Ref = next(), next(), next(), next()
	for k := range r.Suites {
		r.Suites[k].SuiteID, r.Suites[k].Path, r.Suites[k].Line = next(), next(), k
	}
	for n := range 3 * len(texts) {
		status := report.Statuses[n%len(report.Statuses)]
		c := AddChange(r, status, next(), HostileOutcome(n, next), HostileOutcome(n+3, next))
		c.SuiteID, c.Path, c.Severity, c.MustPass = next(), next(), next(), n%2 == 0
		c.Input, c.Expected = Untrusted(next()), []expect.Requirement{{Criterion: "expected_format", Expected: next()}, {Criterion: next(), Expected: next()}}
		c.Tags = texts[n%len(texts):]
		c.Edit = &report.Edit{Patch: Untrusted(texts[n%len(texts)]), Refused: texts[n%len(texts)]}
		c.BaseVersion = &report.BaseVersion{InputChanged: n%2 == 0, Input: Untrusted(next()), Expected: []expect.Requirement{{Criterion: next(), Expected: next()}}}
	}
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		r.Reasons = append(r.Reasons, report.Reason{Code: next(), Level: level, Message: next(), SuiteID: r.Suites[0].SuiteID})
	}
	r.Prompts = nil
	for range len(texts) {
		r.Prompts = append(r.Prompts, report.Prompt{Path: next(), Suites: []string{next()}, Base: Untrusted(next() + "\n" + next()), Head: Untrusted(next() + "\n" + next())})
		r.Suites[0].Why = append(r.Suites[0].Why, report.ScopeReason{Why: next(), Cases: 2, First: next()})
		r.PolicyChanges = append(r.PolicyChanges, config.Change{Path: next(), Key: next(), Base: next(), Head: next(), FailingCases: []string{next()}})
		r.Warnings = append(r.Warnings, report.Warning{Code: next(), Message: next(), Path: next(), Line: 3, Count: 2})
		r.Diagnostics = append(r.Diagnostics, document.Diagnostic{Severity: document.Error, Path: next(), Line: 1, Column: 2, Rule: next(), Message: next()})
	}
	r.Observability = hostileGroups(len(texts), next)
	r.Explanation = hostileExplanation(len(texts), next)
	r.Reworded = &report.Reworded{Passing: 2, Changed: 1, SuiteID: next(), CaseID: next(), Before: Untrusted(next()), Now: Untrusted(next())}
	return r
}

func hostileGroups(n int, next func() string) *observe.Observability {
	o := &observe.Observability{}
	for range n {
		ref := func() observe.CaseRef { return observe.CaseRef{SuiteID: next(), CaseID: next()} }
		g := observe.FailureGroup{Terms: []model.Untrusted{model.Untrusted(next()), model.Untrusted(next())}, FailureMode: next(),
			Example: ref(), New: slices.Repeat([]observe.CaseRef{ref(), ref()}, 3)}
		o.FailureGroups = append(o.FailureGroups, g)
		o.Neighbours = append(o.Neighbours, observe.Neighbour{Failure: g.Example, Passing: ref(), SameCategory: true})
	}
	return o
}

// hostileCategories are the categories of hostile outcomes. They do not come from package classify, because a new
// category there would change most golden files.
var hostileCategories = []classify.Category{classify.Pass, classify.Fail, classify.Refusal, classify.WrongFormat,
	classify.PolicyViolation, classify.Error, classify.Timeout, classify.Crash}

func HostileOutcome(n int, next func() string) *report.Outcome {
	text := func() model.Untrusted { return model.Untrusted(next()) }
	d := &classify.Details{ErrorDetails: text(), Reason: next(), Rule: next(), Evidence: text(), ErrorMessage: text(), PolicyName: next()}
	for _, criterion := range []string{"assert", "overall_score", "expected_response", next()} {
		d.Unmet = append(d.Unmet, expect.Unmet{Criterion: criterion, Expected: next(), Actual: next(), Reason: next()})
	}
	d.Unmet = d.Unmet[n%4:]
	under := classify.Category(next())
	primary := hostileCategories[n%len(hostileCategories)]
	if n%7 == 6 {
		primary = classify.Category(next())
	}
	return &report.Outcome{Primary: primary, Passed: n % 2, Trials: 1 + n%3, Unscored: n % 2, Trial: 1, Details: d, Excerpt: text(), UnderBase: &under}
}

// fragments are the parts that HostileText joins at random into dangerous texts.
var fragments = append([]string{"a", " ", "\n", "\r", "\t", "@", "#", "1", "GH-1", "`", "``", "|", "\\", "[", "]", "(", ")", "<", ">", "!", "*", "_", "~",
	"~~~", "```", ":", "::", "##[", "&", ";", "$", "www.", "http://", "</details>", "<!--", "-->", "\u200b", "\u202e", "\ufe0f", "\u0301", "\xff", "\x1b[0m",
	"1. ", "- ", "# ", "=", "---", "deadbeef", "word", "0.5", "”", "é", "漢", "\U0001f389"}, HostileTexts...)

func HostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, "fragments"), "")
	})
}

// CheckHostileRuns calls f with many reports that have random untrusted texts, verdicts and states of the base.
func CheckHostileRuns(t *testing.T, f func(t *rapid.T, r *report.Report)) {
	t.Helper()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = checks.Value.Set(strconv.Itoa(fulltest.Count(25, 100))) // cannot fail: the value is a number
		defer checks.Value.Set(checks.DefValue)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := HostileRun(rapid.SliceOfN(HostileText(), 2, 9).Draw(t, "texts")...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		r.Run.BaseState = rapid.SampledFrom(report.BaseStates[:]).Draw(t, "base")
		f(t, r)
	})
}

// AllowedLink matches the links to acme/prompts that a printer may write for the reports in States.
var AllowedLink = regexp.MustCompile(`^https://github\.com/acme/prompts/(?:blob/(?:` + HeadSHA + `|` + BaseSHA + `)/(?:[A-Za-z0-9._-]|%[0-9A-F]{2}|/)+(?:\?plain=1)?(?:#L[0-9]+)?` +
	`|commit/[0-9a-f]{40}|actions/runs/[0-9]+)$`)

// RunnerLines returns the lines of text. A line ends at every character that some reader takes for a line end.
func RunnerLines(text string) []string { return strings.FieldsFunc(text, show.IsBreak) }

// IsCommand reports whether one of the CI runner's two parsers may read a line as a command. It is pessimistic: it
// drops characters that a comparison may ignore, and reads fullwidth forms as the plain characters.
func IsCommand(line string) bool {
	line = toASCII.Replace(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.M, unicode.Variation_Selector) || r == 0 {
			return -1
		}
		return r
	}, line))
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[")
}

var toASCII = strings.NewReplacer("：", ":", "﹕", ":", "︓", ":", "＃", "#", "﹟", "#", "［", "[", "﹇", "[", "∷", "::", "⩴", "::=")

// TB has the methods that tests, fuzz tests and property tests share.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

var update = flag.Bool("update", false, "write the golden files")

func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); -update writes it:\n%s", path, diff)
	}
}
