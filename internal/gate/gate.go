package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Run is the result of a run: the answers, the comparison, and what else the rules read.
type Run struct {
	Head       *report.Side
	Base       *report.Side // nil: there is none
	BaseState  string       // one of report.BaseStates
	Comparison compare.Comparison
	AllCases   int // cases of the head as they are written, those out of scope included; 0: only those that ran

	Pairing       Pairing // of another runner's results
	PolicyChanges []config.Change
	Deserted      []string // paths of prompts that the base's suites ask, the head has, changed, and asks no more
	Unasked       []string // paths of prompts that the change edits or adds, and no suite asks
	Unjudged      []string // paths of files of skills that the change edits, and no model is sent
	Leaks         []Leak
	BaseFaults    []FaultyFile
	Verified      Verified
	JudgeWrong    string // the control that the judge got wrong every time, in words; "": it can be trusted so far
	Redrawn       []Redraw
	Patched       int // cases that were asked live in place of their recordings, and whose new recordings were written
	Drifted       []report.DriftedCase
}

// effect says what a finding does to the verdict.
type effect int

const (
	fails    effect = iota // proven, whatever the missing answers would have said
	suspends               // cannot be decided while answers are missing
	warns
)

// finding is one breach of a rule.
type finding struct {
	effect effect
	level  config.Level // "" for the rule's own
	report.Reason
}

// breach returns a finding with a message.
func breach(does effect, message string) finding {
	return finding{effect: does, Reason: report.Reason{Message: message}}
}

// at returns the finding at a level of its own.
func (f finding) at(level config.Level) finding {
	f.level = level
	return f
}

// run is a Run with values that several rules use.
type run struct {
	Run
	gate config.Gate
	head *report.Side    // without what is in quarantine
	held []thresholdSide // what every threshold is held by
}

// Decide judges a run by a gate. The verdict is failed if a rule of level error is proven broken, undecided if missing
// answers may break one, and passed otherwise. Reasons that decide come first.
func Decide(g config.Gate, r Run) (report.Verdict, []report.Reason) {
	in := &run{Run: r, gate: g, head: r.Comparison.WithoutQuarantined(r.Head)}
	in.held = in.measures()
	var found []finding
	for _, rule := range Rules {
		if rule.check == nil {
			continue
		}
		for _, f := range rule.check(in) {
			if f, counts := rule.applyLevel(g, f); counts {
				found = append(found, f)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return int(a.effect - b.effect) })
	reasons := make([]report.Reason, len(found))
	for i, f := range found {
		reasons[i] = f.Reason
	}
	switch {
	case in.cancelled():
		return report.Undecided, reasons
	case len(found) == 0 || found[0].effect == warns:
		return report.Passed, reasons
	case found[0].effect == suspends:
		return report.Undecided, reasons
	}
	return report.Failed, reasons
}

// Fails returns a function that reports whether the comparison so far makes the run fail.
func (r Run) Fails(g config.Gate) func(compare.Comparison) bool {
	return func(c compare.Comparison) bool {
		r.Comparison = c
		verdict, _ := Decide(g, r)
		return verdict == report.Failed
	}
}

// applyLevel sets a finding's code and level. It returns false if the rule is off. A finding below the level error
// never decides.
func (r Rule) applyLevel(g config.Gate, f finding) (finding, bool) {
	if f.level == "" {
		f.level = r.Level
		if key, ok := r.Key(); ok {
			f.level = g.At(key).Level
		}
	}
	f.Code, f.Level = r.Code, report.LevelError
	if f.level != config.Err {
		f.effect = warns
	}
	if f.effect == warns {
		f.Level = report.LevelWarn
	}
	return f, f.level != config.Off
}

// worseTogether are the rules that find cases worse together, whichever of them it is.
var worseTogether = []string{Drop.Code, Inconclusive.Code, Pooled.Code}

// SortChanges decides the kind of every change of a report, once its verdict is made.
func SortChanges(rep *report.Report) {
	compare.Sort(rep, slices.ContainsFunc(rep.Reasons, func(r report.Reason) bool { return slices.Contains(worseTogether, r.Code) }))
}
