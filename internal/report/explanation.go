package report

import "github.com/failproof/failproof/internal/model"

// Explanation names the changed lines that broke the cases whose regression is confirmed. It is made after the verdict,
// and decides nothing.
type Explanation struct {
	Hunks   []Hunk          `json:"hunks"`   // of what changed in the prompts, as they were told apart
	Cases   []ExplainedCase `json:"cases"`   // the worst first
	Beyond  int             `json:"beyond"`  // further ones that were not looked at
	Answers int             `json:"answers"` // that were asked for, kept ones among them
	Most    int             `json:"most"`    // that might be
	Remedy  *Remedy         `json:"remedy,omitempty"`
	Ended   string          `json:"ended,omitempty"` // why it was not brought to its end
}

// Remedy is the effect of taking back the hunks that broke cases, with the rest of the change in force.
type Remedy struct {
	Hunks  []int      `json:"hunks"`           // their places in Explanation.Hunks
	Mended int        `json:"mended"`          // of Broken cases, those that are mostly right again
	Broken int        `json:"broken"`          // that were looked at
	Asked  int        `json:"asked"`           // of the cases that pass and ask something else without these hunks
	Worse  []CaseName `json:"worse,omitempty"` // of those
}

// CaseName names a case.
type CaseName struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
}

// Hunk is a change at one place of a prompt, or at neighbouring places that were not told apart.
type Hunk struct {
	Regions []Region `json:"regions"`
}

// Region is where a hunk stands in a file.
type Region struct {
	Path  string `json:"path"`  // at the head
	First int    `json:"first"` // line of the head
	// likewise; one less than First where lines were only taken out, before that line
	Last      int `json:"last"`
	BaseFirst int `json:"base_first"` // lines of the base in their place, likewise
	BaseLast  int `json:"base_last"`

	Words  model.Untrusted `json:"words,omitempty"`  // of a part of one line: what came, or what was taken out
	Column int             `json:"column,omitempty"` // where they begin in that line, in characters from 1 on
	Gone   bool            `json:"gone,omitempty"`   // they were taken out
}

// ExplainedCase is what is known of a case that broke.
type ExplainedCase struct {
	SuiteID string         `json:"suite_id"`
	CaseID  string         `json:"case_id"`
	Outcome string         `json:"outcome"`          // one of ExplainOutcomes
	Causes  []ExplainCause `json:"causes,omitempty"` // each breaks the case; of several any one does
	Right   int            `json:"right,omitempty"`  // of Asked answers, with all changes of the prompts taken back where it is broken elsewhere, and with all in force where it is well
	Asked   int            `json:"asked,omitempty"`
	Why     string         `json:"why,omitempty"` // it could not be told: one of ExplainReasons
	// then: hunks of which one has to do with it, as far as the search came
	Within  []int `json:"within,omitempty"`
	Answers int   `json:"answers"` // that were asked for
}

// ExplainCause is a set of parts that breaks a case only if none of them is missing.
type ExplainCause struct {
	Parts []ExplainPart `json:"parts"`
	Right int           `json:"right"` // of Asked answers with these in force and no others
	Asked int           `json:"asked"`
}

// ExplainPart is a hunk of a cause, or some that cannot be read apart.
type ExplainPart struct {
	Hunks []int `json:"hunks"` // their places in Hunks, from 0 on
	Right int   `json:"right"` // of Asked answers with all in force but these, and but all other causes
	Asked int   `json:"asked"`
}

// Outcomes of an explained case.
const (
	ExplainTold      = "told"
	ExplainWhole     = "whole"     // all that changed for it is one hunk
	ExplainElsewhere = "elsewhere" // what broke it is no change of a prompt
	ExplainWell      = "well"      // it is not broken
	ExplainUntold    = "untold"
)

// ExplainOutcomes lists them.
var ExplainOutcomes = [...]string{ExplainTold, ExplainWhole, ExplainElsewhere, ExplainWell, ExplainUntold}

// Reasons for what could not be told.
const (
	ExplainBudget     = "budget"     // the answers that might be asked for were used up
	ExplainUnproven   = "unproven"   // the answers carry nothing that could be said
	ExplainUnreadable = "unreadable" // with some of the lines taken back there is no prompt that can be read
	ExplainEnded      = "ended"      // nobody answered any more
)

// ExplainReasons lists them.
var ExplainReasons = [...]string{ExplainBudget, ExplainUnproven, ExplainUnreadable, ExplainEnded}
