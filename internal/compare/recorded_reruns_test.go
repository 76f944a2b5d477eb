package compare_test

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

// runRecordedReruns runs a scene of recorded cases through the gate. fresh holds, by suite/case, the fresh answers of
// base and head, a letter each: "yyyyyyyy/nnnnnnnn". A dot is an answer that did not come, and a dash one that was not
// recorded.
func runRecordedReruns(t *testing.T, g config.Gate, lines []string, fresh map[string]string) (compare.Comparison, report.Verdict, []string) {
	t.Helper()
	s := &comparetest.Scene{}
	s.AddLines(t, lines...)
	letters := map[byte]string{'y': "pass", 'n': "fail", '.': "timeout"}
	ask := func(wants []report.RerunRequest) error {
		for _, w := range wants {
			base, head, _ := strings.Cut(fresh[w.SuiteID+"/"+w.CaseID], "/")
			for i := range w.Rounds {
				for to, word := range map[*report.Builder]string{&s.Base: base, &s.Head: head} {
					if word[i] == '-' {
						continue
					}
					r := comparetest.Result(w.SuiteID, w.CaseID, w.FirstNumber+i, letters[word[i]])
					r.RerunReason, r.Replayed = w.Reason, true
					if err := to.Add(r, report.Ref{}); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	policy := g
	in := gate.Run{Head: s.Head.Side(), Base: s.Base.Side(), BaseState: report.BaseCompared}
	recorded := func(suiteID, caseID string) (int, string) {
		base, _, _ := strings.Cut(fresh[suiteID+"/"+caseID], "/")
		return len(base), "recordings/" + suiteID + ".jsonl"
	}
	c, err := comparetest.Caller{Rerun: ask, HasFailed: in.Fails}.Compare(policy, compare.Sides{Head: in.Head, Base: in.Base, RecordedReruns: recorded})
	if err != nil {
		t.Fatal(err)
	}
	if c.RecordedReruns != nil && len(c.RecordedReruns.Candidates) > 0 {
		want := *c.RecordedReruns
		want.Files = []string{} // whoever reads the answers back was told of no file
		stored, err := settled(policy, gate.Run{Head: in.Head, Base: in.Base, BaseState: report.BaseCompared}, in.Base, comparetest.Caller{})
		if diff := cmp.Diff(&want, stored.RecordedReruns); err != nil || diff != "" {
			t.Errorf("the sides by themselves: %v (-asked +stored):\n%s", err, diff)
		}
	}
	in.Comparison = c
	verdict, reasons := gate.Decide(policy, in)
	return c, verdict, comparetest.ReasonLines(reasons)
}

func TestFreshAnswersDecideAFlipOfARecording(t *testing.T) {
	const flip, right, wrong, mixed = "s/x pass fail drawn", "yyyyyyyy/yyyyyyyy", "yyyyyyyy/nnnnnnnn", "yyyyyyyy/nnnnyyyy"
	regressed := []string{"error max_regressions: 1 regression, max_regressions is 0"}
	const oneDraw = " flipped; one answer each cannot tell chance from a change"
	open := []string{"error unsettled_flips: 1 answer" + oneDraw}
	confirmed := []string{"error max_regressions: 1 regression confirmed by fresh runs, max_regressions is 0"}
	mode := func(mode string) func(*config.Gate) { return func(g *config.Gate) { g.Mode = mode } }
	for _, c := range []struct {
		rule    string
		gate    func(*config.Gate)
		scene   []string
		fresh   map[string]string
		verdict report.Verdict
		reasons []string
	}{
		{"without them it is not settled", nil, []string{flip}, nil, report.Undecided, open},
		{"as many as may regress need not be settled", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(1) }, []string{flip}, nil, report.Passed, nil},
		{"they count with the regressions", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(1) }, []string{flip, "s/h pass fail recorded"}, nil,
			report.Undecided, open},
		{"a must-pass case that is not settled decides nothing either", nil, []string{flip + " must"}, nil, report.Undecided,
			[]string{"error must_pass: must-pass case s/x failed: fail; one answer each cannot tell chance from a change", open[0]}},
		{"without them an answer by hand counts, on the base", nil, []string{"s/x pass fail recorded-base drawn-head"}, nil, report.Failed, regressed},
		{"and on the head", nil, []string{"s/x pass fail drawn-base recorded-head"}, nil, report.Failed, regressed},
		{"several draws a side count by their majority", nil, []string{"s/x pass,pass,pass fail,fail,fail drawn"}, nil, report.Failed,
			[]string{regressed[0], "warn on_inconclusive: recorded answers: score fell by 100.0 points, 1 case worse, none better: 1 in 20 if nothing changed: " +
				"a possible drop, not confirmed (a drop blocks the merge from 1 in 100 on)"}},
		{"a gate that takes answers as they are takes each draw so", mode(config.ModeStrict), []string{flip}, nil, report.Failed, regressed},
		{"a round without both answers settles nothing", nil, []string{flip}, map[string]string{"s/x": "yyyyyyyy/........"}, report.Undecided, open},
		{"nor does one that the base alone has", nil, []string{flip}, map[string]string{"s/x": "yyyyyyyy/nnn-----"}, report.Undecided, open},
		{"a flip that they do not confirm does not", nil, []string{flip}, map[string]string{"s/x": right}, report.Passed, nil},
		{"one that they do does", nil, []string{flip}, map[string]string{"s/x": wrong}, report.Failed, confirmed},
		{"half of them wrong prove nothing", nil, []string{flip}, map[string]string{"s/x": mixed}, report.Passed, nil},
		{"as soon as no further round could prove it, it is settled", nil, []string{flip}, map[string]string{"s/x": "yyyy/yyyy"}, report.Passed, nil},
		{"so few that more of them might prove it settle nothing", nil, []string{flip}, map[string]string{"s/x": "yyyy/nnnn"}, report.Undecided, open},
		{"nor do they take away what an answer by hand says", nil, []string{"s/x pass fail drawn-base recorded-head"}, map[string]string{"s/x": "yyyy/nnnn"}, report.Failed, regressed},
		{"five are enough for one case", nil, []string{flip}, map[string]string{"s/x": "yyyyy/nnnnn"}, report.Failed, confirmed},
		{"every flip shares in the chance, with fresh answers or without", nil, append(comparetest.CaseLines("a", "pass fail drawn", 3), "s/x pass fail drawn"),
			map[string]string{"s/x": "yyyyy/nnnnn"}, report.Undecided, []string{"error unsettled_flips: 4 answers" + oneDraw}},
		{"a round of which an answer did not come is none", nil, []string{flip}, map[string]string{"s/x": "yyyyy..." + "/" + "nnnnnnnn"}, report.Failed, confirmed},
		{"confirmed ones stand beside those that are not settled", nil, []string{"s/w pass fail drawn", flip}, map[string]string{"s/x": wrong}, report.Failed,
			[]string{confirmed[0], open[0]}},
		{"confirmed ones stand beside those that count as they are", nil, []string{"s/w pass fail recorded", flip}, map[string]string{"s/x": wrong}, report.Failed,
			[]string{"error max_regressions: 2 regressions, 1 of them confirmed by fresh runs, max_regressions is 0"}},
		{"a gate that takes answers as they are takes these so too", mode(config.ModeStrict), []string{flip}, map[string]string{"s/x": right}, report.Failed, regressed},
		{"a must-pass case that they clear warns", nil, []string{flip + " must"}, map[string]string{"s/x": right}, report.Passed,
			[]string{"warn must_pass: must-pass case s/x answered wrong, and not so when asked 8 times more: right 8 of 8 before, 8 of 8 now"}},
		{"one that they confirm fails", nil, []string{flip + " must"}, map[string]string{"s/x": wrong}, report.Failed,
			[]string{"error must_pass: must-pass case s/x failed: fail, and in 8 of 8 fresh runs (0 before)", confirmed[0]}},
		{"a cleared flip is no drop", func(g *config.Gate) { g.Settings[config.MaxDrop] = comparetest.ErrorAt(0) }, []string{flip}, map[string]string{"s/x": right}, report.Passed, nil},
		{"a default bar that draws miss is open if the flips are noise", func(g *config.Gate) { g.Settings[config.MinRunScore] = config.Setting{Value: 0.85, Level: config.Err} },
			append(comparetest.CaseLines("a", "pass pass drawn", 4), flip), map[string]string{"s/x": right}, report.Passed,
			[]string{"warn min_run_score: run score 0.800 is below min_run_score 0.850; the base met it, and the miss may be noise: " +
				"a rerun would score between 0.376 and 0.964"}},
		{"one that is named is not", func(g *config.Gate) { g.Settings[config.MinRunScore] = comparetest.ErrorAt(0.85) },
			append(comparetest.CaseLines("a", "pass pass drawn", 4), flip), map[string]string{"s/x": right}, report.Failed,
			[]string{"error min_run_score: run score 0.800 is below min_run_score 0.850"}},
		{"a case in quarantine is none of these", func(g *config.Gate) { g.Quarantine = []config.Quarantine{{ID: "s/x"}} }, []string{flip, "s/y pass pass drawn"},
			map[string]string{"s/x": wrong}, report.Passed, nil},
		{"a live case beside it is asked by itself", func(g *config.Gate) { g.Confirm = 0 }, []string{flip, "s/y pass pass"}, map[string]string{"s/x": right}, report.Passed, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := comparetest.GateWithReruns()
			if c.gate != nil {
				c.gate(&g)
			}
			got, verdict, reasons := runRecordedReruns(t, g, c.scene, c.fresh)
			if diff := cmp.Diff(c.reasons, reasons); verdict != c.verdict || diff != "" {
				t.Errorf("verdict %s, want %s; reasons (-want +got):\n%s\n%+v", verdict, c.verdict, diff, got.RecordedReruns)
			}
		})
	}
}

func TestAFlipByHandAloneTellsOfNoReruns(t *testing.T) {
	if c, _, _ := runRecordedReruns(t, comparetest.GateWithReruns(), []string{"s/x pass fail recorded"}, nil); c.RecordedReruns != nil {
		t.Errorf("%+v, want none: nothing was sampled", c.RecordedReruns)
	}
}

func TestWhatFreshAnswersCameToIsTold(t *testing.T) {
	c, _, _ := runRecordedReruns(t, comparetest.GateWithReruns(), []string{"s/x pass fail drawn", "s/y pass fail drawn", "s/z pass fail drawn", "s/h pass fail recorded", "s/ok pass pass drawn"},
		map[string]string{"s/x": "yyyyyyyy/nnnnnnny", "s/y": "yyyyyyyy/yyyyyyyy", "s/h": "y/n"})
	chance := 9.0 / 12870 // 9 of C(16, 8) ways
	want := &report.RecordedReruns{Flips: 4, Level: 0.01 / 4, Files: []string{"recordings/s.jsonl"}, Candidates: []report.Candidate{
		{SuiteID: "s", CaseID: "x", State: report.CandidateConfirmed, Rounds: 8, BasePasses: 8, HeadPasses: 1, P: &chance},
		{SuiteID: "s", CaseID: "y", State: report.CandidateCleared, Rounds: 8, BasePasses: 8, HeadPasses: 8},
		{SuiteID: "s", CaseID: "z", State: report.CandidateUnprovable},
		{SuiteID: "s", CaseID: "h", State: report.CandidateUnprovable, Rounds: 1, BasePasses: 1},
	}}
	if diff := cmp.Diff(want, c.RecordedReruns, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Counts[report.Regressed] != 2 || c.Counts[report.Flaky] != 2 {
		t.Errorf("counts %v", c.Counts)
	}
}
