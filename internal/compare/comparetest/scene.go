// Package comparetest writes comparisons in a short notation, for tests of packages compare and gate.
package comparetest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// Scene is a comparison written in lines of: suite/case, the base's trials, the head's trials, and marks.
//
//	s/a pass fail            regressed
//	s/b - pass               new; "pass -" is removed
//	s/c pass,pass pass,fail  two trials
//	s/d pass pass old:fail   redefined; the head's answer fails by the base's expectation
//	s/e pass pass input      redefined by another input
//	s/f pass fail must       must_pass on both sides; must-base and must-head on one
//	s/f pass pass cut-head   truncated on the head; cut-base: on the base; forbids: its case forbids some content
//	s/f pass pass other      the head's answers have other words
//	s/f pass fail recorded   hand-written recordings on both sides; drawn: sampled answers; neither: live
//	s/f pass fail repeated   run and judged by another tool: no reruns
type Scene struct{ Base, Head report.Builder }

// Sides returns both sides of a scene.
func Sides(t testing.TB, lines ...string) (base, head *report.Side) {
	t.Helper()
	s := &Scene{}
	s.Base.Log, s.Head.Log = report.NewLog(&MemoryFile{}), report.NewLog(&MemoryFile{})
	s.AddLines(t, lines...)
	return s.Base.Side(), s.Head.Side()
}

// AddLines adds lines to the scene.
func (s *Scene) AddLines(t testing.TB, lines ...string) {
	t.Helper()
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) < 3 {
			t.Fatalf("scene line %q: want suite/case base head", line)
		}
		suite, id, _ := strings.Cut(f[0], "/")
		marks := f[3:]
		s.addTrials(t, &s.Base, suite, id, f[1], "base", marks)
		s.addTrials(t, &s.Head, suite, id, f[2], "head", marks)
	}
}

func (s *Scene) addTrials(t testing.TB, b *report.Builder, suite, id, trials, side string, marks []string) {
	t.Helper()
	if trials == "-" {
		return
	}
	for i, name := range strings.Split(trials, ",") {
		r := Result(suite, id, i+1, name)
		for _, m := range marks {
			oldCategory, redefined := strings.CutPrefix(m, "old:")
			switch {
			case m == "must" || m == "must-"+side:
				r.MustPass = true
			case m == "recorded" || m == "recorded-"+side:
				r.Replayed = true
			case m == "drawn" || m == "drawn-"+side:
				r.Replayed, r.Sampled = true, true
			case m == "cut-"+side:
				r.Classification.Details.Reason = classify.ReasonTruncated
				if slices.Contains(marks, "forbids") {
					r.Warnings = append(r.Warnings, score.WarnAnswerTruncated)
				}
			case m == "repaired-"+side:
				r.Classification.Details.ParseRepairs = []string{"fenced_block", "trailing_commas"}
			case m == "states-"+side:
				r.Classification.Details.StatedClaims = []string{"it is free"}
			case m == "unverified" || m == "unverified-"+side:
				r.Classification.Details.Unverified = true
			case m == "other" && side == "head":
				r.RawResponse = "other answer"
			case m == "warned-"+side:
				r.Warnings = append(r.Warnings, report.WarnJudge)
			case m == "stale" && side == "head":
				r.Stale = true
			case m == "kept" && side == "head":
				r.KeptByHand = true
			case m == "repeated":
				r.Runner = "promptfoo"
			case m == "redefined" && side == "head":
				r.ExpectationKey = "changed"
			case m == "input" && side == "head":
				r.ExpectationKey, r.InputKey = "changed", "changed"
			case redefined && side == "head":
				r.ExpectationKey = "changed"
				r.UnderBase = &classify.Classification{Primary: classify.Category(oldCategory)}
			}
		}
		var ref report.Ref
		if b.Log != nil {
			var err error
			if ref, err = b.Log.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Add(r, ref); err != nil {
			t.Fatal(err)
		}
	}
}

// MemoryFile is a file in memory.
type MemoryFile struct{ Text []byte }

func (m *MemoryFile) Write(p []byte) (int, error) {
	m.Text = append(m.Text, p...)
	return len(p), nil
}

func (m *MemoryFile) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m.Text).ReadAt(p, off)
}

// Result returns a trial's result with the given category, which may also be "rejected", "tool", "unasked-budget" or
// "unasked-cancelled".
func Result(suite, id string, trial int, category string) report.Result {
	k := classify.Classification{Primary: classify.Category(category)}
	if category == "rejected" { // an invalid request is the head's own error
		k.Primary, k.Details.CausedByPromptOrModel, k.Details.Reason = classify.Error, true, "rejected_request"
	}
	if category == "tool" { // the answer that came is unreadable
		k.Primary, k.Details.Reason = classify.Error, "unreadable"
	}
	if reason, unasked := strings.CutPrefix(category, "unasked-"); unasked {
		k = classify.UnscoredError(*map[string]*model.Failure{
			"budget":    model.EndFailure("budget", model.EndNotCalled, "limits.max_calls (2) is used up"),
			"cancelled": model.EndFailure("cancelled", model.EndCutOff, "the run was canceled"),
		}[reason])
	}
	return report.Result{
		SuiteID: suite, CaseID: id, Trial: trial, Classification: k, Scores: report.Scores{Accuracy: k.Accuracy()},
		RawResponse: "answer", RequestKey: "q", ExpectationKey: "e", Path: suite + ".yaml", Line: 7, Severity: "medium",
	}
}

// GateWithoutReruns returns the gate's defaults for a comparison without reruns. It has no mode and no pooled test,
// min_run_score and max_drop are off, and max_unscored is 0.
func GateWithoutReruns() config.Gate {
	g := config.Default().Gate
	g.Mode, g.Trials, g.Confirm, g.Pooled, g.Alpha, g.FailOn = "", 0, 0, config.PooledOff, 0, ""
	for _, k := range []config.Key{config.MinRunScore, config.MaxDrop} {
		g.Settings[k] = config.Setting{Level: config.Off}
	}
	g.Settings[config.MaxUnscored].Value = 0
	return g
}

// ErrorAt returns a setting as a configuration file sets it, at level error.
func ErrorAt(value float64) config.Setting {
	return config.Setting{Value: value, Level: config.Err, Set: true}
}

// WarnAt returns a setting as a configuration file sets it, at level warn.
func WarnAt(value float64) config.Setting {
	return config.Setting{Value: value, Level: config.Warn, Set: true}
}

// Compare compares two sides without reruns, in mode strict. It panics if an answer cannot be read back.
func Compare(base, head *report.Side) compare.Comparison {
	c, err := compare.Begin(config.Gate{Mode: config.ModeStrict}, compare.Sides{Head: head, Base: base}).Comparison()
	if err != nil {
		panic(err)
	}
	return c
}

// ReasonLines returns reasons as "level code: message".
func ReasonLines(reasons []report.Reason) []string {
	var out []string
	for _, r := range reasons {
		out = append(out, string(r.Level)+" "+r.Code+": "+r.Message)
	}
	return out
}

// CaseLines returns n scene lines: prefix with a number, then kind.
func CaseLines(prefix, kind string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("s/%s%02d %s", prefix, i, kind))
	}
	return out
}

// RerunLines returns the same reruns for n cases.
func RerunLines(prefix, rounds string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("s/%s%02d %s", prefix, i, rounds))
	}
	return out
}

// WithMark returns the lines with a mark added to each.
func WithMark(lines []string, mark string) (out []string) {
	for _, l := range lines {
		out = append(out, l+" "+mark)
	}
	return out
}
