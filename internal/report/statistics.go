package report

import (
	"fmt"

	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// Modes of Statistics.
const (
	ModeStrict = "strict" // no case is noisy: each flip counts
	// some cases are noisy: their flips count only if reruns confirm them
	ModeNoisy = "noisy"
)

// Statistics describes how noise was separated from regressions.
type Statistics struct {
	Mode string `json:"mode"` // strict or noisy
	// shared cases whose first answers decide
	Strict int `json:"strict"`
	// shared cases whose flips need confirmation by reruns
	Noisy int `json:"noisy"`
	// strict cases with a live target, which are strict only because of the mode
	StrictLive int    `json:"strict_live,omitempty"`
	Noise      *Noise `json:"noise,omitempty"` // of the noisy cases
	// of the recorded cases that flipped and have recorded reruns
	RecordedReruns *RecordedReruns `json:"recorded_reruns,omitempty"`
	// of the strict cases with several recorded answers of a model
	Samples *Noise `json:"draws,omitempty"`

	Measured *MeasuredNoise `json:"measured,omitempty"` // only if a revision was compared with itself
}

// Noise is the result of the statistical tests. Probabilities are one-sided, under the hypothesis that the change has
// no effect. Deltas and drops are in [-1, 1].
type Noise struct {
	// planned first trials of a case on each side; the maximum if suites differ
	Trials       int     `json:"trials"`
	Alpha        float64 `json:"alpha"` // chance of a false alarm of all tests together
	AlphaPerTest float64 `json:"alpha_per_look"`
	WarnAlpha    float64 `json:"warn_alpha"`
	MaxDrop      float64 `json:"max_drop"` // a smaller drop never fails the run
	Overall      *Scope  `json:"overall"`  // null if nothing could be compared
	Suites       []Scope `json:"suites"`   // suites with something to compare
	// chance that missing answers fall on the head by accident
	HeadErrors  float64           `json:"head_errors"`
	Unchanged   int               `json:"unchanged"`         // cases with one answer for both sides: in no test
	Quarantined int               `json:"quarantined"`       // cases that the gate quarantines: in no test
	Confirm     *ConfirmTest      `json:"confirm"`           // null: switched off
	Recheck     *RecheckTest      `json:"recheck"`           // null: switched off
	Repeats     *RepeatsTest      `json:"repeats,omitempty"` // absent if reruns are possible
	Planning    *PlanningEstimate `json:"planning"`          // null if no case was run on both sides
}

// Scope compares the cases of one suite, or of all suites.
type Scope struct {
	SuiteID string `json:"suite_id,omitempty"` // "" for all suites
	// shared cases; of all suites together, those that were run on both sides
	Cases    int      `json:"cases"`
	Worse    int      `json:"worse"`  // cases whose mean fell
	Better   int      `json:"better"` // cases whose mean rose
	Delta    float64  `json:"delta"`
	Interval Interval `json:"interval"` // 95 % for the delta of a repeated comparison
	Method   string   `json:"interval_method,omitempty"`
	PWorse   float64  `json:"p_worse"`
	PBetter  float64  `json:"p_better"`
	// p_worse adjusted for the number of scopes; null if the scope is not tested
	Adjusted    *float64 `json:"p_adjusted"`
	Informative int      `json:"informative"`
	Test        string   `json:"test"` // none, exact or lattice
	Sigma2      float64  `json:"sigma2"`
}

// Interval is the range from Low to High.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// States of a candidate.
const (
	CandidateConfirmed  = "confirmed"
	CandidateCleared    = "cleared"
	CandidateIncomplete = "incomplete" // answers are missing
	CandidateNotRerun   = "not_rerun"  // there were more candidates than the gate reruns
	CandidateUnprovable = "unprovable" // too few rounds for so many candidates: no answers could confirm it
	// the base answers and the head never does: perhaps an error of the head, but no worse answer
	CandidateLost = "lost"
)

// ConfirmTest is the test of the cases that flipped. Each was rerun on both sides, and only the reruns decide.
type ConfirmTest struct {
	Rounds     int         `json:"rounds"`   // limit for each candidate
	Provable   int         `json:"provable"` // the most candidates that this many rounds can confirm; no more are rerun
	Level      *float64    `json:"level"`    // the level of the test of a candidate; null if there are none
	Candidates []Candidate `json:"candidates"`

	// the candidates that are not confirmed alone; nil: no pooled test
	Pooled *PooledTest `json:"pooled,omitempty"`
}

// PooledTest is a test of the reruns of several candidates together.
type PooledTest struct {
	Cases      int     `json:"cases"`
	Rounds     int     `json:"rounds"` // of each case and side
	BasePasses int     `json:"base_passes"`
	HeadPasses int     `json:"head_passes"`
	P          float64 `json:"p"`     // chance of these reruns if the change has no effect
	Level      float64 `json:"level"` // the level of the test
	Proven     bool    `json:"proven"`
}

// Candidate is a candidate: a case that passed on the base and fails on the head, or that only the base answers.
type Candidate struct {
	SuiteID    string `json:"suite_id"`
	CaseID     string `json:"case_id"`
	State      string `json:"state"`                 // one of the constants Candidate…
	Stored     bool   `json:"stored,omitempty"`      // no rerun is possible: the first trials decide
	HeadRounds int    `json:"head_rounds,omitempty"` // the head's rounds, if base and head were run separately
	// rounds that count: with an answer on both sides; all rounds of a lost case
	Rounds     int  `json:"rounds"`
	BasePasses int  `json:"base_passes"`
	HeadPasses int  `json:"head_passes"`
	Unanswered bool `json:"unanswered,omitempty"` // its first answer on the head was missing, not wrong
	BaseLost   int  `json:"base_lost,omitempty"`  // rounds of an unanswered case without an answer
	HeadLost   int  `json:"head_lost,omitempty"`
	LossReason      // incomplete: of a missing answer
	Likely     bool `json:"likely,omitempty"` // cleared, but confirmed if it were the only candidate
	// chance of these reruns if the change has no effect; null unless confirmed, likely, or run separately (HeadRounds)
	P *float64 `json:"p"`
	// the base's recorded answer is wrong, and counts as right by reruns that were recorded before this change
	EarlierRounds int `json:"earlier_rounds,omitempty"`
	EarlierPasses int `json:"earlier_passes,omitempty"`
}

// Name returns the case's name.
func (c Candidate) Name() suiteid.Name { return suiteid.Name{Suite: c.SuiteID, Case: c.CaseID} }

// RunNoun returns what to call the trials that decide about a candidate: run, stored run or fresh run.
func (c Candidate) RunNoun() string {
	if c.HeadRounds > 0 {
		return "run"
	}
	if c.Stored {
		return "stored run"
	}
	return "fresh run"
}

// RepeatsTest describes which regressions the existing runs can prove if reruns are impossible.
type RepeatsTest struct {
	Compared int     `json:"compared"` // cases
	Flipped  int     `json:"flipped"`  // cases that passed before and fail now, but are not proven
	Runs     int     `json:"runs"`     // fewest runs of a case on a side; if cases flipped, only they count
	Before   int     `json:"before"`   // fewest runs of a case on the base
	Now      int     `json:"now"`      // fewest runs of a case on the head
	Enough   int     `json:"enough"`   // runs of a case that prove a regression if all of them flip
	Level    float64 `json:"level"`    // the level of the test of each case
}

// FlippedText says how many of the compared cases flipped and are not proven.
func (r RepeatsTest) FlippedText() string {
	return fmt.Sprintf("%d of %s flipped", r.Flipped, text.Count(r.Compared, "case"))
}

// FewestText describes the fewest runs that a case has on each side.
func (r RepeatsTest) FewestText() string {
	if r.Before != r.Now {
		return Runs(r.Before) + " before and " + Runs(r.Now) + " now"
	}
	return Runs(r.Runs) + " a side"
}

// Runs returns a number of runs in words.
func Runs(n int) string {
	if n == 1 {
		return "one run"
	}
	return text.Count(n, "run")
}

// RecordedReruns is the test of recorded cases that flipped, by the recorded reruns of both sides.
type RecordedReruns struct {
	Flips      int         `json:"flips"` // recorded cases that flipped, with or without recorded reruns
	Level      float64     `json:"level"` // the level of the test of a candidate
	Candidates []Candidate `json:"candidates"`
	Files      []string    `json:"files"` // the head's files with the recorded reruns
}

// RecheckTest is the rerun of whole suites whose score fell. It is made if the first answers leave a drop possible,
// and ends as soon as the reruns do not confirm the drop.
type RecheckTest struct {
	Trials    int    `json:"trials"` // limit of reruns of a case and side
	Triggered bool   `json:"triggered"`
	Skipped   string `json:"skipped,omitempty"` // why a due recheck was not made: the first answers decide
	// reruns of a case and side in the suites that fell
	Asked      int     `json:"asked"`
	Complete   bool    `json:"complete"` // false if triggered and answers are missing
	LossReason         // incomplete: of a missing answer
	Overall    *Scope  `json:"overall"`
	Suites     []Scope `json:"suites"`
}

// PlanningEstimate estimates the drop that the run could detect, and the trials that a smaller drop needs.
type PlanningEstimate struct {
	Cases      int     `json:"cases"`
	Trials     int     `json:"trials"` // of all cases on one side
	Sigma2     float64 `json:"sigma2"`
	Power      float64 `json:"power"`
	Detectable float64 `json:"detectable"` // equal drop of every case, at most 1
	Drop       float64 `json:"drop"`       // the drop that Needed is for
	Needed     int     `json:"needed"`     // trials of all cases on one side that detect Drop
}

// MeasuredNoise is the noise of a suite, measured by comparing one revision with itself over many trials.
type MeasuredNoise struct {
	Cases   int `json:"cases"`   // with at least two answers
	Answers int `json:"answers"` // of both sides
	// chance that two answers to one case get different verdicts, mean of the cases
	Flake     float64     `json:"flake"`
	Mixed     int         `json:"mixed"`      // cases that sometimes passed and sometimes failed
	MostMixed []MixedCase `json:"most_mixed"` // the most mixed of them
	Advice    Advice      `json:"advice"`
}

// MixedCase is a case that passed in some of its trials only.
type MixedCase struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
	Passed  int    `json:"passed"`
	Trials  int    `json:"trials"`
}

// Advice is the recommended gate setting for the measured suites.
type Advice struct {
	Trials  int `json:"trials"`
	Confirm int `json:"confirm"`
	Recheck int `json:"recheck"` // the value of `auto`
	// equal drop of every case that the first trials of such a run detect, at most 1
	Detectable   float64 `json:"detectable"`
	TrialsForTen int     `json:"for_ten"` // trials of a case that detect an equal drop of ten points of every case
}
