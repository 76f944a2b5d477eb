package report

import "github.com/failproof/failproof/internal/model"

// Level says whether a reason decided the verdict or is only worth saying.
type Level string

const (
	LevelError Level = "error"
	LevelWarn  Level = "warn"
)

// Reason is one condition of the gate that was not met, in plain words with both numbers.
type Reason struct {
	Code    string `json:"code"` // see CodeMinRunScore and those below it
	Level   Level  `json:"level"`
	Message string `json:"message"`
	SuiteID string `json:"suite_id,omitempty"`
	CaseID  string `json:"case_id,omitempty"`
	Path    string `json:"path,omitempty"` // of the base's file that it is about
	Line    int    `json:"line,omitempty"`

	Cases      []string `json:"cases,omitempty"`       // those that it is about, as SUITE/CASE, where they are several and at most 50
	AcceptedBy string   `json:"accepted_by,omitempty"` // whose review or command made a warning of it: "the review of ada"
}

// About are the cases that a reason is about, as SUITE/CASE; none where it is about no case, or about more than it lists.
func (r Reason) About() []string {
	if r.CaseID != "" {
		return []string{r.SuiteID + "/" + r.CaseID}
	}
	return r.Cases
}

// Codes of reasons: the gate's keys.
const (
	CodeMinRunScore        = "min_run_score"
	CodeRegressions        = "max_regressions"
	CodeDrop               = "max_drop" // the score fell as a whole, which is proven
	CodeUnscored           = "max_unscored"
	CodeUnverified         = "max_unverified"
	CodeMinCases           = "min_cases"
	CodeExposure           = "max_exposure"
	CodeHighStakes         = "max_high_stakes_failures"
	CodeWeighted           = "min_severity_weighted_pass_rate"
	CodeRemoved            = "on_removed"
	CodeRedefined          = "on_redefined"
	CodeExpectationRemoved = "on_expectation_removed" // cases lost all that an answer was held to
	CodeMustPassChange     = "on_must_pass_change"
	CodePolicyChange       = "on_policy_change"
	CodeUnasked            = "on_unasked_prompt" // the change edits or adds prompts that no suite asks
	CodeDoubt              = "on_inconclusive"   // the score fell as a whole, which is suspected
)

// Codes of reasons that no key of the gate gives.
const (
	CodeMustPass   = "must_pass"
	CodeMinScore   = "min_score" // of a suite
	CodeBaseFault  = "base_fault"
	CodeFirstRun   = "first_run"
	CodeNoBase     = "no_base"
	CodeStale      = model.ReasonStale // a recording is no answer to what is asked, and the run went on without it
	CodeVerify     = "verify"          // the model no longer says what is recorded
	CodeKeptByHand = "kept_by_hand"
	CodeConfirm    = "confirm_incomplete" // cases flipped or lost their answer, and could not be asked again
	CodeLost       = "answers_lost"       // cases get no answer on the head, however often they are asked, and do on the base
	CodeRecheck    = "recheck_incomplete" // the second look at all cases lacks answers
	CodeJudge      = "judge_controls"     // the judge gets wrong what is known
	CodeHeadErrors = "head_errors"        // the head loses answers that the base does not
	CodeDrift      = "drift"              // a case is answered worse than it was
	CodeDeserted   = "deserted_prompt"    // the change edits a prompt that cases of the base are asked by, and asks these by something else
	CodeTold       = "answer_told"        // the change begins to send variables that tell the answer
	CodeCut        = "answers_cut"        // answers that were whole on the base are cut at their length limit
	CodeClaims     = "forbidden_claims"   // answers pass that state what their cases forbid
	CodeRepairs    = "parse_repairs"      // answers that were JSON as they came on the base need repairs now
	CodeInternal   = model.ReasonInternal // failproof itself broke
	CodeNoMerge    = "no_merge_result"    // on GitHub: there is no merge of the pull request with its branch to judge
	CodeBaseMoved  = "base_moved"         // on GitHub: the branch has other rules by now than those that were held, or may have
)

// Edit is what a reason tells that its author may mean: what a change takes away, says anew or wants otherwise. An approving review accepts
// that. No review accepts what is no edit: a regression, a missed bar or a missing answer.
type Edit uint8

const (
	NoEdit      Edit = iota
	EditTaken        // what was there is gone or changed, and can be put back
	EditRules        // settings, which hold when they are merged
	EditUnasked      // a prompt that nobody judges
)

// edits are the codes of reasons that tell of an edit.
var edits = map[string]Edit{
	CodeMustPassChange:     EditTaken,
	CodeRemoved:            EditTaken,
	CodeRedefined:          EditTaken,
	CodeExpectationRemoved: EditTaken,
	CodeDeserted:           EditTaken,
	CodeCut:                EditTaken,
	CodePolicyChange:       EditRules,
	CodeUnasked:            EditUnasked,
}

// Edit returns what the reason tells that may be meant.
func (r Reason) Edit() Edit { return edits[r.Code] }
