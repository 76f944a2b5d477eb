package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// moved are sides whose cases stand in several suites, each with a key of its own: suite, id, key and classification of
// each.
func moved(t *testing.T, base, head [][4]string) (b, h *report.Side) {
	t.Helper()
	var out [2]report.Builder
	for i, cases := range [][][4]string{base, head} {
		for _, c := range cases {
			r := comparetest.Result(c[0], c[1], 1, c[3])
			r.ExpectationKey, r.Replayed = c[2], true
			if err := out[i].Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	h = out[1].Side()
	return compare.JoinSuites(out[0].Side(), h), h
}

var (
	beforeMove = [][4]string{{"a", "1", "k1", "pass"}, {"a", "2", "k2", "pass"}, {"a", "3", "k3", "pass"}, {"a", "4", "k4", "pass"}, {"b", "1", "k5", "pass"}}
	afterMove  = [][4]string{{"a", "1", "k1", "pass"}, {"a", "2", "k2", "pass"}, {"a", "3", "k3", "pass"}, {"b", "1", "k5", "pass"}, {"b", "x", "k4", "fail"}}
	afterMerge = [][4]string{{"c", "1", "k1", "pass"}, {"c", "2", "k2", "pass"}, {"c", "3", "k3", "pass"}, {"c", "4", "k4", "fail"}, {"c", "5", "k5", "pass"}}
)

func TestAMovedCaseCountsInItsSuiteOfTheHeadWithItsAnswerOfTheBase(t *testing.T) {
	base, head := moved(t, beforeMove, afterMove)
	c := comparetest.Compare(base, head)
	if c.Counts[report.Regressed] != 1 || c.Counts[report.StillPassing] != 4 {
		t.Errorf("counts %v, want one regression and four that still pass", c.Counts)
	}
	for _, row := range c.Suites {
		want := map[string][2]float64{"a": {1, 0}, "b": {1, -0.5}}[row.SuiteID]
		if *row.BaseScore != want[0] || *row.Delta != want[1] {
			t.Errorf("suite %s: base score %v and delta %v, want %v", row.SuiteID, *row.BaseScore, *row.Delta, want)
		}
	}
	for _, change := range c.Changes {
		want := map[string]string{"b/x": "a/4"}[change.SuiteID+"/"+change.CaseID]
		if change.BaseName != want {
			t.Errorf("case %s/%s was %q, want %q", change.SuiteID, change.CaseID, change.BaseName, want)
		}
	}
}

func TestASuiteWhoseCasesAllMovedHasNoRow(t *testing.T) {
	base, head := moved(t, beforeMove, afterMerge)
	var rows []string
	for _, row := range comparetest.Compare(base, head).Suites {
		rows = append(rows, row.SuiteID)
	}
	if diff := cmp.Diff([]string{"c"}, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestABarIsHeldOverTheCasesThatTheBasesSuiteHad(t *testing.T) {
	for name, after := range map[string][][4]string{"moved": afterMove, "merged": afterMerge} {
		base, head := moved(t, beforeMove, after)
		bar := 0.8
		base.Suite("a").MinScore = &bar
		if a := head.Suite("a"); a != nil {
			a.MinScore = &bar
		}
		policy := comparetest.GateWithoutReruns()
		policy.Settings[config.MaxRegressions] = comparetest.ErrorAt(5)
		_, reasons := gate.Decide(policy, gate.Run{Head: head, Base: base, Comparison: comparetest.Compare(base, head), BaseState: report.BaseCompared})
		want := "error min_score: suite a: score over the base's 4 cases 0.750 is below min_score 0.800"
		if got := comparetest.ReasonLines(reasons); len(got) == 0 || got[0] != want {
			t.Errorf("%s: reasons %q, want %q", name, got, want)
		}
	}
}

func TestAQuarantineMeansTheBasesCaseWhereverItStands(t *testing.T) {
	base, head := moved(t, beforeMove, afterMove)
	for id, want := range map[string]int{"a/4": 0, "b/x": 1, "b/4": 1} {
		policy := comparetest.GateWithoutReruns()
		policy.Quarantine = []config.Quarantine{{ID: id}}
		c, err := settled(policy, gate.Run{Head: head, Base: base}, base, comparetest.Caller{})
		if b := c.Suites[1]; err != nil || c.Regressions() != want || b.SuiteID != "b" || b.Quarantined != 1-want {
			t.Errorf("%s in quarantine: %d regressions (%v), and %d quarantined in the head's suite; want %d, %d", id, c.Regressions(), err, b.Quarantined, want, 1-want)
		}
	}
}

func TestAMovedCaseThatKeepsItsIDSaysWhereItWas(t *testing.T) {
	base, head := moved(t, beforeMove, [][4]string{{"a", "1", "k1", "pass"}, {"a", "2", "k2", "pass"}, {"a", "3", "k3", "pass"}, {"b", "1", "k5", "pass"}, {"b", "4", "k4", "fail"}})
	if got := comparetest.Compare(base, head).Changes[4]; got.CaseID != "4" || got.BaseName != "a/4" {
		t.Errorf("case %s/%s was %q, want a/4", got.SuiteID, got.CaseID, got.BaseName)
	}
}

func TestADropIsMeasuredOverTheSuitesOfEachRevision(t *testing.T) {
	base, head := moved(t, beforeMove, afterMove)
	base.Suite("a").Weight, head.Suite("b").Weight = 3, 0.25
	g := comparetest.GateWithoutReruns()
	g.Settings[config.MaxDrop] = comparetest.ErrorAt(0)
	c := comparetest.Compare(base, head)
	for _, one := range []struct {
		rule   string
		deltas []compare.Delta
		want   map[string]float64
		run    float64
	}{
		{"the head's suites", c.LiteralDeltas(g), map[string]float64{"a": 0, "b": -0.5}, -0.1},
		{"the base's suites", c.LiteralDeltasAtBase(g), map[string]float64{"a": -0.25, "b": 0}, -0.1875},
	} {
		cases := 0
		for _, d := range one.deltas {
			if d.Mean != one.want[d.SuiteID] {
				t.Errorf("%s: suite %s changed by %v, want %v", one.rule, d.SuiteID, d.Mean, one.want[d.SuiteID])
			}
			cases += d.Cases
		}
		run, covered, ok := compare.RunDelta(one.deltas)
		if len(one.deltas) != 2 || cases != 5 || covered != 5 || !ok || run != one.run {
			t.Errorf("%s: %v, the run by %v over %d cases; want two suites of five cases, and %v", one.rule, one.deltas, run, covered, one.run)
		}
	}
	if !c.HasMovedCases() || comparetest.Compare(base, base).HasMovedCases() {
		t.Error("moved cases: want some, and none of a side to itself")
	}
	g.Settings[config.MaxDrop].Level = config.Off
	if found := append(c.LiteralDeltas(g), c.LiteralDeltasAtBase(g)...); found != nil {
		t.Errorf("%v: single answers are judged by their flips unless the gate sets a drop", found)
	}
	if _, _, ok := compare.RunDelta([]compare.Delta{{SuiteID: "s", Mean: -1, Cases: 1}}); ok {
		t.Error("a suite without a weight gives the run no drop")
	}
}

func TestADropLeavesOutWhatCannotBeCompared(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass fail", "s/new - pass", "s/gone pass -", "s/edited pass fail redefined", "s/lost pass timeout", "s/q pass fail")
	g := comparetest.GateWithoutReruns()
	g.Mode, g.Settings[config.MaxDrop], g.Quarantine = config.ModeStrict, comparetest.ErrorAt(0), []config.Quarantine{{ID: "s/q"}}
	c, err := settled(g, gate.Run{Head: head}, base, comparetest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for _, deltas := range [][]compare.Delta{c.LiteralDeltas(g), c.LiteralDeltasAtBase(g)} {
		if len(deltas) != 1 || deltas[0].Mean != -1 || deltas[0].Cases != 1 {
			t.Errorf("%+v, want one case that fell by 1", deltas)
		}
	}
	if n := c.Count((*compare.Case).IsShared); n != 1 {
		t.Errorf("%d shared cases, want 1", n)
	}
}

func TestAMovedCaseKeepsItsRerunsWhenTheCasesOfOneSideCome(t *testing.T) {
	var base, head report.Builder
	add := func(to *report.Builder, suite, id, key string, trial int, category string, reason report.RerunReason) {
		r := comparetest.Result(suite, id, trial, category)
		r.ExpectationKey, r.RerunReason = key, reason
		if err := to.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	joined, _ := moved(t, beforeMove, afterMove)
	base.Plan(nil, joined.Matches)
	for i, side := range [][][4]string{beforeMove, afterMove} {
		for _, c := range side {
			add([]*report.Builder{&base, &head}[i], c[0], c[1], c[2], 1, c[3], "")
		}
	}
	b, h := base.Side(), head.Side()
	c, err := settled(comparetest.GateWithReruns(), gate.Run{Head: h, Base: b, BaseState: report.BaseCompared}, b, comparetest.Caller{
		Rerun: func(wants []report.RerunRequest) error {
			for _, w := range wants {
				add(&base, "a", "4", "k4", w.FirstNumber, "pass", w.Reason)
				add(&head, w.SuiteID, w.CaseID, "k4", w.FirstNumber, "fail", w.Reason)
			}
			return nil
		},
		RunOneSided: func() error {
			add(&head, "b", "new", "k6", 1, "pass", "")
			add(&base, "b", "gone", "k7", 1, "pass", "")
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]report.Status{"a/1": report.StillPassing, "a/2": report.StillPassing, "a/3": report.StillPassing, "b/1": report.StillPassing,
		"b/x": report.Regressed, "b/new": report.New, "b/gone": report.Removed}
	got := map[string]report.Status{}
	for p := range c.All() {
		got[p.SuiteID()+"/"+p.ID()] = p.Status
		if flipped := p.ID() == "x"; flipped != (p.Candidate != nil && p.Candidate.Rounds == 8) {
			t.Errorf("case %s/%s: reruns %+v, want eight of the case that moved, and none of others", p.SuiteID(), p.ID(), p.Candidate)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	for _, row := range c.Suites {
		if row.SuiteID == "b" && (row.Cases != 3 || *row.BaseScore != 1) {
			t.Errorf("suite b: %d cases, base score %v; want the new case and the removed one in it", row.Cases, *row.BaseScore)
		}
	}
}
