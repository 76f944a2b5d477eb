package report

import (
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// Explanation names the changed lines that broke the cases whose regression is confirmed. It is made after the
// verdict and does not change it.
type Explanation struct {
	Hunks       []Hunk          `json:"hunks"`   // the changes of prompts and suites that can be reverted separately
	Cases       []ExplainedCase `json:"cases"`   // worst first
	NotSearched int             `json:"beyond"`  // further regressed cases that were not searched
	Answers     int             `json:"answers"` // answers used, including cached ones
	MaxAnswers  int             `json:"most"`    // limit of Answers
	Remedy      *Remedy         `json:"remedy,omitempty"`
	Ended       string          `json:"ended,omitempty"` // why the search stopped early
}

// Remedy is the effect of reverting the hunks that broke cases while keeping all other changes.
type Remedy struct {
	Hunks  []int `json:"hunks"`  // indexes in Explanation.Hunks
	Fixed  int   `json:"mended"` // broken cases that are mostly right again
	Broken int   `json:"broken"` // broken cases that were tried
	// passing cases that were tried because their request changes without these hunks
	Asked int            `json:"asked"`
	Worse []suiteid.Name `json:"worse,omitempty"` // passing cases that got worse
}

// Hunk is a change at one place of a prompt, or at adjacent places that were not separated.
type Hunk struct {
	Regions []Region `json:"regions"`
}

// Region is the place of a hunk in a file.
type Region struct {
	Path  string `json:"path"`  // at head
	First int    `json:"first"` // line at head
	// inclusive; First - 1 if lines were only removed, before line First
	Last      int `json:"last"`
	BaseFirst int `json:"base_first"` // lines at base, in the same way
	BaseLast  int `json:"base_last"`

	// if only a part of one line changed: the added or the removed words; if only one line was removed: that line
	Words model.Untrusted `json:"words,omitempty"`
	// where the words begin in the line, from 1; 0: they are all of it
	Column  int  `json:"column,omitempty"`
	Removed bool `json:"gone,omitempty"` // the words were removed
}

// ExplainedCase is the result of the search for one regressed case.
type ExplainedCase struct {
	SuiteID string         `json:"suite_id"`
	CaseID  string         `json:"case_id"`
	Outcome string         `json:"outcome"`          // one of the outcomes below
	Causes  []ExplainCause `json:"causes,omitempty"` // each one breaks the case by itself
	// of Asked answers: with all prompt changes reverted (ExplainElsewhere) or kept (ExplainNotBroken)
	Right int    `json:"right,omitempty"`
	Asked int    `json:"asked,omitempty"`
	Why   string `json:"why,omitempty"` // why the cause was not found; one of the reasons below
	// then: the hunks that the search had narrowed the cause down to
	NarrowedTo []int `json:"within,omitempty"`
	Answers    int   `json:"answers"` // answers used
}

// ExplainCause is a set of hunks that breaks a case only if all of them are there.
type ExplainCause struct {
	Parts []ExplainPart `json:"parts"`
	Right int           `json:"right"` // of Asked answers with only these hunks
	Asked int           `json:"asked"`
}

// ExplainPart is one hunk of a cause, or several hunks that cannot be tried one by one: a prompt with only some of them
// cannot be read.
type ExplainPart struct {
	Hunks []int `json:"hunks"` // indexes in Explanation.Hunks, from 0
	Right int   `json:"right"` // of Asked answers with all changes but this part and the other causes
	Asked int   `json:"asked"`
}

// Outcomes of an explained case.
const (
	ExplainFound     = "told"      // the cause was found
	ExplainOnlyHunk  = "whole"     // the only hunk that changes the case's request
	ExplainElsewhere = "elsewhere" // no prompt change broke it
	ExplainNotBroken = "well"      // not broken
	ExplainNotFound  = "untold"    // no cause was found
)

// Reasons for finding no cause.
const (
	ExplainBudget     = "budget"     // the limit of answers was reached
	ExplainUnproven   = "unproven"   // the answers prove nothing
	ExplainUnreadable = "unreadable" // no valid prompt is left after reverting some of the lines
	ExplainEnded      = "ended"      // calls failed or were no longer allowed
)
