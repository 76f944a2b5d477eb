package gate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

type gateCase struct {
	rule    string
	gate    func(*config.Gate)
	scene   []string
	verdict report.Verdict
	reasons []string
}

func check(t *testing.T, cases []gateCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			p := comparetest.GateWithoutReruns()
			if c.gate != nil {
				c.gate(&p)
			}
			verdict, reasons := decide(t, p, c.scene...)
			if verdict != c.verdict {
				t.Errorf("Decide(%q) = %s, want %s", c.scene, verdict, c.verdict)
			}
			if diff := cmp.Diff(c.reasons, comparetest.ReasonLines(reasons)); diff != "" {
				t.Errorf("reasons of %q (-want +got):\n%s", c.scene, diff)
			}
		})
	}
}

// decide judges a scene by a gate.
func decide(t *testing.T, g config.Gate, lines ...string) (report.Verdict, []report.Reason) {
	t.Helper()
	base, head := comparetest.Sides(t, lines...)
	return gate.Decide(g, gate.Run{Head: head, Base: base, Comparison: comparetest.Compare(base, head), BaseState: report.BaseCompared})
}

// settled reruns flipped cases and compares both sides.
func settled(g config.Gate, in gate.Run, base *report.Side, ask comparetest.Caller) (compare.Comparison, error) {
	ask.HasFailed = in.Fails
	return ask.Compare(g, compare.Sides{Head: in.Head, Base: base})
}

// settle judges a scene of a live model. The answers of reruns are "suite/case base/head base/head …".
func settle(t *testing.T, g config.Gate, lines []string, answers ...string) (report.Verdict, []string) {
	t.Helper()
	verdict, reasons := gate.Decide(g, settledRun(t, g, lines, answers...))
	return verdict, comparetest.ReasonLines(reasons)
}

// settledRun returns the run of a scene of a live model that settle judges.
func settledRun(t *testing.T, g config.Gate, lines []string, answers ...string) gate.Run {
	t.Helper()
	p := comparetest.NewRerunner(t, lines, answers...)
	in := gate.Run{Head: p.Head.Side(), Base: p.Base.Side(), BaseState: report.BaseCompared}
	var err error
	if in.Comparison, err = settled(g, in, in.Base, comparetest.Caller{Rerun: p.Rerun}); err != nil {
		t.Fatal(err)
	}
	return in
}

// reasonsOf returns the reasons of one rule, each as "level: message".
func reasonsOf(rule gate.Rule, g config.Gate, in gate.Run) (out []string) {
	_, reasons := gate.Decide(g, in)
	for _, r := range reasons {
		if r.Code == rule.Code {
			out = append(out, string(r.Level)+": "+r.Message)
		}
	}
	return out
}

// runOf returns the run of a scene without noise, in which each flip counts.
func runOf(t *testing.T, lines ...string) gate.Run {
	t.Helper()
	base, head := comparetest.Sides(t, lines...)
	return gate.Run{Head: head, Base: base, Comparison: comparetest.Compare(base, head), BaseState: report.BaseCompared}
}

// says compares the reasons of one rule with the wanted ones.
func says(t *testing.T, rule gate.Rule, g config.Gate, in gate.Run, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, reasonsOf(rule, g, in), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("reasons of %s (-want +got):\n%s", rule.Code, diff)
	}
}

// levelOf returns the level of a rule's only reason; "" if it has none.
func levelOf(t *testing.T, rule gate.Rule, g config.Gate, in gate.Run) string {
	t.Helper()
	all := reasonsOf(rule, g, in)
	if len(all) > 1 {
		t.Errorf("%s has several reasons: %q", rule.Code, all)
	}
	level, _, _ := strings.Cut(strings.Join(all, ""), ":")
	return level
}

// with returns the gate of the tests with another setting of a key.
func with(k config.Key, s config.Setting) config.Gate {
	g := comparetest.GateWithoutReruns()
	g.Settings[k] = s
	return g
}

var (
	off  = config.Setting{Level: config.Off}
	warn = config.Setting{Level: config.Warn}
	err  = config.Setting{Level: config.Err}
)
