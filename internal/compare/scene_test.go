package compare_test

import (
	"bytes"
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

// A scene is a comparison in short, one case a line: suite/case, the base's trials, the head's, and marks.
//
//	s/a pass fail            regressed
//	s/b - pass               new; "pass -" is removed
//	s/c pass,pass pass,fail  two trials
//	s/d pass pass old:fail   redefined; the head's answer fails by the base's expectation
//	s/e pass pass input      redefined by another input
//	s/f pass fail must       must_pass on both sides; must-base and must-head on one
//	s/f pass pass cut-head   cut at its length limit on the head; cut-base; forbids: its case forbids what may come behind the cut
//	s/f pass pass other      the head's answers have other words
//	s/f pass fail recorded   recorded by hand on both sides; drawn is recorded from a model; without either it was asked live
type scene struct{ base, head report.Builder }

func sides(t *testing.T, lines ...string) (base, head *report.Side) {
	t.Helper()
	s := &scene{}
	s.base.Log, s.head.Log = report.NewLog(&memory{}), report.NewLog(&memory{})
	s.read(t, lines...)
	return s.base.Side(), s.head.Side()
}

func (s *scene) read(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) < 3 {
			t.Fatalf("scene line %q: want suite/case base head", line)
		}
		suite, id, _ := strings.Cut(f[0], "/")
		marks := f[3:]
		s.trials(t, &s.base, suite, id, f[1], "base", marks)
		s.trials(t, &s.head, suite, id, f[2], "head", marks)
	}
}

func (s *scene) trials(t *testing.T, b *report.Builder, suite, id, trials, side string, marks []string) {
	t.Helper()
	if trials == "-" {
		return
	}
	for i, name := range strings.Split(trials, ",") {
		r := result(suite, id, i+1, name)
		for _, m := range marks {
			old, redefined := strings.CutPrefix(m, "old:")
			switch {
			case m == "must" || m == "must-"+side:
				r.MustPass = true
			case m == "recorded" || m == "recorded-"+side:
				r.Replayed = true
			case m == "drawn" || m == "drawn-"+side:
				r.Replayed, r.Drawn = true, true
			case m == "cut-"+side:
				r.Classification.Details.Reason = classify.ReasonTruncated
				if slices.Contains(marks, "forbids") {
					r.Warnings = append(r.Warnings, score.WarnCut)
				}
			case m == "repaired-"+side:
				r.Classification.Details.ParseRepairs = []string{"fenced_block", "trailing_commas"}
			case m == "states-"+side:
				r.Classification.Details.StatedClaims = []string{"it is free"}
			case m == "unverified" || m == "unverified-"+side:
				r.Classification.Details.Unverified = true
			case m == "other" && side == "head":
				r.RawResponse = "other answer"
			case m == "stale" && side == "head":
				r.Stale = true
			case m == "kept" && side == "head":
				r.KeptByHand = true
			case m == "redefined" && side == "head":
				r.ExpectationKey = "changed"
			case m == "input" && side == "head":
				r.ExpectationKey, r.InputKey = "changed", "changed"
			case redefined && side == "head":
				r.ExpectationKey = "changed"
				r.UnderBase = &classify.Classification{Primary: classify.Category(old)}
			}
		}
		var at report.Ref
		if b.Log != nil {
			var err error
			if at, err = b.Log.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Add(r, at); err != nil {
			t.Fatal(err)
		}
	}
}

// memory is a file that holds what was written to it.
type memory struct{ text []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.text = append(m.text, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m.text).ReadAt(p, off)
}

func result(suite, id string, trial int, category string) report.Result {
	k := classify.Classification{Primary: classify.Category(category)}
	if category == "rejected" { // a request that the provider calls bad: the candidate's own
		k.Primary, k.Details.CandidateOwn, k.Details.Reason = classify.Error, true, "rejected_request"
	}
	if category == "tool" { // something came that is no answer
		k.Primary, k.Details.Reason = classify.Error, "unreadable"
	}
	if reason, unasked := strings.CutPrefix(category, "unasked-"); unasked { // unasked-budget, unasked-cancelled
		why := map[string]string{"budget": "not asked: limits.max_calls (2) is used up", "cancelled": "cut off: the run was cancelled"}[reason]
		k = classify.Classification{Primary: classify.Error, Details: classify.Details{Reason: reason, ErrorDetails: model.Untrusted(why)}}
	}
	return report.Result{
		SuiteID: suite, CaseID: id, Trial: trial, Classification: k, Scores: report.Scores{Accuracy: k.Accuracy()},
		RawResponse: "answer", RequestKey: "q", ExpectationKey: "e", Path: suite + ".yaml", Line: 7, Severity: "medium",
	}
}

// strict is the gate with its defaults, and without a run bar.
func strict() config.Gate {
	return config.Gate{
		MinRunScore: config.Rule{Level: config.Off}, MaxRegressions: config.Rule{Level: config.Err},
		MaxDrop: config.Rule{Level: config.Off}, MaxUnscored: config.Rule{Level: config.Err},
		MaxUnverified: config.Rule{Level: config.Off}, MinCases: config.Rule{Level: config.Off},
		MaxExposure: config.Rule{Level: config.Off}, MaxHighStakes: config.Rule{Level: config.Off}, MinWeighted: config.Rule{Level: config.Off},
		OnRemoved: config.Warn, OnRedefined: config.Warn, OnPolicyChange: config.Warn,
		OnMustPassChange: config.Err, OnExpectationRemoved: config.Err, OnUnaskedPrompt: config.Warn, OnInconclusive: config.Warn,
	}
}

func at(value float64) config.Rule { return config.Rule{Value: value, Level: config.Err, Set: true} }

func warnAt(value float64) config.Rule {
	return config.Rule{Value: value, Level: config.Warn, Set: true}
}

// decide runs a scene through the gate.
func decide(t *testing.T, p config.Gate, lines ...string) (report.Verdict, []report.Reason) {
	t.Helper()
	base, head := sides(t, lines...)
	return compare.Decide(p, compare.Input{Head: head, Comparison: compare.Sides(base, head), BaseState: report.BaseCompared})
}

// brief writes reasons as level code: message.
func brief(reasons []report.Reason) []string {
	var out []string
	for _, r := range reasons {
		out = append(out, string(r.Level)+" "+r.Code+": "+r.Message)
	}
	return out
}
