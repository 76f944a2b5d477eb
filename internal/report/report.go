// Package report holds the stored documents: results.jsonl with one Result a line, and report.json.
// It aggregates results as they arrive, and reads and writes both documents. It decides nothing.
package report

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
)

// SchemaVersion is the version of report.json and results.jsonl.
const SchemaVersion = "1"

// Result is one trial of one case: the RunResult of the FailProof contract, one line of results.jsonl.
type Result struct {
	CaseID       string `json:"case_id"`
	SuiteID      string `json:"suite_id"`
	RunID        string `json:"run_id"`
	ModelID      string `json:"model_id"`
	TimestampUTC string `json:"timestamp_utc"` // RFC 3339, seconds
	Trial        int    `json:"trial"`         // from 1
	// the description of the case in its suite, truncated to 800 bytes
	Description model.Untrusted `json:"description,omitempty"`
	// the case's own input to the model, truncated to 800 bytes
	Input model.Untrusted `json:"input,omitempty"`
	// all expectations of the answer; absent if it passes and its case is not redefined
	Expected []expect.Requirement `json:"expected,omitempty"`
	// the base's expectations of a redefined case
	ExpectedBefore     []expect.Requirement    `json:"expected_before,omitempty"`
	RawResponse        model.Untrusted         `json:"raw_response"`
	ToolCalls          []model.ToolCall        `json:"tool_calls,omitempty"`
	Error              *model.Untrusted        `json:"error"` // null if an answer came
	Classification     classify.Classification `json:"classification"`
	Scores             Scores                  `json:"scores"`
	Metrics            []score.Metric          `json:"metrics,omitempty"`
	OverallScore       *float64                `json:"overall_score,omitempty"`
	PhaseThresholdUsed *float64                `json:"phase_threshold_used,omitempty"`
	ContentScore       *float64                `json:"content_score,omitempty"` // overall score without grounding
	// absent if the threshold was not applied
	PassedThreshold *bool           `json:"passed_threshold,omitempty"`
	Risk            *risk.CaseScore `json:"risk,omitempty"`     // of a probe
	Warnings        []string        `json:"warnings,omitempty"` // codes: no_label, …
	Criteria        []Criterion     `json:"criteria,omitempty"` // the judge's verdicts
	// cost of the verdicts and their judge; absent without criteria
	Judge     *JudgeUse     `json:"judge,omitempty"`
	LatencyMS *int64        `json:"latency_ms,omitempty"`
	Tokens    *model.Tokens `json:"tokens,omitempty"`
	// of all calls for this answer; null without a price
	CostUSD *float64 `json:"cost_usd"`
	// some token counts were not reported: these calls count with the most they may have cost
	Estimated bool `json:"estimated,omitempty"`
	Cached    bool `json:"cached,omitempty"`
	// calls made for this answer; absent: unknown, counts as one
	Attempts *int `json:"attempts,omitempty"`
	// recorded or echoed: no provider was called
	Replayed bool `json:"replayed,omitempty"`
	// a recorded answer that `record` got from a model
	Sampled bool `json:"sampled,omitempty"`
	// the recording is for another request: the case was called live, or its recorded answer counts all the same
	Stale bool `json:"stale,omitempty"`
	// a hand-written recording that was not changed although the request was
	KeptByHand bool `json:"kept_by_hand,omitempty"`
	// one answer to the equal request of both sides
	Shared bool `json:"shared,omitempty"`
	// another tool that judged the answer; "" for failproof
	Runner string `json:"runner,omitempty"`
	// why this is a rerun, which counts in no score; "" for first answers
	RerunReason RerunReason `json:"rerun_reason,omitempty"`

	// Needed to compare two stored reports without their trees.
	RequestKey     string   `json:"request_key"`
	ExpectationKey string   `json:"expectation_key"`
	InputKey       string   `json:"input_key"`
	Path           string   `json:"path"`
	Line           int      `json:"line"`
	Severity       string   `json:"severity"`
	MustPass       bool     `json:"must_pass,omitempty"`
	Tags           []string `json:"tags,omitempty"`
	ExpectedFail   bool     `json:"expected_fail,omitempty"` // the FailProof file expected `fail`
	Skipped        []string `json:"skipped,omitempty"`       // evaluators that this answer was not judged by
	// the head's answer to a redefined case, judged by the base's expectation
	UnderBase *classify.Classification `json:"under_base,omitempty"`

	// proposed policies that the answer matches, on the head only
	ProposedPolicies []string `json:"proposed_policies,omitempty"`
}

// RerunReason is the reason of a rerun.
type RerunReason string

const (
	RerunConfirm RerunReason = "confirm" // the case flipped
	RerunRecheck RerunReason = "recheck" // the score fell by more than noise explains
	RerunJudge   RerunReason = "judge"   // criteria flipped the case: the judge grades the same answers again
	RerunVerify  RerunReason = "verify"  // recorded answers are compared with the model's answers of today
	// the case was right in earlier runs of the branch and is wrong now, or the other way round
	RerunDrift RerunReason = "drift"
	// the base's recorded answer is wrong, and its recordings have reruns of the base's request
	RerunEarlier RerunReason = "earlier"
)

// RerunRequest is a request for reruns of a case, on each side that has it. Packages noise and compare make requests,
// and evaluate answers them.
type RerunRequest struct {
	Reason          RerunReason
	SuiteID, CaseID string // names on the head
	Rounds          int    // reruns, each on base and head in turn
	FirstNumber     int    // the number of the first one
	NoRetry         bool   // a failed call is not repeated, because the rerun tests whether an answer comes
	Recorded        bool   // the answers are in the recordings, from the first rerun on; no model is called

	// the judge grades the answers again, with several votes; on a side that is not live, the first answers
	Regrade  bool
	Criteria []string // judge only these; nil: all of the case
	// the base's and the head's answer, which are graded in place of new ones; nil: a new one, or none on the head if
	// the base's is given
	Answers [2]*model.Response
}

// Name returns the case's name.
func (r RerunRequest) Name() suiteid.Name { return suiteid.Name{Suite: r.SuiteID, Case: r.CaseID} }

// Scores are the scores of one trial.
type Scores struct {
	Accuracy int      `json:"accuracy"` // 1 for pass, else 0
	Penalty  *float64 `json:"penalty_score,omitempty"`
	Latency  *float64 `json:"latency_score,omitempty"`
}

// Verdict is the decision of the gate.
type Verdict string

const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Undecided Verdict = "undecided"
	Invalid   Verdict = "invalid"
)

// Status compares a case's results on base and head.
type Status string

const (
	Regressed    Status = "regressed"
	Fixed        Status = "fixed"
	StillPassing Status = "still_passing"
	StillFailing Status = "still_failing"
	Flaky        Status = "flaky"
	New          Status = "new"
	Removed      Status = "removed"
	Redefined    Status = "redefined"
	Errored      Status = "errored"
)

// Statuses lists every status in the order of the reports.
var Statuses = [...]Status{Regressed, Fixed, Flaky, Redefined, New, Removed, Errored, StillFailing, StillPassing}

// Change compares one case on base and head.
type Change struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
	// SUITE/CASE on the base, if its id or suite is another there
	BaseName string   `json:"was,omitempty"`
	Change   Status   `json:"change"`
	Base     *Outcome `json:"base"` // null if the base has no such case
	Head     *Outcome `json:"head"` // null if the head has none
	// the case's own input to the model, on the side that Path is of
	Input model.Untrusted `json:"input,omitempty"`
	// all expectations of the answer; absent if it passes and is not redefined
	Expected    []expect.Requirement `json:"expected,omitempty"`
	BaseVersion *BaseVersion         `json:"before,omitempty"` // the redefined case on the base
	Path        string               `json:"path"`             // at the head; at the base for a removed case
	Line        int                  `json:"line"`
	Severity    string               `json:"severity"`
	MustPass    bool                 `json:"must_pass,omitempty"`
	Tags        []string             `json:"tags,omitempty"`
	// the answers of the two sides differ; known only in the run that compared them
	Reworded bool `json:"-"`
	// set by gate.SetChangeKinds for every report that is made or printed
	Kind Kind `json:"-"`

	Edit *Edit `json:"edit,omitempty"` // of a regressed case: the edit that accepts its new answer

	Quarantined bool `json:"quarantined,omitempty"` // shown, but not judged
	Noisy       bool `json:"noisy,omitempty"`       // a flip counts only if reruns confirm it
	Sampled     bool `json:"sampled,omitempty"`     // its recorded answers came from a model
	// a hand-written recording that was not changed although the request was
	KeptByHand bool `json:"kept_by_hand,omitempty"`
	// its answer was complete on the base and is truncated at its length limit now
	Truncated bool `json:"truncated,omitempty"`
}

// Name returns the case's name on the head.
func (c Change) Name() suiteid.Name { return suiteid.Name{Suite: c.SuiteID, Case: c.CaseID} }

// Outcome counts the trials of a case on one side and shows one of them: the first wrong answer, else the first trial
// without an answer, else the first.
type Outcome struct {
	Primary      classify.Category `json:"primary"` // of the shown trial
	Passed       int               `json:"passed"`
	Trials       int               `json:"trials"`
	Unscored     int               `json:"unscored,omitempty"`
	Trial        int               `json:"trial,omitempty"` // the shown trial
	Details      *classify.Details `json:"details,omitempty"`
	OverallScore *float64          `json:"overall_score,omitempty"`
	LatencyMS    *int64            `json:"latency_ms,omitempty"` // of the shown trial, in milliseconds
	// of the shown trial, also if it was cached; absent without a price
	CostUSD *float64 `json:"cost_usd,omitempty"`
	// the shown part of the shown trial's answer; absent if the case passes on both sides and its answer needs no
	// attention
	Excerpt model.Untrusted `json:"excerpt,omitempty"`
	// the redefined case's answer on the head, judged by the base's expectation
	UnderBase *classify.Category `json:"under_base,omitempty"`
	// place of the shown trial's result in the side's log; zero if the results are not at hand
	Ref Ref `json:"-"`
}

// Histogram counts trials by primary category. Every category has an entry.
type Histogram map[classify.Category]int

// Revision names one side of the comparison.
type Revision struct {
	Name string `json:"name"` // as the user wrote it
	SHA  string `json:"sha,omitempty"`
	Ref  string `json:"ref,omitempty"` // "merge base of main", …
}

// Run describes the run that made the report.
type Run struct {
	ID         string    `json:"id"`
	StartedAt  string    `json:"started_at"`
	FinishedAt string    `json:"finished_at"`
	Head       Revision  `json:"head"`
	Base       *Revision `json:"base"`       // null: no comparison
	Scope      string    `json:"scope"`      // changed or all
	LeftOut    int       `json:"left_out"`   // suites that the change does not touch
	BaseState  string    `json:"base_state"` // one of the BaseStates
}

// States of a run's base.
const (
	BaseCompared     = "compared"
	BaseNone         = "none"         // no comparison was requested
	BaseMissing      = "missing"      // there is no base to compare with
	BaseFirst        = "first_run"    // there is no base and no base rules: the head's own rules apply
	BaseIncomparable = "incomparable" // the base was judged in another way
)

// BaseStates lists all states.
var BaseStates = [...]string{BaseCompared, BaseNone, BaseMissing, BaseFirst, BaseIncomparable}

// Tool identifies the program.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ScoringInfo holds the settings that the run was judged by.
type ScoringInfo struct {
	Phase        string             `json:"phase"`
	RulesVersion string             `json:"rules_version"`
	Weights      map[string]float64 `json:"weights"`       // by metric
	MinRunScore  *float64           `json:"min_run_score"` // the effective run threshold; null: off
	Semantic     string             `json:"semantic"`      // the method of Similarity

	// fingerprint of the embedding model; "" if there is none
	SemanticModel string                   `json:"semantic_model"`
	SelfChecks    []SemanticDiscrimination `json:"semantic_discrimination,omitempty"`
	Risk          *risk.Parameters         `json:"risk"` // of the probes; null without any
}

// SemanticDiscrimination measures whether similarity in meaning separates the cases of a suite.
type SemanticDiscrimination struct {
	SuiteID string `json:"suite_id"`
	Answers int    `json:"answers"`
	// the chance that an answer is more similar to its own expected answer than to another case's
	AUC        float64 `json:"auc"`
	Background float64 `json:"background"` // mean cosine of answers and the expected answers of other cases
}

// Warning is a note that did not change the verdict.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	SuiteID string `json:"suite_id,omitempty"`
	CaseID  string `json:"case_id,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Count   int    `json:"count,omitempty"`
}

// WarnOnlySome warns that only some cases of the suites were run.
const WarnOnlySome = "only_some_cases"

// WarnResults warns that another tool's results were judged. It is on every such run and no reason for a comment.
const WarnResults = "results"

// WarnOtherSuites warns that the change touches suites that the run was not told to judge. It is no reason for a
// comment, because another run may judge them.
const WarnOtherSuites = "other_suites"

// WarnSkillSettings warns that the change edits settings of a skill that are not sent, such as what it may do.
const WarnSkillSettings = "skill_settings"

// ReportOnly reports whether the verdict never fails the run: its rules have `fail_on: never`.
func (r *Report) ReportOnly() bool { return r.Gate != nil && r.Gate.FailOn == config.FailOnNever }

// Report is report.json.
type Report struct {
	SchemaVersion string   `json:"schema_version"`
	Tool          Tool     `json:"tool"`
	Run           Run      `json:"run"`
	Verdict       Verdict  `json:"verdict"`
	Reasons       []Reason `json:"reasons"` // errors first
	// a review or a command could accept what decided the verdict, but did not
	Acceptable bool `json:"acceptable,omitempty"`
	// nobody may accept it, because the makers of the change are unknown
	NobodyAccepts bool     `json:"nobody_accepts,omitempty"`
	RunScore      *float64 `json:"run_score"`
	// the run score without new cases; null without a base
	RunScoreWithoutNew *float64         `json:"run_score_without_new"`
	CasesWithoutNew    int              `json:"cases_without_new"`
	BaseRunScore       *float64         `json:"base_run_score"`
	Delta              *float64         `json:"delta"`       // over shared cases
	DeltaCases         int              `json:"delta_cases"` // cases that the delta covers
	MicroScore         *float64         `json:"micro_score"`
	AnsweredScore      *float64         `json:"answered_score"`
	OverallScore       *float64         `json:"overall_score"` // weighted mean of the suites
	BaseOverall        *float64         `json:"base_overall_score"`
	Metrics            []MetricSummary  `json:"metrics"`
	OptIns             OptIns           `json:"opt_ins"`
	Risk               *risk.Aggregates `json:"risk"`      // of the head's probes; null if there are none
	BaseRisk           *risk.Aggregates `json:"base_risk"` // of the base's probes
	Histogram          Histogram        `json:"histogram"`
	BaseHistogram      Histogram        `json:"base_histogram"` // null without a base
	Cases              int              `json:"cases"`
	PassedCases        int              `json:"passed_cases"`
	Trials             int              `json:"trials"`
	Unscored           int              `json:"unscored"`   // trials
	Unverified         int              `json:"unverified"` // cases
	// of the unverified cases, those with an unchanged hand-written recording
	KeptByHand int `json:"kept_by_hand"`
	// cases of the head that are shown but not judged
	Quarantined int `json:"quarantined,omitempty"`
	// of the suites with a criterion that needs a run; absent if there is none
	Criteria      *CriteriaCount        `json:"criteria,omitempty"`
	Suites        []SuiteSummary        `json:"suites"`
	Prompts       []Prompt              `json:"prompts,omitempty"` // touched by the change
	Changes       []Change              `json:"changes"`
	Counts        map[Status]int        `json:"counts"`             // of changes
	Reworded      *Reworded             `json:"reworded,omitempty"` // absent if no passing answer changed
	Effort        *Efforts              `json:"effort,omitempty"`   // absent if too few cases have figures
	PolicyChanges []config.Change       `json:"policy_changes"`
	ExpectedFail  *Agreement            `json:"expected_fail"` // null if no file expects `fail`
	Statistics    *Statistics           `json:"statistics"`
	Plan          *CallPlan             `json:"plan"`            // null if no call to a live target was planned
	Calls         Calls                 `json:"calls"`           // to targets
	Judge         *JudgeInfo            `json:"judge,omitempty"` // absent if no answer was graded
	Scoring       ScoringInfo           `json:"scoring"`
	Gate          *config.Gate          `json:"gate"` // the effective gate; null if no configuration was read
	Warnings      []Warning             `json:"warnings"`
	Diagnostics   []document.Diagnostic `json:"diagnostics"` // errors of an invalid run, warnings of any run

	Observability *observe.Observability `json:"observability"` // null below five answered cases

	// absent if no regression was confirmed or it was not requested
	Explanation *Explanation `json:"explanation,omitempty"`

	Drift *Drift `json:"drift,omitempty"` // absent if it was not requested

	// the format of the results, if another tool called the model or judged; "" for failproof
	Runner string `json:"runner,omitempty"`

	// the results of both sides are stored beside the report, which therefore omits cases that still pass
	ResultsBeside bool `json:"-"`
}
