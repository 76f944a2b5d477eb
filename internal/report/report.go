// Package report holds the stored documents: results.jsonl, one Result a line, and report.json.
// It aggregates results as they arrive and reads and writes both documents; it decides nothing.
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
	Trial        int    `json:"trial"`         // 1, 2, …
	// what the suite says that the case is about, cut to 800 bytes
	Description model.Untrusted `json:"description,omitempty"`
	// what the case itself said to the model, cut to 800 bytes
	Asked model.Untrusted `json:"asked,omitempty"`
	// all that the answer was held to; absent where it passes and its case is not redefined
	Expected []expect.Demand `json:"expected,omitempty"`
	// of a redefined case: what the base expects
	ExpectedBefore     []expect.Demand         `json:"expected_before,omitempty"`
	RawResponse        model.Untrusted         `json:"raw_response"`
	ToolCalls          []model.ToolCall        `json:"tool_calls,omitempty"`
	Error              *model.Untrusted        `json:"error"` // null if an answer came
	Classification     classify.Classification `json:"classification"`
	Scores             Scores                  `json:"scores"`
	Metrics            []score.Metric          `json:"metrics,omitempty"`
	OverallScore       *float64                `json:"overall_score,omitempty"`
	PhaseThresholdUsed *float64                `json:"phase_threshold_used,omitempty"`
	ContentScore       *float64                `json:"content_score,omitempty"` // the overall score without grounding
	PassedBar          *bool                   `json:"passed_threshold,omitempty"`    // absent where the bar was not applied
	Risk               *risk.CaseScore         `json:"risk,omitempty"`          // of a probe
	Warnings           []string                `json:"warnings,omitempty"`      // codes: no_label, …
	Criteria           []Criterion             `json:"criteria,omitempty"`      // what a judge said of it
	Judge              *JudgeUse               `json:"judge,omitempty"`         // whose that is, and what it took; absent without criteria
	LatencyMS          *int64                  `json:"latency_ms,omitempty"`
	Tokens             *Tokens                 `json:"tokens,omitempty"`
	CostUSD            *float64                `json:"cost_usd"`            // of all calls that were made for it; null where there is no price
	Estimated          bool                    `json:"estimated,omitempty"` // some of that was not told, and counts as much as it may have cost
	Cached             bool                    `json:"cached,omitempty"`
	Attempts           *int                    `json:"attempts,omitempty"`     // calls that were made for it; absent: not known, which counts as one
	Replayed           bool                    `json:"replayed,omitempty"`     // recorded or echoed: no provider was asked
	Drawn              bool                    `json:"drawn,omitempty"`        // a recorded answer that `record` drew from a model
	Stale              bool                    `json:"stale,omitempty"`        // what is recorded is no answer to what is asked: the case was asked live, or, if it is replayed, counts as it is
	KeptByHand         bool                    `json:"kept_by_hand,omitempty"` // a recorded answer that somebody wrote, and left as it was although what is asked changed
	Shared             bool                    `json:"shared,omitempty"`       // the one answer to a request that both sides make alike
	Runner             string                  `json:"runner,omitempty"`       // who judged the answer, where failproof did not
	Look               Look                    `json:"look,omitempty"`         // asked afresh for this look: in no score; "" for the first trials

	// What a later comparison needs, so that two stored reports can be compared without their trees.
	RequestKey     string   `json:"request_key"`
	ExpectationKey string   `json:"expectation_key"`
	InputKey       string   `json:"input_key"`
	Path           string   `json:"path"`
	Line           int      `json:"line"`
	Severity       string   `json:"severity"`
	MustPass       bool     `json:"must_pass,omitempty"`
	Tags           []string `json:"tags,omitempty"`
	ExpectedFail   bool     `json:"expected_fail,omitempty"` // the FailProof file expected `fail`
	Skipped        []string `json:"skipped,omitempty"`       // evaluators that were not judged
	// a redefined case's answer under the base's expectation
	UnderBase *classify.Classification `json:"under_base,omitempty"`

	// of the head alone, for all cases once merged, that match the answer
	AnnouncedPolicies []string `json:"proposed_policies,omitempty"`
}

// Look says why a case was asked again.
type Look string

const (
	LookConfirm Look = "confirm" // it flipped
	LookRecheck Look = "recheck" // the score fell, and chance hardly explains it
	LookJudge   Look = "judge"   // it flipped by criteria: does the judge still say so of the same answers?
	LookVerify  Look = "verify"  // it is recorded: does the model still say so?
	LookDrift   Look = "drift"   // it was right in earlier runs of the branch, or wrong: is it now another way?
)

// Looks lists them.
var Looks = [...]Look{LookConfirm, LookRecheck, LookJudge, LookVerify, LookDrift}

// Want is a request for further answers to a case, on each side that has it, with its reason.
type Want struct {
	Look            Look
	SuiteID, CaseID string // as the head names them
	First, Last     int    // trials, counted on from those that there are; first to last
	Once            bool   // whether an answer comes is what is asked: a failure is not asked again
	Recorded        bool   // the answers are in the head's recordings: nobody is asked

	// a judge grades the answers afresh, several times each; those of a side that is not live are its first ones, again
	Regrade  bool
	Criteria []string // by these criteria alone; nil: by all of the case
}

// Scores of one trial.
type Scores struct {
	Accuracy int      `json:"accuracy"` // 1 for pass, else 0
	Penalty  *float64 `json:"penalty_score,omitempty"`
	Latency  *float64 `json:"latency_score,omitempty"`
}

// Tokens of one answer.
type Tokens struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Verdict is what the gate decided.
type Verdict string

const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Undecided Verdict = "undecided"
	Invalid   Verdict = "invalid"
)

// Statuses of a case between base and head.
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

// Statuses lists every status in the order reports show them.
var Statuses = [...]Status{Regressed, Fixed, Flaky, Redefined, New, Removed, Errored, StillFailing, StillPassing}

// Change is what happened to one case between base and head.
type Change struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
	// what the base calls it, as SUITE/CASE, where it has another id there or stands in another suite
	Was    string   `json:"was,omitempty"`
	Change Status   `json:"change"`
	Base   *Outcome `json:"base"` // null if the base has no such case
	Head   *Outcome `json:"head"` // null if the head has none
	// what the case itself said to the model; of the side that the path is of
	Asked model.Untrusted `json:"asked,omitempty"`
	// all that the answer was held to; absent where it passes and is not redefined
	Expected []expect.Demand `json:"expected,omitempty"`
	Before   *Before         `json:"before,omitempty"` // of a redefined case: what it was
	Path     string          `json:"path"`             // at the head; at the base for a removed case
	Line     int             `json:"line"`
	Severity string          `json:"severity"`
	MustPass bool            `json:"must_pass,omitempty"`
	Tags     []string        `json:"tags,omitempty"`
	// the answers of both sides differ; only known of a case that was compared in this run
	Reworded bool `json:"-"`
	// what a reader looks for in it; compare.Sort tells it of every report that is made or read
	Kind Kind `json:"-"`

	Edit *Edit `json:"edit,omitempty"` // of a regressed case: what says that its answer is right

	Quarantined bool `json:"quarantined,omitempty"` // shown, and not judged
	Noisy       bool `json:"noisy,omitempty"`       // a flip of it proves nothing until fresh answers confirm it
	Drawn       bool `json:"drawn,omitempty"`       // its recorded answers are draws from a model
	// its recorded answer was left as it was although what is asked changed
	KeptByHand bool `json:"kept_by_hand,omitempty"`
	Cut        bool `json:"cut,omitempty"` // its answer was whole on the base, and is cut at its length limit
}

// Outcome is one side of a case: the counts of its trials, and the trial that shows best what happened: the first wrong
// answer, or else the first trial without an answer, or else the first.
type Outcome struct {
	Primary      classify.Category `json:"primary"` // of the shown trial
	Passed       int               `json:"passed"`  // trials
	Trials       int               `json:"trials"`
	Unscored     int               `json:"unscored,omitempty"` // trials
	Trial        int               `json:"trial,omitempty"`    // the shown trial
	Details      *classify.Details `json:"details,omitempty"`
	OverallScore *float64          `json:"overall_score,omitempty"`
	LatencyMS    *int64            `json:"latency_ms,omitempty"` // of the shown trial, in milliseconds
	// of the shown trial, whenever it was asked; absent without a price
	CostUSD *float64 `json:"cost_usd,omitempty"`
	// of the shown trial's answer; only where it did not pass, or passed on the other side
	Excerpt model.Untrusted `json:"excerpt,omitempty"`
	// a redefined case's head answer judged by the base's expectation
	UnderBase *classify.Category `json:"under_base,omitempty"`
}

// Histogram counts trials by primary category; it adds up to the trials asked for. Every category has an entry.
type Histogram map[classify.Category]int

// SuiteSummary is one row of the score table. Scores are in [0, 1]; null means there was nothing to average.
type SuiteSummary struct {
	SuiteID     string   `json:"suite_id"`                // SUITE@TARGET where the suite names several
	BaseSuiteID string   `json:"base_suite_id,omitempty"` // what the base calls it, where that is another id
	Target      string   `json:"target,omitempty"`        // who answers it, at the head if that has it
	Path        string   `json:"path"`
	Line        int      `json:"line"`
	Score       *float64 `json:"score"`
	HeldScore   *float64 `json:"score_without_new"` // of the head's answers to the base's cases
	HeldCases   int      `json:"cases_without_new"`
	BaseScore   *float64 `json:"base_score"`
	// like for like: over the cases both sides have unchanged and answered
	Delta        *float64        `json:"delta"`
	OverallScore *float64        `json:"overall_score"` // mean of the cases' overall scores
	BaseOverall  *float64        `json:"base_overall_score"`
	Metrics      []MetricSummary `json:"metrics"`
	OptIns       OptIns          `json:"opt_ins"`
	MinScore     *float64        `json:"min_score"`
	Weight       float64         `json:"weight"`
	Cases        int             `json:"cases"`
	Passed       int             `json:"passed"` // cases whose every trial passed
	Histogram    Histogram       `json:"histogram"`
	Unverified   int             `json:"unverified"`            // cases
	KeptByHand   int             `json:"kept_by_hand"`          // of the unverified cases
	Quarantined  int             `json:"quarantined,omitempty"` // cases that are shown and enter no figure of this row but the histogram
	Why          []ScopeReason   `json:"why,omitempty"`         // it is in scope; absent where nothing is compared or all is run
	Unscored     int             `json:"unscored"`              // trials
	NotAsked     int             `json:"not_asked"`             // trials of both sides that the end of the run left unasked
	InScope      bool            `json:"in_scope"`
	Sent         string          `json:"sent,omitempty"` // what its prompt is made of, where that is a skill or instructions: "SKILL.md and 7 references, 61 KB"
}

// ScopeReason counts the cases of a suite that the change touches in one way.
type ScopeReason struct {
	Why   string `json:"why"` // request changed, expectation changed, …
	Cases int    `json:"cases"`
	First string `json:"first"` // id of the first such case
}

// Prompt is a prompt file that the change touches, or one that is sent with it, on both sides.
type Prompt struct {
	Path     string   `json:"path"`               // at the head
	From     string   `json:"from,omitempty"`     // at the base, where these suites ask another file
	Suites   []string `json:"suites"`             // that ask it
	Variable bool     `json:"variable,omitempty"` // the text is the value of a variable
	// the texts are the messages that the suite has sent: of each "role:", and what it says, indented, or its file
	Inline bool     `json:"inline,omitempty"`
	Cases  []string `json:"cases,omitempty"` // that are sent it, where not all of the suites are
	// at most 16 KiB of it, from shortly before what differs; absent where the base has no such file
	Base model.Untrusted `json:"base,omitempty"`
	Head model.Untrusted `json:"head"`
}

// Revision names one side of the comparison.
type Revision struct {
	Name string `json:"name"` // as the user wrote it
	SHA  string `json:"sha,omitempty"`
	Ref  string `json:"ref,omitempty"` // "merge base of main", …
}

// Run says when and on what the report was made.
type Run struct {
	ID         string    `json:"id"`
	StartedAt  string    `json:"started_at"`
	FinishedAt string    `json:"finished_at"`
	Head       Revision  `json:"head"`
	Base       *Revision `json:"base"`       // null: nothing was compared
	Scope      string    `json:"scope"`      // changed or all
	LeftOut    int       `json:"left_out"`   // suites that the pull request does not touch
	BaseState  string    `json:"base_state"` // one of the BaseStates
}

// States of a run's base.
const (
	BaseCompared     = "compared"
	BaseNone         = "none"         // not asked for
	BaseMissing      = "missing"      // no base to compare with
	BaseFirst        = "first_run"    // no base to compare with, and no rules before the head's own
	BaseIncomparable = "incomparable" // judged in another way
)

// BaseStates lists them.
var BaseStates = [...]string{BaseCompared, BaseNone, BaseMissing, BaseFirst, BaseIncomparable}

// Tool names the program.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ScoringInfo says by which figures the run was judged.
type ScoringInfo struct {
	Phase        string             `json:"phase"`
	RulesVersion string             `json:"rules_version"`
	Weights      map[string]float64 `json:"weights"`       // of the metrics
	MinRunScore  *float64           `json:"min_run_score"` // the run bar in force; null: off
	Semantic     string             `json:"semantic"`      // one of the Semantics

	// the fingerprint of the embedding model; "" without one
	SemanticModel string                   `json:"semantic_model"`
	SelfChecks    []SemanticDiscrimination `json:"semantic_discrimination,omitempty"`
	Risk          *risk.Figures            `json:"risk"` // of the probes; null without any
}

// SemanticDiscrimination says whether the likeness in meaning tells the cases of a suite apart.
type SemanticDiscrimination struct {
	SuiteID string `json:"suite_id"`
	Answers int    `json:"answers"`
	// the chance that an answer is more like its own expected answer than like another case's
	AUC        float64 `json:"auc"`
	Background float64 `json:"background"` // the mean cosine of answers and other cases' expected answers
}

// Warning is something the reader should know that decided nothing.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	SuiteID string `json:"suite_id,omitempty"`
	CaseID  string `json:"case_id,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Count   int    `json:"count,omitempty"`
}

// WarnOnlySome is the code of the warning that only some cases of the suites were run.
const WarnOnlySome = "only_some_cases"

// WarnResults is the code of a warning on every run on another runner's results. It is no reason to comment.
const WarnResults = "results"

// ReportOnly reports whether the run fails nothing, whatever its verdict: its rules have `fail_on: never`.
func (r *Report) ReportOnly() bool { return r.Gate != nil && r.Gate.FailOn == config.FailOnNever }

// Report is report.json.
type Report struct {
	SchemaVersion string                `json:"schema_version"`
	Tool          Tool                  `json:"tool"`
	Run           Run                   `json:"run"`
	Verdict       Verdict               `json:"verdict"`
	Reasons       []Reason              `json:"reasons"`              // errors first
	Acceptable    bool                  `json:"acceptable,omitempty"` // a review or a command could accept what decided, and none has
	RunScore      *float64              `json:"run_score"`
	HeldRunScore  *float64              `json:"run_score_without_new"` // of the head's answers to the base's cases; null without a base
	HeldCases     int                   `json:"cases_without_new"`
	BaseRunScore  *float64              `json:"base_run_score"`
	Delta         *float64              `json:"delta"`       // like for like
	DeltaCases    int                   `json:"delta_cases"` // cases the delta covers
	MicroScore    *float64              `json:"micro_score"`
	AnsweredScore *float64              `json:"answered_score"`
	OverallScore  *float64              `json:"overall_score"` // weighted mean of the suites' overall scores
	BaseOverall   *float64              `json:"base_overall_score"`
	Metrics       []MetricSummary       `json:"metrics"`
	OptIns        OptIns                `json:"opt_ins"`
	Risk          *risk.Aggregates      `json:"risk"`      // of the head's probes; null without any
	BaseRisk      *risk.Aggregates      `json:"base_risk"` // of the base's; null without any
	Histogram     Histogram             `json:"histogram"`
	BaseHistogram Histogram             `json:"base_histogram"` // null without a base
	Cases         int                   `json:"cases"`
	PassedCases   int                   `json:"passed_cases"`
	Trials        int                   `json:"trials"`
	Unscored      int                   `json:"unscored"`              // trials
	Unverified    int                   `json:"unverified"`            // cases
	KeptByHand    int                   `json:"kept_by_hand"`          // of the unverified cases, those whose answers somebody left as they were
	Quarantined   int                   `json:"quarantined,omitempty"` // cases of the head that are shown and judged by nothing
	Criteria      *CriteriaCount        `json:"criteria,omitempty"`    // of the suites of which some need a run; absent without any
	Suites        []SuiteSummary        `json:"suites"`
	Prompts       []Prompt              `json:"prompts,omitempty"` // that the change touches
	Changes       []Change              `json:"changes"`
	Counts        map[Status]int        `json:"counts"`             // of changes
	Reworded      *Reworded             `json:"reworded,omitempty"` // absent where no passing answer changed
	Effort        *Efforts              `json:"effort,omitempty"`   // absent where too few cases tell it
	PolicyChanges []config.Change       `json:"policy_changes"`
	ExpectedFail  *Agreement            `json:"expected_fail"` // null if no file expects `fail`
	Statistics    *Statistics           `json:"statistics"`
	Plan          *CallPlan             `json:"plan"`            // null where no live target was to be asked
	Calls         Calls                 `json:"calls"`           // of targets for answers
	Judge         *JudgeInfo            `json:"judge,omitempty"` // who graded answers; absent where nobody did
	Scoring       ScoringInfo           `json:"scoring"`
	Gate          *config.Gate          `json:"gate"` // in force; null if no configuration was read
	Warnings      []Warning             `json:"warnings"`
	Diagnostics   []document.Diagnostic `json:"diagnostics"` // of an invalid run errors, of any run warnings

	Observability *observe.Observability `json:"observability"` // null below five answered cases

	// absent where no regression was confirmed, or nobody asked for it
	Explanation *Explanation `json:"explanation,omitempty"`

	Drift *Drift `json:"drift,omitempty"` // absent where nobody asked for it

	Runner string `json:"runner,omitempty"` // whose results are judged, by their format; "" where failproof asked and judged

	Beside bool `json:"-"` // the results of both sides stand beside the report, which leaves out what they tell: the cases that pass as before
}
