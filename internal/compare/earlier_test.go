package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

func TestEarlierRerunsMakeAWrongRecordedAnswerCountAsRight(t *testing.T) {
	open := []string{"error unsettled_flips: 1 answer flipped; one answer each cannot tell chance from a change"}
	for _, c := range []struct {
		rule    string
		mode    string
		scene   string
		earlier string // a letter each; a dot is an answer that did not come
		status  report.Status
		verdict report.Verdict
		reasons []string
	}{
		{"none", "", "s/x fail fail drawn", "", report.StillFailing, report.Passed, nil},
		{"most are right", "", "s/x fail fail drawn", "yyn", report.Flaky, report.Undecided, open},
		{"half are right", "", "s/x fail fail drawn", "yn", report.StillFailing, report.Passed, nil},
		{"an answer that did not come counts for nothing", "", "s/x fail fail drawn", "y.", report.Flaky, report.Undecided, open},
		{"a redefined answer that meets neither expectation", "", "s/x fail fail drawn old:fail", "yyy", report.Flaky, report.Undecided, open},
		{"a redefined answer that meets the old one", "", "s/x fail fail drawn old:pass", "yyy", report.Redefined, report.Passed, nil},
		{"a hand-written answer proves no regression of it", "", "s/x fail fail recorded", "yyy", report.Flaky, report.Undecided, open},
		{"a must-pass case waits for its reruns", "", "s/x fail fail drawn must", "yyy", report.Flaky, report.Undecided,
			[]string{"error must_pass: must-pass case s/x failed: fail; one answer each cannot tell chance from a change", open[0]}},
		{"at most eight count", "", "s/x fail fail drawn", "nnnnyyyyyyyy", report.StillFailing, report.Passed, nil},
		{"a right answer is no fix of what was right", "", "s/x fail pass drawn", "yyy", report.Flaky, report.Passed, nil},
		{"a right answer is a fix of what was mostly wrong", "", "s/x fail pass drawn", "ynn", report.Fixed, report.Passed, nil},
		{"mode strict takes each answer as it is", config.ModeStrict, "s/x fail fail drawn", "yyy", report.StillFailing, report.Passed, nil},
		{"a live case is noisy", "", "s/x fail fail", "yyy", report.StillFailing, report.Passed, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := &comparetest.Scene{}
			s.AddLines(t, c.scene)
			g := comparetest.GateWithReruns()
			if c.mode != "" {
				g.Mode = c.mode
			}
			in := gate.Run{Head: s.Head.Side(), Base: s.Base.Side(), BaseState: report.BaseCompared}
			earlier := func(string, string) (out []model.Response) {
				for _, letter := range c.earlier {
					out = append(out, model.Response{Text: model.Untrusted(letter)})
				}
				return out
			}
			judge := func(wants []report.RerunRequest) error {
				for i, w := range wants {
					if w.Reason != report.RerunEarlier {
						continue
					}
					if c.status == report.Redefined || w.FirstNumber != 2+i {
						t.Errorf("answer %d is judged as trial %d; want them after the first, and none that changes nothing", i, w.FirstNumber)
					}
					r := comparetest.Result(w.SuiteID, w.CaseID, w.FirstNumber, map[model.Untrusted]string{"y": "pass", "n": "fail", ".": "timeout"}[w.Answers[0].Text])
					r.RerunReason, r.Replayed = w.Reason, true
					if err := s.Base.Add(r, report.Ref{}); err != nil {
						return err
					}
				}
				return nil
			}
			var err error
			in.Comparison, err = comparetest.Caller{Rerun: judge, HasFailed: in.Fails}.Compare(g, compare.Sides{Head: in.Head, Base: in.Base, EarlierReruns: earlier})
			if err != nil {
				t.Fatal(err)
			}
			for p := range in.Comparison.All() {
				if p.Status != c.status {
					t.Errorf("status %s, want %s", p.Status, c.status)
				}
			}
			verdict, reasons := gate.Decide(g, in)
			if diff := cmp.Diff(c.reasons, comparetest.ReasonLines(reasons)); diff != "" || verdict != c.verdict {
				t.Errorf("verdict %s, want %s; reasons (-want +got):\n%s", verdict, c.verdict, diff)
			}
		})
	}
}
