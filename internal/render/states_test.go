package render

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/report"
)

func untrusted(text string) model.Untrusted { return model.Untrusted(text) }

func fixedRun() *report.Report {
	r := plainRun()
	r.PassedCases, r.Delta = 43, ptr(0.022)
	r.Suites[0] = suiteRow("support/refund", 0.952, 0.047, 21, 20, 0.85)
	add(r, report.Fixed, "late-parcel", failOutcome("yes", "no"), passOutcome("yes"))
	return r
}

// measuredRun has suites that are measured, one of them without an embedding model.
func measuredRun() *report.Report {
	r := plainRun()
	r.OverallScore, r.BaseOverall = ptr(0.842), ptr(0.861)
	r.Metrics = []report.MetricSummary{
		{Name: "accuracy", Weight: 1, Value: ptr(0.81), BaseValue: ptr(0.85), Answers: 45, Degraded: 24},
		{Name: "completeness", Weight: 0.8, Value: ptr(0.9), Answers: 21},
		{Name: "diagnostic_jaccard", Value: ptr(0.4), BaseValue: ptr(0.41), Answers: 24},
	}
	for i := range r.Suites {
		r.Suites[i].OverallScore, r.Suites[i].Metrics = ptr(0.842), r.Metrics[i:2+i]
	}
	r.OptIns = report.OptIns{Penalty: ptr(0.95), BasePenalty: ptr(0.94), Latency: ptr(0.7)}
	r.Unverified = 24
	r.Warnings = []report.Warning{{Code: "needs_review", Message: "the answer needs a review", Count: 24}}
	return r
}

func nothingRun() *report.Report {
	r := plainRun()
	return &report.Report{Run: report.Run{Head: r.Run.Head, Base: r.Run.Base, BaseState: "compared", LeftOut: 9}, Verdict: report.Passed}
}

// manyRegressions has three hundred regressed cases with long answers.
func manyRegressions() *report.Report {
	r := failedRun()
	for i := range 300 {
		c := add(r, report.Regressed, fmt.Sprintf("generated-case-with-a-rather-long-name-that-is-cut-in-its-middle-%03d", i), passOutcome("yes"),
			failOutcome("yes", strings.Repeat("No, that is not how refunds work here. ", 30)))
		c.Severity = severities[i%3]
	}
	r.Reasons[1].Message = "302 regressions, max_regressions is 0"
	return r
}

func fortySuites() *report.Report {
	r := failedRun()
	for i := range 38 {
		s := suiteRow(fmt.Sprintf("team-%02d/intents", i), 1, 0, 10, 10, 0.85)
		if i%9 == 4 {
			s = suiteRow(s.SuiteID, 0.9, 0.1, 10, 9, 0.85)
		}
		r.Suites = append(r.Suites, s)
	}
	return r
}

// announced is a pass that a reviewer should look at: an expectation, a case and a bar were changed.
func announced() *report.Report {
	r := plainRun()
	r.Reasons = []report.Reason{
		warning("on_removed", "1 case that passed on the base was removed: support/refund duplicate-charge"),
		warning("on_redefined", "1 redefined case would have failed: support/refund angry-customer"),
		warning("on_policy_change", "the head changes 2 settings; they are announced and not obeyed until merged"),
	}
	add(r, report.Removed, "duplicate-charge", passOutcome("yes"), nil)
	head := passOutcome("Calm down.")
	head.UnderBase = ptr(classify.WrongFormat)
	add(r, report.Redefined, "angry-customer", passOutcome("{}"), head)
	r.PolicyChanges = []config.Change{
		{Path: ".github/failproof.yml", Key: "gate.min_run_score", Base: "0.9", Head: "0.5"},
		{Path: ".github/failproof.yml", Key: "policies.no-promises", Base: "(?i)we will (fully )?refund"},
		{Path: ".github/failproof.yml", Key: "policies.no-hours", Head: "{patterns: [nine], apply: all}",
			Caught: []string{"shop/hours", "shop/place", "a/1", "a/2", "a/3", "a/4"}},
		{Path: "suites/new.yaml", Key: "suites.new.weight", Head: "1000", InForce: true},
	}
	return r
}

// hostileTexts are what a model, a file or a fork may write to be more than text.
var hostileTexts = []string{
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

// hostileRun puts such texts in every place that is not ours.
func hostileRun(texts ...string) *report.Report {
	i := 0
	next := func() string { i++; return texts[i%len(texts)] }
	r := failedRun()
	r.Tool.Version, r.Run.Head.Name, r.Run.Base.Name, r.Run.Base.Ref = next(), next(), next(), next()
	for k := range r.Suites {
		r.Suites[k].SuiteID, r.Suites[k].Path, r.Suites[k].Line = next(), next(), k
	}
	for n := range 3 * len(texts) {
		status := report.Statuses[n%len(report.Statuses)]
		c := add(r, status, next(), hostileOutcome(n, next), hostileOutcome(n+3, next))
		c.SuiteID, c.Path, c.Severity, c.MustPass = next(), next(), next(), n%2 == 0
	}
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		r.Reasons = append(r.Reasons, report.Reason{Code: next(), Level: level, Message: next(), SuiteID: r.Suites[0].SuiteID})
	}
	for range len(texts) {
		r.PolicyChanges = append(r.PolicyChanges, config.Change{Path: next(), Key: next(), Base: next(), Head: next(), Caught: []string{next()}})
		r.Warnings = append(r.Warnings, report.Warning{Code: next(), Message: next(), Path: next(), Line: 3, Count: 2})
		r.Diagnostics = append(r.Diagnostics, document.Diagnostic{Severity: document.Error, Path: next(), Line: 1, Column: 2, Rule: next(), Message: next()})
	}
	r.Observability = hostileGroups(len(texts), next)
	return r
}

func hostileGroups(n int, next func() string) *observe.Observability {
	o := &observe.Observability{}
	for range n {
		ref := func() observe.CaseRef { return observe.CaseRef{SuiteID: next(), CaseID: next()} }
		g := observe.FailureGroup{Terms: []model.Untrusted{model.Untrusted(next()), model.Untrusted(next())}, Mode: next(),
			Example: ref(), New: []observe.CaseRef{ref(), ref()}}
		o.FailureGroups = append(o.FailureGroups, g)
		o.Neighbours = append(o.Neighbours, observe.Neighbour{Failure: g.Example, Passing: ref(), Category: true})
	}
	return o
}

func hostileOutcome(n int, next func() string) *report.Outcome {
	text := func() model.Untrusted { return model.Untrusted(next()) }
	d := &classify.Details{ErrorDetails: text(), Reason: next(), Rule: next(), Evidence: text(), ErrorMessage: text(), PolicyName: next()}
	for _, criterion := range []string{"assert", "overall_score", "expected_response", next()} {
		d.Unmet = append(d.Unmet, expect.Unmet{Criterion: criterion, Expected: next(), Actual: next(), Reason: next()})
	}
	d.Unmet = d.Unmet[n%4:]
	under := classify.Category(next())
	primary := classify.Categories[n%len(classify.Categories)]
	if n%7 == 6 {
		primary = classify.Category(next())
	}
	return &report.Outcome{Primary: primary, Passed: n % 2, Trials: 1 + n%3, Unscored: n % 2, Trial: 1, Details: d, Excerpt: text(), UnderBase: &under}
}
