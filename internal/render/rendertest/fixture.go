package rendertest

import (
	"fmt"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

const (
	HeadSHA = "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334"
	BaseSHA = "9f8e7d6c5b4a39281706f5e4d3c2b1a000112233"
)

func Links() show.Links {
	return show.Links{Server: "https://github.com", Repo: "acme/prompts", HeadSHA: HeadSHA, BaseSHA: BaseSHA,
		RunURL: "https://github.com/acme/prompts/actions/runs/123456789", Number: 7}
}

func Ptr[T any](v T) *T { return &v }

// PassedRun returns the report of a passed run of two suites. No case changed between base and head.
func PassedRun() *report.Report {
	r := &report.Report{
		SchemaVersion: report.SchemaVersion,
		Tool:          report.Tool{Name: "failproof", Version: "0.1.0"},
		Run: report.Run{ID: "1", StartedAt: "2026-01-02T03:04:05Z", FinishedAt: "2026-01-02T03:05:47Z", Scope: "changed",
			Head: report.Revision{Name: "head", SHA: HeadSHA}, LeftOut: 7, BaseState: "compared",
			Base: &report.Revision{Name: "main", SHA: BaseSHA, Ref: "merge base of main"}},
		Verdict:  report.Passed,
		RunScore: Ptr(0.931), BaseRunScore: Ptr(0.927), Delta: Ptr(0.004), DeltaCases: 45, MicroScore: Ptr(0.933), AnsweredScore: Ptr(0.931),
		Histogram: Histogram(42, 3), BaseHistogram: Histogram(42, 3),
		Cases: 45, PassedCases: 42, Trials: 45,
		Suites: []report.SuiteSummary{
			SuiteRow("support/refund", 0.905, 0, 21, 19, 0.85),
			SuiteRow("support/triage", 0.957, 0.008, 24, 23, 0.85),
		},
		Calls:   report.Calls{Provider: 90, TokensIn: 40_000, TokensOut: 8_210, CostUSD: Ptr(0.1142)},
		Scoring: report.ScoringInfo{Phase: "deployment", RulesVersion: "1", MinRunScore: Ptr(0.9)},
		Counts:  map[report.Status]int{report.StillPassing: 40},
	}
	AddChange(r, report.StillFailing, "known-issue", FailOutcome("a refund", "a voucher"), FailOutcome("a refund", "a voucher"))
	return r
}

func Histogram(pass, fail int) report.Histogram {
	h := report.Histogram{}
	for _, c := range classify.Categories {
		h[c] = 0
	}
	h[classify.Pass], h[classify.Fail] = pass, fail
	return h
}

func SuiteRow(id string, score, delta float64, cases, passed int, min float64) report.SuiteSummary {
	return report.SuiteSummary{SuiteID: id, Path: "suites/" + id + ".yaml", Line: 1, Score: &score, BaseScore: Ptr(score - delta),
		Delta: &delta, MinScore: &min, Weight: 1, Cases: cases, Passed: passed, InScope: true, Histogram: Histogram(passed, cases-passed)}
}

// AddChange appends to r a change of a case of the first suite, and returns it. Each change is on a line of its own.
// The returned pointer is valid until the next Add.
func AddChange(r *report.Report, status report.Status, id string, base, head *report.Outcome) *report.Change {
	s := r.Suites[0]
	c := report.Change{SuiteID: s.SuiteID, CaseID: id, Change: status, Base: base, Head: head, Path: s.Path, Line: 12 + 9*len(r.Changes), Severity: "medium"}
	r.Changes = append(r.Changes, c)
	if r.Counts == nil {
		r.Counts = map[report.Status]int{}
	}
	r.Counts[status]++
	return &r.Changes[len(r.Changes)-1]
}

func PassOutcome(answer string) *report.Outcome {
	return &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1, Excerpt: Untrusted(answer)}
}

func FailOutcome(want, got string) *report.Outcome {
	return &report.Outcome{Primary: classify.Fail, Trials: 1, Trial: 1, Excerpt: Untrusted(got),
		Details: &classify.Details{Unmet: []expect.Unmet{{Criterion: "expected_response", Expected: want, Actual: got}}}}
}

func Reason(code, message string) report.Reason {
	return report.Reason{Code: code, Level: report.LevelError, Message: message}
}

func Warning(code, message string) report.Reason {
	return report.Reason{Code: code, Level: report.LevelWarn, Message: message}
}

// setVerdict sets the verdict and the reasons of r, and returns r.
func setVerdict(r *report.Report, verdict report.Verdict, reasons ...report.Reason) *report.Report {
	r.Verdict, r.Reasons = verdict, reasons
	return r
}

func policyOutcome() *report.Outcome {
	return &report.Outcome{Primary: classify.PolicyViolation, Passed: 0, Trials: 5, Trial: 1,
		Details: &classify.Details{PolicyName: "no-promises", Evidence: "We will refund you in full"},
		Excerpt: "I'm so sorry about that! We will refund you in full today, no matter how long ago you bought it, and you may of course keep the shoes.\n\nIs there anything else I can help you with?"}
}

func FailedRun() *report.Report {
	r := PassedRun()
	r.Verdict, r.RunScore, r.Delta, r.PassedCases, r.Trials = report.Failed, Ptr(0.874), Ptr(-0.041), 40, 225
	r.Reasons = []report.Reason{
		Reason("min_run_score", "run score 0.874 is below min_run_score 0.900"),
		Reason("max_regressions", "2 regressions, max_regressions is 0"),
	}
	r.Suites[0] = SuiteRow("support/refund", 0.81, -0.12, 21, 17, 0.85)
	s := Reason("min_score", "suite support/refund: score 0.810 is below min_score 0.850")
	s.SuiteID = "support/refund"
	r.Reasons = append(r.Reasons, s)
	c := AddChange(r, report.Regressed, "angry-customer", &report.Outcome{Primary: classify.Pass, Passed: 5, Trials: 5, Trial: 1,
		Excerpt: `{"label": "complaint", "urgency": "high"}`},
		&report.Outcome{Primary: classify.WrongFormat, Passed: 1, Trials: 5, Trial: 2,
			Details: &classify.Details{ErrorMessage: "Unexpected token 'S' in JSON at position 0"},
			Excerpt: "Sure, here is the JSON:\n```json\n{\"label\": \"complaint\""})
	c.Severity, c.Input = "low", "My parcel is three weeks late and nobody answers!"
	c.Expected = []expect.Requirement{{Criterion: "expected_format", Expected: "json"}, {Criterion: "assert", Expected: "response.json.urgency == 'high'"}}
	c = AddChange(r, report.Regressed, "refund-over-limit", &report.Outcome{Primary: classify.Pass, Passed: 5, Trials: 5, Trial: 1,
		Excerpt: "Refunds over 500 EUR need a manager's decision. I have passed your request on and you will hear from us within two days."},
		policyOutcome())
	c.Severity, c.Input = "critical", "amount: 900 EUR\nquestion: I want my money back, all of it. Today."
	c.Expected = []expect.Requirement{{Criterion: "policy", Expected: "no-promises"}}
	r.Suites[0].Why = []report.ScopeReason{{Why: "request changed", Cases: 21, First: "late-parcel"}, {Why: "expectation changed", Cases: 1, First: "vat-number"}}
	r.Suites[1].Why = []report.ScopeReason{{Why: "case added", Cases: 2, First: "where-is-it"}}
	r.Prompts = []report.Prompt{{Path: "prompts/refund.md", Suites: []string{"support/refund"},
		Base: "You answer refund questions.\nReply with JSON.\n\n- Never promise money.\n\n{{ question }}\n",
		Head: "You answer refund questions, warmly.\nReply with JSON.\n\n{{ question }}\n"}}
	AddChange(r, report.Fixed, "late-parcel", FailOutcome("yes", "no"), PassOutcome("yes"))
	AddChange(r, report.New, "vat-number", nil, PassOutcome("DE 123"))
	AddChange(r, report.Flaky, "greeting", &report.Outcome{Primary: classify.Pass, Passed: 5, Trials: 5},
		&report.Outcome{Primary: classify.Fail, Passed: 4, Trials: 5, Trial: 3})
	AddChange(r, report.Removed, "duplicate-charge", FailOutcome("yes", "no"), nil)
	r.Histogram[classify.WrongFormat], r.Histogram[classify.PolicyViolation] = 1, 1
	return r
}

func MustPassRun() *report.Report {
	r := PassedRun()
	r.Verdict = report.Failed
	c := AddChange(r, report.StillFailing, "never-reveal-the-key", FailOutcome("[no key]", "sk-…"), &report.Outcome{
		Primary: classify.Fail, Trials: 1, Trial: 1, Excerpt: "Of course, the key is ████.",
		Details: &classify.Details{Unmet: []expect.Unmet{{Criterion: "assert", Expected: "not (response.text contains 'key is')", Reason: "not true"}}}})
	c.MustPass, c.Severity = true, "critical"
	must := Reason("must_pass", "must_pass case support/refund never-reveal-the-key failed: fail")
	must.SuiteID, must.CaseID = "support/refund", c.CaseID
	r.Reasons = []report.Reason{must}
	return r
}

// addUnanswered adds the given number of cases that have an answer on the base and an error on the head. The error has
// the given details.
func addUnanswered(r *report.Report, cases int, details classify.Details) {
	for i := range cases {
		AddChange(r, report.Errored, fmt.Sprintf("case-%d", i), PassOutcome("ok"), &report.Outcome{Primary: classify.Error, Trials: 1, Unscored: 1, Trial: 1, Details: &details})
	}
}

func UndecidedRun() *report.Report {
	r := setVerdict(PassedRun(), report.Undecided, Reason("max_unscored", "9 of 45 trials have no answer to judge (0.200), max_unscored is 0.050"))
	r.Unscored, r.RunScore, r.AnsweredScore = 9, Ptr(0.756), Ptr(0.944)
	r.Suites[1].Unscored = 9
	addUnanswered(r, 8, classify.Details{Reason: model.ReasonRateLimit, ErrorDetails: "HTTP 429: Rate limit reached for requests"})
	AddChange(r, report.Errored, "slow", PassOutcome("ok"), &report.Outcome{Primary: classify.Timeout, Trials: 1, Unscored: 1, Trial: 1,
		Details: &classify.Details{Reason: model.ReasonTimeout, LimitSeconds: 30}})
	return r
}

// endedEarlyRun returns the report of a run that ended early. code and why are the reason's code and words.
func endedEarlyRun(code, why string) *report.Report {
	r := setVerdict(PassedRun(), report.Undecided, Reason(code, why+": 6 of 90 answers missing"))
	r.Unscored, r.RunScore, r.AnsweredScore = 3, Ptr(0.867), Ptr(0.929)
	r.Suites[0].NotAsked, r.Suites[1].NotAsked, r.Suites[1].Unscored = 2, 4, 3
	r.Plan = &report.CallPlan{Calls: 90, Tokens: 48_000, CostUSD: Ptr(0.12)}
	r.Calls.Provider = 84
	addUnanswered(r, 3, classify.Details{Reason: code, ErrorDetails: Untrusted("not asked: " + why)})
	return r
}

func InvalidRun() *report.Report {
	r := PassedRun()
	return &report.Report{Run: r.Run, Tool: r.Tool, Verdict: report.Invalid, Diagnostics: []document.Diagnostic{
		{Severity: document.Error, Path: "suites/support/refund.yaml", Line: 41, Column: 17, Rule: "one-of",
			Message: "`severity` is \"urgent\"; expected one of low, medium, high, critical"},
		{Severity: document.Error, Path: "suites/support/triage.yaml", Line: 9, Column: 3, Rule: "unknown-key",
			Message: "unknown key \"expcted_response\"; did you mean `expected_response`?"},
		{Severity: document.Error, Path: ".github/failproof.yml", Rule: "no-suites", Message: "no file matches suites/**/*.yaml"},
		{Severity: document.Warning, Path: "suites/support/triage.yaml", Line: 30, Column: 5, Rule: "always-true",
			Message: "the pattern matches every answer"},
	}}
}

func FirstRun() *report.Report {
	r := setVerdict(PassedRun(), report.Passed, Warning("no_base", "no base to compare with"))
	r.Run.Base, r.Run.BaseState, r.BaseRunScore, r.Delta, r.BaseHistogram, r.DeltaCases = nil, "missing", nil, nil, nil, 0
	r.Run.LeftOut = 0
	for i := range r.Suites {
		r.Suites[i].BaseScore, r.Suites[i].Delta = nil, nil
	}
	r.Changes, r.Counts = nil, nil
	AddChange(r, report.New, "known-issue", nil, FailOutcome("a refund", "a voucher"))
	AddChange(r, report.New, "shouting", nil, &report.Outcome{Primary: classify.Refusal, Trials: 1, Trial: 1, Excerpt: "I'm sorry, but I don't have access to that.",
		Details: &classify.Details{Rule: "no_access", Kind: refusal.Unable, Evidence: "I don't have access to"}})
	return r
}

// EditChanges calls edit with each change of r and its index.
func EditChanges(r *report.Report, edit func(i int, c *report.Change)) {
	for i := range r.Changes {
		edit(i, &r.Changes[i])
	}
}

// ReviewRun returns the report of a passed run in which two passing answers got a lower score, and no check looked at a
// third one.
func ReviewRun() *report.Report {
	r := PassedRun()
	for i, id := range []string{"warranty", "opening-hours"} {
		before, now := PassOutcome("Two years, by law. Ask us for the form."), PassOutcome("Two years. It is guaranteed @everywhere.")
		before.OverallScore, now.OverallScore = Ptr(0.97), Ptr(0.85-0.1*float64(i))
		AddChange(r, report.StillPassing, id, before, now).Input = "How long is the warranty?"
	}
	unverified := PassOutcome("Whatever you say, <b>friend</b>.")
	unverified.Details = &classify.Details{Unverified: true}
	AddChange(r, report.New, "small-talk", nil, unverified).Input = "How are you?"
	r.Unverified, r.Suites[0].Unverified = 1, 1
	return r
}

// StaleRun returns the report on a changed prompt whose answers were not recorded again.
func StaleRun() *report.Report {
	r := setVerdict(PassedRun(), report.Undecided, Reason("max_unscored", "3 of 45 strict trials without a score: share 0.067 is above max_unscored 0.000"))
	r.Unscored, r.RunScore, r.AnsweredScore = 3, Ptr(0.881), Ptr(0.944)
	r.Suites[0].Unscored = 3
	addUnanswered(r, 3, classify.Details{Reason: model.ReasonStale,
		ErrorDetails: "write the answer again, then `failproof record --stamp`: stale, made for another prompt or input (recordings/support/refund.jsonl)"})
	return r
}

// UnchangedRun returns the report on a changed prompt for which two hand-written answers stayed unchanged.
func UnchangedRun() *report.Report {
	r := PassedRun()
	r.Unverified, r.KeptByHand, r.Suites[0].Unverified, r.Suites[0].KeptByHand = 3, 2, 3, 2
	r.Reasons = []report.Reason{Warning("kept_by_hand",
		"2 cases are unverified: hand-written and unchanged although what is asked changed: support/refund/late, support/refund/early")}
	for _, id := range []string{"late", "early"} {
		c := AddChange(r, report.StillPassing, id, PassOutcome("A kettle is taken back within 30 days."), PassOutcome("A kettle is taken back within 30 days."))
		c.KeptByHand, c.Input = true, "Is it too "+Untrusted(id)+"?"
	}
	return r
}

// TruncatedRun returns the report on a change that makes two answers end at their length limit. One of the two cases
// has forbidden words.
func TruncatedRun() *report.Report {
	r := PassedRun()
	r.Reasons = []report.Reason{
		Warning("answers_truncated", "1 answer is newly truncated at the length limit, so the missing text may contain what is forbidden: support/refund/late"),
		Warning("answers_truncated", "1 answer is newly truncated at the length limit: support/refund/early"),
	}
	for _, id := range []string{"late", "early"} {
		head := PassOutcome("A kettle is taken back within")
		head.Details = &classify.Details{Reason: classify.ReasonTruncated}
		c := AddChange(r, report.StillPassing, id, PassOutcome("A kettle is taken back within 30 days."), head)
		c.Truncated, c.Input = true, "Is it too "+Untrusted(id)+"?"
	}
	return r
}

// recordedRerunsRun returns the report on changed recordings. Three cases flipped, and two of them were rerun.
func recordedRerunsRun() *report.Report {
	r := FailedRun()
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 45, RecordedReruns: &report.RecordedReruns{Flips: 3, Level: 0.01 / 3,
		Files: []string{"recordings/support/refund.jsonl"}, Candidates: []report.Candidate{
			{SuiteID: "support/refund", CaseID: "angry-customer", State: report.CandidateConfirmed, Rounds: 8, BasePasses: 8, P: Ptr(1.0 / 12870)},
			{SuiteID: "support/refund", CaseID: "wanders", State: report.CandidateCleared, Rounds: 8, BasePasses: 7, HeadPasses: 6},
		}}}
	EditChanges(r, func(_ int, c *report.Change) { c.Noisy, c.Sampled = c.CaseID == "angry-customer", true })
	c := AddChange(r, report.Flaky, "wanders", PassOutcome("yes"), FailOutcome("yes", "no"))
	c.Noisy, c.Sampled = true, true
	return r
}

// The following reports are made only on GitHub. The head is a merge or cannot be merged, the rules of the base branch
// changed, or a review accepts the change.

func mergedRun() *report.Report {
	r := PassedRun()
	r.Run.Head = report.Revision{Name: Links().HeadSHA, SHA: Links().HeadSHA, Ref: "9c8d7e6 merged into main"}
	return r
}

func noMergeRun() *report.Report {
	return &report.Report{SchemaVersion: report.SchemaVersion, Tool: report.Tool{Name: "failproof", Version: "0.4.2"},
		Run:     report.Run{ID: "1", Scope: "changed", BaseState: report.BaseNone, Head: report.Revision{Name: "#42", SHA: Links().HeadSHA}},
		Verdict: report.Undecided, Reasons: []report.Reason{Reason(gate.NoMerge.Code, "GitHub has no merge commit of pull request #42 and main: it has a "+
			"conflict with the branch; resolve it and push, which starts a new run")}}
}

func baseMovedRun() *report.Report {
	r := mergedRun()
	r.Verdict, r.Reasons = report.Undecided, []report.Reason{Reason(gate.BaseMoved.Code,
		"the rules of main changed since this commit was judged (gate.min_run_score, suites.support/refund.weight): update the branch")}
	return r
}

func acceptableRun() *report.Report {
	r := setVerdict(mergedRun(), report.Failed, Reason("on_removed", "1 case that passed before was removed: support/refund/duplicate-charge"))
	r.Acceptable = true
	AddChange(r, report.Removed, "duplicate-charge", PassOutcome("yes"), nil)
	return r
}

func acceptedRun() *report.Report {
	r := acceptableRun()
	r.Verdict, r.Acceptable = report.Passed, false
	r.Reasons[0].Level, r.Reasons[0].AcceptedBy = report.LevelWarn, "the review of octocat"
	r.Reasons[0].Message += "; pushed by ada, accepted by the review of octocat"
	return r
}

// TargetsRun returns the report of a run of two suites, with two and three targets. The changed prompt makes the
// answers of one target worse.
func TargetsRun() *report.Report {
	r := setVerdict(PassedRun(), report.Failed, Reason("max_regressions", "1 regression, max_regressions is 0"))
	r.Changes, r.Counts = nil, nil
	r.RunScore, r.Delta, r.Cases, r.PassedCases, r.Trials, r.Histogram = Ptr(0.9), Ptr(-0.1), 10, 8, 10, Histogram(8, 2)
	r.Suites = nil
	for _, s := range []struct {
		id     string
		score  float64
		delta  float64
		passed int
	}{{"support/refund@fast", 1, 0, 2}, {"support/refund@careful", 0.5, -0.5, 1}, {"tone@fast", 1, 0, 2}, {"tone@careful", 1, 0, 2}, {"tone@gpt-4.1", 0.5, 0, 1}} {
		row := SuiteRow(s.id, s.score, s.delta, 2, s.passed, 0.85)
		row.MinScore, row.Path = nil, "suites/shown.yaml"
		r.Suites = append(r.Suites, row)
	}
	add := func(suite int, status report.Status, id string, base, head *report.Outcome) {
		c := AddChange(r, status, id, base, head)
		c.SuiteID, c.Path, c.Line = r.Suites[suite].SuiteID, "suites/shown.yaml", 12+9*len(id)
	}
	right, wrong := PassOutcome("You have 14 days."), FailOutcome("14 days", "You have 30 days.")
	for suite, heads := range [][2]*report.Outcome{{right, right}, {wrong, right}, {right, right}, {right, right}, {right, wrong}} {
		for i, id := range []string{"days", "possible"} {
			switch base := right; {
			case suite == 1 && i == 0:
				add(suite, report.Regressed, id, base, heads[i])
			case heads[i] == wrong:
				add(suite, report.StillFailing, id, wrong, heads[i])
			default:
				add(suite, report.StillPassing, id, base, heads[i])
			}
		}
	}
	return r
}
