package noise_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

func defaults() noise.Settings {
	return noise.Settings{Trials: 1, Confirm: 8, MaxCandidates: 20, Alpha: 0.01, WarnAlpha: 0.05, MaxDrop: 0.02, MaxErrored: 0.05}
}

// caseOf reads a case in short: "id base/head marks", a trial being 1, 0 or e for an error, no trials for no such case.
func caseOf(t *testing.T, text string) noise.Case {
	t.Helper()
	fields := strings.Fields(text)
	base, head, ok := strings.Cut(fields[1], "/")
	if !ok {
		t.Fatalf("case %q: want base/head", text)
	}
	c := noise.Case{ID: fields[0], Base: trials(base), Head: trials(head)}
	for _, mark := range fields[2:] {
		switch mark {
		case "changed":
			c.Changed = true
		case "either":
			c.Changed, c.Either = true, true
		case "must":
			c.MustPass = true
		case "reused":
			c.Reused = true
		case "quarantined":
			c.Quarantined = true
		case "outage":
			c.Loss = classify.LossOutage
		case "unreadable":
			c.Loss = classify.LossUnreadable
		case "unasked":
			c.Loss = classify.LossNotAsked
		default:
			t.Fatalf("case %q: unknown mark", text)
		}
	}
	return c
}

func trials(text string) *noise.Side {
	if text == "" {
		return nil
	}
	lost := strings.Count(text, "e")
	return side(strings.Count(text, "1"), len(text)-lost, lost)
}

func side(passed, trials, lost int) *noise.Side {
	return &noise.Side{Count: stats.Count{Passed: passed, Trials: trials}, Unscored: lost, Planned: trials + lost}
}

func procedure(t *testing.T, s noise.Settings, cases ...string) *noise.Procedure {
	t.Helper()
	one := noise.Suite{ID: "s", Weight: 1}
	for _, text := range cases {
		c := caseOf(t, text)
		if s.NoReruns { // a run without an answer does not count
			c.Base.Planned, c.Head.Planned = c.Base.Trials, c.Head.Trials
		}
		one.Cases = append(one.Cases, c)
	}
	return noise.New(s, []noise.Suite{one})
}

// answers are what a case says when it is asked afresh: rounds of base and head, each 1, 0 or e; the last one repeats.
type answers map[string]string

func (a answers) run(t *testing.T, p *noise.Procedure) (asked int) {
	t.Helper()
	next := map[string]int{}
	for {
		asks := p.Needs()
		if len(asks) == 0 {
			return asked
		}
		for _, ask := range asks {
			rounds := strings.Split(a[ask.CaseID], " ")
			for range ask.Rounds {
				round := rounds[min(next[ask.CaseID], len(rounds)-1)]
				next[ask.CaseID]++
				asked++
				p.Add(ask.Reason, ask.SuiteID, ask.CaseID, trial(round[0]), trial(round[1]))
			}
		}
	}
}

// trial reads 1 and 0, e for an outage, u for what is no answer, and n for one that nobody was asked for.
func trial(b byte) report.Rerun {
	losses := map[byte]classify.Loss{'e': classify.LossOutage, 'u': classify.LossUnreadable, 'n': classify.LossNotAsked}
	return report.Rerun{Passed: b == '1', Loss: losses[b]}
}

func brief(test *report.ConfirmTest) (out []string) {
	for _, s := range test.Candidates {
		out = append(out, fmt.Sprintf("%s %s %d/%d %d/%d", s.CaseID, s.State, s.BasePasses, s.Rounds, s.HeadPasses, s.Rounds))
	}
	return out
}

func TestConfirm(t *testing.T) {
	for _, c := range []struct {
		rule    string
		cases   []string
		answers answers
		set     func(*noise.Settings)
		want    []string
	}{
		{"a case that never passes again is confirmed after eight rounds", []string{"a 1/0"}, answers{"a": "10"}, nil, []string{"a confirmed 8/8 0/8"}},
		{"a case that is back to normal is cleared as soon as that is certain", []string{"a 1/0"}, answers{"a": "11"}, nil, []string{"a cleared 3/3 3/3"}},
		{"a case that fails on both sides is cleared", []string{"a 1/0"}, answers{"a": "00"}, nil, []string{"a cleared 0/3 0/3"}},
		{"only fresh runs count: a mixed case is not proven", []string{"a 1/0"}, answers{"a": "10 10 11 10 11 10 11"}, nil, []string{"a cleared 7/7 3/7"}},
		{"the head alone can be the flaky one and is still proven", []string{"a 1/0"}, answers{"a": "10 11 10 11 10"}, nil, []string{"a confirmed 8/8 2/8"}},
		{"a lost answer costs its round, which is asked over", []string{"a 1/0"}, answers{"a": "e0 10"}, nil, []string{"a confirmed 8/8 0/8"}},
		{"too many lost answers leave it open", []string{"a 1/0"}, answers{"a": "1e"}, nil, []string{"a incomplete 0/0 0/0"}},
		{"fixed and failing cases are nobody's suspects", []string{"a 0/1", "b 0/0", "c 1/1"}, nil, nil, nil},
		{"neither is a case without an answer, or on one side only", []string{"a 1/e", "b /0", "c 1/"}, nil, nil, nil},
		{"nor one whose answer serves both sides", []string{"a 0/0 reused"}, nil, nil, nil},
		{"nor one in quarantine", []string{"a 1/0 quarantined"}, nil, nil, nil},
		{"a tie is no majority", []string{"a 11/10"}, answers{"a": "11"}, nil, []string{"a cleared 3/3 3/3"}},
		{"two of three still pass", []string{"a 111/110"}, nil, nil, nil},
		{"unless the case must pass", []string{"a 111/110 must"}, answers{"a": "11"}, nil, []string{"a cleared 3/3 3/3"}},
		{"a case that must pass comes first, then the worst, then by name", []string{"d 111/000", "c 111/100", "b 111/000", "a 111/110 must"},
			answers{"a": "11", "b": "11", "c": "11", "d": "11"}, nil,
			[]string{"a cleared 2/2 2/2", "b cleared 2/2 2/2", "d cleared 2/2 2/2", "c cleared 2/2 2/2"}},
		{"beyond the cap they are named and not asked", []string{"a 1/0", "b 1/0"}, answers{"a": "10"}, func(s *noise.Settings) { s.MaxCandidates = 1 },
			[]string{"a confirmed 8/8 0/8", "b not_rerun 0/0 0/0"}},
		{"what is no answer is as wrong as a wrong one", []string{"a 1/0"}, answers{"a": "1u"}, nil, []string{"a confirmed 8/8 0/8"}},
		{"no more are asked than the rounds can prove at once", []string{"a 1/0", "b 1/0", "c 1/0", "d 1/0", "e 1/0"}, answers{"a": "11", "b": "11", "c": "11", "d": "10"},
			func(s *noise.Settings) { s.Confirm = 6 }, []string{"a cleared 1/1 1/1", "b cleared 1/1 1/1", "c cleared 1/1 1/1", "d confirmed 6/6 0/6", "e not_rerun 0/0 0/0"}},
		{"though it be one case alone", []string{"a 1/0", "b 1/0"}, answers{"a": "10"}, func(s *noise.Settings) { s.Confirm = 5 },
			[]string{"a confirmed 5/5 0/5", "b not_rerun 0/0 0/0"}},
		{"rounds that could prove nothing are not asked", []string{"a 1/0"}, nil, func(s *noise.Settings) { s.Confirm = 3 }, []string{"a unprovable 0/0 0/0"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := defaults()
			if c.set != nil {
				c.set(&s)
			}
			p := procedure(t, s, c.cases...)
			c.answers.run(t, p)
			if diff := cmp.Diff(c.want, brief(p.Finding().Numbers.Confirm)); diff != "" {
				t.Errorf("suspects of %q (-want +got):\n%s", c.cases, diff)
			}
		})
	}
}

func TestABrokenCaseAmongManyLooksBroken(t *testing.T) {
	all := answers{}
	cases := many("1/0", 20)
	for _, one := range cases {
		all[strings.Fields(one)[0]] = "11"
	}
	broken := strings.Fields(cases[0])[0]
	all[broken] = "10 10 10 10 10 10 10 00"
	p := procedure(t, defaults(), cases...)
	all.run(t, p)
	test := p.Finding().Numbers.Confirm
	for _, s := range test.Candidates {
		if s.State != report.CandidateCleared || s.Likely != (s.CaseID == broken) || s.Likely != (s.P != nil) {
			t.Errorf("%+v: want the one that alone would be proven to look broken", s)
		}
	}
}

// many are n cases of one kind.
func many(kind string, n int) (out []string) {
	for i := range n {
		name := strings.NewReplacer("/", "-", " ", "-").Replace(kind)
		out = append(out, fmt.Sprintf("%s%02d %s", name, i, kind))
	}
	return out
}

func TestLooks(t *testing.T) {
	rechecking := func(s *noise.Settings) { s.Recheck = 5 }
	type found struct{ Drop, Recheck, Suspected, RecheckIncomplete bool }
	for _, c := range []struct {
		rule    string
		cases   []string
		answers answers // of all cases alike, under ""
		set     func(*noise.Settings)
		want    found
		asked   int
	}{
		{"nothing moved", many("1/1", 20), nil, nil, found{}, 0},
		{"eight of sixty fell and none rose: the suite as a whole is worse", append(many("1/0", 8), many("1/1", 52)...), answers{"": "11"}, nil,
			found{Drop: true, Suspected: true}, 8},
		{"five fell: suspicious, not proven", append(many("1/0", 5), many("1/1", 35)...), answers{"": "11"}, nil, found{Suspected: true}, 10},
		{"three fell: nothing to say", append(many("1/0", 3), many("1/1", 37)...), answers{"": "11"}, nil, found{}, 6},
		{"a drop too small to matter decides nothing", append(many("1/0", 8), many("1/1", 52)...), answers{"": "11"},
			func(s *noise.Settings) { s.MaxDrop = 0.2 }, found{}, 8},
		{"a suspicion is looked at again, and goes away", append(many("1/0", 5), many("1/1", 35)...), answers{"": "11"}, rechecking, found{}, 5 + 200},
		{"or is proven by the fresh runs", append(many("1/0", 5), many("1/1", 35)...), answers{"": "11 11 10 10 11"}, rechecking,
			found{Recheck: true, Suspected: true}, 5 + 200},
		{"a recheck without answers is no all-clear", append(many("1/0", 5), many("1/1", 35)...), answers{"": "11 e1"}, rechecking,
			found{RecheckIncomplete: true}, 5 + 200},
		{"a run that has failed already is not asked again", append(many("1/0", 5), many("1/1", 35)...), answers{"": "11"},
			func(s *noise.Settings) { s.Recheck, s.AlreadyFailed = 5, true }, found{Suspected: true}, 5},
		{"nor is one that the first looks prove worse", append(many("1/0", 9), many("1/1", 52)...), answers{"": "11"}, rechecking,
			found{Drop: true, Suspected: true}, 9},
		{"unchanged requests are not asked again", append(many("1/0", 5), many("1/1 reused", 35)...), answers{"": "11"}, rechecking, found{}, 5 + 25},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := defaults()
			if c.set != nil {
				c.set(&s)
			}
			p := procedure(t, s, c.cases...)
			all := answers{}
			for _, one := range c.cases {
				all[strings.Fields(one)[0]] = c.answers[""]
			}
			asked := all.run(t, p)
			f := p.Finding()
			got := found{f.Drop, f.Recheck, f.PossibleDrop, f.RecheckIncomplete}
			if got != c.want || asked != c.asked {
				t.Errorf("found %+v after %d rounds, want %+v after %d", got, asked, c.want, c.asked)
			}
		})
	}
}

func TestMissingAnswers(t *testing.T) {
	for _, c := range []struct {
		rule                string
		cases               []string
		many, head, suspect bool
		unscored            int
	}{
		{"one of twenty is accepted", append(many("1/e", 1), many("1/1", 19)...), false, false, false, 0},
		{"two are too many", append(many("1/e", 2), many("1/1", 18)...), true, false, false, 0},
		{"the base's count too", append(many("e/1", 2), many("1/1", 18)...), true, false, false, 0},
		{"seven on the head alone are the head's", append(many("1/e", 7), many("1/1", 200)...), false, true, false, 0},
		{"seven on both are not", append(many("e/e", 7), many("1/1", 200)...), false, false, false, 0},
		{"a suite without any answer is named", many("e/1", 3), true, false, false, 1},
		{"even if it has one case", many("e/1", 1), true, false, false, 1},
		{"a suite of new cases alone lacks nothing", many("/e", 3), false, false, false, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := procedure(t, defaults(), c.cases...)
			f := p.Finding()
			if f.TooManyErrors != c.many || f.HeadErrors != c.head || len(f.Unscored) != c.unscored || f.Drop || len(p.Needs()) > 0 {
				t.Errorf("too many %v, the head's %v, unscored %v; want %v, %v, %d", f.TooManyErrors, f.HeadErrors, f.Unscored, c.many, c.head, c.unscored)
			}
		})
	}
}

// TestRunsOfAnotherRunnerAreAllThereAre judges by the runs that were made, and says how many more it would take.
func TestRunsOfAnotherRunnerAreAllThereAre(t *testing.T) {
	s := noise.Settings{Trials: 1, Confirm: 1, NoReruns: true, MaxCandidates: 20, Alpha: 0.01, WarnAlpha: 0.05}
	ten := "1111111111/0000000000"
	for _, c := range []struct {
		rule  string
		cases []string
		want  []string
		runs  report.RepeatsTest
	}{
		{"ten runs that all turned prove it", []string{"a " + ten}, []string{"a confirmed 10/10 0/10"}, report.RepeatsTest{Compared: 1, Level: 0.005, Enough: 5, Runs: 10, Before: 10, Now: 10}},
		{"fewer prove nothing", []string{"a 111/000"}, []string{"a incomplete 3/3 0/3"}, report.RepeatsTest{Compared: 1, Level: 0.005, Enough: 5, Flipped: 1, Runs: 3, Before: 3, Now: 3}},
		{"a must-pass case that mostly passes is none", []string{"a 111/110 must"}, nil, report.RepeatsTest{Compared: 1, Level: 0.005, Enough: 5, Runs: 3, Before: 3, Now: 3}},
		{"the fewest runs of what flipped are named", []string{"a 1111/000", "b 11/11"}, []string{"a incomplete 4/4 0/4"},
			report.RepeatsTest{Compared: 2, Level: 0.0025, Enough: 6, Flipped: 1, Runs: 3, Before: 4, Now: 3}},
		{"or of all cases, if none did", []string{"a 1111/111", "b 11/111"}, nil, report.RepeatsTest{Compared: 2, Level: 0.0025, Enough: 6, Runs: 2, Before: 2, Now: 3}},
		{"a run without an answer is no run", []string{"a 1e/1ee"}, nil, report.RepeatsTest{Compared: 1, Level: 0.005, Enough: 5, Runs: 1, Before: 1, Now: 1}},
		{"a case that lost its answers is named, and cannot be asked again", []string{"a 11/ee unreadable", "b 11/11"}, []string{"a incomplete 2/2 0/2"},
			report.RepeatsTest{Compared: 1, Level: 0.005, Enough: 5, Runs: 2, Before: 2, Now: 2}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := procedure(t, s, c.cases...)
			p.UseFirstTrials()
			n := p.Finding().Numbers
			if diff := cmp.Diff(c.want, brief(n.Confirm)); diff != "" {
				t.Errorf("suspects (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(&c.runs, n.Repeats); diff != "" || len(p.Needs()) > 0 || n.Confirm.Provable != len(c.want) || *n.Confirm.Level != c.runs.Level {
				t.Errorf("%+v asked again; runs (-want +got):\n%s", p.Needs(), diff)
			}
		})
	}
	if p := procedure(t, defaults(), "a 1/0"); p.Finding().Numbers.Repeats != nil {
		t.Error("cases that can be asked again have no number of runs")
	}
}

// TestStoredAnswersDecideIfNobodyCanBeAsked decides by many first answers, unless there are reruns.
func TestStoredAnswersDecideIfNobodyCanBeAsked(t *testing.T) {
	for _, c := range []struct {
		rule   string
		one    string
		rounds int // that came before
		want   string
		status report.Status
	}{
		{"many that turned", "a 111111111111/000000000000", 0, "a confirmed 12/12 0/12", report.Regressed},
		{"reruns count alone, where there are some", "a 111111111111/000000000000", 1, "a incomplete 1/1 0/1", report.Regressed},
		{"few that did", "a 11/00", 0, "a incomplete 0/0 0/0", report.Regressed},
		{"a fall that would not be proven alone either", "a 111111111000/111110000000", 0, "a cleared 9/12 5/12", report.Flaky},
		{"other numbers of answers", "a 111111111111/00000000000", 0, "a incomplete 0/0 0/0", report.Regressed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := procedure(t, defaults(), c.one)
			for range c.rounds {
				p.Needs()
				p.Add(report.RerunConfirm, "s", "a", trial('1'), trial('0'))
			}
			p.UseFirstTrials()
			test := p.Finding().Numbers.Confirm
			if diff := cmp.Diff([]string{c.want}, brief(test)); diff != "" || p.Status("s", "a") != c.status {
				t.Errorf("status %s, want %s; suspects (-want +got):\n%s", p.Status("s", "a"), c.status, diff)
			}
			if s := test.Candidates[0]; s.Stored != (s.Rounds == 12) {
				t.Errorf("%+v: stored answers are its rounds", s)
			}
		})
	}
	p := procedure(t, func() noise.Settings { s := defaults(); s.MaxCandidates = 1; return s }(), "a 111/000", "b 111111111111/000000000000", "c 111/000")
	p.UseFirstTrials()
	want := []string{"b confirmed 12/12 0/12", "a not_rerun 0/0 0/0", "c not_rerun 0/0 0/0"}
	if diff := cmp.Diff(want, brief(p.Finding().Numbers.Confirm)); diff != "" {
		t.Errorf("beyond the cap (-want +got):\n%s", diff)
	}
}

// TestARecheckLeavesOutCasesWithTooFewAnswers asks five rounds of a suite that fell, of which some are lost.
func TestARecheckLeavesOutCasesWithTooFewAnswers(t *testing.T) {
	for _, c := range []struct {
		rule     string
		lost     string // what the case that lacks answers says in each round
		most     float64
		cases    int // that enter
		complete bool
	}{
		{"answers to three rounds of five are enough", "1e 1e 11", 0.05, 40, true},
		{"two are not", "11 11 1e", 0.05, 39, true},
		{"on the base neither", "11 11 e1", 0.05, 39, true},
		{"nor one case too many", "11 11 1e", 0.01, 39, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := defaults()
			s.Confirm, s.Recheck, s.MaxErrored = 0, 5, c.most
			p := procedure(t, s, append(append(many("1/0", 5), many("1/1", 34)...), "z 1/1")...)
			all := answers{"z": c.lost}
			for _, one := range append(many("1/0", 5), many("1/1", 34)...) {
				all[strings.Fields(one)[0]] = "11"
			}
			all.run(t, p)
			test := p.Finding().Numbers.Recheck
			if test.Overall.Cases != c.cases || test.Complete != c.complete || test.Asked != 5 {
				t.Errorf("%+v over %d cases; want %d, complete %v", test, test.Overall.Cases, c.cases, c.complete)
			}
		})
	}
	s := defaults()
	s.Confirm, s.Recheck, s.MaxErrored = 0, 5, 1
	p := procedure(t, s, append(many("1/0", 5), many("1/1", 35)...)...)
	all := answers{}
	for _, one := range append(many("1/0", 5), many("1/1", 35)...) {
		all[strings.Fields(one)[0]] = "ee"
	}
	all.run(t, p)
	if f := p.Finding(); !f.RecheckIncomplete || f.Numbers.Recheck.Complete {
		t.Error("a recheck without any answer is complete if every answer may be missing")
	}
}

func TestASkippedRecheckLeavesTheSuspicion(t *testing.T) {
	s := defaults()
	s.Confirm, s.Recheck = 0, 5
	cases := append(many("1/0", 5), many("1/1", 35)...)
	p := procedure(t, s, cases...)
	p.Skip("no room")
	f := p.Finding()
	if test := f.Numbers.Recheck; len(p.Needs()) > 0 || test.Triggered || test.Skipped != "no room" || !f.PossibleDrop || f.RecheckIncomplete {
		t.Errorf("%+v, suspected %v; want it skipped, and the suspicion", test, f.PossibleDrop)
	}
	p = procedure(t, s, cases...)
	if p.SkipAfterFailure(); len(p.Needs()) > 0 || p.Finding().Numbers.Recheck.Triggered {
		t.Error("a run that failed is looked at again")
	}
	p = procedure(t, s, many("1/1", 40)...)
	p.Skip("no room")
	if test := p.Finding().Numbers.Recheck; test.Skipped != "" {
		t.Errorf("%+v: there was nothing to skip", test)
	}
}

// TestASparingRecheckAsksTheSuitesThatFell counts their reused answers, which do not change. A suite that rose as much
// does not hide one that fell.
func TestASparingRecheckAsksTheSuitesThatFell(t *testing.T) {
	s := defaults()
	s.Confirm, s.Recheck, s.SparingRecheck = 0, 2, true
	suite := func(id string, cases ...string) noise.Suite {
		one := noise.Suite{ID: id, Weight: 1}
		for _, c := range cases {
			one.Cases = append(one.Cases, caseOf(t, c))
		}
		return one
	}
	for _, other := range [][]string{append(many("1/1", 10), many("1/1 reused", 3)...), append(many("0/1", 10), many("1/1", 10)...)} {
		p := noise.New(s, []noise.Suite{suite("fell", append(many("1/0", 6), append(many("1/1", 4), append(many("1/1 reused", 10), "q 1/1 reused quarantined")...)...)...), suite("other", other...)})
		for _, want := range []int{10, 0} {
			asks := p.Needs()
			if len(asks) != want {
				t.Fatalf("%d cases asked, want %d", len(asks), want)
			}
			for _, ask := range asks {
				if ask.SuiteID != "fell" || ask.Rounds != 1 {
					t.Errorf("asked %+v, want one round of the suite that fell", ask)
				}
				p.Add(ask.Reason, ask.SuiteID, ask.CaseID, trial('1'), trial('1'))
			}
		}
		if test := p.Finding().Numbers.Recheck; len(test.Suites) != 1 || test.Suites[0].Cases != 20 || test.Overall.Delta != 0 || test.Asked != 1 || !test.Complete {
			t.Errorf("%+v, want all 20 cases of the suite that are judged after one round", test)
		}
	}
}

// TestAChangedCaseIsASuspectIfBothExpectationsFailIt asks it again, and keeps what the first answers say otherwise.
func TestAChangedCaseIsASuspectIfBothExpectationsFailIt(t *testing.T) {
	for _, c := range []struct {
		one, rounds string
		asked       bool
		status      report.Status
	}{
		{"a 1/0 either", "10", true, report.Regressed},
		{"a 1/0 either", "11", true, report.Redefined},
		{"a 1/0 changed", "", false, report.Redefined},
		{"a 1/1 either", "", false, report.Redefined},
		{"a 1/e either", "", false, report.Redefined},
		{"a e/0 either", "", false, report.Redefined},
		{"a 1/0 either quarantined", "", false, report.Redefined},
		{"a 1/0 either reused", "", false, report.Redefined},
	} {
		p := procedure(t, defaults(), c.one)
		asked := answers{"a": c.rounds}.run(t, p)
		if got := p.Status("s", "a"); got != c.status || (asked > 0) != c.asked {
			t.Errorf("%s, then %q: %s after %d rounds, want %s", c.one, c.rounds, got, asked, c.status)
		}
	}
}

// TestARecheckOfTwoRoundsHasTwoStages goes on after the first round by the first stage's chance.
func TestARecheckOfTwoRoundsHasTwoStages(t *testing.T) {
	for _, c := range []struct {
		worse int // cases of 40 in the first round
		other string
		asked int
	}{{0, "11", 40}, {1, "11", 40}, {2, "11", 80}, {0, "ee", 40}} {
		s := defaults()
		s.Confirm, s.Recheck, s.SparingRecheck = 0, 2, true
		cases := append(many("1/0", 5), many("1/1", 35)...)
		all := answers{}
		for i, one := range cases {
			all[strings.Fields(one)[0]] = map[bool]string{true: "10", false: c.other}[i < c.worse]
		}
		p := procedure(t, s, cases...)
		if asked := all.run(t, p); asked != c.asked || p.Finding().Numbers.Recheck.Asked != c.asked/40 {
			t.Errorf("%d cases worse, others %s: %d rounds asked, want %d", c.worse, c.other, asked, c.asked)
		}
	}
}

func TestWithoutAConfirmationNoAnswerIsUnfinished(t *testing.T) {
	s := defaults()
	s.Confirm = 0
	p := procedure(t, s, "a 1/e unreadable", "b 1/0")
	if f := p.Finding(); f.UnansweredIncomplete() != 0 || f.Numbers.Confirm != nil || len(p.Needs()) > 0 || p.Status("s", "b") != report.Regressed {
		t.Errorf("%d unfinished, %+v", f.UnansweredIncomplete(), f.Numbers.Confirm)
	}
}
