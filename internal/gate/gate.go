package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Run is the result of a run, and all that the rules read: the answers, the comparison, and facts about the change.
type Run struct {
	Head       *report.Side
	Base       *report.Side // nil: no base
	BaseState  string       // one of report.BaseStates
	Comparison compare.Comparison
	CaseCount  int    // cases in the head's files, in scope or not; 0: only those in Head
	Cancelled  string // why the run was canceled; "" if it was not

	Pairing       Pairing // of another runner's results
	PolicyChanges []config.Change
	// Prompts that the base's suites use, by path: changed ones of which cases were taken away and which others of the
	// head use, changed ones that no suite of the head uses, and unchanged ones that no suite of the head uses.
	BypassedPrompts, AbandonedPrompts, DesertedPrompts []string

	UntestedPrompts []string // paths of edited and new prompts that no suite uses
	UnjudgedFiles   []string // paths of changed files of skills that are not sent to a model
	Leaks           []Leak
	Loosened        map[string]bool // cases, as SUITE/CASE, whose changed expectation accepts unrelated texts
	BaseFaults      []FaultyFile
	Verified        Verified
	FailedControl   string // the control question that the judge failed every time, in words; "": none
	Resampled       []ResampledCase
	PatchedCases    int // cases with a stale recording that were called live and got a new recording
	Drifted         []report.DriftedCase

	// Decide sets what several rules read.
	gate  config.Gate
	head  *report.Side    // without quarantined cases
	sides []thresholdSide // the sides that every threshold is checked on
}

// effect is the effect of a finding on the verdict.
type effect int

const (
	effectFails    effect = iota // the run fails, whatever the missing answers are
	effectSuspends               // the run is undecided, unless another finding fails it
	effectWarns                  // the finding is only reported
)

// finding is one breach of a rule.
type finding struct {
	effect effect
	level  config.Level // "": the rule's level
	report.Reason
}

// newFinding returns a finding with the given effect, whose message has the format and arguments of fmt.Sprintf.
func newFinding(e effect, format string, args ...any) finding {
	return finding{effect: e, Reason: report.Reason{Message: fmt.Sprintf(format, args...)}}
}

// Decide judges a run by a gate. The verdict is failed if a finding fails the run, otherwise undecided if one suspends
// it, and otherwise passed. A canceled run is always undecided. Reasons that decide come first.
func Decide(g config.Gate, r Run) (report.Verdict, []report.Reason) {
	r.gate, r.head = g, r.Comparison.WithoutQuarantined(r.Head)
	r.sides = r.thresholdSides()
	var found []finding
	for _, rule := range Rules {
		if rule.check == nil {
			continue
		}
		for _, f := range rule.check(&r) {
			if f, counts := rule.applyLevel(g, f); counts {
				found = append(found, f)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return int(a.effect - b.effect) })
	reasons := make([]report.Reason, len(found))
	for i, f := range found {
		reasons[i], reasons[i].Suspends = f.Reason, f.effect == effectSuspends
	}
	switch {
	case slices.ContainsFunc(r.Ended(), isCancellation):
		return report.Undecided, reasons
	case len(found) == 0 || found[0].effect == effectWarns:
		return report.Passed, reasons
	case found[0].effect == effectSuspends:
		return report.Undecided, reasons
	}
	return report.Failed, reasons
}

// Fails reports whether a run with comparison c fails by the gate g. All else is taken from r.
func (r Run) Fails(g config.Gate, c compare.Comparison) bool {
	r.Comparison = c
	verdict, _ := Decide(g, r)
	return verdict == report.Failed
}

// applyLevel returns the finding with its code and level set. It returns false if the level is off. A finding below the
// level error never decides.
func (r Rule) applyLevel(g config.Gate, f finding) (finding, bool) {
	if f.level == "" {
		f.level = r.levelIn(g)
	}
	f.Code, f.Level = r.Code, report.LevelError
	if f.level != config.Err {
		f.effect = effectWarns
	}
	if f.effect == effectWarns {
		f.Level = report.LevelWarn
	}
	return f, f.level != config.Off
}
