package report

import "github.com/failproof/failproof/internal/model"

// SuiteSummary is one row of the score table. Scores are in [0, 1]; null if there is nothing to average.
type SuiteSummary struct {
	SuiteID         string   `json:"suite_id"`                // SUITE@TARGET if the suite names several targets
	BaseSuiteID     string   `json:"base_suite_id,omitempty"` // the id on the base, if it is another
	Target          string   `json:"target,omitempty"`        // at head, or at base for a removed suite
	Path            string   `json:"path"`
	Line            int      `json:"line"`
	Score           *float64 `json:"score"`
	ScoreWithoutNew *float64 `json:"score_without_new"` // the score without new cases
	CasesWithoutNew int      `json:"cases_without_new"`
	BaseScore       *float64 `json:"base_score"`
	// over shared cases that are unchanged and answered on both sides
	Delta        *float64        `json:"delta"`
	OverallScore *float64        `json:"overall_score"` // mean of the cases' overall scores
	BaseOverall  *float64        `json:"base_overall_score"`
	Metrics      []MetricSummary `json:"metrics"`
	OptIns       OptIns          `json:"opt_ins"`
	MinScore     *float64        `json:"min_score"`
	Weight       float64         `json:"weight"`
	Cases        int             `json:"cases"`
	Passed       int             `json:"passed"` // cases that passed in every trial
	Histogram    Histogram       `json:"histogram"`
	Unverified   int             `json:"unverified"`   // cases
	KeptByHand   int             `json:"kept_by_hand"` // of the unverified cases
	// cases; they count in no figure of this row but the histogram
	Quarantined int `json:"quarantined,omitempty"`
	// why the suite is in scope; absent without a comparison or if all suites run
	Why      []ScopeReason `json:"why,omitempty"`
	Unscored int           `json:"unscored"` // trials
	// trials of both sides that the end of the run left over
	NotAsked int  `json:"not_asked"`
	InScope  bool `json:"in_scope"`
	// if its prompt is a skill or instructions: "SKILL.md and 7 references, 61 KB"
	Sent string `json:"sent,omitempty"`
}

// ScopeReason counts the cases of a suite that are in scope for one reason.
type ScopeReason struct {
	Why   string `json:"why"` // request changed, expectation changed, …
	Cases int    `json:"cases"`
	First string `json:"first"` // id of the first such case
}

// Prompt is a changed prompt file, or a changed file that is sent with one, on both sides.
type Prompt struct {
	Path       string   `json:"path"`               // at head
	BasePath   string   `json:"from,omitempty"`     // at base, if its suites used another file there
	Suites     []string `json:"suites"`             // suites that use it
	IsVariable bool     `json:"variable,omitempty"` // the text is the value of a variable
	// the text is a suite's list of messages, rendered as "role:" and the indented content or its file
	Inline bool     `json:"inline,omitempty"`
	Cases  []string `json:"cases,omitempty"` // cases that use it, if not all of the suites' cases do
	// at most 16 KiB around the first difference; absent if the base has no such file
	Base model.Untrusted `json:"base,omitempty"`
	Head model.Untrusted `json:"head"`
}
