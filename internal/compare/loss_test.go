package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideLosses(t *testing.T) {
	hundred := func(kind string, more ...string) []string {
		return append(append(comparetest.CaseLines("a", "pass pass", 95), comparetest.CaseLines("x", kind, 5)...), more...)
	}
	for _, c := range []struct {
		rule    string
		scene   []string
		answers []string
		verdict report.Verdict
		reasons []string
	}{
		{"five of a hundred that come to no answer here regress", hundred("pass tool"), comparetest.RerunLines("x", "pass/tool", 5), report.Failed,
			[]string{"error max_regressions: 5 regressions confirmed by fresh runs, max_regressions is 0"}},
		{"five that get none at all leave the run undecided", hundred("pass timeout"), comparetest.RerunLines("x", "pass/timeout", 5), report.Undecided,
			[]string{"error answers_lost: 5 cases have no answer now, however often asked, and had some before: s/x00, s/x01, s/x02, s/x03, s/x04; possibly this change's fault, but no score"}},
		{"one is enough", append(comparetest.CaseLines("a", "pass pass", 99), "s/x pass crash"), []string{"s/x pass/crash"}, report.Undecided,
			[]string{"error answers_lost: 1 case has no answer now, however often asked, and had some before: s/x; possibly this change's fault, but no score"}},
		{"five that come back pass", hundred("pass timeout"), comparetest.RerunLines("x", "pass/pass", 5), report.Passed, nil},
		{"five that neither side answers any more are open, however small the share", hundred("pass timeout"), comparetest.RerunLines("x", "timeout/timeout", 5), report.Undecided,
			[]string{"error confirm_incomplete: 5 cases have no answer now and had some before, and could not be rerun often enough to say why"}},
		{"as they are where the base alone is lost", hundred("pass timeout"), comparetest.RerunLines("x", "timeout/pass", 5), report.Undecided,
			[]string{"error confirm_incomplete: 5 cases have no answer now and had some before, and could not be rerun often enough to say why"}},
		{"an outage behind what is no answer proves no regression", append(comparetest.CaseLines("a", "pass pass", 99), "s/x pass tool"), []string{"s/x pass/timeout"}, report.Undecided,
			[]string{"error confirm_incomplete: 1 case has no answer now and had some before, and could not be rerun often enough to say why"}},
		{"a regression that is proven stays failed beside a loss", append(comparetest.CaseLines("a", "pass pass", 90), "s/x pass timeout", "s/y pass tool"),
			[]string{"s/x pass/timeout", "s/y pass/tool"}, report.Failed,
			[]string{"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0",
				"error answers_lost: 1 case has no answer now, however often asked, and had some before: s/x; possibly this change's fault, but no score"}},
		{"a recorded case that lacks its answer is not asked", []string{"s/x pass error recorded", "s/y pass pass"}, nil, report.Undecided,
			[]string{"error max_unscored: 1 of 1 strict trial without a score: share 1.000 is above max_unscored 0.000"}},
		{"a case that must pass fails if what came is proven to be no answer", append(comparetest.CaseLines("a", "pass pass", 30), "s/x pass tool must"), []string{"s/x pass/tool"}, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: error, and in 8 of 8 fresh runs (0 before)",
				"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0"}},
		{"it is a warning if the answer came back", append(comparetest.CaseLines("a", "pass pass", 30), "s/x pass timeout must"), []string{"s/x pass/pass"}, report.Passed,
			[]string{"warn must_pass: must-pass case s/x had no score (timeout), and a right one in 1 of 1 fresh run"}},
		{"and undecided if it did not", append(comparetest.CaseLines("a", "pass pass", 30), "s/x pass timeout must"), []string{"s/x timeout/timeout"}, report.Undecided,
			[]string{"error must_pass: must-pass case s/x has no score: timeout",
				"error confirm_incomplete: 1 case has no answer now and had some before, and could not be rerun often enough to say why"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, verdict, reasons, _ := settle(t, comparetest.GateWithReruns(), c.scene, c.answers...)
			if diff := cmp.Diff(c.reasons, reasons); verdict != c.verdict || diff != "" {
				t.Errorf("verdict %s, want %s; reasons (-want +got):\n%s", verdict, c.verdict, diff)
			}
			if got.Delta == nil || *got.Delta != 0 {
				t.Errorf("delta %v: what has no first answer enters none", got.Delta)
			}
		})
	}
}

func TestALossIsAskedOnce(t *testing.T) {
	p := comparetest.NewRerunner(t, []string{"s/x pass timeout", "s/y pass fail"}, "s/x pass/pass", "s/y pass/pass")
	once := map[string]bool{}
	_, err := settled(comparetest.GateWithReruns(), gate.Run{Head: p.Head.Side()}, p.Base.Side(), comparetest.Caller{Rerun: func(wants []report.RerunRequest) error {
		for _, w := range wants {
			once[w.CaseID] = w.NoRetry
		}
		return p.Rerun(wants)
	}})
	if err != nil || !once["x"] || once["y"] {
		t.Errorf("asked once: %v, error %v; want the case without an answer alone", once, err)
	}
}
