package report

import "github.com/failproof/failproof/internal/text"

// Modes of Statistics.
const (
	ModeStrict = "strict" // no case is noisy: each flip counts
	// some cases were asked live, or are taken so: a flip of theirs counts once fresh runs confirm it
	ModeNoisy = "noisy"
)

// Statistics says how noise was told from a regression.
type Statistics struct {
	Mode string `json:"mode"` // strict or noisy
	// cases compared like for like whose answers count as they are
	Strict int `json:"strict"`
	// cases compared like for like whose flips fresh answers have to confirm
	Noisy int `json:"noisy"`
	// of the strict ones, those that the mode takes so although a live target was asked
	StrictLive int          `json:"strict_live,omitempty"`
	Noise      *Noise       `json:"noise,omitempty"`   // of the noisy cases
	Redrawn    *RedrawnLook `json:"redrawn,omitempty"` // of the recorded cases that flipped and have fresh answers
	// of the strict cases that were recorded several times from a model
	Draws *Noise `json:"draws,omitempty"`

	Measured *MeasuredNoise `json:"measured,omitempty"` // a revision was compared with itself
}

// Noise is what the procedure for draws from a model found. Probabilities are one-sided, assuming that the change
// changed nothing; deltas and drops are in [-1, 1].
type Noise struct {
	// planned first trials of a case and side; the most, where suites differ
	Trials       int             `json:"trials"`
	Alpha        float64         `json:"alpha"` // the chance of a false alarm that all looks together may have
	AlphaPerLook float64         `json:"alpha_per_look"`
	WarnAlpha    float64         `json:"warn_alpha"`
	MaxDrop      float64         `json:"max_drop"`          // a smaller drop is not worth a verdict, however certain
	Overall      *Scope          `json:"overall"`           // null where nothing could be compared
	Suites       []Scope         `json:"suites"`            // those with something to compare
	HeadErrors   float64         `json:"head_errors"`       // chance that the head's missing answers fall on it by accident
	Unchanged    int             `json:"unchanged"`         // cases whose one answer serves both sides: in no test
	Quarantined  int             `json:"quarantined"`       // cases left out by the gate's quarantine
	Confirm      *ConfirmLook    `json:"confirm"`           // null: switched off
	Recheck      *RecheckLook    `json:"recheck"`           // null: switched off
	Repeats      *RepeatsLook    `json:"repeats,omitempty"` // absent where fresh answers can be had
	Planning     *PlanningFigure `json:"planning"`          // null where nothing was asked on both sides
}

// Scope is the comparison of a suite's cases, or of all suites'.
type Scope struct {
	SuiteID string `json:"suite_id,omitempty"` // "" for all suites
	// compared like for like; of the overall scope those that were asked on both sides
	Cases       int      `json:"cases"`
	Worse       int      `json:"worse"`  // cases whose mean fell
	Better      int      `json:"better"` // cases whose mean rose
	Delta       float64  `json:"delta"`
	Interval    Interval `json:"interval"` // 95 %: where the delta would land if the comparison were run again
	Method      string   `json:"interval_method,omitempty"`
	PWorse      float64  `json:"p_worse"`
	PBetter     float64  `json:"p_better"`
	Adjusted    *float64 `json:"p_adjusted"` // p_worse as one of the family; null where the scope is not in it
	Informative int      `json:"informative"`
	Test        string   `json:"test"` // none, exact or lattice
	Sigma2      float64  `json:"sigma2"`
}

// Interval runs from Low to High.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// States of a suspect.
const (
	SuspectConfirmed  = "confirmed"
	SuspectCleared    = "cleared"
	SuspectIncomplete = "incomplete" // answers are missing
	SuspectNotRerun   = "not_rerun"  // there were more suspects than the gate asks again
	SuspectUnprovable = "unprovable" // too few rounds for so many suspects: no answers could prove it
	// the head gets no answer, in no round, and the base does: that may be the head's fault, and is no score
	SuspectLost = "lost"
)

// SuspectStates lists them.
var SuspectStates = [...]string{SuspectConfirmed, SuspectCleared, SuspectIncomplete, SuspectNotRerun,
	SuspectUnprovable, SuspectLost}

// ConfirmLook is the look at the cases that flipped. Each was asked again on both sides, and the fresh answers alone
// decide.
type ConfirmLook struct {
	Rounds   int       `json:"rounds"`   // at most, a suspect
	Provable int       `json:"provable"` // suspects that the rounds can prove at once: as many are asked again
	Level    *float64  `json:"level"`    // what a suspect's chance is held to; null without suspects
	Suspects []Suspect `json:"candidates"`

	// of those that are not proven alone; nil: they were not tested together
	Pooled *PooledLook `json:"pooled,omitempty"`
}

// PooledLook is a test of the fresh answers of several suspects together.
type PooledLook struct {
	Cases      int     `json:"cases"`
	Rounds     int     `json:"rounds"` // of each case and side
	BasePasses int     `json:"base_passes"`
	HeadPasses int     `json:"head_passes"`
	P          float64 `json:"p"`     // chance of such answers if nothing changed
	Level      float64 `json:"level"` // what it is held to
	Proven     bool    `json:"proven"`
}

// Suspect is a case that passed on the base and fails on the head, or that has an answer on the base alone.
type Suspect struct {
	SuiteID    string   `json:"suite_id"`
	CaseID     string   `json:"case_id"`
	State      string   `json:"state"`                 // one of SuspectStates
	Stored     bool     `json:"stored,omitempty"`      // nobody could be asked again: the first trials decide
	HeadRounds int      `json:"head_rounds,omitempty"` // those of the head, where base and head were run apart
	Rounds     int      `json:"rounds"`                // with an answer on both sides, which count; of a lost case, all of them
	BasePasses int      `json:"base_passes"`
	HeadPasses int      `json:"head_passes"`
	Unanswered bool     `json:"unanswered,omitempty"` // it had no answer on the head at first, and not a wrong one
	BaseLost   int      `json:"base_lost,omitempty"`  // rounds without an answer to judge, of such a one
	HeadLost   int      `json:"head_lost,omitempty"`
	Reason     string   `json:"reason,omitempty"`       // incomplete: why an answer did not come, one of model's codes
	Broken     bool     `json:"likely,omitempty"` // cleared, and would be confirmed if it were the only suspect
	P          *float64 `json:"p"`                      // chance of the fresh results if nothing changed; null unless confirmed, or looking broken
}

// Runs names the trials that decide about a suspect.
func (s Suspect) Runs() string {
	if s.HeadRounds > 0 {
		return "run"
	}
	if s.Stored {
		return "stored run"
	}
	return "fresh run"
}

// RepeatsLook is what both sides' runs can prove if nobody can be asked again.
type RepeatsLook struct {
	Compared int     `json:"compared"` // cases
	Flipped  int     `json:"flipped"`  // of these, those that passed before and do not now, which their runs do not prove
	Runs     int     `json:"runs"`     // of a case on a side, at least; of the flipped ones, if there are any
	Before   int     `json:"before"`   // likewise on the base
	Now      int     `json:"now"`      // and on the head
	Enough   int     `json:"enough"`   // runs that prove a case broken whose every run turned
	Level    float64 `json:"level"`    // what the chance of each case is held to
}

// Fewest says how many runs a case has on each side at least.
func (l RepeatsLook) Fewest() string {
	if l.Before != l.Now {
		return Runs(l.Before) + " before and " + Runs(l.Now) + " now"
	}
	return Runs(l.Runs) + " a side"
}

// Runs is a number of runs in words.
func Runs(n int) string {
	if n == 1 {
		return "one run"
	}
	return text.Count(n, "run")
}

// RedrawnLook is the look at the recorded cases that flipped, which fresh answers recorded for both sides decide.
type RedrawnLook struct {
	Flips    int       `json:"flips"` // recorded cases that flipped, with fresh answers or without
	Level    float64   `json:"level"` // what a suspect's chance is held to
	Suspects []Suspect `json:"candidates"`
	Files    []string  `json:"files"` // of the head, where the fresh answers stand
}

// RecheckLook is the second look at the cases of the suites that fell, if the first leaves a suspicion. It ends as soon
// as fresh answers do not confirm the drop.
type RecheckLook struct {
	Trials    int    `json:"trials"` // fresh trials of a case and side, at most
	Triggered bool   `json:"triggered"`
	Skipped   string `json:"skipped,omitempty"` // why it was not made although it was due: the first answers stand
	// fresh trials of a case and side that were asked, of the suites that fell
	Asked    int     `json:"asked"`
	Complete bool    `json:"complete"` // false with triggered: answers are missing
	Overall  *Scope  `json:"overall"`
	Suites   []Scope `json:"suites"`
}

// PlanningFigure says what the run could have found, and what finding more would take.
type PlanningFigure struct {
	Cases      int     `json:"cases"`
	Trials     int     `json:"trials"` // case-trials a side
	Sigma2     float64 `json:"sigma2"`
	Power      float64 `json:"power"`
	Detectable float64 `json:"detectable"` // drop of every case alike, at most 1
	Drop       float64 `json:"drop"`       // the drop that the next figure is for
	Needed     int     `json:"needed"`     // case-trials a side that find such a drop
}

// MeasuredNoise is a suite's own noise: one revision on both sides, with many trials.
type MeasuredNoise struct {
	Cases   int `json:"cases"`   // with two answers or more
	Answers int `json:"answers"` // both sides together
	// chance that two answers to one case are not judged alike, mean of the cases
	Flake     float64     `json:"flake"`
	Mixed     int         `json:"mixed"`      // cases that passed now and failed then
	MostMixed []MixedCase `json:"most_mixed"` // the worst of them
	Advice    Advice      `json:"advice"`
}

// MixedCase is a case that passed in some of its trials.
type MixedCase struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
	Passed  int    `json:"passed"`
	Trials  int    `json:"trials"`
}

// Advice is what a gate on such a suite is best set to.
type Advice struct {
	Trials  int `json:"trials"`
	Confirm int `json:"confirm"`
	Recheck int `json:"recheck"` // what auto comes to
	// drop of every case alike that such a run finds by its first trials, at most 1
	Detectable float64 `json:"detectable"`
	ForTen     int     `json:"for_ten"` // trials of a case that find a drop of ten points of every case alike
}
