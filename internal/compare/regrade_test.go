package compare_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// graded is an answer to case s/x that a judge graded: "+kind" is a criterion that is met, "-kind" one that is not, and
// "?kind" one without a verdict. It passes where no criterion is unmet.
func graded(trial int, criteria ...string) report.Result {
	r := comparetest.Result("s", "x", trial, "pass")
	r.Judge = &report.JudgeUse{Judge: "j"}
	for _, c := range criteria {
		one, met := report.Criterion{Criterion: c[1:]}, c[0] == '+'
		if c[0] != '?' {
			one.Met = &met
		}
		if c[0] == '-' {
			r.Classification.Primary, r.Scores.Accuracy = classify.Fail, 0
		}
		r.Criteria = append(r.Criteria, one)
	}
	return r
}

func replayed(r report.Result) report.Result { r.Replayed = true; return r }

func shared(r report.Result) report.Result { r.Shared = true; return r }

func redefined(r report.Result) report.Result { r.ExpectationKey = "changed"; return r }

func judgedBy(r report.Result, judge string) report.Result {
	r.Judge = &report.JudgeUse{Judge: judge}
	return r
}

func built(t *testing.T, results ...report.Result) *report.Builder {
	t.Helper()
	b := &report.Builder{Log: report.NewLog(&comparetest.MemoryFile{})}
	for _, r := range results {
		at, err := b.Log.Append(r)
		if err := errors.Join(err, b.Add(r, at)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestAFlipByTheJudgeIsGradedAgain flips a case by its criteria. The judge looks at the same two answers again, at the
// criteria that flipped and no others, and only where it takes its verdict back the case is not asked again.
func TestAFlipByTheJudgeIsGradedAgain(t *testing.T) {
	rerunCases := func(criteria ...string) []report.RerunRequest {
		return []report.RerunRequest{{Reason: report.RerunJudge, SuiteID: "s", CaseID: "x", Rounds: 1, FirstNumber: 2, Regrade: true, Criteria: criteria}}
	}
	right, wrong, none := comparetest.Result("s", "x", 2, "pass"), comparetest.Result("s", "x", 2, "fail"), comparetest.Result("s", "x", 2, "timeout")
	for _, c := range []struct {
		rule       string
		base, head []report.Result
		set        func(*config.Gate)
		then       [2]report.Result      // what the judge says the second time
		want       []report.RerunRequest // of the judge
		confirmed  bool                  // the case is asked again
	}{
		{"the judge says so again", []report.Result{graded(1, "+kind", "+short")}, []report.Result{graded(1, "-kind", "+short")}, nil,
			[2]report.Result{right, wrong}, rerunCases("kind"), true},
		{"the judge takes it back", []report.Result{graded(1, "+kind", "+short")}, []report.Result{graded(1, "-kind", "+short")}, nil,
			[2]report.Result{right, right}, rerunCases("kind"), false},
		{"the judge calls the base's answer wrong too", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{graded(2, "-kind"), graded(2, "-kind")}, rerunCases("kind"), false},
		{"the base's answer fails by anything else", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{wrong, graded(2, "-kind")}, rerunCases("kind"), true},
		{"the judge takes it back, and the head's answer fails by anything else", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{graded(2, "+kind"), wrong}, rerunCases("kind"), true},
		{"the judge says nothing of the base's answer", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{none, right}, rerunCases("kind"), true},
		{"the judge says nothing of the head's answer", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{right, none}, rerunCases("kind"), true},
		{"both criteria flipped", []report.Result{graded(1, "+kind", "+short")}, []report.Result{graded(1, "-kind", "-short")}, nil,
			[2]report.Result{right, wrong}, rerunCases("kind", "short"), true},
		{"a criterion without a verdict on the head", []report.Result{graded(1, "+kind", "+short")}, []report.Result{graded(1, "?kind", "-short")}, nil,
			[2]report.Result{right, wrong}, rerunCases("kind", "short"), true},
		{"a criterion that the base had no verdict on", []report.Result{graded(1, "?kind", "+short")}, []report.Result{graded(1, "-kind", "-short")}, nil,
			[2]report.Result{right, wrong}, rerunCases("short"), true},
		{"most answers decide",
			[]report.Result{graded(1, "+kind"), graded(2, "+kind"), graded(3, "-kind")}, []report.Result{graded(1, "-kind"), graded(2, "-kind"), graded(3, "+kind")}, nil,
			[2]report.Result{right, right}, []report.RerunRequest{{Reason: report.RerunJudge, SuiteID: "s", CaseID: "x", Rounds: 1, FirstNumber: 4, Regrade: true, Criteria: []string{"kind"}}}, false},
		{"as often met as not on the head",
			[]report.Result{graded(1, "+kind"), graded(2, "+kind")}, []report.Result{graded(1, "-kind"), graded(2, "+kind")}, nil,
			[2]report.Result{right, right}, []report.RerunRequest{{Reason: report.RerunJudge, SuiteID: "s", CaseID: "x", Rounds: 1, FirstNumber: 3, Regrade: true, Criteria: []string{"kind"}}}, false},
		{"as often right as wrong on the base",
			[]report.Result{graded(1, "+kind"), comparetest.Result("s", "x", 2, "fail")}, []report.Result{graded(1, "-kind"), graded(2, "-kind")}, nil,
			[2]report.Result{}, nil, false},
		{"no judge graded the head", []report.Result{graded(1, "+kind")}, []report.Result{comparetest.Result("s", "x", 1, "fail")}, nil,
			[2]report.Result{}, nil, true},
		{"no judge graded the base", []report.Result{comparetest.Result("s", "x", 1, "pass")}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{}, nil, true},
		{"no answer of the head", []report.Result{graded(1, "+kind")}, []report.Result{comparetest.Result("s", "x", 1, "timeout")}, nil,
			[2]report.Result{}, nil, true},
		{"both answers are recorded: the confirmation grades them", []report.Result{replayed(graded(1, "+kind"))}, []report.Result{replayed(graded(1, "-kind"))}, nil,
			[2]report.Result{}, nil, true},
		{"one of them is", []report.Result{replayed(graded(1, "+kind"))}, []report.Result{graded(1, "-kind")}, nil,
			[2]report.Result{right, right}, rerunCases("kind"), false},
		{"one answer serves both sides", []report.Result{shared(graded(1, "+kind"))}, []report.Result{shared(graded(1, "-kind"))}, nil,
			[2]report.Result{}, nil, false},
		{"another expectation", []report.Result{graded(1, "+kind")}, []report.Result{redefined(graded(1, "-kind"))}, nil,
			[2]report.Result{}, nil, false},
		{"another judge", []report.Result{graded(1, "+kind")}, []report.Result{judgedBy(graded(1, "-kind"), "k")}, nil,
			[2]report.Result{}, nil, false},
		{"as often met as not on the base",
			[]report.Result{graded(1, "-kind"), graded(2, "+kind")}, []report.Result{graded(1, "-kind"), graded(2, "-kind")}, nil,
			[2]report.Result{}, nil, false},
		{"wrong before", []report.Result{graded(1, "-kind")}, []report.Result{graded(1, "-kind")}, nil, [2]report.Result{}, nil, false},
		{"each flip counts", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")},
			func(g *config.Gate) { g.Mode = config.ModeStrict }, [2]report.Result{}, nil, false},
		{"nobody is asked again", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")},
			func(g *config.Gate) { g.Confirm = 0 }, [2]report.Result{}, nil, false},
		{"a case in quarantine", []report.Result{graded(1, "+kind")}, []report.Result{graded(1, "-kind")},
			func(g *config.Gate) { g.Quarantine = []config.Quarantine{{ID: "s/x"}} }, [2]report.Result{}, nil, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for i := range c.base {
				c.base[i].RawResponse, c.base[i].ToolCalls = "before", []model.ToolCall{{Name: "refund"}}
				if c.base[i].Classification.Primary != classify.Pass { // the judge grades a right answer again
					c.base[i].RawResponse = "wrong before"
				}
			}
			for i := range c.want {
				c.want[i].Answers = [2]*model.Response{
					{Text: "before", ToolCalls: []model.ToolCall{{Name: "refund"}}, Cached: true}, {Text: "answer", Cached: true}}
			}
			base, head := built(t, c.base...), built(t, c.head...)
			g := comparetest.NoisyGate()
			if c.set != nil {
				c.set(&g)
			}
			var judged []report.RerunRequest
			confirmed := false
			ask := func(wants []report.RerunRequest) error {
				for _, w := range wants {
					if w.Reason != report.RerunJudge {
						confirmed = true
						return fmt.Errorf("%s was asked again", w.CaseID)
					}
					judged = append(judged, w)
					for i, to := range []*report.Builder{base, head} {
						r := c.then[i]
						r.RerunReason, r.Trial = w.Reason, w.FirstNumber
						if err := to.Add(r, report.Ref{}); err != nil {
							return err
						}
					}
				}
				return nil
			}
			_, err := comparetest.Caller{Rerun: ask}.Compare(g, compare.Sides{Base: base.Side(), Head: head.Side()})
			if confirmed != c.confirmed || err != nil != confirmed {
				t.Errorf("asked again: %v (%v), want %v", confirmed, err, c.confirmed)
			}
			if diff := cmp.Diff(c.want, judged); diff != "" {
				t.Errorf("asked of the judge (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFreshAnswersAreGradedByTheCriteriaThatFlipped has the judge look at no others, unless the expectation changed.
func TestFreshAnswersAreGradedByTheCriteriaThatFlipped(t *testing.T) {
	for _, c := range []struct {
		rule string
		head report.Result
		want report.RerunRequest
	}{
		{"a flip by one of two criteria", graded(1, "-kind", "+short"), report.RerunRequest{Regrade: true, Criteria: []string{"kind"}}},
		{"a flip by no criterion", comparetest.Result("s", "x", 1, "fail"), report.RerunRequest{Regrade: true, Criteria: []string{}}},
		{"another expectation", func() report.Result {
			r := redefined(graded(1, "-kind"))
			r.UnderBase = &classify.Classification{Primary: classify.Fail}
			return r
		}(), report.RerunRequest{Regrade: true}},
	} {
		base, head := built(t, graded(1, "+kind", "+short")).Side(), built(t, c.head).Side()
		var first []report.RerunRequest
		stop := fmt.Errorf("stop")
		_, err := comparetest.Caller{Rerun: func(wants []report.RerunRequest) error {
			if wants[0].Reason == report.RerunJudge {
				return nil
			}
			first = wants
			return stop
		}}.Compare(comparetest.NoisyGate(), compare.Sides{Base: base, Head: head})
		c.want.Reason, c.want.SuiteID, c.want.CaseID, c.want.Rounds, c.want.FirstNumber = report.RerunConfirm, "s", "x", 1, 2
		if diff := cmp.Diff([]report.RerunRequest{c.want}, first); err != stop || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.rule, err, diff)
		}
	}
}

func TestAnAnswerThatWasLeftAsItWas(t *testing.T) {
	recorded := func(request, answer string) report.Result {
		r := comparetest.Result("s", "x", 1, "pass")
		r.Replayed, r.RequestKey, r.RawResponse = true, request, model.Untrusted(answer)
		return r
	}
	drawn, live := recorded("now", "answer"), recorded("now", "answer")
	drawn.Sampled, live.Replayed = true, false
	for _, c := range []struct {
		rule       string
		base, head report.Result
		target     string
		want       bool
	}{
		{"another question, and the same answer", recorded("then", "answer"), recorded("now", "answer"), "kept", true},
		{"another answer", recorded("then", "other"), recorded("now", "answer"), "kept", false},
		{"the same question", recorded("now", "answer"), recorded("now", "answer"), "kept", false},
		{"an answer of a model", recorded("then", "answer"), drawn, "kept", false},
		{"an answer that was asked", recorded("then", "answer"), live, "kept", false},
		{"an answer that was live before", func() report.Result { r := recorded("then", "answer"); r.Replayed = false; return r }(), recorded("now", "answer"), "kept", false},
		{"a target that answers itself", recorded("then", "answer"), recorded("now", "answer"), "live", false},
	} {
		base, head := built(t, c.base).Side(), built(t, c.head).Side()
		head.Suites[0].Target = c.target
		compare.MarkKeptByHand(base, head, func(target string) bool { return target == "kept" })
		if got := head.Suites[0].Cases[0]; got.KeptByHand != c.want || got.Unverified != c.want {
			t.Errorf("%s: kept %v, unverified %v, want %v", c.rule, got.KeptByHand, got.Unverified, c.want)
		}
	}
}
