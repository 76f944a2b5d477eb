package noise_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

func defaults() noise.Settings {
	return noise.Settings{Trials: 1, Confirm: 8, MaxSuspects: 20, Alpha: 0.01, WarnAlpha: 0.05, MaxDrop: 0.02, MaxErrored: 0.05}
}

// caseOf reads a case in short: "id base/head marks", a trial being 1, 0 or e for an error, no trials for no such case.
func caseOf(t *testing.T, text string) noise.Case {
	t.Helper()
	fields := strings.Fields(text)
	base, head, ok := strings.Cut(fields[1], "/")
	if !ok {
		t.Fatalf("case %q: want base/head", text)
	}
	c := noise.Case{ID: fields[0], Base: trials(base), Head: trials(head), Bar: 0.5}
	for _, mark := range fields[2:] {
		switch mark {
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

func trials(text string) *noise.Trials {
	if text == "" {
		return nil
	}
	out := &noise.Trials{}
	for _, r := range text {
		if r == 'e' {
			out.Lost++
		} else {
			out.Values = append(out.Values, float64(r-'0'))
		}
	}
	return out
}

func procedure(t *testing.T, s noise.Settings, cases ...string) *noise.Procedure {
	t.Helper()
	one := noise.Suite{ID: "s", Weight: 1}
	for _, c := range cases {
		one.Cases = append(one.Cases, caseOf(t, c))
	}
	p, err := noise.New(s, []noise.Suite{one})
	if err != nil {
		t.Fatal(err)
	}
	return p
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
				if err := p.Add(ask.Look, ask.SuiteID, ask.CaseID, trial(round[0]), trial(round[1])); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// trial reads 1 and 0, e for an outage, u for what is no answer, and n for one that nobody was asked for.
func trial(b byte) noise.Trial {
	if loss, lost := map[byte]classify.Loss{'e': classify.LossOutage, 'u': classify.LossUnreadable, 'n': classify.LossNotAsked}[b]; lost {
		return noise.Trial{Loss: loss}
	}
	return noise.Trial{Value: float64(b - '0')}
}

func brief(look *report.ConfirmLook) (out []string) {
	for _, s := range look.Suspects {
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
		{"beyond the cap they are named and not asked", []string{"a 1/0", "b 1/0"}, answers{"a": "10"}, func(s *noise.Settings) { s.MaxSuspects = 1 },
			[]string{"a confirmed 8/8 0/8", "b not_rerun 0/0 0/0"}},
		{"what is no answer is as wrong as a wrong one", []string{"a 1/0"}, answers{"a": "1u"}, nil, []string{"a confirmed 8/8 0/8"}},
		{"no more are asked than the rounds can prove at once", []string{"a 1/0", "b 1/0", "c 1/0", "d 1/0", "e 1/0"}, answers{"a": "11", "b": "11", "c": "11", "d": "10"},
			func(s *noise.Settings) { s.Confirm = 6 }, []string{"a cleared 1/1 1/1", "b cleared 1/1 1/1", "c cleared 1/1 1/1", "d confirmed 6/6 0/6", "e not_rerun 0/0 0/0"}},
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
	look := p.Finding().Numbers.Confirm
	for _, s := range look.Suspects {
		if s.State != report.SuspectCleared || s.Broken != (s.CaseID == broken) || s.Broken != (s.P != nil) {
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
			func(s *noise.Settings) { s.Recheck, s.Failed = 5, true }, found{Suspected: true}, 5},
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
			got := found{f.Drop, f.Recheck, f.Suspected, f.RecheckIncomplete}
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

func TestRefusedInput(t *testing.T) {
	good := noise.Case{ID: "a", Base: trials("1"), Head: trials("1"), Bar: 0.5}
	with := func(change func(*noise.Case)) []noise.Case {
		c := good
		change(&c)
		return []noise.Case{c}
	}
	for _, c := range []struct {
		rule   string
		weight float64
		cases  []noise.Case
	}{
		{"a case that is there twice", 1, []noise.Case{good, good}},
		{"a value that is no number", 1, with(func(c *noise.Case) { c.Head = &noise.Trials{Values: []float64{math.NaN()}} })},
		{"a value above 1 is not cut", 1, with(func(c *noise.Case) { c.Base = &noise.Trials{Values: []float64{1.01}} })},
		{"a bar that is none", 1, with(func(c *noise.Case) { c.Bar = math.NaN() })},
		{"a weight below 0", -1, []noise.Case{good}},
		{"a weight that is no number", math.NaN(), []noise.Case{good}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if _, err := noise.New(defaults(), []noise.Suite{{ID: "s", Weight: c.weight, Cases: c.cases}}); err == nil {
				t.Error("New took it")
			}
		})
	}
}

func TestAnswersThatNobodyAskedFor(t *testing.T) {
	p := procedure(t, defaults(), "a 1/0", "b 1/1")
	for _, c := range []struct {
		rule, id string
		look     report.Look
		head     noise.Trial
	}{
		{"an unknown case", "z", report.LookConfirm, noise.Trial{}},
		{"a case that is no suspect", "b", report.LookConfirm, noise.Trial{}},
		{"a look that is not due", "a", report.LookRecheck, noise.Trial{}},
		{"a value that is no number", "a", report.LookConfirm, noise.Trial{Value: math.NaN()}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if err := p.Add(c.look, "s", c.id, noise.Trial{Value: 1}, c.head); err == nil {
				t.Error("Add took it")
			}
		})
	}
}
